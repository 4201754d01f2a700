"""Sessions that said something, for the tests of harvest and review."""

import os
import time

from belay.consolidate import session as consolidate_session
from belay.session import captures
from belay.session.session import Session, find_others


def session(project, name, *said, end=True):
    """Let a session say captures (class, text[, origin]); return their ids."""
    one = Session(project, name, os.environ)
    one.log("start", **one.place())
    one.log("prompt", task="work on it", **one.place())
    ids = []
    for number, (kind, text, *origin) in enumerate(said):
        ids.append(captures.capture_id(name, str(number), text))
        fields = {"classes": {kind: 0.9}, "text": text, "origin": origin[0] if origin else "typed"}
        one.log("capture", id=ids[-1], branch=one.branch, **fields)
    if end:
        one.log("end", reason="other")
    return ids


def settle(project):
    """Consolidate as after a session, once the process that an ended session started is through."""
    while (counts := consolidate_session.run(project, os.environ)).get("busy"):
        time.sleep(0.02)
    return counts


def sessions(project):
    return find_others(Session(project, "", os.environ), 400.0, most=500)[::-1]
