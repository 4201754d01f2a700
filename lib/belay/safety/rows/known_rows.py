"""Which rows of a project's memory files are known: written here, or accepted by the user (docs/trust.md).

One file a project in the user's own data folder holds a keyed hash of every row, and of the heading it was known
under; the text of a row is not in it.
"""

from __future__ import annotations

import os

from belay.core import files, json_codec, kinds, lock, paths, signatures
from belay.core.errors import LockTimeout
from belay.core.tuples import NamedTuple
from belay.safety.labels import make_label
from belay.safety.rows import cutting
from belay.safety.rows.cutting import Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Table = dict[str, list[str]]
    """Path → rows known there, the oldest first: 16 hex digits of the row, 4 of the heading above it."""

MOST_LINES = 20_000
"""Lines of a file that are cut, as many as are parsed (`memory/document/page.py`); rows below them wait."""
KEPT, KEPT_PATH = 60_000, 20_000
"""Rows kept of a project and of one path; the oldest are forgotten."""
KEPT_TEXTS = 16
_ROUNDS = 5
_ID, _ABOVE = 16, 4
_NO_HEADING = "0" * _ABOVE


class NewRow(NamedTuple):
    """A row that waits: lines `start` to `end` of its file (1-based, both included) as they are, and its id."""

    start: int
    end: int
    text: str
    id: str


class Filtered(NamedTuple):
    """A text with a blank line for each line that is not known, and how many of its rows are new and known."""

    text: str
    new: int
    known: int


def remember(environ: Mapping[str, str], root: str, path: str, data: bytes) -> bool:
    """Remember all rows of a text that is known as a whole; False where they cannot be kept."""
    sign = signatures.make_signer(environ)
    if not sign:
        return False
    _, found = _cut_text(data.decode("utf-8", "replace"), _always, _always)
    return accept(environ, root, path, [identity for _, identity in _identify(found, sign)])


def remember_own(environ: Mapping[str, str], root: str, path: str, data: bytes, foreign: frozenset[str]) -> bool:
    """Remember the rows of a text in which no line is one of the `foreign` ones, nor one with its box ticked."""
    sign = signatures.make_signer(environ)
    if not sign:
        return False
    strange = {*map(_strip_marks, foreign)}
    lines = cutting.split_lines(data.decode("utf-8", "replace").removeprefix("\ufeff"), MOST_LINES)

    def is_own(row: Row) -> bool:
        bare = {*map(_strip_marks, "".join(lines[row.start : row.end]).splitlines())}
        return not bare & strange and any(map(str.isalnum, row.text))

    _, found = _cut_text(data.decode("utf-8", "replace"), is_own, is_own)
    return accept(environ, root, path, [identity for row, identity in _identify(found, sign) if is_own(row)])


def _strip_marks(line: str) -> str:
    """Return a line without what marks an item at its beginning, and without case."""
    return line.lstrip(" \t-*+>").removeprefix("[ ]").removeprefix("[x]").removeprefix("[X]").strip(" \t~").casefold()


def accept(environ: Mapping[str, str], root: str, path: str, ids: list[str]) -> bool:
    """Remember some rows of a path by their ids (`Sieve.find_new`); False where they cannot be kept."""
    return _change(environ, root, lambda table: _add(table, path, ids))


def forget(environ: Mapping[str, str], root: str, path: str) -> bool:
    """Forget the rows that are known at a path: until some are accepted, none is, also of those of other files."""

    def close(table: Table) -> bool:
        table[make_label(path)] = []
        return True

    return _change(environ, root, close)


_kept: dict[tuple[object, ...], Filtered] = {}
"""What was filtered in this process: a start reads a memory more than once."""


def keep_known(environ: Mapping[str, str], roots: tuple[str, ...], path: str, text: str) -> Filtered:
    """Return of a path's text the rows that are known of some roots (`Sieve.filter`)."""
    key = (roots, path, text, *(tuple(files.stamp(find_file(environ, root))) for root in roots))
    if key not in _kept:
        if len(_kept) >= KEPT_TEXTS:
            _kept.clear()
        _kept[key] = Sieve(environ, roots).filter(path, text)
    return _kept[key]


class Sieve:
    """What is known of some roots (a work tree and its main checkout), loaded once for several texts."""

    def __init__(self, environ: Mapping[str, str], roots: Iterable[str]) -> None:
        self.sign = signatures.make_signer(environ)
        self.known: dict[str, set[str]] = {}
        self.closed: set[str] = set()
        self.ids: dict[tuple[str, str, str], str] = {}
        for root in dict.fromkeys(roots):
            table = _load(find_file(environ, root))
            self.closed.update(path for path, found in table.items() if not found)
            for one in (one for found in table.values() for one in found):
                self.known.setdefault(one[:_ID], set()).add(one[_ID:])

    def is_known(self, row: Row) -> bool:
        """Whether a row says what a known one said, or nothing at all."""
        return row.kind == cutting.BREAK or not row.text.strip("| ") or self._identify(row) in self.known

    def find_new(self, path: str, text: str) -> list[NewRow]:
        """Return the rows of a path's text that are not known, each with the id by which it is accepted."""
        if not self.sign:
            return []
        is_closed = make_label(path) in self.closed
        lines, found = _cut_text(text, self.is_known, _always)
        return [
            NewRow(row.start + 1, row.end, "".join(lines[row.start : row.end]).rstrip("\r\n"), identity)
            for row, identity in _identify(found, self.sign)
            if is_closed or not self.is_known(row)
        ]

    def filter(self, path: str, text: str) -> Filtered:
        """Return a path's text with the known rows alone, each on the line where it is.

        What is left is cut again until all of it is known: no row gets another meaning by what is gone.
        """
        left, new = text, -1
        for _ in range(_ROUNDS if self.known and make_label(path) not in self.closed else 0):
            lines, found = _cut_text(left, self.is_known, self.is_known)
            shown = [*map(self.is_known, found)]
            hidden = shown.count(False)
            new = hidden if new < 0 else new
            if not hidden:
                told = sum(row.kind not in cutting.STRUCTURE and self._has_words(row) for row in found)
                return Filtered(left if told else "", new, told)
            left = self._blank(lines, found, shown)
        return Filtered("", max(new, 0), 0)

    def _identify(self, row: Row) -> str:
        spelled = (row.kind, row.lead, row.text)
        if spelled not in self.ids:
            self.ids[spelled] = self.sign(_spell(row)) if self.sign else ""
        return self.ids[spelled]

    def _has_words(self, row: Row) -> bool:
        return bool(row.text.strip("| "))

    def _blank(self, lines: list[str], found: list[Row], shown: list[bool]) -> str:
        """Return the lines without the rows that are not shown, and without blank lines at their end."""
        above = _NO_HEADING
        for at, (row, is_known) in enumerate(zip(found, shown, strict=True)):
            filling = "| |" if row.kind == cutting.LINE and row.lead else ""
            if row.kind == cutting.HEADING and is_known:
                above = self._identify(row)[:_ABOVE]
            elif row.kind == cutting.HEADING:
                filling, above = self._replace_heading(lines[row.start], found, at, above)
            for line in range(row.start, row.end if not is_known else row.start):
                lines[line] = filling + lines[line][len(lines[line].rstrip("\r\n")) :]
        end = len(lines)
        while end and not lines[end - 1].strip("| \t\r\n"):
            end -= 1
        return "".join(lines[:end])

    def _replace_heading(self, line: str, found: list[Row], at: int, above: str) -> tuple[str, str]:
        """Return (what is put in place of an unknown heading, the id of the heading that holds below it).

        Nothing, where the rows below were known under the heading above; the template's own title, where they were
        known under that; else a heading without words, so that they do not fall to the section above.
        """
        homes = self._find_homes(found, at)
        if not homes or above in homes:
            return "", above
        marks = line.strip(" \t")
        level = marks[: len(marks) - len(marks.lstrip("#"))]
        for title in kinds.MEMORY_SECTIONS.values():
            identity = self._identify(Row(cutting.HEADING, 0, 1, title))
            if identity in self.known and identity[:_ABOVE] in homes:
                return f"{level} {title}", identity[:_ABOVE]
        return level, ""

    def _find_homes(self, found: list[Row], at: int) -> set[str]:
        """Return the headings under which the first known row below a heading was known."""
        for row in (found[number] for number in range(at + 1, len(found))):
            if row.kind == cutting.HEADING:
                break
            if row.kind not in cutting.STRUCTURE and self._has_words(row) and self.is_known(row):
                return self.known[self._identify(row)]
        return set()


def _always(_: Row) -> bool:
    return True


def _cut_text(text: str, leads: Callable[[Row], bool], opens: Callable[[Row], bool]) -> tuple[list[str], list[Row]]:
    """Return the lines of a text with their ends, and its rows; what is below the lines that are read is one row."""
    lines = cutting.split_lines(text.removeprefix("\ufeff"), MOST_LINES)
    found = cutting.cut([line.rstrip("\r\n") for line in lines[:MOST_LINES]], leads, opens)
    rest = lines[MOST_LINES].strip() if len(lines) > MOST_LINES else ""
    return lines, [*found, Row(cutting.TEXT, MOST_LINES, MOST_LINES + 1, rest)] if rest else found


def _spell(row: Row) -> str:
    return "\0".join(("row", row.kind, row.lead, row.text))


def _identify(found: list[Row], sign: Callable[[str], str]) -> Iterable[tuple[Row, str]]:
    """Yield each row that says something with its id: its keyed hash, and the beginning of that of its heading."""
    above = _NO_HEADING
    for row in found:
        if row.kind != cutting.BREAK and row.text.strip("| "):
            identity = sign(_spell(row))
            above = identity[:_ABOVE] if row.kind == cutting.HEADING else above
            yield row, identity + above


def find_file(environ: Mapping[str, str], root: str) -> str:
    """Return where the rows of a project are kept: its name is a keyed mark of the root, "" without a key."""
    name = signatures.sign_name(environ, f"rows of {root}")
    return os.path.join(paths.data_home(environ), "rows", name + ".json") if name else ""


def _load(path: str) -> Table:
    try:
        value: Any = json_codec.loads(files.load(path).decode("utf-8", "replace"))
    except ValueError:
        return {}
    table = value.get("rows") if isinstance(value, dict) else None
    if not isinstance(table, dict):
        return {}
    size = _ID + _ABOVE
    return {
        name: [text[at : at + size] for at in range(0, len(text), size)]
        for name, text in table.items()
        if isinstance(name, str) and isinstance(text, str) and len(text) % size == 0
    }


def _add(table: Table, path: str, found: list[str]) -> bool:
    """Put rows behind those that are known at a path; False where all of them are there already."""
    path = make_label(path)
    old = table.get(path, [])
    if {*found} <= {*old}:
        return False
    table.pop(path, None)
    new = {*found}
    table[path] = [*(one for one in old if one not in new), *dict.fromkeys(found)][-KEPT_PATH:]
    while sum(map(len, table.values())) > KEPT:
        del table[next(iter(table))]
    return True


def _change(environ: Mapping[str, str], root: str, change: Callable[[Table], bool]) -> bool:
    path = find_file(environ, root)
    if not path:
        return False
    try:
        files.make_folder(os.path.dirname(path), 0o700)
        with lock.hold(path + ".lock"):
            table = _load(path)
            if change(table):
                files.create(path)  # for this user alone; the write keeps the mode
                joined = {name: "".join(found) for name, found in table.items()}
                files.write(path, json_codec.encode({"root": make_label(root), "rows": joined}))
    except (OSError, LockTimeout):
        return False
    return True
