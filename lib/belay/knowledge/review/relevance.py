"""Whether a session touched what a rule or pattern concerns, as far as code can see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.session.state_types import State

WHOLE = "./"
"""The folder that means the entire project."""
LEAST = 2
"""Informative stems of a rule that one command or path must hold, where the rule names no file and no name of code."""


def find_touched(state: State, files: Iterable[str], text: str) -> str:
    """Return what of a session's state touched a rule: a path or a command; "" for nothing.

    A rule with files (a folder ends with "/") concerns edits of them; any other what `concerns` says.
    """
    paths = [str(path) for path in state["edits"]]
    known = tuple(file for file in files if file != WHOLE)
    if known:
        return next((path for path in paths if any(_is_in(path, file) for file in known)), "")
    commands = [str(row["command"]) for row in state["tried"]]
    return next((done for done in [*paths, *commands] if concerns(done, text)), "")


def concerns(done: str, text: str) -> bool:
    """Whether a path or command concerns a rule: it holds a name of code that the rule has, else two of its stems."""
    names = {word.casefold() for word in terms.words(text) if terms.is_name(word)}
    whole = {word.casefold() for word in terms.words(done)}
    held = {part for word in terms.words(done.replace("/", " ")) for part in _list_forms(word)}
    return bool(names & (held | whole)) or (not names and len(set(terms.informative(text)) & held) >= LEAST)


def _is_in(path: str, file: str) -> bool:
    return path.startswith(file) if file.endswith("/") else path == file


def _list_forms(word: str) -> set[str]:
    return {word.casefold(), terms.stem(word), *(terms.stem(part) for part in terms.parts(word))}
