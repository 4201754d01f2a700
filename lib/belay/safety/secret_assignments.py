"""Secrets known by the name they are given: NAME=value, "name": "value", `--name value`, "the name is value".

A name says what a value may be; the judge says whether it is one. Both must agree: most code that speaks of
tokens holds none.
"""

from __future__ import annotations

from belay.safety import secret_phrases, secret_values
from belay.safety.secret_kinds import WORD
from belay.safety.secret_names import NAME_SIGNS, find_names, start_of_name
from belay.safety.secret_runs import find_long_runs
from belay.safety.secret_shapes import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.safety.secret_runs import LongRuns
    from belay.safety.secret_shapes import Span

VALUE_CHARS = 4096
NAMES_LEAST, CHARS_A_NAME = 4096, 128
"""Names looked at in any text, and one more for so many characters: 64 KB of prose about passwords hold some 1,000."""
_AFTER_NAME = 240
"""Characters after a name in which a value begins: on its line behind an aside, or on one of the next lines."""
_QUOTES = "\"'`"
_CLOSERS = frozenset("\"'`*_])\\」】』")
_ENDS = frozenset(" \t\r\n\"'`<>|,;&)}]，。；、）」")
_SHELL_ENDS = frozenset(" \t\r\n\"'`")
_BLANK = frozenset(" \t")
_SCHEMES = ("bearer ", "basic ", "token ", "apikey ", "api-key ", "digest ")


def assigned(text: str) -> Iterator[Span]:
    """Yield (kind, start, end) of every value that its name and its own look call a secret.

    A text with far more names than people or programs write is not read to its end: its rest is one span.
    """
    low = lower(text)
    covered = 0
    left = NAMES_LEAST + len(text) // CHARS_A_NAME
    runs = find_long_runs(text, set(_LEAST.values()))
    for end, kind in find_names(text, low):
        if end < covered or (kind in _LEAST and not _holds_run(text, end, _LEAST[kind], runs)):
            continue
        left -= 1
        if left < 0:
            yield "rest", end, len(text)
            return
        for name, start, stop in _find_values(text, low, end, kind):
            covered = _run_on(text, stop) if stop - start >= VALUE_CHARS else stop
            yield name, start, covered


_LEAST = {"key": 20, "token": 8, "api-key": 8}
"""Kind → characters that its shortest value has."""


def _holds_run(text: str, end: int, least: int, runs: LongRuns | None) -> bool:
    """Whether so many characters without a blank come soon after a name: most names of code are done with here."""
    if runs:
        return runs.is_near(end, least, _AFTER_NAME)
    return len(max(text[end : end + _AFTER_NAME].split(), key=len, default="")) >= least


def _run_on(text: str, at: int) -> int:
    """Return the end of a value that is longer than is looked at."""
    while at < len(text) and text[at] not in _ENDS:
        at += 1
    return at


def _find_values(text: str, low: str, end: int, kind: str) -> Iterator[Span]:
    """Yield what a name's line holds as its value; where it holds none, the passphrase or the next line's."""
    tied = _separator(text, low, end)
    spans = list(_value(text, low, tied, kind)) if tied else []
    if spans or kind == "login":
        yield from spans
        return
    name = text[start_of_name(text, end) : end]
    if kind == "password" and tied and tied[0] in ("plain", "prose"):
        found = secret_phrases.find_phrase(text, tied[1], name)
    else:
        found = None
    found = found or secret_phrases.find_below(text, end, kind)
    if found:
        yield ("secret" if kind == "key" else kind), *found


def lower(text: str) -> str:
    """Lower a text without changing its length: İ, the one letter that would become two, stays."""
    low = text.lower()
    return low if len(low) == len(text) else "İ".join(part.lower() for part in text.split("İ"))


def _value(text: str, low: str, tied: tuple[str, int], kind: str) -> Iterator[Span]:
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
    if text[end : end + 1] == ">" and text[start_of_name(text, end) - 1 : start_of_name(text, end)] == "<":
        return "plain", end + 1
    after = _past_aside(text, after)
    sign = _past(text, after, _BLANK, 30)
    if text.startswith(("==", "!=", "::"), sign):
        return None
    if text.startswith((":=", "=>", "?=", "+=", "->", "→ "), sign):
        return "plain", sign + 2
    if text.startswith(("=", ":", "|", "：", "＝"), sign):
        return _tight(text, end, sign), sign + 1
    return _loose(text, low, end, sign)


def _past_aside(text: str, after: int) -> int:
    """Step over what a name is for: `password (prod): …`, `password for staging is …`."""
    if text.startswith(" (", after) and (close := text.find(")", after, after + 40)) > 0:
        return _past(text, close + 1, _CLOSERS, 3)
    if text.startswith(_ASIDES, after):
        aside = text[after : after + _ASIDE_CHARS].split("\n", 1)[0]
        ends = [at for at in map(aside.find, _AFTER_ASIDE) if at >= 0]
        return after + min(ends, default=0)
    return after


_ASIDES = (
    *(" for ", " of ", " on ", " to ", " für ", " fuer ", " von ", " zum ", " zur ", " du ", " de ", " des ", " pour "),
    *(" del ", " para ", " per ", " da ", " do ", " voor ", " van ", " от ", " для ", " к ", " на ", " av "),
)
_ASIDE_CHARS = 48
_AFTER_ASIDE = (": ", " : ", " is ", " = ", " ist ", " lautet ", " est ", " es ", " è ", " é ", " это ", " to ")
_VERBS = (
    *("is ", "was ", "is: ", "to ", "value=", "ist ", "lautet ", "ist: ", "es ", "es: ", "est ", "est: ", "é ", "è "),
    *("это ", "jest ", "är ", "er "),
)
"""What ties a value to its name in a sentence, in the languages whose words for a secret are known."""
_TIGHT_VERBS = ("是", "为", "為", "は", "が", "는", "은")
"""The same in scripts without blanks, where they follow the name at once."""
_TIGHT_SIGNS = frozenset(" :：「『")


def _loose(text: str, low: str, end: int, sign: int) -> tuple[str, int] | None:
    for verb in _VERBS:
        if sign > end and low.startswith(verb, sign):
            return ("plain" if verb == "value=" else "prose"), sign + len(verb)
    if text.startswith(("- ", "– ", "— "), sign) and sign > end and not text[end - 1].isascii():
        return "prose", sign + 2
    if text.startswith(_TIGHT_VERBS, end):
        return "prose", run(text, end + 1, _TIGHT_SIGNS)
    if text.startswith("(", end):
        return "call", end + 1
    if text.startswith((" ", "\t"), end):
        return ("prose" if text.startswith("-", start_of_name(text, end)) else "beside"), sign
    return None


def _tight(text: str, end: int, sign: int) -> str:
    """Tell a shell's NAME=value (capitals, no blank) and --name=value from other assignments."""
    if text[sign] != "=" or sign > end or text[sign + 1 : sign + 2] in _BLANK:
        return "plain"
    name = text[start_of_name(text, end) : end]
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
    stop = _value_end(text, at, _SHELL_ENDS if style == "env" else _ENDS)
    while stop > at and text[stop - 1] in (";" if style == "env" else ".,;:?*\\"):
        stop -= 1
    return at, stop, False


def _value_end(text: str, start: int, ends: frozenset[str]) -> int:
    """Return where an unquoted value ends; an & ends it only before the next field of a query or a blank."""
    chars = text[start : start + VALUE_CHARS]
    for at, char in enumerate(chars, start):
        if char not in ends:
            if char == "\\" and text[at + 1 : at + 2] in ("n", "r", "t"):
                return at
        elif char != "&" or _ends_field(text, at):
            return at
    return start + len(chars)


def _ends_field(text: str, at: int) -> bool:
    after = run(text, at + 1, NAME_SIGNS)
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
        return style == "quoted" and len(value) < 64 and secret_values.has_digit(value)
    if style == "beside":
        told = not secret_values.named(value) or secret_values.invented_word(value) or _count_digits(value) > 2
        return marked and letters and len(value) >= 6 and told
    if style in ("call", "prose"):
        return marked and letters and len(value) >= 6
    if style in ("env", "flag"):
        return not value.startswith(("/", "-", ".")) and not (value.isupper() and style == "flag" and not marked)
    if style == "quoted":
        return marked or (value.isalpha() and value.islower() and 6 <= len(value) <= 32)
    return marked


def _count_digits(value: str) -> int:
    return sum(c.isdigit() for c in value)
