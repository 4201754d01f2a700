"""What a sentence points at: a capture is read weeks later, without the sentences before it.

"Use it here too" is kept as "Use it here too [the retry helper in lib/net.py]". No bracket is better than a wrong one:
only the sentence just before counts, or what Claude asked or offered. String code, no regular expression.
"""

from __future__ import annotations

from belay.core.plain_text import cut, split_sentences
from belay.triggers import answers, rules

MOST_WORDS = 24
"""Words of a sentence that is still quoted as what another one points at."""
BRACKET_CHARS = 140
_OWN_WORDS = 6
_PLAIN_WORDS = 5
_MARKS = ".,;:!?`*()[]\"'"
_DETERMINERS = frozenset("the a an this your our".split())
_POINTING = frozenset("it this that them these those both".split())
_SMALL = frozenset(
    "no not nope nah wait again still is isn't are aren't was wasn't does doesn't did didn't don't can't won't that's "
    "it's wrong right correct incorrect true false same actually but so too either there sorry quite really".split()
)
"""Words of a sentence that judges what was said before and names nothing."""
_AFTER = frozenset(
    "for too again instead as now first later everywhere here there either also then "
    "change changes approach way idea".split()
)
_ASKING = frozenset((first, second) for first in ("can", "could", "would") for second in ("you", "we"))
_OPENINGS = frozenset("ok okay yes yeah and also so now please sorry".split())
_REPLYING = frozenset("skip leave later no not don't fine okay good yes do keep both neither".split())
"""Words of a sentence that may answer an offer of Claude's."""
_PROPOSING = (
    "could we", "can we", "should we", "couldn't we", "can't we", "shouldn't we", "what if", "why don't we",
    "would it be", "would it make sense", "would it not make sense", "what effort", "how about", "shall we",
)  # fmt: skip
_DOING = (" do ", " implement ", " go ", " add ", " make ", " build ", " change ", " apply ", " try ")
_OFFERING = ("want me to", "would you like me to", "should i ", "shall i ", "do you want ")
_UNSURE = (
    "can't", "cannot", "not recommend", "wouldn't", "not possible", "risky", "however", "won't work", "instead",
    "downside", "but ", "no,", "not directly", "alternativ", " needed", "recommend", "suggest", "better to", "prefer",
    "won't ", "not worth", "unfortunately",
)  # fmt: skip
"""Words of an answer that does not simply take up what was proposed."""


class Heard:
    """What was said before a prompt: the user's last request, Claude's question and options, the end of its answer."""

    __slots__ = ("options", "question", "request", "said")

    def __init__(
        self, request: str = "", question: str = "", options: list[list[str]] | None = None, said: str = ""
    ) -> None:
        self.request, self.question, self.options, self.said = request, question, options or [], said


def complete(sentence: str, before: list[str], after: list[str], heard: Heard) -> str:
    """Return a sentence as it is understood alone: with the option it answers, or in brackets what it points at.

    `before` and `after` are the other sentences of the same prompt. One that says next to nothing ("No, it doesn't.")
    is kept with the sentence behind it, or not at all: then the answer is "".
    """
    label, _, rest = sentence.partition(" ")
    number = label.rstrip(".):") if label[-1:] in ".):" else ""
    option = dict(heard.options).get(number, "") if number.isdigit() else ""
    if "?" in option and 0 < len(rest.split()) <= MOST_WORDS:
        return f"{option} → {rest}"
    if not _says_something(sentence):
        return f"{sentence} {after[0]}" if after and _says_something(after[0]) else ""
    if not points(sentence):
        return sentence
    found = _find_antecedent(sentence, before, heard)
    return f"{sentence} [{cut(found, BRACKET_CHARS)}]" if found else sentence


def strip_asking(sentence: str) -> str:
    """Return a polite order as what is wanted: "can you rename it to x?" says "Rename it to x"."""
    words = sentence.split()
    while len(words) > 3 and words[0].lower().strip(",.") in _OPENINGS:
        words = words[1:]
    if len(words) < 4 or (words[0].lower(), words[1].lower()) not in _ASKING:
        return sentence
    rest = words[3:] if words[2].lower() in ("please", "also", "just", "maybe", "now") else words[2:]
    return " ".join([rest[0][:1].upper() + rest[0][1:], *rest[1:]]).rstrip("? ")


def pair_lines(prose: str, heard: Heard) -> list[tuple[str, str]]:
    """Return (what Claude had numbered, reply) of a prompt in which every line answers one: "1. yes", "2. weekly"."""
    lines = [line.strip().partition(" ") for line in prose.split("\n") if line.strip()]
    options = dict(heard.options)
    numbered = [(options.get(label.rstrip(".):"), ""), rest.strip()) for label, _, rest in lines if label[-1:] in ".):"]
    is_list = len(lines) > 1 and len(numbered) == len(lines) and all(option and said for option, said in numbered)
    asks = any("?" in option for option, _ in numbered)  # else it may be a list of new tasks
    return numbered if is_list and asks else []


def points(sentence: str) -> bool:
    """Whether a sentence points at something and names too little to be understood alone."""
    words = rules.tokens(sentence)
    if any(word[0] == "<" for word in words) or "`" in sentence or '"' in sentence:
        return False
    line = [*words, "."]
    pointing = any(
        word in _POINTING and (line[at + 1] in _AFTER or line[at + 1][0] in ".,;:!?…") for at, word in enumerate(words)
    )
    return pointing and _count_own_words(sentence) <= _OWN_WORDS


def _says_something(sentence: str) -> bool:
    words = [word for word in rules.tokens(sentence) if word[0] not in ".,;:!?…"]
    return not all(word in _SMALL or not word.strip("hmu") or not answers.adds_words(word, "") for word in words)


def _count_own_words(sentence: str) -> int:
    words = [word for word in rules.tokens(sentence) if word[0] not in ".,;:!?…"]
    return sum(answers.adds_words(word, "") for word in words)


def find_agreement(reply: str, heard: Heard) -> str:
    """Return what a yes agrees to, after a proposal of the user's own ("couldn't we keep one copy?"); "" for nothing.

    The proposal where the reply says to do it and nothing in Claude's answer led elsewhere; else what Claude offered to
    do about it in the sentence before "Want me to make that change?".
    """
    request = " ".join(heard.request.split())
    low, said = request.lower().replace("’", "'"), heard.said.lower().replace("’", "'")
    asked = heard.question.lower()
    if not any(phrase in low for phrase in _PROPOSING) or "which" in asked or " or " in asked or request[-1:] == "…":
        return ""
    if asked and not points(heard.question) and not answers.shares_words(heard.question, request):
        return ""  # Claude asks something else
    if any(mark in said for mark in _UNSURE):
        offered = _find_offer(heard) if points(heard.question) else ""
        return f"{request} → {offered}" if offered else ""
    return f"Agreed: {request}" if any(phrase in f" {reply.lower()} " for phrase in _DOING) else ""


def _find_offer(heard: Heard) -> str:
    """Return the sentence before Claude's closing offer, "" where that is no plain sentence."""
    before, found, _ = heard.said.rpartition(heard.question)
    line = before.rstrip().rpartition("\n")[2].strip() if found and heard.question.lower().startswith(_OFFERING) else ""
    last = (split_sentences(line) or [""])[-1]
    is_plain = line[:1].isalpha() and last.endswith((".", "!")) and len(last.split()) >= _PLAIN_WORDS
    return last if is_plain else ""


def _find_antecedent(sentence: str, before: list[str], heard: Heard) -> str:
    """Return the sentence just before, else what Claude offered, else the one file that the end of its answer names."""
    if before:
        last = before[-1].strip()
        names = last.endswith("?") or any(word[0] == "<" for word in rules.tokens(last)) or '"' in last or "`" in last
        return last if names and 3 <= len(last.split()) <= MOST_WORDS and not points(last) else ""
    asked = heard.question
    if asked:
        if _REPLYING.isdisjoint(rules.tokens(sentence)):
            return ""
        is_offer = asked.lower().startswith(_OFFERING) and len(asked.split()) <= MOST_WORDS
        return asked if is_offer and " or " not in asked and not points(asked) else ""
    return _find_file(heard.said)


def _find_file(said: str) -> str:
    """Return the only file that a text names, with the words that say what it is: "the retry helper in lib/net.py"."""
    words = [word.strip(_MARKS) for word in said.split()]
    places = [at for at, word in enumerate(words) if _is_file(word)]
    if len({words[at] for at in places}) != 1:
        return ""
    at = places[-1]
    begin = next((at - back for back in range(2, 7) if at >= back and words[at - back].lower() in _DETERMINERS), at)
    phrase = " ".join(said.split()[begin : at + 1]).strip(_MARKS)
    return phrase if not any(mark in phrase for mark in ".!?;:" if f"{mark} " in phrase) else words[at]


def _is_file(word: str) -> bool:
    name, _, ending = word.rpartition("/")[2].rpartition(".")
    return "://" not in word and len(name) > 1 and ending.isalnum() and not ending.isdigit() and len(ending) <= 4
