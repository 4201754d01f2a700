"""The pattern that a playbook counts for: one line of a CLAUDE.md, known by the hash of its words. Pure."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from belay.core import plain_text
from belay.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGEST = 6


class Pattern(NamedTuple):
    """One line: its number (1-based), the heading above it ("" for none), its words without the bullet."""

    line: int
    section: str
    text: str

    @property
    def sign(self) -> str:
        """What a playbook knows the line by: it stays when the line moves, its bullet or case changes."""
        words = plain_text.key(self.text).encode("utf-8", "replace")
        return hashlib.blake2b(words, digest_size=_DIGEST).hexdigest()


def list_patterns(text: str) -> Iterator[Pattern]:
    """Yield the lines of a Markdown text that may be patterns: what is no heading, fence, code or blank."""
    section, fence = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        mark = bare[:3] if bare[:3] in ("```", "~~~") else ""
        if mark and fence in ("", mark):
            fence = "" if fence else mark
        elif not fence and bare.startswith("#"):
            section = bare.strip("# ")
        elif not fence and len(plain_text.words(bare).split()) > 1:
            yield Pattern(number, section, bare.lstrip("-*+ ").strip())


def find_by_sign(text: str, sign: str) -> Pattern | None:
    """Return the line of a hash, None where the text has it no more."""
    return next((pattern for pattern in list_patterns(text) if pattern.sign == sign), None)


def find_by_words(text: str, words: str, file: str) -> Pattern:
    """Return the one line that holds some words; BadInput where none or several do."""
    wanted = plain_text.words(words)
    matches = [pattern for pattern in list_patterns(text) if wanted and wanted in plain_text.words(pattern.text)]
    exact = [pattern for pattern in matches if plain_text.words(pattern.text) == wanted] or matches
    if not exact:
        raise BadInput(file, f"has no line with “{plain_text.shown(words)}”", "write the pattern there first")
    if len({pattern.sign for pattern in exact}) > 1:
        lines = ", ".join(str(pattern.line) for pattern in exact[:5])
        raise BadInput(file, f"has it in several lines ({lines})", "give more of its words")
    return exact[0]
