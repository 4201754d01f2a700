"""Which captures are confirmed knowledge by themselves, and which are only heard. Pure: no clock, no file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core.text import duplicates
from belay.knowledge.entries import states
from belay.knowledge.review import entry_kinds
from belay.memory.remember import sentences
from belay.session import state

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from belay.knowledge.review.capture_list import CapturedText, CaptureView

EXPLICIT = {"asked": "you asked to remember it", "hand": "it was captured by hand"}
STRUCTURAL = {"answered": "you answered a question", "rejected": "you turned a call down"}
REPEATED = "it was said in two sessions"
DONE = "Done: "
"""How `belay remember --as done` begins a capture: work that is finished, and no knowledge."""


class Promotion(NamedTuple):
    """Captures that become one entry, the latest last, and why it is confirmed; "" where it is only heard."""

    captures: tuple[CapturedText, ...]
    why: str

    @property
    def status(self) -> str:
        """The state of the entry."""
        return states.ACTIVE if self.why else states.HEARD


class Waiting(NamedTuple):
    """A capture that a person may confirm or turn down, and why it is not confirmed."""

    capture: CapturedText
    why: str


def find_promotions(view: CaptureView, among: Collection[str] | None = None) -> list[Promotion]:
    """Return what is to become entries now, the oldest first; `among`: the captures that are news, None for all.

    An older one was compared when it was news itself, or is when its repetition is.
    """
    return _find_promotions(_Index(view), view.captures if among is None else among)


def _find_promotions(index: _Index, among: Collection[str]) -> list[Promotion]:
    view = index.view
    found: list[Promotion] = []
    taken: set[str] = set()
    for one in view.captures.values():
        if one.id not in among or view.is_done(one.id) or one.id in taken:
            continue
        if not is_candidate(one) or not entry_kinds.is_known(one):
            continue
        asked = EXPLICIT.get(one.origin, "")
        if not asked and index.turned_down(one):
            continue  # only who asks for it again gets it back
        why = asked or STRUCTURAL.get(one.origin)
        group = [one] if why else [*index.repeats(one), one]
        why = why or (REPEATED if len(group) > 1 else "")
        if why or _says_something(one.text):
            group = [each for each in group if not view.is_done(each.id) and each.id not in taken]
            found.append(Promotion(tuple(sorted(group, key=lambda each: each.time)), why))
            taken |= {each.id for each in group}
    return found


def _says_something(text: str) -> bool:
    """Whether what was said in passing tells a fact: not a question, "do the following:", "let's go with option 2"."""
    return sentences.has_content(text) and not text.rstrip(" )\"'`”").endswith(("?", "？", ":", "："))


def is_candidate(one: CapturedText) -> bool:
    """Whether a capture may ever be knowledge: finished work is none."""
    return bool(one.text.strip()) and not (one.origin == "hand" and one.text.startswith(DONE))


def find_waiting(view: CaptureView, now: str) -> list[Waiting]:
    """Return the open captures that a person may judge, the oldest first; `now` is a journal time."""
    index = _Index(view)
    over = state.find_expired({one.id: one._asdict() for one in view.captures.values()}, now)
    closed = {*over, *view.closed, *filter(view.is_settled, view.captures)}
    rest = {one.id: one for one in view.captures.values() if one.id not in closed and is_candidate(one)}
    for each in _find_promotions(index, rest):
        for one in each.captures if each.why else ():
            rest.pop(one.id, None)
    return [Waiting(one, _explain(index, one)) for one in rest.values()]


def _explain(index: _Index, one: CapturedText) -> str:
    if not entry_kinds.is_known(one):
        return "its class is not known to this version of Belay"
    if index.turned_down(one):
        return "the same was turned down before"
    if index.repeats(one, anywhere=True):
        return "said twice, but in one session only"
    return "said once, not confirmed"


class _Index:
    """Captures by class and the marks of their text."""

    def __init__(self, view: CaptureView) -> None:
        self.view = view
        self.gone = [view.contents[name] for name in sorted(view.forgotten) if name in view.contents]
        self.by: dict[tuple[str, object], list[str]] = {}
        for one in view.captures.values():
            for key in self._keys(one):
                self.by.setdefault(key, []).append(one.id)

    def _keys(self, one: CapturedText) -> Iterator[tuple[str, object]]:
        marks = duplicates.marks(one.text)
        return ((label, mark) for label in one.classes for mark in marks)

    def _same(self, one: CapturedText) -> list[CapturedText]:
        others = {name for key in self._keys(one) for name in self.by.get(key, ())} - {one.id}
        found = (self.view.captures[name] for name in sorted(others))
        return [other for other in found if duplicates.same(one.text, other.text)]

    def repeats(self, one: CapturedText, *, anywhere: bool = False) -> list[CapturedText]:
        """Return the captures of other sessions (or of any) that say the same and were not turned down."""
        elsewhere = (other for other in self._same(one) if anywhere or other.session != one.session)
        return [other for other in elsewhere if duplicates.repeats(one.text, other.text) and not self._is_out(other.id)]

    def turned_down(self, one: CapturedText) -> bool:
        """Whether a capture that says the same was rejected, or its entry forgotten."""
        if any(self._is_out(other.id) and other.id not in self.view.replaced for other in self._same(one)):
            return True
        told = entry_kinds.make_entry(one).content if self.gone else ""
        return any(duplicates.covers(content, told) for content in self.gone)

    def _is_out(self, name: str) -> bool:
        view = self.view
        return name in view.rejected or view.known.get(name) in view.forgotten or name in view.replaced
