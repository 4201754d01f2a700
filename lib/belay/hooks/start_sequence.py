"""What a session begins with: dead sessions are finished, then comes continuation or memory, and what changed.

Sources get different texts (HOST §2.3): startup and clear the continuation, compact the recovery order, resume and
fork only what changed, because the client replays what was injected before.
"""

from __future__ import annotations

import os

from belay.budget import measurement
from belay.client.event import Reply
from belay.consolidate import memory as consolidate_memory
from belay.consolidate import session as consolidate_session
from belay.context.start import continuation, knowledge_cache, load_sequence, row_texts, texts
from belay.context.start import notices as start_notices
from belay.core import settings, signatures
from belay.core.constants import INJECT_TOKENS
from belay.core.text import composer
from belay.core.text.invisible import drop_invisible
from belay.core.text.tokens import estimate
from belay.session import binding, continuation_files, recovery
from belay.session.session import find_others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import Event
    from belay.context.start.compiled_memory import StartedMemory
    from belay.session.session import Session

AFTER_COMPACTION = {
    "captures": 300,
    "continuation": 150,
    "files": 120,
    "notices": 100,
    "knowledge": composer.KNOWLEDGE_MOST,
    "instructions": INJECT_TOKENS,
}
"""Slot → tokens after a compaction: open work first, then where to resume, then one line a file; the knowledge base
gets what is left."""
LOOK_BACK_DAYS = 90.0
"""As long as a journal is kept: whoever comes back from a long leave still finds the session that died before it."""


def begin(event: Event, session: Session | None, started: StartedMemory | None) -> Reply:
    """Return what the session begins with, fenced, and what the person reads once."""
    from belay.client import status_line_wrapper
    from belay.setup import start

    user = [start.ensure(event.environ)]
    status_line_wrapper.refresh(event.environ)
    if session is None:
        return Reply(user=user[0])
    binding.export(event, session.project)
    if settings.is_stale(session.project, event.environ):
        consolidate_session.start_detached(session.project, event.environ)
    older = find_others(session, LOOK_BACK_DAYS)
    is_left = consolidate_session.is_left_unfinished(session.project, older)
    is_taken_up = _finish_others(session, older, is_left)
    reply = _start(event, session, started, older)
    user.append(_first_notice(event, session))
    user.append(start_notices.describe_foreign_databases(session, event))
    user += start_notices.describe_places(session) if started and not event.is_headless else []
    user.append(reply.user)
    if started or event.source == "compact":
        user.append(_explain_reprint(session, reply))
    if session.trouble:
        user.append(texts.cannot_record(session.trouble))
    elif not signatures.has_key(event.environ):
        user.append(texts.no_key(signatures.key_file(event.environ)))
    elif is_taken_up:
        user.append(texts.TAKEN_UP)
    reply.user = "\n".join(line for line in user if line)
    return reply


def _first_notice(event: Event, session: Session) -> str:
    """Return the line of the very first session after an install, for a person who can read it, where it is true."""
    from belay.safety import shown_notices

    can_record = not session.trouble and os.access(session.project.root, os.W_OK)
    is_first = can_record and not event.is_headless and shown_notices.is_new(event.environ, "first session")
    return texts.FIRST_SESSION if is_first else ""


def _start(event: Event, session: Session, started: StartedMemory | None, older: list[Session]) -> Reply:
    source = event.source or "startup"
    if not os.path.isdir(session.project.journals):
        return _start_new_project(event, session, started)
    session.log("start", source=source, model=event.model, **session.place())
    if source == "compact":
        return _start_after_compaction(event, session, older)
    if started is None:
        return _resume(session)
    return _start_with_memory(event, session, older, _load(session, started))


def _finish_others(session: Session, older: list[Session], is_left: bool) -> bool:
    """Finish the project's sessions that are over; return whether work that was left is taken up beside the hook."""
    from belay.core.errors import LockTimeout

    for other in older:
        try:
            consolidate_session.finish(other)
        except (OSError, LockTimeout) as error:
            session.trouble = session.trouble or str(error)
    if not is_left and not consolidate_memory.has_work(older):
        return False
    # What needs the parser is done beside the hook.
    return consolidate_session.start_detached(session.project, session.environ) and is_left


def _start_after_compaction(event: Event, session: Session, older: list[Session]) -> Reply:
    session.log("compacted")
    measurement.learn_compaction(event.environ, event.transcript)
    note = continuation_files.find_waiting(session.project)
    is_trusted = "CONTINUATION.md" in start_notices.MemoryFiles(session).known
    own = note if note and is_trusted and note.session == session.name else None
    slots = {
        "captures": composer.fit(recovery.list_open_work(session, older), AFTER_COMPACTION["captures"] - 4),
        "continuation": _resume_lines(own.text) if own else "",
        "files": "\n".join(recovery.list_memory_files(session, session.state["started"])),
        "notices": texts.COMPACTED,
    }
    session.save()
    slots["knowledge"] = _knowledge_beside(session, composer.compose(slots, AFTER_COMPACTION))
    slots["instructions"] = _instructions(session, composer.compose(slots, AFTER_COMPACTION))
    reply = Reply(composer.compose(slots, AFTER_COMPACTION))
    knowledge_cache.record_recalled(session, reply.context)
    if own:
        reply.then = continuation.make_delivery(session, own, "compaction")
    return reply


def _resume_lines(text: str) -> str:
    """Return the lines of a continuation that say where to go on; its Context is among the captures anyway."""
    lines, section = [], ""
    for line in text.splitlines():
        section = line if line.startswith("#") else section
        if line.startswith("Resume from:") or (section == "## Immediate Next Action" and line and line != section):
            lines.append(line)
    return composer.fit(lines, AFTER_COMPACTION["continuation"] - 4)


def _resume(session: Session) -> Reply:
    since = session.state["last"] if session.state["said"] else ""
    slots = {"drift": recovery.describe_drift(session, since), "notices": ""}
    return Reply(composer.compose(slots, composer.WITHOUT))


def _start_new_project(event: Event, session: Session, started: StartedMemory | None) -> Reply:
    """Return the start of a project in which Belay has written nothing yet: its memory, if there is one to load."""
    loaded = _load(session, started) if started else None
    if loaded and loaded.memory.facts:
        return _start_with_memory(event, session, [], loaded)
    files = start_notices.MemoryFiles(session)
    work = composer.fit(recovery.list_open_work(session, []), composer.WITHOUT["captures"] - 4)
    slots = {"captures": work, "notices": files.describe_unloaded()}
    slots["instructions"] = _instructions(session, composer.compose(slots, composer.WITHOUT))
    rooms = {**composer.WITHOUT, "instructions": INJECT_TOKENS}
    return Reply(composer.compose(slots, rooms), user=_unaccepted_notice(session, files))


def _start_with_memory(event: Event, session: Session, older: list[Session], loaded: load_sequence.Start) -> Reply:
    files = start_notices.MemoryFiles(session)
    files.add(loaded.memory)
    note, waiting = continuation.find_continuation(session, files)
    slots = continuation.render_slot(note, older)
    rooms = composer.eased(slots["continuation"]) if note else composer.WITHOUT
    slots["captures"] = _open_work(session, older, note, rooms["captures"])
    said = "\n".join(filter(None, slots.values()))
    slots |= _memory_slots(session, loaded, older, rooms, said)
    injected = composer.compose(slots, rooms)
    # With a continuation nothing is offered to Claude; the person reads the offers.
    offers = [] if note else loaded.list_offers()
    notices = [waiting, files.describe_unloaded(), *offers]
    slots["notices"] = start_notices.render_notices(notices, session, event, injected, rooms)
    person = (
        continuation.render_for_person(session, note) if note else "",
        loaded.render_message(continues=note is not None) if loaded.memory.facts else "",
        _unaccepted_notice(session, files),
        _waiting_notice(session, files),
    )
    user = "\n".join(filter(None, person))
    slots["instructions"] = _instructions(session, composer.compose(slots, rooms))
    reply = Reply(composer.compose(slots, {**rooms, "instructions": INJECT_TOKENS}), user=user)
    knowledge_cache.record_recalled(session, reply.context)
    if note and drop_invisible(note.text.strip()) in reply.context and not event.is_headless:
        reply.then = continuation.make_delivery(session, note, event.source or "startup")
    return reply


def _load(session: Session, started: StartedMemory) -> load_sequence.Start:
    return load_sequence.begin(
        session.project, session.environ, started, lambda: recovery.describe_uncommitted(session)
    )


def _memory_slots(
    session: Session, loaded: load_sequence.Start, older: list[Session], rooms: dict[str, int], said: str
) -> dict[str, str]:
    """Return the slots of memory, drift and knowledge; without a loaded memory, what the files alone give.

    The knowledge base leaves out what is `said` anyway.
    """
    since, has_room = older[0].state["active"] if older else "", "memory" in rooms
    files = recovery.list_memory_files(session) if has_room else []
    additions = loaded.render_additions(first=not older)
    if not loaded.memory.facts:
        return {
            "memory": "\n".join(files),
            "drift": recovery.describe_drift(session, since, files=has_room),
            "knowledge": _knowledge_slot(session, additions, said, rooms),
        }
    others = [row for row in files if not row.startswith("MEMORY.md:")]
    memory = loaded.render_tier_one(rooms["memory"] - 4, others) if has_room else ""
    return {
        "memory": memory,
        "drift": loaded.render_facts(rooms["drift"] - 4, asks=has_room),
        "knowledge": _knowledge_slot(session, additions, f"{memory}\n{said}", rooms),
    }


def _knowledge_slot(session: Session, additions: str, said: str, rooms: dict[str, int]) -> str:
    """Return the knowledge slot: what goes with the memory, then as much of the knowledge base as there is room for."""
    room = rooms.get("knowledge", 0) - 4 - (estimate(additions + "\n") if additions else 0)
    knowledge = knowledge_cache.render_slot(session.project, session.environ, said, room)
    return "\n".join(filter(None, (additions, knowledge)))


def _knowledge_beside(session: Session, injected: str) -> str:
    """Return what of the knowledge base fits beside what is injected already."""
    room = min(composer.KNOWLEDGE_MOST, INJECT_TOKENS - estimate(injected)) - 4
    return knowledge_cache.render_slot(session.project, session.environ, injected, room)


def _instructions(session: Session, injected: str) -> str:
    return knowledge_cache.reprint_instructions(session.project, session.environ, injected)


def _explain_reprint(session: Session, reply: Reply) -> str:
    """Return the line on CLAUDE.md where the setting asks for it and the start has none of it."""
    why = knowledge_cache.explain_reprint(session.project, session.environ, reply.context or " ")
    return texts.not_reprinted(*why) if why else ""


def _unaccepted_notice(session: Session, files: start_notices.MemoryFiles) -> str:
    """Return the person's notice on files that are not loaded, once for each text of them."""
    from belay.memory import memory_files
    from belay.safety import shown_notices

    if not files.unknown:
        return ""
    held = "".join(memory_files.read_text(session.project.at(name)) for name in files.unknown)
    is_first = shown_notices.is_new(session.environ, f"unaccepted {session.project.root} {held}")
    return texts.UNACCEPTED.format(names=" ".join(files.unknown)) if is_first else ""


def _waiting_notice(session: Session, files: start_notices.MemoryFiles) -> str:
    """Return the person's notice that rows of memory files are left out, once for each text of them."""
    from belay.memory import memory_files
    from belay.safety import shown_notices

    if not files.waiting:
        return ""
    held = "".join(memory_files.read_text(session.project.at(path)) for path in files.waiting)
    is_first = shown_notices.is_new(session.environ, f"waiting rows {session.project.root} {held}")
    return row_texts.waiting_rows(files.waiting) if is_first else ""


def _open_work(session: Session, older: list[Session], note: continuation_files.Continuation | None, room: int) -> str:
    lines = recovery.list_open_work(session, older)
    new = [line for line in lines if note is None or not continuation.contains_line(line, note.text)]
    return composer.fit(new, room - 4)
