"""One of several processes that write one MEMORY.md at once: KIND, COUNT of writes, NAME; run in the project.

Prints each row that it was told is saved. A lock that is held too long is waited for again, as a person would.
"""

import os
import sys

KIND, COUNT, NAME = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sys.path[:0] = sys.argv[4:]

from belay.consolidate import memory
from belay.core.errors import LockTimeout
from belay.memory import memory_files
from belay.memory.document import edits, page
from belay.memory.wrapup import form, saving
from belay.repository import projects
from belay.session.session import Session

PROJECT = projects.find(os.getcwd(), os.environ)


def wrap_up(at, text):
    said = {**form.empty_document(), "summary": text, "next": f"file.txt {text}", "completed": [text]}
    said["decisions"] = [{"decision": text, "reason": "r", "affects": ""}]
    with memory_files.lock_memory(PROJECT):
        saved = saving.save_wrapup(Session(PROJECT, f"{at:04d}{NAME}-x", os.environ), said).files
    assert [row for row in saved if row.why] == []


def session_end(at, text):
    session = Session(PROJECT, f"{at:04d}{NAME}-x", os.environ)
    if not session.state["last"]:
        session.log("start", **session.place())
        session.log("edit", files=[{"path": "file.txt", "line": at}])
        session.log("capture", id=f"C-{at:06d}", classes={"decision": 1.0}, text=text, origin="hand", branch="main")
        session.log("end", reason="other")
    memory.update_memory(session, set())


def remember(_, text):
    from belay.memory.remember import filing
    from belay.memory.remember.notes import Note

    session = Session(PROJECT, f"9{NAME}-x", os.environ)
    assert not filing.file_note(session, Note("preference", text, "2026-11-21")).why


def memory_set(at, text):
    def changed(old):
        found = page.parse(old)
        return edits.set_body(found, found.section("overview"), f"{text}\n").text

    with memory_files.lock_memory(PROJECT):
        assert memory_files.change_file(PROJECT, os.environ, PROJECT.memory_md, changed).what


for number in range(COUNT):
    row = f"{KIND} {NAME} {number}"
    while True:
        try:
            globals()[KIND](number, row)
            break
        except LockTimeout:
            continue
    print(row, flush=True)
