"""The mutations of a module: one operator, number or word of one line changed at a time.

Edits are made in the text, so that all else stays as it is written. Only functions are mutated, and in them only what
decides something: annotations, TYPE_CHECKING blocks, docstrings and the parts of f-strings are left alone.
"""

from __future__ import annotations

import ast
import io
import tokenize
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
SMALL = 100
"""Numbers up to this are limits, indexes and counts; larger ones are masks and constants of formats."""


class Mutation(NamedTuple):
    """One edit of a module: `function` is the qualified name of the function around it."""

    line: int
    function: str
    what: str
    before: str
    after: str
    text: str


class _Source:
    def __init__(self, text: str) -> None:
        self.text, self.lines = text, io.StringIO(text).readlines()
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        self.tokens = [
            (self._offset(token.start), self._offset(token.end), token.string)
            for token in tokens
            if token.type in (tokenize.NAME, tokenize.OP)
        ]

    def _offset(self, place: tuple[int, int]) -> int:
        return self.starts[place[0] - 1] + place[1]

    def at(self, line: int, column: int) -> int:
        """Return the offset of what ast names by its line and its column in UTF-8 bytes."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def operator(self, words: str, start: int, end: int) -> tuple[int, int]:
        """Return where an operator of one or two words is written between two operands."""
        inside = [token for token in self.tokens if start <= token[0] and token[1] <= end]
        first, *rest = words.split()
        at = next(number for number, token in enumerate(inside) if token[2] == first)
        return inside[at][0], inside[at + len(rest)][1]


def mutations(text: str) -> list[Mutation]:
    """Return every mutation of a module's text, in the order of its lines."""
    source, found = _Source(text), []
    for function, node in _inside(ast.parse(text), ""):
        for start, end, new in _edits(source, node):
            line = text.count("\n", 0, start) + 1
            changed = text[:start] + new + text[end:]
            what = f"{text[start:end].strip() or 'nothing'} -> {new.strip() or 'nothing'}"
            after = changed.split("\n")[line - 1].strip()
            found.append(Mutation(line, function, what, source.lines[line - 1].strip(), after, changed))
    return sorted((one for one in found if _parses(one.text)), key=lambda one: (one.line, one.what))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _inside(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield every node of the functions below a node, with the outermost function's qualified name."""
    for child in _children(node):
        name, inner = function, isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        if inner and not function.endswith("()"):
            name = f"{function}{child.name}()"  # type: ignore[attr-defined]
        elif isinstance(child, ast.ClassDef) and not function.endswith("()"):
            name = f"{function}{child.name}."
        if name.endswith("()") and not inner:
            yield name.removesuffix("()"), child
        yield from _inside(child, name)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
        return
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list", "type_params"):
            yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST))


def _edits(source: _Source, node: ast.AST) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, new text) of what may be changed at one node."""
    if isinstance(node, ast.BoolOp):
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            yield *source.operator(old, source.span(left)[1], source.span(right)[0]), new
    elif isinstance(node, ast.Compare):
        for left, op, right in zip([node.left, *node.comparators[:-1]], node.ops, node.comparators, strict=True):
            old, new = COMPARISONS[type(op)]
            yield *source.operator(old, source.span(left)[1], source.span(right)[0]), new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        start, end = source.operator("not", source.span(node)[0], source.span(node)[1])
        yield start, end + (source.text[end] == " "), ""
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        old, new = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
        yield *source.operator(old, source.span(node.left)[1], source.span(node.right)[0]), new
    elif isinstance(node, ast.Constant):
        yield from _constant(source, node)
    elif isinstance(node, ast.Return) and node.value and ast.unparse(node.value) != "None":
        yield *source.span(node.value), "None"
    elif isinstance(node, (ast.If, ast.IfExp)):
        start, end = source.span(node.test)
        yield start, end, f"not ({source.text[start:end]})"
    elif isinstance(node, (ast.Break, ast.Continue)):
        start = source.at(node.lineno, node.col_offset)
        old, new = ("break", "continue") if isinstance(node, ast.Break) else ("continue", "break")
        yield start, start + len(old), new


def _constant(source: _Source, node: ast.Constant) -> Iterator[tuple[int, int, str]]:
    start, end = source.span(node)
    if isinstance(node.value, bool):
        yield start, end, str(not node.value)
    elif isinstance(node.value, int) and node.value <= SMALL and source.text[start:end].isdigit():
        yield start, end, str(node.value + 1)
        if node.value:
            yield start, end, str(node.value - 1)
