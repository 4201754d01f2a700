"""Whether a session touched what a rule or pattern concerns, as far as code can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay import terms

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST = 2
"""Informative stems of a rule that one command or path must hold, where the rule names no file and no name of code."""


def touched(state: dict[str, Any], files: Iterable[str], text: str) -> str:
    """Return what of a session's state touched a rule: a path or a command; "" for nothing.

    A rule with files (a folder ends with "/") concerns edits of them; one with names of code, edits and commands that
    hold one; any other, those that hold two of its informative stems.
    """
    paths = [str(path) for path in state["edits"]]
    known = tuple(files)
    if known:
        return next((path for path in paths if any(_is_of(path, file) for file in known)), "")
    names = {word.casefold() for word in terms.words(text) if terms.is_name(word)}
    for done in [*paths, *(str(row["command"]) for row in state["tried"])]:
        held = {part for word in terms.words(done.replace("/", " ")) for part in _forms(word)}
        if names & held or names & {word.casefold() for word in terms.words(done)}:
            return done
        if not names and len(set(terms.informative(text)) & held) >= LEAST:
            return done
    return ""


def _is_of(path: str, file: str) -> bool:
    return path.startswith(file) if file.endswith("/") else path == file


def _forms(word: str) -> set[str]:
    return {word.casefold(), terms.stem(word), *(terms.stem(part) for part in terms.parts(word))}
