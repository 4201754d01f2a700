"""The document that code alone can write of a session: what commits, todos and captures say, and nothing else.

What is not known is left out: no reason, no lesson, no summary without content, no next step that names nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay.core import kinds, plain_text
from belay.core.plain_text import cut
from belay.core.text.statements import wording
from belay.memory import next_step_target
from belay.memory.remember import sentences
from belay.memory.wrapup import form
from belay.session import working_buffer

if TYPE_CHECKING:
    from belay.memory.wrapup.form import Decision, Document
    from belay.session.session import Session
    from belay.session.state_types import Capture

Audit = dict[str, Any]
OUTRIGHT = ("hand", "answered", "asked")
"""Origins of a capture that somebody made on purpose: the command, an answered question, "remember this"."""
SURE = 0.9
"""Confidence of a phrase that is enough by itself (triggers.classify)."""
SHOWN = 4
"""Commits, decisions and notes that a row of the Session Log names."""
FILES_SHOWN = 2
TITLE_CHARS, SUBJECT_CHARS, NOTE_CHARS = 120, 90, 120
_CHORES = ("merge ", "wip", "fixup!", "squash!", "amend!")
_DONE = "completed"


def build_document(session: Session, audit: Audit, *, own: bool = False) -> Document:
    """Return what code alone can say of a session; `own` leaves out what the captures of other sessions say."""
    captures = [row for row in audit["captures"] if not own or row["session"] == session.name]
    done = [row["text"] for row in audit["todos"] if row.get("status") == _DONE]
    rest = [row["text"] for row in audit["todos"] if row.get("status") != _DONE]
    decisions = [split_decision(row["text"]) for row in captures if row["outright"]]
    has_work = bool(audit["files"] or audit["commits"] or audit["made"])
    return {
        **form.empty_document(),
        "summary": summarize(audit, [row["decision"] for row in decisions]),
        "task": audit["task"] if has_work else "",
        "status": _describe_status(audit, rest) if has_work else "",
        "next": find_next_step(session, audit) if has_work else "",
        "question": audit["question"] if has_work and sentences.stands_alone(audit["question"]) else "",
        "completed": _drop_repeats([*done, *list_subjects(audit)]),
        "active": rest,
        "blockers": [row["text"] for row in captures if row["class"] == kinds.BLOCKER],
        "decisions": decisions,
    }


def is_outright(capture: Capture) -> bool:
    """Whether a capture is a decision that was stated outright, understood alone, and in no memory file yet."""
    kind, classes = working_buffer.main_class(capture), capture["classes"]
    if capture.get("filed") or kind not in kinds.DECIDING or not sentences.has_content(capture["text"] or ""):
        return False
    return capture["origin"] in OUTRIGHT or (kind == kinds.DECISION and classes[kind] >= SURE)


def split_decision(text: str) -> Decision:
    """Return the decision of a sentence; a reason that it does not give is empty."""
    if sentences.ARROW in text:
        return {"decision": sentences.clean_answer(text).rstrip("."), "reason": "", "affects": ""}
    decision, reason = sentences.split_reason(sentences.strip_request(text), by_colon=False)
    return {"decision": decision.rstrip("."), "reason": reason, "affects": ""}


def summarize(audit: Audit, decided: list[str]) -> str:
    """Return one sentence on a session, from its task and its commits' subjects; "" where nothing is known."""
    title, subjects = _begin_sentence(cut(plain_text.one_line(audit["task"]), TITLE_CHARS)), list_subjects(audit)
    others = [subject for subject in subjects if not title or wording(subject) != wording(title)]
    if subjects:
        made = f"committed {_quote(others)}" if others else "committed"
        return f"{title}: {made}" if title else _begin_sentence(made)
    open_files = _list_uncommitted(audit)
    if title and open_files:
        return f"{title}: left uncommitted ({_name_files(open_files)})"
    if title and audit["files"]:
        return f"{title}: edited {_name_files([str(row['path']) for row in audit['files'][::-1]])}"
    return f"Decided: {_join([cut(text, NOTE_CHARS) for text in decided])}" if decided else ""


def summarize_filed(texts: list[str]) -> str:
    """Return one sentence on a session in which things were only remembered."""
    notes = [cut(sentences.strip_request(text).rstrip("."), NOTE_CHARS) for text in texts]
    return f"Noted: {_join(notes)}" if notes else ""


def list_subjects(audit: Audit) -> list[str]:
    """Return the subjects of the session's commits, each once; merges and the like say nothing.

    Those of the branch that is checked out come first, then those that the session made on other branches.
    """
    rows = [*audit["commits"][::-1], *audit["made"]]
    subjects = [cut(plain_text.one_line(row["subject"]), SUBJECT_CHARS) for row in rows if row["subject"]]
    return _drop_repeats([subject for subject in subjects if not subject.casefold().startswith(_CHORES)])


def find_next_step(session: Session, audit: Audit) -> str:
    """Return the next step: what a wrap-up would accept, or where an edit waits to be committed; "" for neither."""
    failing = audit["failing"]
    steps = [audit["intent"], f"Make `{failing['command']}` pass" if failing else ""]
    commands = [str(run["command"]) for run in session.state["tried"]]
    for step in filter(None, steps):
        if next_step_target.find_target(step, session.project, commands):
            return str(step)
    return _find_open_place(audit)


def _find_open_place(audit: Audit) -> str:
    """Return where to go on: the last edit that is not committed."""
    waiting = _list_uncommitted(audit) if audit["versioned"] else [row["path"] for row in audit["files"]]
    for row in audit["files"][::-1]:
        if row["path"] in waiting:
            return f"Go on at `{row['path']}" + (f":{row['line']}`" if row["line"] else "`")
    return ""


def _list_uncommitted(audit: Audit) -> list[str]:
    """Return the files that the session edited and nobody committed; git names a new folder as a whole."""
    folders = tuple(path for path in audit["uncommitted"] if path.endswith("/"))
    paths = [str(row["path"]) for row in audit["files"][::-1]]
    return [path for path in paths if path in audit["uncommitted"] or (folders and path.startswith(folders))]


def _describe_status(audit: Audit, rest: list[str]) -> str:
    is_committed = audit["commits"] or audit["made"]
    if rest or audit["failing"] or audit["question"] or _list_uncommitted(audit) or not is_committed:
        return "in progress"
    return "done"


def _begin_sentence(text: str) -> str:
    """Return a text with a capital first letter; a name such as `iOS` stays as it is."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first[1:].islower() and first.rstrip(",:").isalpha() else text


def _quote(texts: list[str]) -> str:
    return _join([f"“{text}”" for text in texts])


def _name_files(paths: list[str]) -> str:
    return _join([f"`{path}`" for path in paths], FILES_SHOWN, ", ")


def _join(texts: list[str], most: int = SHOWN, between: str = "; ") -> str:
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return between.join(texts[:most]) + more


def _drop_repeats(texts: list[str]) -> list[str]:
    return list({wording(text): text for text in reversed(texts)}.values())[::-1]
