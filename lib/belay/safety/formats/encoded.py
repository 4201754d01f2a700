"""Finds base64, standard or url-safe, that decodes to text with a secret in it."""

from __future__ import annotations

from belay.safety.formats.tokens import blank_others, escaped
from belay.safety.secret_kinds import ALNUM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Run = tuple[int, int]
    Span = tuple[str, int, int]

KIND = "encoded-secret"
LEAST, MOST = 24, 65_536
"""Signs of a run that is decoded: shorter ones hold no token, longer ones are files."""
WRAPPED = (60, 64, 68, 72, 76)
"""Lengths at which programs break the lines of base64 (RFC 7468: 64, RFC 2045: 76)."""
_APART = "\n" * 8
"""Between the texts of two runs: a name in one tells nothing about a value in the next."""
_RUNS = blank_others("".join(sorted(ALNUM)) + "+/-_")
_STANDARD = bytes.maketrans(b"-_", b"+/")
_FIRST = b"CDIJKLMNOPQRSTUVWXYZabcdef"
"""What a group of four signs begins with where the first of its three bytes is a printable ASCII sign or a blank."""


def encoded(text: str, find: Callable[[str], list[Span]]) -> Iterator[Span]:
    """Yield (kind, start, end) of every run of base64 in whose text `find` finds a secret; it is asked once for all."""
    runs = list(_decoded(text))
    spans = iter(find(_APART.join(decoded for _, _, decoded in runs)) if runs else ())
    span, at, past = next(spans, None), 0, 0
    for start, end, decoded in runs:
        while span and span[2] <= at:
            span = next(spans, None)
        at += len(decoded)
        if span and span[1] < at and start >= past:
            past = end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip("="))
            yield KIND, start, past
        at += len(_APART)


def looks_encoded(text: str) -> bool:
    """Whether a run of `text` decodes to text, secret or not: what a hook asks before it looks further."""
    return any(True for _ in _decoded(text))


def _decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, decoded text) of base64, in time linear in the length of `text`."""
    for lines in _groups(text):
        start, plain = lines[0][0], "".join(text[at:stop] for at, stop in lines)
        for skipped in _offsets(text, start, plain):
            if decoded := _decode(plain[skipped:]):
                yield start + skipped, lines[-1][1], decoded


def _groups(text: str) -> Iterator[list[Run]]:
    """Yield the runs that may be base64, each with the lines that continue it; images in data URLs are left out."""
    lines: list[Run] = []
    for start, end in _long_runs(text):
        if lines and not _continues(text, lines[-1], start):
            yield lines
            lines = []
        if lines or not text.endswith("base64,", 0, start):
            lines.append((start, end))
    if lines:
        yield lines


def _long_runs(text: str) -> Iterator[Run]:
    at = 0
    for run in text.encode("ascii", "replace").translate(_RUNS).split(b" "):
        if LEAST <= len(run) <= MOST:
            yield at, at + len(run)
        at += len(run) + 1


def _continues(text: str, before: Run, start: int) -> bool:
    between = text[before[1] : start]
    return before[1] - before[0] in WRAPPED and between[:1] == "\n" and not between.strip() and len(between) < 20


def _offsets(text: str, start: int, plain: str) -> Iterator[int]:
    """Yield where the base64 may begin in a run: at once, behind signs such as a diff's +, behind an escape."""
    yield 0
    if plain[0] in "+-/_":
        yield len(plain) - len(plain.lstrip("+-/_"))
    if start and text[start - 1] in "\\%[;":
        yield from (skip for skip in range(1, 6) if escaped(text, start + skip))


def _decode(plain: str) -> str:
    """Return the text that base64 decodes to, "" if it is none: other bytes, or no base64 at all."""
    data = plain.encode("ascii")
    firsts = data[::4]
    if len(firsts.translate(None, _FIRST)) * 4 > len(firsts) or not LEAST <= len(data) <= MOST:
        return ""
    import binascii

    try:
        decoded = binascii.a2b_base64(data[: len(data) - (len(data) % 4 == 1)].translate(_STANDARD) + b"==").decode(
            "utf-8"
        )
    except ValueError:
        return ""
    return decoded if "".join(decoded.split()).isprintable() else ""
