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
            comments = _extract_python(text)
        except (SyntaxError, tokenize.TokenError, ValueError, RecursionError, MemoryError):
            comments = _extract_others(lines, "hash")
    else:
        comments = _extract_others(lines, style)
    return "\n".join(comments.get(at, "") for at in range(len(lines)))


def _extract_python(text: str) -> dict[int, str]:
    """Return the words of comments and docstrings by line from 0; a docstring's thing is named above it."""
    comments: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string[1:].startswith(PRAGMAS):
            comments[token.start[0] - 1] = token.string.lstrip(_DECORATION)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other people's escapes
        tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            _add_docstring(node, comments)
    return comments


def _add_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, comments: dict[int, str]
) -> None:
    docstring = ast.get_docstring(node, clean=False)
    if docstring is None:
        return
    if not isinstance(node, ast.Module):
        comments[node.lineno - 1] = f"## {node.name}"
    first = node.body[0].lineno - 1
    for at, line in enumerate(docstring.split("\n"), first):
        comments[at] = f"{comments[at]}: {line.strip()}" if at in comments else line.strip()


def _extract_others(lines: list[str], style: str) -> dict[int, str]:
    """Return the words of comment lines and blocks by line from 0."""
    marks, blocks = LINE[style], (BLOCK[style], *_MORE.get(style, ()))
    comments: dict[int, str] = {}
    end = ""
    for at, line in enumerate(lines):
        bare = line.strip()
        opened = "" if end else next((close for begin, close in blocks if bare.startswith(begin)), "")
        if end or opened:
            words, closed, _ = bare[2 if opened else 0 :].partition(end or opened)
            comments[at] = _strip_marks(words)
            end = "" if closed else end or opened
        elif bare.startswith(marks) and not bare[len(marks[0]) :].startswith(PRAGMAS):
            comments[at] = _strip_marks(bare)
    return comments


def _strip_marks(bare: str) -> str:
    return bare.strip(_DECORATION)
