"""Without /wrap-up: what an ended session came to reaches its memory file once, and nothing else does."""

import os
import time
from pathlib import Path

import pytest
from repos import git
from sessions import DOCUMENT, NAME, again, parsed

from belay.client import processes
from belay.consolidate import memory as consolidate_memory
from belay.consolidate import session as consolidate_session
from belay.core import files
from belay.memory.branches import overlay
from belay.memory.document import facts, page
from belay.memory.wrapup import automatic_document, saving
from belay.repository import projects
from belay.safety import trust
from belay.session.session import Session

TWO = "22222222-bbbb-cccc-dddd-000000000002"
MEMORY = """# Project Memory
Last updated: 2026-11-01 | Session 3 | Branch: main

## Project Overview
A shop.

## Where We Left Off
- **Current task:** old
- **Next immediate step:** old step

## Active Work
- [ ] write the parser
- [ ] other

## Blockers
- mine

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-10-01 | Postgres | known | db |

## Session Log
| Session | Date | Summary |
|---------|------|---------|
| 3 | 2026-11-01 | older |
"""


@pytest.fixture
def memory(project):
    """A trusted memory file of seed 003's form, written a while ago."""
    return written(project, MEMORY)


def written(project, text, name="MEMORY.md"):
    path = Path(project.at(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    trust.record(os.environ, project.root, name, text.encode())
    before = time.time() - 3600
    os.utime(path, (before, before))
    return path


def worked(project, name=NAME, end="other", client="", captures=()):
    """A session that edited a file, finished a task, and ended (or whose client is gone)."""
    session = Session(project, name, os.environ)
    place = {**session.place(), "client": client or "99999999.1"}
    session.log("start", **place)
    session.log("prompt", task="rotate the tokens", **place)
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    Path(project.at("file.txt")).write_text("tokens\n")
    session.log("todos", items=[{"id": "1", "text": "write the parser", "status": "completed"}])
    for text, more in dict(captures).items():
        session.log("capture", id=f"C-{abs(hash(text)) % 999999}", text=text, branch="main", **more)
    if end:
        session.log("end", reason=end)
    return session


def told(path):
    return facts.read_facts(page.parse(path.read_text()))


def test_an_ended_session_changes_header_left_off_ticks_and_one_row(project, memory):
    worked(project)
    counts = consolidate_session.run(project, os.environ)
    text, said = memory.read_text(), told(memory)

    assert counts["kept"] == 1
    assert (said["header"]["session"], said["header"]["branch"]) == (4, "main")
    assert said["left"]["task"] == "rotate the tokens"
    assert said["left"]["next"] == "old step"
    assert f"| Rotate the tokens: left uncommitted (`file.txt`) <!-- {NAME[:8]} --> |" in text
    assert [row["done"] for row in said["active"]] == [True, False]
    assert [row["session"] for row in said["log"]] == [3, 4]
    assert text.count(f"<!-- {NAME[:8]} -->") == 1
    assert said["decisions"] == facts.read_facts(page.parse(MEMORY))["decisions"] or len(said["decisions"]) == 1
    assert "## Blockers\n- mine\n" in text
    assert trust.is_known(os.environ, project.root, "MEMORY.md", text.encode())


def test_it_is_done_once(project, memory):
    worked(project)
    consolidate_session.run(project, os.environ)
    before = memory.read_bytes()

    assert consolidate_session.run(project, os.environ)["kept"] == 0
    assert memory.read_bytes() == before
    assert not consolidate_memory.has_work([Session(project, NAME, os.environ)])


def test_work_after_a_resume_updates_the_same_row(project, memory):
    session = worked(project)
    consolidate_session.run(project, os.environ)
    session.log("prompt", task="write the docs", **session.place())
    session.log("edit", files=[{"path": "file.txt", "line": 9}])
    session.log("end", reason="other")
    consolidate_session.run(project, os.environ)

    assert told(memory)["header"]["session"] == 4
    assert [row["summary"] for row in told(memory)["log"]][1].startswith("Write the docs: left uncommitted")


def test_two_sessions_count_two(project, memory):
    worked(project)
    worked(project, TWO)
    consolidate_session.run(project, os.environ)

    assert [row["session"] for row in told(memory)["log"]] == [3, 4, 5]
    assert told(memory)["header"]["session"] == 5


def test_what_somebody_wrote_later_about_where_things_stand_holds(project, memory):
    worked(project)
    later = time.time() + 300
    newer = MEMORY.replace("old step", "newer step")
    memory.write_text(newer)
    trust.record(os.environ, project.root, "MEMORY.md", newer.encode())
    os.utime(memory, (later, later))
    consolidate_session.run(project, os.environ)

    assert told(memory)["left"]["next"] == "newer step"
    assert [row["session"] for row in told(memory)["log"]] == [3, 4]
    assert told(memory)["header"]["session"] == 4


@pytest.mark.parametrize(
    ("capture", "kept"),
    [
        ({"classes": {"decision": 1.0}, "origin": "hand"}, True),
        ({"classes": {"decision": 1.0}, "origin": "answered"}, True),
        ({"classes": {"architecture": 1.0}, "origin": "asked"}, True),
        ({"classes": {"decision": 0.9}, "origin": "typed"}, True),
        ({"classes": {"decision": 0.7}, "origin": "typed"}, False),
        ({"classes": {"architecture": 0.9}, "origin": "typed"}, False),
        ({"classes": {"correction": 1.0}, "origin": "rejected"}, False),
        ({"classes": {"preference": 1.0}, "origin": "hand"}, False),
        ({"classes": {"decision": 1.0}, "origin": "hand", "filed": "MEMORY.md"}, False),
    ],
)
def test_only_what_was_said_outright_becomes_a_decision(capture, kept):
    assert automatic_document.is_outright({"text": "SQLite for storage", **capture}) is kept
    assert not automatic_document.is_outright({"text": "Which one? → Option 2", **capture})


def test_a_decision_comes_with_its_reason_and_stays_open(project, memory):
    captures = {"SQLite for storage because it is one file": {"classes": {"decision": 1.0}, "origin": "hand"}}
    session = worked(project, captures=captures)
    consolidate_session.run(project, os.environ)
    row = told(memory)["decisions"][-1]

    assert (row["decision"], row["reason"]) == ("SQLite for storage", "it is one file")
    assert len(again(session).state["captures"]) == 1


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (lambda path: path.unlink(), "MEMORY.md is absent"),
        (lambda path: path.write_text(MEMORY + "\n<<<<<<< ours\n"), "MEMORY.md has git conflict markers (line 28)"),
        (lambda path: path.write_text(MEMORY + "\n```\n"), "MEMORY.md line 28 opens a code block that nothing closes"),
        (lambda path: path.write_text("# Mine\nfree words\n"), "MEMORY.md has no known form"),
        (lambda path: path.write_bytes(b"\xff"), "MEMORY.md is not UTF-8"),
    ],
)  # fmt: skip
def test_nothing_is_written_where_the_file_is_not_for_it(project, memory, prepare, why):
    session = worked(project)
    prepare(memory)
    before = memory.read_bytes() if memory.exists() else None
    consolidate_session.run(project, os.environ)

    assert (memory.read_bytes() if memory.exists() else None) == before
    records = [row for row in session.own_records() if row["kind"] == "kept"]
    assert [row["skipped"] for row in records] == [why]
    assert consolidate_memory.has_work([again(session)]) is False


def test_nothing_is_written_to_a_strangers_file(project, repo):
    (repo / "MEMORY.md").write_text(MEMORY)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "theirs")
    session = worked(project)
    os.utime(repo / "MEMORY.md", (1, 1))
    consolidate_session.run(project, os.environ)

    assert (repo / "MEMORY.md").read_text() == MEMORY
    assert consolidate_memory.is_due(again(session)) is False


def test_a_session_without_work_leaves_no_trace(project, memory):
    session = Session(project, NAME, os.environ)
    session.log("prompt", task="what is this?", **session.place())
    session.log("end", reason="other")

    assert consolidate_session.run(project, os.environ)["kept"] == 0
    assert memory.read_text() == MEMORY


def test_a_session_that_had_something_remembered_counts(project, memory):
    session = Session(project, NAME, os.environ)
    session.log("prompt", task="the till", **session.place())
    session.log("capture", id="C-AAAAAA", text="the till rounds", branch="main", classes={"note": 1.0}, origin="hand")
    session.log("filed", ids=["C-AAAAAA"], file="MEMORY.md")
    session.log("end", reason="other")
    before, counts = told(memory), consolidate_session.run(project, os.environ)
    after = told(memory)

    assert counts["kept"] == 1
    assert (after["header"]["session"], [row["session"] for row in after["log"]]) == (4, [3, 4])
    assert after["left"] == before["left"]
    assert [row["done"] for row in after["active"]] == [False, False]
    assert consolidate_session.run(project, os.environ)["kept"] == 0


def test_after_a_wrap_up_only_new_work_counts(project, memory):
    session = worked(project, end="")
    saving.save_wrapup(session, parsed(DOCUMENT))
    before = memory.read_bytes()
    again(session).log("end", reason="other")
    consolidate_session.run(project, os.environ)

    assert memory.read_bytes() == before


def test_a_lost_session_is_kept_by_the_next_run(project, memory):
    worked(project, end="")

    assert consolidate_session.run(project, os.environ)["kept"] == 1
    assert told(memory)["header"]["session"] == 4


def test_a_living_session_waits(project, memory):
    worked(project, end="", client=processes.name_client())

    assert consolidate_session.run(project, os.environ)["kept"] == 0


def test_a_branchs_session_leaves_the_bases_left_off_alone(project, memory, repo):
    git(repo, "switch", "-qc", "side")
    worked(project)
    git(repo, "switch", "-q", "main")
    consolidate_session.run(project, os.environ)
    above = Path(overlay.overlay_path(project, "side"))

    assert told(memory)["left"]["next"] == "old step"
    assert [row["session"] for row in told(memory)["log"]] == [3, 4]
    assert told(above)["left"]["next"] == "Go on at `file.txt:1`"
    assert not told(above)["log"]


def test_a_session_of_the_trunk_does_not_overwrite_another_branchs_tree(project, memory, repo):
    worked(project)
    git(repo, "switch", "-qc", "side")
    consolidate_session.run(project, os.environ)

    assert told(memory)["left"]["next"] == "old step"
    assert told(memory)["header"]["session"] == 4


def test_a_memory_of_workstreams_keeps_its_form(project):
    text = (
        "# M\n\n## Active Workstreams\n\n### 1. Rotate tokens\n\n**Status:** begun\n**Next when resumed:** x\n\n"
        "## Decision Log\n\n| Date | Decision | Rationale |\n|--|--|--|\n"
    )
    path = written(project, text)
    captures = {"SQLite only": {"classes": {"decision": 1.0}, "origin": "hand"}}
    worked(project, captures=captures)
    session = Session(project, NAME, os.environ)
    session.log("prompt", task="rotate all tokens", **session.place())
    session.log("end", reason="other")
    consolidate_session.run(project, os.environ)

    assert "**Status:** in progress\n**Next when resumed:** x\n" in path.read_text()
    assert "| SQLite only |  |" in path.read_text()
    assert "Session Log" not in path.read_text()


def test_a_begun_wrap_up_is_finished_by_the_consolidator(project):
    session = worked(project, end="")
    session.log("wrap-up-document", digest="d", branch="main", written=True, document=parsed(DOCUMENT))
    assert consolidate_memory.has_work([again(session)])
    consolidate_session.run(project, os.environ)

    assert "Rotated the refresh tokens" in Path(project.memory_md).read_text()
    assert again(session).state["drafted"] is False


def test_without_the_parser_everything_waits(project, memory, monkeypatch):
    from belay.memory.remember import filing

    worked(project)
    with monkeypatch.context() as patch:
        patch.setattr(filing, "has_parser", lambda _: False)
        assert consolidate_session.run(project, os.environ)["kept"] == 0
    assert memory.read_text() == MEMORY
    assert consolidate_session.run(project, os.environ)["kept"] == 1


def test_a_disk_that_refuses_is_tried_again(project, memory, monkeypatch):
    session = worked(project)
    real = files.write

    def refuse(path, data, **more):
        if path == project.memory_md:
            raise OSError(28, "No space left on device", path)
        return real(path, data, **more)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write", refuse)
        assert consolidate_session.run(project, os.environ)["kept"] == 0
    assert consolidate_memory.is_due(again(session))
    assert consolidate_session.run(project, os.environ)["kept"] == 1


def test_a_session_of_a_linked_worktree_is_kept_there(project, repo, memory, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = projects.find(str(tmp_path / "side"), os.environ)
    path = written(side, MEMORY)
    worked(side)
    consolidate_session.run(project, os.environ)

    assert [row["session"] for row in told(path)["log"]] == [3, 4]
    assert memory.read_text() == MEMORY
    assert told(Path(overlay.overlay_path(side, "side")))["left"]["task"] == "rotate the tokens"


def test_compression_happens_at_an_end_and_never_at_a_start(project, memory):
    done = "".join(f"- 2026-01-{at % 28 + 1:02d} did thing number {at}\n" for at in range(220))
    rows = "".join(f"| {at} | 2026-02-{at:02d} | s{at} |\n" for at in range(4, 10))
    text = (
        MEMORY.replace("Session 3", "Session 9").replace("## Active Work", f"## Completed\n{done}\n## Active Work")
        + rows
    )
    written(project, text)
    worked(project)
    consolidate_session.run(project, os.environ)
    assert len(memory.read_text().splitlines()) > 200

    consolidate_session.run(project, os.environ, ending=True)
    assert len(memory.read_text().splitlines()) < 200
    kept = "".join(path.read_text() for path in Path(project.root).glob("MEMORY-ARCHIVE*.md"))
    assert all(f"did thing number {at}\n" in kept + memory.read_text() for at in range(220))
