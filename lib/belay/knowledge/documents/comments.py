"""Comments and docstrings of source files, each on its line. Pure.

Python is read by its own tokenizer and parser; of other languages the lines that hold only a comment, and the
blocks. Strings that hold a comment's mark at the beginning of a line are taken for one: they are text too.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings

LINE = {"c": ("//",), "hash": ("#",), "dash": ("--",)}
BLOCK = {"c": ("/*", "*/"), "hash": ("=begin", "=end"), "dash": ("--[[", "]]")}
"""How comments begin and end, by the styles of `kinds`; SQL and Haskell have blocks of other languages too."""
_MORE = {"dash": (("/*", "*/"), ("{-", "-}"))}
_DECORATION = "/*#-=! \t"
PRAGMAS = ("!", " -*-", " noqa", " type:", " pylint", " eslint", " fmt:", " region", " endregion")


def extract_comments(text: str, style: str) -> str:
    """Return a source text of which only comments and docstrings are left, every line at its place."""
    lines = text.split("\n")
    if style == "python":
        try:
            found = _extract_python(text)
        except (SyntaxError, tokenize.TokenError, ValueError, RecursionError, MemoryError):
            found = _extract_others(lines, "hash")
    else:
        found = _extract_others(lines, style)
    return "\n".join(found.get(at, "") for at in range(len(lines)))


def _extract_python(text: str) -> dict[int, str]:
    """Return the words of comments and docstrings by line from 0; a docstring's thing is named above it."""
    found: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string[1:].startswith(PRAGMAS):
            found[token.start[0] - 1] = token.string.lstrip(_DECORATION)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other people's escapes
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            _add_docstring(node, found)
    return found


def _add_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, found: dict[int, str]
) -> None:
    said = ast.get_docstring(node, clean=False)
    if said is None:
        return
    if not isinstance(node, ast.Module):
        found[node.lineno - 1] = f"## {node.name}"
    first = node.body[0].lineno - 1
    for at, line in enumerate(said.split("\n"), first):
        found[at] = f"{found[at]}: {line.strip()}" if at in found else line.strip()


def _extract_others(lines: list[str], style: str) -> dict[int, str]:
    """Return the words of comment lines and blocks by line from 0."""
    marks, blocks = LINE[style], (BLOCK[style], *_MORE.get(style, ()))
    found: dict[int, str] = {}
    end = ""
    for at, line in enumerate(lines):
        bare = line.strip()
        opened = "" if end else next((close for begin, close in blocks if bare.startswith(begin)), "")
        if end or opened:
            said, closed, _ = bare[2 if opened else 0 :].partition(end or opened)
            found[at] = _strip_marks(said)
            end = "" if closed else end or opened
        elif bare.startswith(marks) and not bare[len(marks[0]) :].startswith(PRAGMAS):
            found[at] = _strip_marks(bare)
    return found


def _strip_marks(bare: str) -> str:
    return bare.strip(_DECORATION)
