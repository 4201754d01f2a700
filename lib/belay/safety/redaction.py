"""Secrets out of every text before its first byte is written: `[redacted:kind, keep it in .env]`.

What a secret is, the `secret_…` modules know; they load only when a text holds one of the literals of `secret_kinds`.
"""

from __future__ import annotations

from time import monotonic

from belay.safety.secret_kinds import COMMANDS, DIGIT, KINDS, MARKS, NAMES, has_foreign_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OPEN, CLOSE = "[redacted:", ", keep it in .env]"
HASHED = "~"
"""Between the kind and the hash of a mark in a name (`labels`)."""
KIND_CHARS = 24
LONG_WORD = 16
PASSES = 4
HUGE = 262_144
"""Characters from which on the second pass replaces words to their ends: a pass takes up to 0.4 s for 1 MB."""
WIDTH, GROWTH = 16_384, 16
"""Characters replaced at once after so many passes, and how often more each time: 1 MB takes three times."""
TORN = 256
"""Characters beside a cut that may be the rest of a secret: longer than the least length of any vendor's token."""


def redact(text: str, seconds: float | None = None) -> str:
    """Return `text` with every secret replaced; any string, in time linear in its length.

    Where something is still found after so many seconds, all from the first find on is one mark of the kind `rest`.
    Passes are repeated until nothing is found, so redacting twice is redacting once. What the last of them still
    finds, text made to look like secrets within secrets, is replaced from the first find on, each time much more of it.
    """
    until = None if seconds is None else monotonic() + seconds
    for number in range(PASSES):
        if not (spans := find_secrets(text)):
            return text
        if until is not None and number and monotonic() > until:
            spans = [("rest", spans[0][1], len(text))]
        text = _replace(text, _whole_words(text, spans) if number and len(text) > HUGE else spans)
    width = WIDTH
    while spans := find_secrets(text):
        kind, start, _ = spans[0]
        text = _replace(text, [(kind, start, _end_of_word(text, max(spans[-1][2], start + width)))])
        width *= GROWTH
    return text


def _whole_words(text: str, spans: list[tuple[str, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield each span up to the end of its word: what hides behind it would be found by the next pass only."""
    last = 0
    for kind, start, end in spans:
        if end > last:
            start, last = max(start, last), _end_of_word(text, end)
            yield kind, start, last


def _end_of_word(text: str, at: int) -> int:
    """Return where the word at `at` ends: a cut inside a secret would leave a rest that nobody recognises."""
    while at < len(text) and not text[at].isspace():
        at += 1
    return min(at, len(text))


def redact_head(text: str, looked: int, most: int) -> str:
    """Return at most `most` characters of the redacted beginning of a text of which only `looked` are looked at.

    A secret that the cut tore is no longer recognised, so the text just before the cut is left out.
    """
    whole = redact(text[:looked])
    return (whole if len(text) <= looked else whole[:-TORN])[:most]


def redact_tail(text: str, start: int, most: int) -> str:
    """Return at most `most` characters of the redacted end of a text that is looked at from `start` on."""
    whole = redact(text[start:])
    return (whole if start <= 0 else "".join(whole[TORN:].split(None, 1)[1:]))[-most:]


def find_secrets(text: str) -> list[tuple[str, int, int]]:
    """Return (kind, start, end) of every secret, end excluded, in order and without overlap."""
    if not suspicious(text):
        return []
    from belay.safety.formats.encoded import encoded
    from belay.safety.secret_assignments import assigned
    from belay.safety.secret_flags import flags
    from belay.safety.secret_shapes import shapes

    spans = sorted([*shapes(text), *assigned(text), *flags(text), *encoded(text, find_secrets)], key=_order)
    return _joined(span for span in spans if not _marked(text, span[1], span[2]))


def suspicious(text: str) -> bool:
    """Whether any literal of the table is in `text`: the idle path of every hook."""
    low = text.lower()
    return bool(text) and (
        any(word in low for word in NAMES)
        or any(mark in low for mark in MARKS)
        or _has_token(text)
        or (" -" in text and any(command in low for command in COMMANDS))
        or has_foreign_name(low)
    )


def _has_token(text: str) -> bool:
    """Whether a vendor's token or base64 is in `text`; only a long word can be one, and most texts have few."""
    if not any(len(word) >= LONG_WORD and _looks_made(word) for word in text.split()):
        return False
    from belay.safety.formats.encoded import looks_encoded
    from belay.safety.formats.tokens import tokens

    return any(True for _ in tokens(text)) or looks_encoded(text)


def _looks_made(word: str) -> bool:
    """Whether a word holds a digit or a capital; small letters alone are a path or a name, and no token."""
    return not (word.islower() and DIGIT.isdisjoint(word))


def fingerprint() -> str:
    """Return a checksum of all rules: where it differs, a text that was redacted before may hold what is known now."""
    import os
    import zlib

    folder, crc = os.path.dirname(os.path.abspath(__file__)), 0
    rules = [name for name in os.listdir(folder) if name.startswith(("secret_", "redaction"))]
    rules += [os.path.join("formats", name) for name in os.listdir(os.path.join(folder, "formats"))]
    for name in sorted(rules):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                crc = zlib.crc32(file.read(), crc)
    return f"{crc:08x}"


def _order(span: tuple[str, int, int]) -> tuple[int, int]:
    """Longest first; of two that are alike the shape's stays first, which knows the vendor."""
    return span[1], -span[2]


def _joined(spans: Iterable[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Join overlapping spans under the kind of the first."""
    joined: list[tuple[str, int, int]] = []
    for kind, start, end in spans:
        if joined and start < joined[-1][2]:
            first, begin, stop = joined[-1]
            joined[-1] = (first, begin, max(stop, end))
        else:
            joined.append((kind, start, end))
    return joined


def _marked(text: str, start: int, end: int) -> bool:
    """Whether a span touches a mark that an earlier pass left."""
    longest = len(OPEN) + KIND_CHARS + len(CLOSE)
    opened = text.rfind(OPEN, max(0, start - longest), end)
    if opened < 0:
        return False
    close = text.find(CLOSE[-1], opened, opened + longest)
    kind = text[opened + len(OPEN) : close].removesuffix(CLOSE[:-1]).partition(HASHED)[0]
    return close >= start and (kind in KINDS or _is_vendors(kind))


def _is_vendors(kind: str) -> bool:
    from belay.safety.formats import tokens

    return kind in tokens.KINDS


def _replace(text: str, spans: Iterable[tuple[str, int, int]]) -> str:
    parts, last = [], 0
    for kind, start, end in spans:
        parts += [text[last:start], OPEN, kind, CLOSE]
        last = end
    return "".join([*parts, text[last:]])
