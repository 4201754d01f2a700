"""`belay compress` through the command line's own face."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from schemas import check

from belay.cli.main import belay
from belay.cli.memory import compress
from belay.context.start import offers
from belay.core.text import tokens
from belay.safety import trust

LOG = "\n".join(f"| {n} | 2026-01-{n:02d} | part {n} |" for n in range(1, 13))
TEXT = f"""# Project Memory
Last updated: 2026-01-12 | Session 12 | Branch: main

## Completed
- 2026-01-02 Scaffold
- 2026-01-12 Login

## Active Work
- [ ] Refund (session 4)

## Blockers
- ~~key~~ DONE 2026-01-05

## Session Log
| Session | Date | Summary |
|---|---|---|
{LOG}
"""


@pytest.fixture(autouse=True)
def inside(project, monkeypatch):
    """Work in a project whose memory is this user's."""
    monkeypatch.chdir(project.root)
    Path("MEMORY.md").write_text(TEXT)
    trust.record(os.environ, project.root, "MEMORY.md", TEXT.encode())


def call(*args, data=None):
    done = CliRunner().invoke(belay, ["compress", "--json", *args], input=data)
    return done.exit_code, check("compress", json.loads(done.output))


def text(*args):
    return CliRunner().invoke(belay, ["compress", *args]).output


def test_a_dry_run_tells_everything_and_changes_nothing():
    code, data = call("--dry-run")

    assert (code, data["written"], data["dry_run"], data["due"]) == (0, False, True, "")
    assert Path("MEMORY.md").read_text() == TEXT
    assert [row["text"] for row in data["removed"]][:2] == [
        "- 2026-01-02 Scaffold",
        "- ~~key~~ DONE 2026-01-05",
    ]
    assert [(row["line"], row["session"]) for row in data["folded"]] == [(5, 2)]
    assert [(row["line"], row["since"]) for row in data["flagged"]] == [(9, 4)]
    assert data["candidates"] == [{**data["flagged"][0], "why": "untouched since session 4"}]
    assert data["tokens"]["before"] == tokens.count(TEXT) > data["tokens"]["after"]
    assert data["archive"]["files"] == ["MEMORY-ARCHIVE.md"]
    assert "- 2026-01-02 Scaffold" in data["archive"]["added"]


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_the_diff_is_exact(end):
    before = TEXT.rstrip("\n").replace("\n", end or "\n") + end
    Path("MEMORY.md").write_bytes(before.encode())
    diff = call("--dry-run")[1]["diff"]
    call()
    after = Path("MEMORY.md").read_bytes()
    Path("MEMORY.md").write_bytes(before.encode())

    subprocess.run(["git", "apply", "-"], input=diff.encode(), check=True)

    assert Path("MEMORY.md").read_bytes() == after != before.encode()


def test_compress_then_undo():
    code, data = call()
    assert (code, data["written"]) == (0, True)
    assert "Scaffold" in Path("MEMORY-ARCHIVE.md").read_text()

    assert call("--undo")[1] == {"undone": ["MEMORY-ARCHIVE.md", "MEMORY.md"]}
    assert Path("MEMORY.md").read_text() == TEXT
    code, data = call("--undo")
    assert (code, data["error"]["what"]) == (1, "there is nothing to undo")


def test_people_see_the_diff_the_archive_and_what_stays():
    shown = text("--dry-run")

    for line in (
        "-- 2026-01-02 Scaffold",
        "Into MEMORY-ARCHIVE.md:",
        "Without progress:",
        "Nothing has been changed.",
    ):
        assert line in shown
    assert "line 9, no progress since session 4: - [ ] Refund (session 4)" in shown
    assert "`belay compress --undo` undoes it." in text()
    assert "nothing to move out" in text()


def test_a_written_summary_goes_into_the_archive():
    call()

    assert call("--apply", data="summary: We began.\n")[1] == {"file": "MEMORY-ARCHIVE.md", "changed": True}
    assert "\nWe began.\n" in Path("MEMORY-ARCHIVE.md").read_text()
    assert call("--apply", data="[x]")[0] == 1


def test_no_memory_is_said_in_one_line():
    os.unlink("MEMORY.md")

    code, data = call()

    assert (code, data["error"]["what"]) == (1, "does not exist")
    assert not os.path.exists("MEMORY-ARCHIVE.md")


def test_flags_that_contradict_are_refused():
    assert CliRunner().invoke(belay, ["compress", "--dry-run", "--undo"]).exit_code == 2


def test_a_session_sees_no_word_of_a_strangers_memory(project, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-1")
    monkeypatch.setattr(compress.memory_files, "is_trusted", lambda *_: False)

    shown = text("--dry-run")

    assert "Scaffold" not in shown
    assert "belay trust" in shown


def test_no_escape_reaches_the_terminal():
    Path("MEMORY.md").write_text(TEXT.replace("Scaffold", "Scaffold \x1b[31m"))

    assert "\x1b" not in text("--dry-run")


def test_a_long_memory_with_nothing_to_take_out_says_what_is_long(project):
    items = "".join(f"- [ ] Oven {n}\n" for n in range(160))
    Path("MEMORY.md").write_text(f"# Project Memory\n\n## Active Work\n{items}\n## Key Files\n- `a.py`\n")
    os.makedirs(project.states, exist_ok=True)
    code, data = call("--dry-run")

    assert (code, data["removed"]) == (0, [])
    assert data["longest"][0] == {"title": "Active Work", "lines": 162, "open": 160}
    assert "longest: Active Work 162 lines (160 open items, yours to close), Key Files 2 lines" in text()
    header = {"lines": 166, "header": {"updated": "2026-10-30"}}
    assert offers.list_offers(project, os.environ, header, None) == []
    Path("MEMORY.md").write_text(TEXT)
    assert "/compress" in offers.list_offers(project, os.environ, header, None)[0]
