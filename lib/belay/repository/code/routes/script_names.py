"""What names in a JavaScript module stand for: imports, exports, constants, functions that are given a router."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from belay.repository.code.languages.javascript import find_imports
from belay.repository.code.source import Source, Span
from belay.repository.code.tree import CodeTree

DEFAULT = "default"
_PASSED_ON = re.compile(r"^export\s*(\{)[^}]*\}\s*(?:from\s*(['\"]))?", re.MULTILINE)
_STAR = re.compile(r"""^export\s*\*\s*(?:as\s+([\w$]+)\s+)?from\s*(["'])""", re.MULTILINE)
_DEFAULT = re.compile(
    r"^(?:export\s+default|module\.exports\s*=|exports\s*=\s*module\.exports\s*=|export\s*=)\s*", re.M
)
_WORDS = re.compile(r"(?:async\s+)?(?:function\s*)?([\w$]*)")
_OBJECT = re.compile(r"([\w$]+)\s*(?::\s*([\w$.]+))?\s*$")
_SPECIFIER = re.compile(r"([\w$]+)(?:\s+as\s+([\w$]+))?")
_CONSTANT = re.compile(
    r"(?:\b(?:const|let|var|public|private|readonly|static)\s+|^[ \t]+|\bthis\.)"
    r"([\w$]+)\s*(?::\s*string\s*)?=\s*(?=[\"'`])",
    re.M,
)
_HOLE = re.compile(r"\$\{\s*([\w$.]+)\s*\}")
_FUNCTION = re.compile(
    r"(?P<default>(?:export\s+default|module\.exports\s*=|export\s*=)\s*)?(?:(?:const|let|var)\s+(?P<value>[\w$]+)\s*(?::[^=\n]+)?=\s*)?"
    r"(?:[\w$.]+\(\s*)?(?:async\s*)?(?:function\s*\*?\s*(?P<name>[\w$]*)\s*)?(?:<[^()]*>)?(?P<open>\()(?=\s*[\w${])"
)
_ARROW = re.compile(r"\s*(?::[^={;]+?)?\s*(=>)?\s*(?:\(\s*)?(\{)?")


class Function(NamedTuple):
    """A function: its name ("" for none), whether it is the module's default, its parameters with types, its body."""

    name: str
    is_default: bool
    parameters: list[tuple[str, str]]
    body: Span


class Script:
    """A JavaScript or TypeScript file whose names can be looked up."""

    def __init__(self, tree: CodeTree, source: Source) -> None:
        self.tree, self.source, self.path = tree, source, source.path

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """Local name → (file, exported name; "*" for all of it), of what comes from the project."""
        found: dict[str, tuple[str, str]] = {}
        for row in find_imports(self.source, with_names=True):
            file = self.tree.imports.find_script(self.path, row.module)
            if not file or file.endswith("/"):
                continue
            if row.alias:
                found[row.alias] = (file, DEFAULT)
            for name in row.names:
                outer, _, local = name.partition(" as ")
                found[local] = (file, outer)
        return found

    @cached_property
    def exported(self) -> dict[str, tuple[str, str]]:
        """Exported name → (file, name there), where the two differ."""
        found: dict[str, tuple[str, str]] = {}
        for match in self.source.find_all(_PASSED_ON):
            file = self._find(match.start(2)) if match[2] else self.path
            for span in self.source.split_arguments(match.start(1)):
                words = _SPECIFIER.match(self.source.code, span.start, span.end)
                if words and file:
                    found[words[2] or words[1]] = (file, words[1])
        for match in self.source.find_all(_DEFAULT):
            found |= self._read_default(match.end())
        return found

    def _find(self, quote: int) -> str:
        return self.tree.imports.find_script(self.path, self.source.string_at(quote) or "")

    def _read_default(self, place: int) -> dict[str, tuple[str, str]]:
        code = self.source.code
        if code[place : place + 1] == "{":
            rows = [_OBJECT.match(code[span.start : span.end]) for span in self.source.split_arguments(place)]
            return {row[1]: (self.path, row[2] or row[1]) for row in rows if row}
        words = _WORDS.match(code, place)
        name = words[1] if words else ""
        if name in ("new", "class") or not name:
            name = (re.match(r"(?:new|class)\s+([\w$]+)", code[place : place + 80]) or ["", ""])[1]
        return {DEFAULT: (self.path, name)} if name else {}

    @cached_property
    def constants(self) -> dict[str, str]:
        """Name → text of constants and of fields with a text."""
        found: dict[str, str] = {}
        for match in self.source.find_all(_CONSTANT):
            text = self.source.string_at(match.end())
            if text is not None:
                found.setdefault(match[1], text)
        return found

    def evaluate(self, span: Span) -> str | None:
        """Return the text that a constant expression stands for, None where it is not known before the run."""
        plain = self.source.string_in(span)
        if plain is not None:
            return plain
        text = self.source.text[span.start : span.end]
        if text[:1] == "`" and text[-1:] == "`":
            values = [self._look_up(name) for name in _HOLE.findall(text)]
            whole = _HOLE.sub(lambda hole: self._look_up(hole[1]) or "", text[1:-1])
            return None if None in values or "${" in whole else whole
        return self._look_up(text) if re.fullmatch(r"[\w$.]+", text) else None

    def _look_up(self, name: str) -> str | None:
        local = name.removeprefix("this.")
        if local in self.constants:
            return self.constants[local]
        file, outer = self.imported.get(local, ("", ""))
        source = self.tree.read(file) if file else None
        return Script(self.tree, source).constants.get(outer) if source else None

    @cached_property
    def functions(self) -> list[Function]:
        """The functions with parameters, outer ones first."""
        found = []
        for match in self.source.find_all(_FUNCTION):
            close = self.source.find_close(match.start("open"))
            tail = _ARROW.match(self.source.code, close + 1)
            if tail and tail[2] and (tail[1] or match["name"] is not None):
                body = Span(tail.start(2), self.source.find_close(tail.start(2)))
                name = match["value"] or match["name"] or ""
                found.append(Function(name, bool(match["default"]), self._read_parameters(match.start("open")), body))
        return found

    def _read_parameters(self, start: int) -> list[tuple[str, str]]:
        texts = [self.source.code[span.start : span.end] for span in self.source.split_arguments(start)]
        rows = [re.match(r"([\w$]+)\??\s*(?::\s*([\w$.]+))?", text) for text in texts[:4]]
        return [(row[1], row[2] or "") for row in rows if row]
