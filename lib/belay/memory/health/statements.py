"""The sentences of a memory that say how the project is now, and can therefore be wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.memory.drift import products

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.memory.memory_facts import Facts

TEXT_CHARS = 1000
"""Characters of one text that are looked at."""
TEXTS = 300
_SENTENCE = re.compile(r"(?<=[^\s.][.!?;])\s+|\n")
_OTHER_TIME = re.compile(
    r"\b(?:add(?:ed|ing)?|creat(?:e|ed|ing)|implement(?:ed|ing)?|introduc(?:e|ed|ing)|write|new|remov(?:e|ed|ing)"
    r"|renam(?:e|ed|ing)|drop(?:ped)?|delet(?:e|ed|ing)|replac(?:e|ed|ing)|migrat(?:e|ed|ing)|mov(?:e|ed|ing)"
    r"|upgrad(?:e|ed|ing)|was|were|used to|no longer|former\w*|previous\w*|old|legacy|deprecated|instead|plan\w*"
    r"|will|would|could|might|may|should|todo|later|future|eventually|missing|not|never|without|lacks?|want\w*"
    r"|needs? (?:an?|to|`)|until|consider\w*|e\.g\.|for example|such as|propos\w*|stub\w*|avoid\w*"
    r"|forbid\w*|forbidden|block(?:s|ed)|bann?(?:s|ed)|reject\w*|refus\w*|disabled?|support\w*|compatib\w*|at least"
    r"|minimum|tested (?:on|with|against)|\w+n['’]t)(?!\w)",
    re.IGNORECASE,
)
"""Words of a sentence that may speak of another time, another place or the contrary."""


def list_statements(facts: Facts, *more: tuple[int, str]) -> Iterator[tuple[int, str]]:
    """Yield (line, sentence) of what says how the project is now; `more` texts are read as well.

    Decisions are left out: the record of them is right even when the project went on.
    """
    decided = {row["line"] for row in facts.get("decisions") or []}
    rows = [row for row in products.list_claims(facts) if row[0] not in decided]
    rows += [(row["line"], row["text"]) for row in facts.get("issues") or [] if not row["resolved"]]
    for line, text in [*rows, *more][:TEXTS]:
        for sentence in _SENTENCE.split(text[:TEXT_CHARS]):
            if sentence.strip() and not _OTHER_TIME.search(sentence):
                yield line, sentence
