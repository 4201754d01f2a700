"""What was found in the code, as lists for the sections of a memory file, each entry with its place."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from belay.core.plain_text import count
from belay.places.scaffold.sections import make_key
from belay.repository.code.facts import COMPONENT, DEPENDENCY, EXPORT, ROUTE, TEST
from belay.repository.code.routes.graph import METHODS
from belay.safety import redaction
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from belay.repository.code.facts import Fact

MOST = 25
"""Entries of one list; --json has all of them."""
PATTERN = "pattern"
_TITLES = {
    COMPONENT: ("Key Components", "Components", "Component Structure"),
    ROUTE: ("API Endpoints", "Endpoints", "API Routes", "Routes"),
    EXPORT: ("Exports", "Public Interface", "Public API", "Client & Configuration"),
    TEST: ("Testing Strategy", "Testing", "Tests", "Testing & Sandbox", "Testing Strategies"),
    DEPENDENCY: ("Dependencies", "Integration Points", "Technology Stack"),
    PATTERN: ("Development Patterns", "Co-located Files", "Patterns"),
}
SECTIONS = {make_key(title): kind for kind, titles in _TITLES.items() for title in titles}
"""Key of a title → kind of what is listed below it; in one file each kind is listed once, under the first title."""
_HEAD = "Found in the code:"
# Names come from whatever the repository holds: only what looks like a name becomes memory.
_SAFE = re.compile(r"[\w$@/:.{}\[\]<>*()=?~|+^,;%!# -]{1,200}")
_PATH = re.compile(r"[\w@/.+()\[\]= -]{1,300}")


def make_list(kind: str, facts: list[Fact]) -> list[str]:
    """Return the lines of the facts of one kind, [] without any; names that are no names are left out."""
    own = [fact for fact in facts if fact.kind == kind and _is_name(fact)]
    if kind == TEST:
        rows = _count_tests([fact for fact in facts if fact.kind == TEST and _PATH.fullmatch(fact.path)])
    else:
        once = {fact.name: fact for fact in reversed(own)}
        rows = [_format(fact) for fact in sorted(once.values(), key=lambda fact: (fact.path, fact.line))]
    if not rows:
        return []
    more = len(rows) - MOST
    return [_HEAD, *rows[:MOST], *([f"- and {more} more"] if more > 0 else [])]


def _is_name(fact: Fact) -> bool:
    """Whether what was found looks like a name; a pattern is a sentence of ours, whose names were looked at.

    The handlers of a route file (`export function GET`) are listed as routes.
    """
    if fact.kind == EXPORT and fact.name in METHODS:
        return False
    return bool((fact.kind == PATTERN or _SAFE.fullmatch(fact.name)) and _PATH.fullmatch(fact.path))


def _format(fact: Fact) -> str:
    name = fact.name if fact.kind == PATTERN else f"`{fact.name}`"
    return f"- {redaction.redact(name)} ({make_label(fact.path)}:{fact.line})"


def _count_tests(facts: list[Fact]) -> list[str]:
    cases = Counter(fact.path for fact in facts)
    return [f"- {make_label(path)}: {count(number, 'test')}" for path, number in sorted(cases.items())]
