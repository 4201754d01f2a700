"""The words and operators of a shell command line, as POSIX shells split it; nothing is expanded.

Redirections, comments and the bodies of here-documents are left out: none of them is a command. `read` tells of them.
"""

from __future__ import annotations

from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    Token = tuple[str, bool]
    """A text, and whether it is an operator."""

_SPECIAL = frozenset(" \t\r\n\\'\"$`#&|;()<>")
_IN_QUOTES = frozenset('"\\$`')
_MOST = 4000
"""Tokens of a line that are read; no person and no model writes more."""
_DEEPEST = 20
"""Substitutions inside each other; what lies deeper is read as plain text."""


class Reading(NamedTuple):
    """What is beside the words of a command line.

    `written`: targets of redirections that open a file for writing; `inner`: commands in `$(…)`, backquotes, `<(…)` and
    `>(…)`, not those in single quotes; `documents`: the bodies of here-documents; `is_whole`: the line was read to its
    end.
    """

    written: tuple[str, ...]
    inner: tuple[str, ...]
    documents: tuple[str, ...]
    is_whole: bool


def split(command: str) -> list[Token]:
    """Return the words and operators of a command line; quotes are taken off, `$(…)` stays in its word as it is."""
    return _Lexer(command, 0, 0).read()


def read(command: str) -> Reading:
    """Return what a command line writes into and runs inside itself."""
    lexer = _Lexer(command, 0, 0)
    lexer.read()
    is_whole = lexer.at >= len(command) and not lexer.is_cut
    return Reading(tuple(lexer.written), tuple(lexer.inner), tuple(lexer.documents), is_whole)


class _Lexer:
    """Reads tokens from one place on; inside `$(…)` up to its closing parenthesis."""

    __slots__ = (
        "at", "awaited", "bodies", "depth", "documents", "found", "inner", "is_cut", "open", "text", "word", "written",
    )  # fmt: skip

    def __init__(self, text: str, at: int, depth: int) -> None:
        self.text, self.at, self.depth = text, at, depth
        self.found: list[Token] = []
        self.word: str | None = None
        self.awaited = ""  # what the next word is for: "end" of a here-document, "target" or "output" of a redirection
        self.bodies: list[str] = []
        self.written: list[str] = []
        self.inner: list[str] = []
        self.documents: list[str] = []
        self.is_cut = False
        self.open = 0

    def read(self) -> list[Token]:
        while self.at < len(self.text) and self.open >= 0 and len(self.found) < _MOST:
            char = self.text[self.at]
            if char in _SPECIAL:
                _READERS[char](self)
            else:
                self._add(self._run(_SPECIAL))
        self.end_word()
        return self.found

    def _run(self, stops: frozenset[str]) -> str:
        """Return the characters up to the next of `stops`, and go on there."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in stops:
            self.at += 1
        return self.text[start : self.at]

    def _add(self, part: str) -> None:
        self.word = (self.word or "") + part

    def end_word(self) -> None:
        if self.word is None:
            return
        if self.awaited == "end":
            self.bodies.append(self.word)
        elif self.awaited == "output":
            self.written.append(self.word)
        elif not self.awaited:
            self.found.append((self.word, False))
        self.word, self.awaited = None, ""

    def _operator(self, text: str, length: int = 0) -> None:
        self.end_word()
        self.awaited = ""
        self.found.append((text, True))
        self.at += length or len(text)

    def blank(self) -> None:
        self.end_word()
        self.at += 1

    def newline(self) -> None:
        self._operator("\n")
        for end in self.bodies:
            self._skip_body(end)
        self.bodies = []

    def _skip_body(self, end: str) -> None:
        start = self.at
        while self.at < len(self.text):
            stop = self.text.find("\n", self.at)
            stop = len(self.text) if stop < 0 else stop
            line = self.text[self.at : stop].strip()
            self.at = min(stop + 1, len(self.text))
            if line == end:
                break
        self.documents.append(self.text[start : self.at])

    def escape(self) -> None:
        following = self.text[self.at + 1 : self.at + 3]
        if following == "\r\n":
            self.at += 3
        else:
            if following[:1] != "\n":
                self._add(following[:1])
            self.at += 2

    def single_quote(self) -> None:
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        self._add(self.text[self.at + 1 : end])
        self.at = end + 1

    def double_quote(self) -> None:
        self.at += 1
        self._add("")
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                return
            if char in _IN_QUOTES:
                _READERS[char](self)
            else:
                self._add(self._run(_IN_QUOTES))

    def dollar(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following == "(" and self.depth < _DEEPEST:
            self._substitution(2, is_command=self.text[self.at + 2 : self.at + 3] != "(")
        elif following == "{":
            end = self.text.find("}", self.at)
            end = len(self.text) if end < 0 else end + 1
            inner = self.text[self.at + 2 : end]
            self.inner += [inner] if "$(" in inner or "`" in inner else []
            self._take(end)
        else:
            self.is_cut = self.is_cut or following == "("
            self._take(self.at + 1)

    def _substitution(self, mark: int, *, is_command: bool = True) -> None:
        """Take everything up to the closing parenthesis, as it is; a sum or an array is no command but may hold one."""
        inner = _Lexer(self.text, self.at + mark, self.depth + 1)
        inner.read()
        self.inner += [self.text[self.at + mark : inner.at].removesuffix(")")] if is_command else inner.inner
        self.is_cut = self.is_cut or inner.is_cut or len(inner.found) >= _MOST
        self._take(inner.at)

    def _take(self, end: int) -> None:
        self._add(self.text[self.at : end])
        self.at = end

    def backquote(self) -> None:
        end = self.text.find("`", self.at + 1)
        end = len(self.text) if end < 0 else end + 1
        self.inner.append(self.text[self.at + 1 : end].removesuffix("`"))
        self._take(end)

    def hash(self) -> None:
        if self.word is None:
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        else:
            self._take(self.at + 1)

    def ampersand(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following == ">":
            self.end_word()
            self.at += 1
            self.redirect()
        else:
            self._operator("&&" if following == "&" else "&")

    def pipe(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following == "|":
            self._operator("||")
        else:
            self._operator("|", 2 if following == "&" else 1)

    def semicolon(self) -> None:
        self._operator(";", 2 if self.text[self.at + 1 : self.at + 2] == ";" else 1)

    def opening(self) -> None:
        if self.word is not None and self.word.endswith("=") and self.depth < _DEEPEST:
            self._substitution(1, is_command=False)  # an array
        else:
            self.open += 1
            self._operator("(")

    def closing(self) -> None:
        self.open -= 1
        if self.open < 0 and self.depth:
            self.end_word()
            self.at += 1
        else:
            self.open = max(self.open, 0)
            self._operator(")")

    def redirect(self) -> None:
        if self.word is not None and self.word.isdigit():
            self.word = None
        self.end_word()
        mark = self.text[self.at : self.at + 3]
        if mark[1:2] == "(" and self.depth < _DEEPEST:
            self._substitution(2)  # a process in place of a file
        elif mark[:2] == "<<" and mark != "<<<":
            self.at += 3 if mark[2:] in ("-", "~") else 2
            self.awaited = "end"
        else:
            length = len(mark) - len(mark.lstrip("<>&|"))
            following = self.text[self.at + length : self.at + length + 1]
            is_copy = mark[length - 1] == "&" and (following.isdigit() or following == "-")
            self.at += length
            self.awaited = "output" if ">" in mark[:length] and not is_copy else "target"


_READERS = {
    " ": _Lexer.blank, "\t": _Lexer.blank, "\r": _Lexer.blank, "\n": _Lexer.newline, "\\": _Lexer.escape,
    "'": _Lexer.single_quote, '"': _Lexer.double_quote, "$": _Lexer.dollar, "`": _Lexer.backquote, "#": _Lexer.hash,
    "&": _Lexer.ampersand, "|": _Lexer.pipe, ";": _Lexer.semicolon, "(": _Lexer.opening, ")": _Lexer.closing,
    "<": _Lexer.redirect, ">": _Lexer.redirect,
}  # fmt: skip
