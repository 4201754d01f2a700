"""One dated block a session in a memory file of another form; a later one replaces it unless it was edited."""

from __future__ import annotations

import zlib

from belay.memory.document import edits, template_sections
from belay.memory.document.page import Page, strip_line_end
from belay.memory.wrapup.form import Decision, Document
from belay.memory.wrapup.sections import Entry

_OPEN = "<!-- belay: wrap-up {session} {crc} -->"
_CLOSE = "<!-- /belay: wrap-up {session} -->"


def put_block(page: Page, entry: Entry) -> Page:
    """Return a memory file of another form with one dated block of this session, which replaces its earlier block.

    A block that was edited since is theirs now: it stays, and a new one is written behind it.
    """
    body = block_lines(entry)
    block = [
        _OPEN.format(session=entry.session, crc=_checksum(body)),
        *body,
        _CLOSE.format(session=entry.session),
    ]
    span = _find_unedited_block(page, entry.session)
    if span:
        return edits.replace_lines(page, *span, block)
    end = len(page.lines)
    return edits.insert_lines(page, end, [*([""] if end and strip_line_end(page.lines[-1]).strip() else []), *block])


def block_lines(entry: Entry) -> list[str]:
    """Return what a dated block says."""
    document = entry.document
    lines = [f"## {entry.date}, branch {entry.branch}", document["summary"]]
    lines += [
        f"- **{template_sections.LABELS[key]}:** {document[key]}"
        for key in template_sections.LEFT_KEYS
        if document[key]
    ]
    lines += [f"- {label}: {text}" for label, text in list_labelled(document)]
    return [line for line in lines if line]


def list_labelled(document: Document) -> list[tuple[str, str]]:
    """Return (what it is, text) for every list entry of a document that belongs into a memory."""
    rows = [("Completed", text) for text in document["completed"]]
    rows += [("Active", text) for text in document["active"]]
    rows += [("Blocker", text) for text in document["blockers"]]
    rows += [("Decision", format_decision(row)) for row in document["decisions"]]
    rows += [("Key file", f"`{row['path']}`: {row['purpose']}") for row in document["files"]]
    rows += [("Preference", text) for text in document["preferences"]]
    rows += [("Overview", document["overview"])] if document["overview"] else []
    rows += [("Architecture", text) for text in document["architecture"]]
    rows += [("Known issue", text) for text in document["issues"]]
    return rows + [("External context", text) for text in document["external"]]


def format_decision(row: Decision) -> str:
    """Return a decision as one line."""
    affects = f" (affects {row['affects']})" if row["affects"] else ""
    because = f", because {row['reason']}" if row["reason"] else ""
    return f"{row['decision']}{because}{affects}"


def _find_unedited_block(page: Page, session: str) -> tuple[int, int] | None:
    """Return the lines of the session's last block if it was not edited."""
    texts = [strip_line_end(line) for line in page.lines]
    ends = [at for at, line in enumerate(texts) if line == _CLOSE.format(session=session)]
    for end in reversed(ends):
        starts = [at for at in range(end) if texts[at].startswith("<!-- belay: wrap-up ")]
        body = texts[starts[-1] + 1 : end] if starts else []
        if starts and texts[starts[-1]] == _OPEN.format(session=session, crc=_checksum(body)):
            return starts[-1], end + 1
    return None


def _checksum(body: list[str]) -> str:
    return f"{zlib.crc32(chr(10).join(body).encode('utf-8', 'surrogateescape')):08x}"
