"""Tier 2 on demand: rows of the memory that a prompt names or that speak of an edited file, each once a session.

Silence is cheap: one small file is read, and its words are looked up; nothing else is loaded. A row is told only
while the memory file that it came from still holds it.
"""

from __future__ import annotations

import os
import zlib

from belay import atomic, codec
from belay.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from belay.paths import Project
    from belay.session import Session

    Table = dict[str, list[int]]

STEM = "recall-"
TOKENS = 150
"""What a prompt or an edit may bring (docs/memory.md)."""
PROMPT_CHARS = 4096
PROMPT_WORDS = 400
ENOUGH = 2
"""What a row needs: a name that stands for it (2), or two of its ordinary words (1 each)."""
EDGES = "`'\"*_.,;:!?()[]{}<>“”‘’…"


def path(project: Project) -> str:
    """Return where the index of a work tree's memory lies; work trees share the folder."""
    return os.path.join(project.states, f"{STEM}{zlib.crc32(os.fsencode(project.root)):08x}")


def words(text: str) -> list[str]:
    """Return the words of a text as the index has them: small letters, nothing around them, no plural's s."""
    parts = (part.strip(EDGES).lower() for part in text.split())
    return [stem(part) for part in parts if len(part) > 1]


def stem(word: str) -> str:
    """Return a word without a possessive or plural s, as far as one can tell without a dictionary."""
    word = word.removesuffix("'s").removesuffix("’s")
    plural = len(word) > 4 and word.endswith("s") and not word.endswith("ss") and word.isalpha()
    return word[:-1] if plural else word


def prompted(session: Session, text: str) -> list[str]:
    """Return the rows that a prompt names, at most so many tokens of them."""
    data = atomic.read(path(session.project), FILE_BYTES)
    found = _tables(data)
    if not found:
        return []
    scores: dict[int, int] = {}
    for word in set(words(text[:PROMPT_CHARS])[:PROMPT_WORDS]):
        for table, weight in (("names", ENOUGH), ("words", 1)):
            for row in found.get(table, {}).get(word, ()):
                scores[row] = scores.get(row, 0) + weight
    rows = sorted((row for row, score in scores.items() if score >= ENOUGH), key=lambda row: -scores[row])
    return _told(session, data, rows) if rows else []


def edited(session: Session, name: str) -> list[str]:
    """Return the rows that speak of a file (its path from the root), by the file itself or a folder above it."""
    data = atomic.read(path(session.project), FILE_BYTES)
    found = _tables(data)
    paths = found.get("paths", {})
    parts = name.split("/")
    above = ["/".join(parts[:at]) + "/" for at in range(len(parts) - 1, 0, -1)]
    rows = [row for one in (name, *above) for row in paths.get(one, ())]
    return _told(session, data, list(dict.fromkeys(rows))) if rows else []


def _tables(data: bytes) -> dict[str, Table]:
    """Return the tables of an index, unproved: to know whether it is worth opening; {} where there is none."""
    rows = data.split(b"\n", 3)  # a sealed file: key, mark, tables, rows
    try:
        found = codec.loads(rows[2].decode("utf-8", "replace")) if len(rows) > 3 else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _told(session: Session, data: bytes, numbers: list[int]) -> list[str]:
    """Return rows by their numbers, those that were told before left out, and note that they are told now."""
    from belay import compose
    from belay.loading import sealed

    values = sealed.opened(session.environ, data)
    if len(values) != 2:
        return []

    rows = [values[1]["rows"][number] for number in numbers]
    before = set(session.state["recalled"])
    fresh = [row for row in rows if crc(row[0]) not in before]
    fresh = _standing(session.project, values[1]["layers"], fresh) if fresh else []
    lines = compose.fit([row[0] for row in fresh], TOKENS).splitlines()
    if lines:
        session.log("recalled", rows=[crc(line) for line in lines])
    return lines


def crc(text: str) -> str:
    """Return the name a row goes by in the journal."""
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def _standing(project: Project, layers: dict[str, Any], rows: list[list[str]]) -> list[list[str]]:
    """Return the rows that the memory files still hold; the files are read only if they changed since."""
    if all(stamp(project, name) == seen for name, seen in layers.items()):
        return rows
    lines = set()
    for name in layers:
        text = atomic.read(project.at(name), FILE_BYTES).decode("utf-8", "replace")
        lines |= {line.strip() for line in text.split("\n")}
    return [row for row in rows if row[1] in lines]


def stamp(project: Project, name: str) -> list[int]:
    """Return size and time (ns) of a file, by which a change of it is seen."""
    try:
        seen = os.stat(project.at(name))
    except OSError:
        return []
    return [seen.st_size, seen.st_mtime_ns]
