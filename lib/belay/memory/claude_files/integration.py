"""The optional memory section of a CLAUDE.md (seed 003), written for what Belay does by itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files, paths
from belay.core.constants import FILE_BYTES
from belay.memory.claude_files import marked_block

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

NAME = "memory"
_PROJECT = (
    "## Memory",
    "",
    "Belay keeps this project's memory: a start shows you `MEMORY.md`, the branch's overlay and what changed since.",
)
_USER = (
    "## Memory",
    "",
    "In projects with a memory of Belay, a start shows you `MEMORY.md`, the branch's overlay and what changed since.",
)
_RULES = (
    "",
    "- Begin with it: say in two sentences where work stopped, what drifted, and the next step.",
    "- Before you change how something works, ask what is known: `belay why 'SUBJECT'`.",
    "- What I decide, correct or ask you to remember is captured; Belay names the id. Where it names none, save it:",
    "  `belay remember 'FACT' --as decision --reason 'WHY'`.",
    '- When I say "wrap up", "save" or "done for now", fill in `belay wrap-up`; its next step needs no question.',
    "- No secrets in memory files: name the variable in `.env`.",
)


def find_file(project: Project | None, environ: Mapping[str, str]) -> str:
    """Return the CLAUDE.md that is meant: the root's, else the one in .claude where that exists alone; the user's."""
    if project is None:
        return os.path.join(paths.client_dir(environ), "CLAUDE.md")
    top, inner = project.at("CLAUDE.md"), project.at(".claude", "CLAUDE.md")
    return inner if os.path.lexists(inner) and not os.path.lexists(top) else top


def find_files(project: Project | None, environ: Mapping[str, str]) -> list[str]:
    """Return the files that hold the section: the project's and the user's."""
    own = [find_file(project, environ)] if project else []
    mark = f"<!-- belay:{NAME} begin".encode()
    return [path for path in [*own, find_file(None, environ)] if mark in files.read(path, FILE_BYTES)]


def is_users(path: str, environ: Mapping[str, str]) -> bool:
    """Whether a file is the user's own, which holds for every project."""
    return path == find_file(None, environ)


class Plan(NamedTuple):
    """What would become of a file: its text before and after, and whether the block that is there is Belay's own."""

    before: str
    after: str
    is_own: bool


def read_section(*, is_user: bool) -> list[str]:
    """Return the lines of the section for a project's file, or for the user's own."""
    return [*(_USER if is_user else _PROJECT), *_RULES]


def plan_section(text: str, *, is_user: bool) -> Plan:
    """Return the text with the section, in place of an older one; BadInput where the marks do not match."""
    body = read_section(is_user=is_user)
    block = marked_block.find_block(text, NAME)
    if block is None:
        return Plan(text, marked_block.insert_block(text, NAME, body), True)
    return Plan(text, marked_block.replace_block(text, NAME, body), block.body == body)


def plan_removal(text: str, *, is_user: bool) -> Plan:
    """Return the text without the section; it is Belay's own unless somebody edited it."""
    block = marked_block.find_block(text, NAME)
    is_own = block is None or block.body == read_section(is_user=is_user)
    return Plan(text, marked_block.remove_block(text, NAME), is_own)
