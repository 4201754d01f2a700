"""Secrets known by the name they are given: NAME=value, "name": "value", `--name value`, "the name is value".

A name says what a value may be; the judge says whether it is one. Both must agree: most code that speaks of
tokens holds none.
"""

from __future__ import annotations

from belay.safety import secret_values
from belay.safety.secret_kinds import (
    NAMES,
    OPEN,
    PASSWORD_WORDS,
    PASSWORDS,
    QUALIFIERS,
    SECRET_WORDS,
    SECRETS,
    WORD,
)
from belay.safety.secret_shapes import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.safety.secret_shapes import Span

NAME_CHARS = 64
VALUE_CHARS = 4096
_NAME = WORD | frozenset("-") | frozenset("ñÑ")
_QUOTES = "\"'`"
_CLOSERS = frozenset("\"'`*_])\\")
_ENDS = frozenset(" \t\r\n\"'`<>|,;&)}]")
_BLANK = frozenset(" \t")
_SCHEMES = ("bearer ", "basic ", "token ", "apikey ", "api-key ", "digest ")


def assigned(text: str) -> Iterator[Span]:
    """Yield (kind, start, end) of every value that its name and its own look call a secret."""
    low = lower(text)
    kinds: dict[str, str] = {}
    covered = 0
    for end in _names(text, low):
        tied = _separator(text, low, end)
        if tied is None or tied[1] < covered:
            continue
        name = text[max(0, end - NAME_CHARS) : end]
        if name not in kinds:
            kinds[name] = sensitive(name)
        for span in _value(text, low, tied, kinds[name]):
            covered = span[2]
            yield span


def _names(text: str, low: str) -> list[int]:
    """Return where the names end that hold one of NAMES, in order."""
    ends = set()
    for literal in NAMES:
        at = low.find(literal)
        while at >= 0:
            end = run(text, at, _NAME)
            if end - at <= NAME_CHARS:
                ends.add(end)
            at = low.find(literal, max(end, at + len(literal)))
    return sorted(ends)


def lower(text: str) -> str:
    """Lower a text without changing its length (İ would become two)."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def sensitive(name: str) -> str:
    """Return the kind that the name at the end of a text announces, or ""."""
    words = _words(name.replace(" key", "_key").replace(" Key", "_Key").replace(" KEY", "_KEY"))
    while words and (words[-1] in QUALIFIERS or words[-1].isdigit()):
        words.pop()
    squashed = "".join(words[-4:]).rstrip("0123456789")
    if not words or squashed in ("bypass", "compass"):
        return ""
    if squashed.endswith(PASSWORDS) or words[-1] in PASSWORD_WORDS:
        return "password"
    if words[-1] != squashed and any(word in OPEN for word in words):
        return ""
    if squashed.endswith(SECRETS):
        return "api-key" if squashed.endswith("key") else "token" if squashed.endswith(("token", "jwt")) else "secret"
    return "key" if words[-1] in SECRET_WORDS else "login" if squashed in ("login", "account") else ""


def _words(name: str) -> list[str]:
    start = len(name)
    while start > 0 and name[start - 1] in _NAME:
        start -= 1
    cut = [name[at] if not _hump(name, at) else "-" + name[at] for at in range(start, len(name))]
    return [word.lower() for word in "".join(cut).replace("_", "-").split("-") if word]


def _hump(name: str, at: int) -> bool:
    """A capital after a small letter begins a word: apiKey."""
    return at > 0 and name[at].isupper() and name[at - 1].islower()


def _value(text: str, low: str, tied: tuple[str, int], kind: str) -> Iterator[Span]:
    if not kind:
        return
    style, start = tied
    start = _past_type(text, start) if style == "plain" else start
    start, stop, quoted = bounds(text, low, start, style)
    if quoted:
        style = {"plain": "quoted", "beside": "call"}.get(style, style)
    elif style == "call":
        return
    if kind in ("login", "secret") and style in ("plain", "quoted") and (pair := _pair(text, start, kind)):
        yield "password", *pair
    elif kind != "login" and accept(kind, text[start:stop], style):
        yield ("secret" if kind == "key" else kind), start, stop


def _separator(text: str, low: str, end: int) -> tuple[str, int] | None:
    """Return how a value is tied to the name (plain, env, flag, prose, beside, call) and where it is."""
    after = _past(text, end, _CLOSERS, 5)
    if text[end : end + 1] == ">" and text[_start(text, end) - 1 : _start(text, end)] == "<":
        return "plain", end + 1
    after = _past_aside(text, after)
    sign = _past(text, after, _BLANK, 30)
    if text.startswith(("==", "!=", "::"), sign):
        return None
    if text.startswith((":=", "=>", "?=", "+=", "->", "→ "), sign):
        return "plain", sign + 2
    if text.startswith(("=", ":", "|"), sign):
        return _tight(text, end, sign), sign + 1
    return _loose(text, low, end, sign)


def _past_aside(text: str, after: int) -> int:
    """Step over what a name is for: `password (prod): …`, `password for staging is …`."""
    if text.startswith(" (", after) and (close := text.find(")", after, after + 40)) > 0:
        return _past(text, close + 1, _CLOSERS, 3)
    if text.startswith((" for ", " of ", " on "), after):
        aside = text[after : after + 44].split("\n", 1)[0]
        ends = [at for at in (aside.find(": "), aside.find(" is "), aside.find(" = ")) if at >= 0]
        return after + min(ends, default=0)
    return after


_VERBS = ("is ", "was ", "is: ", "to ", "value=", "ist ", "lautet ", "es ", "est ", "é ")
"""What ties a value to its name in a sentence, in the languages whose word for a password is known."""


def _loose(text: str, low: str, end: int, sign: int) -> tuple[str, int] | None:
    for verb in _VERBS:
        if sign > end and low.startswith(verb, sign):
            return ("plain" if verb == "value=" else "prose"), sign + len(verb)
    if text.startswith("(", end):
        return "call", end + 1
    if text.startswith((" ", "\t"), end):
        return ("prose" if text.startswith("-", _start(text, end)) else "beside"), sign
    return None


def _start(text: str, end: int) -> int:
    """Return where the name that ends at `end` starts."""
    start = end
    while start > max(0, end - NAME_CHARS) and text[start - 1] in _NAME:
        start -= 1
    return start


def _tight(text: str, end: int, sign: int) -> str:
    """Tell a shell's NAME=value (capitals, no blank) and --name=value from other assignments."""
    if text[sign] != "=" or sign > end or text[sign + 1 : sign + 2] in _BLANK:
        return "plain"
    name = text[_start(text, end) : end]
    return "flag" if name.startswith("--") else "env" if name.isupper() else "plain"


def _past(text: str, at: int, signs: frozenset[str], most: int) -> int:
    stop = min(len(text), at + most)
    while at < stop and text[at] in signs:
        at += 1
    return at


def _past_type(text: str, start: int) -> int:
    """Step over an annotation: `token: str = "…"`."""
    at = _past(text, start, _BLANK, 30)
    word = run(text, at, WORD | frozenset(".[]"))
    sign = _past(text, word, _BLANK, 30)
    quote = _past(text, sign + 1, _BLANK, 30)
    typed = word > at and text[sign : sign + 1] == "=" and text[quote : quote + 1] in ('"', "'", "`")
    return quote if typed else start


def bounds(text: str, low: str, start: int, style: str) -> tuple[int, int, bool]:
    """Return start and end of the value itself, and whether quotes enclose it."""
    at = _past(text, start, _BLANK | frozenset("*"), 40)
    if text[at : at + 2] in ("b'", 'b"', "r'", 'r"', "u'", 'u"', "f'", 'f"', ":'"):
        at += 1
    slash = text[at : at + 1] == "\\" and text[at + 1 : at + 2] in ('"', "'")
    quote = text[at + slash : at + slash + 1]
    if quote and quote in _QUOTES:
        return _quoted(text, low, at + slash + 1, "\\" * slash + quote)
    at = _past_scheme(low, at)
    stop, limit = at, min(len(text), at + VALUE_CHARS)
    ends = frozenset(" \t\r\n\"'`") if style == "env" else _ENDS
    while stop < limit and not _over(text, stop, ends) and not text.startswith(("\\n", "\\r", "\\t"), stop):
        stop += 1
    while stop > at and text[stop - 1] in (";" if style == "env" else ".,;:?*\\"):
        stop -= 1
    return at, stop, False


def _over(text: str, at: int, ends: frozenset[str]) -> bool:
    """Whether a value ends here; an & does so only before the next field of a query or a blank."""
    if text[at] != "&" or "&" not in ends:
        return text[at] in ends
    after = run(text, at + 1, _NAME)
    return text[after : after + 1] in ("=", " ", "", "\n", "&") and (after == at + 1 or text[after : after + 1] == "=")


def _quoted(text: str, low: str, start: int, quote: str) -> tuple[int, int, bool]:
    start = _past_scheme(low, start)
    stop = text.find(quote, start, start + VALUE_CHARS)
    while stop > 0 and len(quote) == 1 and text[stop - 1] == "\\" and text[stop - 2] != "\\":
        stop = text.find(quote, stop + 1, start + VALUE_CHARS)
    line = text.find("\n", start, start + VALUE_CHARS)
    if stop < 0 or 0 <= line < stop:
        return start, start, True
    return start, stop, True


def _past_scheme(low: str, at: int) -> int:
    return at + next((len(scheme) for scheme in _SCHEMES if low.startswith(scheme, at)), 0)


def _pair(text: str, start: int, kind: str) -> tuple[int, int] | None:
    """Password of `credentials: user / password`."""
    line = text[start : start + 120].split("\n", 1)[0]
    for sign in (" / ", "/", ":") if kind == "secret" else (" / ", ":"):
        user, found, rest = line.partition(sign)
        if not found or not 2 <= len(user) <= 60 or " " in user or not rest[:1].strip(" /:"):
            continue
        secret = rest.split()[0].strip("`'\",;)")
        at = start + len(user) + len(sign) + rest.index(secret)
        mixed = secret_values.has_digit(secret) and any(c.isalpha() for c in secret) and len(secret) >= 6
        return (at, at + len(secret)) if mixed and not secret_values.hole(secret) and "/" not in secret else None
    return None


def accept(kind: str, value: str, style: str) -> bool:
    """Whether a value, tied to a name of this kind in this style, is a secret."""
    if (
        len(value) < 4
        or secret_values.hole(value)
        or (style not in ("quoted", "env") and secret_values.code(value) and style != "flag")
    ):
        return False
    if style in ("beside", "call") and secret_values.keyword(value):
        return False
    if kind == "password":
        return _password(value, style)
    if kind == "key":
        return (
            secret_values.random(value, 20)
            and secret_values.has_digit(value)
            and (style == "env" or not secret_values.hexadecimal(value))
        )
    return secret_values.random(value, 10 if style in ("prose", "beside") else 8) and not value.startswith(("/", "."))


def _password(value: str, style: str) -> bool:
    marked = secret_values.has_digit(value) or any(c in "!@#$%^&*?+=~" for c in value)
    letters = any(c.isalpha() for c in value)
    if " " in value:
        return style == "quoted" and secret_values.has_digit(value) and len(value) < 64
    if style == "beside":
        told = not secret_values.named(value) or sum(c.isdigit() for c in value) > 2
        return marked and letters and len(value) >= 6 and told
    if style in ("call", "prose"):
        return marked and letters and len(value) >= 6
    if style in ("env", "flag"):
        return not value.startswith(("/", "-", ".")) and not (value.isupper() and style == "flag" and not marked)
    if style == "quoted":
        return marked or (value.isalpha() and value.islower() and 6 <= len(value) <= 32)
    return marked
