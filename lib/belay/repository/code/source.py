"""One source file: its text, the same text without comments and strings, and how calls in it are read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from belay.repository.code.masking import LANGUAGES, find_string, mask

_BRACKET = re.compile(r"[()\[\]{}]")
_PART = re.compile(r"[()\[\]{},]")
_BLANK = re.compile(r"\s*")
_TOP = re.compile(r"\n[A-Za-z@_]")
_NESTING = 20_000  # brackets that are looked at for one that closes


class Span(NamedTuple):
    """A part of a text, from `start` up to `end`."""

    start: int
    end: int


class Source:
    """A file of the project at `path` from its root."""

    __slots__ = ("_code", "_tops", "language", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.language = LANGUAGES[posixpath.splitext(path)[1]]
        self._code: str | None = None
        self._tops: list[int] | None = None

    @property
    def code(self) -> str:
        """The text with comments and the insides of strings blanked."""
        if self._code is None:
            self._code = mask(self.text, self.language)
        return self._code

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    def line(self, place: int) -> int:
        """Return the line (1-based) of a place in the text."""
        return self.text.count("\n", 0, place) + 1

    def find_close(self, start: int) -> int:
        """Return where the bracket at `start` closes, the text's end where it never does."""
        depth = 0
        for number, match in enumerate(_BRACKET.finditer(self.code, start)):
            depth += 1 if match[0] in "([{" else -1
            if depth <= 0:
                return match.start()
            if number > _NESTING:
                break
        return len(self.text)

    def split_arguments(self, start: int) -> list[Span]:
        """Return the parts between the bracket at `start` and its end, cut at commas, blanks around them left out."""
        spans, depth, begin = [], 0, start + 1
        for number, match in enumerate(_PART.finditer(self.code, start)):
            if match[0] in "([{":
                depth += 1
            elif match[0] in ")]}":
                depth -= 1
            if depth == 0 or (depth == 1 and match[0] == ","):
                spans.append(self.strip(begin, match.start()))
                begin = match.end()
            if depth == 0 or number > _NESTING:
                break
        return [span for span in spans if span.start < span.end]

    def strip(self, start: int, end: int) -> Span:
        """Return a part without the blanks (and comments) around it."""
        first = _BLANK.match(self.code, start, end)
        begin = first.end() if first else start
        return Span(begin, max(begin, begin + len(self.code[begin:end].rstrip())))

    def string_at(self, place: int) -> str | None:
        """Return the plain string that begins at a place, None for anything else."""
        return find_string(self.text, place, self.language)

    def string_in(self, span: Span) -> str | None:
        """Return the string that a part consists of, None where it is anything else."""
        found = self.string_at(span.start) if self.code[span.start : span.start + 1] in ("'", '"', "`") else None
        return found if found is not None and span.end - span.start == len(found) + 2 else None

    def strings_in(self, span: Span) -> list[str]:
        """Return every plain string within a part."""
        found, place = [], span.start
        while place < span.end:
            if self.code[place] in "'\"`":
                text = self.string_at(place)
                if text is not None:
                    found.append(text)
                    place += len(text) + 1
                else:
                    place = max(place, self.code.find(self.code[place], place + 1, span.end))
            place += 1
        return found

    @property
    def tops(self) -> list[int]:
        """The beginnings of the lines that are not indented, braces left out."""
        if self._tops is None:
            first = [0] if self.code[:1].isalpha() or self.code[:1] in "@_" else []
            self._tops = first + [match.start() + 1 for match in _TOP.finditer(self.code)]
        return self._tops

    def find_at(self, pattern: re.Pattern[str], places: Iterable[int]) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern that begin at some places."""
        return filter(None, (pattern.match(self.code, place) for place in places))

    def find_all(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern in the code."""
        return pattern.finditer(self.code)
