"""Remembering: journal first, the right sections of a file that may be written, confirmed with its place."""

import os
import subprocess
import sys

import pytest
from repos import git

from belay.core import paths
from belay.memory.remember import filing, notes, requests
from belay.safety import trust
from belay.session.session import Session

DAY = "2026-03-04"


@pytest.fixture
def session(project):
    return Session(project, "s-1", os.environ)


def keep(session, said, kind="decision"):
    note = notes.build_note(kind, said, DAY)
    return filing.file_note(session, note, [filing.record_capture(session, kind, said)])


def mine(project, text):
    """Write MEMORY.md as a person of this machine."""
    with open(project.memory_md, "w") as file:
        file.write(text)
    trust.record(os.environ, project.root, "MEMORY.md", text.encode())


def test_the_first_wish_makes_the_file_and_the_confirmed_line_is_exact(session, project):
    outcome = keep(session, "SQLite for storage: one file")
    with open(project.memory_md) as file:
        rows = file.read().splitlines()

    assert filing.format_outcome(outcome) == (
        f"Saved: decision “SQLite for storage” in MEMORY.md, Key Decisions (line {outcome.line})"
    )
    assert rows[outcome.line - 1] == f"| {DAY} | SQLite for storage | one file |  |"
    assert "## Blockers" not in rows
    (capture,) = session.state["captures"].values()
    assert (capture["origin"], capture["filed"]) == ("hand", "MEMORY.md")


def test_said_twice_is_told_where_it_stands(session):
    first = keep(session, "ids are ULIDs", "note")
    again = keep(session, "Ids are ULIDs.", "note")

    assert again.known
    assert filing.format_outcome(again) == f"Already there: MEMORY.md, Architecture Notes (line {first.line})"


def test_what_is_done_leaves_no_capture_open(session, project):
    mine(project, "# M\n## Active Work\n- [ ] refund handler\n")
    outcome = keep(session, "refund handler", "done")

    assert outcome.sections == ["Completed", "Active Work"]
    assert session.state["captures"] == {}


def test_a_strangers_file_is_left_alone_and_the_capture_stands(session, project, repo):
    (repo / "MEMORY.md").write_text("# M\n## Blockers\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "memory")
    outcome = keep(session, "staging key", "blocker")

    assert "belay trust MEMORY.md" in outcome.why
    assert (repo / "MEMORY.md").read_text() == "# M\n## Blockers\n"
    (capture,) = session.state["captures"].values()
    assert (capture["text"], capture.get("filed")) == ("staging key", None)


def test_a_file_that_is_not_understood_says_where_and_why(session, project):
    text = "# M\n## Architecture Notes\n```\nopen\n"
    mine(project, text)
    outcome = keep(session, "ids are ULIDs", "note")

    assert filing.format_outcome(outcome) == "Not written: MEMORY.md line 3 opens a code block that nothing closes"
    with open(project.memory_md) as file:
        assert file.read() == text


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Zod for validation because it infers types", "decision"),
        ("let's go with pnpm", "decision"),
        ("blocked on the staging key", "blocker"),
        ("finished the refund handler", "done"),
        ("remember to run the linter", "preference"),
        ("the gateway rounds half up", "note"),
    ],
)
def test_words_tell_the_kind(said, kind):
    assert filing.guess_kind(said) == kind


def asked(session, text, name="C-AAAAAA"):
    session.log("capture", id=name, classes={"preference": 1.0}, text=text, branch="main", origin=requests.ASKED)


def test_what_a_prompt_asked_for_is_filed_once(session, project):
    mine(project, "# M\n## Architecture Notes\n")
    asked(session, "Remember this: the gateway rounds half up.")
    outcomes = filing.file_pending(session)

    assert [row.text for row in outcomes] == ["The gateway rounds half up."]
    assert filing.file_pending(session) == []
    assert requests.find_pending(session) == []
    assert list(session.state["captures"]) == ["C-AAAAAA"]


def test_without_a_file_nothing_is_made_of_a_prompt(session, project):
    asked(session, "Remember this: the gateway rounds half up.")

    assert filing.file_pending(session) == []
    assert not os.path.exists(project.memory_md)
    assert len(requests.find_pending(session)) == 1


def test_a_milestone_that_cannot_be_parsed_for_waits(session, project, monkeypatch):
    mine(project, "# M\n## Completed\n")
    monkeypatch.setitem(sys.modules, "markdown_it", None)

    assert filing.file_pending(session, {"text": "x", "files": [], "also": [], "left": {}}) == []


WRITER = """
import os, sys
from belay.core import paths; from belay.repository import projects
from belay.memory.remember import notes
from belay.memory.remember import filing
from belay.session.session import Session
project = projects.find(sys.argv[1], os.environ)
for number in range(8):
    note = notes.build_note("decision", f"choice {sys.argv[2]}{number}", "2026-03-04")
    assert not filing.file_note(Session(project, "s-" + sys.argv[2], os.environ), note).why
"""


def test_two_writers_lose_no_row(project, repo):
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    both = [subprocess.Popen([sys.executable, "-c", WRITER, str(repo), name], env=env) for name in "ab"]

    assert [one.wait(60) for one in both] == [0, 0]
    text = (repo / "MEMORY.md").read_text()
    assert [text.count(f"| choice {name}{number} |") for name in "ab" for number in range(8)] == [1] * 16
