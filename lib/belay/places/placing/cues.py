"""Words of a learning that show which memory it belongs to; the table is `cues.txt`."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from belay.places.hierarchy import ROOT
from belay.repository.manifests.known_products import Product, list_products

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cues.txt")
_HEAD = re.compile(r"(\w+) ([\d.]+) (! )?(\S.*)")


class Cue(NamedTuple):
    """A kind of words: the level they speak for, how clearly, what they say of a text, and the pattern."""

    level: str
    weight: float
    says: str
    pattern: re.Pattern[str]


class Found(NamedTuple):
    """A cue in a text, and the words that are it."""

    cue: Cue
    words: str


STACK = Cue(ROOT, 4, "about several products of the stack", re.compile(r"(?!)"))
"""Found where a text names two products and more."""


@cache
def load_cues() -> list[Cue]:
    """Return the cues of the table, in its order."""
    with open(_PATH, encoding="utf-8") as handle:
        return list(_parse_cues(handle.read().split("\n")))


def _parse_cues(lines: list[str]) -> Iterator[Cue]:
    parts: dict[str, str] = {}
    heads: list[tuple[re.Match[str], list[str]]] = []
    for line in lines:
        head = _HEAD.fullmatch(line)
        if line.startswith("{"):
            name, _, pattern = line.partition(" = ")
            parts[name] = parts.get(name, "") + pattern
        elif head:
            heads.append((head, []))
        elif line.startswith(" "):
            heads[-1][1].append(line.strip())
    for head, patterns in heads:
        whole = "|".join(patterns)
        for name, pattern in parts.items():
            whole = whole.replace(name, pattern)
        yield Cue(head[1], float(head[2]), head[4], re.compile(whole, 0 if head[3] else re.IGNORECASE))


def find_cues(text: str) -> list[Found]:
    """Return each kind of words that a text has, once."""
    found = ((cue, cue.pattern.search(text)) for cue in load_cues())
    rows = [Found(cue, " ".join(match.group().split())) for cue, match in found if match]
    named = [name for product in list_products() if (name := _find_product(product, text))]
    return [*rows, Found(STACK, ", ".join(named[:3]))] if len(named) > 1 else rows


def _find_product(product: Product, text: str) -> str:
    """Return a product as a text writes it, "" where it does not."""
    names = (name for name in product.spellings if name in text)
    return next((name for name in names if re.search(rf"(?<![\w./@-]){re.escape(name)}(?![\w/-])", text)), "")


def weigh(found: list[Found], level: str) -> float:
    """Return how much the cues of a text speak for a level."""
    return sum(row.cue.weight for row in found if row.cue.level == level)
