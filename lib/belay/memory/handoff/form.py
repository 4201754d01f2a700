"""The prose that a user may add to a handoff: one YAML table, a text or a list of lines for each section."""

from __future__ import annotations

from typing import NamedTuple

import yaml

from belay.core.plain_text import words
from belay.core.text import yaml_document
from belay.safety.redaction import redact

INPUT_BYTES = 128 * 1024
TEXT_CHARS = 4000
LIST_ITEMS = 60
DEPTH = 4
SECTIONS = {
    "overview": "", "quick start": "Quick Start", "current state": "Current State", "architecture": "Architecture",
    "active work": "Active Work", "decisions": "Key Decisions & Why", "gotchas": "Gotchas",
    "who to ask": "Who to Ask",
}  # fmt: skip
"""Key → the section it goes to; the overview is below the title."""
FORM = """\
overview: ""       # two or three sentences for somebody who has never seen it
quick start: ""    # only what the manifests do not say
current state: ""  # what works, what does not
architecture: ""   # data flow, boundaries
active work: []    # - "one line"
decisions: []      # - "what, because why"
gotchas: []        # - "what bites, and the way around"
who to ask: []"""


class Prose(NamedTuple):
    """Section title → lines at its top, problems (line, what, fix), and how many secrets were removed."""

    lines: dict[str, list[str]]
    problems: list[tuple[int, str, str]]
    redacted: int


def parse_prose(data: bytes) -> Prose:
    """Return the prose of YAML bytes; BadInput where they are no table."""
    prose = Prose({}, [], 0)
    for key_node, node in yaml_document.root(data, INPUT_BYTES, DEPTH, "the form in docs/handoff.md").value:
        prose = _add_section(prose, key_node, node)
    return prose


def _add_section(prose: Prose, key_node: yaml.Node, node: yaml.Node) -> Prose:
    key = _canonical_key(yaml_document.name(key_node))
    if key not in SECTIONS:
        return _add_problem(prose, key_node, f"unknown key `{key[:40]}`", f"use one of: {', '.join(SECTIONS)}")
    if SECTIONS[key] in prose.lines:
        return _add_problem(prose, key_node, f"`{key}` comes a second time", "join the two")
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if len(items) > LIST_ITEMS:
        return _add_problem(prose, node, f"`{key}` has {len(items)} entries", f"keep the {LIST_ITEMS} that matter")
    listed = isinstance(node, yaml.SequenceNode)
    for item in items:
        prose = _add_text(prose, key, item, listed)
    return prose


def _canonical_key(raw: str) -> str:
    plain = words(raw)
    return {"key decisions": "decisions", "key decisions why": "decisions", "known issues": "gotchas"}.get(plain, plain)


def _add_text(prose: Prose, key: str, node: yaml.Node, listed: bool) -> Prose:
    raw = yaml_document.text(node)
    if raw is None:
        return _add_problem(prose, node, f"`{key}` holds a table where a line of text belongs", yaml_document.QUOTE)
    safe = redact(raw)
    problem = _find_problem(safe)
    if problem:
        return _add_problem(prose, node, f"`{key}` {problem[0]}", problem[1])
    rows = [f"- {' '.join(safe.split())}"] if listed and safe.strip() else safe.strip().split("\n")
    lines = (
        {**prose.lines, SECTIONS[key]: [*prose.lines.get(SECTIONS[key], []), *rows]} if safe.strip() else prose.lines
    )
    return Prose(lines, prose.problems, prose.redacted + (safe != raw))


def _find_problem(text: str) -> tuple[str, str] | None:
    if len(text) > TEXT_CHARS:
        return f"has {len(text):,} characters", f"say it in {TEXT_CHARS:,}"
    if any(line.lstrip().startswith(("#", "```", "~~~")) for line in text.split("\n")):
        return "holds a heading or a code block", "the sections are fixed; name a file instead"
    if "<!--" in text or "-->" in text:
        return "holds an HTML comment", "take it out"
    return None


def _add_problem(prose: Prose, node: yaml.Node, what: str, mend: str) -> Prose:
    return Prose(prose.lines, [*prose.problems, (yaml_document.line(node), what, mend)], prose.redacted)
