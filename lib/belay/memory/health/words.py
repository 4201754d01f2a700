"""The words that show what files without a template say, and which texts say nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.memory_facts import Facts, SectionRow

OVERVIEW_WORDS = (
    "overview", "about", "purpose", "introduction", "summary", "vision", "mission", "what is", "what this",
    "background", "überblick", "resumen", "visão geral", "descripción", "aperçu", "présentation", "обзор",
    "о проекте", "概述", "概要", "简介",
)  # fmt: skip
"""Words of headings under which files without a template say what the project is."""
NEXT_WORDS = (
    "next ", "todo", "to do", "to-do", "pending", "in progress", "backlog", "roadmap", "nächste", "próximo",
    "pendiente", "prochain", "à faire", "следующ", "下一步", "待办", "次の",
)  # fmt: skip
"""Words of headings under which they say what comes next."""
DECISION_WORDS = (
    "decision", "convention", "rationale", "principle", "architect", "guideline", "standard", "rule", "pattern",
    "entscheidung", "regeln", "decisiones", "decisões", "reglas", "regras", "décision", "règles", "решени", "правила",
    "决策", "决定", "约定", "规范", "规则", "決定",
)  # fmt: skip
"""Words of headings under which files without a template keep what was decided."""

_VAGUE = (
    "continue", "keep going", "keep working", "carry on", "go on", "tbd", "to be", "todo", "work on", "finish",
    "see above", "see below", "more work", "next steps", "ask", "same as", "unclear", "unknown", "not sure", "resume",
)  # fmt: skip
_VAGUE_WORDS = 6
_SHORT = 12
_CODE_SIGNS = "`/_().:#"
_ANSWERED = ("none", "no", "n/a", "nothing", "-", "resolved", "answered", "closed", "decided")


def find_headed_section(facts: Facts, words: tuple[str, ...]) -> SectionRow | None:
    """Return the first filled section whose title has one of the words."""
    rows = [row for row in facts.get("sections") or [] if row.get("filled")]
    return next((row for row in rows if any(_title_has(row.get("title", ""), word) for word in words)), None)


def _title_has(title: str, word: str) -> bool:
    """Whether a word of the title begins like this; in writing without blanks, whether it is there at all."""
    words = [part.strip(" :.,!?()*_`#") for part in title.lower().split()]
    plain = f" {' '.join(words)} "
    return (f" {word}" if word.isascii() else word) in plain


def is_vague(text: str) -> bool:
    """Whether a next step is words that fit any project ("continue work", "TBD")."""
    if any(sign in text.rstrip(" .:") for sign in _CODE_SIGNS):
        return False
    words = text.split()
    opening = text.lstrip(" *_-[]").lower().startswith(_VAGUE)
    return (len(words) <= 2 and len(text) < _SHORT) or (opening and len(words) <= _VAGUE_WORDS)


def says_nothing(text: str) -> bool:
    """Whether a field or an item only says that there is nothing ("None.", "no open questions", "-")."""
    words = text.strip(" *_.()").lower().split()
    return not words or (words[0].strip(",.;:—") in _ANSWERED and len(words) <= _VAGUE_WORDS)
