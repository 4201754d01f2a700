"""The folders of a project that a text speaks of, the likeliest first, each with its reasons."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.places.relevance import evidence
from belay.places.relevance.subject_words import read_subjects

if TYPE_CHECKING:
    from belay.places.hierarchy import Hierarchy
    from belay.places.relevance.evidence import Evidence


class Match(NamedTuple):
    """A folder, how much speaks for it, and the evidence, the weightiest first."""

    folder: str
    score: float
    evidence: list[Evidence]

    @property
    def is_named(self) -> bool:
        """Whether the text names a path, a route or a name of code of this folder."""
        return self.evidence[0].weight >= evidence.DEFINED / evidence.MOST_DEFINITIONS and self._best_is_exact()

    def _best_is_exact(self) -> bool:
        return self.evidence[0].why.startswith("names ")


def rank(hierarchy: Hierarchy, text: str) -> list[Match]:
    """Return the folders that a text speaks of; [] where nothing in the project has its words."""
    folders = evidence.Folders(hierarchy)
    held: dict[str, list[Evidence]] = defaultdict(list)
    subjects = read_subjects(text)
    for row in evidence.gather(folders, subjects):
        held[row.folder].append(row)
    for folder, rows in held.items():
        rows += [*evidence.by_layer(folders, folder, subjects), *evidence.by_ancestor(folder, subjects)]
    found = [_make_match(folder, rows) for folder, rows in held.items()]
    return sorted(found, key=lambda match: (-match.score, match.folder.count("/"), match.folder))


def _make_match(folder: str, rows: list[Evidence]) -> Match:
    best = sorted(rows, key=lambda row: -row.weight)
    return Match(folder, round(sum(row.weight for row in rows), 3), best)
