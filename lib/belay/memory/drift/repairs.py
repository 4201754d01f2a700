"""Safe repairs as text edits: a renamed path, the session counter, and where it is asked for a finished task's tick.

The stack, the architecture and decisions are for the user to correct.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.memory.document.page import split_lines

if TYPE_CHECKING:
    from belay.memory.drift.diff_types import CounterRepair, Diff, Repair

_SESSION = re.compile(r"(\bSession:?\s+)(\d{1,6})\b", re.IGNORECASE)
_BOX = re.compile(r"^(\s*(?:[-*+]|\d+[.)])\s+\[) (\])")


def list_repairs(diff: Diff, ticks: bool = False) -> list[Repair]:
    """Return the repairs that a diff offers; ticks only when they are asked for."""
    offered: list[Repair] = []
    for row in diff["conflicts"]:
        repair = row["repair"]
        if repair and (ticks or repair["kind"] != "tick"):
            repair = repair.copy()
            if "file" in row:
                repair["file"] = row["file"]
            offered.append(repair)
    return offered


def apply_repairs(text: str, offered: list[Repair]) -> str:
    """Return the text with the repairs made, every other byte as it was; what no longer fits its line is left out."""
    lines = split_lines(text)
    for line in sorted({line for row in offered for line in row["lines"]}):
        if 0 < line <= len(lines):
            lines[line - 1] = _repair_line(lines[line - 1], [row for row in offered if line in row["lines"]])
    return "".join(lines)


def _repair_line(text: str, rows: list[Repair]) -> str:
    moved = {row["from"]: row["to"] for row in rows if row["kind"] == "path"}
    if moved:
        names = "|".join(re.escape(name) for name in sorted(moved, key=len, reverse=True))
        text = re.sub(rf"(?<![\w./-])(\./)?({names})(?![\w/-]|\.\w)", lambda at: (at[1] or "") + moved[at[2]], text)
    for row in rows:
        if row["kind"] == "counter":
            text = _SESSION.sub(lambda at, row=row: _replace_counter(at, row), text, count=1)  # type: ignore[misc]
        elif row["kind"] == "tick":
            text = _BOX.sub(r"\1x\2", text)
    return text


def _replace_counter(at: re.Match[str], row: CounterRepair) -> str:
    return f"{at[1]}{row['to']}" if int(at[2]) == row["from"] else at[0]
