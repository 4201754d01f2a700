"""The four tiers of a project's memory (seed 002): always loaded, on demand, persistent, transient."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.client.instructions import loaded_files
from belay.core import files, settings
from belay.core.constants import INJECT_TOKENS
from belay.core.plain_text import count
from belay.core.text import tokens
from belay.memory.document import page, repeated_lines
from belay.repository import foreign_database
from belay.repository.git import owners
from belay.repository.git.process import GitFailed
from belay.session.evidence import output_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from belay.client.instructions.loaded_files import LoadedFile
    from belay.core.paths import Project
    from belay.core.settings import Settings

TITLES = ("always loaded", "on demand", "persistent", "transient")
MEGABYTE, KILOBYTE = 1024 * 1024, 1024
MOST_FILES = 20_000
"""Files of a folder that are counted."""
COMPARED_BYTES = 64 * 1024
"""Bytes of a text that is compared with the others."""
INJECTED = "Belay's text at a session's start"


class Item(NamedTuple):
    """One thing in a tier: its path, what it is, its size; `tokens` is None where nothing of it is ever loaded.

    `over` says which budget it alone exceeds, "" for none; `note` what else is to be known.
    """

    path: str
    what: str
    bytes: int
    tokens: int | None = None
    lines: int = 0
    over: str = ""
    note: str = ""


class Tier(NamedTuple):
    """A tier: its number (1 to 4), its items, its budgets in words, and what is over them."""

    number: int
    items: list[Item]
    budget: str
    over: list[str]

    @property
    def title(self) -> str:
        """The tier in words."""
        return TITLES[self.number - 1]

    @property
    def bytes(self) -> int:
        """The size of its items."""
        return sum(item.bytes for item in self.items)

    @property
    def tokens(self) -> int | None:
        """The tokens of its items, None for a tier of which nothing is loaded."""
        return sum(item.tokens or 0 for item in self.items) if self.number < 3 else None


class Repeat(NamedTuple):
    """The same fact in two files: "path:line" each."""

    first: str
    second: str


class Survey(NamedTuple):
    """The tiers, and what is said twice in texts that are loaded."""

    tiers: list[Tier]
    repeats: list[Repeat]


def survey(project: Project, cwd: str, environ: Mapping[str, str]) -> Survey:
    """Measure what there is, without changing anything."""
    limits = settings.load_settings(project, environ)
    loaded = loaded_files.list_loaded(cwd, project.root, environ)
    tiers = [
        _survey_loaded(project, loaded, limits),
        _survey_on_demand(project, cwd, environ, limits),
        _make_stored(3, list(_list_persistent(project, environ)), limits["tier3_megabytes"]),
        _make_stored(4, list(_list_transient(project)), limits["tier4_megabytes"]),
    ]
    return Survey(tiers, list(_find_repeats(project, loaded)))


def _survey_loaded(project: Project, loaded: list[LoadedFile], limits: Settings) -> Tier:
    items, over = [], []
    for found in loaded:
        item = _measure_loaded(found, limits)
        items.append(item)
        over += [f"{item.path}: {item.over}"] if item.over else []
    most = limits["tier1_tokens"]
    late = "more than its budget" if most < INJECT_TOKENS else ""
    items.append(Item("", INJECTED, 0, INJECT_TOKENS, 0, late, "at most"))
    over += [f"{INJECTED}: at most {INJECT_TOKENS} tokens, {late}"] if late else []
    lines, size = limits["tier1_lines"], limits["tier1_kilobytes"]
    budget = f"Belay {most}; a file {lines} lines, {size} KB"
    return Tier(1, items, budget, over)


def _measure_loaded(found: LoadedFile, limits: Settings) -> Item:
    is_native = found.what == "Claude's own memory"
    taken = loaded_files.cut_native(found.text) if is_native else found.text
    lines, size = len(found.text.splitlines()), len(found.text.encode("utf-8", "replace"))
    over = []
    if lines > limits["tier1_lines"]:
        over.append(f"{count(lines, 'line')}, more than {limits['tier1_lines']}")
    if size > limits["tier1_kilobytes"] * KILOBYTE:
        over.append(f"{format_size(size)}, more than {limits['tier1_kilobytes']} KB")
    note = "only its beginning is loaded" if is_native and len(taken) < len(found.text) else found.problem
    return Item(found.path, found.what, size, tokens.count(taken), lines, "; ".join(over), note)


def _survey_on_demand(project: Project, cwd: str, environ: Mapping[str, str], limits: Settings) -> Tier:
    found = loaded_files.list_on_demand(cwd, project.root, environ, _list_names(project))
    texts = [(file.path, file.what, file.text) for file in found]
    for path, what in ((project.continuation, "where the next session goes on"),):
        if os.path.isfile(path):
            texts.append((path, what, files.read(path, COMPARED_BYTES).decode("utf-8", "replace")))
    most = limits["tier2_tokens"]
    items = []
    for path, what, text in texts:
        number = tokens.count(text)
        late = f"{number} tokens, more than {most}" if number > most else ""
        size = len(text.encode("utf-8", "replace"))
        items.append(Item(path, what, size, number, len(text.splitlines()), late))
    over = [f"{item.path}: {item.over}" for item in items if item.over]
    return Tier(2, items, f"{most} tokens at a time", over)


def _list_names(project: Project) -> list[str]:
    try:
        return owners.list_files(project.root) if project.git_dir else []
    except GitFailed:
        return []


def _list_persistent(project: Project, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield project.memory_md, "project memory"
    yield project.at("MEMORY-ARCHIVE.md"), "what compression took out"
    yield project.overlays, "memory of branches"
    yield project.stored("playbooks"), "playbooks"
    yield project.stored("knowledge.jsonl"), "exported knowledge"
    yield foreign_database.locate(project.workshop, environ), "knowledge base"
    yield project.journals, "journal and ledger"
    yield project.sessions, "what was said in sessions"
    yield project.logs, "working buffer and daily logs"
    yield project.lessons, "lessons"


def _list_transient(project: Project) -> Iterator[tuple[str, str]]:
    yield project.states, "state of sessions, caches"
    yield project.archive, "continuations that were delivered"
    yield project.undo, "undo records"
    yield os.path.join(project.orchestration, "session-context.md"), "what the last start loaded"
    yield output_files.find_folder(project, output_files.EVIDENCE), "what failed checks printed"
    yield output_files.find_folder(project, output_files.VERIFICATION), "last results of checks"


def _make_stored(number: int, places: list[tuple[str, str]], megabytes: int) -> Tier:
    items = [Item(path, what, size) for path, what in places if (size := _measure(path)) >= 0]
    total = sum(item.bytes for item in items)
    over = [f"{format_size(total)} in all, more than {megabytes} MB"] if total > megabytes * MEGABYTE else []
    return Tier(number, items, f"{megabytes} MB", over)


def _measure(path: str) -> int:
    """Return the bytes of a file with its sidecars, or of a folder's files; -1 for none, and for a link."""
    if os.path.islink(path) or not os.path.exists(path):
        return -1
    if os.path.isfile(path):
        return sum(_size(path + ending) for ending in ("", "-wal", "-shm"))
    total = number = 0
    for place, _, names in os.walk(path):
        total += sum(_size(os.path.join(place, name)) for name in names)
        number += len(names)
        if number > MOST_FILES:
            break
    return total


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _find_repeats(project: Project, loaded: list[LoadedFile]) -> Iterator[Repeat]:
    """Yield facts that two of the texts state, each pair of places once; within one file `belay lint` tells them."""
    texts = {file.path: file.text for file in loaded if file.text and len(file.text) <= COMPARED_BYTES}
    memory = files.read(project.memory_md, COMPARED_BYTES) if os.path.isfile(project.memory_md) else b""
    if memory:
        texts.setdefault(project.memory_md, memory.decode("utf-8", "replace"))
    for pair in repeated_lines.pairs({path: page.parse(text) for path, text in texts.items()}):
        if pair.a.file != pair.b.file:
            yield Repeat(f"{pair.a.file}:{pair.a.line}", f"{pair.b.file}:{pair.b.line}")


def format_size(size: int) -> str:
    """Return bytes as a person reads them."""
    if size < KILOBYTE:
        return f"{size} B"
    return f"{size / KILOBYTE:.1f} KB" if size < MEGABYTE else f"{size / MEGABYTE:.1f} MB"
