"""What of past sessions is worth an entry: what was asked to be remembered, answered, rejected, or said twice.

How sure the classifier is of a single sentence does not decide: of those above 0.9 on ordinary prompts two thirds were
right and half would still matter in a later session (573 labelled prompts); saying it again in another session does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.client.conversation import ANSWERED, REJECTED, TYPED
from belay.core.constants import SENTENCE_CHARS
from belay.core.plain_text import cut
from belay.core.text import duplicates
from belay.knowledge.review.capture_list import CapturedText
from belay.safety.redaction import redact
from belay.triggers import answers, classifier, requests

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.client.conversation import Turn

ASKED, AGAIN = "asked", "said again"
WAITING_MOST = 2000
"""Sentences that wait for being said again; older ones are let go."""


class Selection(NamedTuple):
    """Captures to become entries, each with why and how often it was said; and those that wait for a second time."""

    chosen: list[tuple[CapturedText, str, int]]
    waiting: list[CapturedText]


def extract_captures(turn: Turn) -> list[CapturedText]:
    """Return what one turn says that a live session would have captured."""
    if turn.kind in (ANSWERED, REJECTED):
        question, _, chosen = turn.text.partition(" → ")
        settled = turn.kind == ANSWERED
        classes = answers.judge_answer(question, chosen) if settled else answers.judge_rejection(turn.text)
        text = answers.pair(question, chosen) if settled else turn.text
        return [_make_capture(turn, text, classes, turn.kind)] if classes else []
    rows: dict[str, CapturedText] = {}
    for entry in classifier.classify(turn.text).entries:
        row = rows.setdefault(entry.sentence, _make_capture(turn, entry.sentence, {}, TYPED))
        row.classes[entry.label] = round(entry.confidence, 2)
    for sentence in _find_requests(turn.text):
        known = rows.get(sentence)
        rows[sentence] = _make_capture(turn, sentence, known.classes if known else {"note": 1.0}, ASKED)
    return list(rows.values())


def _find_requests(text: str) -> list[str]:
    """Return the sentences that ask to remember a fact; "remember to run X" may be meant for the task at hand."""
    said = [one.sentence for one in requests.find_requests(text) if one.action == "remember"]
    return [one for one in said if not requests.is_bare(one) and not requests.is_order(one)]


def _make_capture(turn: Turn, text: str, classes: dict[str, float], origin: str) -> CapturedText:
    said = cut(redact(" ".join(text.split())), SENTENCE_CHARS)
    return CapturedText("", turn.session, turn.time, classes, said, origin, turn.branch)


def select_captures(found: Iterable[CapturedText], before: Iterable[CapturedText]) -> Selection:
    """Choose among what was found now, with what waits since earlier imports: each sentence once."""
    sifted = Selection([], [])
    groups: list[list[CapturedText]] = []
    for one in [*before, *found]:
        if one.origin == TYPED:
            _add_to_group(groups, one)
        else:
            sifted.chosen.append((one, one.origin, 1))
    for group in groups[-WAITING_MOST:]:
        sessions = {one.session for one in group if duplicates.repeats(group[0].text, one.text)}
        if len(sessions) > 1:
            sifted.chosen.append((group[-1], AGAIN, len(sessions)))
        else:
            sifted.waiting.append(group[-1])
    return sifted


def _add_to_group(groups: list[list[CapturedText]], one: CapturedText) -> None:
    for group in groups:
        if _find_main_class(group[0]) == _find_main_class(one) and duplicates.same(group[0].text, one.text):
            group.append(one)
            return
    groups.append([one])


def _find_main_class(one: CapturedText) -> str:
    return max(one.classes, key=lambda name: one.classes[name], default="")
