"""What a capture becomes as an entry: its type, its words, its reason (docs/review.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import kinds
from belay.knowledge.store.store import NewEntry
from belay.memory.remember import sentences
from belay.session import working_buffer

if TYPE_CHECKING:
    from belay.knowledge.review.capture_list import CapturedText
    from belay.knowledge.store.records import EntryFields

ANSWERED, REJECTED = "answered", "rejected"
_NO = frozenset("no nope wrong wait stop sorry actually hey ok okay well hm hmm oh".split())
_FORBIDS = frozenset("don't dont do-not never no not stop avoid without".split())
_TEXT = 300


def is_standard(capture: CapturedText) -> bool:
    """Whether a capture is a correction: a rule, and what happened."""
    return capture.origin == REJECTED or working_buffer.main_class(capture._asdict()) == kinds.CORRECTION


def is_known(capture: CapturedText) -> bool:
    """Whether this version of Belay knows the class of a capture; a newer one may have written the journal."""
    return working_buffer.main_class(capture._asdict()) in kinds.CAPTURES


def rule_type(rule: str) -> str:
    """Return the type of a rule: an antipattern where it begins by forbidding something, else a preference."""
    first = [word.strip(".,:;!").casefold().replace("’", "'") for word in rule.split()[:3]]
    forbids = first[:1] and (first[0] in _FORBIDS or first[:2] == ["do", "not"] or first[1:2] == ["never"])
    return kinds.ANTIPATTERN if forbids else kinds.PREFERENCE


def make_entry(capture: CapturedText, text: str = "", kind: str = "") -> NewEntry:
    """Return the entry of a capture, with the words or the type that a person gave instead."""
    said = " ".join((text or capture.text).split())[:_TEXT]
    entry_type = kind or _find_type(capture, said)
    content, reasoning = said, ""
    if is_standard(capture) and not text:
        content = strip_opening(said)
    elif capture.origin != ANSWERED and not text:
        content = sentences.strip_request(said)
    if entry_type == kinds.DECISION and capture.origin != ANSWERED:
        content, reasoning = sentences.split_reason(content, by_colon=capture.origin == "hand")
    fields: EntryFields = {"reasoning": reasoning} if reasoning else {}
    if entry_type == kinds.GOAL:
        fields["priority"] = "high"
    if working_buffer.main_class(capture._asdict()) == kinds.BLOCKER:
        fields["tags"] = [kinds.BLOCKER]
    return NewEntry(entry_type, content, fields)


def _find_type(capture: CapturedText, said: str) -> str:
    if is_standard(capture):
        return rule_type(strip_opening(said))
    main = working_buffer.main_class(capture._asdict())
    entry_type = kinds.CLASS_ENTRIES.get(main, main)
    if entry_type == kinds.NOTE and capture.origin in ("asked", "hand") and kinds.NOTE in capture.classes:
        words = sentences.strip_request(said)
        if sentences.guess_kind(words) == kinds.DECISION:
            return kinds.DECISION
        return kinds.GOTCHA if sentences.is_issue(words) else kinds.NOTE
    return entry_type


def strip_opening(said: str) -> str:
    """Return a correction without the "No," or "Actually," it opens with."""
    words = said.split()
    while len(words) > 2 and words[0].rstrip(",.!…:-–—").casefold() in _NO and words[0][-1:] in ",.!…:-–—":
        words = words[1:]
    rest = " ".join(words)
    return rest[:1].upper() + rest[1:] if len(words) < len(said.split()) and rest[1:2].islower() else rest


def entry_source(capture: CapturedText) -> str:
    """Return where an entry's words came from: a person's typing, an answer, or a tool that Claude called."""
    if capture.origin == ANSWERED:
        return ANSWERED
    return "tool" if capture.origin == "hand" and capture.session != "terminal" else "typed"


def class_confidence(capture: CapturedText) -> float:
    """Return how sure the class was, 0 to 1."""
    return max(capture.classes.values(), default=1.0)
