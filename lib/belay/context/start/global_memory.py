"""GLOBAL-MEMORY.md: entries for every project, as far as they fit this one's stack (seed 003, layer 2)."""

from __future__ import annotations

import os

from belay.context.start import texts
from belay.core import files, paths
from belay.core.constants import FILE_BYTES
from belay.core.plain_text import shown
from belay.core.text import composer
from belay.safety.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TOKENS = 60
"""At most so many tokens of it are loaded (docs/memory.md)."""
LINE_CHARS = 160
ENTRIES = 200
_BULLETS = ("- ", "* ", "+ ")
_LANGUAGES = tuple("TypeScript JavaScript Python Go Rust Ruby PHP Java Kotlin Swift Elixir C++".split())
_SHORT = ("Go", "C++")
"""Languages whose names are words too: they count only as they are written here."""


def list_fitting(environ: Mapping[str, str], root: str, overview: str) -> list[str]:
    """Return the entries that fit a project, labelled: those that name its stack first, then those that name none."""
    path = paths.global_memory(environ)
    if not os.path.isfile(path) or os.path.getsize(path) > FILE_BYTES:
        return []
    entries = parse_entries(files.read(path).decode("utf-8", "replace"))
    named = {entry: find_technologies(entry) for entry in entries}
    here = _project_stack(root, overview) if any(named.values()) else set()
    fitting = [entry for entry in entries if named[entry] & here]
    fitting += [entry for entry in entries if not named[entry]]
    lines = [texts.global_entry(shown(redact(_without_date(entry)), LINE_CHARS)) for entry in fitting]
    return composer.fit(lines, TOKENS).splitlines()


def parse_entries(text: str) -> list[str]:
    """Return the bullets and table rows of a text, without code blocks and comments."""
    entries: list[str] = []
    fenced = False
    for line in text.splitlines():
        row = line.strip()
        fenced ^= row.startswith(("```", "~~~"))
        if fenced or row.startswith("<!--"):
            continue
        if row.startswith(_BULLETS):
            entries.append(row[2:].strip())
        elif row.startswith("|") and set(row) <= set("|-: "):
            del entries[-1:]  # the head of the table whose rule this is
        elif row.startswith("|"):
            entries.append(": ".join(cell.strip() for cell in row.strip("|").split("|") if cell.strip()))
    return [entry for entry in entries if entry and not (entry[0] == "[" and entry[-1] == "]")][:ENTRIES]


def _without_date(entry: str) -> str:
    """Return an entry without the date that `belay promote` puts before it: Claude has no use for it."""
    date, _, rest = entry.partition(" ")
    dated = len(date) == 10 and date[4] == date[7] == "-" and date.replace("-", "").isdigit()
    return rest if dated and rest else entry


def find_technologies(text: str) -> set[str]:
    """Return the languages and well-known packages that a text names, as people call them."""
    low = f" {_spaced(text.lower())} "
    plain = f" {_spaced(text)} "
    names = {name for name in _names() if f" {_spaced(name.lower())} " in low}
    return {name for name in names if name not in _SHORT or f" {name} " in plain}


def _names() -> set[str]:
    from belay.repository.manifests import known_packages

    return {name for name, _ in known_packages.packages().values()} | set(_LANGUAGES)


def _spaced(text: str) -> str:
    kept = "".join(char if char.isalnum() or char in ".+#" else " " for char in text)
    return " ".join(word.rstrip(".") for word in kept.split())


def _project_stack(root: str, overview: str) -> set[str]:
    from belay.repository.manifests import stack

    stack_facts = stack.stack(root)
    return {*stack_facts["languages"], *stack_facts["frameworks"], *find_technologies(overview)}
