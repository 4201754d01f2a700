"""Results as a terminal shows them: colour, tables, rendered Markdown, progress bars. Only here is rich loaded."""

from __future__ import annotations

import os
import re
import sys

from belay.core.text.invisible import drop_invisible
from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from rich.console import Console, OverflowMethod, RenderableType
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID
    from rich.text import Text

_MOVING = re.compile(r"\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, colours it or turns its writing around: file texts and names come with clones."""
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
PIPED_CHARS = 300
"""Characters of a table's line that goes into a file or to a program."""
NARROWEST = 60
_STYLES = {
    "bold": r"`[^`\n]+`|^[A-Z][^\n:]*:$|^#+ .*$",
    "bold yellow": r">>[^<\n]+<<",
    "cyan": r"\b[CDIKW]-[A-Z2-7]{6,12}\b",
    "green": r"^(?:Back|Changed|Closed|Done|Imported|Kept|Recorded|Saved|Taken back)(?=:)|^\+(?!\+).*$",
    "yellow": r"^(?:Known already|Already there|Nothing was written|Turned down)(?=[:. ])",
    "red": r"^(?:Not written)(?=:)",
}
"""Style → what of a plain text has it."""
_ERROR = {"bold red": r"^(?:belay|workshop):"}
_LEVELS = {"green": r"^ok$", "yellow": r"^note$", "bold red": r"^broken$", "cyan": _STYLES["cyan"]}


class Table(NamedTuple):
    """Rows of cells, in columns; a row that is too long is cut, in a table that `wraps` it goes on below."""

    rows: Sequence[Sequence[str]]
    wraps: bool = False
    indent: int = 0


class Page(NamedTuple):
    """A text in Markdown."""

    text: str


if TYPE_CHECKING:
    Part = str | Table | Page


def is_rich(stream: TextIO) -> bool:
    """Whether a stream goes to a terminal that shows more than plain text, and rich is installed."""
    if not stream.isatty() or os.environ.get("TERM", "dumb") in ("dumb", "unknown"):
        return False
    from importlib.util import find_spec

    return find_spec("rich") is not None


def clean(text: str) -> str:
    """Return a text with a mark in place of every character that a terminal would obey, without invisible ones."""
    return drop_invisible(_MOVING.sub("\ufffd", text).replace("\r\n", "\n"))


def plain(parts: Iterable[Part]) -> str:
    """Return the same parts as plain text, which is what a pipe gets."""
    return "\n".join("\n".join(_aligned(part)) if isinstance(part, Table) else str(part) for part in parts if part)


def _aligned(table: Table) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*table.rows, strict=True)]
    used = [at for at, wide in enumerate(widths) if wide]
    lines = ["  ".join(row[at].ljust(widths[at]) for at in used).rstrip() for row in table.rows]
    return [" " * table.indent + (line if table.wraps else cut(line, width() - table.indent)) for line in lines]


def width() -> int:
    """Return the characters that a line may have: the terminal's, where the output goes to one."""
    if not sys.stdout.isatty():
        return PIPED_CHARS
    return max(_columns(), NARROWEST)


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    try:
        return int(given) if given.isdecimal() else os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return PIPED_CHARS


def cut(line: str, most: int) -> str:
    """Return a line that takes at most so many columns of a terminal; East Asian characters take two (UAX #11)."""
    if len(line) * 2 <= most or (line.isascii() and len(line) <= most):
        return line
    from unicodedata import east_asian_width

    taken = 0
    for at, char in enumerate(line):
        taken += 2 if east_asian_width(char) in "WF" else 1
        if taken > most:
            return line[: max(at - 1, 0)].rstrip() + "…"
    return line


def render(parts: Iterable[Part], *, is_error: bool = False) -> str:
    """Return what a terminal of the present width is sent for these parts; no text is read as markup."""
    from io import StringIO

    console = _console(StringIO())
    for part in parts:
        if isinstance(part, Table):
            console.print(_table(part))
        elif isinstance(part, Page):
            console.print(_markdown(part.text))
        else:
            for line in _styled(part, _ERROR if is_error else _STYLES).split("\n", allow_blank=True):
                broken = max(map(len, line.plain.split()), default=0) > console.width  # a path to copy, say
                console.print(line, overflow="ignore" if broken else "fold", crop=False)
    return "\n".join(line.rstrip(" ") for line in console.file.getvalue().rstrip("\n").split("\n"))  # type: ignore[attr-defined]


def _console(file: TextIO) -> Console:
    from rich.console import Console

    colours = None if os.environ.get("NO_COLOR") else "auto"
    return Console(file=file, force_terminal=True, color_system=colours, highlight=False, markup=False)  # type: ignore[arg-type]


def _styled(text: str, styles: dict[str, str]) -> Text:
    from rich.text import Text

    styled = Text(clean(text.rstrip("\n")))
    for style, pattern in styles.items():
        styled.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    return styled


def _table(table: Table) -> RenderableType:
    from rich.padding import Padding
    from rich.table import Table as Grid

    used = [at for at, column in enumerate(zip(*table.rows, strict=True)) if any(column)]
    grid, room = Grid.grid(padding=(0, 2, 0, 0)), width() - table.indent
    for at in used[:-1]:
        wide = min(max(len(row[at]) for row in table.rows), width() // 2)
        room -= wide + 2
        grid.add_column(no_wrap=True, overflow="ellipsis", width=wide, style="dim")
    last: OverflowMethod = "fold" if table.wraps else "ellipsis"
    grid.add_column(no_wrap=not table.wraps, overflow=last, max_width=max(room - 2, 10))
    for row in table.rows:
        grid.add_row(*(_styled(row[at], _LEVELS if at == 0 else _STYLES) for at in used))
    return Padding(grid, (0, 0, 0, table.indent))


def _markdown(text: str) -> RenderableType:
    """Return Markdown as rich shows it: HTML stays visible as text, comments go, and a link is no escape sequence."""
    from markdown_it import MarkdownIt
    from rich.markdown import Markdown

    page = Markdown("", hyperlinks=False, code_theme="bw")
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    page.parsed = parser.parse(clean(_COMMENT.sub("", text)))
    return page


class Progress:
    """A progress bar on stderr where that is a terminal; elsewhere nothing. Called with (done, todo), or never."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        if is_rich(sys.stderr):
            from rich.progress import Progress as Bar

            self._bar = Bar(console=_console(sys.stderr), transient=True)
            self._task = self._bar.add_task(self._label, total=None)
            self._bar.start()
        return self

    def __call__(self, done: int, todo: int | None = None) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=todo)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
