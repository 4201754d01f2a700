"""The linear model: one head a label, 32,768 hashed int16 weights each, read from `weights.bin`.

The file is written by `bench/train.py` (little-endian): FLOATS float32 for "anything to capture?",
FLOATS for each head, then each head's weights. "Anything?" is a soft maximum of the heads.
"""

from __future__ import annotations

import os

from belay.triggers import features

LABELS = 6
FLOATS = 8
SCALE, BIAS, LINE, NEAR, SLOPE, OFFSET = range(6)
SHARPNESS = 1.5
_E = 2.718281828459045  # math is an extension module, which costs a hook as much as the model
SHARE = 0.5  # of the strongest sentence in a label's score; the rest is the prompt as a whole
SENTENCES = 30
_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.bin")


class Line:
    """Where a score begins to count: `line`; `near` just under it; and the score as a probability."""

    __slots__ = ("line", "near", "_offset", "_slope")

    def __init__(self, facts: memoryview[float]) -> None:
        self.line, self.near = facts[LINE], facts[NEAR]
        self._slope, self._offset = facts[SLOPE], facts[OFFSET]

    def confidence(self, score: float) -> float:
        """Turn a score into a probability (Platt scaling on the cross-validated scores)."""
        power = max(-30.0, min(30.0, self._slope * score + self._offset))
        return float(1.0 / (1.0 + _E**-power))


class Head(Line):
    """One label's weights."""

    __slots__ = ("_bias", "_scale", "_weights")

    def __init__(self, facts: memoryview[float], weights: memoryview[int]) -> None:
        super().__init__(facts)
        self._scale, self._bias, self._weights = facts[SCALE], facts[BIAS], weights

    def score(self, slots: dict[int, float]) -> float:
        """Sum up the weights of a prompt's slots."""
        weights = self._weights
        return self._bias + self._scale * sum([weights[slot] * value for slot, value in slots.items()])

    def weight(self, slot: int) -> float:
        """Give the weight of one slot."""
        return self._scale * self._weights[slot]


class Model:
    """The line of "anything to capture?" and the heads, in the order of `rules.LABELS`."""

    __slots__ = ("anything", "heads")

    def __init__(self, anything: Line, heads: list[Head]) -> None:
        self.anything, self.heads = anything, heads


def load(path: str = _PATH) -> Model:
    """Read the weights (384 KiB)."""
    with open(path, "rb") as file:
        data = memoryview(file.read())
    start = (LABELS + 1) * FLOATS * 4
    facts: memoryview[float] = data[:start].cast("f")
    weights: memoryview[int] = data[start:].cast("h")
    blocks = [facts[at : at + FLOATS] for at in range(0, len(facts), FLOATS)]
    size = features.SLOTS
    heads = [Head(blocks[at + 1], weights[at * size : (at + 1) * size]) for at in range(LABELS)]
    return Model(Line(blocks[0]), heads)


def judge(heads: list[Head], prompt: features.Prompt) -> list[tuple[float, int]]:
    """Give each label's score and the number of the sentence that speaks most for it."""
    whole = features.slots(prompt)
    parts = [features.slots(part) for part in parts_of(prompt)]
    found = []
    for head in heads:
        score = head.score(whole)
        alone = [head.score(part) for part in parts] or [score]
        at = max(range(len(alone)), key=alone.__getitem__)
        found.append(((1.0 - SHARE) * score + SHARE * alone[at], at))
    return found


def parts_of(prompt: features.Prompt) -> list[features.Prompt]:
    """Give the sentences of a prompt that has several, each as a prompt of its own."""
    sentences = prompt.sentences[:SENTENCES]
    return [features.Prompt(sentence) for sentence in sentences] if len(sentences) > 1 else []


def soft_maximum(scores: list[float]) -> float:
    """Join the heads' scores into one: log-sum-exp, so that several weak signs add up."""
    top = max(scores)
    total = sum([_E ** (SHARPNESS * (score - top)) for score in scores])
    return float(top + _log(total) / SHARPNESS)


def _log(value: float) -> float:
    """Give the natural logarithm of 1..LABELS, by the series of the area tangent."""
    ratio = (value - 1.0) / (value + 1.0)
    return float(2.0 * sum([ratio**power / power for power in range(1, 64, 2)]))
