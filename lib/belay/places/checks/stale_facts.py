"""Versions, commands, names and products of a memory that the manifests and the code contradict."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.memory.drift import stack as stack_claims
from belay.memory.health import named_code, versions
from belay.places import hierarchy as tree
from belay.places.checks.findings import REPLACED, STALE_COMMAND, STALE_NAME, STALE_VERSION, Finding
from belay.places.checks.memory_texts import list_statements
from belay.places.relevance.subject_words import is_symbol
from belay.repository.git import content
from belay.repository.manifests import container_images, dependencies, stack
from belay.repository.manifests.known_products import STORE, list_products
from belay.repository.survey import product_traces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.core.paths import Project
    from belay.memory.memory_facts import Facts
    from belay.places.checks.memory_texts import MemoryText, Statement
    from belay.places.hierarchy import Hierarchy

BATCH = 150
"""Statements that are looked at together: what reads a memory's facts stops at 200 texts."""
NAMES = 300
"""Names of code that are looked for at once."""
_STARTS = re.compile(r"^\W{0,4}`(\w+)(?:\(\))?`\W{0,3}(?::|—|–|-|\|)")
_NAME = re.compile(r"`(\w+)(?:\(\))?`")
_INVENTED = re.compile(
    r"^(?:My|Your|Some|Foo|Bar|Example|Component|Feature|Class|Function|Method|Entity|Resource)(?:[A-Z]|$)"
)
"""Names that stand for any name. Names with an underscore are columns, metrics and rules as often as functions."""
_JOB = (
    r"^\W*(?:[\w/]+ ){0,2}(?:(?i:frameworks?|front-?end|back-?end|styl(?:ing|es)|css|ui|state(?: management)?|database"
    r"|orm|tests?|testing|validation|auth(?:entication)?|queues?|bundler|build(?: tool)?|linter|http(?: client)?"
    r"|logging|stack|router|api))"
)
"""How a line begins that says what the project is built with."""
_CHANGING = re.compile(
    r"\b(?:migrat\w+|retired|support\w*|integrat\w+|compatib\w+|switch\w*|strategy|such as|e\.g|like|instead"
    r"|alternativ\w+|consider\w*|when|if|not|no)\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(r"^\W*(?:✅|☑|\[x\])|~~|❌")


_SERVERS = {name for product in list_products() if product.kind == STORE for name in product.spellings}
"""A client library's version says nothing of the server's."""
_LANGUAGES = frozenset(("Go", "Python", "Node", "Node.js"))
"""What is often named with the version from which on something can be used."""


class _Batch(NamedTuple):
    """Some statements as the facts of one memory, in which the number of a statement is its line."""

    rows: list[Statement]
    facts: Facts


def find_stale_facts(project: Project, hierarchy: Hierarchy, texts: list[MemoryText]) -> Iterator[Finding]:
    """Yield the versions, commands, functions and products of all memories that do not hold."""
    rows = [row for text in texts for row in list_statements(text) if not _FINISHED.search(row.text)]
    now = _read_dependencies(hierarchy)
    for at in range(0, len(rows), BATCH):
        batch = _make_batch(rows[at : at + BATCH])
        yield from _find_versions(project, batch)
        yield from _find_commands(project, batch)
        yield from _find_replaced(batch, now)
    yield from _find_images(hierarchy, rows)
    yield from _find_names(hierarchy, rows)


def _make_batch(rows: list[Statement]) -> _Batch:
    listed = [{"line": at, "text": row.text} for at, row in enumerate(rows)]
    return _Batch(rows, cast("Facts", {"architecture": listed, "refs": [], "overview": "", "overview_line": -1}))


def _read_dependencies(hierarchy: Hierarchy) -> dict[str, dict[str, str]]:
    paths = sorted(name for name in hierarchy.names if dependencies.is_manifest(name))[: versions.MANIFESTS]
    return {path: dependencies.dependencies(path, stack.text(hierarchy.root, path)) for path in paths}


def _find_versions(project: Project, batch: _Batch) -> Iterator[Finding]:
    for found in versions.list_wrong_versions(project, batch.facts):
        row = batch.rows[found.line]
        name, _, written = found.claim.rpartition(" ")
        if name in _SERVERS or (name in _LANGUAGES and not _is_about(row.text, name)):
            continue
        now = clean_version(found.text)
        why = f"says {shown(found.claim)}, but {shown(found.path)} has {shown(found.text)}"
        yield build(row, STALE_VERSION, why, f"write {shown(name)} {now}", replace_once(row, written, now))


def _is_about(text: str, name: str) -> bool:
    """Whether a text begins with a name, or says that it is used."""
    return bool(
        re.search(
            rf"^\W*(?:[\w /-]+\W*:\W*)?{re.escape(name)}\b|\b(?:uses?|with|runs?|on|in|using) {re.escape(name)}\b", text
        )
    )


def _find_commands(project: Project, batch: _Batch) -> Iterator[Finding]:
    try:
        for found in named_code.find_missing_commands(project, batch.facts):
            advice = found["mend"].partition(": ")[2]
            yield build(batch.rows[found["line"]], STALE_COMMAND, found["what"], advice)
    except (BelayError, OSError):
        return


def _find_replaced(batch: _Batch, now: dict[str, dict[str, str]]) -> Iterator[Finding]:
    """Yield statements for a product that is no dependency, where another one for the same job is."""
    for found in stack_claims.find_conflicts(batch.facts, now, [], -1):
        row = batch.rows[found["line"]]
        if _says_used(row.text, found["claim"].removesuffix(".js")):
            why = f"names {shown(found['claim'])}, but {shown(found['evidence'])}"
            yield build(row, REPLACED, why, "name what is used now")


def _says_used(text: str, name: str) -> bool:
    """Whether a text says that a product is used: behind a label for such a thing, or behind "uses" and the like."""
    if _CHANGING.search(text):
        return False
    stem = re.escape(name)
    return bool(
        re.search(rf"{_JOB}\W*:.*\b{stem}|\b(?:us(?:es?|ing)|built (?:with|on)|via|powered by|runs on) {stem}", text)
    )


def _find_images(hierarchy: Hierarchy, rows: list[Statement]) -> Iterator[Finding]:
    """Yield the versions that no container image and no version file of the project has."""
    pinned = container_images.read_images(hierarchy.root, hierarchy.names)
    for row in rows:
        for found in container_images.find_wrong(row.text, pinned) if pinned else ():
            if found.name in _LANGUAGES and not _is_about(row.text, found.name):
                continue
            why = f"says {found.name} {found.written}, but {shown(found.path)} has {shown(found.version)}"
            proposed = replace_once(row, found.written, found.version)
            yield build(row, STALE_VERSION, why, f"write {found.name} {found.version}", proposed)


def _find_names(hierarchy: Hierarchy, rows: list[Statement]) -> Iterator[Finding]:
    """Yield the components and functions that an item is about and that no file of the project names."""
    named = {row: name for row in rows if (name := _find_subject(row))}
    names = sorted(set(named.values()))
    known: set[str] = set()
    try:
        for at in range(0, len(names), NAMES):
            known |= content.find_words(hierarchy.root, names[at : at + NAMES], product_traces.code_pathspecs())
    except BelayError:
        return
    known |= {name.rpartition("/")[2].partition(".")[0] for name in hierarchy.names}
    for row, name in named.items():
        if name not in known:
            why = f"is about `{name}`, which no file of the project names"
            yield build(row, STALE_NAME, why, "name what does it now, or take the line out")


def _find_subject(row: Statement) -> str:
    """Return the one name of code that an item or a table's row is about, "" for none."""
    if row.source.place.level == tree.RULE:
        return ""
    found = _STARTS.match(row.text) if row.kind == "item" else _NAME.match(row.text) if row.kind == "row" else None
    name = found[1] if found and is_symbol(found[1]) and not _INVENTED.search(found[1]) else ""
    is_called = f"`{name}()`" in row.text
    return name if name and ("_" not in name or is_called) else ""


def clean_version(text: str) -> str:
    """Return the version of a manifest's constraint: 14.2.3 of ^14.2.3."""
    found = re.search(r"\d+(?:\.\d+)*(?:-[\w.]+)?", text)
    return found[0] if found else text


def replace_once(row: Statement, old: str, new: str) -> str:
    """Return the statement's line with a word replaced, "" where the line has it twice or not at all."""
    line = row.source.read_line(row.line)
    pattern = re.compile(rf"(?<![\w.]){re.escape(old)}(?![\w]|\.\d)")
    return pattern.sub(lambda _: new, line) if len(pattern.findall(line)) == 1 else ""


def build(row: Statement, kind: str, why: str, advice: str, proposed: str = "") -> Finding:
    """Return the finding for a statement."""
    return Finding(row.source.place.path, row.line, kind, why, row.text, advice, proposed)
