"""What several hooks say at their end: budget notices, trouble with writing, the recovery order."""

from __future__ import annotations

import os

from belay.client.event import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.budget.usage import Budget
    from belay.client.event import Event
    from belay.session.session import Session

CHECKPOINT, CONTINUATION = 60, 80
RECOVERY_TOKENS = 500


def is_new(session: Session) -> bool:
    """Whether Belay has never written in this project; then its ignore lines are laid first."""
    return not os.path.isdir(session.project.journals)


def reply(session: Session, event: Event, context: list[str], fresh: bool = False) -> Reply | None:
    """Return the reply of a hook: its own lines, then the budget's; what could not be written is told once."""
    from belay.budget import measurement

    lines = [line for line in context if line]
    user = []
    measured = measurement.measure_event(event, session)
    if measured:
        told, shown = notices(session, measured)
        lines += told
        user += shown
    if fresh and not session.trouble:
        from belay.repository import excludes

        excludes.write_excludes(session.project)
    if session.trouble:
        user += _trouble(session)
    if not lines and not user:
        return None
    from belay.core.text import composer

    return Reply(context=composer.fence("\n".join(lines)) if lines else "", user="\n".join(user))


def notices(session: Session, measured: Budget) -> tuple[list[str], list[str]]:
    """Announce each threshold once: 60 % saves a checkpoint, 80 % the continuation and "Where We Left Off" too."""
    from belay.budget import usage
    from belay.core import settings as core_settings

    settings = core_settings.load_settings(session.project, session.environ)
    reached = usage.find_crossed(measured, (), settings["thresholds"], settings["absolute"])
    marks = [mark for mark in reached if mark not in session.state["announced"]] if reached else []
    if not marks or not settings["notices"]:
        return [], []
    session.log("budget", thresholds=marks, used=measured.used, limit=measured.limit)
    highest = max((mark for mark in marks if mark <= 100), default=marks[-1])
    if highest >= CHECKPOINT:
        session.save()
    if CONTINUATION <= highest <= 100:
        from belay.memory import left_off
        from belay.session import continuation_files

        continuation_files.refresh(session)
        left_off.update_left_off(session)
    told, shown = usage.format_notices(highest, measured)
    return [told], [shown]


def _trouble(session: Session) -> list[str]:
    from belay.safety import shown_notices

    if not shown_notices.is_new(session.environ, f"{session.project.root} {session.name} trouble"):
        return []
    return [
        f"Belay cannot record here ({session.trouble}); nothing is kept until that folder can be written."
    ]


def recovery(session: Session) -> str:
    """Return the recovery order of seed 004: buffer lines first, then one line a file."""
    from belay.core.text import composer
    from belay.session import recovery as session_recovery
    from belay.session.session import find_others

    older = find_others(session, days=7.0)
    lines = session_recovery.list_open_work(session, older)
    files = session_recovery.list_memory_files(session, older[0].state["active"] if older else "")
    text = composer.fit([*lines, *files], RECOVERY_TOKENS)
    return f"Where things stand, from Belay's files:\n{text}" if text else ""
