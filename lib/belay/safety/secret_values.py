"""Tests of one value: a secret, or only something in the place of one."""

from __future__ import annotations

from belay.safety.secret_kinds import ALNUM, DIGIT, HEX
from belay.safety.secret_placeholders import HOLES, NUMBERED, REFERENCES, WORDS

_HOLES = (*HOLES, "${", "{{", "://")


def hole(value: str) -> bool:
    """Whether a value is a placeholder, a reference to where the secret is, or a mere word about it."""
    low = value.lower()
    if low.strip("'\"`.,;:!?-_*()") in WORDS or low.startswith(REFERENCES):
        return True
    for mark in _HOLES:
        if mark in low:
            return True
    if low[:1] in "$%!@" and value.strip("$%!@").replace("_", "").replace(".", "").isalpha():
        return True
    return len(set(low) & ALNUM) < 3 or low[:4] in ("xxx-", "xxx_")


def code(value: str) -> bool:
    """Whether an unquoted value is an expression: a call, a path, a dotted name, a type."""
    if any(sign in value for sign in "([{") and value.lstrip("_")[:1].isalpha():
        return True
    return value.startswith("/") or (not has_digit(value) and _names(value) and not scrambled(value))


def scrambled(value: str) -> bool:
    """Whether letters alone look made by a machine: single small letters and pairs of capitals, rare in names."""
    letters = value.replace("-", "").replace("_", "")
    if len(value) < _NAME_CHARS or not letters.isalpha() or not letters.isascii():
        return False
    shape = "".join("A" if letter.isupper() else "a" for letter in letters)
    single = sum(len(part) == 1 for part in shape.split("A")[1:])
    return single + sum(len(part) > 1 for part in shape.split("a")) >= _ODD_RUNS


_NAME_CHARS = 16
"""Letters from which on the case of random ones tells them from a name."""
_ODD_RUNS = 3
"""Of 20 random letters 96 in 100 have so many; a name in camel case has one for each abbreviation."""


def _names(value: str) -> bool:
    return all(part.isalpha() for part in _parts(value))


def named(value: str) -> bool:
    """Whether a value reads as names: words, short numbers and versions between - _ . / : signs."""
    return all(_plain(part) for part in _parts(value))


def _plain(part: str) -> bool:
    body = part.lower().lstrip("v")
    if part.isalpha():
        return len(part) < 20 and (part[1:].islower() or part.isupper() or part.islower() or _camel(part))
    return (body.isdigit() and len(body) <= 4) or (
        len(part) < 10 and part.rstrip("0123456789").isalpha() and _few(part)
    )


def _few(part: str) -> bool:
    return len(part) - len(part.rstrip("0123456789")) <= 3 and part.rstrip("0123456789").islower()


def invented_word(value: str) -> bool:
    """Whether a value is a word with digits behind it as people make passwords: `hunter2`, no `step2` or `utf8`."""
    word = value.rstrip("0123456789")
    digits = len(value) - len(word)
    return 1 <= digits <= 4 and len(word) >= 4 and word.isalpha() and word.isascii() and word.lower() not in NUMBERED


def _camel(part: str) -> bool:
    """CamelCase has a small letter after almost every capital."""
    capitals = [letter.isupper() for letter in part]
    together = sum(capitals[at] and capitals[at + 1] for at in range(len(capitals) - 1))
    return together <= 2 and sum(capitals) * 3 <= len(part)


def _parts(value: str) -> list[str]:
    for sign in "_./:@,+ ":
        value = value.replace(sign, "-")
    return [part for part in value.split("-") if part]


def keyword(value: str) -> bool:
    """Whether a value is an argument with its name: `shuffle=True`."""
    name, sign, _ = value.partition("=")
    return bool(sign) and name.isidentifier()


def has_digit(value: str) -> bool:
    """Whether any of 0-9 is in the value."""
    return not DIGIT.isdisjoint(value)


def random(value: str, least: int = 16) -> bool:
    """Whether a value looks made by a machine: long, of many different characters, not of words."""
    if len(value) < least or "abcdefghijklmnop" in value.lower() or hole(value) or named(value) or " " in value:
        return False
    kinds = has_digit(value) + any(c.islower() for c in value) + any(c.isupper() for c in value)
    return kinds >= 2 and len(set(value)) >= min(10, len(value) * 5 // 8)


def hexadecimal(value: str) -> bool:
    """Whether a value is a number in hexadecimal, a UUID's dashes dropped."""
    return HEX.issuperset(value.replace("-", ""))


def filler(body: str, *, may_be_name: bool = True) -> bool:
    """Whether a token's body is invented: a placeholder, one character repeated, the alphabet, a name of code."""
    low = body.lower()
    return (
        (may_be_name and len(body) >= _NAME_CHARS and body.isalpha() and not scrambled(body))
        or any(mark in low for mark in HOLES)
        or len(set(low)) < 6
        or low.startswith(("abcdefghij", "1234567890123", "0123456789abcdef0123"))
        or not (has_digit(body) or (any(c.isupper() for c in body[1:]) and any(c.islower() for c in body)))
    )
