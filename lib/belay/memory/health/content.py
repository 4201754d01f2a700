"""Completeness and actionability: what a memory says, and whether work can start from it (docs/health.md)."""

from __future__ import annotations

from belay.core.kinds import MEMORY_SECTIONS, NOTE_SECTIONS, NOTES
from belay.core.plain_text import count, shown
from belay.memory.document import next_step
from belay.memory.health.expected_parts import (
    NEXT_TENTHS,
    expected_form,
    expected_parts,
    is_minimal,
    needs_no_sections,
    start_advice,
)
from belay.memory.health.points import MOST, build_dimension, build_reason
from belay.memory.health.words import (
    DECISION_WORDS,
    NEXT_WORDS,
    OVERVIEW_WORDS,
    find_headed_section,
    is_vague,
    says_nothing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.health.health_types import Dimension, Evidence, Reason
    from belay.memory.memory_facts import Facts, LeftOff

MAY_BE_BARE = ("active", "blockers", "completed", "issues", "preferences", "external")
"""Sections in which "nothing" is an answer: they need to be there, not to be filled."""
QUESTION = 30
"""What a question costs that has to be asked before work starts (seed 003: 1 if "3+ questions")."""
BLOCKERS_TENTHS = 10
NAMED = 2
"""So many missing parts are named in the note itself."""
OVER_TENTHS = 20
_BOILERPLATE = "this file provides guidance to claude code"
"""How Claude Code's own /init opens every CLAUDE.md."""


OVERVIEW_COMMAND = 'echo "…" | belay memory set MEMORY.md --create "Project Overview"'
_KINDS = {section: NOTES[kind][1] for kind in NOTES for section in NOTE_SECTIONS[kind] if section != "completed"}
"""Section → what `belay remember` calls what it files there; what was completed comes with a wrap-up."""


def score_completeness(facts: Facts, own: bool) -> Dimension:
    """Return the completeness: what the template that the file follows asks for and is not there."""
    if expected_form(facts) == "empty":
        return build_dimension("nothing is written", [build_reason(MOST, 0, "the file is empty", start_advice(own))])
    parts = expected_parts(facts)
    rows = [row for name, tenths in parts.items() for row in _check_part(facts, name, tenths, own)]
    rows.sort(key=lambda row: -row["lost"])
    return build_dimension(_completeness_note(facts, [row["what"] for row in rows], len(parts)), rows)


def _completeness_note(facts: Facts, lacking: list[str], asked: int) -> str:
    kind = "a minimal memory: " if is_minimal(facts) else ""
    if not lacking:
        return f"{kind}all {asked} parts present" if kind or facts["form"] == "other" else "all sections present"
    named = ", ".join(what.replace("section ", "").replace("`", "") for what in lacking)
    which = f": {named}" if len(lacking) <= NAMED else ""
    return f"{kind}{len(lacking)} of {asked} parts missing or empty{which}"


def _check_part(facts: Facts, name: str, tenths: int, own: bool) -> list[Reason]:
    if name == "next":
        return _check_next_step(facts, tenths, own)
    if name == "overview" and needs_no_sections(facts):
        return _check_overview(facts, tenths, own)
    if name == "decisions" and needs_no_sections(facts):
        return _check_decisions(facts, tenths)
    return _check_section(facts, name, tenths, own)


def _check_section(facts: Facts, name: str, tenths: int, own: bool) -> list[Reason]:
    title = MEMORY_SECTIONS[name]
    sections = [row for row in facts.get("sections") or [] if row.get("name") == name]
    if not sections:
        mend = _fill_command(name) if own else f"add a section `## {title}`"
        return [build_reason(tenths, 0, f"no section `{title}`", mend)]
    title, line = shown(sections[0].get("title", title)), sections[0].get("line", 0)
    if name not in MAY_BE_BARE and not any(row.get("filled") for row in sections):
        return [build_reason(tenths, line, f"section `{title}` is empty", _fill_advice(name, title, line, own))]
    step = next_step.find_next_step(facts)
    if name == "left" and not step.text and not step.over:
        return [
            build_reason(
                NEXT_TENTHS,
                line,
                f"no next step in `{title}`",
                _next_step_advice(facts, own, line, below=True),
            )
        ]
    return []


def _fill_advice(name: str, title: str, line: int, own: bool) -> str:
    if not own:
        return f"edit line {line}: say something under `{title}`, or take the heading out"
    return _fill_command(name)


def _fill_command(name: str) -> str:
    """Return the command that fills a section of Belay's template; the overview is a text of its own."""
    if name == "overview":
        return OVERVIEW_COMMAND
    kind = _KINDS.get(name)
    return f'belay remember "…" --as {kind}' if kind else "belay wrap-up"


def _check_overview(facts: Facts, tenths: int, own: bool) -> list[Reason]:
    text = facts.get("overview", "")
    line = next((row.get("line", 0) for row in facts.get("sections") or [] if row.get("name") == "overview"), 0)
    mend = OVERVIEW_COMMAND if own and line else "say under the title what the project is"
    if not text and find_headed_section(facts, OVERVIEW_WORDS):
        return []
    if not text:
        what = "the overview is empty" if line else "nothing says what the project is"
        return [build_reason(tenths, line, what, mend)]
    if text.lower().startswith(_BOILERPLATE) and len(text) < 2 * len(_BOILERPLATE) + 60:
        return [build_reason(tenths, line, "the opening says what the file is, not what the project is", mend)]
    return []


def _check_decisions(facts: Facts, tenths: int) -> list[Reason]:
    if facts.get("decisions") or facts.get("architecture") or find_headed_section(facts, DECISION_WORDS):
        return []
    return [build_reason(tenths, 0, "nothing says what was decided and why", "add a section `## Key Decisions`")]


def _check_next_step(facts: Facts, tenths: int, own: bool) -> list[Reason]:
    step = next_step.find_next_step(facts)
    if step.text or step.over or find_headed_section(facts, NEXT_WORDS):
        return []
    return [build_reason(tenths, 0, "nothing says what comes next", _next_step_advice(facts, own, 0))]


def _next_step_advice(facts: Facts, own: bool, line: int, below: bool = False) -> str:
    if own and expected_form(facts) in ("003", "004"):
        return "belay wrap-up"
    where = f"{'add below' if below else 'edit'} line {line}" if line else "add a line"
    return f"{where}: `- **Next immediate step:** …` with a file, function or command"


def score_actionability(facts: Facts, evidence: Evidence, own: bool) -> Dimension:
    """Return the actionability: whether work can start from the next step without asking anything."""
    step, left = next_step.find_next_step(facts), facts.get("left") or {}
    if not step.text and not step.over:
        return _score_without_step(facts, own)
    rows = (
        _check_verified(facts)
        + _check_step_target(facts, evidence, own, step)
        + _check_question(facts, left, own)
        + _check_blockers(facts, left, own)
    )
    return build_dimension(_action_note(rows, step), rows)


def _check_verified(facts: Facts) -> list[Reason]:
    """Return the question that a rebuilt memory asks as long as it says so itself."""
    line = facts.get("unverified", 0)
    mend = "check it with the user, then take the line out"
    return [build_reason(QUESTION, line, "it was reconstructed and nobody has checked it", mend)] if line else []


def _score_without_step(facts: Facts, own: bool) -> Dimension:
    section = find_headed_section(facts, NEXT_WORDS)
    if not section:
        line = next((row["line"] for row in facts.get("sections") or [] if row.get("name") == "left"), 0)
        mend = _next_step_advice(facts, own, line, below=True) if expected_form(facts) != "empty" else start_advice(own)
        return build_dimension("no next step", [build_reason(MOST, line, "no next step is written", mend)])
    what = f"`{shown(section['title'])}` says what is to come, but no step to begin with"
    rows = [
        build_reason(2 * QUESTION, section["line"], what, _next_step_advice(facts, own, section["line"], below=True))
    ]
    return build_dimension("which step is next must be asked", rows)


def _check_step_target(facts: Facts, evidence: Evidence, own: bool, step: next_step.NextStep) -> list[Reason]:
    mend = _next_step_advice(facts, own, step.line)
    if not step.text:
        return [build_reason(OVER_TENTHS, step.line, "the last task is done and nothing is named to start with", mend)]
    if _names_target(facts, evidence, step):
        return []
    if is_vague(step.text):
        return [
            build_reason(
                2 * QUESTION,
                step.line,
                f"the next step says neither what nor where: “{shown(step.text)}”",
                mend,
            )
        ]
    what = f"the next step names no existing file, function or command: “{shown(step.text)}”"
    return [build_reason(QUESTION, step.line, what, mend)]


def _names_target(facts: Facts, evidence: Evidence, step: next_step.NextStep) -> bool:
    if "anchored" in evidence:
        return bool(evidence["anchored"])
    named = any(row.get("line") == step.line for row in facts.get("refs") or [])
    return named or "`" in step.text or "()" in step.text


def _check_question(facts: Facts, left: LeftOff, own: bool) -> list[Reason]:
    text = left.get("question", "")
    if not text or says_nothing(text):
        return []
    line = (facts.get("left_lines") or {}).get("question", 0)
    mend = "belay wrap-up" if own else f"edit line {line}: answer the question or take it out"
    return [build_reason(QUESTION, line, f"a question is open: “{shown(text)}”", mend)]


def _check_blockers(facts: Facts, left: LeftOff, own: bool) -> list[Reason]:
    status, lines = left.get("status", ""), facts.get("left_lines") or {}
    if "blocked" in status.lower() and "unblocked" not in status.lower() and "not blocked" not in status.lower():
        mend = "belay wrap-up" if own else f"edit line {lines.get('status', 0)} when it is unblocked"
        return [build_reason(QUESTION, lines.get("status", 0), f"the status is “{shown(status)}”", mend)]
    rows = [row for row in facts.get("blockers") or [] if not row.get("resolved")]
    rows = [row for row in rows if not says_nothing(row.get("text", ""))]
    if not rows:
        return []
    more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    line = rows[0].get("line", 0)
    what = f"something blocks: “{shown(rows[0].get('text', ''))}”{more}"
    return [build_reason(BLOCKERS_TENTHS, line, what, f"edit line {line}: take it out when it is resolved")]


def _action_note(rows: list[Reason], step: next_step.NextStep) -> str:
    if not rows:
        return "the next step is clear"
    if not step.text:
        return "all done, nothing is next"
    return count(len(rows), "thing") + " to ask first"
