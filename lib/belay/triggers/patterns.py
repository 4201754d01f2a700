"""Plain patterns over tokens: the little language of the rules table.

A pattern is words with blanks between. `a|b` is either word, `_` any one token, `*3` up to three
tokens of any kind, `<tech>` a technology, a leading `^` the start of a sentence, `$` its end. No
regular expressions: the first word of a pattern is looked up in an index and the rest compiled only
then, so a prompt pays only for rules it could meet.
"""

from __future__ import annotations

from belay.triggers.lexicon import TECH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Step = tuple[int, frozenset[str]]  # (gap before, alternatives); no alternatives: any token

START, END = "^", "$"


def compile_pattern(pattern: str) -> list[Step]:
    """Turn one pattern into steps; ValueError when it ends in a gap or begins with any token."""
    steps: list[Step] = []
    gap = 0
    for part in pattern.split():
        if part[0] == "*" and part[1:].isdigit():
            gap = int(part[1:])
        else:
            steps.append((gap, _alternatives(part)))
            gap = 0
    if gap or not steps or not steps[0][1]:
        raise ValueError(pattern)
    return steps


def _alternatives(part: str) -> frozenset[str]:
    if part == "_":
        return frozenset()
    found = frozenset(part.split("|"))
    return found | TECH if "<tech>" in found else found


class Patterns:
    """Many patterns, indexed by their first words and compiled when first needed."""

    __slots__ = ("_index", "_patterns", "_steps")

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = list(patterns)
        self._steps: list[list[Step] | None] = [None] * len(self._patterns)
        self._index: dict[str, list[int]] = {}
        for number, pattern in enumerate(self._patterns):
            for word in pattern.partition(" ")[0].split("|"):
                self._index.setdefault(word, []).append(number)

    def hits(self, words: list[str]) -> set[int]:
        """Name the patterns (by number) that one sentence's tokens meet."""
        line = [START, *words, END]
        found: set[int] = set()
        for at, word in enumerate(line):
            numbers = self._index.get(word, [])
            if word in TECH:
                numbers = numbers + self._index.get("<tech>", [])
            for number in numbers:
                if number not in found and _meets(line, at + 1, self._rest(number), 1):
                    found.add(number)
        return found

    def _rest(self, number: int) -> list[Step]:
        steps = self._steps[number]
        if steps is None:
            steps = self._steps[number] = compile_pattern(self._patterns[number])
        return steps


def _meets(line: list[str], at: int, steps: list[Step], step: int) -> bool:
    if step == len(steps):
        return True
    gap, words = steps[step]
    for here in range(at, min(at + gap + 1, len(line))):
        fits = line[here] in words if words else line[here] != END
        if fits and _meets(line, here + 1, steps, step + 1):
            return True
    return False
