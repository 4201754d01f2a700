"""The memory that matters for a path or a task: root, orchestration, features on the way, rules, documents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.client.instructions import loaded_files
from belay.core.plain_text import shown
from belay.memory.document import page
from belay.places import hierarchy as tree
from belay.places.checks.memory_texts import MEMORY
from belay.places.discovery import pieces, rules
from belay.places.discovery.pieces import Piece
from belay.places.relevance import ranking
from belay.places.relevance.subject_words import stems_of_name
from belay.repository import row_vetting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from belay.core.paths import Project
    from belay.places.hierarchy import Hierarchy, MemoryPlace

FEATURES = 3
"""Features of a task that are followed."""
NEAR_BEST = 0.45
"""Share of the best feature's score from which on another one belongs to the task too."""
ENOUGH = 2.0
NAMED = 3
"""Last parts of a path that say what it is about; those before them only lead there."""
NEAREST = 3.0
"""Share of the memory nearest to what is asked about, where any other file's is 1."""
DOCUMENTS = 4
_BASE = {tree.ROOT: 1.0, tree.ORCHESTRATED: 0.9, tree.FEATURE: 3.0, tree.COMPONENT: 2.0, tree.RULE: 2.0}
_ENTRY, _DOCUMENT, _IN_MEMORY = "entry", "document", "memory"
LEVELS = (*_BASE, _IN_MEMORY, _ENTRY, _DOCUMENT)
_HOLDS = {
    tree.ROOT: "holds for the whole project",
    tree.ORCHESTRATED: "has the state of the work and the patterns that were found",
}
_DOCS = ("docs", "doc", "adr", "rfcs", "design", "documentation")
_TEXTS = (".md", ".mdx", ".rst", ".adoc")


class Subject(NamedTuple):
    """What is asked about: its words, the folders and files it concerns, and why each."""

    words: dict[str, str]
    targets: dict[str, str]


class Discovery(NamedTuple):
    """The pieces in the order of reading, what all of them would take, and the features that a task is about."""

    pieces: list[Piece]
    available: int
    targets: dict[str, str]


def read_path(hierarchy: Hierarchy, path: str) -> Subject:
    """Return what a path, from the root, is about."""
    return Subject(
        pieces.words_of("/".join(path.split("/")[-NAMED:])),
        {path: f"{shown(path)} is in it" if path else "it is the project's root"},
    )


def read_task(hierarchy: Hierarchy, task: str) -> Subject:
    """Return what a task is about: the features that its words lead to."""
    matches = [match for match in ranking.rank(hierarchy, task) if match.score >= ENOUGH or match.is_named]
    near = [match for match in matches if match.score >= NEAR_BEST * matches[0].score][:FEATURES]
    return Subject(pieces.words_of(task), {match.folder: f"the task {match.evidence[0].why}" for match in near})


def discover(
    project: Project,
    environ: Mapping[str, str],
    hierarchy: Hierarchy,
    subject: Subject,
    entries: list[Piece],
    budget: int,
) -> Discovery:
    """Return the memory for a subject within a budget of tokens; `entries` are those of the knowledge base."""
    found = [*_read_places(hierarchy, subject), *_read_loaded(project, environ, hierarchy, subject)]
    found += [*_read_memory(project, environ, subject), *entries]
    found += _read_documents(hierarchy, subject)
    nearest = {own[-1].path: NEAREST for target in subject.targets if (own := _list_own(hierarchy, target))}
    return Discovery(pieces.choose(found, budget, nearest), sum(piece.tokens for piece in found), subject.targets)


def _list_own(hierarchy: Hierarchy, target: str) -> list[MemoryPlace]:
    """Return the memories of the folders on the way to a target, the nearest last."""
    return [place for place in hierarchy.list_above(target) if place.folder]


def _read_places(hierarchy: Hierarchy, subject: Subject) -> Iterator[Piece]:
    """Yield the statements of the memories on the way down, then those of the rules that hold there."""
    way: dict[MemoryPlace, str] = {}
    for target, why in subject.targets.items():
        for place in hierarchy.list_above(target):
            way.setdefault(place, why)
    for place in hierarchy.places if not subject.targets else ():
        if place.level in _HOLDS:
            way[place] = ""
    for place in (place for place in hierarchy.places if place in way):
        reason = _HOLDS.get(place.level) or f"memory of {shown(place.folder)}: {way[place]}"
        yield from _cut(hierarchy, place, reason, subject)
    for place in (place for place in hierarchy.places if place.level == tree.RULE):
        reason = _explain_rule(hierarchy, place, subject)
        if reason:
            yield from _cut(hierarchy, place, reason, subject)


def _read_loaded(
    project: Project, environ: Mapping[str, str], hierarchy: Hierarchy, subject: Subject
) -> Iterator[Piece]:
    """Yield what the client reads with the root's memory: files that it imports, and CLAUDE.local.md."""
    known = {place.path for place in hierarchy.places}
    for loaded in loaded_files.list_loaded(project.root, project.root, environ):
        name = project.relative(loaded.path)
        if loaded.text and not os.path.isabs(name) and name not in known:
            yield from pieces.cut(name, page.parse(loaded.text), tree.ROOT, loaded.what, 1.0, subject.words)


def _cut(hierarchy: Hierarchy, place: MemoryPlace, why: str, subject: Subject) -> Iterator[Piece]:
    found = page.parse(tree.read_text(hierarchy.root, place.path))
    return pieces.cut(place.path, found, place.level, why, _BASE[place.level], subject.words)


def _explain_rule(hierarchy: Hierarchy, place: MemoryPlace, subject: Subject) -> str:
    """Return why a rule holds for a subject, "" where it does not."""
    globs = rules.read_globs(tree.read_text(hierarchy.root, place.path))
    if not globs:
        return "rule for the whole project"
    for target in subject.targets:
        inside = sorted(name for name in hierarchy.names if tree.is_within(name, target)) or [target]
        matched = rules.find_match(globs, [target, *inside])
        if matched:
            return f"rule for {shown(', '.join(globs))}, which matches {shown(matched)}"
    return ""


def _read_memory(project: Project, environ: Mapping[str, str], subject: Subject) -> Iterator[Piece]:
    """Yield what the known rows of MEMORY.md say of the subject; the rest of it every session has at its start."""
    if not os.path.isfile(project.memory_md):
        return
    text = row_vetting.read_known(project, environ, [MEMORY]).texts.get(MEMORY, "")
    for piece in pieces.cut(MEMORY, page.parse(text), _IN_MEMORY, "project memory", 0.5, subject.words):
        if piece.score > 1:
            yield piece


def _read_documents(hierarchy: Hierarchy, subject: Subject) -> list[Piece]:
    """Return the documents whose name says the subject, and the READMEs on the way: their title and first paragraph."""
    found = []
    for name in sorted(hierarchy.names):
        folder, _, last = name.rpartition("/")
        if not last.endswith(_TEXTS) or last in (MEMORY, tree.NAME, "AGENTS.md") or ".claude/" in name:
            continue
        shared = stems_of_name(name.rpartition(".")[0]) & subject.words.keys()
        is_above = any(folder and tree.is_within(target, folder) for target in subject.targets)
        is_readme = is_above and last.lower().startswith("readme.")
        if is_readme or (shared and folder.split("/")[0] in _DOCS):
            why = f"README of {shown(folder)}" if is_readme else f"document named after “{subject.words[min(shared)]}”"
            found.append((len(shared) + is_readme, name, why))
    best = sorted(found, key=lambda row: (-row[0], row[1]))[:DOCUMENTS]
    return [piece for _, name, why in best if (piece := _open(hierarchy, name, why))]


def _open(hierarchy: Hierarchy, name: str, why: str) -> Piece | None:
    """Return the first paragraph of a document as a piece, None where it has none."""
    text = page.parse(tree.read_text(hierarchy.root, name))
    return next(iter(pieces.cut(name, text, _DOCUMENT, why, 0.7, {})), None)
