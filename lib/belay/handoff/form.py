"""The prose somebody may add to a handoff: one YAML table, a text or a list of lines for each section."""

from __future__ import annotations

from typing import Any, NamedTuple

import yaml

from belay.errors import BadInput
from belay.redact import redact

INPUT_BYTES = 128 * 1024
TEXT_CHARS = 4000
LIST_ITEMS = 60
DEPTH = 4
SECTIONS = {
    "overview": "", "quick start": "Quick Start", "current state": "Current State", "architecture": "Architecture",
    "active work": "Active Work", "decisions": "Key Decisions & Why", "gotchas": "Gotchas",
    "who to ask": "Who to Ask",
}  # fmt: skip
"""Key → the section it goes to; the overview stands below the title."""
FORM = """\
overview: ""       # two or three sentences for somebody who has never seen it
quick start: ""    # only what the manifests do not say
current state: ""  # what works, what does not
architecture: ""   # data flow, boundaries
active work: []    # - "one line"
decisions: []      # - "what, because why"
gotchas: []        # - "what bites, and the way around"
who to ask: []"""
QUOTE = 'put the value in double quotes: "…", or below `key: |`'


class Prose(NamedTuple):
    """Section title → lines to stand at its top, what is wrong (line, what, mend), how many secrets were taken out."""

    lines: dict[str, list[str]]
    problems: list[tuple[int, str, str]]
    redacted: int


def parse(data: bytes) -> Prose:
    """Return the prose of YAML bytes; BadInput where they are no table."""
    if len(data) > INPUT_BYTES:
        raise BadInput("the document", f"is {len(data):,} bytes", f"keep it under {INPUT_BYTES // 1024} KB")
    root = _compose(data.decode("utf-8", "replace").lstrip("\ufeff"))
    if not isinstance(root, yaml.MappingNode):
        raise BadInput(
            "the document", "is not a table of `key: value` lines", "start from the form in docs/handoff.md"
        )
    found = Prose({}, [], 0)
    for key_node, node in root.value:
        found = _taken(found, key_node, node)
    return found


def _compose(text: str) -> yaml.Node | None:
    unfenced = "\n".join("" if row.startswith("```") else row for row in text.split("\n"))
    try:
        _guard(unfenced)
        return yaml.compose(unfenced, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        line = unfenced.count("\n", 0, error.position) + 1
        raise BadInput(f"line {line}", "holds a control character", "take it out") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadInput(
            f"line {mark.line + 1 if mark else 1}", f"is not YAML: {error.problem}", QUOTE
        ) from error


def _guard(text: str) -> None:
    """Refuse aliases (they multiply) and deep nesting (the reader's time grows with its square)."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or depth > DEPTH:
            what = "holds an alias (*name)" if depth <= DEPTH else "is nested too deep"
            line = event.start_mark.line + 1 if event.start_mark else 1
            raise BadInput(f"line {line}", what, QUOTE)


def _taken(found: Prose, key_node: yaml.Node, node: yaml.Node) -> Prose:
    key = _key(key_node.value if isinstance(key_node, yaml.ScalarNode) else "")
    if key not in SECTIONS:
        return _wrong(found, key_node, f"unknown key `{key[:40]}`", f"use one of: {', '.join(SECTIONS)}")
    if SECTIONS[key] in found.lines:
        return _wrong(found, key_node, f"`{key}` comes a second time", "join the two")
    items = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if len(items) > LIST_ITEMS:
        return _wrong(found, node, f"`{key}` has {len(items)} entries", f"keep the {LIST_ITEMS} that matter")
    listed = isinstance(node, yaml.SequenceNode)
    for item in items:
        found = _text(found, key, item, listed)
    return found


def _key(raw: str) -> str:
    plain = " ".join(str(raw).lower().replace("_", " ").replace("-", " ").split())
    return {"key decisions": "decisions", "key decisions & why": "decisions", "known issues": "gotchas"}.get(
        plain, plain
    )


def _text(found: Prose, key: str, node: yaml.Node, listed: bool) -> Prose:
    raw = _scalar(node)
    if raw is None:
        return _wrong(found, node, f"`{key}` holds a table where a line of text belongs", QUOTE)
    safe = redact(raw)
    problem = _problem(safe)
    if problem:
        return _wrong(found, node, f"`{key}` {problem[0]}", problem[1])
    rows = [f"- {' '.join(safe.split())}"] if listed and safe.strip() else safe.strip().split("\n")
    lines = (
        {**found.lines, SECTIONS[key]: [*found.lines.get(SECTIONS[key], []), *rows]}
        if safe.strip()
        else found.lines
    )
    return Prose(lines, found.problems, found.redacted + (safe != raw))


def _scalar(node: yaml.Node) -> str | None:
    """Return a value's text; a lone `a: b` that YAML took for a table is the text it was."""
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag.endswith(":null") else str(node.value)
    pairs: list[Any] = node.value if isinstance(node, yaml.MappingNode) else []
    lone = len(pairs) == 1 and all(isinstance(part, yaml.ScalarNode) for part in pairs[0])
    return f"{pairs[0][0].value}: {pairs[0][1].value}" if lone else None


def _problem(text: str) -> tuple[str, str] | None:
    if len(text) > TEXT_CHARS:
        return f"has {len(text):,} characters", f"say it in {TEXT_CHARS:,}"
    if any(line.lstrip().startswith(("#", "```", "~~~")) for line in text.split("\n")):
        return "holds a heading or a code block", "the sections are fixed; name a file instead"
    if "<!--" in text or "-->" in text:
        return "holds an HTML comment", "take it out"
    return None


def _wrong(found: Prose, node: yaml.Node, what: str, mend: str) -> Prose:
    return Prose(found.lines, [*found.problems, (node.start_mark.line + 1, what, mend)], found.redacted)
