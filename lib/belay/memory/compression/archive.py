"""MEMORY-ARCHIVE.md: summaries, milestones, and word for word what compression took out (seed 003, "Archival").

Pure: texts in, texts out. What stands in the archive already is not added again, so a killed run can be repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from belay.core.plain_text import words
from belay.memory.document import page
from belay.memory.document.page import plain, split

FILE = "MEMORY-ARCHIVE.md"
NAME = re.compile(r"MEMORY-ARCHIVE(?:-\d{4}(?:-\d+)?)?\.md")
"""The archive and the years that it rolled over to."""
LINES = 200
"""Lines of one file of the archive (seed 003)."""
ENTRY_LINES = 150
"""Lines of one entry; a longer one is cut into several."""
HEAD = ["# Memory Archive", "Archived sessions from Project Memory.", ""]
MILESTONES = "## Key Milestones"
REMOVED = "## Removed"
_SUMMARY = re.compile(r"## Sessions? \d+(?:-\d+)? Summary\s*$")
_COMMENTS = re.compile(r"\s*<!--.*?-->")

Told = Mapping[str, object]


class Unit(NamedTuple):
    """A piece of the archive that is not divided: `part` it belongs to, heading above it ("" without), its lines."""

    part: str
    heading: str
    lines: tuple[str, ...]


def added(
    files: Mapping[str, str],
    removed: Iterable[Told],
    rows: Iterable[Told],
    milestones: Iterable[str],
    heading: str,
    year: str,
) -> tuple[dict[str, str], list[str]]:
    """Return the archive's changed files (name → text, in the order to write them), and the lines that are new.

    `files` are those that stand; `removed` entries {section, text} and `rows` of the log {session, date, summary,
    text} are a compression's, `heading` says when it was and of what file. A file that would get over 200 lines
    rolls over to MEMORY-ARCHIVE-YYYY.md as it is, and the next begins.
    """
    known = [plain(line) for text in files.values() for line in split(text)]
    entries = _fresh(known, removed, heading)
    moved = {unit.lines for unit in entries}
    told = [row for row in rows if (str(row["text"]),) in moved]
    units = [*_summary(told), *_milestones(known, milestones), *entries]
    if not units:
        return {}, []
    return _filed(files, units, year), [line for unit in units for line in unit.lines if line]


def _fresh(known: list[str], removed: Iterable[Told], heading: str) -> list[Unit]:
    """Return the entries that do not stand in the archive yet, as often as they are removed."""
    wanted: dict[tuple[str, ...], int] = {}
    found = []
    for row in removed:
        lines = tuple(str(row["text"]).split("\n"))
        wanted[lines] = wanted.get(lines, 0) + 1
        if wanted[lines] > _times(known, lines):
            title = f"### {row['section']}, {heading}"
            found += [
                Unit(REMOVED, title, lines[at : at + ENTRY_LINES]) for at in range(0, len(lines), ENTRY_LINES)
            ]
    return found


def _times(known: list[str], lines: tuple[str, ...]) -> int:
    return sum(tuple(known[at : at + len(lines)]) == lines for at in range(len(known)))


def _summary(rows: list[Told]) -> list[Unit]:
    """Return one paragraph about the sessions whose rows leave the log."""
    if not rows:
        return []
    numbers = [int(str(row["session"])) for row in rows]
    first, last = min(numbers), max(numbers)
    title = f"## Sessions {first}-{last} Summary" if first < last else f"## Session {first} Summary"
    return [Unit("", title, (" ".join(map(_sentence, rows)), ""))]


def _sentence(row: Told) -> str:
    when = f" ({row['date']})" if row["date"] else ""
    return f"Session {row['session']}{when}: {_COMMENTS.sub('', str(row['summary'])).strip().rstrip('.')}."


def _milestones(known: list[str], milestones: Iterable[str]) -> list[Unit]:
    seen = {words(line) for line in known}
    new = [text for text in dict.fromkeys(milestones) if words(text) not in seen]
    return [Unit(MILESTONES, "", (f"- {text}",)) for text in new]


def _filed(files: Mapping[str, str], units: list[Unit], year: str) -> dict[str, str]:
    """Return the changed files; a full one goes to a year's name unchanged, so that a killed run can be repeated."""
    base = files.get(FILE, "")
    whole = _put(base, units)
    if _size(whole) <= LINES:
        return {FILE: whole}
    newline = page.newline(base)
    parts = list(_batches(units, newline))
    full = ([base] if base.strip() else []) + parts[:-1]
    taken = dict(files)
    for text in full:
        taken[_name(taken, text, year)] = text
    return {
        **{name: text for name, text in taken.items() if files.get(name) != text and name != FILE},
        FILE: parts[-1],
    }


def _batches(units: list[Unit], newline: str) -> Iterator[str]:
    """Yield texts of new files that hold the units, none over 200 lines."""
    batch: list[Unit] = []
    for unit in units:
        if batch and _size(_put("", [*batch, unit], newline)) > LINES:
            yield _put("", batch, newline)
            batch = []
        batch.append(unit)
    yield _put("", batch, newline)


def _name(files: Mapping[str, str], text: str, year: str) -> str:
    """Return a year's file that is free, or holds this text already."""
    number, name = 1, f"MEMORY-ARCHIVE-{year}.md"
    while files.get(name, text) != text:
        number += 1
        name = f"MEMORY-ARCHIVE-{year}-{number}.md"
    return name


def _size(text: str) -> int:
    return len(split(text))


def _put(text: str, units: list[Unit], newline: str = "") -> str:
    """Return an archive's text with units in their parts; every line that stands stays."""
    end = newline or page.newline(text)
    lines = split(text) if text.strip() else [line + end for line in HEAD]
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += end
    for unit in units:
        at, new = _place(lines, unit)
        lines[at:at] = [line + end for line in new]
    return "".join(lines)


def _place(lines: list[str], unit: Unit) -> tuple[int, list[str]]:
    """Return where a unit goes, and its lines with the headings that are missing."""
    heads = [(at, plain(line).rstrip()) for at, line in enumerate(lines) if plain(line).startswith("## ")]
    if not unit.part:
        at = next((at for at, title in heads if title in (MILESTONES, REMOVED)), len(lines))
        return at, [*_gap(lines, at), unit.heading, *unit.lines]
    start = next((at for at, title in heads if title == unit.part), -1)
    if start < 0:
        at = next((at for at, title in heads if title == REMOVED), len(lines))
        behind = [""] if at < len(lines) else []
        return at, [*_gap(lines, at), unit.part, *filter(None, [unit.heading]), *unit.lines, *behind]
    end = next((at for at, _ in heads if at > start), len(lines))
    while not plain(lines[end - 1]).strip():
        end -= 1
    last = [plain(line) for line in lines[start:end] if plain(line).startswith("### ")][-1:]
    new = [unit.heading] if unit.heading and last != [unit.heading] else []
    return end, [*new, *unit.lines]


def _gap(lines: list[str], at: int) -> list[str]:
    return [""] if at and plain(lines[at - 1]).strip() else []


def rewritten(text: str, summary: str, milestones: list[str]) -> str:
    """Return an archive with its newest summary and its milestones as somebody wrote them; "" and [] keep them."""
    lines, end = split(text), page.newline(text)
    starts = [at for at, line in enumerate(lines) if _SUMMARY.match(plain(line))]
    if summary and starts:
        lines = _with_body(lines, starts[-1], [summary, ""], end)
    starts = [at for at, line in enumerate(lines) if plain(line).rstrip() == MILESTONES]
    if milestones and starts:
        lines = _with_body(lines, starts[-1], [*(f"- {one}" for one in milestones), ""], end)
    return "".join(lines)


def _with_body(lines: list[str], start: int, body: list[str], end: str) -> list[str]:
    stop = next((at for at in range(start + 1, len(lines)) if plain(lines[at]).startswith("## ")), len(lines))
    return [*lines[: start + 1], *(line + end for line in body), *lines[stop:]]
