"""The notices slot of a session's start: the receipt (limit, load, rest), foreign memory files, what else waits."""

from __future__ import annotations

from belay.budget import measurement
from belay.core.plain_text import shown
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.repository import vetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event
    from belay.context.start.compiled_memory import Memory
    from belay.session.session import Session

_FOREIGN = "Not loaded, for it came with the repository:"
NAMED_TOKENS = 46
"""What the lines on files that are not loaded may take of the notices."""
MEMORY_FILES = ("MEMORY.md", "CONTINUATION.md")


class Files:
    """The memory files of a project, vetted once: `known` path → text, `unknown` paths, one line on the unknown."""

    __slots__ = ("known", "refused", "unknown")

    def __init__(self, session: Session) -> None:
        project = session.project
        names = [*MEMORY_FILES, *(project.relative(path) for path in (project.todo, project.lessons))]
        self.known, self.unknown = vetting.vetted(project, session.environ, names)
        self.refused = vetting.refused(project, [*names, project.relative(project.buffer)])

    def add(self, memory: Memory) -> None:
        """Take in what a memory's other layers are: an overlay, a nearer MEMORY.md."""
        self.unknown += [one for name in memory.unknown if (one := shown(name)) not in self.unknown]
        self.refused += [one for row in memory.refused if (one := shown(row, 160)) not in self.refused]

    def line(self) -> str:
        """Return the lines that name what is not loaded: what nobody here accepted, what is no memory file."""
        return composer.fit(
            [*([_foreign(self.unknown)] if self.unknown else []), *self.refused], NAMED_TOKENS
        )


def _foreign(names: list[str]) -> str:
    """Return the line on unknown files; as many names as leave the slot room for it, the first in any case."""
    for known in range(len(names), 0, -1):
        more = f" and {len(names) - known} more" if known < len(names) else ""
        told = f"{_FOREIGN} {', '.join(names[:known])}{more} (`belay trust` accepts it)."
        if estimate(told + "\n") <= NAMED_TOKENS:
            return told
    return f"{_FOREIGN} {len(names)} memory files (`belay trust` names them)."


def notices(rows: list[str], session: Session, event: Event, injected: str, slots: dict[str, int]) -> str:
    """Return the notices slot: what waits and what may be offered, then the receipt of what is injected."""
    return composer.fit([row for row in (*rows, line(session, event, injected)) if row], slots["notices"] - 4)


def line(session: Session, event: Event, injected: str) -> str:
    """Return the receipt (seed 003): context limit, what Belay loads, what a session begins with, what is left."""
    limit = measurement.predict_limit(event, session)
    load = estimate(injected) if injected else 0
    began = measurement.find_starting_size(session)
    parts = [f"context limit {limit:,}", f"memory loaded {load}"]
    parts += [f"a session begins at {began:,}, leaving {limit - began - load:,}"] if began else []
    return f"Tokens: {', '.join(parts)}."
