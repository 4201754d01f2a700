"""Decide what of a prompt is worth capturing, and say why (seed 004, "Triggers").

"Anything to capture?" is asked first, of one head of the model; only then the labels. The rows of
the rules table marked `sure` (the phrases that seeds 003 and 004 quote) capture by themselves, as do
those marked `told` (announcements), whose label the model picks.
"""

from __future__ import annotations

from belay.client import prompt_text
from belay.triggers import model, rules

SENTENCE_CHARS = 300
SURE_CONFIDENCE = 0.9
WHY_ROWS = 8
SPREAD = 1.5  # a label that is so far behind the best one is left out
_ASKING = frozenset(
    ("can", "could", "would", "should", "does", "did", "is", "are", "was", "were", "will", "what",
    "why", "how", "where", "when", "which", "who", "whose", "has")
)  # fmt: skip
_IDLE = frozenset(
    ("never mind", "never-mind", "don't worry", "don't worry about it", "no problem", "no worries", "no idea",
    "no", "stop", "wait", "not now", "not yet", "not today", "later", "maybe later", "done for now",
    "that's all for now", "that's it for now", "okay never-mind", "okay never mind",
    "never mind that", "no thanks", "not sure")
)  # fmt: skip
_PERSONS = frozenset(("i", "we", "you", "they"))


class Entry:
    """One label: its confidence (0..1), the sentence that carries it, and why."""

    __slots__ = ("confidence", "label", "sentence", "why")

    def __init__(self, label: str, confidence: float, sentence: str, why: list[str]) -> None:
        self.label, self.confidence, self.sentence, self.why = label, confidence, sentence, why

    def __repr__(self) -> str:
        return f"Entry({self.label!r}, {self.confidence:.2f}, {self.sentence!r})"


class Verdict:
    """What a prompt holds: `entries` to capture; `near`: what scored just under the line.

    `skipped` names why a text was not looked at (a machine turn), else None. `confidence` is that
    of "anything to capture", 0..1.
    """

    __slots__ = ("confidence", "entries", "near", "score", "skipped")

    def __init__(self, skipped: str | None = None) -> None:
        self.entries: list[Entry] = []
        self.near: list[Entry] = []
        self.confidence = 0.0
        self.score = 0.0
        self.skipped = skipped

    @property
    def labels(self) -> list[str]:
        """List the labels to capture, in the order of `kinds.TRIGGER_LABELS`."""
        return [entry.label for entry in self.entries]


def classify(text: str) -> Verdict:
    """Classify one UserPromptSubmit text; never raises, whatever the text."""
    reason = prompt_text.explain_machine_turn(text)
    said = "" if reason else prompt_text.extract_prose(text)
    if not said:
        return Verdict(reason or "no prose")
    prompt = model.Prompt(said)
    if _is_idle(prompt):
        return Verdict("an acknowledgement")
    machine = model.load()
    scores = model.judge(machine.heads, prompt)
    verdict = Verdict()
    verdict.score = model.soft_maximum([score for score, _ in scores])
    verdict.confidence = machine.anything.confidence(verdict.score)
    sure = _rows(prompt, "sure")
    passed = verdict.score >= machine.anything.line or bool(_rows(prompt, "told"))
    _add_sure(verdict, prompt, sure)
    if passed or verdict.score >= machine.anything.near:
        chosen = verdict.entries if passed else verdict.near
        chosen.extend(_weighed(prompt, machine.heads, scores, sure))
    _drop_closing(verdict)
    if len(verdict.entries) > 1:
        from belay.core import kinds

        verdict.entries.sort(key=lambda entry: kinds.TRIGGER_LABELS.index(entry.label))
    return verdict


def _drop_closing(verdict: Verdict) -> None:
    """Leave out sentences that only end the work: "let's call it a day" is no decision."""
    if verdict.entries or verdict.near:
        from belay.triggers import requests

        verdict.entries = [entry for entry in verdict.entries if not requests.is_closing(entry.sentence)]
        verdict.near = [entry for entry in verdict.near if not requests.is_closing(entry.sentence)]


def explicit(sentence: str) -> Entry:
    """Give the entry for a sentence that a person asked to remember.

    The label is the classifier's best; where it sees none, `value` if the sentence holds an
    address, number or identifier, else `preference` (a "remember to ..." is a standing rule).
    """
    verdict = classify(sentence)
    found = verdict.entries or verdict.near
    label = max(found, key=lambda entry: entry.confidence).label if found else ""
    if not label:
        from belay.core import kinds

        marks = [word for said in model.Prompt(sentence).tokens for word in said if word[0] == "<"]
        label = kinds.VALUE if marks else kinds.PREFERENCE
    return Entry(label, 1.0, _short(sentence.strip()), ["asked to remember"])


def is_question(sentence: str, found: list[str]) -> bool:
    """Whether a sentence asks rather than states."""
    if sentence.rstrip("\"')”* ").endswith("?"):
        return True
    first, second = (*found[:2], "", "")[:2]
    return first in _ASKING or (first in ("do", "have", "may") and second in _PERSONS)


def _is_idle(prompt: model.Prompt) -> bool:
    """Whether this is a bare acknowledgement: "never mind", "don't worry about it", "no problem"."""
    return all(" ".join(word for word in said if word not in ".,!…") in _IDLE for said in prompt.tokens)


def _rows(prompt: model.Prompt, kind: str) -> dict[str, tuple[int, int]]:
    """Find the rows of a kind, "sure" or "told": label -> (sentence number, row number)."""
    found: dict[str, tuple[int, int]] = {}
    for at, hits in enumerate(prompt.hits):
        rows = [number for number in sorted(hits) if rules.TABLE[number][4] == kind]
        if rows and not is_question(prompt.sentences[at], prompt.tokens[at]):
            for number in rows:
                found.setdefault(rules.TABLE[number][1], (at, number))
    return found


def _add_sure(verdict: Verdict, prompt: model.Prompt, sure: dict[str, tuple[int, int]]) -> None:
    for label, (place, row) in sure.items():
        why = [f"rule {rules.TABLE[row][0]}: {rules.TABLE[row][2]}"]
        verdict.entries.append(Entry(label, SURE_CONFIDENCE, _short(prompt.sentences[place]), why))
        verdict.confidence = max(verdict.confidence, SURE_CONFIDENCE)


def _weighed(
    prompt: model.Prompt,
    heads: list[model.Head],
    scores: list[tuple[float, int]],
    sure: dict[str, tuple[int, int]],
) -> list[Entry]:
    """Give the entries of the labels over their lines and near the best; the best one where none is.

    A sentence that a sure row named carries no other label.
    """
    from belay.core import kinds  # most prompts say nothing to capture and need no labels

    named = {at for at, _ in sure.values()}
    margins = [score - head.line for (score, _), head in zip(scores, heads, strict=True)]
    top = max(range(len(margins)), key=margins.__getitem__)
    least = max(0.0, margins[top] - SPREAD)
    return [
        _entry(prompt, heads[at], label, scores[at])
        for at, label in enumerate(kinds.TRIGGER_LABELS)
        if label not in sure and scores[at][1] not in named and (margins[at] >= least or (at == top and not sure))
    ]


def _entry(prompt: model.Prompt, head: model.Head, label: str, scored: tuple[float, int]) -> Entry:
    score, at = scored
    why = [f"{name} ({weight:+.2f})" for name, weight in reasons(prompt, head)]
    return Entry(label, head.confidence(score), _short(prompt.sentences[at]), why)


def reasons(prompt: model.Prompt, head: model.Head) -> list[tuple[str, float]]:
    """List the named features that weighed most, heaviest first (letters are left out)."""
    names = model.named(prompt)
    weights = [(name, head.weight(model.slot_of(name)) * model.WEIGHT[name[0]]) for name in names]
    return sorted(weights, key=lambda pair: (-abs(pair[1]), pair[0]))[:WHY_ROWS]


def _short(sentence: str) -> str:
    if len(sentence) <= SENTENCE_CHARS:
        return sentence
    return sentence[:SENTENCE_CHARS].rsplit(None, 1)[0]
