"""Paragraphs of a prompt that report a defect in somebody else's words: a pasted review, a finding of a tool.

They are nobody's correction or decision. Word lists, no regular expression.
"""

from __future__ import annotations

from belay.triggers import model

LONG = 110
"""Characters from which a paragraph without a person in it may be a pasted finding."""
_WRAPPED = 60
"""Characters of a line behind which a terminal may have wrapped."""
_SEVERITIES = frozenset(
    ("high", "medium", "low", "critical", "major", "minor", "nit", "nitpick", "p0", "p1", "p2", "p3")
)
_PERSONS = frozenset(
    "i i'm im i've i'd i'll me my mine we we're we've we'd we'll us our let's lets you you're youre your u please pls "
    "thanks yes yeah ok okay hmm don't".split()
)
"""Words of somebody who speaks to Claude."""
_WISHES = frozenset("can could should would must want need needs always use keep ensure".split())
"""Words of a rule or a wish: a paragraph with one of them is a finding only if it opens like one."""
_ORDERING = frozenset("do ensure rewrite never always use keep make only".split())
_OPENINGS = frozenset("consider since when after before".split())
_DEFECTS = (
    "never ", "not cleared", "missing", "misses ", "incorrect", "inconsistent", "misleading", "inefficient", "issue",
    "silently", "however", "instead of", "causes", "cause ", "leads to", "leading to", "fails", "fail ", "lacks",
    "lost", "leak", "regress", "overwrit", "undercount", "double-", "stale", "unused", "duplicate", "dead code",
    "superseded", "doesn't ", "does not ", "isn't ", "is not ", "aren't ", "are not ", "without ", "there is no ",
    "avoided", "risk", "expensive", "only calculated", "only used", "error", "throws", "panics", "crash", "bug",
    "hard-coded", "hardcoded", "vulnerab", "unsafe", "race", "breaks", "mismatch", "typo", "wrong",
)  # fmt: skip
"""What a finding says of the code."""


def drop_reports(prose: str) -> str:
    """Return prose without the paragraphs that are findings about code in somebody else's words."""
    paragraphs = _split_paragraphs(prose)
    if not any(_is_pasted(part) or _names_severity(part) for part in paragraphs):
        return prose
    kept: list[str] = []
    inside = False
    for number, part in enumerate(paragraphs):
        following = paragraphs[number + 1] if number + 1 < len(paragraphs) else ""
        is_title = _is_severity_line(following) and not _has_person(part)
        inside = (inside and _goes_on(part)) or _names_severity(part) or is_title or _is_pasted(part)
        if not inside:
            kept.append(part)
    return "\n\n".join(kept)


def _goes_on(part: str) -> bool:
    """Whether a paragraph belongs to the finding before it: it tells more of the code, and nobody speaks or orders."""
    first = _list_words(part)[0]
    return not _has_person(part) and first not in model.TASKS and first not in _ORDERING


def _is_pasted(part: str) -> bool:
    return _reads_like_finding(part) or (_is_wrapped(part) and not _has_person(part))


def _is_wrapped(part: str) -> bool:
    """Whether a terminal had wrapped a paragraph: a sentence goes on in an indented line."""
    lines = part.split("\n")
    for number in range(1, len(lines)):
        above, line = lines[number - 1], lines[number]
        goes_on = line.startswith("   ") and line.lstrip()[0].islower()
        if goes_on and len(above) >= _WRAPPED and above[-1] not in ".:?!,;":
            return True
    return False


def _split_paragraphs(prose: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in prose.split("\n"):
        if line.strip():
            parts[-1].append(line)
        elif parts[-1]:
            parts.append([])
    return ["\n".join(part) for part in parts if part]


def _names_severity(part: str) -> bool:
    """Whether a line begins like an item of a review: "1. High: …", "**Medium** …", "Low Severity"."""
    return any(_is_severity_line(line) for line in part.split("\n"))


def _is_severity_line(line: str) -> bool:
    row = line.strip().lstrip("-*#>[( ")
    number, _, rest = row.partition(" ")
    if number.rstrip(".):").isdigit():
        row = rest.lstrip("*[( ")
    first, _, rest = row.partition(" ")
    if first.strip("*:[]()|").lower() not in _SEVERITIES:
        return False
    marked = first[-1:] in ":*])|" or first[:1] in "*[("
    return marked or rest.lower().startswith("severity") or (rest.lower().startswith("priority") and len(row) < 20)


def _reads_like_finding(part: str) -> bool:
    """Whether a paragraph tells of code and its defect, at length, without a person who speaks."""
    text = " ".join(part.split()).lstrip("0123456789.) ")
    words = _list_words(text) or [""]
    if len(text) < LONG or text.endswith("?") or words[0] in model.TASKS or not _PERSONS.isdisjoint(words):
        return False
    is_sentence = (text[:1].isupper() or text[:1] == "`") and (words[0] in _OPENINGS or _WISHES.isdisjoint(words))
    low = text.lower()
    return is_sentence and any(word in low for word in _DEFECTS) and _names_code(text)


def _has_person(part: str) -> bool:
    return not _PERSONS.isdisjoint(_list_words(part))


def _list_words(part: str) -> list[str]:
    return [word.strip('.,!?;:"()*`').lower().replace("’", "'") for word in part.split()]


def _names_code(text: str) -> bool:
    """Whether a text names an identifier or a place in a file, as nobody says it aloud."""
    return any(_is_code(word.strip(".,!?;:\"'()")) for word in text.split())


def _is_code(word: str) -> bool:
    """Whether a word is written like code: `like_this`, likeThis, LikeThis, like.this(), path/file.py:12."""
    bare = word.strip("`")
    if "://" in bare or len(bare) < 4:
        return False
    camel = any(bare[at - 1].islower() and bare[at].isupper() for at in range(1, len(bare)))
    is_place = bare.endswith("()") or bare.rpartition(":")[2].isdigit()
    return word[:1] == "`" or camel or "_" in bare.strip("_") or is_place
