"""Under which heading of a memory file a learning fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.memory.document import page
from belay.places import hierarchy as tree

if TYPE_CHECKING:
    from belay.places.hierarchy import Hierarchy
    from belay.places.placing.placing import Choice

_KINDS = (
    (r"^\W{0,4}(?:✅|🔄|⏳|❌|☑|\[[ x~]\])|\b(?:finished|completed|done|postponed|blocked)\b", r"task history|tasks"),
    (r"\b(?:sprint|phase|milestone|currently|focus|implementing)\b", r"current.*(?:phase|sprint)|sprint|phase|status"),
    (r"\b(?:pattern|all \w+ (?:use|follow)|consistent)", r"patterns"),
    (r"\b(?:discovered|turns? out|learn(?:ed|t)|noticed|found)\b", r"discoveries|insights|lessons|learnings"),
    (r"\b(?:known issue|workaround|bug|flaky|twice|slow|leaks?|crash)", r"known issues|issues|gotchas|pitfalls"),
    (r"\b(?:GET|POST|PUT|PATCH|DELETE) /|\bendpoints?\b|\broutes?\b", r"api|endpoints|routes"),
    (r"\btest(?:s|ed|ing)?\b|\bmock", r"test"),
    (r"\b(?:chose|chosen|decided|picked|instead of|trade-?off)\b", r"decisions"),
    (r"\$\d|\b(?:tiers?|roles?|pricing|has many|belongs to|monthly)\b", r"business|domain"),
    (r"\b(?:stack|written in|built with|framework|database|deployed)\b", r"stack|technolog"),
    (
        r"\b(?:agreed|convention|named|commit|review|always|never|must)\b",
        r"convention|standards|rules|style|agreements",
    ),
    (r"`\w+`|\bcomponents?\b", r"components"),
    (r"", r"implementation|patterns|architecture|overview"),
)
"""What a learning speaks of → how the heading for it is called (the sections of seed 000)."""


def add_heading(hierarchy: Hierarchy, choice: Choice, text: str) -> Choice:
    """Return the choice with the heading that fits the learning, if its file has one."""
    if not choice.exists:
        return choice
    sections = page.parse(tree.read_text(hierarchy.root, choice.file)).sections
    for said, called in _KINDS:
        if re.search(said, text, re.IGNORECASE):
            for section in sections:
                if re.search(rf"\b(?:{called})", section.title, re.IGNORECASE):
                    return choice._replace(line=section.start + 1, heading=section.title)
    return choice
