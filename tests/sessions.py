"""A session at work, for the tests of the wrap-up."""

import os

from belay.memory.wrapup import document
from belay.session.session import Session

NAME = "5e551011-aaaa-bbbb-cccc-000000000001"
DOCUMENT = """\
summary: Rotated the refresh tokens
current task: token rotation in `file.txt`
status: in progress
next step: add the TTL in file.txt:1
open question: which TTL?
completed:
  - Add the refund handler
active:
  - write integration tests
blockers:
  - waiting for the staging key
decisions:
  - decision: SQLite for storage
    reason: one file, no server
    affects: [file.txt, "a | b"]
key files:
  file.txt: holds one line
lessons:
  - never mock git
preferences:
  - short answers
global:
  - ruff everywhere
"""


def start(project, name=NAME):
    """Begin a session with one prompt, one edit and one decision captured."""
    session = Session(project, name, os.environ)
    session.log("start", **session.place())
    session.log("prompt", task="rotate the refresh tokens", **session.place())
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    session.log(
        "capture",
        id="C-AAAAAA",
        classes={"decision": 0.9},
        text="let's go with SQLite storage",
        branch="main",
    )
    return session


def again(session):
    """Return the session as another process sees it."""
    return Session(session.project, session.name, session.environ)


def parsed(text):
    """Return the document of a text that has no problems."""
    found = document.parse_document(text.encode())
    assert found.problems == []
    return found.document


def tree(root):
    """Return {path: bytes} of every file of a project, git's own and Belay's records aside."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", "journal", "state")]
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = file.read()
    return found
