"""Folders of files that a program made by the hundred and that nothing refers to: they are left out of the index.

All of it must hold, so that a tree of documentation stays in: hundreds of files; nearly all with a name that a program
gives; no document outside names the folder; nothing outside names its files; few commits brought many; they do not link
to each other. Found on public repositories: PEPs and EIPs are numbered, but link; tldr's pages link nowhere, but have
names; the transcripts of a podcast are numbered and do not link, but came one by one.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from belay.core import files
from belay.core.errors import BelayError
from belay.knowledge.documents import walk
from belay.knowledge.store import database
from belay.safety.labels import make_label

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from belay.knowledge.store.store import Store

LEAST, SHARE = 500, 0.9
"""Files of a folder that is looked at, and how many of them a program must have named."""
ALIKE = 100
"""Files whose paths differ in their numbers only: as many no person names."""
SAMPLE, LINKING = 100, 0.1
"""Files that are read, and the share of them that link to others in a tree that people read."""
NAMED, KNOWN = 20, 0.25
"""Files whose names are looked for outside, and the share of them that is found where a program reads them."""
TENDED = 0.1
"""Commits for each file, from which on a folder grew by hand."""
GROWTH = 1.25
"""A folder that grew by so much is judged again."""
_BYTES = 64 * 1024
_KEY = "index_bulk"
_OUT, _IN, _ASKED = "out", "in", "asked"
_HEX = re.compile(r"(?<![0-9a-z])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?![0-9a-z])", re.IGNORECASE)
_TIME = re.compile(r"\d{4}-?\d\d-?\d\d[T_ -]?\d\d[-_:]?\d\d|\d{10,}")
_NUMBER = re.compile(r"\d+")
_DAY = re.compile(r"(?:^|/)(?:\d{4}(?:-?\d\d(?:-?\d\d)?|-?W\d\d)?|\d{4}/\d\d?/\d\d?)\.\w+$")
"""A file of a day, a week, a month or a year: people keep journals so."""
_LINK = re.compile(
    r"\]\((?!\w+:|#)[^)\s]+\)|\[\[[^\]\n]+\]\]|:\w+:`|\b(?:xref|include|link):|^\[[^\]\n]+\]: (?!\w+:)", re.M
)
"""A link to another file of the tree: Markdown, wiki, reStructuredText, AsciiDoc."""


def leave_out(store: Store, root: str, names: Sequence[str], below: str) -> tuple[list[str], dict[str, int]]:
    """Return the names without those of such folders, and {folder with "/": files left out}.

    What is `below` one of them was asked for: from then on it stays in.
    """
    before = _load(store.connection)
    states: dict[str, list[object]] = {}
    out: set[str] = set()
    for folder, made in find_candidates(names).items():
        label = make_label(folder)
        state = _judge(root, folder, made, below.startswith(label), before.get(label, []))
        states[label] = state
        out.update(made if state[1] == _OUT else ())
    if states != before:
        with database.Transaction(store.connection):
            database.save_value(store.connection, _KEY, json.dumps(states))
    return [name for name in names if name not in out], list_left_out(store.connection)


def list_left_out(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the folders that the last run left out, with the number of their files."""
    return {folder: int(str(state[0])) for folder, state in _load(connection).items() if state[1] == _OUT}


def _load(connection: sqlite3.Connection) -> dict[str, list[object]]:
    found: dict[str, list[object]] = json.loads(database.load_value(connection, _KEY, "{}"))
    return found


def _judge(root: str, folder: str, made: Sequence[str], is_asked: bool, before: list[object]) -> list[object]:
    """Return [number of files, state] of a folder; where git does not answer, it stays in this time."""
    if is_asked or _ASKED in before:
        return [len(made), _ASKED]
    if before and len(made) <= int(str(before[0])) * GROWTH:
        return before
    try:
        return [len(made), _IN if is_for_people(root, folder, made) else _OUT]
    except BelayError:
        return [0, _IN]


def find_candidates(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the folders that hold hundreds of files with a program's names, and these files; none is in another."""
    if len(names) < LEAST:
        return {}
    made = _find_machine_names(names)
    total: Counter[str] = Counter()
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        parts = name.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth]) + "/"
            total[folder] += 1
            if name in made:
                found[folder].append(name)
    wanted = sorted(one for one in found if total[one] >= LEAST and len(found[one]) >= SHARE * total[one])
    narrow = [one for one in wanted if not any(_is_same(one, other, found) for other in wanted)]
    top = [one for one in narrow if not any(one != other and one.startswith(other) for other in narrow)]
    return {folder: found[folder] for folder in top}


def _is_same(folder: str, below: str, found: Mapping[str, Sequence[str]]) -> bool:
    """Whether a folder has all these files in one folder below it."""
    return folder != below and below.startswith(folder) and len(found[below]) == len(found[folder])


def _find_machine_names(names: Sequence[str]) -> set[str]:
    """Return the paths that a program gave: with a time or a hash, or many alike but for their numbers."""
    shapes = {name: _NUMBER.sub("#", _HEX.sub("#", name)) for name in names}
    alike = Counter(shapes.values())
    return {
        name
        for name, shape in shapes.items()
        if shape != name
        and not _DAY.search(name)
        and (alike[shape] >= ALIKE or _HEX.search(name) or _TIME.search(name))
    }


def is_for_people(root: str, folder: str, made: Sequence[str]) -> bool:
    """Whether a folder shows that people read or write it: one of the signs that the module's docstring names."""
    if walk.find_mentions(root, _list_names(folder), folder, only_documents=True):
        return True
    words = [_find_telling_part(name) for name in _pick(made, NAMED)]
    if len(walk.find_mentions(root, words, folder)) >= KNOWN * len(words):
        return True
    if walk.count_commits(root, folder) >= TENDED * len(made):
        return True
    sample = _pick(made, SAMPLE)
    return sum(_is_linking(os.path.join(root, name)) for name in sample) >= LINKING * len(sample)


def _list_names(folder: str) -> list[str]:
    """Return what a document writes where it means a folder: the end of its path, or a link that begins with it."""
    parts = folder.rstrip("/").split("/")
    return ["/".join([*parts[-2:], ""]), f"({parts[-1]}/", f"(./{parts[-1]}/"]


def _pick(names: Sequence[str], most: int) -> list[str]:
    """Return names from all over a list."""
    step = max(1, len(names) // most)
    return list(names[::step])[:most]


def _find_telling_part(name: str) -> str:
    """Return the end of a path that names this file alone: its name, with the folder where the name has no number."""
    *parts, last = name.split("/")
    return last if _NUMBER.search(last) or not parts else f"{parts[-1]}/{last}"


def _is_linking(path: str) -> bool:
    return bool(_LINK.search(files.read(path, _BYTES).decode("utf-8", "replace")))
