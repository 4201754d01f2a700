"""Freshness and relevance: how far a memory and its repository have drifted apart (docs/health.md)."""

from __future__ import annotations

import time

from belay.core import clock
from belay.core.plain_text import count, shown
from belay.memory.finished_lines import find_finished_lines
from belay.memory.health.expected_parts import expected_form, is_minimal, start_advice
from belay.memory.health.points import LISTED, MOST, build_dimension, build_reason, split_total

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.health.health_types import Dimension, Evidence, MissingPath, Reason
    from belay.memory.memory_facts import Facts

STALE_DAYS = 14
"""Days after which a memory is as stale as it gets (seed 003: "> 14 days old")."""
COMMIT_TENTHS = 2
"""What a commit since the update costs: a point for five (docs/health.md)."""
MOST_COMMIT_TENTHS = 50
MOST_MISSING = 2
"""Relevance is 1 when one path in so many is missing (seed 003: "Most files missing/renamed")."""
FALSE_TENTHS = 20
"""What a statement costs that the project contradicts: stale information misleads more than it helps (seed 003)."""
OVER_TENTHS = 10
"""What an open item that is done costs, and a blocker that is gone."""
KEY_FILES = 4
"""From so many Key Files on they are looked at by themselves, so that other paths do not hide that most are gone."""
NEUTRAL = 45
"""What is lost when nothing can be said: half of what there is to lose."""
NO_REPOSITORY = "no repository here: from the file alone"


def score_freshness(facts: Facts, evidence: Evidence, own: bool) -> Dimension:
    """Return the freshness: 10 if updated today, 1 after 14 days, less for commits since the update."""
    header = facts.get("header") or {}
    line, updated = (
        header.get("line", 0),
        evidence.get("reviewed") or header.get("reviewed") or header.get("updated", ""),
    )
    age = _age_in_days(updated, evidence.get("today", ""))
    mend = (
        "belay wrap-up"
        if own and expected_form(facts) != "other"
        else f"edit line {line} when all is checked: Last updated: {evidence.get('today')}"
    )
    if age is None:
        return _score_undated(facts, evidence, own)
    if age < -1:  # one day ahead is a time zone
        what = f"`Last updated` {shown(updated)} is in the future"
        return build_dimension("dated in the future", [build_reason(MOST, line, what, mend)])
    alone = updated < header.get("updated", "")
    rows = _check_age(max(0, age), updated, line, mend, alone) + _check_commits(evidence, line, mend)
    return build_dimension(_freshness_note(max(0, age), evidence, alone), rows)


def _age_in_days(updated: str, today: str) -> int | None:
    moments = [_parse_date(updated), _parse_date(today)]
    return None if None in moments else round((moments[1] - moments[0]) / clock.DAY)  # type: ignore[operator]


def _parse_date(date: str) -> float | None:
    """Return the seconds of a real date YYYY-MM-DD, None for 2026-13-45 and the like."""
    seconds = clock.seconds(f"{date}T00:00:00")
    real = seconds and time.strftime("%Y-%m-%d", time.gmtime(seconds)) == date
    return seconds if real else None


def _score_undated(facts: Facts, evidence: Evidence, own: bool) -> Dimension:
    line = (facts.get("header") or {}).get("line", 0)
    today = evidence.get("today") or "YYYY-MM-DD"
    what = "`Last updated` carries no date of the form YYYY-MM-DD" if line else "no `Last updated` line"
    edit = f"edit line {line}: " if line else "add a line under the title: "
    mend = "belay wrap-up" if own and expected_form(facts) in ("003", "empty") else f"{edit}Last updated: {today}"
    return build_dimension(
        "no date that can be read" if line else "never dated", [build_reason(MOST, line, what, mend)]
    )


def _check_age(age: int, updated: str, line: int, mend: str, alone: bool) -> list[Reason]:
    """Return what the days since the last review cost; `alone`: Belay saved it since, which is no review."""
    lost = min(MOST, (MOST * age + STALE_DAYS // 2) // STALE_DAYS)
    what = f"`Last updated` is {updated}, {count(age, 'day')} ago"
    if alone:
        what = f"nobody has reviewed it since {updated}, {count(age, 'day')} ago: Belay's own saves do not count"
    elif not line:
        what = f"it was last changed on {updated}, {count(age, 'day')} ago"
    return [build_reason(lost, line, what, mend)] if lost else []


def _check_commits(evidence: Evidence, line: int, mend: str) -> list[Reason]:
    commits = evidence.get("commits", 0) if evidence.get("repo") else 0
    if not commits:
        return []
    what = f"{_format_commits(evidence)} since then that the memory may not know"
    return [build_reason(min(MOST_COMMIT_TENTHS, COMMIT_TENTHS * commits), line, what, mend)]


def _freshness_note(age: int, evidence: Evidence, alone: bool) -> str:
    note = ("reviewed " if alone else "updated ") + {0: "today", 1: "yesterday"}.get(age, f"{age} days ago")
    if not evidence.get("repo"):
        return f"{note}; {NO_REPOSITORY}"
    return note + (f", {_format_commits(evidence)} since" if evidence.get("commits") else "")


def _format_commits(evidence: Evidence) -> str:
    return ("at least " if evidence.get("more") else "") + count(evidence["commits"], "commit")


def score_relevance(facts: Facts, evidence: Evidence, own: bool) -> Dimension:
    """Return the relevance: 10 if all named paths exist and nothing is false.

    1 if half of the paths are missing (a renamed one counts half); what the project contradicts costs 2 points each.
    """
    if not evidence.get("repo"):
        return _score_unchecked(facts, evidence, own)
    rows, false = _find_missing(facts, evidence), _false_reasons(evidence)
    past = len(evidence.get("missing") or []) - len(rows)
    checked = max(evidence.get("checked", 0) - past, len(rows))
    if not rows and not false:
        return _score_without_loss(facts, evidence, own, checked)
    decided = {row.get("line", 0) for row in facts.get("decisions") or []}  # no repair changes a decision
    repairable = {row.get("line", 0) for row in rows if own} - decided
    gone = _count_losses(rows, checked, own, repairable, _are_key_files_gone(facts, rows)) if rows else []
    notes = [_relevance_note(rows), f"{count(len(evidence.get('false') or []), 'statement')} wrong" if false else ""]
    return build_dimension(", ".join(filter(None, notes)), [*false, *gone])


def _score_without_loss(facts: Facts, evidence: Evidence, own: bool, checked: int) -> Dimension:
    if not checked:
        return _score_unchecked(facts, evidence, own)
    return build_dimension("all named paths exist" if checked > 1 else "the one named path exists", [])


def _false_reasons(evidence: Evidence) -> list[Reason]:
    """Return a reason for each thing that the project contradicts, what is wrong before what is only done."""
    claims, foreign = evidence.get("false") or [], evidence.get("foreign") or []
    least = MOST // len(claims) if claims and foreign else 0
    weights = [(max(least, OVER_TENTHS if row.get("over") else FALSE_TENTHS), row) for row in claims]
    weights.sort(key=lambda pair: -pair[0])
    return [build_reason(tenths, row["line"], row["what"], row["mend"]) for tenths, row in weights]


def _find_missing(facts: Facts, evidence: Evidence) -> list[MissingPath]:
    """Return what is missing, except on lines that report finished work."""
    finished = find_finished_lines(facts)
    return [row for row in evidence.get("missing") or [] if row.get("line", 0) not in finished]


def _score_unchecked(facts: Facts, evidence: Evidence, own: bool) -> Dimension:
    named = len(facts.get("refs") or [])
    if named and not evidence.get("repo"):
        what = f"{count(named, 'named path')} could not be checked: no repository here"
        return build_dimension(
            NO_REPOSITORY, [build_reason(NEUTRAL, 0, what, "run this inside the project's repository")]
        )
    if expected_form(facts) == "empty":
        return build_dimension("nothing is written", [build_reason(MOST, 0, "the file is empty", start_advice(own))])
    if expected_form(facts) in ("003", "004") and not is_minimal(facts):
        table = "Key Files" if expected_form(facts) == "003" else "Quick Reference"
        what = f"names no file of the project, though its form has a table for them ({table})"
        mend = "belay rebuild" if own else f"add the files that matter to `{table}`"
        return build_dimension("names no file", [build_reason(NEUTRAL, _find_section_line(facts, table), what, mend)])
    return build_dimension("names no file, so none is missing", [])


def _find_section_line(facts: Facts, title: str) -> int:
    rows = [row for row in facts.get("sections") or [] if row.get("title") == title]
    return int(rows[0].get("line", 0)) if rows else 0


def _relevance_note(rows: list[MissingPath]) -> str:
    renamed = {row.get("path", "") for row in rows if row.get("renamed")}
    gone = {row.get("path", "") for row in rows} - renamed
    counts = [(len(gone), "missing"), (len(renamed), "renamed")]
    return ", ".join(f"{count(number, 'path')} {how}" for number, how in counts if number)


def _are_key_files_gone(facts: Facts, rows: list[MissingPath]) -> bool:
    """Whether more than half of the Key Files are missing, a renamed one counted half."""
    lines = {row.get("line", 0) for row in facts.get("files") or []}
    gone = {row["line"]: 1 if row.get("renamed") else 2 for row in rows if row.get("line") in lines}
    return len(lines) >= KEY_FILES and sum(gone.values()) > len(lines)


def _count_losses(
    rows: list[MissingPath], checked: int, own: bool, repairable: set[int], key_files_gone: bool = False
) -> list[Reason]:
    """Return a reason for each path: half a renamed one's, at least a tenth of a point as long as there are any."""
    paths: dict[str, list[MissingPath]] = {}
    for row in rows:
        paths.setdefault(row.get("path", ""), []).append(row)
    groups = sorted(paths.values(), key=lambda group: (-_group_weight(group), group[0].get("line", 0)))
    weights = [_group_weight(group) for group in groups]
    total = max(MOST * MOST_MISSING * sum(weights) // (2 * checked), len(groups), MOST * key_files_gone)
    lost = split_total(min(MOST, total), weights)
    reasons = [_path_reason(group, tenths, repairable) for group, tenths in zip(groups, lost, strict=True)]
    return reasons if len(reasons) <= LISTED else [*reasons[:LISTED], _rest_reason(reasons[LISTED:], own)]


def _group_weight(group: list[MissingPath]) -> int:
    return sum(1 if row.get("renamed") else 2 for row in group)


def _path_reason(group: list[MissingPath], tenths: int, repairable: set[int]) -> Reason:
    line, path, new = group[0].get("line", 0), group[0].get("path", ""), group[0].get("renamed", "")
    also = sorted({row.get("line", 0) for row in group[1:]} - {line})
    behind = f" (also line {', '.join(map(str, also[:5]))})" if also else ""
    if new:
        what = f"`{shown(path)}` is not there any more, `{shown(new)}` is{behind}"
        repaired = any(row.get("line", 0) in repairable for row in group)
        mend = "belay diff --repair" if repaired else f"edit line {line}: write `{shown(new)}`"
        return build_reason(tenths, line, what, mend)
    what = f"`{shown(path)}` does not exist{behind}"
    return build_reason(tenths, line, what, f"edit line {line}: correct the path or take it out")


def _rest_reason(rows: list[Reason], own: bool) -> Reason:
    what = f"{count(len(rows), 'more named path')} missing or renamed"
    mend = "belay rebuild" if own else "go through the paths that the file names"
    return build_reason(sum(int(row["lost"]) for row in rows), rows[0]["line"], what, mend)
