"""A continuation as a session's start hands it over: which one, in what words, and when it counts as received."""

from __future__ import annotations

from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.safety import shown_notices
from belay.session import continuation_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.context.start import notices as start_notices
    from belay.session.session import Session


def standing(
    session: Session, files: start_notices.Files
) -> tuple[continuation_files.Continuation | None, str]:
    """Return the continuation to hand over now, and the line that names one which is not handed over."""
    note = continuation_files.find_waiting(session.project)
    if note is None or "CONTINUATION.md" not in files.known:
        return None, _another(session)
    why = continuation_files.reason_to_wait(note, session.branch)
    return (None, f"CONTINUATION.md {why}; /pickup delivers it.") if why else (note, _another(session))


def _another(session: Session) -> str:
    """Return the line that names a continuation in the archive which nobody received; each is named once."""
    for note in continuation_files.list_archived(session.project, session.environ, waiting=True)[:1]:
        if shown_notices.is_new(session.environ, f"waits {note.path} {note.stamp}"):
            return f'Another continuation waits ("{note.title()}"): /pickup shows it.'
    return ""


def slot(note: continuation_files.Continuation | None, older: list[Session]) -> dict[str, str]:
    """Return the continuation's slot: its text, or where it is when a person made it too long for the slot."""
    if note is None:
        return {}
    last = not older or older[0].name.startswith(note.session)
    who = "the last session" if last else "an earlier session"
    whole = f"CONTINUATION.md, left by {who}:\n{note.text.strip()}"
    room = composer.WITH_CONTINUATION["continuation"]
    if estimate(whole + "\n") <= room:
        return {"continuation": whole}
    return {
        "continuation": f"CONTINUATION.md waits ({note.title()}); it is too long to show here: read the file."
    }


def tells(line: str, text: str) -> bool:
    """Whether a buffer line stands in the continuation too: where things stand, and captures by id."""
    return (
        line.startswith(("Current task:", "Resume from:", "Next step:"))
        or line.split(":", 1)[0].rpartition(" ")[2] in text
    )


def delivery(session: Session, note: continuation_files.Continuation, how: str) -> Callable[[], None]:
    """Return the hand-over's end: done after the client was told, so that a kill in between shows it once more."""

    def deliver() -> None:
        continuation_files.deliver(session, note, how)

    return deliver
