"""The linear model: seven heads of 65,536 hashed weights, int16, read from `weights.bin`.

The file is written by `bench/train.py` (little-endian): one block of 16 float32 a head, then each
head's weights. Head 0 answers "anything to capture?"; the others are the labels of `rules.LABELS`.
"""

from __future__ import annotations

import os

from belay.triggers import features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HEADS = 7
HEAD_FLOATS = 16
SCALE, BIAS, LINE, NEAR, SLOPE, OFFSET = range(6)
_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.bin")


class Head:
    """One head: `score` of a prompt's slots, and the `line` it must pass."""

    __slots__ = ("bias", "line", "near", "offset", "scale", "slope", "weights")

    def __init__(self, facts: memoryview[float], weights: memoryview[int]) -> None:
        self.scale, self.bias, self.line = facts[SCALE], facts[BIAS], facts[LINE]
        self.near, self.slope, self.offset = facts[NEAR], facts[SLOPE], facts[OFFSET]
        self.weights = weights

    def score(self, slots: dict[int, float]) -> float:
        """Sum up the weights of a prompt."""
        weights = self.weights
        return self.bias + self.scale * sum([weights[slot] * value for slot, value in slots.items()])

    def weight(self, slot: int) -> float:
        """Give one feature's weight."""
        return float(self.scale * self.weights[slot])

    def confidence(self, score: float) -> float:
        """Turn a score into a probability (Platt scaling on the cross-validated scores)."""
        power = max(-30.0, min(30.0, self.slope * score + self.offset))
        return float(1.0 / (1.0 + 2.718281828459045**-power))


def heads(numbers: Iterable[int]) -> list[Head]:
    """Read some heads; head 0 alone costs 128 KiB of reading."""
    found = []
    with open(_PATH, "rb") as file:
        facts: memoryview[float] = memoryview(file.read(HEADS * HEAD_FLOATS * 4)).cast("f")
        for number in numbers:
            file.seek((HEADS * HEAD_FLOATS * 4) + number * features.SLOTS * 2)
            weights = memoryview(file.read(features.SLOTS * 2)).cast("h")
            found.append(Head(facts[number * HEAD_FLOATS : (number + 1) * HEAD_FLOATS], weights))
    return found
