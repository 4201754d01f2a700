"""Read a sentence to remember: its content without "remember this", a decision's reason, the sound of an issue."""

from __future__ import annotations

import itertools
import re

from belay.core.plain_text import words
from belay.core.text.word_forms import ARTICLES, FILLER
from belay.memory.remember.request_words import may_be_request

_OPENING = (
    r"(?:(?:and|also|please|so|just|but|then|btw|hey|do|ok(?:ay)?|let['’]?s|for (?:future|later) reference"
    r"|i (?:want|need) you to|(?:make|be) sure (?:to|you)|(?:can|could|would|will) you(?: please)?"
    r"|(?:you|we) (?:must|should|need to))[,:]? )*"
)
_LATER = r"(?:,? please)?(?: for (?:later|next time|the future|future reference))?,?"
_FORGET = r"(?:don['’]?t|(?:do |must |should )?(?:not|never))(?: you)?(?: ever)? forget"
_LEAD = re.compile(
    rf"^{_OPENING}(?:note to self\s*[:,—–-]?"
    rf"|(?:remember|memori[sz]e|note){_LATER}(?: (?:this|that|it|these|to))?{_LATER}\s*[:,—–-]?"
    rf"|{_FORGET}(?:{_LATER} (?:that|to)(?: this)?\s*[:,—–-]?|\s*[:—–-]|,)"
    r"|(?:make|take)(?: a)? note(?: that| of)?\s*[:,—–-]?"
    r"|(?:add|save|put|store|commit|write)(?: this| it| that)? (?:to|in|into)"
    r"(?: (?:your|the|our|project))* memory\s*[:,—–-]?"
    r")\s+",
    re.I,
)
_FORGET_LEAD = re.compile(rf"^{_OPENING}(?={_FORGET}\b)", re.I)
_TAIL = re.compile(
    r"[,;—–-]?\s*(?:and )?(?:please )?(?:remember (?:this|that|it)"
    rf"|{_FORGET}(?: (?:this|that|it))?)(?:,? please)?[.!]*$",
    re.I,
)
_ALWAYS = re.compile(r"^(?:please )?(?:always remember|never forget) to ", re.I)
_ASKED = re.compile(r"^(?:can|could|would|will) you\b", re.I)
ARROW = "→"
"""What is between a question of Claude and the user's answer."""
_ANSWER_WORDS = 25
"""Words of an answer up to which it is a decision, and not a discussion."""
_TALK = (
    " what would you like to do ", " would you like me ", " would you like to proceed ", " would you like to continue ",
    " want me to ", " should i ", " shall i ", " more questions ", " move to ", " want to discuss ", " what next ",
    " how should we proceed ", " ready to ", " like to discuss ", " would you like design ", " would you like to see ",
)  # fmt: skip
"""What a question says that is about the talk: it decides what happens now, and nothing that lasts."""
_OPEN = frozenset(("hmm", "hmmm", "hmmmm", "unsure", "depends", "depend", "maybe", "perhaps", "discuss", "dunno"))
"""Words of an answer that leaves a question open."""
_NUMBERED = frozenset(("option", "options", "approach", "choice", "variant", "alternative", "step", "phase", "plan"))
"""Words before the number or letter of something that was listed elsewhere."""
_CHOICE_DIGITS = 2
"""Digits of a number that may be that of an option."""
_POINTERS = frozenset(
    "yes yep yeah no nope not option choice variant alternative answer first second third fourth last former latter "
    "two three four five both neither either go going with for of on in to as by at an if or is do like way ways yours "
    "same thing things idea good great fine works agreed agree approved approve approach plan proposal proposed "
    "suggestion suggested recommended recommendation recommend default version proceed continue ahead above below "
    "add include included keep skip fix change make implement remove leave decide based tradeoffs tradeoff direction "
    "area next instead rather said say want prefer take use pick don didn doesn isn won can let lets ll re ve "
    "other another left right better best makes sense sounds looks ones all everything nothing some more".split()
)
"""Words of an answer that point at something said elsewhere, or only agree."""
_STAMP = re.compile(r"^(?:\[[ xX]\]\s*)?(?:\d{4}-\d\d-\d\d[:,]?\s+)?")
_NOTHING = ("", "this", "that", "it", "these", "please")
_TICKED = re.compile(r"`[^`]*`")
_BECAUSE = re.compile(
    r",? because (?:of )?| - because |,? so that |,? since (?=(?:it's|its|that's|there's|they're|we're|you're) |"
    r"(?:it|this|that|there|nobody|everything|we|they|you|i) (?:is|are|isn't|aren't|has|have|does|do|doesn't|don't|"
    r"can|can't|cannot|needs?|uses?|wants?|only|never|always|already|must|runs?|knows?|reads?|calls?)\b)",
    re.I,
)
"""Words before a real reason. "Since" is one only before the present: "since it started" is a time."""
_CHOSEN = re.compile(r"\b(?:because|instead of|rather than)\b|[A-Za-z] over [A-Z]")
_ISSUE = re.compile(
    r"\b(?:bugs?|buggy|fails?|failing|failed|broken|breaks?|crash(?:es|ed)?|flaky|hangs?|leaks?|workarounds?|gotchas?|"
    r"pitfalls?|regress(?:es|ion)|known issue|does(?:n'?t| not) work|races?)\b",
    re.I,
)
_DONE = re.compile(r"^(?:done|finished|completed|fixed|shipped|merged|implemented)\b[:,]?\s+", re.I)
_BLOCKED = re.compile(r"^(?:we(?:'re| are)? |i'?m |i am )?(?:blocked|stuck|waiting)(?: on| for| by|:)\s", re.I)


def has_content(text: str) -> bool:
    """Whether a decision is understood alone: "yes", "c" and "let's go with option 2" are not.

    Of an answered question ("Which storage? → SQLite") the answer counts; a question on how to go on with the talk, and
    an answer that asks, doubts or explains at length, decide nothing.
    """
    question, arrow, answer = text.rpartition(ARROW)
    said = words(answer).split()
    if arrow and ("?" not in question or "?" in answer or _is_about_the_talk(words(question))):
        return False
    if arrow and (not has_content(question) or not _OPEN.isdisjoint(said) or len(said) > _ANSWER_WORDS):
        return False
    told = [word for word in said if word not in _POINTERS and word not in FILLER and word not in ARTICLES]
    return any(len(word) > (_CHOICE_DIGITS if word.isdigit() else 1) for word in told)


def _is_about_the_talk(question: str) -> bool:
    return any(part in f" {question} " for part in _TALK)


def stands_alone(question: str) -> bool:
    """Whether a question is understood alone: it names no option of a list, and says what it is about."""
    said = words(question).split()
    names_option = any(
        word in _NUMBERED and (after.isdigit() or len(after) == 1) for word, after in itertools.pairwise(said)
    )
    return not names_option and has_content(question)


def clean_answer(text: str) -> str:
    """Return an answered question without what only recommended the answer."""
    return text.replace(" (Recommended)", "").replace(" (recommended)", "")


def strip_date(text: str) -> str:
    """Return an item's text without its box and date."""
    return _STAMP.sub("", " ".join(text.split()))


def strip_request(text: str) -> str:
    """Return a sentence without "remember this" before or after it; unchanged if nothing else is left."""
    flat = " ".join(text.split())
    if not may_be_request(flat):
        return flat
    rest = _TAIL.sub("", _LEAD.sub("", _ALWAYS.sub("always ", flat))).strip(" ,;")
    lead = _FORGET_LEAD.match(rest)
    rest = rest[lead.end() :] if lead else rest
    if rest.lower().rstrip(".!?") in _NOTHING or (rest == flat and not lead):
        return flat
    rest = rest.rstrip("? ") if _ASKED.match(flat) else rest
    return rest[0].upper() + rest[1:] if rest[1:2].islower() or rest[1:2] == " " else rest


def split_reason(text: str, *, by_colon: bool = True) -> tuple[str, str]:
    """Return (decision, reason) of "X because Y"; the reason is "" where none is given.

    With `by_colon` also of "X: Y", as people write decisions down; what somebody said in passing has no reason there.
    What stands in brackets at the end belongs to the decision.
    """
    said, bracket = text, ""
    if text.endswith("]") and " [" in text:
        said, _, bracket = text.rpartition(" [")
    hidden = _TICKED.sub(lambda part: "\0" * len(part.group()), said)
    because = _BECAUSE.search(hidden)
    start, end = because.span() if because else (-1, -1)
    if not because and by_colon:
        start, end = hidden.find(": "), hidden.find(": ") + 2
    if start < 1 or not said[end:].strip():
        return text.strip(), ""
    decision = said[:start].rstrip(" ,")
    return (f"{decision} [{bracket}" if bracket else decision), said[end:].strip().rstrip(".")


def is_issue(text: str) -> bool:
    """Whether a note reports that something goes wrong."""
    return bool(_ISSUE.search(text))


def guess_kind(text: str) -> str:
    """Return "done", "blocker" or "decision" for a sentence of that shape, else ""."""
    if _DONE.match(text):
        return "done"
    if _BLOCKED.match(text):
        return "blocker"
    return "decision" if _CHOSEN.search(text) and not is_issue(text) else ""


def strip_done(text: str) -> str:
    """Return what was done of "Done: X" or "finished X"."""
    return _DONE.sub("", text).strip().rstrip(".") or text
