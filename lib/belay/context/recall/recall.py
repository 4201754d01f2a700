"""Recall: what a prompt names and what an edited file is about, each once a session.

Rows of the memory (tier 2 on demand) and entries of the knowledge base. Where nothing is found it is cheap: two files
are read, words are looked up in them, and nothing else is loaded (`selection` is, once something was found).
"""

from __future__ import annotations

import os
import zlib

from belay.core import files, json_codec, paths
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.context.recall.lookup import Matches
    from belay.core.paths import Project
    from belay.knowledge.entries.hook_reader import RecalledEntry
    from belay.session.session import Session

    Table = dict[str, list[int]]

STEM = "recall-"
PROMPT_CHARS = 4096
PROMPT_WORDS = 400
WEIGHTS = (("names", 6), ("words", 3), ("common", 2))
ENOUGH, ALONE, WINDOW = 6, 1, 6
"""What a row needs, and within how many words, as `lookup` has it for entries: a name of its own, two informative
words, or one that no other row has beside a common one."""
EDGES = "`'\"*_.,;:!?()[]{}<>“”‘’…"


def index_path(project: Project) -> str:
    """Return the path of the index of a work tree's memory; work trees share the folder."""
    return os.path.join(project.states, f"{STEM}{zlib.crc32(os.fsencode(project.root)):08x}")


def split_words(text: str) -> list[str]:
    """Return the words of a text as the index has them: lower case, no punctuation around them, no plural's s."""
    parts = (part.strip(EDGES).lower() for part in text.split())
    return [stem(part) for part in parts if len(part) > 1]


def stem(word: str) -> str:
    """Return a word without a possessive or plural s, as far as one can tell without a dictionary."""
    word = word.removesuffix("'s").removesuffix("’s")
    plural = len(word) > 4 and word.endswith("s") and not word.endswith("ss") and word.isalpha()
    return word[:-1] if plural else word


def recall_for_prompt(session: Session, text: str) -> list[str]:
    """Return lines on what a prompt is about, within the budget of tokens."""
    data = files.read(index_path(session.project), FILE_BYTES)
    rows = _find_rows(_read_tables(data), text)
    known = _term_index_path(session.project)
    entries, nearly = _find_entries(known, text) if known else ({}, {})
    nearly = _keep_comparable(session, text, nearly) if nearly else {}
    if not rows and not entries and not nearly:
        return []
    from belay.context.recall import selection

    return selection.select_for_prompt(session, data, rows, entries, nearly, text)


def find_entries(session: Session, text: str) -> list[RecalledEntry]:
    """Return the entries that a text is about by the same bounds, whether they were shown before or not."""
    known = _term_index_path(session.project)
    matches, nearly = _find_entries(known, text) if known else ({}, {})
    nearly = _keep_comparable(session, text, nearly) if nearly else {}
    if not matches and not nearly:
        return []
    from belay.context.recall import selection

    return selection.find_entries(session, matches, nearly, text)


def _keep_comparable(session: Session, text: str, nearly: Matches) -> Matches:
    """Return those entries that nearly match of which more may speak: a choice; with the word pieces, its meaning."""
    from belay.context.recall import choices

    if os.path.isfile(paths.word_pieces(session.environ)):
        return nearly
    chosen = choices.find_chosen(text[:PROMPT_CHARS])
    return {number: stems for number, stems in nearly.items() if stems & chosen}


def _find_rows(tables: dict[str, Table], text: str) -> list[int]:
    """Return the numbers of the rows that a text names."""
    if not tables:
        return []
    scores: dict[int, int] = {}
    seen: dict[int, list[tuple[int, str, int]]] = {}
    parts = split_words(text[:PROMPT_CHARS])[:PROMPT_WORDS]
    asked = _find_asked(tables, parts, text)
    for at, word in enumerate(parts):
        for table, weight in WEIGHTS:
            rows = tables.get(table, {}).get(word, ())
            adds = weight + ALONE * (table == "words" and len(rows) == 1)
            for row in rows:
                scores[row] = max(scores.get(row, 0), add_within_window(seen.setdefault(row, []), at, word, adds))
    named = sorted((row for row, score in scores.items() if score >= ENOUGH), key=lambda row: -scores[row])
    return [*asked, *(row for row in named if row not in asked)]


def _find_asked(tables: dict[str, Table], parts: list[str], text: str) -> list[int]:
    """Return the rows of the section that a question asks for: "known issues?", "the last sessions", "which style"."""
    phrases, words = tables.get("phrases", {}), tables.get("asks", {})
    pairs = (f"{parts[at - 1]} {parts[at]}" for at in range(1, len(parts)))
    rows = next((phrases[pair] for pair in pairs if pair in phrases), [])
    rows = rows or next((words[part] for part in parts if part in words), [])
    if not rows:
        return []
    from belay.memory.remember import tiers

    return rows if tiers.is_question(text) else []


def add_within_window(matches: list[tuple[int, str, int]], at: int, word: str, weight: int) -> int:
    """Return the sum of one row's words within a window that ends with this word."""
    matches.append((at, word, weight))
    return sum({word: adds for place, word, adds in matches if at - place <= WINDOW}.values())


def _term_index_path(project: Project) -> str:
    """Return the path of the index of the knowledge base, "" where there is none."""
    place = project.derived("terms")
    return place if os.path.isfile(place) else ""


def _find_entries(known: str, text: str) -> tuple[Matches, Matches]:
    from belay.context.recall import lookup  # only a project with a knowledge base pays for it

    try:
        with lookup.Pages(known) as index:
            return lookup.find_matches(index, text)
    except OSError:
        return {}, {}


def recall_for_file(session: Session, name: str, *, reads: bool = False) -> list[str]:
    """Return at most three lines that speak of a file (its path from the root) or of a folder above it.

    A file that is only read brings lines once a session.
    """
    data = files.read(index_path(session.project), FILE_BYTES)
    places = list_places(name)
    table = _read_tables(data).get("paths", {})
    rows = list(dict.fromkeys(row for place in places for row in table.get(place, ())))
    known = _term_index_path(session.project)
    entries = _find_tied_paths(known, places) if known else []
    if not rows and not entries:
        return []
    from belay.context.recall import selection

    return selection.select_for_file(session, data, rows, entries, name, reads=reads)


def find_antipatterns(session: Session, name: str) -> list[tuple[str, str]]:
    """Return (id, line) of the antipatterns on a file (its path from the root) or a folder above it."""
    known = _term_index_path(session.project)
    places = _find_tied_paths(known, list_places(name)) if known else []
    if not places:
        return []
    from belay.context.recall import selection

    return selection.list_antipatterns(session, places)


def list_places(name: str) -> list[str]:
    """Return a path from the root and the folders above it ("a/b.py", "a/"), the nearest first."""
    parts = name.rstrip("/").split("/")
    return [name, *("/".join(parts[:at]) + "/" for at in range(len(parts) - 1, 0, -1))]


def _find_tied_paths(known: str, places: list[str]) -> list[str]:
    from belay.context.recall import lookup

    try:
        with lookup.Pages(known) as index:
            return lookup.find_paths(index, places)
    except OSError:
        return []


def _read_tables(data: bytes) -> dict[str, Table]:
    """Return the tables of an index without checking its signature: `selection` does that; {} where there is none."""
    rows = data.split(b"\n", 3)  # a sealed file: key, mark, tables, rows
    try:
        tables = json_codec.loads(rows[2].decode("utf-8", "replace")) if len(rows) > 3 else {}
    except ValueError:
        return {}
    return tables if isinstance(tables, dict) else {}
