"""What names in a Go package stand for: constants, imports, functions that take or return a router."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from belay.repository.code.languages.golang import find_imports
from belay.repository.code.source import Source, Span
from belay.repository.code.tree import CodeTree

_PARTS = r"\w+\.(?:RouterGroup|IRouter|IRoutes)|(?!mux\.|httprouter\.)\w+\.Router|(?:echo|fiber|iris)\.(?:Group|Party)"
_ENGINES = r"gin\.Engine|echo\.Echo|fiber\.App|(?:mux|httprouter)\.Router|\w+\.(?:Serve)?Mux"
"""Types of routers: those that are handed on to be a part of another one, and those that serve by themselves."""
TYPED = re.compile(rf"\b(\w+(?:\s*,\s*\w+)*)[ \t]+\*?(?:(?P<part>{_PARTS})|{_ENGINES})\b")
_FUNCTION = re.compile(r"^func\s*(?P<receiver>\([^)]*\)\s*)?(?P<name>\w+)\s*(?:\[[^\]]*\])?(?P<open>\()", re.MULTILINE)
_RESULT = re.compile(rf"\b(?:{_ENGINES}|{_PARTS}|http\.Handler)\b")
_RETURNED = re.compile(r"^\s*return\s+(\w+)\s*(?:,\s*nil\s*)?$", re.MULTILINE)
_CONSTANT = re.compile(r'^(?:[ \t]+|const[ \t]+|var[ \t]+)(\w+)[ \t]*(?:string[ \t]*)?=[ \t]*(")', re.MULTILINE)
_METHOD = re.compile(r"http\.Method(\w+)")


class Function(NamedTuple):
    """A function, or a method of `owner`: parameters that are routers (place, name, whether it is a part), its body.

    `returned` is the variable that it returns as a router.
    """

    name: str
    owner: str
    routers: list[tuple[int, str, bool]]
    returned: str
    body: Span


class GoFile:
    """A Go file whose names can be looked up."""

    def __init__(self, tree: CodeTree, source: Source) -> None:
        self.tree, self.source, self.path, self.package = tree, source, source.path, source.folder

    @cached_property
    def imported(self) -> dict[str, str]:
        """Name of an imported package → its folder in the project."""
        found = {}
        for row in find_imports(self.source):
            folder = self.tree.imports.find_package(row.module)
            if folder:
                found[row.alias or row.module.rpartition("/")[2].replace("-", "_")] = folder
        return found

    @cached_property
    def constants(self) -> dict[str, str]:
        """Name → text of the constants of this file."""
        return {match[1]: self.source.string_at(match.start(2)) or "" for match in self.source.find_all(_CONSTANT)}

    @cached_property
    def functions(self) -> list[Function]:
        """The functions of the file, in order."""
        found = []
        for match in self.source.find_all(_FUNCTION):
            close = self.source.find_close(match.start("open"))
            begin = self.source.code.find("{", close)
            line_end = self.source.code.find("\n", close)
            if begin < 0 or (0 <= line_end < begin and "(" not in self.source.code[close + 1 : line_end]):
                continue
            body = Span(begin, self.source.find_close(begin))
            result = self.source.code[close + 1 : begin]
            returned = _RETURNED.findall(self.source.code, body.start, body.end) if _RESULT.search(result) else []
            routers = self._read_parameters(match.start("open"))
            found.append(
                Function(
                    match["name"], _read_owner(match["receiver"] or ""), routers, returned[-1] if returned else "", body
                )
            )
        return found

    def _read_parameters(self, start: int) -> list[tuple[int, str, bool]]:
        found = []
        for number, span in enumerate(self.source.split_arguments(start)):
            match = TYPED.match(self.source.code, span.start, span.end)
            if match:
                found.append((number, match[1], bool(match["part"])))
        return found

    def evaluate(self, span: Span, constants: dict[str, dict[str, str]]) -> str | None:
        """Return the text that a constant expression stands for; `constants` are those of each package."""
        texts: list[str] = []
        for part in self._split_sum(span):
            plain = self.source.string_in(part)
            if plain is None:
                head, _, name = self.source.code[part.start : part.end].rpartition(".")
                plain = constants.get(self.imported.get(head, "") if head else self.package, {}).get(name)
            if plain is None:
                return None
            texts.append(plain)
        return "".join(texts) if texts else None

    def _split_sum(self, span: Span) -> list[Span]:
        cuts = [span.start - 1, *(at for at in range(span.start, span.end) if self.source.code[at] == "+"), span.end]
        return [self.source.strip(first + 1, last) for first, last in pairwise(cuts)]

    def read_methods(self, spans: list[Span]) -> list[str]:
        """Return the methods that arguments name, as texts or as constants of net/http."""
        found = [text.upper() for span in spans for text in self.source.strings_in(span)]
        code = " ".join(self.source.code[span.start : span.end] for span in spans)
        return found + [name.upper() for name in _METHOD.findall(code)]


def _read_owner(receiver: str) -> str:
    """Return the type of a receiver `(s *Server[T])`, "" for a function."""
    words = re.findall(r"\w+", receiver.partition("[")[0])
    return words[-1] if words else ""
