"""Recall at the right moment: what a prompt names, what an edited file is about, each told once a session.

Rows of the memory (tier 2 on demand) and entries of the knowledge base. Silence is cheap: two files are read, and words
are looked up in them; nothing else is loaded (`context/recall/selection.py` is, once something was found).
"""

from __future__ import annotations

import os
import zlib

from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.session.session import Session

    Table = dict[str, list[int]]

STEM = "recall-"
PROMPT_CHARS = 4096
PROMPT_WORDS = 400
WEIGHTS = (("names", 6), ("words", 3), ("common", 2))
ENOUGH, ALONE, WINDOW = 6, 1, 6
"""What a row needs, and within how many words, as `lookup` has it for entries: a name that stands for it, two telling
words, or one that no other row has beside a common one."""
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
    """Return the rows and entries that a prompt is about, at most so many tokens of them."""
    data = files.read(path(session.project), FILE_BYTES)
    rows = _named(_tables(data), text)
    known = _known(session.project)
    found = _entries(known, text) if known else {}
    if not rows and not found:
        return []
    from belay.context.recall import selection

    return selection.prompted(session, data, rows, found)


def _named(found: dict[str, Table], text: str) -> list[int]:
    """Return the numbers of the rows that a text names."""
    if not found:
        return []
    scores: dict[int, int] = {}
    seen: dict[int, list[tuple[int, str, int]]] = {}
    for at, word in enumerate(words(text[:PROMPT_CHARS])[:PROMPT_WORDS]):
        for table, weight in WEIGHTS:
            rows = found.get(table, {}).get(word, ())
            adds = weight + ALONE * (table == "words" and len(rows) == 1)
            for row in rows:
                scores[row] = max(scores.get(row, 0), near(seen.setdefault(row, []), at, word, adds))
    return sorted((row for row, score in scores.items() if score >= ENOUGH), key=lambda row: -scores[row])


def near(found: list[tuple[int, str, int]], at: int, word: str, weight: int) -> int:
    """Return what the words of one row add up to that stand within a window, this one the last of them."""
    found.append((at, word, weight))
    return sum({one: adds for place, one, adds in found if at - place <= WINDOW}.values())


def _known(project: Project) -> str:
    """Return where the index of the knowledge base lies, "" where there is none."""
    place = project.derived("terms")
    return place if os.path.isfile(place) else ""


def _entries(known: str, text: str) -> dict[int, set[str]]:
    from belay.context.recall import lookup  # only a project with a knowledge base pays for it

    try:
        with lookup.Pages(known) as index:
            return lookup.entries(index, text)
    except OSError:
        return {}


def edited(session: Session, name: str) -> list[str]:
    """Return at most three lines that speak of a file (its path from the root) or of a folder above it."""
    data = files.read(path(session.project), FILE_BYTES)
    places = above(name)
    table = _tables(data).get("paths", {})
    rows = list(dict.fromkeys(row for one in places for row in table.get(one, ())))
    known = _known(session.project)
    found = _tied(known, places) if known else []
    if not rows and not found:
        return []
    from belay.context.recall import selection

    return selection.edited(session, data, rows, found, name)


def above(name: str) -> list[str]:
    """Return a path from the root and the folders above it ("a/b.py", "a/"), the nearest first."""
    parts = name.rstrip("/").split("/")
    return [name, *("/".join(parts[:at]) + "/" for at in range(len(parts) - 1, 0, -1))]


def _tied(known: str, places: list[str]) -> list[str]:
    from belay.context.recall import lookup

    try:
        with lookup.Pages(known) as index:
            return lookup.paths(index, places)
    except OSError:
        return []


def _tables(data: bytes) -> dict[str, Table]:
    """Return the tables of an index, unproved: to know whether it is worth opening; {} where there is none."""
    rows = data.split(b"\n", 3)  # a sealed file: key, mark, tables, rows
    try:
        found = json_codec.loads(rows[2].decode("utf-8", "replace")) if len(rows) > 3 else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
