"""Outcomes of sessions go into the playbooks that stand, each session once; a harmful pattern becomes an antipattern."""

import os
import shutil

import pytest
from legacy import killed
from sayings import sessions

from belay.core.errors import BadInput
from belay.knowledge.entries import entries
from belay.knowledge.playbooks import playbook_files, update
from belay.knowledge.playbooks.page import Evidence
from belay.knowledge.store.store import Store
from belay.safety import trust
from belay.session.session import Session

CLAUDE = """# Shop

## Insights
- ✅ Parse dates with `lib/dates.py`
- ❌ Don't mock the database
- Keep handlers small
"""


@pytest.fixture
def book(project, repo):
    (repo / "CLAUDE.md").write_text(CLAUDE)
    trust.record(os.environ, str(repo), "CLAUDE.md", CLAUDE.encode())
    return playbook_files.create_playbook(project, os.environ, "dates", "parse dates with")


def work(project, name, *records):
    one = Session(project, name, os.environ)
    one.log("start", **one.place())
    one.log("prompt", **one.place())
    for kind, fields in records:
        one.log(kind, **fields)
    one.log("end", reason="other")
    return one


def edit(path):
    return "edit", {"files": [{"path": path, "line": 1}]}


def check(ok, command="pytest -q"):
    return "command", {"command": command, "ok": ok, "output": ""}


def corrected(text="use the parser"):
    fields = {
        "id": "C-AAAAAA",
        "classes": {"correction": 0.9},
        "text": text,
        "origin": "typed",
        "branch": "main",
    }
    return "capture", fields


def step(project):
    return update.run_step(project, os.environ, sessions(project))


def numbers(project):
    one = playbook_files.load_playbook(project, "dates").playbook
    return one.count("helpful"), one.count("harmful")


def test_it_names_the_line_and_copies_none_of_its_words(project, repo, book):
    assert (book.pattern.line, book.pattern.section) == (4, "Insights")
    text = (repo / ".claude/memory/playbooks/dates.md").read_text()
    assert "Parse dates" not in text
    assert (repo / ".claude/memory/playbooks/.gitattributes").read_text() == "*.md merge=union\n"
    (repo / "CLAUDE.md").write_text("new first line\n\n" + CLAUDE.replace("- ✅ Parse", "* ✅ PARSE"))
    assert playbook_files.load_playbook(project, "dates").pattern.line == 6
    (repo / "CLAUDE.md").write_text("# Shop\n")
    assert playbook_files.load_playbook(project, "dates").pattern is None


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ((edit("lib/dates.py"), check(True)), (1, 0)),
        ((edit("lib/dates.py"), check(False)), (0, 1)),
        ((edit("lib/dates.py"), check(False), check(True)), (1, 0)),
        ((edit("lib/dates.py"), check(True), corrected()), (0, 1)),
        ((edit("lib/dates.py"), corrected(), check(True)), (0, 1)),
        ((edit("lib/dates.py"), edit("other.py"), corrected(), check(True)), (1, 0)),
        ((check(True), edit("lib/dates.py")), (0, 0)),
        ((edit("other.py"), check(True)), (0, 0)),
        ((edit("lib/dates.py"), check(True, "ls")), (0, 0)),
        ((edit("lib/dates.py"), check(True, "pytest | tail")), (0, 0)),
        ((edit("lib/dates.py"), check(False, "grep pytest a.py")), (0, 0)),
    ],
)
def test_what_a_session_came_to(project, book, records, expected):
    work(project, "s-1", *records)
    step(project)

    assert numbers(project) == expected


def test_recalled_counts_as_at_work(project, book):
    entry = update.make_subject(project, book).entry
    assert entry.startswith("I-")
    work(project, "s-1", ("recalled", {"rows": [], "entries": {entry: 12}}), check(True))
    work(project, "s-2", ("recalled", {"rows": [], "entries": {"I-AAAAAAAA": 12}}), check(True))
    step(project)

    assert numbers(project) == (1, 0)


def test_a_session_counts_once_and_anew_where_it_goes_on(project, book, repo):
    one = work(project, "s-1", edit("lib/dates.py"), check(True))
    assert (step(project), step(project)) == (1, 0)
    text = (repo / ".claude/memory/playbooks/dates.md").read_text()
    os.unlink(project.stored("state", "playbooks.json"))
    assert step(project) == 0
    assert (repo / ".claude/memory/playbooks/dates.md").read_text() == text
    assert "- helpful " in text
    assert "`s-1`: `pytest -q` passed after edits of `lib/dates.py`" in text
    one.log("command", command="pytest -q", ok=False, output="")
    one.log("end", reason="other")
    step(project)
    assert numbers(project) == (0, 1)


def test_a_harmful_pattern_becomes_an_antipattern_once(project, book):
    for number in range(4):
        work(project, f"s-{number}", edit("lib/dates.py"), check(False))
        step(project)
    with Store(project.workshop, os.environ) as store:
        (entry,) = entries.list_entries(store.connection)
    assert (entry.type, entry.seen, entry.source) == ("antipattern", 1, "inferred")
    assert entry.content == "“Parse dates with `lib/dates.py`” proved harmful"
    assert playbook_files.load_playbook(project, "dates").playbook.fields["antipattern"] == entry.id


def test_killed_before_any_change_it_is_done_again_once(project, book, repo):
    for number in range(2):
        work(project, f"s-{number}", edit("lib/dates.py"), check(False))
    step(project)
    work(project, "s-2", edit("lib/dates.py"), check(False))
    spare = repo.parent / "spare"
    shutil.copytree(repo, spare)
    for number in range(80):
        shutil.rmtree(repo)
        shutil.copytree(spare, repo)
        if not killed(lambda: step(project), number):
            break
        step(project)
        with Store(project.workshop, os.environ) as store:
            (entry,) = entries.list_entries(store.connection)
        assert (entry.seen, numbers(project)) == (1, (0, 3))
        assert playbook_files.load_playbook(project, "dates").playbook.fields["antipattern"] == entry.id
    assert 5 < number < 79


def test_text_that_is_not_trusted_becomes_no_entry(project, book, repo):
    foreign = CLAUDE + "- run anything\n"
    (repo / "CLAUDE.md").write_text(foreign)
    for number in range(3):
        playbook_files.add_outcome(project, os.environ, "dates", Evidence("harmful", "2026-11-21", "", f"{number}"))
    trust.revoke(os.environ, str(repo), "CLAUDE.md")

    assert update.settle(project, os.environ, playbook_files.load_playbook(project, "dates")) is None
    assert not os.path.exists(project.workshop)


def test_no_file_is_made_by_itself(project, repo):
    (repo / "CLAUDE.md").write_text(CLAUDE)
    work(project, "s-1", edit("lib/dates.py"), check(True))

    assert step(project) == 0
    assert not (repo / ".claude/memory/playbooks").exists()


def test_wrong_patterns_and_names_are_told(project, repo, book):
    for name, words, why in (
        ("dates", "mock the database", "already"),
        ("../up", "mock the database", "no name"),
        ("other", "nowhere at all", "no line"),
        ("other", "s", "several lines"),
    ):
        with pytest.raises(BadInput, match=why):
            playbook_files.create_playbook(project, os.environ, name, words)
    with pytest.raises(BadInput, match="outside"):
        playbook_files.create_playbook(project, os.environ, "other", "root", "/etc/passwd")
