import os

import pytest

from belay.memory.wrapup import document, validation
from belay.repository import projects


@pytest.fixture
def code(repo):
    """A repository with a source file, a folder and a Markdown file that names a symbol of its own."""
    (repo / "src").mkdir()
    (repo / "src" / "auth.py").write_text("def rotateToken():\n    refund_total = 1\n")
    (repo / "notes.md").write_text("onlyInProse()\n")
    (repo / "Makefile").write_text("test:\n")
    return projects.find(str(repo), os.environ)


def told(text, project):
    return validation.find_problems(document.parse_document(text.encode()), project)


def test_what_must_be_there_is_asked_for_by_line(code):
    text = "status: blocked\ndecisions:\n  - decision: d\n  - reason: r\n  - plain words\n"

    assert [str(problem).split(";")[0] for problem in told(text, code)] == [
        "line 1: `next step` is missing",
        "line 1: `summary` is missing",
        "line 3: decision `d` has no reason",
        "line 4: a decision does not say what was decided",
        "line 5: decision `plain words` has no reason",
    ]


def test_a_finished_session_needs_no_next_step(code):
    assert told("summary: s\nstatus: Done\n", code) == []
    assert len(told("summary: s\nstatus: done\nactive: [more]\n", code)) == 1


def test_force_keeps_and_flags(code):
    parsed = document.parse_document(b"summary: s\nnext step: go on\ndecisions: [{decision: d}]\n")
    found = validation.find_problems(parsed, code)
    flagged = validation.mark_forced(parsed.document, found)

    assert [problem.forcible for problem in found] == [True, True]
    assert flagged["next"] == "go on (names no existing file, symbol or command)"
    assert flagged["decisions"][0]["reason"] == ""
