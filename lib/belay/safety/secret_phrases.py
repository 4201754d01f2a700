"""Values that stand apart from their name: on the next line, or several words up to the line's end."""

from __future__ import annotations

from belay.core.terms import NEGATIONS, STOP
from belay.safety import secret_values

BELOW_CHARS = 200
"""Characters after a name within which its value's line must begin."""
_TAILS = frozenset((
    *("", ":", "=", "->", "=>", ":=", "：", ": |", ": |-", ": >", ": >-", "= (", "=(", ": (", "= \\", "=\\", ">"),
    *(": {", "= [", ": [", "is", "is:", "below", "below:", "here", "here:", "as follows:", "(below)", "(below):"),
    *("est", "est :", "ist", "ist:", "es", "es:", "é", "é:", "это", "это:", "は", "是", "为"),
))  # fmt: skip
_DECORATION = " \t\"'`*_)]"
_LEADS = (">", "-", "*", "+", "•", "1.")
_FENCES = ("```", "~~~", "---")
_ASIDE_CHARS = 60
_PHRASE_WORDS = range(4, 11)
_ASKED_WORDS = range(3, 11)
_WORD_CHARS = range(2, 13)
_PHRASE_NAMES = ("phrase", "password", "passcode", "passwort", "wachtwoord", "contraseña", "senha")
_PROSE_SIGNS = dict.fromkeys(map(ord, "(),-'’"))
"""Signs that a line of words may have; with others it is code."""
_PROSE = (
    STOP
    | NEGATIONS
    | frozenset(
        """
accepted account add admin after algorithm allowed any argon2 auth authentication bad based bcrypt being best bytes
case change changed changes chars character characters check checks clear client code column complexity config
confirm confirmation contain contains create created current database db default different digit digits
disabled does email empty enabled encrypted enter entry env error expired expires failed failure false field fields
file first fix flow forgot form format forms generate generated handling has hash hashed hashes hashing help hidden
hint ignored incorrect input invalid issue key keys last length less letter letters line link list local login long
longer lower mail manager match matches matching max maximum may message min minimum mismatch missing mode must name
need needed needs new next none note null number numbers ok okay old one only optional option options page params
parameter password passwords pending plain plaintext policy policies possible preferably prompt prompts protected
provided read recovery regex rejected remove removed request required requirements requires reset reused rotate
rotated rotation rule rules salt saved secret secrets secure security send sent server service session set
sets setting settings short shorter show shown sign signup simple size special started still store stored storage
strength string strings strong stronger support supported take team test tests text time times today token tokens
too true two type types unchanged unset update updated updates upper uppercase lowercase use used user username
users uses using valid validate validated validation value values via weak well works wrong yes yet
""".split()
    )
)
"""Words of sentences about passwords: one of them and a line is no passphrase."""


def find_below(text: str, end: int, kind: str) -> tuple[int, int] | None:
    """Return start and end of a value on a line after its name's, None where the name announces none."""
    line_end = text.find("\n", end, end + BELOW_CHARS)
    if (
        line_end < 0
        or text[end - 2 : end] == "--"
        or not _announces(text, end, text[end:line_end].strip(_DECORATION + "\r"))
    ):
        return None
    at = _next_line(text, line_end + 1, end + BELOW_CHARS)
    if at < 0:
        return None
    start, stop = _token(text, at)
    return (start, stop) if is_below(kind, text[start:stop]) else None


def _announces(text: str, end: int, tail: str) -> bool:
    """Whether the rest of a name's line says that the value comes below; a bare name does so in a line of words."""
    if not tail:
        line = text[text.rfind("\n", max(0, end - BELOW_CHARS), end) + 1 : end].strip(" \t>#*-+`\"'<")
        words = line.replace("'", "").split()
        return all(word.replace("_", "").replace("-", "").isalpha() for word in words) and words[-1:] != ["pass"]
    return tail in _TAILS or (
        len(tail) <= _ASIDE_CHARS and tail[-1] in ":：" and tail[:-1].translate(_PROSE_SIGNS).replace(" ", "").isalnum()
    )


def _next_line(text: str, at: int, limit: int) -> int:
    """Return where the first line with something on it starts, fences and blank lines skipped; -1 without one."""
    for _ in range(4):
        line = text[at : at + BELOW_CHARS].split("\n", 1)[0]
        bare = line.strip(" \t\r>|")
        if bare and not bare.startswith(_FENCES) and bare not in ('"', "'", "(", '"""'):
            return at
        at += len(line) + 1
        if at > limit or at >= len(text):
            return -1
    return -1


def _token(text: str, at: int) -> tuple[int, int]:
    """Return start and end of what a line holds without list sign, quotes and end signs; empty if several words."""
    line = text[at : at + 4096].split("\n", 1)[0]
    body = line.lstrip(" \t")
    lead = next((lead for lead in _LEADS if body.startswith(lead + " ")), "")
    body = body[len(lead) :].lstrip(" \t\"'`(*<")
    start = at + len(line) - len(body)
    value = body.rstrip(" \t\r\"'`,;)*\\>")
    value = value[:-1] if value[-1:] == "." else value
    return (start, start) if " " in value or "\t" in value else (start, start + len(value))


def is_below(kind: str, value: str) -> bool:
    """Whether a line of its own is the secret that the line before announces: stricter than beside the name."""
    if len(value) < 5 or secret_values.hole(value) or _is_code(value):
        return False
    if kind == "password":
        letters = any(c.isalpha() for c in value)
        signs = sum(c in "!@#$%^&*?+~" for c in value)
        plain = secret_values.named(value) and not secret_values.invented_word(value)
        return letters and (secret_values.has_digit(value) or signs > 0) and (not plain or signs > 0)
    return secret_values.random(value, 16 if kind == "key" else 10) and not value.startswith(("/", ".", "http"))


def _is_code(value: str) -> bool:
    if secret_values.code(value) or value[-1] in ":={[(/" or "::" in value or "=" in value.rstrip("="):
        return value[-1] != "=" or not secret_values.random(value.rstrip("="))
    if any(sign in value for sign in "([{"):
        return value.lstrip("@.)(:")[:1].isalpha()
    parts = value.split(".")
    return len(parts) > 2 and all(part.isidentifier() for part in parts)


def find_phrase(text: str, start: int, name: str) -> tuple[int, int] | None:
    """Return start and end of a passphrase: common words up to the line's end that make no sentence."""
    line = text[start : start + 160].split("\n", 1)[0]
    body = line.strip(" \t\r\"'`*.,;")
    at = start + line.index(body) if body else start
    words = body.split(" ")
    if not name.lower().endswith(_PHRASE_NAMES):
        return None
    asked = name.lower().endswith("phrase")
    if len(words) not in (_ASKED_WORDS if asked else _PHRASE_WORDS) or len(line) >= 160:
        return None
    return (at, at + len(body)) if all(_is_phrase_word(word) for word in words) else None


def _is_phrase_word(word: str) -> bool:
    return word.isalnum() and word == word.lower() and len(word) in _WORD_CHARS and word not in _PROSE
