"""Source text with comments and the insides of strings blanked, every character at its old place.

What is left can be searched for code by plain patterns: a commented-out route or one in a string is not there.
"""

from __future__ import annotations

import re

_QUOTED = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
_C_COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
_TEMPLATE = r"`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`(?:[^`\\]|\\.)*`|\{[^{}]*\})*\})*`"
# A slash begins a regular expression only where no value can end before it. What is before it is looked at after it,
# so that every alternative begins with its own character: then the search skips all others quickly.
_REGEX = (
    r"/(?:(?<=[(,=:\[!&|?;{}\n]/)|(?<=[(,=:\[!&|?;{}]\s/)|(?<=return\s/))"
    r"(?![*/\s])(?:[^\\/\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"
)
_TRIPLE = r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\Z)' + r"|'''(?:[^'\\]|\\.|'(?!''))*(?:'''|\Z)"
_JS = re.compile(f"{_C_COMMENT}|{_QUOTED}|{_TEMPLATE}|{_REGEX}", re.DOTALL)
_GO = re.compile(rf"""{_C_COMMENT}|"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
_PYTHON = re.compile(rf"\#[^\n]*|{_TRIPLE}|{_QUOTED}", re.DOTALL)
_MARKUP = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_SEEN = re.compile(r"[^\n]")

JAVASCRIPT, PYTHON, GO, MARKUP = "javascript", "python", "go", "markup"
LANGUAGES = {
    **dict.fromkeys((".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"), JAVASCRIPT),
    ".py": PYTHON, ".go": GO, ".vue": MARKUP, ".svelte": MARKUP,
}  # fmt: skip
"""File name's end → language; a file of the last kind holds its code in <script>."""
_PATTERNS = {JAVASCRIPT: _JS, PYTHON: _PYTHON, GO: _GO, MARKUP: _JS}


def mask(text: str, language: str) -> str:
    """Return the text with comments and the insides of strings as blanks; quotes and line ends stay."""
    if language == MARKUP:
        return _PATTERNS[language].sub(_blank, _keep_scripts(text))
    return _PATTERNS[language].sub(_blank, text)


def _keep_scripts(text: str) -> str:
    parts, last = [], 0
    for script in _SCRIPT.finditer(_MARKUP.sub(lambda match: _SEEN.sub(" ", match[0]), text)):
        parts += [_SEEN.sub(" ", text[last : script.start(1)]), script[1]]
        last = script.end(1)
    return "".join(parts) + _SEEN.sub(" ", text[last:])


def _blank(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] in "\"'`" and len(found) > 1:
        inner = found[1:-1]
        return found[0] + (_SEEN.sub(" ", inner) if "\n" in inner else " " * len(inner)) + found[0]
    return _SEEN.sub(" ", found) if "\n" in found else " " * len(found)


def find_string(text: str, start: int, language: str) -> str | None:
    """Return the plain string that begins at a place, without its quotes; None for code, or one with code inside."""
    match = _PATTERNS[language].match(text, start)
    if not match or match[0][0] not in "\"'`" or len(match[0]) < 2:
        return None
    found = match[0]
    if language == PYTHON and found[:3] in ('"""', "'''"):
        return found[3:-3]
    if found[0] == "`" and language != GO and "${" in found:
        return None
    return found[1:-1]
