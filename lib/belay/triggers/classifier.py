"""Decide what of a prompt is worth capturing, and say why (seed 004, "Triggers").

"Anything to capture?" is asked first, of one head of the model; only then the labels. The rows of
the rules table marked `sure` (the phrases that seeds 003 and 004 quote) and `named` (new names, which last even where
they are asked for politely) capture by themselves, as do those marked `told` (announcements), whose label the model
picks.
"""

from __future__ import annotations

from belay.client import prompt_text
from belay.triggers import model, rules

SENTENCE_CHARS = 300
LONG = 110
"""Characters from which a prompt may hold a pasted finding."""
SURE_CONFIDENCE = 0.9
WHY_ROWS = 8
LABELS = 3  # of one prompt that the model names, at most
SPREAD = 1.5  # a label that is so far behind the best one is left out
REPLY_SHIFT = 0.9
"""How much lower the line is for a statement in reply to Claude: there two of three near misses are worth keeping."""
MOST = 6
"""Entries of one prompt, so that a pasted list of rules does not fill the buffer."""
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
_OPEN = frozenset(("why", "how", "what", "which", "where", "who", "when"))
_LISTED = frozenset(("renamed", "todo", "todos", "sha", "shas", "versions", "examples", "docs", "imports"))
_PERSONS = frozenset(("i", "we", "you", "they"))


class Entry:
    """One label: its confidence (0..1), the sentence that carries it, why, and whether that also asks for work."""

    __slots__ = ("asks", "confidence", "label", "sentence", "why")

    def __init__(self, label: str, confidence: float, sentence: str, why: list[str], *, asks: bool = False) -> None:
        self.label, self.confidence, self.sentence, self.why, self.asks = label, confidence, sentence, why, asks

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
        return list(dict.fromkeys(entry.label for entry in self.entries))


def classify(text: str, *, is_reply: bool = False) -> Verdict:
    """Classify one UserPromptSubmit text; never raises, whatever the text.

    `is_reply`: the prompt says something to an answer of Claude's. Then the line is lower (REPLY_SHIFT).
    """
    reason = prompt_text.explain_machine_turn(text)
    said = "" if reason else prompt_text.extract_prose(text)
    if len(said) >= LONG:
        from belay.triggers import reports

        said = reports.drop_reports(said)
    if not said:
        return Verdict(reason or "no prose")
    prompt = model.Prompt(said)
    if _is_idle(prompt):
        return Verdict("an acknowledgement")
    machine = model.load()
    alone = model.score_sentences(machine.heads, prompt)
    scores = model.judge(machine.heads, prompt, alone)
    verdict = Verdict()
    verdict.score = model.soft_maximum([score for score, _ in scores])
    verdict.confidence = machine.anything.confidence(verdict.score)
    sure = _find_sure(prompt)
    shift = REPLY_SHIFT if is_reply and not is_question(prompt.sentences[-1], prompt.tokens[-1]) else 0.0
    passed = verdict.score >= machine.anything.line - shift or bool(_rows(prompt, "told"))
    _add_sure(verdict, prompt, sure)
    if passed or verdict.score >= machine.anything.near:
        chosen = verdict.entries if passed else verdict.near
        chosen.extend(_weighed(prompt, machine.heads, scores, sure))
        if passed and len(alone) > 1:
            verdict.entries.extend(_others(prompt, machine, alone, verdict.entries))
    _drop_closing(verdict)
    if len(verdict.entries) > 1:
        from belay.core import kinds

        verdict.entries.sort(key=lambda entry: kinds.TRIGGER_LABELS.index(entry.label))
    return verdict


def _drop_closing(verdict: Verdict) -> None:
    """Leave out sentences that only end the work or order a commit: "let's call it a day" is no decision."""
    if verdict.entries or verdict.near:
        verdict.entries = [entry for entry in verdict.entries if not _is_passing(entry)]
        verdict.near = [entry for entry in verdict.near if not _is_passing(entry)]


def _is_passing(entry: Entry) -> bool:
    from belay.core import kinds
    from belay.triggers import requests, tasks

    if requests.is_closing(entry.sentence):
        return True
    is_order = entry.label in (kinds.DECISION, kinds.PRIORITY) and entry.confidence < SURE_CONFIDENCE
    return is_order and tasks.read_request(entry.sentence, entry.sentence).kind == kinds.CHORE


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


def _rows(prompt: model.Prompt, *marks: str) -> list[tuple[int, int]]:
    """Find the rows with these marks: (sentence number, row number). In a question only `named` ones count."""
    found: list[tuple[int, int]] = []
    for at, hits in enumerate(prompt.hits):
        rows = [number for number in sorted(hits) if rules.TABLE[number][4] in marks]
        if rows and is_question(prompt.sentences[at], prompt.tokens[at]):
            rows = [number for number in rows if rules.TABLE[number][4] == "named" and _asks_for_it(prompt, at)]
        found.extend((at, number) for number in rows)
    return found


def _asks_for_it(prompt: model.Prompt, at: int) -> bool:
    """Whether a question is a polite order that names something: "can you rename it to app_x?", not "… a new one?"."""
    found, sentence = prompt.tokens[at], prompt.sentences[at]
    openings = {("can", "you"), ("could", "you"), ("would", "you"), ("can", "we"), ("could", "we"), ("please", "can")}
    pairs = [(found[at], found[at + 1]) for at in range(len(found) - 1)]
    names = any(mark in sentence for mark in '`"/') or any(word[0] == "<" for word in found)
    return (names or not _LISTED.isdisjoint(found)) and not openings.isdisjoint(pairs) and _OPEN.isdisjoint(found)


def _find_sure(prompt: model.Prompt) -> dict[tuple[int, str], int]:
    """Find what rows capture by themselves: (sentence number, label) -> row number; a sentence once a label."""
    found: dict[tuple[int, str], int] = {}
    seen: set[tuple[str, str]] = set()
    for at, number in _rows(prompt, "sure", "named"):
        label = rules.TABLE[number][1]
        if len(seen) < MOST and (prompt.sentences[at], label) not in seen:
            seen.add((prompt.sentences[at], label))
            found[at, label] = number
    return found


def _add_sure(verdict: Verdict, prompt: model.Prompt, sure: dict[tuple[int, str], int]) -> None:
    for (place, label), row in sure.items():
        why = [f"rule {rules.TABLE[row][0]}: {rules.TABLE[row][2]}"]
        asks = rules.TABLE[row][4] == "named"
        verdict.entries.append(Entry(label, SURE_CONFIDENCE, _short(prompt.sentences[place]), why, asks=asks))
        verdict.confidence = max(verdict.confidence, SURE_CONFIDENCE)


def _weighed(
    prompt: model.Prompt,
    heads: list[model.Head],
    scores: list[tuple[float, int]],
    sure: dict[tuple[int, str], int],
) -> list[Entry]:
    """Give the entries of the labels over their lines and near the best; the best one where none is.

    A sentence that a sure row named carries no other label.
    """
    from belay.core import kinds  # most prompts say nothing to capture and need no labels

    named, labels = {at for at, _ in sure}, {label for _, label in sure}
    margins = [score - head.line for (score, _), head in zip(scores, heads, strict=True)]
    top = max(range(len(margins)), key=margins.__getitem__)
    least = max(0.0, margins[top] - SPREAD, sorted(margins)[-LABELS])
    return [
        _entry(prompt, heads[at], label, scores[at])
        for at, label in enumerate(kinds.TRIGGER_LABELS)
        if label not in labels and scores[at][1] not in named and (margins[at] >= least or (at == top and not sure))
    ]


def _others(prompt: model.Prompt, machine: model.Model, alone: list[list[float]], entries: list[Entry]) -> list[Entry]:
    """Give further sentences that are over the line by themselves, each with its best label; at most MOST in all."""
    from belay.core import kinds

    held = {entry.sentence for entry in entries}
    found: list[Entry] = []
    for at, own in enumerate(alone):
        sentence = _short(prompt.sentences[at])
        is_told = model.soft_maximum(own) >= machine.anything.line and not is_question(sentence, prompt.tokens[at])
        if is_told and sentence not in held and len(entries) + len(found) < MOST:
            held.add(sentence)
            best = max(
                range(len(own)),
                key=[score - head.line for score, head in zip(own, machine.heads, strict=True)].__getitem__,
            )
            found.append(_entry(prompt, machine.heads[best], kinds.TRIGGER_LABELS[best], (own[best], at)))
    return found


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
