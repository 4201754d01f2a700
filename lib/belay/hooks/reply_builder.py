"""Builds the replies of hooks: their own lines, the budget's notice, trouble with writing; and the recovery order."""

from __future__ import annotations

from belay.budget import usage
from belay.client.event import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.budget.usage import Budget
    from belay.session.session import Session

CHECKPOINT, CONTINUATION = 60, 80
RECOVERY_TOKENS = 500
ASKED_MOST = 3
"""How often a session asks Claude for a closing line."""


def build_reply(
    session: Session, context: list[str], due: tuple[Budget, list[int]] | None, is_new: bool = False
) -> Reply | None:
    """Return the reply of a hook: its own lines, then the budget's; trouble with writing is reported once a session."""
    lines, user = [line for line in context if line], []
    if due:
        for_claude, for_person = announce_thresholds(session, *due)
        lines.append(for_claude)
        user.append(for_person)
    if is_new and not session.trouble:
        from belay.repository import excludes

        excludes.write_excludes(session.project, session.environ)
    if session.trouble:
        user += _trouble(session)
    if not lines and not user:
        return None
    from belay.core.text import composer

    return Reply(context=composer.fence("\n".join(lines)) if lines else "", user="\n".join(user))


def announce_thresholds(session: Session, measured: Budget, marks: list[int]) -> tuple[str, str]:
    """Return the line for Claude and the line for the person on thresholds that were crossed.

    60 % saves a checkpoint, 80 % the continuation and "Where We Left Off" too.
    """
    session.log("budget", thresholds=marks, used=measured.used, limit=measured.limit)
    asked = ask_for_closing_line(session) if max(marks) >= CHECKPOINT else ""
    highest = max((mark for mark in marks if mark <= 100), default=marks[-1])
    if highest >= CHECKPOINT:
        session.save()
    if CONTINUATION <= highest <= 100:
        from belay.memory import left_off
        from belay.session import continuation_files

        continuation_files.refresh(session)
        left_off.update_left_off(session)
    for_claude, for_person = usage.format_notices(highest, measured)
    return "\n".join(filter(None, (for_claude, asked))), for_person


def ask_for_closing_line(session: Session) -> str:
    """Return the request to end the answer with a closing line, "" where it is switched off or was made often enough.

    The note of the next session is right where Claude itself says what is left (`session/work/answer`).
    """
    from belay.core import settings
    from belay.hooks import replies

    is_on = settings.load_settings(session.project, session.environ)["ask"]
    if not is_on or session.state["asked"] >= ASKED_MOST:
        return ""
    session.log("asked")
    return replies.ASK


def _trouble(session: Session) -> list[str]:
    from belay.safety import shown_notices

    if not shown_notices.is_new(session.environ, f"{session.project.root} {session.name} trouble"):
        return []
    from belay.hooks import replies

    return [replies.cannot_record(session.trouble)]


def render_recovery(session: Session) -> str:
    """Return the recovery order of seed 004: open work first, then one line a file; "" for neither."""
    from belay.core.text import composer
    from belay.hooks import replies
    from belay.session import recovery
    from belay.session.session import find_others

    older = find_others(session, days=7.0)
    lines = recovery.list_open_work(session, older)
    files = recovery.list_memory_files(session, older[0].state["active"] if older else "")
    text = composer.fit([*lines, *files], RECOVERY_TOKENS)
    return replies.recovery(text) if text else ""
