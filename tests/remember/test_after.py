"""What nobody filed is filed after the session, and what was learned is noted."""

import os

import pytest

from belay import consolidate, promote, trust
from belay.remember import wish
from belay.session import Session


@pytest.fixture
def ended(project):
    session = Session(project, "s-1", os.environ)
    session.log("start", **session.place())
    session.log(
        "capture",
        id="C-AAAAAA",
        classes={"value": 1.0},
        text="Remember that the gateway rounds half up",
        branch="main",
        origin="asked",
    )
    session.log("end", reason="other")
    return session


def memory(project, text):
    with open(project.memory_md, "w") as file:
        file.write(text)
    trust.record(os.environ, project.root, "MEMORY.md", text.encode())


def test_the_consolidator_files_what_waits_and_notes_what_was_learned(ended, project):
    memory(project, "# M\n## User Preferences\n- Short answers\n\n## Architecture Notes\n")
    consolidate.run(project, os.environ)

    with open(project.memory_md) as file:
        assert (
            file.read()
            == "# M\n## User Preferences\n- Short answers\n\n## Architecture Notes\n- The gateway rounds half up\n"
        )
    ended.reload()
    assert wish.pending(ended) == []
    assert [row["text"] for row in promote._read(os.environ)["projects"][project.home]] == ["Short answers"]


def test_without_a_memory_it_waits(ended, project):
    consolidate.run(project, os.environ)

    assert not os.path.exists(project.memory_md)
    ended.reload()
    assert len(wish.pending(ended)) == 1
