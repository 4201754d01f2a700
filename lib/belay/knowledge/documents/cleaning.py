"""A document's bytes as text for the index, every line at its place: no secret, nothing that Belay injected."""

from __future__ import annotations

from belay.core import files
from belay.core.constants import FENCE_CLOSE, FENCE_OPEN
from belay.safety import redaction

CONFLICT, ENCODING = "conflict", "encoding"


def decode(data: bytes) -> tuple[str, str]:
    """Return (text, "") of a document, or ("", why it is left out)."""
    why = files.flaw(data)
    if why:
        return "", CONFLICT if "conflict" in why else ENCODING
    return data.decode("utf-8-sig"), ""


def clean_text(text: str) -> str:
    """Return a text without secrets and without what is in Belay's fence; it has as many lines as before."""
    return redact_lines(remove_fenced(text))


def remove_fenced(text: str) -> str:
    """Return a text with only the line ends left of what is in Belay's fence."""
    parts, last = [], 0
    while (start := text.find(FENCE_OPEN, last)) >= 0 and (end := text.find(FENCE_CLOSE, start)) >= 0:
        end += len(FENCE_CLOSE)
        parts += [text[last:start], "\n" * text.count("\n", start, end)]
        last = end
    return "".join([*parts, text[last:]]) if parts else text


def redact_lines(text: str) -> str:
    """Return a text as `belay.safety.redaction.redact` does, with the line ends of a secret of several lines kept."""
    while spans := redaction.find_secrets(text):
        parts, last = [], 0
        for kind, start, end in spans:
            lines = "\n" * text.count("\n", start, end)
            parts += [text[last:start], redaction.OPEN, kind, redaction.CLOSE, lines]
            last = end
        text = "".join([*parts, text[last:]])
    return text
