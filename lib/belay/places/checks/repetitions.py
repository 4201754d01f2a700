"""What two levels say, so that one of them should refer to the other; and what several features say alike."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from belay.core import terms
from belay.core.text import duplicates
from belay.memory.document import path_references, repeated_lines
from belay.places import hierarchy as tree
from belay.places.checks.findings import DUPLICATE, SHARED, Finding
from belay.places.checks.memory_texts import is_above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.memory.document.repeated_lines import Pair, Place
    from belay.places.checks.memory_texts import MemoryText

_COMMAND = re.compile(
    r"`(?:\$ ?)?(?:npm|npx|pnpm|yarn|bun|make|just|task|go|cargo|pytest|python3?|uv|poetry|pip|docker|kubectl|git|ruff"
    r"|mypy|tsc|vitest|jest|eslint|dotnet|mvn|gradle|\./gradlew|mix|rake|bundle|flutter|dart|terraform|cd)\b"
)
"""A command does something else in each folder, so that two levels may both name it."""
_ABOUT_ITSELF = re.compile(
    r"\bthis (?:file|document(?:ation)?|page) (?:provides|contains|describes|documents|covers|explains|is)\b"
    r"|\bguidance to claude\b|\bimports? (?:it|them|this)\b|\b(?:this|same) file\b"
    r"|^\W*(?:depends on|depended on by|parent|related|see also)\b",
    re.IGNORECASE,
)
"""What a memory says of itself, each in its own place."""
FEWEST = 4
"""Telling words below which a line without a label tells its fact only together with its heading."""
_LABELLED = re.compile(r"^\W{0,4}\w[\w /-]{1,30}\W{0,4}:\s")
FEW = 3
"""Offers for two files; more become one."""
_POINTER = re.compile(
    r"\b(?:see|refer to|read|follow|inherits?|described in|documented in|details? in|defined in|full \w+ in)\b.{0,60}"
    r"(?:CLAUDE|AGENTS|README|MEMORY|CONTRIBUTING)?\.md|\b(?:see|read) (?:the )?(?:root|parent)\b|^\W*@\S+\W*$"
    r"|^\W{0,4}\[[^\]]+\]\([^)]+\)",
    re.IGNORECASE,
)
"""A line that refers upward is what the check asks for."""


def find_repetitions(root: str, texts: list[MemoryText]) -> Iterator[Finding]:
    """Yield what a memory repeats of one above it, and what is in several features and in none above them."""
    by_path = {text.place.path: text for text in texts if text.place.level != tree.RULE}
    beside: dict[Place, list[Pair]] = defaultdict(list)
    for pair in repeated_lines.pairs({path: text.page for path, text in by_path.items()}):
        upper, lower = by_path[pair.a.file], by_path[pair.b.file]
        if pair.a.file == pair.b.file or _may_repeat(root, pair, upper, lower):
            continue
        if is_above(upper.place, lower.place):
            yield _build_duplicate(upper, lower, pair)
        elif upper.place.level == lower.place.level == tree.FEATURE:
            beside[pair.a].append(pair)
    yield from _fold(beside)


def _fold(beside: dict[Place, list[Pair]]) -> Iterator[Finding]:
    """Yield an offer for each fact, but one alone for two files that have many in common."""
    pairs: Counter[tuple[str, ...]] = Counter(_list_files(place, rows) for place, rows in beside.items())
    told: set[tuple[str, ...]] = set()
    for place, rows in beside.items():
        files = _list_files(place, rows)
        if files not in told:
            yield _build_offer(place, rows, pairs[files] if pairs[files] > FEW else 1)
        if pairs[files] > FEW:
            told.add(files)


def _list_files(place: Place, rows: list[Pair]) -> tuple[str, ...]:
    return tuple(sorted({place.file, *(row.b.file for row in rows)}))


def _may_repeat(root: str, pair: Pair, upper: MemoryText, lower: MemoryText) -> bool:
    """Whether a line says something else in each of its two folders, or only leads to what is elsewhere."""
    text = pair.text.rstrip("*_ ")
    if text.endswith(":") or any(pattern.search(text) for pattern in (_COMMAND, _POINTER, _ABOUT_ITSELF)):
        return True
    is_short = len(duplicates.keys(text)) < FEWEST and not _LABELLED.match(text)
    if is_short and not _has_one_topic(upper, pair.a.section, lower, pair.b.section):
        return True
    folders = [os.path.dirname(place.file) for place in (pair.a, pair.b)]
    named = [row.path for row in path_references.find_paths_in_line(pair.text)]
    return any(os.path.lexists(os.path.join(root, folder, path)) for path in named for folder in folders if folder)


def _has_one_topic(upper: MemoryText, one: int, lower: MemoryText, other: int) -> bool:
    """Whether the headings of two lines share a word."""
    sections = [(upper.page.sections, one), (lower.page.sections, other)]
    titles = [set(terms.informative(rows[at].title)) if at >= 0 else set() for rows, at in sections]
    return bool(titles[0] & titles[1])


def _build_duplicate(upper: MemoryText, lower: MemoryText, pair: Pair) -> Finding:
    where = f"{pair.a.file}:{pair.a.line}"
    how = "the same" if pair.how == repeated_lines.EXACT else "the same in other words"
    why = f"says {how} as {where}, which is read first"
    advice = f"take it out, or refer to {upper.place.path}"
    return Finding(lower.place.path, pair.b.line, DUPLICATE, why, pair.text, advice, other=where)


def _build_offer(first: Place, rows: list[Pair], facts: int) -> Finding:
    others = ", ".join(f"{row.b.file}:{row.b.line}" for row in rows[:5])
    files = _list_files(first, rows)
    parent = _find_parent([os.path.dirname(file) for file in files])
    more = f" and {facts - 1} more" if facts > 1 else ""
    why = f"{len(files)} features say this{more}: also {others}"
    advice = f"say it once in {parent}, and take it out of the features"
    return Finding(first.file, first.line, SHARED, why, rows[0].text, advice, other=others.partition(", ")[0])


def _find_parent(folders: list[str]) -> str:
    """Return the memory above some folders: of the nearest folder that holds them all."""
    common = os.path.commonpath(folders) if folders else ""
    return f"{common}/{tree.NAME}".lstrip("/")
