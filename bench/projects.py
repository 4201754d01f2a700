"""The written projects of bench/data/projects: entries, questions that they answer, prompts that should bring them.

Twelve invented projects in seven languages. A file begins with a line on the project, `half` (tune or held: figures
of the held half are never looked at while something is chosen) and `language`. Then one line each:

    E KEY TYPE | content | reason | files        an entry
    Q KEY | text                                 a question in other words than the entry's
    W KEY | text                                 a question with its words
    P KEY | text                                 a prompt of daily work for which a colleague would mention the entry
    O | text                                     a prompt of daily work for which no entry matters
"""

from __future__ import annotations

import json
import pathlib
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "bench" / "data" / "projects"
ORDINARY = ROOT / "tests" / "data" / "prompts.jsonl"
HALVES = ("tune", "held")


class Written(NamedTuple):
    """An entry of a project; `key` is its project's name and its own."""

    key: str
    type: str
    content: str
    reasoning: str
    files: tuple[str, ...]


class Asked(NamedTuple):
    """A question or prompt; `kind` is the letter of its line, `keys` the entries that answer it."""

    kind: str
    text: str
    keys: frozenset[str]


class Project(NamedTuple):
    """One file."""

    name: str
    half: str
    language: str
    entries: list[Written]
    asked: list[Asked]


def load_projects(half: str = "") -> list[Project]:
    """Return the projects of one half, or of both."""
    found = [_read(path) for path in sorted(FOLDER.glob("*.txt"))]
    return [project for project in found if half in ("", project.half)]


def load_ordinary() -> list[str]:
    """Return the unlabelled prompts that were written for the trigger model: of no project, so none needs an entry."""
    rows = map(json.loads, ORDINARY.read_text(encoding="utf-8").splitlines())
    return [row["text"] for row in rows if not row["labels"]]


def _read(path: pathlib.Path) -> Project:
    entries: list[Written] = []
    asked: list[Asked] = []
    fields = {"half": "", "language": ""}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        head, *parts = (part.strip() for part in line.split(" |"))
        letter, *words = head.split()
        if letter == "E":
            content, reasoning, files = [*parts, "", "", ""][:3]
            reasoning = reasoning.removeprefix("because ").removeprefix("so that ")
            entries.append(Written(f"{path.stem}/{words[0]}", words[1], content, reasoning, tuple(files.split())))
        elif letter in "QWPO":
            keys = frozenset(f"{path.stem}/{key}" for key in "".join(words).split(",") if key)
            asked.append(Asked(letter, parts[0], keys))
        elif letter in fields:
            fields[letter] = words[0]
        elif letter != "#":
            raise ValueError(f"{path.name}:{number}: {line[:60]}")
    return Project(path.stem, fields["half"], fields["language"], entries, asked)
