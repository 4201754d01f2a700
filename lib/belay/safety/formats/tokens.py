"""Finds vendors' tokens by the tables; cheap where there is none, for every hook asks.

A token stands within a long word, the signs that tokens are made of, and begins where a run of letters begins.
Both are found by a translation of the whole text; only beginnings are compared with the table.
"""

from __future__ import annotations

from belay.safety.formats.shapes import INFIXES, SHAPES
from belay.safety.formats.table import TOKENS
from belay.safety.secret_kinds import ALNUM, DIGIT, HEX, UPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]
    Shape = tuple[str, str, tuple[tuple[int, int], ...], str, tuple[tuple[int, str | tuple[str, ...]], ...], str]

LEAST = 16
"""Signs of the shortest token in the table, its prefix included."""
PARTED = 36
"""Signs of the shortest token that is told by a sign within or by its parts."""
JUDGED = 256
"""Signs of a token that are asked for whether someone invented it."""
TELLING = 5
"""Signs of a prefix behind which one word is no name but a token, were it of letters only."""
_TELLING_SIGNS = ("+", "~", ":", "$")
"""Last signs of a prefix behind which no name stands."""
TRIES = 32
"""Beginnings within one word that are looked at; a word that has more of them and no token was made to keep us busy."""


def _signs(members: frozenset[str], more: str) -> str:
    return "".join(sorted(members)) + more


ALPHABETS = {
    **{"digit": _signs(DIGIT, ""), "digit/": _signs(DIGIT, "/"), "hex": _signs(HEX, ""), "hex.": _signs(HEX, ".")},
    **{"uuid": _signs(HEX, "-"), "upper": _signs(UPPER, ""), "upper-": _signs(UPPER, "-")},
    **{"alnum": _signs(ALNUM, ""), "alnum.": _signs(ALNUM, "."), "alnum$": _signs(ALNUM, "$")},
    **{
        "word": _signs(ALNUM, "_"),
        "word.": _signs(ALNUM, "_."),
        "base64": _signs(ALNUM, "+/="),
        "alnum+/": _signs(ALNUM, "+/"),
    },
    **{"url64": _signs(ALNUM, "_-"), "url64+": _signs(ALNUM, "_-+"), "url64~": _signs(ALNUM, "_-~.")},
    **{"padded": _signs(ALNUM, "_-="), "padded.": _signs(ALNUM, "_-=."), "dotted": _signs(ALNUM, "_-.")},
    **{"path": _signs(ALNUM, "_-/@"), "loose": _signs(ALNUM, "_-.+/="), "colon": _signs(ALNUM, "_-.+/=:")},
    "url64:": _signs(ALNUM, "_-:"),
}


def blank_others(signs: str) -> bytes:
    """Return the translation that makes a blank of every byte but these."""
    table = bytearray(b" " * 256)
    for sign in signs.encode():
        table[sign] = sign
    return bytes(table)


_WORDS = blank_others(_signs(ALNUM, "_-.+/=~!$:@|"))
_PARTS = blank_others(_signs(ALNUM, "_"))
_RUNS = blank_others(_signs(ALNUM, "_-."))
_blanks: dict[str, bytes] = {}


def _blank(alphabet: str) -> bytes:
    if alphabet not in _blanks:
        _blanks[alphabet] = blank_others(ALPHABETS[alphabet])
    return _blanks[alphabet]


KINDS = frozenset(row[0] for table in (TOKENS, INFIXES, SHAPES) for row in table)
"""Kinds of vendors' tokens."""
CHECKED = ("github-token", "npm-token")
"""Kinds whose last six signs are a checksum; a right one proves a token, a wrong one disproves none."""
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _begin_table() -> dict[str, list[tuple[str, str, str, int, int]]]:
    table: dict[str, list[tuple[str, str, str, int, int]]] = {}
    for kind, prefixes, alphabet, least, most, _ in TOKENS:
        for prefix in prefixes.split():
            table.setdefault(prefix[:2], []).append((prefix, kind, alphabet, least, most))
    return table


def _length_table() -> dict[int, list[Shape]]:
    table: dict[int, list[Shape]] = {}
    for shape in SHAPES:
        signs = len(shape[2]) - 1
        fewest, longest = (signs + sum(bounds[end] for bounds in shape[2]) for end in (0, 1))
        for length in range(fewest, longest + 1):
            table.setdefault(length, []).append(shape)
    return table


_BEGIN = _begin_table()
_LENGTHS = _length_table()


def tokens(text: str) -> Iterator[Span]:
    """Yield (kind, start, end) of every token of the tables and every password hash, in time linear in the length."""
    plain = text.encode("ascii", "replace")
    parts = b""
    at = 0
    for word in plain.translate(_WORDS).split(b" "):
        end = at + len(word)
        if len(word) >= LEAST:
            parts = parts or plain.translate(_PARTS)
            yield from _prefixed(text, plain, parts, at, end)
            if len(word) >= PARTED:
                yield from _infixed(text, plain, at, end)
                yield from _shaped(text, plain, at, end)
        at = end + 1
    if parts and ("$" in text or "{" in text):
        from belay.safety.formats.hashes import hashes

        yield from hashes(text)


def escaped(text: str, at: int) -> bool:
    """Whether an escape ends here: \\n, \\x3d, \\u003d, %3D, or a terminal's colour (ESC [31m)."""
    if text[at - 1 : at] == "m":
        start = at - 1
        while start > at - 5 and text[start - 1 : start] in DIGIT:
            start -= 1
        if start < at - 1 and text[start - 1 : start] in ("[", ";"):
            return True
    return (
        (text[at - 2 : at - 1] == "\\" and text[at - 1 : at] in "nrtbf")
        or text[at - 3 : at - 2] == "%"
        or text[at - 4 : at - 2] == "\\x"
        or text[at - 6 : at - 4] == "\\u"
    )


def _after_escapes(text: str, at: int) -> Iterator[int]:
    """Yield where a token may begin at the start of a word: there, and behind an escape that runs into it."""
    yield at
    if at and text[at - 1] in "\\%[;":
        yield from (at + skip for skip in range(1, 6) if escaped(text, at + skip))


def _starts(text: str, parts: bytes, at: int, end: int) -> Iterator[int]:
    yield from _after_escapes(text, at)
    gap = parts.find(b" ", at, end - LEAST)
    while gap >= 0:
        yield gap + 1
        gap = parts.find(b" ", gap + 1, end - LEAST)


def _prefixed(text: str, plain: bytes, parts: bytes, at: int, end: int) -> Iterator[Span]:
    tries = 0
    for start in _starts(text, parts, at, end):
        for prefix, kind, alphabet, least, most in _BEGIN.get(text[start : start + 2], ()):
            body = start + len(prefix)
            if end - body < least or not text.startswith(prefix, start):
                continue
            stop = _stop(plain, body, alphabet, least, most)
            if least <= stop - body <= most and not invented(kind, text[body:stop], prefix):
                yield kind, body if prefix[-1] == "=" or kind == "webhook" else start, stop
            tries += 1
        if tries > TRIES:
            return


def _stop(plain: bytes, body: int, alphabet: str, least: int, most: int) -> int:
    """Return where a token ends; signs that end a sentence are none of it, unless it would be too short."""
    run = plain[body : body + most + 1].translate(_blank(alphabet)).partition(b" ")[0]
    return body + max(len(run.rstrip(b".-:")), min(len(run), least))


def _infixed(text: str, plain: bytes, at: int, end: int) -> Iterator[Span]:
    word = text[at:end]
    for kind, sign, before, fewest, longest, after, least, most, _ in INFIXES:
        place, tries = word.find(sign), 0
        while place >= 0 and tries < TRIES:
            head = _head(plain[max(at, at + place - longest - 1) : at + place].translate(_blank(before)), longest)
            body = at + place + len(sign)
            stop = _stop(plain, body, after, least, most) if fewest <= len(head) <= longest else body - 1
            if least <= stop - body <= most and not invented(kind, text[at + place - len(head) : stop]):
                yield kind, at + place - len(head), stop
            place, tries = word.find(sign, place + 1), tries + 1


def _head(run: bytes, longest: int) -> bytes:
    """Return the signs before the sign within; a sign more, such as a diff's + or a flag's -, is none of the token."""
    head = run.rpartition(b" ")[2]
    return head[1:] if len(head) > longest and head[:1] in (b"+", b"-", b"/", b"_") else head


def _shaped(text: str, plain: bytes, at: int, end: int) -> Iterator[Span]:
    for run in plain[at:end].translate(_RUNS).split(b" "):
        if len(run) >= PARTED:
            for start in _after_escapes(text, at):
                body = text[start : at + len(run)].rstrip(".-")
                for kind in (shape[0] for shape in _LENGTHS.get(len(body), ()) if _fits(shape, body)):
                    yield kind, start, start + len(body)
        at += len(run) + 1


def _fits(shape: Shape, body: str) -> bool:
    kind, sign, lengths, alphabet, literals, _ = shape
    parts = body.split(sign, len(lengths) - 1)
    return (
        len(parts) == len(lengths)
        and all(least <= len(part) <= most for part, (least, most) in zip(parts, lengths, strict=True))
        and all(body.startswith(literal, place) for place, literal in literals)
        and set(body).issubset(ALPHABETS[alphabet] + sign)
        and not invented(kind, body)
    )


def invented(kind: str, body: str, prefix: str = "") -> bool:
    """Whether someone made a token up, for documentation or a test, or it is no token but a name."""
    from belay.safety import secret_values

    body = body[:JUDGED]
    is_told = prefix[-1:] in _TELLING_SIGNS
    if secret_values.filler(_drop_chance_words(body), may_be_name=not is_told):
        return kind not in CHECKED or body[30:] != _checksum(body[:30])
    if kind == "webhook" or is_told or (len(prefix) >= TELLING and body.isalnum()):
        return False
    return secret_values.named(body) or _worded(body)


def _worded(body: str) -> bool:
    """Whether a text is names in camelCase, longer than the names that `named` knows."""
    for part in body.replace("_", ".").replace("-", ".").split("."):
        letters = part.rstrip("0123456789")
        if len(part) - len(letters) > 4 or (letters and not letters.isalpha()):
            return False
        if any(letters[at].isupper() and letters[at + 1].isupper() for at in range(len(letters) - 1)):
            return False
        if len(letters) > 19 and letters[1:].islower():
            return False
    return len(body) >= 20


def _drop_chance_words(body: str) -> str:
    """Drop the short words of placeholders that stand within other letters, as they do by chance in one of 10,000."""
    for word in ("your", "todo"):
        place = body.lower().find(word)
        if place > 0 and body[place - 1].isalnum() and body[place + 4 : place + 5].isalnum():
            body = body[:place] + body[place + 4 :]
    return body


def _checksum(body: str) -> str:
    """Return the six signs of CRC-32 in base 62 that GitHub and npm put behind the 30 random ones of a token."""
    import zlib

    number, signs = zlib.crc32(body.encode("ascii", "replace")), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        signs = _BASE62[digit] + signs
    return signs
