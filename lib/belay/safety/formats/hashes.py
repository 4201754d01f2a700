"""Password hashes that name their own scheme: crypt's `$2b$…`, PHC strings such as `$argon2id$…`, LDAP's `{SSHA}…`."""

from __future__ import annotations

from bisect import bisect_left

from belay.safety.secret_kinds import ALNUM, BASE64, DIGIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[str, int, int]
    Part = tuple[frozenset[str], int, int]

KIND = "password-hash"
HEAD_CHARS = 160
"""Characters before the last part in which the scheme, its settings and the salt stand."""
_SIGNS = BASE64 | frozenset(".")
_RUNS = bytes(sign if chr(sign) in _SIGNS else ord(" ") for sign in range(256))
_SETTINGS = ALNUM | frozenset("=,-")
_COUNT: Part = (DIGIT, 1, 9)
_SALT: Part = (_SIGNS, 0, 100)

HASHES: tuple[tuple[str, tuple[Part, ...], int, int, str], ...] = (
    # beginnings, parts before a $ each (alphabet, least, most), least and most signs of the last part, source:
    # C crypt(5), K kingfisher (as in `table`), H the PHC string format, D Django, W Werkzeug, P PostgreSQL, R RFC 2307
    ("$2a$ $2b$ $2x$ $2y$", ((DIGIT, 2, 2),), 53, 53, "C"),
    ("$1$ $apr1$", ((_SIGNS, 1, 8),), 22, 22, "K"),
    ("$5$", ((_SIGNS, 0, 16),), 43, 43, "C"),
    ("$5$rounds=", (_COUNT, (_SIGNS, 0, 16)), 43, 43, "C"),
    ("$6$", ((_SIGNS, 0, 16),), 86, 86, "C"),
    ("$6$rounds=", (_COUNT, (_SIGNS, 0, 16)), 86, 86, "C"),
    ("$8$", ((_SIGNS, 8, 16),), 43, 43, "K"),
    ("$y$ $gy$", ((_SIGNS, 2, 24), (_SIGNS, 1, 86)), 43, 43, "C"),
    ("$7$", ((_SIGNS, 12, 100),), 43, 43, "C"),
    ("$P$ $H$", (), 31, 31, "C"),
    ("$argon2id$v= $argon2i$v= $argon2d$v=", ((DIGIT, 2, 2), (_SETTINGS, 9, 60), _SALT), 22, 180, "H"),
    ("$argon2id$m= $argon2i$m= $argon2d$m=", ((_SETTINGS, 5, 60), _SALT), 22, 180, "H"),
    ("$scrypt$", ((_SETTINGS, 9, 60), _SALT), 22, 180, "H"),
    ("$pbkdf2$ $pbkdf2-sha256$ $pbkdf2-sha512$", (_COUNT, _SALT), 22, 100, "H"),
    ("pbkdf2_sha256$ pbkdf2_sha1$", (_COUNT, _SALT), 27, 100, "D"),
    ("pbkdf2:sha256: pbkdf2:sha512: pbkdf2:sha1: scrypt:32768:8:", (_COUNT, _SALT), 40, 130, "W"),
    ("SCRAM-SHA-256$", ((_SIGNS | {":"}, 10, 60), (_SIGNS, 44, 44)), 44, 44, "P"),
    ("{SSHA} {SSHA256} {SSHA384} {SSHA512} {SMD5} {PBKDF2}", (), 28, 180, "R"),
    ("{SHA}", (), 28, 28, "R"),
)
_LEAST = 22


def hashes(text: str) -> Iterator[Span]:
    """Yield (kind, start, end) of every password hash, end excluded, in time linear in the text's length."""
    begun = _find_marks(text)
    at = 0
    for word in text.encode("ascii", "replace").translate(_RUNS).split(b" ") if begun else ():
        if len(word) >= _LEAST and text[at - 1 : at] in ("$", "}", ":"):
            after = bisect_left(begun, (at,))
            for start, number in begun[max(0, after - _NEAR) : after]:
                mark, parts, least, most = _ROWS[number]
                size = max(len(word.rstrip(b".")), min(len(word), least))
                settled = least <= size <= most and start >= at - HEAD_CHARS
                if settled and _fits(text[start + len(mark) : at], parts) and not _is_invented(text[at : at + size]):
                    yield KIND, start, at + size
                    break
        at += len(word) + 1


_ROWS = tuple((mark, *row[1:4]) for row in HASHES for mark in row[0].split())
_NEAR = 3
"""Beginnings before a last part that are looked at: `$5$` and `$5$rounds=` begin at one place."""


def _find_marks(text: str) -> list[tuple[int, int]]:
    """Return (place, number of the row) of every beginning of a hash, in order."""
    found = []
    for number, (mark, *_) in enumerate(_ROWS):
        at = text.find(mark)
        while at >= 0:
            found.append((at, number))
            at = text.find(mark, at + 1)
    return sorted(found)


def _fits(between: str, parts: tuple[Part, ...]) -> bool:
    """Whether what is between a beginning and the last part is these parts, each with a $ behind it."""
    found = between[:-1].replace("=:", "=$").split("$") if between else []
    if len(found) != len(parts):
        return False
    pairs = zip(found, parts, strict=True)
    return all(least <= len(body) <= most and signs.issuperset(body) for body, (signs, least, most) in pairs)


def _is_invented(body: str) -> bool:
    low = body.lower()
    return len(set(low)) < 10 or "xxxx" in low or "abcdefghij" in low
