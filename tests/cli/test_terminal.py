"""What a terminal shows, and that a pipe gets plain text without rich ever being loaded."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from belay.cli import terminal
from belay.cli.terminal import Page, Table
from belay.core import paths

DOOR = paths.resource("lib", "__main__.py")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
HOSTILE = "[bold red]no[/] \x1b[31mred\x1b]0;title\x07 \x1b]8;;http://evil\x1b\\link \u202egnirts :smile:"


def environ(**over):
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "CLAUDECODE")}
    return {**kept, "TERM": "xterm-256color", "COLUMNS": "70", **over}


def in_terminal(folder, *args, **over):
    """Run a command with stdout and stderr on a terminal; return its exit code and what it was sent."""
    main, side = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-E", "-s", DOOR, *args],
        cwd=folder, env=environ(**over), stdin=subprocess.DEVNULL, stdout=side, stderr=side,
    )  # fmt: skip
    os.close(side)
    said, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([main], [], [], 0.2)
        try:
            data = os.read(main, 65536) if ready else b""
        except OSError:  # Linux says so when the other side is closed
            break
        said += data
        if not data and child.poll() is not None:
            break
    os.close(main)
    return child.wait(timeout=10), said.decode().replace("\r\n", "\n")


def in_pipe(folder, *args, **over):
    done = subprocess.run(
        [sys.executable, "-E", "-s", "-X", "importtime", DOOR, *args],
        cwd=folder, env=environ(**over), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    lines = done.stderr.splitlines()
    loaded = {line.rpartition("|")[2].strip() for line in lines if line.startswith("import time:")}
    errors = "".join(f"{line}\n" for line in lines if not line.startswith("import time:"))
    return done.returncode, done.stdout, errors, loaded


@pytest.fixture
def base(repo):
    for args in (
        ("decision", "Postgres for storage", "-r", "two writers"),
        ("gotcha", "The emulator needs port 8085, and says nothing at all where another process has it"),
    ):
        assert in_pipe(repo, *args)[0] == 0
    return repo


def test_a_pipe_gets_plain_text_and_loads_no_rich(base):
    for args in (
        ("recent",),
        ("status",),
        ("doctor",),
        ("search", "storage"),
        ("read", "decisions", "--json"),
        ("bad",),
    ):
        _, text, errors, loaded = in_pipe(base, *args)

        assert "\x1b" not in text + errors
        assert {name for name in loaded if name.partition(".")[0] in ("rich", "pygments")} == set()


def test_a_quick_search_in_a_pipe_loads_no_click(base):
    _, text, _, loaded = in_pipe(base, "search", "storage")

    assert "Postgres for >>storage<<" in text
    assert {name.partition(".")[0] for name in loaded} & {"click", "rich"} == set()


def test_a_terminal_gets_colour_and_a_table_of_its_width(base):
    code, text = in_terminal(base, "recent")
    lines = ESCAPE.sub("", text).splitlines()

    assert code == 0
    assert re.search(r"\x1b\[[0-9;]*m", text)
    assert [line.split()[1] for line in lines] == ["gotcha", "decision"]
    assert max(map(len, lines)) <= 70
    assert lines[0].rstrip().endswith("…")


@pytest.mark.parametrize("over", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colour_gets_no_escape(base, over):
    for args in (("recent",), ("status",), ("why", "storage"), ("search", "storage"), ("index",)):
        code, text = in_terminal(base, *args, **over)
        shown = text if "TERM" in over else re.sub(r"\x1b\[[?0-9]*[A-Zhl]|\x1b\[\d*K", "", text)

        assert (code, "\x1b" in shown) == (0, False)


def test_a_search_on_a_terminal_marks_what_it_found(base):
    assert "\x1b[1;33m>>storage<<" in in_terminal(base, "search", "storage")[1]


def test_json_is_the_same_on_a_terminal(base):
    assert in_terminal(base, "recent", "--json")[1] == in_pipe(base, "recent", "--json")[1]
    assert json.loads(in_terminal(base, "search", "storage", "--json")[1])["results"]


def test_an_error_on_a_terminal_is_marked(base):
    code, text = in_terminal(base, "show", "K-ZZZZZZ")

    assert code == 1
    assert text.startswith("\x1b[1;31mbelay:\x1b[0m ")


def test_markdown_is_rendered_on_a_terminal_only(repo):
    (repo / "package.json").write_text('{"name": "shop", "scripts": {"test": "jest"}}')
    plain, shown = in_pipe(repo, "handoff", "--dry-run")[1], in_terminal(repo, "handoff", "--dry-run")[1]

    assert "\n## Quick Start\n" in plain
    assert "Quick Start" in shown
    assert "## Quick Start" not in ESCAPE.sub("", shown)


def test_progress_is_shown_on_a_terminal(repo):
    for number in range(40):
        (repo / f"page{number}.md").write_text(f"# Page {number}\n\n" + "Words of a page. " * 200)

    assert "Indexing" in in_terminal(repo, "index", "--all")[1]
    assert "Indexing" not in "".join(in_pipe(repo, "index", "--all")[1:3])


def test_hostile_text_neither_moves_nor_colours(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "300")
    parts = [
        HOSTILE,
        Table([("a", HOSTILE)]),
        Table([("b", HOSTILE)], wraps=True),
        Page(HOSTILE),
        Page(f"- `{HOSTILE}`"),
    ]
    text = terminal.render(parts)

    assert not [char for char in text if ord(char) < 32 and char != "\n"]
    assert "\u202e" not in text
    assert text.count("[bold red]no[/]") == len(parts)
    assert text.count(":smile:") == len(parts)


def test_a_link_is_shown_with_its_address_and_html_as_text(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    text = terminal.render([Page("[good](http://evil.example) and List<String> <!-- hidden -->")])

    assert "\x1b]8" not in text
    assert "http://evil.example" in text
    assert "List<String>" in text
    assert "hidden" not in text


def test_an_entry_that_holds_escapes_is_harmless_on_a_terminal(repo):
    in_pipe(repo, "note", HOSTILE)
    for args in (("recent",), ("search", "title"), ("read", "notes")):
        code, text = in_terminal(repo, *args)

        assert code == 0
        assert "\x1b]" not in text
        assert "\x1b[31mred" not in text
        assert "[bold red]no[/]" in ESCAPE.sub("", text)


def test_prose_is_wrapped_and_a_path_is_not_broken(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    path = "/a/very/long/path/that/does/not/fit/into/forty/columns.py"

    assert terminal.render([f"Tied to {path}."]) == f"Tied to {path}."
    assert terminal.render(["word " * 20]).splitlines() == [("word " * 8).strip()] * 2 + [("word " * 4).strip()]
