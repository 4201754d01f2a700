"""Loads what a session's start needs, in seed 003's order: files, branch and overlay, diff, health, greeting."""

from __future__ import annotations

import os

from belay.context.start import background_task, compiled_memory, global_memory, greeting, offers, texts
from belay.context.start.compiled_memory import Memory, StartedMemory
from belay.core import clock
from belay.core import files as core_files
from belay.core.errors import BelayError
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.memory.health import cached_score
from belay.memory.remember import tiers
from belay.safety import trust
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.core.paths import Project
    from belay.memory.branches.offers import OfferLookup
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import Diff
    from belay.memory.health.health_types import Health
    from belay.memory.memory_facts import Facts, Header

ARCHIVE = "MEMORY-ARCHIVE.md"
PREFERENCES = 60
"""Tokens of preferences on a project's first session (seed 003, tier 3)."""


class Start:
    """What one start loads; `memory.facts` is {} where there is nothing to load."""

    __slots__ = ("diff", "environ", "health", "memory", "offers", "project", "read_uncommitted")

    def __init__(self, project: Project, environ: Mapping[str, str], memory: Memory) -> None:
        self.project, self.environ, self.memory = project, environ, memory
        self.diff: Diff | None = None
        self.health: Health | None = None
        self.offers: list[str] = []
        self.read_uncommitted: Callable[[], str] | None = None

    def compare(self, seen: Comparison | None) -> None:
        """Compare the memory with what git was seen to hold: diff and health."""
        facts = self.memory.facts
        try:
            self.diff, self.health = _compared(self.project, facts, self.environ, seen, newest_layer(self.memory))
        except BelayError:
            self.diff = self.health = None  # git does not answer: the start goes on without them
        if self.diff and len(self.memory.layers) > 1:  # each layer counts for itself
            conflicts = [row for row in self.diff["conflicts"] if row["kind"] != "counter"]
            self.diff = {**self.diff, "conflicts": conflicts}
        if self.health and "MEMORY.md" in self.memory.layers:
            cached_score.save_score(
                self.project, self.health["score"], trust.digest(core_files.read(self.project.memory_md))
            )

    def offer(self, merged: OfferLookup | None) -> None:
        """Decide what is offered, once everything else is known."""
        lines = self.memory.texts[0].count("\n")  # of the base alone: an overlay is not compressed
        facts: Facts = {**self.memory.facts, "lines": lines}
        self.offers = offers.list_offers(self.project, self.environ, facts, self.health, merged)

    def _situation(self) -> greeting.Situation:
        uncommitted = self.read_uncommitted() if self.read_uncommitted else ""
        facts, branch, overlay = self.memory.facts, self.memory.branch, self.memory.overlay
        return greeting.Situation(facts, branch, overlay, self.diff, self.health, uncommitted, _days(facts))

    def render_tier_one(self, room: int, files: list[str]) -> str:
        """Return tier 1 behind the line with its source and cost, then a line for each file as far as there is room."""
        touched = [row["path"] for row in self.diff["files"]] if self.diff else []
        rows = tiers.format_lines(self.memory.facts, 1, self.memory.branch, touched)
        text = composer.fit(rows, room - estimate(self._receipt(999) + "\n"))
        head = self._receipt(estimate(text + "\n"))
        return composer.fit([head, *text.splitlines(), *files], room)

    def _receipt(self, tokens: int) -> str:
        own = {self.memory.overlay: texts.overlay_name(self.memory.branch)}
        names = [own.get(name, make_label(name)) for name in self.memory.layers]
        return texts.memory_receipt(names, tokens, os.path.isfile(self.project.at(ARCHIVE)))

    def render_additions(self, first: bool) -> str:
        """Return what goes with the memory: global entries that fit, and preferences on a project's first session."""
        own = tiers.format_lines(self.memory.facts, "preferences") if first and self.memory.facts else []
        rows = composer.fit(own, PREFERENCES).splitlines()
        overview = str(self.memory.facts.get("overview") or "")
        return "\n".join([*global_memory.list_fitting(self.environ, self.project.root, overview), *rows])

    def render_facts(self, room: int, asks: bool) -> str:
        """Return the facts of the greeting for Claude."""
        return greeting.render_for_claude(self._situation(), room, asks=asks)

    def list_offers(self) -> list[str]:
        """Return the offers for Claude, a line each."""
        return [texts.to_offer(offer) for offer in self.offers]

    def render_message(self, *, continues: bool = False) -> str:
        """Return what the person reads; a session that `continues` another gets its next step from there."""
        offers = [*self.memory.facts["unclear"], *self.offers]
        return greeting.render_for_person(self._situation(), offers, "" if continues else None)


def begin(
    project: Project,
    environ: Mapping[str, str],
    ready: StartedMemory,
    uncommitted: Callable[[], str] | None = None,
) -> Start:
    """Return a start with its memory loaded and, where there is one, compared with the repository.

    Git reads the history while the memory is compiled, from the date that its text seems to name, and what is
    `uncommitted` while the two are compared.
    """
    memory = ready.memory
    if not memory.layers:
        return Start(project, environ, memory)
    path = project.at(newest_layer(memory))
    header = _read_header(memory)
    merged = offers.start_looking_for_merged(project, environ)  # before a thread runs: it forks
    read_history = background_task.start(lambda: _look(project, header, path)) if project.git_dir else None
    _prepare()
    start = Start(project, environ, compiled_memory.add_facts(project, environ, memory, ready.worker))
    if start.memory.facts:
        seen = _history(project, start.memory, read_history, header) if read_history else None
        start.read_uncommitted = background_task.start(uncommitted) if seen and uncommitted else None
        start.compare(seen)
        start.offer(merged)
    return start


def _prepare() -> None:
    """Load the modules that are needed in any case, while git works."""
    for name in (
        "belay.memory.health.evidence",
        "belay.memory.drift.session_diff",
        "belay.memory.health.score",
    ):
        __import__(name)
    estimate("")


def describe_health(project: Project, environ: Mapping[str, str]) -> str:
    """Return a line with the memory's score and its worst losses, "" where it was not compiled yet."""
    start = Start(
        project,
        environ,
        compiled_memory.add_cached_facts(project, environ, compiled_memory.read(project, environ)),
    )
    if not start.memory.facts:
        return ""
    path = project.at(newest_layer(start.memory))
    header = start.memory.facts["header"]
    try:
        seen = _look(project, header, path)._replace(facts=start.memory.facts) if project.git_dir else None
    except BelayError:
        seen = None
    start.compare(seen)
    return texts.health_with_reasons(start.health) if start.health else ""


def _days(facts: Facts) -> int:
    """Return how many days ago somebody saved a memory, 0 where it has no date."""
    reviewed = facts["header"].get("reviewed") or facts["header"]["updated"]
    then, today = (clock.seconds(f"{date}T00:00:00") for date in (reviewed, clock.local_date()))
    return max(0, round((today - then) / clock.DAY)) if then else 0


def _updated(text: str) -> str:
    """Return the date that a text's header seems to name, "" for none."""
    date = text.partition("Last updated:")[2][:24].strip(" *")[:10]
    return date if date[4:5] == date[7:8] == "-" and date.replace("-", "").isdigit() else ""


def _read_header(memory: Memory) -> Header:
    """Return the dates that the newest layer's text seems to name."""
    text = max(memory.texts, key=_updated)
    line = text.partition("Last updated:")[2].partition("\n")[0]
    return {"line": 0, "updated": _updated(text), "reviewed": line.partition("Reviewed:")[2].strip(" *")[:10]}


def _look(project: Project, header: Header, path: str) -> Comparison:
    from belay.memory.drift import changes

    return changes.compare_memory(project, {"header": header}, path)


def _history(
    project: Project, memory: Memory, read_ahead: Callable[[], Comparison], header: Header
) -> Comparison | None:
    """Return what git read ahead, read again if the memory has other dates; None where git does not answer."""
    known = memory.facts["header"]
    try:
        seen = read_ahead()
        if (known["updated"], known.get("reviewed", "")) != (header["updated"], header["reviewed"]):
            seen = _look(project, known, project.at(newest_layer(memory)))
    except BelayError:
        return None
    return seen._replace(facts=memory.facts)


def _compared(
    project: Project, facts: Facts, environ: Mapping[str, str], seen: Comparison | None, newest: str
) -> tuple[Diff | None, Health]:
    from belay.memory.drift import session_diff
    from belay.memory.health import evidence
    from belay.memory.health import score as health_score

    path = project.at(newest)
    diff = session_diff.gather_diff(project, facts, environ, path=path, seen=seen) if seen else None
    return diff, health_score.score_memory(facts, evidence.gather_evidence(project, facts, diff, path, seen))


def newest_layer(memory: Memory) -> str:
    """Return the layer whose header counts: of the newest date the last one, as in `memory/document/layers.py`."""
    dates = [_updated(text) for text in memory.texts]
    return next(name for name, date in list(zip(memory.layers, dates, strict=True))[::-1] if date == max(dates))
