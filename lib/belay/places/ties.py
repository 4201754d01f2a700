"""Which features use each other, by the imports in their code, and the lines that say so in the CLAUDE.md of both.

The lines are in a block of Belay's own in the section Integration Points (seed 000); one line for each other feature.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.claude_files import marked_block
from belay.memory.document import page
from belay.memory.document.page import strip_line_end
from belay.places import hierarchy
from belay.repository.code import survey
from belay.repository.code.tree import CodeTree, is_test
from belay.repository.survey import quotes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from belay.places.hierarchy import Hierarchy
    from belay.repository.code.source import Source

NAME = "ties"
SECTION = "Integration Points"
WHY_CHARS = 160
_TITLE = re.compile(r"integration points?|integrations?|dependencies and dependents", re.IGNORECASE)


class Tie(NamedTuple):
    """A feature that uses another one: both folders, and the import that shows it; or `why`, as somebody said it."""

    user: str
    used: str
    path: str = ""
    line: int = 0
    why: str = ""


def find_ties(found: Hierarchy, folder: str) -> list[Tie]:
    """Return which features a folder's code uses and which use it, each by its first import; tests do not count."""
    tree = CodeTree(found.root)
    features = [name for name in hierarchy.list_features(found) if name != folder]
    word = posixpath.basename(folder)
    ties: dict[tuple[str, str], Tie] = {}
    for path in tree.list_below(""):
        is_own = hierarchy.is_within(path, folder)
        if is_test(path) or not (is_own or _find_feature(path, features)):
            continue
        source = tree.read(path) if is_own or word in tree.text(path) else None
        for line, target in _list_targets(tree, source):
            pair = _find_pair(path, target, folder, features)
            if pair:
                ties.setdefault(pair, Tie(*pair, path, line))
    return sorted(ties.values(), key=lambda tie: (tie.user != folder, tie.used, tie.user))


def _list_targets(tree: CodeTree, source: Source | None) -> Iterator[tuple[int, str]]:
    for row in survey.find_imports(source) if source else ():
        for target in survey.find_imported_files(tree, source, row) if source else ():
            yield row.line, target


def _find_pair(path: str, target: str, folder: str, features: list[str]) -> tuple[str, str] | None:
    """Return (user, used) of an import between the folder and another feature."""
    if hierarchy.is_within(path, folder):
        other = "" if hierarchy.is_within(target, folder) else _find_feature(target, features)
        return (folder, other) if other else None
    other = _find_feature(path, features)
    return (other, folder) if other and hierarchy.is_within(target, folder) else None


def _find_feature(path: str, features: Iterable[str]) -> str:
    """Return the innermost feature that a path is in, "" for none."""
    return max((name for name in features if hierarchy.is_within(path, name)), key=len, default="")


def write_line(tie: Tie, folder: str, known: Collection[str] = ()) -> str:
    """Return what the CLAUDE.md of one of the two folders says of the other; `known` are the folders that have one."""
    other, verb = (tie.used, "Uses") if tie.user == folder else (tie.user, "Used by")
    link = posixpath.relpath(other, folder) + "/" + hierarchy.NAME * (other in known)
    shown = "it imports it" if not tie.path else f"`{tie.path}` imports it"
    return f"- {verb} [{posixpath.basename(other)}]({link}): {quotes.line(tie.why, WHY_CHARS) or shown}"


def plan_text(text: str, ties: list[Tie], folder: str, known: Collection[str] = ()) -> str:
    """Return the text of a folder's CLAUDE.md with a line for each tie; lines on other features stay as they are."""
    new = {_make_key(line): line for line in (write_line(tie, folder, known) for tie in ties)}
    block = marked_block.find_block(text, NAME)
    if block:
        kept = [new.pop(_make_key(line), line) for line in block.body]
        return marked_block.replace_block(text, NAME, [*kept, *new.values()])
    found = page.parse(text)
    section = next((row for row in found.sections if _TITLE.match(row.title)), None)
    if section is None:
        return marked_block.insert_block(text, NAME, [f"## {SECTION}", "", *new.values()])
    end = next((row.start for row in found.sections if row.start >= section.body), len(found.lines))
    own = {line for row in found.records if row.kind == "comment" for line in range(row.start, row.end)}
    while end > section.body and (not strip_line_end(found.lines[end - 1]).strip() or end - 1 in own):
        end -= 1
    return marked_block.insert_block(text, NAME, list(new.values()), end)


def _make_key(line: str) -> str:
    """Return what a line is about: the verb and the other feature's file."""
    match = re.match(r"- (Uses|Used by) \[[^\]]*\]\(([^)]*?)(?:CLAUDE\.md)?\)", line)
    return f"{match[1]} {match[2]}" if match else line
