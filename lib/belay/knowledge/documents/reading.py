"""One file read for the index: looked at without following links, its text cleaned and cut."""

from __future__ import annotations

import os
import stat
import time
from typing import NamedTuple

from belay.core import files
from belay.core.constants import FILE_BYTES
from belay.core.paths import inside
from belay.knowledge.documents import cleaning, file_kinds, headings, insights, sections
from belay.knowledge.documents.documents import Document, Stamp
from belay.safety.labels import make_label
from belay.safety.trust import digest

LINK, PIPE, LARGE, NAME, GONE = "link", "not a file", "over 1 MB", "name", "gone"
WAITS = "memory that waits to be accepted"
RACY_NS = 2_000_000_000
"""A file written so shortly before it was read may be written again within the same tick of its clock."""


class Look(NamedTuple):
    """What the file system says of a file; `why` it cannot be read, "" when it can.

    `path` is the label of its `name`, so that no secret in a name reaches the base.
    """

    path: str
    mtime: int
    size: int
    why: str = ""
    name: str = ""


def look_at_file(folder: str, name: str) -> Look:
    """Look at a file without opening it."""
    path = make_label(name)
    try:
        name.encode("utf-8")
        status = os.lstat(os.path.join(folder, name))
    except UnicodeEncodeError:
        return Look(path, 0, 0, NAME)
    except OSError:
        return Look(path, 0, 0, GONE)
    why = ""
    if stat.S_ISLNK(status.st_mode):
        why = LINK
    elif not stat.S_ISREG(status.st_mode):
        why = PIPE
    elif status.st_size > FILE_BYTES:
        why = LARGE
    return Look(path, status.st_mtime_ns, status.st_size, why, name)


def safe_time(seen: Look) -> int:
    """Return the time to remember of a file, 0 where it is so young that the next run is to read it again."""
    return 0 if time.time_ns() - seen.mtime < RACY_NS else seen.mtime


def read_document(folder: str, seen: Look, known: Stamp | None) -> Document | None:
    """Return a file as it is to be indexed, None where its bytes are those that are known."""
    full = inside(folder, seen.name)
    data = files.read(full, FILE_BYTES) if full else b""
    return _read(seen, known, data, safe_time(seen) if len(data) == seen.size else 0, "" if full else LINK)


def read_memory(seen: Look, known: Stamp | None, shown: str | None) -> Document | None:
    """Return the same of a memory file by what of it may be shown; `shown` is None where nothing may."""
    data = (shown or "").encode("utf-8", "replace")
    return _read(seen, known, data, safe_time(seen), WAITS if shown is None else "")


def _read(seen: Look, known: Stamp | None, data: bytes, moment: int, why: str) -> Document | None:
    stamp = Stamp(moment, seen.size, digest(data), why)
    if known and (known.hash, known.size) == (stamp.hash, stamp.size) and (not why or known.why == why):
        return None
    text, why = ("", why) if why else cleaning.decode(data)
    return _make_document(seen, stamp._replace(why=why), cleaning.clean_text(text))


def _make_document(seen: Look, stamp: Stamp, text: str) -> Document:
    path, style, about = seen.path, file_kinds.comment_style(seen.name), insights.rule_folder(seen.path)
    if style:
        from belay.knowledge.documents import comments

        text = comments.extract_comments(text, style)
    name = file_kinds.find_stem(path)
    cut = sections.split_sections(text, "" if style else headings.find_markup(seen.name))
    parts = [(start, end, title or name, body) for start, end, title, body in cut if body.strip()]
    return Document(path, stamp, len(text.split()), parts, about, insights.find_rules(text) if about else ())
