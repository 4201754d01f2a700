"""The names of sections and columns in the two templates of a memory file (seeds 003 and 004)."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    LeftKey = Literal["task", "status", "next", "question"]

FIRST_FORM = (
    "overview", "left", "completed", "active", "blockers", "decisions", "files", "architecture", "issues", "log",
    "preferences", "external",
)  # fmt: skip
"""The sections of seed 003's template, in its order."""
SECOND_FORM = ("overview", "gaps", "workstreams", "decisions", "references")
"""The sections of seed 004's form, in its order."""
NOT_RECORDED = "not recorded"
"""What the table says where a decision gives no reason."""
UNVERIFIED = "Reconstructed from code — verify with user"
"""Seed 003, "Recovery Mode", step 3: what a rebuilt memory says until the user has looked through it."""

REVIEWED = re.compile(r"\| Reviewed:\s*(\d{4}-\d\d-\d\d)", re.I)
"""The header's field for the last save by a person, where Belay alone has written the file since."""

_ALIASES = {
    "overview": "project overview|overview|about|about this project|project|project summary|project description"
    "|what it is|what this is|what is this|project state|purpose",
    "left": "where we left off|current state|current status|current focus|current task|left off|status",
    "completed": "completed|completed work|done|recently completed|what was done",
    "active": "active work|active tasks|in progress|work in progress|todo|todos|to do|tasks|next steps|next",
    "blockers": "blockers|active blockers|blocked|blocked on",
    "decisions": "key decisions|decisions|decision log|decisions log|architecture decisions|architecture decision log"
    "|architecture decisions log|adl|design decisions|technical decisions",
    "files": "key files|important files|file map|main files",
    "architecture": "architecture notes|architecture|architecture summary|architecture overview|system architecture"
    "|notes|technical notes|design notes",
    "issues": "known issues|issues|gotchas|bugs|known bugs|known problems|pitfalls",
    "log": "session log|sessions|session history|history|log",
    "preferences": "user preferences|preferences|working style|style preferences",
    "external": "external context|external services|environment|integrations|external",
    "workstreams": "active workstreams|workstreams|current workstreams",
    "references": "quick reference|references|reference|reference table|key references|key files quick reference"
    "|key file references|where things are",
    "gaps": "known gaps|gaps|what's not built yet|not built yet|critical gaps",
}
_NAMES = {title: name for name, titles in _ALIASES.items() for title in titles.split("|")}

_COLUMNS = {
    "date": "date|when",
    "decision": "decision|what was decided",
    "reason": "reasoning|rationale|reason|why",
    "affects": "affects|impact|scope|affected",
    "file": "file|path|files",
    "purpose": "purpose|what it does|description|role",
    "changed": "last modified|modified|last changed|session modified",
    "session": "session|no|#",
    "summary": "summary|what happened",
    "what": "what|topic",
    "where": "where|location|reference",
}
_COLUMN_NAMES = {title: name for name, titles in _COLUMNS.items() for title in titles.split("|")}

LEFT_KEYS: tuple[LeftKey, ...] = ("task", "status", "next", "question")
LABELS = {
    "task": "Current task",
    "status": "Status",
    "next": "Next immediate step",
    "question": "Open question",
}
"""The four fields of "Where We Left Off" (seed 003)."""
_LABEL_KEYS = {title.lower(): key for key, title in LABELS.items()} | {
    "task": "task",
    "next step": "next",
    "next action": "next",
    "next": "next",
    "immediate next step": "next",
    "next when resumed": "next",
    "open questions": "question",
    "reference": "reference",
    "key metric": "metric",
    "metric": "metric",
}

_NUMBER = re.compile(r"^\d+[.)]\s+")
_SUFFIX = re.compile(r"\s+[—–-]\s.*|\s*\(.*|:\s.*|:$")


def canonical_section(title: str) -> str:
    """Return the canonical name of a section title, "" for one that no template knows."""
    plain = _normalize_title(title)
    return _NAMES.get(plain) or _NAMES.get(_SUFFIX.sub("", plain).strip(), "")


def canonical_column(title: str) -> str:
    """Return the canonical name of a table column, "" for an unknown one."""
    return _COLUMN_NAMES.get(_normalize_title(title), "")


def canonical_label(text: str) -> str:
    """Return the canonical key of a field's label ("Next immediate step" is `next`), "" for an unknown one."""
    return _LABEL_KEYS.get(" ".join(text.split()).rstrip(":").lower(), "")


def _normalize_title(title: str) -> str:
    """Return a title in lower case without emphasis, numbering and signs around it."""
    text = " ".join(title.replace("*", "").replace("`", "").replace("’", "'").split()).lower()
    first = next((at for at, sign in enumerate(text) if sign.isalnum() or sign == "#"), len(text))
    return _NUMBER.sub("", text[first:]).rstrip(" :.!")
