"""What of an answer to a question, or of the comment on a rejected call, is worth keeping.

An answer that only moves the conversation on, or gives the choice back, settles nothing. Word lists, no regular
expression.
"""

from __future__ import annotations

from belay.core import kinds
from belay.core.constants import SENTENCE_CHARS
from belay.core.plain_text import cut, split_sentences
from belay.triggers import tasks

_GIVEN_BACK = (
    "you decide", "you choose", "you pick", "your call", "your choice", "up to you", "whatever you", "as you like",
    "no preference", "don't care", "no opinion", "not sure", "no idea", "i don't know", "it depends", "would depend",
    "claude's discretion", "your discretion", "let claude decide",
)  # fmt: skip
"""Phrases that leave a choice to Claude, or open."""
_MOVING = frozenset(
    "next done continue proceed start begin now move finish finished ready later resume cancel stop exit".split()
)
_FILLING = frozenset(
    "area areas topic section question questions step phase on to the it with this that work go ahead yes no ok okay "
    "let's lets please create context we're we are i'm all good not yet here and then one".split()
)
_ABOUT_THE_TALK = (
    "more questions", "next area", "next topic", "next section", "are we done", "anything else", "want to discuss",
    "would you like to do", "do you want to do", "like to proceed", "want to proceed", "should i proceed",
    "should we proceed", "ready to proceed", "ready to continue", "ready to start", "shall i continue",
    "should i continue", "should we continue", "what's next", "what next", "how should we continue",
)  # fmt: skip
"""Phrases of a question about how the conversation goes on, not about the project."""
_OFFERS = ("want me to", "would you like me to", "like me to", "should i ", "shall i ")
_UNSURE = ("hm", "maybe", "perhaps", "depends", "dunno", "idk")
_GIVEN_BACK_WORDS = 8
_SMALL = 3
_QUESTION_CHARS = 120
"""Characters of a question that stay where the answer is long."""
_EMPTY = frozenset(
    "a an the to of in on at for with and or it its this that these those them then i you me we us my your let's lets "
    "do does go ahead please just now sure yes yep yeah yup ok okay good great fine sounds looks apply add make "
    "implement fix change include use run start try y both all".split()
)


def judge_answer(question: str, chosen: str) -> dict[str, float]:
    """Return the classes of an answered question: a decision; {} where the answer settles nothing of the project.

    A question about the conversation itself ("More questions, or the next area?") is answered for the moment; what else
    the answer says is classified like any prompt.
    """
    label = chosen.partition(" (")[0] if chosen.endswith(")") else chosen  # without its description
    said, low = _words(label), label.lower().replace("’", "'").strip()
    if not said or _gives_back(low, said) or _moves_on(said) or _asks_back(low):
        return {}
    asked = question.lower().replace("’", "'")
    if any(phrase in asked for phrase in _ABOUT_THE_TALK):
        return _classify(label)
    if any(phrase in asked for phrase in _OFFERS) and not adds_words(label, question):
        return {}
    return {kinds.DECISION: 1.0}


def pair(question: str, chosen: str) -> str:
    """Return a choice behind its question on one line, at most SENTENCE_CHARS; a long question is cut first."""
    asked, said = " ".join(question.split()), " ".join(chosen.split())
    room = max(_QUESTION_CHARS, SENTENCE_CHARS - len(said) - 3)
    return cut(f"{cut(asked, room)} → {said}", SENTENCE_CHARS)


def judge_rejection(comment: str) -> dict[str, float]:
    """Return the classes of the comment on a rejected call: a correction, unless it orders a commit or asks only."""
    kind = tasks.read_request(comment, comment).kind
    if kind in (kinds.CHORE, kinds.GO_ON, kinds.THANKS, kinds.ANSWER, kinds.COMMAND):
        return {}
    return _classify(comment) if kind == kinds.QUESTION else {kinds.CORRECTION: 1.0}


def adds_words(said: str, question: str) -> bool:
    """Whether a reply has words of its own: "yes, apply that" and "yes, generate it" add none to "generate it?"."""
    return not (_EMPTY | set(_words(question))).issuperset(_words(said))


def shares_words(one: str, other: str) -> bool:
    """Whether two texts have a word in common that names something."""
    return not {word for word in _words(one) if len(word) > _SMALL and word not in _EMPTY}.isdisjoint(_words(other))


def _gives_back(low: str, said: list[str]) -> bool:
    return len(said) <= _GIVEN_BACK_WORDS and any(phrase in low for phrase in _GIVEN_BACK)


def _moves_on(said: list[str]) -> bool:
    return (_MOVING | _FILLING).issuperset(said) and not _MOVING.isdisjoint(said)


def _asks_back(low: str) -> bool:
    """Whether an answer is a question itself, or begins with one or by doubting."""
    return low.endswith("?") or low.startswith(_UNSURE) or split_sentences(low)[0].endswith("?")


def _classify(text: str) -> dict[str, float]:
    from belay.triggers import classifier  # seldom, and it reads the weights

    return {entry.label: round(entry.confidence, 2) for entry in classifier.classify(text).entries}


def _words(text: str) -> list[str]:
    found = (word.strip(".,!?;:\"'()[]—–-…").lower().replace("’", "'") for word in text.split())
    return [word for word in found if word]
