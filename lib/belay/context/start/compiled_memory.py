"""A project's memory as facts, compiled by content: a start reads JSON, and parses only what changed since.

The layers, each over the one before (docs/memory.md): MEMORY.md, those of nearer folders, the branch's overlay. Only
trusted text is compiled (docs/trust.md), without secrets. A compiled file begins with a signature of all of it, so that
a clone's is never used; it is a cache, written without the lock, and removed when nobody read it for long.
"""

from __future__ import annotations

import os
import time

from belay.context.recall import memory_index, recall, signed_files
from belay.core import clock, environment, paths
from belay.core import files as core_files
from belay.core.plain_text import shown
from belay.core.tuples import NamedTuple
from belay.repository import projects, row_vetting, vetting
from belay.safety import trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.memory.document.page import Page
    from belay.memory.memory_facts import Facts

FORM = "6"
"""Raised with every change of what facts hold: files compiled before are not used any more."""
KEPT_DAYS = 14.0
BESIDE = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"))
BESIDE_BYTES = 64 * 1024
_STEM = "memory-"


class Memory(NamedTuple):
    """A session's memory: its layers (paths from the root, the base first), their texts, and the facts of all together.

    `facts` are {} where there is no trusted memory, or none that could be compiled yet; `key` names the content;
    `refused` has a reason for each layer that is left out; `unknown` are those nobody here accepted; `beside` are the
    texts that the client loads anyway: what they say is not repeated (`facts["told"]`, lines); `waiting` names
    each layer of which rows are left out, with their number.
    """

    layers: list[str]
    texts: list[str]
    facts: Facts
    key: str = ""
    branch: str = ""
    unknown: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    waiting: tuple[tuple[str, int], ...] = ()

    @property
    def overlay(self) -> str:
        """The overlay's path from the root, "" without one."""
        return next((name for name in self.layers if name.startswith(".memory/")), "")

    def above(self) -> dict[str, str]:
        """Return the texts of the layers over the root's memory, by path, the topmost last."""
        texts = dict(zip(self.layers, self.texts, strict=True))
        return {name: text for name, text in texts.items() if name != "MEMORY.md"}


def load(project: Project, environ: Mapping[str, str], cwd: str = "") -> Memory:
    """Return the memory of a project for a session in the folder `cwd`, compiled now if it was not yet."""
    return add_facts(project, environ, read(project, environ, cwd))


def read(project: Project, environ: Mapping[str, str], cwd: str = "") -> Memory:
    """Return the trusted texts of a memory, without their facts."""
    branch = projects.branch_and_commit(project)[0]
    names = _layer_paths(project, branch, cwd)
    texts, waiting, unknown = row_vetting.read_known(project, environ, names) if names else row_vetting.NOTHING
    layers = [name for name in names if name in texts]
    beside = _client_texts(project, environ) if layers else ()
    key = _key([*layers, *(texts[name] for name in layers), *beside]) if layers else ""
    refused = tuple(vetting.explain_refusals(project, names))
    own = [texts[name] for name in layers]
    return Memory(layers, own, {}, key, branch, tuple(unknown), refused, beside, tuple(waiting.items()))


def add_cached_facts(project: Project, environ: Mapping[str, str], memory: Memory) -> Memory:
    """Return a memory with its facts if they were compiled before; nothing is parsed."""
    return memory._replace(facts=_read(project, environ, memory.key) if memory.layers else {})


class StartedMemory(NamedTuple):
    """A memory that was read, and the id of the process that compiles it, 0 for none."""

    memory: Memory
    worker: int = 0


def start_compiling(project: Project, environ: Mapping[str, str], cwd: str) -> StartedMemory:
    """Read a memory and start compiling it in a process, if it was not yet; call it before the first thread."""
    memory = read(project, environ, cwd)
    return StartedMemory(memory, _fork_compiler(project, environ, memory))


def _fork_compiler(project: Project, environ: Mapping[str, str], memory: Memory) -> int:
    """Start compiling a memory in a process of its own, while this one waits for git; return its id.

    0 where it was compiled before, or no process can be forked or no file written: then `add_facts` does it.
    """
    able = hasattr(os, "fork") and os.path.isdir(project.journals)
    if not memory.layers or not able or os.path.exists(_path(project, memory.key)):
        return 0
    child = os.fork()
    if not child:
        try:
            _compile(project, environ, memory)
        finally:
            os._exit(0)  # whatever broke: the parent compiles then, and reports it
    return child


def add_facts(project: Project, environ: Mapping[str, str], memory: Memory, worker: int = 0) -> Memory:
    """Return a memory with its facts, compiled by the process `worker` (0 for none) or now, if they were not yet."""
    if not memory.layers:
        return memory
    if worker:
        os.waitpid(worker, 0)
    facts = _read(project, environ, memory.key) or _compile(project, environ, memory)
    if facts:
        memory_index.write_index(project, environ, memory.key, facts, memory.layers)
    return memory._replace(facts=facts)


def compile_ahead(project: Project, environ: Mapping[str, str]) -> bool:
    """Compile the memory of a project's root and sweep what is stale; return whether there is one."""
    memory = load(project, environ)
    sweep(project, time.time() - KEPT_DAYS * clock.DAY)
    return bool(memory.facts)


def sweep(project: Project, before: float) -> int:
    """Remove compiled memories that nobody read since a moment; return how many."""
    removed = 0
    for name in core_files.list_names(project.states):
        path = os.path.join(project.states, name)
        if name.startswith((_STEM, recall.STEM)) and 0 < core_files.written_at(path) < before:
            try:
                os.unlink(path)
                removed += 1
            except OSError:
                continue
    return removed


def _layer_paths(project: Project, branch: str, cwd: str) -> list[str]:
    """Return the paths of the existing layers, the base first."""
    layers = [project.memory_md, *_nearer_paths(project, cwd)]
    if branch and os.path.isdir(project.overlays):
        from belay.memory.branches import overlay as branches_overlay

        layers.append(branches_overlay.find_overlay(project, branch))
    return [project.relative(path) for path in dict.fromkeys(layers) if path and os.path.lexists(path)]


def _nearer_paths(project: Project, cwd: str) -> list[str]:
    """Return the possible MEMORY.md of each folder between the root and the session's own, the nearest last."""
    inside = os.path.realpath(cwd or project.root)
    root = os.path.realpath(project.root)
    if not inside.startswith(root + os.sep):
        return []
    from belay.memory.branches import overlay as branches_overlay

    return branches_overlay.list_nearer_paths(project, inside[len(root) + 1 :])


def _key(parts: list[str]) -> str:
    return trust.digest("\0".join([FORM, *parts]).encode("utf-8", "surrogateescape"))


def _path(project: Project, key: str) -> str:
    return os.path.join(project.states, _STEM + key)


def _read(project: Project, environ: Mapping[str, str], key: str) -> Facts:
    path = _path(project, key)
    data = core_files.read(path)
    values = signed_files.open_sealed(environ, data) if signed_files.read_key(data) == key else []
    if values:
        _touch(path)
    if not values or not isinstance(values[0], dict):
        return {}
    facts: Facts = values[0]  # type: ignore[assignment]  # signed by this user when it was compiled
    return facts


def _compile(project: Project, environ: Mapping[str, str], memory: Memory) -> Facts:
    """Return the facts of all layers, and cache them for the next start; {} while there is no parser."""
    environment.add_packages(environ)
    try:
        facts = _parse(memory)
    except ImportError:
        return {}
    if os.path.isdir(project.journals):
        _write(_path(project, memory.key), signed_files.seal(environ, memory.key, facts))
    return facts


def _parse(memory: Memory) -> Facts:
    from belay.memory.document import facts, layers, page
    from belay.safety.redaction import redact

    clean = [redact(text) for text in memory.texts]
    merged = page.parse(clean[0])
    for text in clean[1:]:
        merged = page.parse(layers.merge_overlay(merged, page.parse(text)))
    rows = {line: page.strip_line_end(text).strip() for line, text in enumerate(merged.lines, 1)}
    compiled = facts.read_facts(merged)
    compiled["told"] = _lines_told_elsewhere(merged, memory.beside)
    compiled["unclear"] = _unclear(dict(zip(memory.layers, clean, strict=True)))
    return {
        **compiled,
        "raw": {str(line): rows[line] for line in memory_index.indexed_lines(compiled) if line in rows},
    }


def _unclear(texts: dict[str, str]) -> list[str]:
    """Return a line for each layer that is read but never rewritten: where and why."""
    from belay.memory import memory_files

    why = {name: memory_files.explain_problem(text) for name, text in texts.items()}
    return [f"{shown(name)} {reason}: it is left as it is" for name, reason in why.items() if reason]


def _lines_told_elsewhere(merged: Page, beside: tuple[str, ...]) -> list[int]:
    """Return the lines (1-based) of a memory that repeat what the client loads anyway."""
    if not beside:
        return []
    from belay.memory.document import page, repeated_lines

    texts = {f"beside {number}": page.parse(text) for number, text in enumerate(beside)}
    pairs = repeated_lines.pairs({**texts, "memory": merged})
    return sorted({pair.b.line for pair in pairs if pair.b.file == "memory" and pair.a.file != "memory"})


def _client_texts(project: Project, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts that the client loads itself: CLAUDE.md and its own memory (HOST §4)."""
    native = paths.native_memory(environ, project.home)
    contents = (
        core_files.read(path, BESIDE_BYTES) for path in (*map(project.at, BESIDE), native) if os.path.isfile(path)
    )
    return tuple(data.decode("utf-8", "replace") for data in contents if data)


def _write(path: str, data: bytes) -> None:
    try:
        core_files.write(path, data, sync=False)
    except OSError:
        return  # a cache: the next start compiles again


def _touch(path: str) -> None:
    """Note that a compiled file was read, once a day."""
    if time.time() - core_files.written_at(path) > clock.DAY:
        try:
            os.utime(path)
        except OSError:
            return
