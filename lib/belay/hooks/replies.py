"""Every text that hooks reply with, a session's start aside (`context/start/texts.py`): facts and commands for Claude.

The notice of the context budget is in `budget/usage`, the receipt of captures in `session/captures`, the refusal of a
tool call in `client/tool_guard`, a branch's memory in `memory/branches/view`.
"""

from __future__ import annotations

SAID_BEFORE = (
    "The user asks to remember what was just said; save each fact in one line: "
    '`belay remember "TEXT" --as decision|blocker|note|preference|value|done`.'
)
COMMANDS = {
    "handoff": "/handoff writes HANDOFF.md for people (`belay handoff`)",
    "compress": "/compress shows what would leave MEMORY.md and does it on yes (`belay compress --dry-run`)",
    "rebuild": "/rebuild proposes a MEMORY.md built from the repository and writes it on yes (`belay rebuild`)",
    "health": "/health scores MEMORY.md and says how to regain each lost point (`belay health`)",
}
"""Requests that a command of its own answers, and what it does."""
ASK = (
    "Please `memory_record` what was decided or found out and the diff does not show. End the answer with one line: "
    "`Next: …`, `Waiting: …` (for the user) or `Done: …`."
)
"""At a commit and from 60 % on: what only the model in the session knows. At most three times a session."""
WRAP_UP = "/wrap-up saves the session: it shows an audit and takes one YAML document (`belay wrap-up`)."
SAVED = "The state is saved and CONTINUATION.md is written: the next session starts with it."
BUDGET_UNKNOWN = "The context in use is not known yet; `belay budget` explains why."
START_TRACKING = (
    "This project has no MEMORY.md. When it fits, ask the user once: “Want me to start tracking our progress? I'll "
    "create a memory file so next session picks up instantly.” On yes: `belay wrap-up`."
)


def filing(capture: str) -> str:
    """Return that a capture is on its way into MEMORY.md."""
    return f"{capture} is being filed in MEMORY.md; `belay remember {capture}` shows the section and line."


def to_file(capture: str) -> str:
    """Return how to file a capture that code alone cannot file."""
    return f"To save it in MEMORY.md: `belay remember {capture}`."


def no_continuation(why: str) -> str:
    """Return why "save state" wrote no continuation."""
    return f"The state is in the journal; no CONTINUATION.md was written: {why}."


def not_saved(why: str) -> str:
    """Return why "save state" saved nothing at all."""
    return f"Nothing was saved: {why}."


def nothing_recorded(has_foreign_memory: bool) -> str:
    """Return that there is nothing to pick up."""
    foreign = " MEMORY.md came with the repository and the user has not accepted it."
    return f"Belay has nothing recorded for this project yet.{foreign * has_foreign_memory}"


def recovery(lines: str) -> str:
    """Return open work and memory files, for a session that lost its context."""
    return f"The state of the work, from Belay's files:\n{lines}"


def to_keep(lines: str, where: str) -> str:
    """Return what the summariser of a compaction should keep."""
    return f"Keep in the summary, word for word, what is still open (also in {where}):\n{lines}"


def for_subagent(lines: str) -> str:
    """Return open work, for a subagent, which starts without memory."""
    return f"Facts recorded in this project:\n{lines}"


def cannot_record(trouble: str) -> str:
    """Return the notice for the person where the journal cannot be written."""
    return f"Belay cannot record here ({trouble}); nothing is kept until that folder can be written."


def todos_done(number: int) -> str:
    """Return what a milestone is about whose last todo was done."""
    return f"all {number} todos are done" if number > 1 else "the last todo is done"


def passes_again(command: str) -> str:
    """Return what a milestone is about whose failing check passes."""
    return f"`{command}` passes again"


def committed(sha: str, subject: str) -> str:
    """Return what a milestone is about that is a commit."""
    return f"committed {sha[:9]} “{subject}”"


def milestone(line: str, is_work_done: bool) -> str:
    """Return that a milestone was reached and what it changes; a check that passes again completes no work."""
    sections = "Active Work, Completed and Where We Left Off" if is_work_done else "Where We Left Off"
    return f"Milestone: {line}. The memory is being brought up to date ({sections})."
