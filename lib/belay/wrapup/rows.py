"""Markdown as rows: sections and tables changed by line, every other byte kept. Text in, text out.

A row keeps its own line end; new rows take the file's. Headings inside code fences are no headings.
"""

from __future__ import annotations

Rows = list[str]


def split(text: str) -> Rows:
    """Return the text's rows, split after \\n only, with their line ends."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def newline(rows: Rows) -> str:
    """Return the line end of the last whole row: a lone \\r at the end is no line end yet."""
    whole = [row for row in rows[-2:] if row.endswith("\n")]
    return "\r\n" if whole and whole[-1].endswith("\r\n") else "\n"


def plain(row: str) -> str:
    """Return a row without its line end and without a byte order mark."""
    return row.rstrip("\r\n").removeprefix("\ufeff")


def headings(rows: Rows) -> list[tuple[int, str]]:
    """Return (row, title) of every "## " heading; a fence that is never closed hides none."""
    fences = [at for at, row in enumerate(rows) if plain(row).lstrip().startswith(("```", "~~~"))]
    hidden = {at for start, end in zip(fences[0::2], fences[1::2], strict=False) for at in range(start, end)}
    lines = ((at, plain(row)) for at, row in enumerate(rows) if at not in hidden)
    return [(at, line[3:].strip().rstrip("#").strip()) for at, line in lines if line.startswith("## ")]


def section(rows: Rows, title: str) -> tuple[int, int] | None:
    """Return the rows of a section's body, [start, end), or None where there is no such heading."""
    marks = headings(rows)
    for number, (at, found) in enumerate(marks):
        if found.lower() == title.lower():
            return at + 1, marks[number + 1][0] if number + 1 < len(marks) else len(rows)
    return None


def insert(rows: Rows, at: int, new: list[str], end: str = "") -> Rows:
    """Return the rows with new lines (without line ends) put in before row `at`, ended as the others or by `end`."""
    end = end or newline(rows)
    before = list(rows[:at])
    if before and new and not before[-1].endswith("\n"):
        before[-1] += end
    return [*before, *(line + end for line in new), *rows[at:]]


def body_end(rows: Rows, span: tuple[int, int]) -> int:
    """Return the row after the last one of a section that is not blank."""
    start, end = span
    while end > start and not rows[end - 1].strip():
        end -= 1
    return end


def ensure(rows: Rows, title: str, template: Rows) -> Rows:
    """Return rows that have the section: put in where the template has it, with its table's head."""
    if section(rows, title) is not None:
        return rows
    order = [name.lower() for _, name in headings(template)]
    later = order[order.index(title.lower()) + 1 :] if title.lower() in order else []
    after = next((at for at, name in headings(rows) if name.lower() in later), len(rows))
    head = [*_gap(rows, after), f"## {title}", *skeleton(template, title)]
    return insert(rows, after, [*head, ""] if after < len(rows) else head)


def skeleton(template: Rows, title: str) -> list[str]:
    """Return a section's lines in the template, blank ones at its end aside."""
    span = section(template, title)
    return [plain(row) for row in template[span[0] : body_end(template, span)]] if span else []


def _gap(rows: Rows, at: int) -> list[str]:
    return [""] if at and rows[at - 1].strip() else []


def append(rows: Rows, title: str, lines: list[str]) -> Rows:
    """Return rows with lines at the end of a section that is there."""
    span = section(rows, title)
    return insert(rows, body_end(rows, span), lines) if span and lines else rows


def is_table(row: str) -> bool:
    """Whether a row is one of a table."""
    return plain(row).lstrip().startswith("|")


def is_rule(row: str) -> bool:
    """Whether a row is the line under a table's head."""
    return is_table(row) and not set(plain(row)) - set("|-: ")


def cells(row: str) -> list[str]:
    """Return the cells of a table row; an escaped bar stays in its cell."""
    parts = plain(row).strip().replace("\\|", "\0").strip("|").split("|")
    return [part.replace("\0", "|").strip() for part in parts]


def table_row(*values: str) -> str:
    """Return values as a table row."""
    return "| " + " | ".join(value.replace("\\|", "|").replace("|", "\\|") for value in values) + " |"


def drop_empty(rows: Rows, keep: tuple[str, ...] = ()) -> Rows:
    """Return rows without the sections that hold nothing but blank lines and a table's head."""
    for at, title in reversed(headings(rows)):
        span = section(rows, title)
        if span and span[0] == at + 1 and title not in keep and _is_empty(rows[span[0] : span[1]]):
            rows = rows[:at] + rows[span[1] :]
    return rows


def _is_empty(body: Rows) -> bool:
    texts = [row for row in body if row.strip()]
    return not texts or (len(texts) == 2 and is_table(texts[0]) and is_rule(texts[1]))
