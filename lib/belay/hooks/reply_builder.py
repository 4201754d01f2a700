"""Builds the replies of hooks: their own lines, the budget's notice, trouble with writing; and the recovery order."""

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


def is_new_project(session: Session) -> bool:
    """Whether Belay has never written in this project; then its ignore lines come with the first reply."""
    return not os.path.isdir(session.project.journals)


def build_reply(session: Session, event: Event, context: list[str], is_new: bool = False) -> Reply | None:
    """Return the reply of a hook: its own lines, then the budget's; trouble with writing is reported once a session."""
    from belay.budget import measurement

    lines = [line for line in context if line]
    user = []
    measured = measurement.measure_event(event, session)
    if measured:
        for_claude, for_person = announce_thresholds(session, measured)
        lines += for_claude
        user += for_person
    if is_new and not session.trouble:
        from belay.repository import excludes

        excludes.write_excludes(session.project)
    if session.trouble:
        user += _trouble(session)
    if not lines and not user:
        return None
    from belay.core.text import composer

    return Reply(context=composer.fence("\n".join(lines)) if lines else "", user="\n".join(user))


def announce_thresholds(session: Session, measured: Budget) -> tuple[list[str], list[str]]:
    """Return the lines for Claude and for the person on thresholds that were crossed, each once.

    60 % saves a checkpoint, 80 % the continuation and "Where We Left Off" too.
    """
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
    for_claude, for_person = usage.format_notices(highest, measured)
    return [for_claude], [for_person]


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
