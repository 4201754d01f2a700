"""Completeness and actionability: what a memory says, and whether work can start from it (docs/health.md)."""

from __future__ import annotations

from typing import Any

from belay.memory import next_step
from belay.memory.form import TITLES
from belay.memory.health_drift import is_minimal, start
from belay.memory.health_loss import MOST, Reason, count, dimension, reason, shown

FIRST_FORM = {
    "overview": 20, "left": 20, "active": 10, "decisions": 10, "files": 10, "completed": 5, "architecture": 5,
    "log": 5, "blockers": 2, "issues": 1, "preferences": 1, "external": 1,
}  # fmt: skip
"""What a missing section of seed 003's template costs, in tenths of a point; all together 9 points."""
SECOND_FORM = {"overview": 25, "workstreams": 30, "decisions": 20, "references": 15}
"""The same for seed 004's form."""
OTHER_FORM = {"overview": 40, "next": 30, "decisions": 20}
MINIMAL_FORM = {"overview": 45, "next": 45}
NEXT_TENTHS = 10
"""What "Where We Left Off" costs without a next step in it."""
MAY_BE_BARE = ("active", "blockers", "completed", "issues", "preferences", "external")
"""Sections in which "nothing" is an answer: they need to be there, not to be filled."""
TELLING = (
    "overview",
    "about",
    "purpose",
    "introduction",
    "summary",
    "vision",
    "mission",
    "what is",
    "what this",
    "background",
)
"""Words of headings under which files without a template say what the project is."""
COMING = ("next", "todo", "to do", "to-do", "pending", "in progress", "backlog", "roadmap")
"""Words of headings under which they say what comes next."""
DECIDING = (
    "decision",
    "convention",
    "rationale",
    "principle",
    "architect",
    "guideline",
    "standard",
    "rule",
    "pattern",
)
"""Words of headings under which files without a template keep what was decided."""

QUESTION = 30
"""What a question costs that has to be asked before work starts (seed 003: 1 if "3+ questions")."""
BLOCKERS_TENTHS = 10
OVER_TENTHS = 20
_VAGUE = (
    "continue", "keep going", "keep working", "carry on", "go on", "tbd", "to be", "todo", "work on", "finish",
    "see above", "see below", "more work", "next steps", "ask", "same as", "unclear", "unknown", "not sure", "resume",
)  # fmt: skip
_VAGUE_WORDS = 6
_SHORT = 12
_CODE_SIGNS = "`/_().:#"
_ANSWERED = ("none", "no", "n/a", "nothing", "-", "resolved", "answered", "closed", "decided")
_BOILERPLATE = "this file provides guidance to claude code"
"""How Claude Code's own /init opens every CLAUDE.md."""

Values = dict[str, Any]


def completeness(facts: Values, own: bool) -> Values:
    """Return the completeness: what the template that the file follows asks for and is not there."""
    if facts.get("form", "empty") == "empty":
        return dimension("nothing is written", [reason(MOST, 0, "the file is empty", start(own))])
    asked = _asked(facts)
    rows = [row for name, tenths in asked.items() for row in _part(facts, name, tenths, own)]
    rows.sort(key=lambda row: -row["lost"])
    return dimension(_completeness_note(facts, len(rows), len(asked)), rows)


def _asked(facts: Values) -> dict[str, int]:
    if is_minimal(facts):
        return MINIMAL_FORM
    return {"003": FIRST_FORM, "004": SECOND_FORM}.get(facts["form"], OTHER_FORM)


def _completeness_note(facts: Values, lacking: int, asked: int) -> str:
    kind = "a minimal memory: " if is_minimal(facts) else ""
    if not lacking:
        return (
            f"{kind}all {asked} parts present" if kind or facts["form"] == "other" else "all sections present"
        )
    return f"{kind}{lacking} of {asked} parts missing or empty"


def _part(facts: Values, name: str, tenths: int, own: bool) -> list[Reason]:
    if name == "next":
        return _next_part(facts, tenths, own)
    if name == "overview" and asks_loosely(facts):
        return _overview_part(facts, tenths, own)
    if name == "decisions" and asks_loosely(facts):
        return _decisions_part(facts, tenths)
    return _section_part(facts, name, tenths, own)


def asks_loosely(facts: Values) -> bool:
    """Whether a file is asked for contents and not for sections: it has no template, or a few lines."""
    return is_minimal(facts) or facts.get("form") == "other"


def _section_part(facts: Values, name: str, tenths: int, own: bool) -> list[Reason]:
    title, found = TITLES[name], [row for row in facts.get("sections") or [] if row.get("name") == name]
    if not found:
        mend = f'belay memory set --create "{title}"' if own else f"add a section `## {title}`"
        return [reason(tenths, 0, f"no section `{title}`", mend)]
    title, line = shown(found[0].get("title", title)), found[0].get("line", 0)
    if name not in MAY_BE_BARE and not any(row.get("filled") for row in found):
        return [reason(tenths, line, f"section `{title}` is empty", _fill(name, title, line, own))]
    step = next_step.of(facts)
    if name == "left" and not step.text and not step.over:
        return [reason(NEXT_TENTHS, line, f"no next step in `{title}`", _next_mend(facts, own, line))]
    return []


def _fill(name: str, title: str, line: int, own: bool) -> str:
    if not own:
        return f"edit line {line}: say something under `{title}`, or take the heading out"
    if name == "decisions":
        return 'belay remember "…" --as decision'
    return {"left": "belay wrap-up", "log": "belay wrap-up"}.get(name, f'belay memory set "{title}"')


def _overview_part(facts: Values, tenths: int, own: bool) -> list[Reason]:
    text = facts.get("overview", "")
    line = next(
        (row.get("line", 0) for row in facts.get("sections") or [] if row.get("name") == "overview"), 0
    )
    mend = (
        f'belay memory set "{TITLES["overview"]}"'
        if own and line
        else "say under the title what the project is"
    )
    if not text and headed(facts, TELLING):
        return []
    if not text:
        what = "the overview is empty" if line else "nothing says what the project is"
        return [reason(tenths, line, what, mend)]
    if text.lower().startswith(_BOILERPLATE) and len(text) < 2 * len(_BOILERPLATE) + 60:
        return [reason(tenths, line, "the opening says what the file is, not what the project is", mend)]
    return []


def _decisions_part(facts: Values, tenths: int) -> list[Reason]:
    if facts.get("decisions") or facts.get("architecture") or headed(facts, DECIDING):
        return []
    return [reason(tenths, 0, "nothing says what was decided and why", "add a section `## Key Decisions`")]


def headed(facts: Values, words: tuple[str, ...]) -> Values:
    """Return the first filled section whose title has one of the words, {} without one."""
    rows = [row for row in facts.get("sections") or [] if row.get("filled")]
    return next((row for row in rows if any(word in row.get("title", "").lower() for word in words)), {})


def _next_part(facts: Values, tenths: int, own: bool) -> list[Reason]:
    step = next_step.of(facts)
    if step.text or step.over or headed(facts, COMING):
        return []
    return [reason(tenths, 0, "nothing says what comes next", _next_mend(facts, own, 0))]


def _next_mend(facts: Values, own: bool, line: int) -> str:
    if own and facts.get("form") in ("003", "004"):
        return "belay wrap-up"
    where = f"edit line {line}" if line else "add a line"
    return f"{where}: `- **Next immediate step:** …` with a file, function or command"


def actionability(facts: Values, evidence: Values, own: bool) -> Values:
    """Return the actionability: whether work can start from the next step without asking anything."""
    step, left = next_step.of(facts), facts.get("left") or {}
    if not step.text and not step.over:
        return _stepless(facts, own)
    rows = _grasp(facts, evidence, own, step) + _question(facts, left, own) + _blocked(facts, left, own)
    return dimension(_action_note(rows, step), rows)


def _stepless(facts: Values, own: bool) -> Values:
    section = headed(facts, COMING)
    if not section:
        left: Values = next((row for row in facts.get("sections") or [] if row.get("name") == "left"), {})
        mend = _next_mend(facts, own, 0) if facts.get("form") != "empty" else start(own)
        return dimension("no next step", [reason(MOST, left.get("line", 0), "no next step is written", mend)])
    what = f"`{shown(section['title'])}` is not one step to begin with"
    rows = [reason(2 * QUESTION, section["line"], what, _next_mend(facts, own, section["line"]))]
    return dimension("which step is next must be asked", rows)


def _grasp(facts: Values, evidence: Values, own: bool, step: next_step.Step) -> list[Reason]:
    mend = _next_mend(facts, own, step.line)
    if not step.text:
        return [
            reason(OVER_TENTHS, step.line, "the last task is done and nothing is named to start with", mend)
        ]
    if _takes_hold(facts, evidence, step):
        return []
    if is_vague(step.text):
        return [
            reason(
                2 * QUESTION,
                step.line,
                f"the next step says neither what nor where: “{shown(step.text)}”",
                mend,
            )
        ]
    what = f"the next step names no existing file, function or command: “{shown(step.text)}”"
    return [reason(QUESTION, step.line, what, mend)]


def _takes_hold(facts: Values, evidence: Values, step: next_step.Step) -> bool:
    if "anchored" in evidence:
        return bool(evidence["anchored"])
    named = any(row.get("line") == step.line for row in facts.get("refs") or [])
    return named or "`" in step.text or "()" in step.text


def is_vague(text: str) -> bool:
    """Whether a next step is words that fit any project ("continue work", "TBD")."""
    if any(sign in text.rstrip(" .:") for sign in _CODE_SIGNS):
        return False
    words = text.split()
    opening = text.lstrip(" *_-[]").lower().startswith(_VAGUE)
    return (len(words) <= 2 and len(text) < _SHORT) or (opening and len(words) <= _VAGUE_WORDS)


def _question(facts: Values, left: Values, own: bool) -> list[Reason]:
    text = left.get("question", "")
    if not text or says_nothing(text):
        return []
    line = (facts.get("left_lines") or {}).get("question", 0)
    mend = (
        'belay remember "…" --as decision' if own else f"edit line {line}: answer the question or take it out"
    )
    return [reason(QUESTION, line, f"a question is open: “{shown(text)}”", mend)]


def _blocked(facts: Values, left: Values, own: bool) -> list[Reason]:
    status, lines = left.get("status", ""), facts.get("left_lines") or {}
    if (
        "blocked" in status.lower()
        and "unblocked" not in status.lower()
        and "not blocked" not in status.lower()
    ):
        mend = "belay wrap-up" if own else f"edit line {lines.get('status', 0)} when it is unblocked"
        return [reason(QUESTION, lines.get("status", 0), f"the status is “{shown(status)}”", mend)]
    rows = [row for row in facts.get("blockers") or [] if not row.get("resolved")]
    rows = [row for row in rows if not says_nothing(row.get("text", ""))]
    if not rows:
        return []
    more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    line = rows[0].get("line", 0)
    what = f"something blocks: “{shown(rows[0].get('text', ''))}”{more}"
    return [reason(BLOCKERS_TENTHS, line, what, f"edit line {line}: take it out when it is resolved")]


def says_nothing(text: str) -> bool:
    """Whether a field or an item only says that there is nothing ("None.", "no open questions", "-")."""
    words = text.strip(" *_.()").lower().split()
    return not words or (words[0].strip(",.;:—") in _ANSWERED and len(words) <= _VAGUE_WORDS)


def _action_note(rows: list[Reason], step: next_step.Step) -> str:
    if not rows:
        return "the next step is clear"
    if not step.text:
        return "all done, nothing is next"
    return count(len(rows), "thing") + " to ask first"
