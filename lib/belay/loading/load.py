"""The load sequence of a session's start, in seed 003's order: files, branch and overlay, diff, health, greeting."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from belay import atomic, compose, gauge, trust
from belay.errors import BelayError
from belay.loading import compiled, greeting, offers, shared
from belay.memory import tiers
from belay.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.loading.compiled import Memory
    from belay.paths import Project

    Values = dict[str, Any]

PREFERENCES = 60
"""Tokens of preferences on a project's first session (seed 003, tier 3)."""


class Start:
    """What one start loads; `memory.facts` is {} where there is nothing to load."""

    __slots__ = ("diff", "environ", "health", "memory", "offers", "project", "uncommitted")

    def __init__(self, project: Project, environ: Mapping[str, str], memory: Memory) -> None:
        self.project, self.environ, self.memory = project, environ, memory
        self.diff: Values | None = None
        self.health: Values | None = None
        self.offers: list[str] = []
        self.uncommitted = ""

    def compare(self) -> None:
        """Compare the memory with the repository: diff, health, offers; what git does not answer is left out."""
        facts, path = self.memory.facts, _newest(self.project, self.memory)
        try:
            self.diff, self.health = _compared(self.project, facts, self.environ, path)
        except BelayError:
            self.diff = self.health = None
        if self.health and "MEMORY.md" in self.memory.layers:
            gauge.save(self.project, self.health["score"], trust.digest(atomic.read(self.project.memory_md)))
        self.offers = offers.lines(self.project, self.environ, facts, self.health)

    def told(self) -> Values:
        """Return what the greeting is made of."""
        return {
            "facts": self.memory.facts, "branch": self.memory.branch, "overlay": self.memory.overlay, "diff": self.diff,
            "health": self.health, "uncommitted": self.uncommitted,
        }  # fmt: skip

    def tier_one(self, room: int, files: list[str]) -> str:
        """Return tier 1 behind the line that says what it is and costs, then a line a file as far as there is room."""
        touched = [row["path"] for row in (self.diff or {}).get("files", ())]
        rows = tiers.lines(self.memory.facts, 1, self.memory.branch, touched)
        said = compose.fit(rows, room - estimate(self._receipt(999) + "\n"))
        head = self._receipt(estimate(said + "\n"))
        return compose.fit([head, *said.splitlines(), *files], room)

    def _receipt(self, tokens: int) -> str:
        names = " + ".join(self.memory.layers)
        archive = "; MEMORY-ARCHIVE.md has older sessions" if os.path.isfile(self.project.at(ARCHIVE)) else ""
        return f"Memory: {names}, tier 1, {tokens} tokens; `belay memory show SECTION` has the rest{archive}."

    def beside(self, first: bool) -> str:
        """Return what comes with the memory: global entries that fit, and preferences on a project's first session."""
        own = tiers.lines(self.memory.facts, "preferences") if first and self.memory.facts else []
        rows = compose.fit(own, PREFERENCES).splitlines()
        overview = str(self.memory.facts.get("overview") or "")
        return "\n".join([*shared.lines(self.environ, self.project.root, overview), *rows])

    def drift(self, room: int, asks: bool) -> str:
        """Return the facts of the greeting for Claude."""
        return greeting.lines(self.told(), room, asks=asks)

    def asked(self) -> list[str]:
        """Return the offers for Claude, a line each."""
        return [f"To offer once: {offer}." for offer in self.offers]

    def message(self) -> str:
        """Return what the person is told."""
        return greeting.message(self.told(), self.offers)


ARCHIVE = "MEMORY-ARCHIVE.md"


def begin(project: Project, environ: Mapping[str, str], cwd: str) -> Start:
    """Return a start with its memory loaded and, where there is one, compared with the repository."""
    start = Start(project, environ, compiled.load(project, environ, cwd))
    if start.memory.facts:
        start.compare()
    return start


def _compared(
    project: Project, facts: Values, environ: Mapping[str, str], path: str
) -> tuple[Values | None, Values]:
    from belay.diff import evidence, gather
    from belay.memory import health

    diff = gather.gather(project, facts, environ, path=path) if project.git_dir else None
    return diff, health.score(facts, evidence.evidence(project, facts, environ, diff, path))


def _newest(project: Project, memory: Memory) -> str:
    """Return the file whose header counts: the overlay's, if that is not older than the base's, as layers have it."""
    if memory.overlay and memory.facts["header"]["branch"] == memory.branch:
        return project.at(memory.overlay)
    return project.at(memory.layers[0])
