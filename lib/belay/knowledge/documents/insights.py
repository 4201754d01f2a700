"""Rules in a CLAUDE.md: "- ❌ Don't …" and "- ✅ Do …" below a heading that calls them insights. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import kinds
from belay.knowledge.documents import headings
from belay.knowledge.entries.insights import Insight

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.knowledge.documents.headings import Heads

NAMES = ("claude.md", "claude.local.md")
WORDS = (
    "insight", "learning", "learned", "lesson", "gotcha", "pitfall", "pattern", "practice", "convention", "rule",
    "don't", "don’t", "donts", "avoid", "mistake", "guideline",
)  # fmt: skip
"""What a heading says above rules. Elsewhere ✅ marks what is done."""
SIGNS = {"❌": kinds.ANTIPATTERN, "✅": kinds.PREFERENCE}
MOST, CHARS = 200, 300
_OWN = (".claude", ".orchestre")
"""Folders whose CLAUDE.md is about the folder around them."""


def rule_folder(path: str) -> str:
    """Return the folder that a CLAUDE.md is about, with "/" behind it ("./" for all); "" for any other file."""
    *parts, name = path.split("/")
    if name.lower() not in NAMES:
        return ""
    if parts and parts[-1].lower() in _OWN:
        parts.pop()
    return "/".join([*parts, ""]) or "./"


def find_rules(text: str) -> list[Insight]:
    """Return the rules of a text with their lines, each once."""
    lines = text.split("\n")
    heads, joined, _ = headings.scan_headings(lines)
    rules: dict[tuple[str, str], Insight] = {}
    for rule in _scan_rules(lines, heads, joined):
        rules.setdefault(rule[1:], rule)
    return list(rules.values())[:MOST]


def _scan_rules(lines: list[str], heads: Heads, fenced: bytearray) -> Iterator[Insight]:
    trail: list[tuple[int, bool]] = []
    for at, line in enumerate(lines):
        if at in heads:
            level, name = heads[at]
            trail = [heading for heading in trail if heading[0] < level]
            trail.append((level, any(word in name.lower() for word in WORDS)))
        elif not fenced[at] and any(wanted for _, wanted in trail):
            kind, words = _parse_rule(line)
            if words:
                yield Insight(at + 1, kind, words)


def _parse_rule(line: str) -> tuple[str, str]:
    """Return (type, words) of a line that begins with a sign, behind a bullet or none."""
    bare = line.strip().lstrip("-*+ ").lstrip()
    kind = SIGNS.get(bare[:1], "")
    words = " ".join(bare[1:].replace("\ufe0f", "").split()).lstrip(":-– ")
    return kind, words[:CHARS] if kind else ""
