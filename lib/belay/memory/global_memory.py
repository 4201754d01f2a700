"""What is read of `~/.claude/GLOBAL-MEMORY.md` and of each project's learnings; `promotion` writes both."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from belay.core import files, paths, plain_text
from belay.memory.remember import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.memory.learning_types import LearningIndex

_DATE = re.compile(r"\d{4}-\d\d-\d\d\b")


def read_global_memory(environ: Mapping[str, str]) -> str:
    """Return the global memory, "" where there is none or it is not to be touched."""
    path = paths.global_memory(environ)
    return "" if files.explain_refusal(path) else files.load(path).decode("utf-8", "surrogateescape")


def split_learnings(text: str) -> list[str]:
    """Return what a global memory says, line by line, marks and dates aside."""
    rows = (line.strip().lstrip("-*+ ") for line in text.splitlines())
    return [sentences.strip_date(row) for row in rows if row]


def read_lines(environ: Mapping[str, str]) -> list[tuple[int, str, str]]:
    """Return (line, date, words) of the global memory's items; headings and comments are none."""
    found = []
    for number, line in enumerate(read_global_memory(environ).splitlines(), 1):
        mark, _, text = line.strip().partition(" ")
        if mark in ("-", "*", "+") and text.strip():
            date = _DATE.match(text.strip())
            found.append((number, date[0] if date else "", sentences.strip_date(text.strip())))
    return found


def learning_key(text: str) -> str:
    """Return what makes two learnings the same one."""
    return plain_text.words(text)


def find_holders(environ: Mapping[str, str]) -> dict[str, list[str]]:
    """Return key of a learning → the folders of the projects that hold it."""
    held: dict[str, list[str]] = {}
    for home, rows in read_index(environ)["projects"].items():
        for row in rows:
            for key in {row["key"], learning_key(row["text"])}:
                held.setdefault(key, []).append(home)
    return {key: list(dict.fromkeys(homes)) for key, homes in held.items()}


def index_path(environ: Mapping[str, str]) -> str:
    """Return where the learnings of each project are noted."""
    return os.path.join(paths.data_home(environ), "learned.json")


def read_index(environ: Mapping[str, str]) -> LearningIndex:
    """Return the learnings of each project, and which offers were turned down."""
    try:
        data = json.loads(files.read(index_path(environ)) or b"{}")
    except ValueError:
        data = {}
    index = data if isinstance(data, dict) else {}
    projects, dismissed = index.get("projects"), index.get("dismissed")
    return {
        "projects": projects if isinstance(projects, dict) else {},
        "dismissed": dismissed if isinstance(dismissed, list) else [],
    }
