"""What a memory calls undecided and a manifest has decided since: with the pinned version as the proposed text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.core.plain_text import shown
from belay.places.checks.findings import UNDECIDED, Finding
from belay.places.checks.memory_texts import list_statements
from belay.places.checks.stale_facts import build, clean_version
from belay.repository.manifests import dependencies, known_packages, stack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.checks.memory_texts import MemoryText, Statement
    from belay.places.hierarchy import Hierarchy

MANIFESTS = 40
_OPEN = re.compile(
    r"\b(?:TBD|tbd|T\.B\.D\.|undecided|to be (?:decided|determined|chosen|defined)|not (?:yet )?(?:decided|chosen)"
    r"|considering|evaluating|deciding between|open question|unclear yet|pending decision)\b",
    re.IGNORECASE,
)
_BRACKETS = re.compile(
    r"\s*\((?:[^()]*\b(?:TBD|undecided|considering|evaluating|to be decided)\b[^()]*)\)", re.IGNORECASE
)
_WE = re.compile(r"\b(?:we are|we're|still|currently) (?:considering|evaluating)\b", re.IGNORECASE)
_LABEL = re.compile(r"^(\W{0,4}(?:\[.\] )?[A-Za-z][\w /&-]{1,30}?\W{0,4}:\W{0,4}\s*)(.*)$")
_JOBS = (
    (
        r"(?:app |web |ui |front-?end |back-?end |server |api )?frameworks?|front-?end|back-?end",
        ("app framework", "web framework", "web server", " ui"),
    ),
    (r"styl(?:ing|es?)|css|ui library|design system", ("styling",)),
    (r"(?:client |global )?state(?: management)?|store", ("js state",)),
    (r"database|db|persistence|storage|data ?store", ("database",)),
    (r"orm|data access|database access|query builder", (" orm",)),
    (r"(?:unit )?test(?:s|ing)?(?: framework| runner)?", ("test runner",)),
    (r"e2e(?: tests?)?|browser tests?|end-to-end(?: tests?)?", ("browser test",)),
    (r"(?:schema )?validation|schemas?", ("validation",)),
    (r"auth(?:entication)?|sign-?in|login", ("sign-in",)),
    (r"(?:job |task |message )?queues?|background jobs?|workers?", (" queue",)),
    (r"http(?: client)?", (" http",)), (r"logg(?:ing|er)|logs", ("js log",)),
    (r"bundler|build(?: tool| system)?", ("bundler",)), (r"lint(?:er|ing)?", ("linter",)),
    (r"data[- ]fetching|server state", ("js data",)), (r"dates?", ("js dates",)),
    (r"api(?: layer| style)?", ("js api",)),
)  # fmt: skip
"""How a line is labelled → the families of `known_packages` that answer it."""
_STORES = frozenset(("PostgreSQL", "MySQL", "MongoDB", "SQLite", "Supabase", "Firebase", "Redis"))


class Pinned(NamedTuple):
    """A known package that a manifest declares: what people call it, its family, its version and its manifest."""

    name: str
    family: str
    version: str
    path: str


def find_decided(hierarchy: Hierarchy, texts: list[MemoryText]) -> Iterator[Finding]:
    """Yield the statements that leave open what a manifest pins."""
    rows = [row for text in texts for row in list_statements(text) if _is_open(row)]
    pinned = _read_pinned(hierarchy) if rows else []
    for row in rows:
        near = _prefer_own(row, pinned)
        found = _find_named(row, near) or _find_by_label(row, near)
        if found:
            version = clean_version(found.version)
            why = f"leaves open what {shown(found.path)} pins: {found.name} {version}"
            yield build(row, UNDECIDED, why, f"write {found.name} {version}", _propose(row, found, version))


def _is_open(row: Statement) -> bool:
    """Whether a statement leaves something open: what is only being considered counts behind a label or in brackets."""
    found = _OPEN.search(row.text)
    if not found:
        return False
    is_said = bool(_LABEL.match(row.text) or _BRACKETS.search(row.text) or row.kind == "row")
    return is_said or not re.match(r"considering|evaluating", found[0], re.IGNORECASE) or bool(_WE.search(row.text))


def _read_pinned(hierarchy: Hierarchy) -> list[Pinned]:
    paths = [name for name in hierarchy.names if dependencies.is_manifest(name)]
    found = []
    for path in sorted(paths, key=lambda name: (name.count("/"), name))[:MANIFESTS]:
        for package, version in dependencies.dependencies(path, stack.text(hierarchy.root, path)).items():
            name, family = known_packages.packages().get(known_packages.without_major(package), ("", ""))
            if name and re.search(r"\d", version):
                found.append(Pinned(name, family, version, path))
    return found


def _prefer_own(row: Statement, pinned: list[Pinned]) -> list[Pinned]:
    """Return the packages with those of the nearest manifest at or above the memory's folder first."""
    folder = row.source.place.folder

    def rank(one: Pinned) -> tuple[int, int]:
        own = one.path.rpartition("/")[0]
        is_above = not own or folder == own or folder.startswith(own + "/")
        return (0 if is_above else 1, -len(own) if is_above else len(own))

    return sorted(pinned, key=rank)


def _find_named(row: Statement, pinned: list[Pinned]) -> Pinned | None:
    """Return the pinned package that a statement names beside its open question; what is considered comes first."""
    text = row.text
    opened = _OPEN.search(text)
    places = [
        (match.start(), one)
        for one in {one.name: one for one in reversed(pinned)}.values()
        if (
            match := re.search(
                rf"(?<![\w/@.-]){re.escape(one.name.removesuffix('.js'))}(?:\.js)?(?![\w/-])", text, re.I
            )
        )
    ]
    at = opened.end() if opened else 0
    return min(places, key=lambda place: (place[0] < at, abs(place[0] - at)))[1] if places else None


def _find_by_label(row: Statement, pinned: list[Pinned]) -> Pinned | None:
    """Return the pinned package that answers a line's label: "Styling: undecided"."""
    label = _LABEL.match(row.text)
    said = re.sub(r"[^\w /&-]", "", label[1]).strip().casefold() if label else row.text.split(",")[0].casefold()
    for pattern, families in _JOBS:
        if re.fullmatch(pattern, said):
            for family in families:
                found = next((one for one in pinned if _answers(one, family)), None)
                if found:
                    return found
    return None


def _answers(one: Pinned, family: str) -> bool:
    return one.name in _STORES if family == "database" else one.family.endswith(family) and bool(one.family)


def _propose(row: Statement, found: Pinned, version: str) -> str:
    """Return the line with the answer in the place of the question, "" where the line is more than a label."""
    line = row.source.read_line(row.line)
    label = _LABEL.match(line)
    if not label:
        return ""
    rest = _BRACKETS.sub("", label[2])
    words = f"{found.name} {version}"
    stem = re.escape(found.name.removesuffix(".js"))
    if re.search(rf"(?<![\w/@.-]){stem}(?:\.js)?(?![\w/-])", rest, re.I):
        rest = re.sub(rf"(?<![\w/@.-]){stem}(?:\.js)?(?:\s+v?\d[\w.]*)?(?![\w/-])", words, rest, count=1, flags=re.I)
    elif _OPEN.search(rest) or not rest.strip():
        rest = words
    else:
        rest = f"{rest.rstrip(' .')}, {words}"
    return label[1] + rest if not _OPEN.search(rest) else label[1] + words
