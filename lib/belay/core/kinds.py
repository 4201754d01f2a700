"""The names of all kinds in one table: capture classes, entry types, note kinds, memory sections, and their mappings.

Parsers, command choices, tool schemas, the trigger model's labels and docs/kinds.md follow it. Hot hooks load it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    CaptureClass = Literal[
        "correction", "decision", "architecture", "priority", "preference", "value", "blocker", "note"
    ]
    EntryType = Literal[
        "decision", "gotcha", "goal", "note", "antipattern", "preference", "finding", "unknown", "deadend"
    ]
    NoteKind = Literal["decision", "blocker", "note", "issue", "preference", "value", "done"]

ARCHITECTURE, BLOCKER, CORRECTION, PRIORITY, VALUE = (
    "architecture",
    "blocker",
    "correction",
    "priority",
    "value",
)
DECISION, NOTE, PREFERENCE = "decision", "note", "preference"
ANTIPATTERN, DEADEND, FINDING, GOAL = "antipattern", "deadend", "finding", "goal"
GOTCHA, UNKNOWN = "gotcha", "unknown"
ISSUE, DONE = "issue", "done"

CAPTURES: dict[str, tuple[str, int, str, str]] = {
    "correction": ("Corrections", 0, "", ""),
    "decision": ("Decisions", 1, "decision", "decision"),
    "architecture": ("Architecture", 2, "note", "decision"),
    "priority": ("Priorities", 3, "", "goal"),
    "preference": ("Preferences", 5, "preference", "preference"),
    "value": ("Values", 4, "value", "note"),
    "blocker": ("Blockers", -1, "blocker", "note"),
    "note": ("Notes", -1, "note", "note"),
}
"""Class → heading in the working buffer, head in the trigger model's weights (-1: none), note kind, entry type.

In the order in which a reader needs them (seed 004). A correction becomes a rule: an antipattern or a preference.
"""
ENTRIES: dict[str, tuple[str, str, str, bool]] = {
    "decision": ("D", "Decision", "Decisions", False),
    "gotcha": ("K", "Gotcha", "Gotchas", True),
    "goal": ("K", "Goal", "Goals", True),
    "note": ("K", "Note", "Notes", True),
    "antipattern": ("K", "Antipattern", "Antipatterns", False),
    "preference": ("K", "Preference", "Preferences", False),
    "finding": ("K", "Finding", "Findings", True),
    "unknown": ("K", "Open question", "Open questions", True),
    "deadend": ("K", "Dead end", "Dead ends", True),
}
"""Type → first letter of its ids, its name, the heading above several, and whether it can be closed.

A decision is superseded instead; a rule holds until it is forgotten.
"""
NOTES: dict[str, tuple[tuple[str, ...], str]] = {
    "decision": (("decisions",), "decision"),
    "blocker": (("blockers",), "blocker"),
    "note": (("architecture",), "note"),
    "issue": (("issues", "gaps"), "note"),
    "preference": (("preferences",), "preference"),
    "value": (("external",), "value"),
    "done": (("completed",), "note"),
}
"""Kind → the memory sections it may go to (the first that the file has), and the class under which it is captured."""
MEMORY_SECTIONS = {
    "overview": "Project Overview",
    "left": "Where We Left Off",
    "completed": "Completed",
    "active": "Active Work",
    "blockers": "Blockers",
    "decisions": "Key Decisions",
    "files": "Key Files",
    "architecture": "Architecture Notes",
    "issues": "Known Issues",
    "log": "Session Log",
    "preferences": "User Preferences",
    "external": "External Context",
    "workstreams": "Active Workstreams",
    "references": "Quick Reference",
    "gaps": "Known Gaps",
}
"""Section of a memory file → the title that Belay writes."""

PLAN, COMMAND, WORK = "plan", "command", "work"
FOLLOW_UP, QUESTION, PASTE = "follow-up", "question", "paste"
GO_ON, ANSWER, CHORE, THANKS, OBJECTION = "go-on", "answer", "chore", "thanks", "objection"
TASKS = (PLAN, COMMAND, WORK)
"""What a prompt may ask for that is a task of its own."""
LEANING = (GO_ON, ANSWER, CHORE, THANKS, OBJECTION, FOLLOW_UP, PASTE)
"""What a prompt may be that only means something after what was said before it: it changes no task."""
REQUESTS = (*TASKS, QUESTION, *LEANING)
"""Kinds of prompt; `triggers/tasks.py` tells them apart."""

CAPTURE_CLASSES = tuple(CAPTURES)
TRIGGER_LABELS = tuple(
    sorted((kind for kind in CAPTURES if CAPTURES[kind][1] >= 0), key=lambda kind: CAPTURES[kind][1])
)
CLASS_NOTES = {kind: row[2] for kind, row in CAPTURES.items() if row[2]}
CLASS_ENTRIES = {kind: row[3] for kind, row in CAPTURES.items() if row[3]}
DECIDING = (DECISION, ARCHITECTURE)
"""Classes of which a memory file keeps a decision."""
RULES = (ANTIPATTERN, PREFERENCE)
"""Types that a correction becomes."""

ENTRY_TYPES = tuple(ENTRIES)
PLURALS = {kind: kind + "s" for kind in ENTRIES}
CLOSABLE = tuple(kind for kind, row in ENTRIES.items() if row[3])

STATUSES = {
    "heard": "said once in passing, not confirmed",
    "active": "it holds",
    "done": "it is over",
    "superseded": "another took its place",
    "forgotten": "taken out; nothing shows it",
}
"""State of an entry → what it means. Where two copies differ, the later one of this order counts."""

NOTE_KINDS = tuple(kind for kind in NOTES if kind != ISSUE)
"""What a person may call a note; that a note is about an issue is seen by its words."""
NOTE_SECTIONS = {kind: row[0] for kind, row in NOTES.items()}


def buffer_section(label: str) -> str:
    """Return the heading of a capture class in the working buffer; a class of a newer Belay has its own name."""
    return CAPTURES[label][0] if label in CAPTURES else label.capitalize()


def entry_words(entry_type: str) -> tuple[str, str, str]:
    """Return (letter of the ids, name, heading) of an entry type; a type of a newer Belay has its own name."""
    if entry_type in ENTRIES:
        return ENTRIES[entry_type][:3]
    return "K", entry_type.capitalize(), entry_type.capitalize()


def check(kind: str, accepted: Iterable[str], vocabulary: str) -> str:
    """Return a kind that is among the accepted ones; BadInput, which names them, for any other."""
    if kind in accepted:
        return kind
    from belay.core.errors import BadInput

    raise BadInput(f"“{kind[:40]}”", f"is not {vocabulary}", f"use one of: {', '.join(accepted)}")
