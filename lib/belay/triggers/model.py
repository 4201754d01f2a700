"""The linear model: what it sees of a prompt, and one head a label of hashed int16 weights, read from `weights.bin`.

Features are rule hits, n-grams of words and of the skeleton (what is said stays, what it is about goes), letters and
shape. Each has a readable name, so that `belay triggers --explain` can say what weighed. The same function feeds
training (`bench/train.py`) and the hook.
"""

from __future__ import annotations

import os
import zlib

from belay.triggers import rules

FLOATS = 8
SCALE, BIAS, LINE, NEAR, SLOPE, OFFSET = range(6)
SHARPNESS = 1.5
_E = 2.718281828459045  # math is an extension module, which costs a hook as much as the model
SHARE = 0.5  # of the strongest sentence in a label's score; the rest is the prompt as a whole
SENTENCES = 30
_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.bin")
BITS = 15
SLOTS = 1 << BITS
LETTERS_LIMIT = 700
WEIGHT = {"r": 3.0, "n": 2.0, "w": 1.0, "s": 1.0, "f": 1.0, "c": 1.0}
_PATTERNS = rules.Patterns(rule[2] for rule in rules.TABLE)
TASKS = frozenset(
    """
    add fix create make write implement build run test update check look show find explain list delete
    remove rename move refactor change edit set setup install deploy commit push merge review analyze
    analyse debug investigate read open start restart stop continue proceed generate convert document
    improve clean validate verify confirm search explore describe summarize compare extract integrate
    configure enable disable display render print log handle support include replace revert undo rebase pull
    fetch download upload import export connect load save send give tell help try work begin finish complete
    plan design draft research put get go do see resolve address optimize simplify split hook wire scan
    rerun retry modify adjust copy paste apply bump
""".split()
)
CUES = frozenset(
    """
    i we you it they he she this that these those there here who what which why how when where whose a an
    the my our your its their me us them one ones some any all both each every no none neither either is are
    was were be been being am do does did done have has had can could will would should shall may might must
    need needs needed want wants wanted like prefer rather love hate think guess believe feel mean meant
    said asked told know wonder wondering suppose supposed suggest decide decided choose pick agree agreed
    sure yes no yeah yep yup nope nah okay right wrong correct incorrect good great fine nice best better
    bad perfect cool thanks thank please sorry not never always only just also still already again yet
    anymore longer instead actually really basically maybe perhaps probably definitely exactly simply first
    second third last next then now later before after until since while once when if unless because so but
    and or for from to in on at by with without into of about as than like same different other another more
    less most least much many few enough too very let's don't doesn't didn't isn't aren't wasn't weren't
    can't won't shouldn't wouldn't couldn't haven't hasn't i'm i've i'd i'll we're we've we'd we'll you're
    you've you'll it's that's there's what's never-mind use using used keep leave skip drop ignore forget
    stick stay switch back option approach way idea solution plan version issue problem error bug rule
    default future remember sense up out off over down under same make sure ensure call called named focus
    priority important block blocking wait hold stop
""".split()
)


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
    """The line of "anything to capture?" and the heads, in the order of `kinds.TRIGGER_LABELS`."""

    __slots__ = ("anything", "heads")

    def __init__(self, anything: Line, heads: list[Head]) -> None:
        self.anything, self.heads = anything, heads


def load(path: str = _PATH) -> Model:
    """Read the weights (384 KiB)."""
    with open(path, "rb") as file:
        data = memoryview(file.read())
    labels = (len(data) - FLOATS * 4) // (FLOATS * 4 + SLOTS * 2)
    start = (labels + 1) * FLOATS * 4
    facts: memoryview[float] = data[:start].cast("f")
    weights: memoryview[int] = data[start:].cast("h")
    blocks = [facts[at : at + FLOATS] for at in range(0, len(facts), FLOATS)]
    size = SLOTS
    heads = [Head(blocks[at + 1], weights[at * size : (at + 1) * size]) for at in range(labels)]
    return Model(Line(blocks[0]), heads)


def judge(heads: list[Head], prompt: Prompt, sentences: list[list[float]] | None = None) -> list[tuple[float, int]]:
    """Give each label's score and the number of the sentence that speaks most for it."""
    whole = slots(prompt)
    parts = score_sentences(heads, prompt) if sentences is None else sentences
    found = []
    for number, head in enumerate(heads):
        score = head.score(whole)
        alone = [part[number] for part in parts] or [score]
        at = max(range(len(alone)), key=alone.__getitem__)
        found.append(((1.0 - SHARE) * score + SHARE * alone[at], at))
    return found


def score_sentences(heads: list[Head], prompt: Prompt) -> list[list[float]]:
    """Give each sentence's scores, one a head; [] where the prompt is one sentence."""
    parts = [slots(part) for part in parts_of(prompt)]
    return [[head.score(part) for head in heads] for part in parts]


def parts_of(prompt: Prompt) -> list[Prompt]:
    """Give the sentences of a prompt that has several, each as a prompt of its own."""
    sentences = prompt.sentences[:SENTENCES]
    return [Prompt(sentence) for sentence in sentences] if len(sentences) > 1 else []


def soft_maximum(scores: list[float]) -> float:
    """Join the heads' scores into one: log-sum-exp, so that several weak signs add up."""
    top = max(scores)
    total = sum([_E ** (SHARPNESS * (score - top)) for score in scores])
    return float(top + _log(total) / SHARPNESS)


def _log(value: float) -> float:
    """Give the natural logarithm of the number of labels, by the series of the area tangent."""
    ratio = (value - 1.0) / (value + 1.0)
    return float(2.0 * sum([ratio**power / power for power in range(1, 64, 2)]))


class Prompt:
    """One text cut up: sentences, their tokens and the rules each met (numbers in the table)."""

    __slots__ = ("hits", "sentences", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.sentences = rules.sentences(text)
        self.tokens = [rules.tokens(sentence) for sentence in self.sentences]
        self.hits = [_PATTERNS.hits(found) for found in self.tokens]


def named(prompt: Prompt) -> set[str]:
    """Name all features of a prompt but its letters; the first letter of a name is its family."""
    found: set[str] = set()
    for found_words, hits in zip(prompt.tokens, prompt.hits, strict=True):
        found.update(f"r:{rules.TABLE[number][0]}" for number in hits)
        _grams(found_words, 2, "w:", found)
        _grams(skeleton(found_words), 4, "s:", found)
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
    found.add("f3:" + " ".join(skeleton(found_words)[:3]))


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


def skeleton(words: list[str]) -> list[str]:
    """Reduce tokens to a skeleton: cue words stay, task verbs become `V`, technologies `T`, the rest `w`."""
    found: list[str] = []
    for word in words:
        if word in CUES or word[0] in "<.,:;!?…":
            kind = word
        elif word in TASKS:
            kind = "V"
        elif word in rules.TECH:
            kind = "T"
        else:
            kind = "w"
        if kind != "w" or not found or found[-1] != "w":
            found.append(kind)
    return found
