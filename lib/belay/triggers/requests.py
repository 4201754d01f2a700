"""Requests a person makes in passing: seed 003's table of phrases and their actions.

The table is `phrases.txt`, a tab-separated row a phrase (action, pattern, example). A phrase inside
quotation marks, code, a quoted block or a machine turn does not fire.
"""

from __future__ import annotations

import os

from belay.client import prompt_text
from belay.triggers import rules

_STOP = ".|,|!|?|;|:|$|and|now|please|then|here|today|tonight|before|so|again|first|because|but|or|for"
_FILLERS = frozenset(
    ["the", "a", "an", "my", "our", "this", "that", "branch", "feature", "work", "of", "on", "working"]
)
_NOT_NAMES = frozenset(("it them me us you i what how where when why which all everything").split())
_KEEPS_QUESTIONS = frozenset(("pickup", "health", "budget", "handoff", "branch", "wrap-up", "compress", "rebuild"))
_BARE = frozenset(
    ("please and remember memorize don't not never forget do this that it these you to okay also .,:;!").split()
) | {*".,:;!"}
_FACTS = ("that", "this", "it")
_JOINS = frozenset(("and", "but", "then", ",", ";"))
_PASSING = frozenset(("also", "too", "then", "afterwards", "afterward"))
"""Words of an order that goes with the task at hand."""
_EVERY_TIME = frozenset("always never every each whenever when before after anytime everytime".split())
"""Words of an order that holds for every task."""
REMEMBER = "remember"
_CLOSING = ("wrap-up", "save-state")
_CLOSING_WORDS = 10
"""Tokens of a sentence that says nothing but that the work ends."""
_TELLS = frozenset(("when", "what", "how", "where", "why", "who", "me", "last", "if", "back"))
"""What follows "remember" where it asks for a memory, or names a feature ("remember me")."""
_ASKS_RECALL = (
    "do you remember",
    "did you remember",
    "can you remember",
    "i don't remember",
    "can't remember",
)


_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "phrases.txt")


def read(path: str = _PATH) -> list[tuple[str, str, str]]:
    """Read the table: (action, pattern, example) rows."""
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    cells = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return [(action, pattern.replace("{stop}", _STOP), example) for action, pattern, example in cells]


class Request:
    """One request: `action`, the branch or feature `name` (else ""), and the `sentence` that made it.

    `lasts`: what is to be remembered holds beyond the task at hand.
    """

    __slots__ = ("action", "lasts", "name", "sentence")

    def __init__(self, action: str, sentence: str, name: str = "", lasts: bool = True) -> None:
        self.action, self.sentence, self.name, self.lasts = action, sentence, name, lasts

    def __repr__(self) -> str:
        return f"Request({self.action!r}, {self.sentence!r}, {self.name!r})"


def find_requests(text: str) -> list[Request]:
    """Find the requests of one prompt, each action but "remember" once, in the order of the text.

    Actions: remember, wrap-up, pickup, branch, health, handoff, compress, rebuild, save-state, budget.
    """
    if not rules.holds_hint(text) or prompt_text.explain_machine_turn(text):
        return []
    table = read()
    patterns = rules.Patterns(row[1] for row in table)
    found: dict[str, Request] = {}
    lines = rules.sentences(prompt_text.extract_prose(text))
    for at, sentence in enumerate(lines):
        said = rules.tokens(strip_quotes(sentence))
        actions = {table[number][0] for number in patterns.hits(said)}
        for asked in _of(sentence, said, actions):
            if asked.action == REMEMBER and is_bare(sentence):
                asked.sentence = lines[at + 1] if at + 1 < len(lines) else lines[at - 1]
            asked.lasts = asked.action != REMEMBER or _lasts(asked.sentence, len(lines))
            found.setdefault(f"{asked.action} {asked.sentence * (asked.action == REMEMBER)}", asked)
    return list(found.values())


def _lasts(sentence: str, number: int) -> bool:
    """Whether a sentence to remember holds beyond the task: no order, one for every time, or one that comes alone.

    `number`: the sentences of the prompt. "Add refund(). Don't forget the tests." means this task's tests.
    """
    said = rules.tokens(sentence)
    joined = set(said[: said.index("forget") if "forget" in said else 0]) & _JOINS
    alone = number == 1 and not joined and _PASSING.isdisjoint(said)
    return alone or not is_order(sentence) or not _EVERY_TIME.isdisjoint(said)


def is_closing(sentence: str) -> bool:
    """Whether a sentence only ends the work ("that's it for today", "save progress"): it decides nothing."""
    if not rules.holds_hint(sentence):
        return False
    table, said = read(), rules.tokens(strip_quotes(sentence))
    actions = {table[number][0] for number in rules.Patterns(row[1] for row in table).hits(said)}
    return len(said) <= _CLOSING_WORDS and not actions.isdisjoint(_CLOSING)


def is_bare(sentence: str) -> bool:
    """Whether this is a "remember this:" whose matter is in a neighbouring sentence."""
    return not set(rules.tokens(sentence)) - _BARE


def is_order(sentence: str) -> bool:
    """Whether this is "remember to run X" or "don't forget X", which may be meant for the task at hand."""
    said = rules.tokens(sentence)
    pairs = list(zip(said, [*said[1:], ""], strict=True))
    return ("remember", "to") in pairs or any(
        word == "forget" and after.isalpha() and after not in _FACTS for word, after in pairs
    )


def _of(sentence: str, said: list[str], actions: set[str]) -> list[Request]:
    asks = said[-1:] == ["?"]
    if _recalls(said):
        actions = actions - {REMEMBER}
    kept = {*_KEEPS_QUESTIONS, *([REMEMBER] if "please" in said else [])}
    names = sorted(action for action in actions if not asks or action in kept)
    found = [Request(action, sentence) for action in names if not action.startswith("branch")]
    name = branch_name(sentence, "branch" in actions) if actions & {"branch", "branch?"} else ""
    return [*found, Request("branch", sentence, name)] if name else found


def _recalls(said: list[str]) -> bool:
    """Whether "remember" asks for a memory instead of making one; what follows a colon is to be remembered."""
    behind = {said[at + 1] for at, word in enumerate(said[:-1]) if word == "remember"}
    asks = not _TELLS.isdisjoint(behind) and ":" not in said
    return asks or any(phrase in " ".join(said) for phrase in _ASKS_RECALL)


def branch_name(sentence: str, sure: bool) -> str:
    """Give the branch or feature that a "switch to X" or "context for X" names, else "".

    Unless `sure`, X must look like a branch: "switch to postgres" is a decision.
    """
    raw = [word.strip("\"'`“”()[],;:!?").rstrip(".") for word in sentence.split()]
    low = [word.lower() for word in raw]
    at = next((i for i, word in enumerate(low) if word in ("to", "for", "on", "of")), len(low))
    rest = [word for word in raw[at + 1 :] if word.lower() not in _FILLERS and word]
    if not rest or rest[0].lower() in _NOT_NAMES or not (sure or _is_branch(rest, low)):
        return ""
    return rest[0]


def _is_branch(rest: list[str], low: list[str]) -> bool:
    known = rest[0] in ("main", "master", "develop", "dev", "staging", "trunk")
    return known or "branch" in low or "/" in rest[0].strip("/") or "-" in rest[0]


def strip_quotes(sentence: str) -> str:
    """Blank the text in quotation marks or backticks."""
    for opening, closing in (("`", "`"), ('"', '"'), ("“", "”"), ("«", "»"), ("‘", "’")):
        sentence = _blank(sentence, opening, closing)
    return _blank_single(sentence)


def _blank(text: str, opening: str, closing: str) -> str:
    start = text.find(opening)
    while start >= 0:
        end = text.find(closing, start + 1)
        if end < 0:
            return text
        text = text[:start] + " \x00 " + text[end + 1 :]
        start = text.find(opening, start)
    return text


def _blank_single(text: str) -> str:
    padded = f" {text} "
    start = padded.find(" '")
    while start >= 0:
        end = padded.find("'", start + 2)
        while end >= 0 and padded[end + 1].isalpha():
            end = padded.find("'", end + 1)
        if end < 0:
            break
        padded = padded[:start] + " \x00 " + padded[end + 1 :]
        start = padded.find(" '")
    return padded.strip()
