"""What in a memory file was never touched since it was written, and how often the code that it names changed since."""

from __future__ import annotations

import posixpath
import time
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock
from belay.core.errors import BelayError
from belay.memory.claude_files.code_names import CodeReader
from belay.memory.document.page import strip_line_end
from belay.repository.git import blame
from belay.repository.survey import quotes

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.claude_files.code_names import CodeName
    from belay.memory.document.page import Page
    from belay.repository.git.blame import Change, LineOrigin

SECONDS = 4.0
"""How long changes of code are counted; after that the rest is left uncounted, which is said."""
_STATEMENTS = ("item", "row", "text", "quote")
_AT_ROOT = (".claude", ".orchestre", ".memory/branches")
"""Folders whose memory files speak of the whole project."""


class Statement(NamedTuple):
    """A row, item or paragraph of a memory file: its lines (1-based, both ends included) and its text on one line."""

    line: int
    end: int
    text: str


class CodeChange(NamedTuple):
    """Code that a statement names, the commits that changed it since, and the last of them; None: not counted."""

    code: CodeName
    commits: int | None
    last: Change | None


class UntouchedStatement(NamedTuple):
    """A statement as its first commit wrote it: the commit, its local date, its age in days, and the code it names."""

    statement: Statement
    commit: str
    date: str
    days: int
    code: list[CodeChange]


def list_statements(found: Page) -> list[Statement]:
    """Return the statements of a page: code, comments and headings are none."""
    rows = []
    for record in found.records:
        if record.kind in _STATEMENTS:
            text = " ".join(strip_line_end(line).strip() for line in found.lines[record.start : record.end])
            rows.append(Statement(record.start + 1, record.end, text))
    return rows


def find_folder(path: str) -> str:
    """Return the folder that a memory file speaks of, "" for the project's root."""
    folder = posixpath.dirname(path)
    return "" if folder in _AT_ROOT else folder


class ChangeCounter:
    """Counts the commits that changed a file since a commit; each pair is asked once, within a bound of seconds."""

    def __init__(self, root: str, seconds: float = SECONDS) -> None:
        self._root, self._until = root, time.monotonic() + seconds
        self._known: dict[tuple[str, str], list[Change]] = {}
        self.is_cut = False

    def count(self, code: CodeName, commit: str) -> CodeChange:
        """Return what happened to code since a commit ("": since nothing, only the last change is named)."""
        rows = self._list(code.path, commit) if code.path else []
        if rows is None:
            return CodeChange(code, None, None)
        last = rows[0] if rows else next(iter(self._list(code.path, "") or []), None) if code.path else None
        return CodeChange(code, len(rows) if commit else None, last)

    def _list(self, path: str, commit: str) -> list[Change] | None:
        if (path, commit) not in self._known:
            if time.monotonic() > self._until:
                self.is_cut = True
                return None
            try:
                self._known[path, commit] = blame.list_changes_since(self._root, commit, path)
            except BelayError:
                return None
        return self._known[path, commit]


def find_untouched(project: Project, path: str, found: Page) -> tuple[list[UntouchedStatement], bool]:
    """Return the statements that no later commit touched, most changed code first; and whether counting was cut.

    Blanks do not count as a touch, nor does moving a line. Raises GitMissing and GitFailed.
    """
    origins = blame.read_line_origins(project.root, path)
    rows = [(row, origin) for row in list_statements(found) if (origin := _single_origin(row, origins))]
    folder = find_folder(path)
    names = CodeReader(project).read([(folder, row.text) for row, _ in rows])
    counter = ChangeCounter(project.root)
    made = [
        _make_row(row, origin, [counter.count(name, origin.commit) for name in named if name.path != path])
        for (row, origin), named in zip(rows, names, strict=True)
    ]
    return sorted(made, key=_order), counter.is_cut


def _single_origin(row: Statement, origins: dict[int, LineOrigin]) -> LineOrigin | None:
    """Return the commit that wrote all lines of a statement, None where several did or it is not committed."""
    found = {origins[line] for line in range(row.line, row.end + 1) if line in origins}
    one = found.pop() if len(found) == 1 else None
    return one if one and one.commit else None


def _make_row(row: Statement, origin: LineOrigin, code: list[CodeChange]) -> UntouchedStatement:
    days = max(0, int((clock.moment() - origin.time) / clock.DAY))
    shown = row._replace(text=quotes.line(row.text, 160))
    return UntouchedStatement(shown, origin.commit, blame.format_date(origin.time), days, code)


def _order(row: UntouchedStatement) -> tuple[int, int, int]:
    changed = sum(change.commits or 0 for change in row.code)
    return (-sum(change.code.state != "exists" for change in row.code), -changed, row.statement.line)
