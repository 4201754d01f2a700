"""The continuation that a session's start delivers: which one, in what words, and when it counts as received."""

from __future__ import annotations

from belay.context.start import texts
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.safety import shown_notices
from belay.session import continuation_files
from belay.session.work import steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.context.start import notices as start_notices
    from belay.session.session import Session


def find_continuation(
    session: Session, files: start_notices.MemoryFiles
) -> tuple[continuation_files.Continuation | None, str]:
    """Return the continuation to deliver now, and a line on one that waits."""
    note = continuation_files.find_waiting(session.project)
    if note is None or "CONTINUATION.md" not in files.known:
        return None, _another(session)
    why = continuation_files.reason_to_wait(note, session.branch)
    return (None, texts.waiting_continuation(why)) if why else (note, _another(session))


def _another(session: Session) -> str:
    """Return the line that names a continuation in the archive which nobody received; each is named once."""
    for note in continuation_files.list_archived(session.project, session.environ, waiting=True)[:1]:
        if shown_notices.is_new(session.environ, f"waits {note.path} {note.stamp}"):
            return texts.another_continuation(note.title())
    return ""


def render_slot(note: continuation_files.Continuation | None, older: list[Session]) -> dict[str, str]:
    """Return the continuation's slot: its text, or where it is when a person made it too long for the slot."""
    if note is None:
        return {}
    last = not older or older[0].name.startswith(note.session)
    text = texts.continuation(note.text, last)
    fits = estimate(text + "\n") <= composer.WITH_CONTINUATION["continuation"]
    return {"continuation": text if fits else texts.long_continuation(note.title())}


def render_for_person(session: Session, note: continuation_files.Continuation) -> str:
    """Return the person's line on a continuation: how the last session ended, and the same next step as Claude's."""
    state = other.state if (other := _find_session(session, note)) else None
    if state is None:
        return texts.continues(note.title().removeprefix("Continue: "), "", "")
    work = steps.find_work(state)
    cursor = state["cursor"]
    place = f" in {cursor['tool']} {cursor['file'] or cursor['command']}".rstrip() if cursor else " before it finished"
    return texts.continues(work.task, work.next, place if state["ended"] == "lost" else "")


def _find_session(session: Session, note: continuation_files.Continuation) -> Session | None:
    """Return the session that left a continuation, None where its journal is gone."""
    other = session.named(note.session) if note.session else None
    return other if other and other.state["last"] else None


def contains_line(line: str, text: str) -> bool:
    """Whether a continuation has a line of open work too: task and next step always, captures by their id."""
    return (
        line.startswith(("Current task:", "Resume from:", "Next step:"))
        or line.split(":", 1)[0].rpartition(" ")[2] in text
    )


def make_delivery(session: Session, note: continuation_files.Continuation, how: str) -> Callable[[], None]:
    """Return what is done after the client printed the continuation: a kill in between shows it once more."""

    def deliver() -> None:
        continuation_files.deliver(session, note, how)

    return deliver
