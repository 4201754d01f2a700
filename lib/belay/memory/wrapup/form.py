"""The form of a wrap-up document: its keys, their spellings, and the empty form that is shown (seed 003)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, TypedDict, cast

from belay.core import kinds
from belay.core.plain_text import words


class Decision(TypedDict):
    """A decision of a document; "" for a reason or scope that is not given."""

    decision: str
    reason: str
    affects: str


class KeyFile(TypedDict):
    """A file that matters, by its path from the root, and what it is for."""

    path: str
    purpose: str


# "global" is a keyword, so this type cannot be a class.
Document = TypedDict(
    "Document",
    {
        "summary": str, "task": str, "status": str, "next": str, "question": str,
        "completed": list[str], "active": list[str], "blockers": list[str], "lessons": list[str],
        "preferences": list[str], "global": list[str], "decisions": list[Decision], "files": list[KeyFile],
        "overview": str, "architecture": list[str], "issues": list[str], "external": list[str],
    },
)  # fmt: skip
"""A wrap-up document: one-line texts, redacted; what was left out is empty."""

TEXTS = ("summary", "task", "status", "next", "question", "overview")
LISTS = (
    "completed", "active", "blockers", "lessons", "preferences", "global", "architecture", "issues", "external",
)  # fmt: skip
RECORDS = {"decisions": ("decision", "reason", "affects"), "files": ("path", "purpose")}
"""Lists of small tables: key → its columns, of which the first one names the row."""

SPELLED = {
    "task": "current task", "next": "next step", "question": "open question", "files": "key files",
    "issues": "known issues", "external": "external context",
}  # fmt: skip
"""Key → how a person writes it, where that is not the key itself."""

_OTHERS = {
    "next immediate step": "next", "open questions": "question", "done": "completed", "todo": "active",
    "active work": "active", "blocked": "blockers", kinds.BLOCKER: "blockers", "key decisions": "decisions",
    kinds.DECISION: "decisions", "lesson": "lessons", "lessons learned": "lessons", kinds.PREFERENCE: "preferences",
    "user preferences": "preferences", "global memory": "global", "project overview": "overview",
    "architecture notes": "architecture", "issues": "issues", "external": "external",
}  # fmt: skip
_COLUMNS = {
    "what": "decision", "why": "reason", "reasoning": "reason", "rationale": "reason", "because": "reason",
    "affected": "affects", "impact": "affects", "file": "path", "what it does": "purpose",
}  # fmt: skip

FORM = """\
summary:         # one sentence: what this session came to
current task:    # with its file or function
status:          # done | in progress | blocked
next step:       # so precise that work can start at once; names an existing file, symbol or command
open question:
completed:
  -              # one line, with the files touched
active:
  -
blockers:
  -
decisions:
  - decision:
    reason:
    affects:
key files:
  - path:
    purpose:
lessons:
  -              # what was wrong, and what solved it
preferences:
  -              # how the user likes to work
global:
  -              # worth knowing in every project"""
"""The empty document, shown with the audit: block style, because the client's permission dialog warns of braces."""

ONCE = {
    "overview": "overview:        # what the project is, its stack, its stage: one or two sentences",
    "architecture": "architecture:\n  -              # how the parts work together, one fact a line",
    "issues": "known issues:\n  -              # what is broken or surprises, with its file",
    "external": "external context:\n  -              # services, environments, limits; never a secret",
}
"""What the form asks for once, where MEMORY.md does not have it."""


class Problem(NamedTuple):
    """What is wrong with a document: line (from 1), what, how to fix it, whether --force accepts it anyway."""

    line: int
    what: str
    mend: str
    forcible: bool = False

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}; {self.mend}"


def build_form(missing: Collection[str] = ()) -> str:
    """Return the empty form with the sections of `ONCE` that MEMORY.md lacks."""
    return "\n".join([FORM, *(text for key, text in ONCE.items() if key in missing)])


def empty_document() -> Document:
    """Return a document that says nothing."""
    document: Any = {**dict.fromkeys(TEXTS, ""), **{key: [] for key in (*LISTS, *RECORDS)}}
    return cast("Document", document)


def clean_document(document: Document, clean: Callable[[str, int], str], limit: int = 4000) -> Document:
    """Return the document with every text cleaned, so that it fits on one line of a memory file."""
    values: Mapping[str, Any] = document
    cleaned: Any = {key: clean(values[key], limit) for key in TEXTS}
    for key in LISTS:
        cleaned[key] = [clean(text, limit) for text in values[key]]
    for key in RECORDS:
        cleaned[key] = [{k: clean(v, limit) for k, v in row.items()} for row in values[key]]
    return cast("Document", cleaned)


def spell_key(key: str) -> str:
    """Return how a key is written in the form."""
    return SPELLED.get(key, key)


def find_key(raw: str) -> str:
    """Return the key that a spelling means, "" when it means none."""
    plain = words(raw)
    known = {spell_key(key): key for key in empty_document()} | {key: key for key in empty_document()} | _OTHERS
    return known.get(plain, "")


def find_column(raw: str, columns: tuple[str, ...]) -> str:
    """Return the column of a small table that a spelling means, "" when it means none."""
    plain = words(raw)
    return next((name for name in (plain, _COLUMNS.get(plain, "")) if name in columns), "")


def find_nearest_key(raw: str) -> str:
    """Return the spelling that an unknown key may have meant, "" if none is near."""
    import difflib

    matches = difflib.get_close_matches(raw.lower(), [spell_key(key) for key in empty_document()], 1)
    return matches[0] if matches else ""
