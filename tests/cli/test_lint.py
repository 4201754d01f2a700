"""`belay lint` through the command line's own face."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from schemas import check

from belay.cli.main import belay
from belay.core import paths
from belay.safety import trust

TEXT = "# Project Memory\n\n## Blockers\n- ~~key~~\n\n## Architecture Notes\n- All queries go through the repository layer\n"


@pytest.fixture(autouse=True)
def inside(project, monkeypatch):
    """Work in a project whose memory is this user's."""
    monkeypatch.chdir(project.root)
    Path("MEMORY.md").write_text(TEXT)
    trust.record(os.environ, project.root, "MEMORY.md", TEXT.encode())


def call(*args):
    done = CliRunner().invoke(belay, ["lint", "--json", *args])
    return done.exit_code, check("lint", json.loads(done.output))


def text(*args):
    return CliRunner().invoke(belay, ["lint", *args]).output


def rules(*args):
    return [(row["rule"], row["line"]) for row in call(*args)[1]["findings"]]


def test_findings_exit_with_one_and_a_clean_file_with_none():
    assert call()[0] == 1
    assert rules() == [("resolved", 4)]
    Path("MEMORY.md").write_text("# Project Memory\n")
    assert call() == (0, {"file": "MEMORY.md", "lines": 1, "memory": True, "findings": [], "tokens": 0})


@pytest.mark.parametrize("name", ["README.md", "CLAUDE.md", ".claude/CLAUDE.md", "auto memory"])
def test_what_is_read_anyway_is_held_against_it(project, name):
    path = Path(paths.native_memory(os.environ, project.home) if name == "auto memory" else name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Shop\nAll queries go through the repository layer.\n")

    assert rules() == [("resolved", 4), ("elsewhere", 7)]
    assert f"{name} line 2 says so already" in text()


def test_another_file_is_linted_by_its_name():
    Path("CLAUDE.md").write_text("# Guide\n\nThis file provides guidance to Claude.\n")

    assert rules("CLAUDE.md") == [("filler", 3)]
    assert text("CLAUDE.md").startswith("CLAUDE.md:3 filler: This file provides guidance")


def test_too_many_lines_are_said():
    Path("MEMORY.md").write_text("# Project Memory\n## Blockers\n- ~~key~~ DONE 2026-01-05\n" + "\n" * 148)

    assert "151 lines, over 150: belay compress --dry-run" in text()

    Path("MEMORY-ARCHIVE.md").write_text("# Memory Archive\n" + "\n" * 150)
    assert "over 150" not in text("MEMORY-ARCHIVE.md")


@pytest.mark.parametrize("spoil", [lambda path: path.unlink(), lambda path: (path.unlink(), path.mkdir())])
def test_what_cannot_be_read_is_said_in_one_line(spoil):
    spoil(Path("MEMORY.md"))

    code, data = call()

    assert (code, data["error"]["mend"]) == (1, "give the path of a memory file")


def test_a_session_sees_no_word_of_a_strangers_memory(project, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s-1")
    assert "key" in text()
    monkeypatch.setattr("belay.memory.memory_files.is_trusted", lambda *_: False)

    assert "key" not in text()


def test_nothing_is_written(project):
    before = sorted(os.listdir(project.root))

    text()

    assert sorted(os.listdir(project.root)) == before


def test_a_long_memory_with_nothing_to_take_out_says_what_is_long(project):
    items = "".join(f"- [ ] Oven {n}\n" for n in range(160))
    Path("MEMORY.md").write_text(f"# Project Memory\n\n## Active Work\n{items}\n## Key Files\n- `a.py`\n")
    os.makedirs(project.states, exist_ok=True)
    told = text()

    assert "166 lines, over 150: nothing can be folded or taken out; longest: Active Work 162 lines" in told
    assert "belay compress" not in told
