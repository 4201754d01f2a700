"""What a start says of rows of memory files that wait: counts and paths only, for the words are a stranger's."""

from __future__ import annotations

from belay.core.plain_text import count, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def foreign_rows(waiting: Mapping[str, int]) -> str:
    """Return the line on rows of memory files (path → how many) that nobody here accepted: for Claude."""
    return f"Left out, because it came from elsewhere: {_rows(waiting)}."


def waiting_rows(waiting: Mapping[str, int]) -> str:
    """Return the same for the person, with what to do."""
    return f"Belay: not shown to Claude, because it came from elsewhere: {_rows(waiting)}; read it with `belay trust`."


def _rows(waiting: Mapping[str, int]) -> str:
    return " and ".join(f"{count(number, 'row')} of {shown(path, 60)}" for path, number in waiting.items())
