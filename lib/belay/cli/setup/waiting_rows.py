"""Rows of memory files that wait to be accepted: listed with numbers, and accepted by them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict

from belay.core import files, paths, plain_text
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import count
from belay.core.text.invisible import spell_invisible
from belay.repository import row_vetting
from belay.safety import trust
from belay.safety.rows import listed_rows

if TYPE_CHECKING:
    from belay.core.paths import Project

SHOWN_ROWS, SHOWN_LINES, SHOWN_CHARACTERS = 50, 20, 1000
"""Of a file so many rows are printed, of a row so many lines, of a line so many characters: --json has all."""


class ForeignRow(TypedDict):
    """A row that waits to be accepted: its number, its first and last line; `text` without invisible characters."""

    file: str
    number: int
    line: int
    end: int
    text: str


def list_rows(project: Project, names: list[str]) -> list[ForeignRow]:
    """Return the rows of some files that wait, with their numbers; without their words where Claude asks."""
    is_person = os.environ.get("CLAUDECODE") != "1"  # HOST §1.3: else a tool of a session calls
    rows: list[ForeignRow] = []
    for name, new in row_vetting.find_new(project, os.environ, names).items():
        sha = trust.digest(files.read(project.at(name)))
        ids = listed_rows.number(os.environ, project.root, name, sha, [row.id for row in new])
        numbers = {key: number for number, key in enumerate(ids, 1)}
        for row in {row.id: row for row in reversed(new)}.values():
            text = spell_invisible(row.text) if is_person else ""
            rows.append({"file": name, "number": numbers[row.id], "line": row.start, "end": row.end, "text": text})
    return sorted(rows, key=lambda row: (names.index(row["file"]), row["line"]))


def accept_rows(project: Project, name: str, numbers: list[int]) -> list[str]:
    """Accept rows of a file by the numbers under which they were listed; return "file:line" of each."""
    data = files.read(project.at(name))
    new = row_vetting.find_new(project, os.environ, [name]).get(name, [])
    listed, ids = listed_rows.find_shown(os.environ, project.root, name)
    if listed and listed != trust.digest(data):
        raise BadInput(name, "has changed since its rows were listed", "run belay trust and read them again")
    ids = ids or list(dict.fromkeys(row.id for row in new))
    wrong = [number for number in numbers if not 0 < number <= len(ids)]
    if wrong:
        raise BadInput(name, f"has no row {wrong[0]} that waits", "run belay trust to see the numbers")
    chosen = [ids[number - 1] for number in numbers]
    if not row_vetting.accept(project, os.environ, name, data, chosen):
        raise BelayError(paths.trust_file(os.environ), "cannot be written", "make its folder writable")
    lines = {row.id: row.start for row in reversed(new)}
    return [f"{name}:{lines[key]}" for key in chosen if key in lines]


def read_shown(project: Project, path: str, data: bytes) -> tuple[bytes, int]:
    """Return a memory file's text without its rows that wait, and how many do; one that waits as a whole stays."""
    name = project.relative(path)
    if not trust.has_rows(name) or trust.is_known(os.environ, project.root, name, data):
        return data, 0
    texts, waiting, _ = row_vetting.read_known(project, os.environ, [name])
    return (texts[name].encode(), waiting[name]) if name in waiting else (data, 0)


def describe_waiting(name: str, number: int) -> str:
    """Return "3 rows of MEMORY.md wait", and for a person the command that lists them."""
    is_one = number == 1
    told = f"{count(number, 'row')} of {plain_text.shown(name)} {'waits' if is_one else 'wait'}"
    return told if os.environ.get("CLAUDECODE") else f"{told}; `belay trust` lists {'it' if is_one else 'them'}"


def split_numbers(given: tuple[str, ...]) -> list[tuple[str, list[int]]]:
    """Return each path with the numbers behind it; the path is "" where numbers come first."""
    groups: list[tuple[str, list[int]]] = []
    for word in given:
        if not (word.isascii() and word.isdigit()) or os.path.lexists(word):
            groups.append((word, []))
        elif groups:
            groups[-1][1].append(int(word))
        else:
            groups.append(("", [int(word)]))
    return groups


def format_rows(rows: list[ForeignRow], name: str) -> list[str]:
    """Return the lines on a file's rows."""
    own = [row for row in rows if row["file"] == name]
    lines = [line for row in own[:SHOWN_ROWS] for line in _format_row(row)]
    more = len(own) - SHOWN_ROWS
    return [*lines, *([f"  and {count(more, 'row')} more: belay trust --json"] if more > 0 else [])]


def _format_row(row: ForeignRow) -> list[str]:
    texts = row["text"].split("\n")
    head = f"  {row['number']:>3}  {row['file']}:{row['line']}  "
    shown = [line if len(line) <= SHOWN_CHARACTERS else _cut(line) for line in texts[:SHOWN_LINES]]
    rest = (
        [f"and {count(len(texts) - SHOWN_LINES, 'line')} more: belay trust --json"] if len(texts) > SHOWN_LINES else []
    )
    return [head + shown[0], *(" " * len(head) + line for line in (*shown[1:], *rest))]


def _cut(line: str) -> str:
    return f"{line[:SHOWN_CHARACTERS]}… and {len(line) - SHOWN_CHARACTERS:,} characters more: belay trust --json"
