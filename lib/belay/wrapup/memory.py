"""MEMORY.md at a wrap-up: sections of Belay's template line by line; in anybody else's file one dated block.

Pure: text in, text out. The same entry twice gives the same text.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

from belay import buffer, todo
from belay.wrapup import rows as md
from belay.wrapup.form import Document
from belay.wrapup.rows import Rows
from belay.wrapup.template import fill

MARK = "<!-- belay: project memory -->"
"""The line by which a MEMORY.md is known to follow Belay's template."""
_OPEN = "<!-- belay: wrap-up {session} {crc} -->"
_CLOSE = "<!-- /belay: wrap-up {session} -->"
LABELS = {
    "Current task": "task",
    "Status": "status",
    "Next immediate step": "next",
    "Open question": "question",
}


class Entry(NamedTuple):
    """A document with what code adds: local date and time, session (8 letters), branch, digest.

    `written`: somebody wrote it; else it is the mechanical audit.
    """

    document: Document
    date: str
    time: str
    session: str
    branch: str
    digest: str
    written: bool = True


def is_ours(text: str) -> bool:
    """Whether a MEMORY.md follows Belay's template."""
    return any(md.plain(row).strip() == MARK for row in md.split(text)[:5])


def create(entry: Entry, template: str) -> str:
    """Return a new MEMORY.md; sections that nothing is known for are left out."""
    text = fill(template, {"date": entry.date, "session": "1", "branch": entry.branch})
    text = text if is_ours(text) else f"{MARK}\n{text}"
    filled = md.split(update(text, entry, template))
    return "".join(md.drop_empty(filled)).rstrip("\n") + "\n"


def update(text: str, entry: Entry, template: str) -> str:
    """Return a MEMORY.md of Belay's template brought up to date; lines it does not own stay byte for byte."""
    rows, form, document = md.split(text), md.split(template), entry.document
    number, rows = _session(rows, entry, form)
    rows = _header(rows, entry, number)
    rows = _left_off(rows, entry, form)
    rows = _ticked(rows, document["completed"])
    rows = _items(rows, "Completed", f"- {entry.date} {{}}", document["completed"], form)
    rows = _items(rows, "Active Work", "- [ ] {}", document["active"], form)
    rows = _items(rows, "Blockers", "- {}", document["blockers"], form)
    rows = _items(rows, "User Preferences", "- {}", document["preferences"], form)
    for row in document["decisions"]:
        cells = (entry.date, row["decision"], row["reason"], row["affects"])
        rows = _put(rows, "Key Decisions", cells, 1, form, when=entry.date)
    for row in document["files"]:
        named = (f"`{row['path']}`", row["purpose"], f"session {number}")
        rows = _put(rows, "Key Files", named, 0, form)
    return "".join(rows)


def _session(rows: Rows, entry: Entry, form: Rows) -> tuple[int, Rows]:
    """Return the session's number and rows whose log names it, once."""
    rows = md.ensure(rows, "Session Log", form)
    start, end = md.section(rows, "Session Log") or (0, 0)
    mark, highest = f"<!-- {entry.session} -->", 0
    for at in range(start, end):
        first = md.cells(rows[at])[0] if md.is_table(rows[at]) else ""
        highest = (
            max(highest, int(first)) if first.isascii() and first.isdigit() and len(first) < 7 else highest
        )
        if mark in rows[at] and first.isdigit():
            return int(first), _replaced(
                rows, at, _log_row(int(first), entry, mark)
            ) if entry.written else rows
    return highest + 1, _after_table(rows, "Session Log", _log_row(highest + 1, entry, mark))


def _log_row(number: int, entry: Entry, mark: str) -> str:
    return md.table_row(str(number), entry.date, f"{_safe(entry.document['summary'])} {mark}")


def _header(rows: Rows, entry: Entry, number: int) -> Rows:
    line = f"Last updated: {entry.date} | Session {number} | Branch: {entry.branch}"
    first = next((at for at, _ in md.headings(rows)), len(rows))
    for at in range(first):
        if md.plain(rows[at]).startswith("Last updated:"):
            return _replaced(rows, at, line)
    return md.insert(rows, min(first, 2), [line])


def _left_off(rows: Rows, entry: Entry, form: Rows) -> Rows:
    """Replace the four labelled lines; a written document leaves none of an earlier session behind."""
    document = entry.document
    gone = [label for label, key in LABELS.items() if entry.written or document[key]]
    rows = md.ensure(rows, "Where We Left Off", form)
    start, end = md.section(rows, "Where We Left Off") or (0, 0)
    kept = [row for row in rows[start:end] if _label(row) not in gone]
    lines = [f"- **{label}:** {_safe(document[key])}" for label, key in LABELS.items() if document[key]]
    return md.insert([*rows[:start], *kept, *rows[end:]], start, lines)


def _label(row: str) -> str:
    line = md.plain(row)
    return line[4:].split(":**", 1)[0] if line.startswith("- **") and ":**" in line else ""


def _ticked(rows: Rows, done: list[str]) -> Rows:
    span = md.section(rows, "Active Work")
    if not span:
        return rows
    body = "".join(rows[span[0] : span[1]])
    for text in done:
        body = todo.tick(body, text)
    return [*rows[: span[0]], *md.split(body), *rows[span[1] :]]


def _items(rows: Rows, title: str, shape: str, texts: list[str], form: Rows) -> Rows:
    if not texts:
        return rows
    rows = md.ensure(rows, title, form)
    span = md.section(rows, title) or (0, 0)
    new = fresh(texts, [item(row) for row in rows[span[0] : span[1]]])
    return md.append(rows, title, [shape.format(_safe(text)) for text in new])


def item(row: str) -> str:
    """Return the text of a list item, its box and its date aside."""
    text = md.plain(row).strip().lstrip("-*+").strip()
    text = text[3:].strip() if text[:3] in ("[ ]", "[x]", "[X]") else text
    date, _, rest = text.partition(" ")
    return rest if len(date) == 10 and date[:4].isdigit() and date[4] == "-" else text


def fresh(texts: list[str], known: list[str]) -> list[str]:
    """Return the texts that are not among the known ones, each once."""
    seen, new = {words(text) for text in known}, []
    for text in texts:
        if words(text) not in seen:
            new.append(text)
        seen.add(words(text))
    return new


def words(text: str) -> str:
    """Return what makes two lines the same: their words, or themselves where they have none."""
    return todo.plain(text) or text.strip()


def _put(rows: Rows, title: str, values: tuple[str, ...], key: int, form: Rows, when: str = "") -> Rows:
    """Put a table row in; one with the same key cell is replaced (a dated one only if of the same date)."""
    rows = md.ensure(rows, title, form)
    start, end = md.section(rows, title) or (0, 0)
    line = md.table_row(*map(_safe, values))
    for at in range(start, end):
        cells = md.cells(rows[at]) if md.is_table(rows[at]) else []
        if len(cells) > key and words(cells[key]) == words(values[key]):
            return _replaced(rows, at, line) if not when or cells[0] == when else rows
    return _after_table(rows, title, line)


def _after_table(rows: Rows, title: str, line: str) -> Rows:
    start, end = md.section(rows, title) or (0, 0)
    last = max((at for at in range(start, end) if md.is_table(rows[at])), default=-1)
    return md.insert(rows, last + 1, [line]) if last >= 0 else md.append(rows, title, [line])


def _replaced(rows: Rows, at: int, line: str) -> Rows:
    end = rows[at][len(rows[at].rstrip("\r\n")) :]
    return [*rows[:at], line + end, *rows[at + 1 :]]


def _safe(text: str) -> str:
    return buffer.one_line(text, 4000)


def block(text: str, entry: Entry) -> str:
    """Return somebody's MEMORY.md with one dated block of this session; its own earlier block is replaced.

    A block that was edited since is theirs now: it stays, and a new one is written behind it.
    """
    rows = md.split(text)
    body = block_lines(entry)
    lines = [_OPEN.format(session=entry.session, crc=_crc(body)), *body, _CLOSE.format(session=entry.session)]
    span = _own_block(rows, entry.session)
    if span:
        return "".join(md.insert([*rows[: span[0]], *rows[span[1] :]], span[0], lines, md.newline(rows)))
    gap = [""] if rows and rows[-1].strip() else []
    return "".join(md.insert(rows, len(rows), gap + lines))


def block_lines(entry: Entry) -> list[str]:
    """Return what a dated block says."""
    document = entry.document
    lines = [f"## {entry.date}, branch {entry.branch}", _safe(document["summary"])]
    lines += [f"- **{label}:** {_safe(document[key])}" for label, key in LABELS.items() if document[key]]
    lines += [f"- {label}: {_safe(text)}" for label, text in labelled(document)]
    return [line for line in lines if line]


def labelled(document: Document) -> list[tuple[str, str]]:
    """Return (what it is, text) for every list entry of a document that belongs into a memory."""
    found = [("Completed", text) for text in document["completed"]]
    found += [("Active", text) for text in document["active"]]
    found += [("Blocker", text) for text in document["blockers"]]
    for row in document["decisions"]:
        found.append(("Decision", decision(row)))
    found += [("Key file", f"`{row['path']}`: {row['purpose']}") for row in document["files"]]
    return found + [("Preference", text) for text in document["preferences"]]


def decision(row: dict[str, str]) -> str:
    """Return a decision as one line."""
    affects = f" (affects {row['affects']})" if row["affects"] else ""
    return f"{row['decision']}, because {row['reason']}{affects}"


def _own_block(rows: Rows, session: str) -> tuple[int, int] | None:
    """Return the rows of the session's last block that nobody edited."""
    closing = _CLOSE.format(session=session)
    ends = [at for at, row in enumerate(rows) if md.plain(row) == closing]
    for end in reversed(ends):
        for start in range(end - 1, -1, -1):
            if md.plain(rows[start]).startswith("<!-- belay: wrap-up "):
                body = [md.plain(row) for row in rows[start + 1 : end]]
                if md.plain(rows[start]) == _OPEN.format(session=session, crc=_crc(body)):
                    return start, end + 1
                break
    return None


def _crc(lines: list[str]) -> str:
    return f"{zlib.crc32(chr(10).join(lines).encode('utf-8', 'surrogateescape')):08x}"
