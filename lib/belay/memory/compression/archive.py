"""MEMORY-ARCHIVE.md: summaries, milestones, and word for word what compression took out (seed 003, "Archival").

Pure: texts in, texts out. What the archive has already is not added again, so a killed run can be repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from belay.core.text.statements import wording
from belay.memory.document import page
from belay.memory.document.page import split_lines, strip_line_end

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


class ArchiveUnit(NamedTuple):
    """A piece of the archive that is not divided: `part` it belongs to, heading above it ("" without), its lines."""

    part: str
    heading: str
    lines: tuple[str, ...]


def add_to_archive(
    files: Mapping[str, str],
    removed: Iterable[Told],
    rows: Iterable[Told],
    milestones: Iterable[str],
    heading: str,
    year: str,
) -> tuple[dict[str, str], list[str]]:
    """Return the archive's changed files (name → text, in the order to write them), and the lines that are new.

    `files` are the existing ones; `removed` entries {section, text} and `rows` of the log {session, date, summary,
    text} are a compression's, `heading` says when it was and of what file. A file that would get over 200 lines
    rolls over to MEMORY-ARCHIVE-YYYY.md as it is, and the next begins.
    """
    known = [strip_line_end(line) for text in files.values() for line in split_lines(text)]
    entries = _find_new_entries(known, removed, heading)
    moved = {unit.lines for unit in entries}
    summary_rows = [row for row in rows if (str(row["text"]),) in moved]
    units = [*_summarize(summary_rows), *_find_new_milestones(known, milestones), *entries]
    if not units:
        return {}, []
    return _place_units(files, units, year), [line for unit in units for line in unit.lines if line]


def _find_new_entries(known: list[str], removed: Iterable[Told], heading: str) -> list[ArchiveUnit]:
    """Return the entries that are not in the archive yet, as often as they are removed."""
    wanted: dict[tuple[str, ...], int] = {}
    units = []
    for row in removed:
        lines = tuple(str(row["text"]).split("\n"))
        wanted[lines] = wanted.get(lines, 0) + 1
        if wanted[lines] > _count_occurrences(known, lines):
            title = f"### {row['section']}, {heading}"
            units += [
                ArchiveUnit(REMOVED, title, lines[at : at + ENTRY_LINES]) for at in range(0, len(lines), ENTRY_LINES)
            ]
    return units


def _count_occurrences(known: list[str], lines: tuple[str, ...]) -> int:
    return sum(tuple(known[at : at + len(lines)]) == lines for at in range(len(known)))


def _summarize(rows: list[Told]) -> list[ArchiveUnit]:
    """Return one paragraph about the sessions whose rows leave the log."""
    if not rows:
        return []
    numbers = [int(str(row["session"])) for row in rows]
    first, last = min(numbers), max(numbers)
    title = f"## Sessions {first}-{last} Summary" if first < last else f"## Session {first} Summary"
    return [ArchiveUnit("", title, (" ".join(map(_format_session, rows)), ""))]


def _format_session(row: Told) -> str:
    when = f" ({row['date']})" if row["date"] else ""
    return f"Session {row['session']}{when}: {_COMMENTS.sub('', str(row['summary'])).strip().rstrip('.')}."


def _find_new_milestones(known: list[str], milestones: Iterable[str]) -> list[ArchiveUnit]:
    seen = {wording(line) for line in known}
    new = [text for text in dict.fromkeys(milestones) if wording(text) not in seen]
    return [ArchiveUnit(MILESTONES, "", (f"- {text}",)) for text in new]


def _place_units(files: Mapping[str, str], units: list[ArchiveUnit], year: str) -> dict[str, str]:
    """Return the changed files; a full one goes to a year's name unchanged, so that a killed run can be repeated."""
    base = files.get(FILE, "")
    whole = _insert_units(base, units)
    if _count_lines(whole) <= LINES:
        return {FILE: whole}
    newline = page.detect_newline(base)
    parts = list(_split_into_files(units, newline))
    full = ([base] if base.strip() else []) + parts[:-1]
    taken = dict(files)
    for text in full:
        taken[_find_free_name(taken, text, year)] = text
    return {
        **{name: text for name, text in taken.items() if files.get(name) != text and name != FILE},
        FILE: parts[-1],
    }


def _split_into_files(units: list[ArchiveUnit], newline: str) -> Iterator[str]:
    """Yield texts of new files that hold the units, none over 200 lines."""
    batch: list[ArchiveUnit] = []
    for unit in units:
        if batch and _count_lines(_insert_units("", [*batch, unit], newline)) > LINES:
            yield _insert_units("", batch, newline)
            batch = []
        batch.append(unit)
    yield _insert_units("", batch, newline)


def _find_free_name(files: Mapping[str, str], text: str, year: str) -> str:
    """Return a year's file that is free, or holds this text already."""
    number, name = 1, f"MEMORY-ARCHIVE-{year}.md"
    while files.get(name, text) != text:
        number += 1
        name = f"MEMORY-ARCHIVE-{year}-{number}.md"
    return name


def _count_lines(text: str) -> int:
    return len(split_lines(text))


def _insert_units(text: str, units: list[ArchiveUnit], newline: str = "") -> str:
    """Return an archive's text with units in their parts; every existing line stays."""
    end = newline or page.detect_newline(text)
    lines = split_lines(text) if text.strip() else [line + end for line in HEAD]
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += end
    for unit in units:
        at, new = _find_position(lines, unit)
        lines[at:at] = [line + end for line in new]
    return "".join(lines)


def _find_position(lines: list[str], unit: ArchiveUnit) -> tuple[int, list[str]]:
    """Return where a unit goes, and its lines with the headings that are missing."""
    heads = [
        (at, strip_line_end(line).rstrip()) for at, line in enumerate(lines) if strip_line_end(line).startswith("## ")
    ]
    if not unit.part:
        at = next((at for at, title in heads if title in (MILESTONES, REMOVED)), len(lines))
        return at, [*_blank_line_before(lines, at), unit.heading, *unit.lines]
    start = next((at for at, title in heads if title == unit.part), -1)
    if start < 0:
        at = next((at for at, title in heads if title == REMOVED), len(lines))
        behind = [""] if at < len(lines) else []
        return at, [
            *_blank_line_before(lines, at),
            unit.part,
            *filter(None, [unit.heading]),
            *unit.lines,
            *behind,
        ]
    end = next((at for at, _ in heads if at > start), len(lines))
    while not strip_line_end(lines[end - 1]).strip():
        end -= 1
    last = [strip_line_end(line) for line in lines[start:end] if strip_line_end(line).startswith("### ")][-1:]
    new = [unit.heading] if unit.heading and last != [unit.heading] else []
    return end, [*new, *unit.lines]


def _blank_line_before(lines: list[str], at: int) -> list[str]:
    return [""] if at and strip_line_end(lines[at - 1]).strip() else []


def rewrite_summary(text: str, summary: str, milestones: list[str]) -> str:
    """Return an archive with its newest summary and its milestones replaced by written ones; "" and [] keep them."""
    lines, end = split_lines(text), page.detect_newline(text)
    starts = [at for at, line in enumerate(lines) if _SUMMARY.match(strip_line_end(line))]
    if summary and starts:
        lines = _replace_body(lines, starts[-1], [summary, ""], end)
    starts = [at for at, line in enumerate(lines) if strip_line_end(line).rstrip() == MILESTONES]
    if milestones and starts:
        lines = _replace_body(lines, starts[-1], [*(f"- {milestone}" for milestone in milestones), ""], end)
    return "".join(lines)


def _replace_body(lines: list[str], start: int, body: list[str], end: str) -> list[str]:
    stop = next((at for at in range(start + 1, len(lines)) if strip_line_end(lines[at]).startswith("## ")), len(lines))
    return [*lines[: start + 1], *(line + end for line in body), *lines[stop:]]
