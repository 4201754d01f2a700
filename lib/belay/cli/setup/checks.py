"""One finding of `belay doctor`, and its levels."""

from __future__ import annotations

from typing import NamedTuple

OK, NOTE, BROKEN = "ok", "note", "broken"


class Check(NamedTuple):
    """One finding: what was looked at, `ok`, `note` or `broken`, what was found, how to repair it."""

    name: str
    level: str
    found: str
    mend: str = ""
