"""What the model sees of a prompt: rule hits, word and skeleton n-grams, letters, shape.

Every feature has a readable name, so that `belay triggers --explain` can say what weighed.
The same function feeds training (`bench/train.py`) and the hook.
"""

from __future__ import annotations

import zlib

from belay.triggers import lexicon, patterns, rules, words

BITS = 15
SLOTS = 1 << BITS
LETTERS_LIMIT = 700
WEIGHT = {"r": 3.0, "n": 2.0, "w": 1.0, "s": 1.0, "f": 1.0, "c": 1.0}
_PATTERNS = patterns.Patterns(rule[2] for rule in rules.TABLE)


class Prompt:
    """One text cut up: sentences, their tokens and the rules each met (numbers in the table)."""

    __slots__ = ("hits", "sentences", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.sentences = words.sentences(text)
        self.tokens = [words.tokens(sentence) for sentence in self.sentences]
        self.hits = [_PATTERNS.hits(found) for found in self.tokens]


def named(prompt: Prompt) -> set[str]:
    """Name all features of a prompt but its letters; the first letter of a name is its family."""
    found: set[str] = set()
    for found_words, hits in zip(prompt.tokens, prompt.hits, strict=True):
        found.update(f"r:{rules.TABLE[number][0]}" for number in hits)
        _grams(found_words, 2, "w:", found)
        _grams(lexicon.skeleton(found_words), 4, "s:", found)
    if prompt.tokens:
        _opening(prompt.tokens[0], found)
    _shape(prompt, found)
    return found


def slots(prompt: Prompt, names: set[str] | None = None) -> dict[int, float]:
    """Hash a prompt's features into SLOTS weights, scaled by the fourth root of their squares."""
    found: dict[int, float] = {}
    total = 0.0
    for name in named(prompt) if names is None else names:
        slot, value = slot_of(name), WEIGHT[name[0]]
        found[slot] = found.get(slot, 0.0) + value
        total += value * value
    for slot in _letters(prompt.text):
        found[slot] = found.get(slot, 0.0) + WEIGHT["c"]
        total += WEIGHT["c"] ** 2
    scale = total**-0.25 if total else 0.0
    return {slot: value * scale for slot, value in found.items()}


def slot_of(name: str) -> int:
    """Give the slot of a named feature."""
    return zlib.crc32(name.encode("utf-8", "replace")) & (SLOTS - 1)


def _grams(found_words: list[str], size: int, family: str, found: set[str]) -> None:
    line = ["^", *found_words, "$"]
    for length in range(1, size + 1):
        for at in range(len(line) - length + 1):
            found.add(family + " ".join(line[at : at + length]))


def _opening(found_words: list[str], found: set[str]) -> None:
    found.add("f1:" + " ".join(found_words[:1]))
    found.add("f2:" + " ".join(found_words[:2]))
    found.add("f3:" + " ".join(lexicon.skeleton(found_words)[:3]))


def _shape(prompt: Prompt, found: set[str]) -> None:
    asked = [sentence.endswith("?") for sentence in prompt.sentences]
    count = sum(map(len, prompt.tokens))
    found.add(f"n:questions {min(sum(asked), 3)}")
    found.add(f"n:ends with a question {bool(asked and asked[-1])}")
    found.add(f"n:only questions {all(asked)}")
    found.add(f"n:length {(count * count).bit_length()}")
    found.add(f"n:sentences {min(len(asked), 6)}")
    found.add(f"n:small first letter {prompt.text[:1].islower()}")
    found.add(f"n:numbered lines {min(_numbered(prompt.text), 3)}")
    found.update(_tallies(prompt.hits))


def _tallies(hits: list[set[int]]) -> list[str]:
    tally: dict[str, int] = {}
    for number in set().union(*hits):
        label = rules.TABLE[number][1]
        tally[label] = tally.get(label, 0) + 1
    lines = [f"n:{label} rules {min(count, 4)}" for label, count in tally.items()]
    return [*lines, f"n:rules {min(sum(tally.values()), 8)}", f"n:kinds of rules {len(tally)}"]


def _numbered(text: str) -> int:
    lines = (line.strip() for line in text.split("\n"))
    return sum(line[:1].isdigit() and line[1:2] in (".", ")", ":") for line in lines)


def _letters(text: str) -> set[int]:
    data = (" " + " ".join(text.lower().split()) + " ").encode("utf-8", "replace")[:LETTERS_LIMIT]
    crc, last = zlib.crc32, SLOTS - 1
    grams = {data[at : at + size] for size in (3, 4, 5) for at in range(len(data) - size + 1)}
    return {crc(gram, 1) & last for gram in grams}
