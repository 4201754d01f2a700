"""The playbooks of a work tree, `.claude/memory/playbooks/*.md`: read, begun, and given outcomes.

A new file is made by `belay playbook new` alone; outcomes are recorded in existing ones only.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files as core_files
from belay.core import paths, plain_text
from belay.core.errors import BadInput, BelayError
from belay.knowledge.playbooks import page, patterns
from belay.memory import memory_files
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.playbooks.page import Evidence, Playbook
    from belay.knowledge.playbooks.patterns import Pattern

FOLDER = os.path.join(paths.MEMORY, "playbooks")
CLAUDE = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"))
"""Files with a project's patterns, in the order looked at."""
MOST = 500
"""Playbooks looked at."""
NAME_CHARS = 60
TEXT_CHARS = 200
UNION = "*.md merge=union\n"
"""The folder's .gitattributes: git takes the lines of both sides (gitattributes(5)), and the numbers follow."""


class StoredPlaybook(NamedTuple):
    """One playbook: its name, what it holds, its pattern as it is now (None where that is gone)."""

    name: str
    playbook: Playbook
    pattern: Pattern | None


def playbook_path(project: Project, name: str) -> str:
    """Return the file of a playbook; BadInput for a name that is none."""
    fits = (
        name and len(name) <= NAME_CHARS and all(char.isascii() and (char.isalnum() or char in "-_") for char in name)
    )
    if not fits:
        raise BadInput(plain_text.shown(name), "is no name for a playbook", "use letters, digits, - and _")
    return project.at(FOLDER, name + ".md")


def list_playbooks(project: Project) -> list[StoredPlaybook]:
    """Return the playbooks of a work tree by name; what is no readable file is left out."""
    names = [name[:-3] for name in core_files.list_names(project.at(FOLDER)) if name.endswith(".md")]
    playbooks = []
    for name in names[:MOST]:
        try:
            playbooks.append(load_playbook(project, name))
        except BelayError:
            continue
    return [stored for stored in playbooks if stored.playbook.pattern[0]]


def load_playbook(project: Project, name: str) -> StoredPlaybook:
    """Return one playbook; BadInput where there is none or it is not to be touched."""
    file = playbook_path(project, name)
    if not os.path.lexists(file):
        raise BadInput(name, "is no playbook", "`belay playbook list` names them")
    why = memory_files.explain_refusal(project, file)
    if why:
        raise BadInput(project.relative(file), why, "fix the file first")
    book = page.parse(memory_files.read_text(file))
    return StoredPlaybook(name, book, _find_pattern(project, book))


def _find_pattern(project: Project, book: Playbook) -> Pattern | None:
    file, sign = book.pattern
    place = project.at(file)
    if not file or os.path.isabs(file) or memory_files.explain_refusal(project, place):
        return None
    return patterns.find_by_sign(memory_files.read_text(place), sign)


def create_playbook(
    project: Project, environ: Mapping[str, str], name: str, words: str, file: str = ""
) -> StoredPlaybook:
    """Begin a playbook for the line of CLAUDE.md that holds some words; BadInput where it or the name is no good."""
    place = playbook_path(project, name)
    if os.path.lexists(place):
        raise BadInput(name, "is a playbook already", "choose another name")
    source = _find_source(project, file)
    pattern = patterns.find_by_words(memory_files.read_text(project.at(source)), words, source)
    text = page.render_new(name, f"{source}#{pattern.sign}")
    with memory_files.lock_memory(project):
        core_files.make_folder(os.path.dirname(place))
        attributes = project.at(FOLDER, ".gitattributes")
        if not os.path.lexists(attributes):
            core_files.write(attributes, UNION.encode())
        saved = memory_files.change_file(project, environ, place, lambda old: old or text)
    if saved.why:
        raise BadInput(saved.file, saved.why, "fix the file first")
    return load_playbook(project, name)


def _find_source(project: Project, file: str) -> str:
    """Return the CLAUDE.md that is meant, a path from the root; BadInput where it cannot be read."""
    names = [file] if file else [name for name in CLAUDE if os.path.isfile(project.at(name))]
    if not names:
        raise BadInput("CLAUDE.md", "is not there", "write the pattern there first: a playbook never holds its words")
    name = project.relative(os.path.abspath(names[0]) if file else names[0])
    why = memory_files.explain_refusal(project, project.at(name))
    if why or not os.path.isfile(project.at(name)):
        raise BadInput(plain_text.shown(name), why or "is no file", "name a CLAUDE.md of this project")
    return name


def add_outcome(project: Project, environ: Mapping[str, str], name: str, evidence: Evidence) -> StoredPlaybook:
    """Give a playbook an outcome; a session's replaces what it came to before. Raises LockTimeout, BadInput."""
    flat = plain_text.shown(redact(" ".join(evidence.text.split())), TEXT_CHARS)
    clean = evidence._replace(text=flat)
    with memory_files.lock_memory(project):
        load_playbook(project, name)
        saved = memory_files.change_file(
            project,
            environ,
            playbook_path(project, name),
            lambda text: page.add_evidence(page.parse(text), clean).text,
        )
    if saved.why:
        raise BadInput(saved.file, saved.why, "fix the file first")
    return load_playbook(project, name)


def mark_harmful(project: Project, environ: Mapping[str, str], name: str, entry: str) -> None:
    """Write into a playbook which antipattern its pattern became."""
    with memory_files.lock_memory(project):
        memory_files.change_file(
            project,
            environ,
            playbook_path(project, name),
            lambda text: page.set_fields(page.parse(text), {"antipattern": entry}).text,
        )


def list_untrusted(project: Project, environ: Mapping[str, str], stored: StoredPlaybook) -> list[str]:
    """Return which of a playbook and its pattern's file are not trusted (docs/trust.md): no entry is made of them."""
    files = (playbook_path(project, stored.name), project.at(stored.playbook.pattern[0]))
    return [project.relative(file) for file in files if not memory_files.is_trusted(project, environ, file)]
