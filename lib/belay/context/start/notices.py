"""The notices slot of a session's start: foreign memory files, what waits, the receipt of tokens."""

from __future__ import annotations

from belay.budget import measurement
from belay.context.start import row_texts, texts
from belay.core.plain_text import shown
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.repository import row_vetting, vetting
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event
    from belay.context.start.compiled_memory import Memory
    from belay.session.session import Session

NAMED_TOKENS = 46
"""Tokens of the lines on files that are not loaded."""
MEMORY_FILES = ("MEMORY.md", "CONTINUATION.md")


class MemoryFiles:
    """A project's memory files, vetted once: `known` path → text, `unknown` paths, `refused` lines that say why.

    `waiting` is path → number of rows that are left out of a file.
    """

    __slots__ = ("known", "refused", "unknown", "waiting")

    def __init__(self, session: Session) -> None:
        project = session.project
        names = [*MEMORY_FILES, *(project.relative(path) for path in (project.todo, project.lessons))]
        seen = row_vetting.read_known(project, session.environ, names)
        self.known, self.waiting, self.unknown = seen.texts, seen.waiting, seen.unknown
        self.refused = vetting.explain_refusals(project, [*names, project.relative(project.buffer)])

    def add(self, memory: Memory) -> None:
        """Add the other layers of a memory: an overlay, a nearer MEMORY.md."""
        unknown = (shown(make_label(name)) for name in memory.unknown)
        self.unknown += [name for name in unknown if name not in self.unknown]
        self.waiting = {**self.waiting, **{make_label(name): rows for name, rows in memory.waiting}}
        refused = (shown(make_label(row), 160) for row in memory.refused)
        self.refused += [row for row in refused if row not in self.refused]

    def describe_unloaded(self) -> str:
        """Return the lines on what is not loaded: files and rows that nobody here accepted, and what is no memory."""
        foreign = [_foreign(self.unknown)] if self.unknown else []
        waiting = [row_texts.foreign_rows(self.waiting)] if self.waiting else []
        return composer.fit([*foreign, *waiting, *self.refused], NAMED_TOKENS)


def _foreign(names: list[str]) -> str:
    """Return the line on unknown files with as many names as its tokens allow."""
    for known in range(len(names), 0, -1):
        line = texts.foreign_files(names, known)
        if estimate(line + "\n") <= NAMED_TOKENS:
            return line
    return texts.foreign_files(names, 0)


def render_notices(rows: list[str], session: Session, event: Event, injected: str, slots: dict[str, int]) -> str:
    """Return the notices slot: what waits and what may be offered, then the receipt of tokens."""
    return composer.fit([row for row in (*rows, render_receipt(session, event, injected)) if row], slots["notices"] - 4)


def render_receipt(session: Session, event: Event, injected: str) -> str:
    """Return the receipt of tokens, for the text that is injected."""
    limit = measurement.predict_limit(event, session)
    load = estimate(injected) if injected else 0
    return texts.token_receipt(limit, load, measurement.find_starting_size(session))


def describe_foreign_databases(session: Session, event: Event) -> str:
    """Return the person's line on databases that this user's Belay did not write, the first time they are there."""
    from belay.repository import database_location

    project, environ = session.project, event.environ
    found = [] if event.is_headless else database_location.list_foreign(project, project.root, environ)
    line = database_location.claim_notice(project, found, environ, for_person=True)
    return f"Belay: {line}" if line else ""


def describe_places(session: Session) -> list[str]:
    """Return the person's lines on what is kept elsewhere, once for each place, and on what Belay cannot write."""
    from belay.repository import blocked_places
    from belay.safety import shown_notices

    moves = [f"Belay: {line}." for line in blocked_places.explain_moves(session.project)]
    new = [line for line in moves if shown_notices.is_new(session.environ, f"{session.project.root} {line}")]
    found = [] if session.trouble else blocked_places.find_blocked(session.project, session.environ)
    return [*new, *([texts.blocked(found)] if found else [])]
