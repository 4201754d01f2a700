"""Flag what a memory says and the project contradicts, so that those who come next do not rely on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

from belay.core.plain_text import cut
from belay.memory.drift.diff_types import Conflict, Diff
from belay.memory.memory_facts import Facts
from belay.repository.survey import quotes

TEXT_CHARS = 150
"""Characters of a flagged text that are kept, so that the flag fits on its line."""
_EVIDENCE_CHARS = 110
_LABELS = {"done": "perhaps done", "unblocked": "perhaps over"}
_TEXTS = {
    "active": "text", "blockers": "text", "issues": "text", "architecture": "text", "external": "text",
    "decisions": "decision", "workstreams": "status",
}  # fmt: skip
"""Lists of facts that a handoff shows → the key of the text that is flagged."""


def flag_outdated(facts: Facts, diff: Diff) -> Facts:
    """Return facts with a flag behind each text on a line that the diff contradicts; such an overview is left out."""
    by_line: dict[int, list[Conflict]] = {}
    for row in diff["conflicts"]:
        for line in (row["line"], *row["also"]):
            by_line.setdefault(line, []).append(row)
    values: Mapping[str, Any] = facts
    flagged: dict[str, Any] = {name: _flag_rows(values.get(name) or [], key, by_line) for name, key in _TEXTS.items()}
    left, lines = dict(facts["left"]), facts["left_lines"]
    for key, line in cast("dict[str, int]", lines).items():
        left[key] = _flag(str(left.get(key, "")), by_line.get(line, ()))
    overview = "" if any(line in by_line for line in _overview_lines(facts)) else facts["overview"]
    return cast("Facts", {**facts, **flagged, "left": left, "overview": overview})


def _overview_lines(facts: Facts) -> Iterable[int]:
    """Return the lines of the overview, those below the title where it has no section."""
    section = next((row for row in facts["sections"] if row["name"] == "overview"), None)
    first = next((row["line"] for row in facts["sections"] if row["level"] > 1), facts["lines"] + 1)
    return range(section["line"], section["end"] + 1) if section else range(1, first)


def _flag_rows(rows: list[Any], key: str, by_line: dict[int, list[Conflict]]) -> list[Any]:
    return [{**row, key: _flag(row[key], by_line.get(row["line"], ()))} for row in rows]


def _flag(text: str, conflicts: Iterable[Conflict]) -> str:
    """Return a text with what contradicts it; a text that is empty stays so."""
    flags = list(dict.fromkeys(filter(None, (_format_flag(text, row) for row in conflicts)))) if text else []
    return f"{cut(text, TEXT_CHARS)} ({'; '.join(flags[:2])})" if flags else text


def _format_flag(text: str, row: Conflict) -> str:
    """Return what a conflict says about a text, "" where it is about a path in another cell of its line."""
    evidence, label = row["evidence"], _LABELS.get(row["kind"], "outdated")
    if row["path"] == row["claim"]:
        evidence = evidence.removeprefix(f"{row['path']}: ")
        label = label if row["path"] in text else ""
    if row.get("quoted"):
        evidence = f"{row.get('commit', '')[:9]} “{quotes.line(re.sub(r'[|]', '/', row['quoted']), 70)}”"
    return f"{label}: {quotes.line(evidence, _EVIDENCE_CHARS)}" if label else ""


def format_age(diff: Diff) -> str:
    """Return how old the recorded state is, "" where nothing was committed since."""
    if not diff["commits"]:
        return ""
    number = len(diff["commits"])
    most = "over " * diff["truncated"]
    return f"recorded {diff['since'][:10]} in MEMORY.md, {most}{number} commit{'s' * (number != 1)} ago"
