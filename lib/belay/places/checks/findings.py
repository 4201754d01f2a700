"""A finding of the check, and the kinds of findings."""

from __future__ import annotations

from typing import NamedTuple

DUPLICATE, CONTRADICTION, STALE_PATH, STALE_VERSION = "duplicate", "contradiction", "stale-path", "stale-version"
STALE_COMMAND, STALE_NAME, REPLACED, UNDECIDED = "stale-command", "stale-name", "replaced", "undecided"
ORPHAN, CONFIGURATION, LONG, HEADING = "orphan", "configuration", "long", "heading"
REASON, EMPTY, CODE, SHARED = "reason", "empty", "code", "shared"
KINDS = (
    CONTRADICTION, STALE_PATH, STALE_VERSION, STALE_COMMAND, STALE_NAME, REPLACED, UNDECIDED, ORPHAN, DUPLICATE, LONG,
    CONFIGURATION, CODE, HEADING, REASON, EMPTY, SHARED,
)  # fmt: skip
"""Every kind, what is false first, what is only a matter of form behind it; SHARED is an offer, nothing is wrong."""


class Finding(NamedTuple):
    """What is wrong at a line of a memory file, why, and what to do.

    `proposed` is the line as it should read, "" where that is not certain; `fix` a command that does it; `other` the
    place ("path:line") that it was compared with.
    """

    path: str
    line: int
    kind: str
    why: str
    text: str = ""
    advice: str = ""
    proposed: str = ""
    fix: str = ""
    other: str = ""
