"""A working buffer that was written by hand, as seed 004 has it."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.repository import vetting
from belay.session import hand_notes, recovery, working_buffer
from belay.session.session import Session

BUFFER = """# Working Buffer

_What is happening RIGHT NOW._

## Current Task
Wire the preview routes into `backend/api/preview.py`

## Blockers
- Daytona preview URLs need a token for iframes
- [x] sandbox image

## Decisions
- **2026-02-07:** skip Cloudflare, Redis is enough
- [decision]

| What | Where |
|---|---|
| proxy | `backend/proxy.py` |

## Next Steps
1. POC script
2. Phase 1 routes

## Lessons
- none
<!-- belay session 11111111-aaaa -->
## Session 11111111 (main)
- **Current task:** something else
<!-- /belay -->
Ask Ada about quotas
"""
NOTES = [
    "Current Task: Wire the preview routes into `backend/api/preview.py`",
    "Blockers: Daytona preview URLs need a token for iframes",
    "Decisions: 2026-02-07: skip Cloudflare, Redis is enough",
    "Decisions: proxy; `backend/proxy.py`",
    "Next Steps: POC script",
    "Next Steps: Phase 1 routes",
    "Lessons: Ask Ada about quotas",
]


def write(project, text=BUFFER):
    """Write the buffer after Belay has looked at the project for the first time: then it is this user's."""
    vetting.read_trusted(project, os.environ, ["MEMORY.md"])
    time.sleep(0.01)
    path = Path(project.buffer)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_what_is_outside_of_belays_blocks_is_read_line_by_line():
    assert hand_notes.parse_notes(BUFFER) == NOTES


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Working buffer\n\n",
        "## Blockers\n- None\n- n/a\n- [ ]\n- [what blocks]\n",
        "<!-- one\ntwo -->\n",
        "---\n***\n",
    ],
)
def test_an_empty_form_says_nothing(text):
    assert hand_notes.parse_notes(text) == []


def test_what_belay_wrote_is_no_note(project):
    one = Session(project, "11111111-aaaa", os.environ)
    one.log("prompt", task="mend the parser", text="x", **one.place())
    text, _ = working_buffer.merge("", one.name, working_buffer.render(one.state), set())

    assert "mend the parser" in text
    assert hand_notes.parse_notes(text) == []


def test_notes_come_behind_the_task_when_work_is_listed(project):
    write(project)
    one = Session(project, "22222222-bbbb", os.environ)
    one.log("prompt", task="mend the parser", text="x", **one.place())
    one.log("edit", files=[{"path": "file.txt", "line": 1}])

    lines = recovery.list_open_work(one, [])

    assert lines[0] == "Current task: mend the parser"
    assert lines[-len(NOTES) :] == [f"Working buffer: {note}" for note in NOTES]


def test_a_buffer_that_came_with_a_clone_says_nothing(project, repo):
    from repos import git

    write(project)
    git(repo, "add", "-f", "memory/working-buffer.md")
    git(repo, "commit", "-qm", "theirs")
    git(repo.parent, "clone", "-q", str(repo), "copy")
    from belay.repository import projects

    copy = projects.find(str(repo.parent / "copy"), os.environ)

    assert Path(copy.buffer).is_file()
    assert hand_notes.list_hand_notes(copy, os.environ) == []


@given(st.text(alphabet="#-*[]x|`<!>/~_ \nabc:1.", max_size=300))
def test_any_text_has_notes_of_one_line(text):
    notes = hand_notes.parse_notes(text)

    assert len(notes) <= hand_notes.LINES
    assert all(note and "\n" not in note and len(note) <= hand_notes.LINE_CHARS for note in notes)
