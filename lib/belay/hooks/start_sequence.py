"""What a session begins with: what dead sessions left is finished, then continuation or memory, and what changed.

Sources get different texts (HOST §2.3): startup and clear the hand-over, compact the recovery order, resume and fork
only what changed, because the client replays what was injected before.
"""

from __future__ import annotations

import os

from belay.budget import measurement
from belay.client.event import Reply
from belay.consolidate import memory as consolidate_memory
from belay.consolidate import session as consolidate_session
from belay.context.start import continuation, knowledge_cache, load_sequence
from belay.context.start import notices as start_notices
from belay.core import settings
from belay.core.constants import INJECT_TOKENS
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.knowledge.review import waiting_count
from belay.session import continuation_files, recovery
from belay.session.session import find_others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event
    from belay.context.start.compiled_memory import Ready
    from belay.session.session import Session

AFTER_COMPACTION = {
    "captures": 300,
    "continuation": 150,
    "files": 120,
    "notices": 100,
    "knowledge": composer.KNOWLEDGE_MOST,
    "instructions": INJECT_TOKENS,
}
"""Slot → tokens after a compaction: buffer lines first, then where to resume, then one line a file; what is left of
the whole goes to the knowledge base."""
LOOK_BACK_DAYS = 90.0
"""As long as a journal is kept: whoever comes back from a long leave still finds the session that died before it."""


def begin(event: Event, session: Session | None, ready: Ready | None) -> Reply:
    """Return what the session should begin with, fenced, and what the user is told once."""
    from belay.client import status_line_wrapper
    from belay.setup import start

    user = [start.ensure(event.environ)]
    status_line_wrapper.refresh(event.environ)
    if session is None:
        return Reply(user=user[0])
    _export(event, session)
    if settings.is_stale(session.project, event.environ):
        consolidate_session.start(session.project, event.environ)
    reply = _opened(event, session, ready)
    user += [reply.user, waiting_count.format_line(session.project, event.environ) if ready else ""]
    if session.trouble:
        user.append(f"Belay cannot record here ({session.trouble}).")
    reply.user = "\n".join(line for line in user if line)
    return reply


def _opened(event: Event, session: Session, ready: Ready | None) -> Reply:
    source = event.source or "startup"
    older = _finished(session)
    if not os.path.isdir(session.project.journals):
        return _unbegun(event, session, ready)
    session.log("start", source=source, model=event.model, **session.place())
    if source == "compact":
        return _after_compaction(event, session, older)
    if ready is None:
        return _resumed(session)
    return _begun(event, session, older, _load(session, ready))


def _finished(session: Session) -> list[Session]:
    """Return the project's other sessions, each that is over finished, the newest first."""
    from belay.core.errors import LockTimeout

    older = find_others(session, LOOK_BACK_DAYS)
    for one in older:
        try:
            consolidate_session.finish(one)
        except (OSError, LockTimeout) as error:
            session.trouble = session.trouble or str(error)
    if consolidate_memory.waits(older):
        consolidate_session.start(
            session.project, session.environ
        )  # what needs the parser is done beside the hook
    return older


def _after_compaction(event: Event, session: Session, older: list[Session]) -> Reply:
    session.log("compacted")
    measurement.learn_compaction(event.environ, event.transcript)
    note = continuation_files.find_waiting(session.project)
    known = "CONTINUATION.md" in start_notices.Files(session).known
    own = note if note and known and note.session == session.name else None
    texts = {
        "captures": composer.fit(recovery.list_open_work(session, older), AFTER_COMPACTION["captures"] - 4),
        "continuation": _resume_lines(own.text) if own else "",
        "files": "\n".join(recovery.list_memory_files(session, session.state["started"])),
        "notices": "The context was compacted; these lines come from Belay's files, written before that.",
    }
    session.save()
    texts["knowledge"] = _known(session, composer.compose(texts, AFTER_COMPACTION))
    texts["instructions"] = _again(session, composer.compose(texts, AFTER_COMPACTION))
    reply = Reply(composer.compose(texts, AFTER_COMPACTION))
    knowledge_cache.note(session, reply.context)
    if own:
        reply.then = continuation.delivery(session, own, "compaction")
    return reply


def _resume_lines(text: str) -> str:
    """Return the lines of a continuation that say where to go on: what its Context repeats is in the captures."""
    kept, section = [], ""
    for line in text.splitlines():
        section = line if line.startswith("#") else section
        if line.startswith("Resume from:") or (
            section == "## Immediate Next Action" and line and line != section
        ):
            kept.append(line)
    return composer.fit(kept, AFTER_COMPACTION["continuation"] - 4)


def _resumed(session: Session) -> Reply:
    since = session.state["said"] and session.state["last"]
    texts = {"drift": recovery.describe_drift(session, str(since or "")), "notices": ""}
    return Reply(composer.compose(texts, composer.WITHOUT))


def _unbegun(event: Event, session: Session, ready: Ready | None) -> Reply:
    """Return the start of a project in which Belay has written nothing yet: its memory, if there is one to load."""
    begun = _load(session, ready) if ready else None
    if begun and begun.memory.facts:
        return _begun(event, session, [], begun)
    files = start_notices.Files(session)
    return Reply(
        composer.compose({"notices": files.line()}, composer.WITHOUT), user=_unaccepted(session, files)
    )


def _begun(event: Event, session: Session, older: list[Session], begun: load_sequence.Start) -> Reply:
    files = start_notices.Files(session)
    files.add(begun.memory)
    note, waiting = continuation.standing(session, files)
    handed = continuation.slot(note, older)
    slots = composer.eased(handed["continuation"]) if note else composer.WITHOUT
    texts = {**handed, "captures": _captures(session, older, note, slots["captures"])}
    said = "\n".join(filter(None, texts.values()))
    texts |= _remembered(session, begun, older, slots, said)
    told = composer.compose(texts, slots)
    asked = [] if note else begun.asked()  # with a continuation nothing is asked; the person reads the offers
    texts["notices"] = start_notices.notices([waiting, files.line(), *asked], session, event, told, slots)
    user = begun.message() if begun.memory.facts else _unaccepted(session, files)
    texts["instructions"] = _again(session, composer.compose(texts, slots))
    reply = Reply(composer.compose(texts, {**slots, "instructions": INJECT_TOKENS}), user=user)
    knowledge_cache.note(session, reply.context)
    if note and note.text.strip() in reply.context and not event.is_headless:
        reply.then = continuation.delivery(session, note, event.source or "startup")
    return reply


def _load(session: Session, ready: Ready) -> load_sequence.Start:
    return load_sequence.begin(
        session.project, session.environ, ready, lambda: recovery.describe_uncommitted(session)
    )


def _remembered(
    session: Session, begun: load_sequence.Start, older: list[Session], slots: dict[str, int], said: str
) -> dict[str, str]:
    """Return the slots of memory, drift and what goes with them; without a loaded memory as far as files tell.

    The knowledge base leaves out what is `said` anyway.
    """
    since, resting = older[0].state["active"] if older else "", "memory" in slots
    named = recovery.list_memory_files(session) if resting else []
    if not begun.memory.facts:
        return {
            "memory": "\n".join(named),
            "drift": recovery.describe_drift(session, since, files=resting),
            "knowledge": _knowledge(session, begun.beside(first=not older), said, slots),
        }
    rest = [row for row in named if not row.startswith("MEMORY.md:")]
    memory = begun.tier_one(slots["memory"] - 4, rest) if resting else ""
    return {
        "memory": memory,
        "drift": begun.drift(slots["drift"] - 4, asks=resting),
        "knowledge": _knowledge(session, begun.beside(first=not older), f"{memory}\n{said}", slots),
    }


def _knowledge(session: Session, beside: str, said: str, slots: dict[str, int]) -> str:
    """Return the knowledge slot: what goes with the memory, then as much of the knowledge base as is left room for."""
    room = slots.get("knowledge", 0) - 4 - (estimate(beside + "\n") if beside else 0)
    return "\n".join(
        filter(None, (beside, knowledge_cache.told(session.project, session.environ, said, room)))
    )


def _known(session: Session, injected: str) -> str:
    """Return what the knowledge base tells in the room that is left beside what is injected already."""
    room = min(composer.KNOWLEDGE_MOST, INJECT_TOKENS - estimate(injected)) - 4
    return knowledge_cache.told(session.project, session.environ, injected, room)


def _again(session: Session, injected: str) -> str:
    return knowledge_cache.instructions(session.project, session.environ, injected)


def _unaccepted(session: Session, files: start_notices.Files) -> str:
    """Return the line that tells the person, once for each text, that the project's memory is not loaded."""
    from belay.memory import memory_files
    from belay.safety import shown_notices

    if "MEMORY.md" not in files.unknown:
        return ""
    text = memory_files.read_text(session.project.memory_md)
    told = shown_notices.is_new(session.environ, f"unaccepted {session.project.root} {text}")
    why = "came with the repository, so Claude is not shown it"
    return f"Belay: MEMORY.md {why}; read it, then `belay trust MEMORY.md`." if told else ""


def _captures(
    session: Session, older: list[Session], note: continuation_files.Continuation | None, room: int
) -> str:
    lines = recovery.list_open_work(session, older)
    left = [line for line in lines if note is None or not continuation.tells(line, note.text)]
    return composer.fit(left, room - 4)


def _export(event: Event, session: Session) -> None:
    """Tell the session's shell where Belay's data lies (HOST §1.3: the Bash tool does not get CLAUDE_PLUGIN_*)."""
    from belay.core import files, paths

    target = event.environ.get("CLAUDE_ENV_FILE")
    if not target:
        return
    rows = {"BELAY_DATA": paths.plugin_data(event.environ), "BELAY_SESSION": session.name}
    text = "".join(f"export {name}={_quoted(value)}\n" for name, value in rows.items())
    try:
        files.append_line(target, text.encode(), sync=False)
    except OSError:
        pass


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"
