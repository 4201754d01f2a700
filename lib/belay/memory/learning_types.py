"""The types of `learned.json`, in which the learnings of all projects are kept for promotion."""

from __future__ import annotations

from typing import TypedDict


class LearningRow(TypedDict):
    """A learning of a project: `key` are its words, by which two are the same; `file` is a path from the root."""

    kind: str
    text: str
    key: str
    file: str
    line: int


class LearningIndex(TypedDict):
    """Root of a project → its learnings, and the ids and words that the user turned down."""

    projects: dict[str, list[LearningRow]]
    dismissed: list[str]
