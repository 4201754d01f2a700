"""Secrets known by their shape: vendor tokens, key blocks, JWTs, passwords in URLs, bot tokens.

Every function yields (kind, start, end), end excluded, and reads each character a bounded number of times.
"""

from __future__ import annotations

from belay.safety import secret_values
from belay.safety.formats.tokens import escaped, tokens
from belay.safety.secret_kinds import BASE64, DIGIT, URL64, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]

_JWT_STARTS = ("eyJ", "ewogIC", "ewoid")
"""JSON objects in base64: `{"`, and with a line break before the first key."""
BLOCK = 65_536
"""Characters within which a key block's END is looked for."""
_BLANK = frozenset(" \t\r\n\\\"',|>#*nr")
_STOPS = frozenset(" \t\r\n\"'`<>\\|,")


def shapes(text: str) -> Iterator[Span]:
    """Yield every secret of `text` that its shape gives away, kind by kind."""
    yield from _blocks(text)
    yield from tokens(text)
    yield from _jwts(text)
    yield from _urls(text)
    yield from _bots(text)


def places(text: str, literal: str) -> Iterator[int]:
    """Yield the places of `literal` in `text`."""
    at = text.find(literal)
    while at >= 0:
        yield at
        at = text.find(literal, at + 1)


def run(text: str, at: int, alphabet: frozenset[str]) -> int:
    """Return the end of the run of an alphabet's characters from `at` on."""
    size = len(text)
    while at < size and text[at] in alphabet:
        at += 1
    return at


def fresh(text: str, at: int) -> bool:
    """Whether a token can begin here: no word character before it, escapes (\\n, %3D) aside."""
    return at == 0 or text[at - 1] not in WORD or escaped(text, at)


def _blocks(text: str) -> Iterator[Span]:
    end = 0
    for at in places(text, "PRIVATE KEY"):
        start, body = _block_start(text, at), at + len("PRIVATE KEY")
        if start < end or "\n" in text[start:at]:
            continue
        end = _block_end(text, body)
        if _holds_key(text[body:end]):
            yield "private-key", start, end


def _block_start(text: str, at: int) -> int:
    """Return where the dashes before BEGIN start (SSH2 files put a blank after four); -1 without."""
    begin = text.rfind("BEGIN ", max(0, at - 40), at)
    start = begin
    while start > max(0, begin - 6) and text[start - 1] in "- ":
        start -= 1
    return start if begin - start >= 4 else -1


def _block_end(text: str, start: int) -> int:
    begin = text.find("BEGIN ", start, start + BLOCK)
    end = text.find("END ", start, begin if begin >= 0 else start + BLOCK)
    if end < 0:
        return _torn_end(text, start)
    close = text.find("----", end, end + 60)
    return run(text, close, frozenset("-")) if close >= 0 else end + len("END ")


def _torn_end(text: str, at: int) -> int:
    """End of a block without END: as far as lines of base64, headers and blanks go."""
    last = at = run(text, at, frozenset("- BLOCK"))
    while True:
        at = run(text, at, _BLANK)
        stop = run(text, at, BASE64 | frozenset("\\"))
        if stop - at < 16 and not (text[stop : stop + 1] == ":" and stop - at > 3):
            return stop if stop > at and text[at - 1 : at] == "\n" and _tail(text, at, stop) else last
        last = at = stop if text[stop : stop + 1] != ":" else _line_end(text, stop)


def _tail(text: str, at: int, stop: int) -> bool:
    """The last line of a block may be short; it is no word of prose."""
    return text[stop : stop + 1] in ("", "\n", "\r") and secret_values.has_digit(text[at:stop])


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _holds_key(body: str) -> bool:
    longest = at = 0
    while at < len(body) and longest < 20:
        end = run(body, at, BASE64)
        longest, at = max(longest, end - at), end + 1
    return longest >= 20 and len(set(body)) >= 16


def _jwts(text: str) -> Iterator[Span]:
    end = 0
    for at in sorted(at for start in _JWT_STARTS for at in places(text, start)):
        if at < end or not fresh(text, at):
            continue
        end = run(text, at, URL64)
        second = run(text, end + 1, URL64) if text[end : end + 1] == "." else end
        if end - at >= 12 and second - end > 8 and not secret_values.filler(text[end + 1 : second]):
            end = run(text, second + 1, URL64) if text[second : second + 1] == "." else second
            yield "jwt", at, end


def _urls(text: str) -> Iterator[Span]:
    for mark in places(text, "://"):
        start = mark + 3
        end = start
        while end < len(text) and end < start + 2048 and text[end] not in _STOPS and text[end] != "/":
            end += 1
        sign = text.rfind("@", start, end)
        if sign >= 0:
            yield from _login(text, start, sign)


def _login(text: str, start: int, sign: int) -> Iterator[Span]:
    colon = text.find(":", start, sign)
    secret = text[colon + 1 : sign] if colon >= 0 else text[start:sign]
    if colon < 0:
        if secret_values.random(secret, 20) and not (len(secret) == 32 and secret_values.hexadecimal(secret)):
            yield "url-password", start, sign
    elif secret and not _sample(text[start:colon], secret):
        yield "url-password", colon + 1, sign


def _sample(user: str, secret: str) -> bool:
    """Documentation's own logins: user:pass, {user}:{password}, $USER:$PASS."""
    return secret_values.hole(secret) and not (
        secret_values.has_digit(secret) and secret[:1] in "!@*=#" and user.isalnum()
    )


def _bots(text: str) -> Iterator[Span]:
    for colon in places(text, ":AA"):
        start = colon
        while start > max(0, colon - 17) and text[start - 1] in DIGIT:
            start -= 1
        end = colon + 1 + run(text[colon + 1 : colon + 60], 0, URL64)
        if 5 <= colon - start <= 16 and 33 <= end - colon - 1 <= 37:
            yield "telegram-token", start, end
