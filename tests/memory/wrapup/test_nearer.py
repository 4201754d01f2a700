"""In a monorepo: what belongs to a session's branch goes to the memory nearest to where it was begun."""

import os
from pathlib import Path

import pytest
import story
from commandline import answer
from doors import run, said
from repos import git
from sessions import DOCUMENT, again, parsed

from belay.consolidate import session as consolidate_session
from belay.core import files
from belay.memory import left_off
from belay.memory.branches import overlay
from belay.memory.document import facts, page
from belay.memory.remember import filing, notes
from belay.memory.wrapup import saving
from belay.safety import trust
from belay.session import state as session_state
from belay.session.session import Session

NAME = "5e551011-aaaa-bbbb-cccc-000000000001"
ROOT = """\
# Project Memory
Last updated: 2026-11-01 | Session 3 | Branch: main

## Project Overview
A shop.

## Where We Left Off
- **Current task:** the shop's task
- **Next immediate step:** the shop's step

## Active Work
- [ ] write the parser

## Session Log
| Session | Date | Summary |
|---------|------|---------|
| 3 | 2026-11-01 | older |
"""
WEB = """\
# Web
Last updated: 2026-11-01 | Session 2 | Branch: main

## Where We Left Off
- **Current task:** web's old task
- **Next immediate step:** web's old step

## Active Work
- [ ] draw the page
"""
PACKAGE = "packages/web/MEMORY.md"


@pytest.fixture
def web(project):
    """The folder of a package; root and package have trusted memories, written a while ago."""
    story.environment(os.environ)
    os.makedirs(project.journals)
    for name, text in (("MEMORY.md", ROOT), (PACKAGE, WEB)):
        story.remember(project.root, name, text, os.stat(project.root).st_mtime - 3600)
    return Path(project.at("packages", "web"))


def begun(project, cwd, name=NAME):
    """A session whose client is gone, with a prompt, an edit and two todos done."""
    session = Session(project, name, os.environ, str(cwd))
    place = {**session.place(), "client": "99999999.1"}
    session.log("start", **place)
    session.log("prompt", task="rotate the tokens", **place)
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    done = ("write the parser", "draw the page")
    session.log("todos", items=[{"id": text, "text": text, "status": "completed"} for text in done])
    return session


def told(path):
    return facts.read_facts(page.parse(files.read(path).decode()))


def greeted(folder):
    return said(run("session_start", folder, source="startup", session="99999999-next"))[0]


def kept(project, session):
    session.log("end", reason="other")
    consolidate_session.run(project, os.environ)


def test_a_wrap_up_in_a_package_brings_its_memory_up_to_date(project, web):
    session = begun(project, web)
    report = saving.save_wrapup(session, parsed(DOCUMENT))
    base, near = told(project.memory_md), told(web / "MEMORY.md")

    assert [row.why for row in report.files if row.why] == []
    assert {"MEMORY.md", PACKAGE} <= {row.file for row in report.files}
    assert base["left"]["next"] == "the shop's step"
    assert near["left"]["next"] == "add the TTL in file.txt:1"
    assert all(near[name] for name in ("active", "completed", "blockers"))
    assert not any(near[name] for name in ("decisions", "log", "files", "preferences"))
    assert all(base[name] for name in ("decisions", "log", "files", "preferences"))
    assert not any(base[name] for name in ("completed", "blockers"))
    assert (base["header"]["session"], near["header"]["session"]) == (4, 4)
    assert trust.is_known(os.environ, project.root, PACKAGE, files.read(web / "MEMORY.md"))
    assert [row for row in saving.save_wrapup(again(session), parsed(DOCUMENT)).files if row.what] == []


def test_an_ended_session_tells_the_next_start_in_its_package(project, web):
    kept(project, begun(project, web))
    os.unlink(project.continuation)  # the memory has to tell it by itself
    text = greeted(web)

    assert "web's old step" in text
    assert told(web / "MEMORY.md")["left"]["task"] == "rotate the tokens"
    assert told(project.memory_md)["left"]["next"] == "the shop's step"
    assert "the shop's step" in greeted(project.root)
    assert [row["session"] for row in told(project.memory_md)["log"]] == [3, 4]


def test_boxes_are_ticked_where_they_stand(project, web):
    kept(project, begun(project, web))

    assert [row["done"] for row in told(project.memory_md)["active"]] == [True]
    assert [row["done"] for row in told(web / "MEMORY.md")["active"]] == [True]


def test_from_a_folder_below_the_nearest_one_counts(project, web):
    (web / "src").mkdir()
    story.remember(project.root, "MEMORY.md", ROOT, 1_700_000_000)
    story.remember(project.root, "packages/MEMORY.md", WEB, 1_700_000_000)
    kept(project, begun(project, web / "src"))

    assert told(web / "MEMORY.md")["left"]["task"] == "rotate the tokens"
    assert Path(project.at("packages/MEMORY.md")).read_text() == WEB


@pytest.mark.parametrize("inside", [".", "packages", "packages/api"])
def test_elsewhere_everything_is_at_the_root(project, web, inside):
    os.makedirs(project.at(inside), exist_ok=True)
    kept(project, begun(project, project.at(inside)))

    assert told(project.memory_md)["left"]["task"] == "rotate the tokens"
    assert (web / "MEMORY.md").read_text() == WEB
    assert not os.path.exists(project.at("packages", "api", "MEMORY.md"))


@pytest.mark.parametrize("text", ["# Web\nUses signals.\n", ""])
def test_a_file_that_tells_nothing_of_work_is_left_alone(project, web, text):
    story.remember(project.root, PACKAGE, text, 1_700_000_000)
    kept(project, begun(project, web))

    assert told(project.memory_md)["left"]["task"] == "rotate the tokens"
    assert (web / "MEMORY.md").read_text() == text


def test_a_strangers_is_left_alone_and_said(project, web):
    git(project.root, "add", "packages")
    git(project.root, "commit", "-qm", "theirs")
    trust.revoke(os.environ, project.root, PACKAGE)
    session = begun(project, web)
    kept(project, session)

    assert (web / "MEMORY.md").read_text() == WEB
    assert told(project.memory_md)["left"]["next"] == "the shop's step"
    outcome = filing.file_note(session, notes.build_note("blocker", "staging key", "2026-11-02"))
    assert "belay trust" in outcome.why


def test_a_branchs_overlay_lies_over_both(project, web):
    git(project.root, "switch", "-qc", "side")
    saving.save_wrapup(begun(project, web), parsed(DOCUMENT))

    assert told(overlay.overlay_path(project, "side"))["left"]["next"] == "add the TTL in file.txt:1"
    assert (web / "MEMORY.md").read_text() == WEB


def test_a_note_goes_to_the_package_and_a_decision_to_the_root(project, web):
    blocker = answer(web, "remember", "--as", "blocker", "staging key is missing")
    decision = answer(web, "remember", "--as", "decision", "SQLite: one file")
    done = answer(web, "remember", "--as", "done", "write the parser")

    assert (blocker["file"], decision["file"], done["file"]) == (PACKAGE, "MEMORY.md", PACKAGE)
    assert [row["text"] for row in told(web / "MEMORY.md")["completed"]] == ["write the parser"]
    assert answer(project.root, "remember", "--as", "blocker", "no money")["file"] == "MEMORY.md"


def test_a_session_stays_where_it_was_begun(project, web, monkeypatch):
    begun(project, project.root)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NAME)
    assert answer(web, "remember", "--as", "blocker", "no money")["file"] == "MEMORY.md"

    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(web))
    inner = Session(project, "22222222-two", os.environ, project.root)
    inner.log("prompt", task="x", **inner.place())
    assert again(inner).folder == os.path.join("packages", "web")


def test_a_begun_wrap_up_is_finished_in_its_package(project, web):
    session = begun(project, web)
    session.log(
        "wrap-up-document",
        digest="0",
        branch="main",
        folder=session.folder,
        written=True,
        document=parsed(DOCUMENT),
    )
    kept(project, session)

    assert told(web / "MEMORY.md")["left"]["next"] == "add the TTL in file.txt:1"


def test_low_context_writes_the_nearest_memory(project, web):
    assert left_off.update_left_off(begun(project, web))
    assert "rotate the tokens" in (web / "MEMORY.md").read_text()
    assert Path(project.memory_md).read_text() == ROOT


def test_a_record_without_a_folder_moves_nothing():
    state = session_state.fold(session_state.empty_state("s"), {"kind": "start", "folder": "packages/web"})
    assert session_state.fold(state, {"kind": "prompt"})["folder"] == "packages/web"
    assert session_state.fold(state, {"kind": "prompt", "folder": ""})["folder"] == ""
