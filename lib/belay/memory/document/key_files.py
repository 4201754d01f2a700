"""Rows of Key Files: each carries the session of its file's last change and follows its file's renames. Pure.

Rows belong to the user: no function removes one, and a list instead of a table is left as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from belay.memory.document import edits, facts, path_references
from belay.memory.document.page import Page, Record
from belay.memory.document.table_cells import find_record, put_row


def put_file_row(page: Page, path: str, purpose: str, number: int, template: Page) -> Page:
    """Return the page with a file's row of this session; what it is for stays where nothing new is said."""
    page = edits.ensure_section(page, "files", template)
    known = _find_file_row(page, path)
    values = {"changed": f"session {number}"} | ({"purpose": purpose} if purpose or known is None else {})
    if known is None:
        values = {"file": f"`{path}`", **values}
    elif known.kind != "row":
        return page  # the user keeps a list of files, not a table
    return put_row(page, "files", values, known)


def stamp_changed_files(page: Page, paths: Collection[str], number: int) -> Page:
    """Return the page whose rows of these files carry the session of their last change."""
    for path in paths:
        known = _find_file_row(page, path)
        if known and known.kind == "row":
            page = put_row(page, "files", {"changed": f"session {number}"}, known)
    return page


def rename_files(page: Page, renames: Mapping[str, str]) -> Page:
    """Return the page whose Key Files rows name files that were renamed by their new path."""
    for old, new in renames.items():
        known = _find_file_row(page, old)
        if known and known.kind == "row" and _find_file_row(page, new) is None:
            page = put_row(page, "files", {"file": f"`{new}`"}, known)
    return page


def _find_file_row(page: Page, path: str) -> Record | None:
    lines = [
        row["line"] for row in facts.read_facts(page)["files"] if row["path"] == path_references.unquote_path(path)
    ]
    return find_record(page, lines[0] - 1) if lines else None
