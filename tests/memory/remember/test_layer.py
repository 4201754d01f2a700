"""On a branch: what lasts goes to the base, the branch's own work to its overlay."""

import os

import pytest
from repos import git

from belay.memory.branches import overlay
from belay.memory.document import facts, layers, page
from belay.memory.remember import filing, notes
from belay.safety import trust
from belay.session.session import Session

DAY = "2026-03-04"
BASE = """\
# Project Memory
Last updated: 2026-03-01 | Session 4 | Branch: main

## Where We Left Off
- **Current task:** refund handler
- **Status:** in progress

## Active Work
- [ ] refund handler in `file.txt`
- [ ] invoice export

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
"""


@pytest.fixture
def session(project, repo):
    (repo / "MEMORY.md").write_text(BASE)
    trust.record(os.environ, project.root, "MEMORY.md", BASE.encode())
    git(repo, "add", "MEMORY.md")
    git(repo, "commit", "-qm", "memory")
    git(repo, "checkout", "-qb", "feature/refunds")
    return Session(project, "s-1", os.environ)


def keep(session, kind, said):
    return filing.file_note(session, notes.build_note(kind, said, DAY))


def test_a_blocker_of_a_branch_goes_to_its_overlay_and_a_decision_to_the_base(session, repo):
    blocker = keep(session, "blocker", "staging key")
    assert (repo / "MEMORY.md").read_text() == BASE
    decision = keep(session, "decision", "SQLite: one file")

    path = overlay.overlay_path(session.project, "feature/refunds")
    assert blocker.file == session.project.relative(path)
    assert (
        filing.format_outcome(blocker)
        == f"Saved: blocker “staging key” in {blocker.file}, Blockers (line {blocker.line})"
    )
    with open(path) as file:
        assert file.read().splitlines()[blocker.line - 1] == "- staging key"
    assert decision.file == "MEMORY.md"
    assert keep(session, "blocker", "staging key").known


def test_a_task_of_the_base_is_done_above_it(session, repo):
    outcome = keep(session, "done", "refund handler in file.txt")
    path = overlay.overlay_path(session.project, "feature/refunds")
    with open(path) as file:
        seen = facts.read_facts(page.parse(layers.merge_overlay(page.parse(BASE), page.parse(file.read()))))

    assert (repo / "MEMORY.md").read_text() == BASE
    assert outcome.sections == ["Where We Left Off", "Completed", "Active Work"]
    assert [(row["text"], row["done"]) for row in seen["active"]] == [
        ("refund handler in `file.txt`", True),
        ("invoice export", False),
    ]
    assert (seen["left"]["task"], seen["left"]["status"]) == ("refund handler", "done")
    assert [row["text"] for row in seen["completed"]] == ["refund handler in `file.txt`"]


def test_a_strangers_overlay_is_left_alone(session, repo):
    path = overlay.overlay_path(session.project, "feature/refunds")
    os.makedirs(os.path.dirname(path))
    with open(path, "w") as file:
        file.write("# theirs\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "overlay")
    trust.record(os.environ, str(repo), session.project.relative(path), b"# theirs\n")
    trust.revoke(os.environ, str(repo), session.project.relative(path))

    assert "belay trust" in keep(session, "blocker", "staging key").why
    with open(path) as file:
        assert file.read() == "# theirs\n"


def test_another_form_is_never_split(session, project):
    text = "# Mine\n## Blockers\n"
    with open(project.memory_md, "w") as file:
        file.write(text)
    trust.record(os.environ, project.root, "MEMORY.md", text.encode())

    assert keep(session, "blocker", "staging key").file == "MEMORY.md"


def test_a_detached_head_has_the_base_alone(session, repo):
    git(repo, "checkout", "-q", "--detach")

    assert keep(session, "blocker", "staging key").file == "MEMORY.md"
