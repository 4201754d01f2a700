"""What a session's start says of the time since: facts for Claude, and a line or two for the person. Pure.

For Claude, counts and paths only: names and subjects of commits are a stranger's words (docs/trust.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay.core import kinds
from belay.core.plain_text import count, shown
from belay.core.text.tokens import estimate
from belay.memory.document import next_step
from belay.memory.health.score import round_points
from belay.memory.remember import tiers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.memory.health.health_types import Health

    Values = dict[str, Any]

OLD_DAYS = 3
"""A memory older than this is brought up to date before work goes on (seed 003's example: stale at 5 days)."""
CONFLICTS, VERIFY, PACKAGES, PEOPLE, REASONS = 4, 3, 4, 3, 2
DRIFT = 4
"""Points of drift that the person is told; `belay diff` has them all."""
DIMENSIONS = ("freshness", "relevance", "completeness", "actionability")
_UNLESS = "Unless the prompt says what to do: a greeting of 2-3 sentences, then"
READY = f'{_UNLESS} "Ready to continue, or has the plan changed?"'
UPDATE = f"{_UNLESS} an offer to update memory first."
"""Seed 003, "Context-aware greeting"; HOST §2.2: phrased as facts."""
_STACK = ("stack", *kinds.DECIDING)


def lines(told: Values, room: int, *, asks: bool) -> str:
    """Return the facts for Claude that fit into so many tokens, most important first; score and question always.

    `told` is {"facts", "branch", "overlay", "diff" or None, "health" or None, "uncommitted"}.
    """
    end = [f"Memory health: {told['health']['score']}/10."] if told["health"] else []
    end += [UPDATE if is_stale(told) else READY] if asks else []
    cost = estimate("\n".join(end) + "\n") if end else 0
    return "\n".join([*_fitting([line for line in _facts(told) if line], room - cost), *end])


def _fitting(rows: list[str], room: int) -> list[str]:
    """Return the rows that fit, most important first; one that is too long makes way for the next."""
    kept: list[str] = []
    for row in rows:
        if estimate("\n".join([*kept, row]) + "\n") <= room:
            kept.append(row)
    return kept


def is_stale(told: Values) -> bool:
    """Whether the memory is older than three days, or of another branch."""
    days = told["diff"]["days"] if told["diff"] else told.get("days", 0)  # without git its own date tells
    return days > OLD_DAYS or bool(_elsewhere(told))


def message(told: Values, offers: list[str]) -> str:
    """Return what the person is told: score, drift, next step in one line; offers in another.

    Why the score is what it is, is said where no drift says it.
    """
    health, diff = told["health"], told["diff"]
    drift = _drift(told, diff) if diff and diff["since"] else ""
    parts = [f"Memory health: {health['score']}/10" if drift else score(health)] if health else []
    parts += [drift] if drift else ["No drift"] if diff and diff["since"] else []
    step = _step(told)
    parts += [f"Next: {shown(step, 160)}"] if step else []
    rows = (
        [f"Belay: {' '.join(part if part.endswith('.') else part + '.' for part in parts)}"] if parts else []
    )
    return "\n".join([*rows, *([f"Belay: {'; '.join(offers)}."] if offers else [])])


def _step(told: Values) -> str:
    """Return the next step; of workstreams (seed 004) that of the one whose branch or files are touched."""
    facts = told["facts"]
    touched = [row["path"] for row in (told["diff"] or {}).get("files", ())]
    streams = (
        []
        if (facts.get("left") or {}).get("next")
        else tiers.sort_workstreams(facts, told["branch"], touched)
    )
    return str(streams[0]["next"] if streams else "") or next_step.find_next_step(facts).text


def _facts(told: Values) -> list[str]:
    diff = told["diff"]
    rows = [_place(told)]
    if diff and diff["since"]:
        rows += [_since(diff), *_conflicts(diff["conflicts"])]
        rows += [_packages(row) for row in diff["dependencies"][:CONFLICTS]]
        return [*rows, told["uncommitted"], _verify(diff)]
    return [*rows, told["uncommitted"]]


def _place(told: Values) -> str:
    other = _elsewhere(told)
    return (
        f"The memory was written on branch {shown(other, 60)}; this is {shown(told['branch'], 60)}."
        if other
        else ""
    )


def _elsewhere(told: Values) -> str:
    """Return the branch the memory is of, "" where it is this one's, or that branch has its own overlay."""
    branch = str(told["facts"]["header"]["branch"])
    return branch if branch and told["branch"] and branch != told["branch"] and not told["overlay"] else ""


def _ago(days: int) -> str:
    return {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


def _since_when(days: int) -> str:
    return {0: "since earlier today", 1: "since yesterday"}.get(days, f"in {days} days")


def _since(diff: Values) -> str:
    commits = diff["commits"]
    when = f"since the memory was written ({_ago(diff['days'])})"
    if not commits:
        return f"No commits {when}."
    mine = sum(bool(row["mine"]) for row in commits)
    others = len(commits) - mine
    by = (
        "all by the user"
        if not others
        else f"{mine} by the user, {others} by others"
        if mine
        else "all by others"
    )
    return f"{'At least ' * bool(diff['truncated'])}{count(len(commits), 'commit')} {when}: {by}."


def _conflicts(rows: list[Values]) -> list[str]:
    more = len(rows) - CONFLICTS
    return [_conflict(row) for row in rows[:CONFLICTS]] + (
        [f"{count(more, 'more conflict')}: `belay diff` shows them."] if more > 0 else []
    )


def _conflict(row: Values) -> str:
    kind, claim, new = row["kind"], _path(row["claim"]), (row["repair"] or {}).get("to")
    if kind == "renamed" and new:
        return f"{claim} is now {_path(str(new))}."
    if kind in ("deleted", "missing"):
        return f"{claim} {'was deleted' if kind == 'deleted' else 'does not exist'}."
    if kind in ("unblocked", "done"):
        return f"Perhaps {kind}: {shown(row['claim'], 80)} ({shown(row['evidence'], 80)})."
    return f"Memory says {shown(row['claim'], 60)}; {shown(row['evidence'], 120)}."


def _path(path: str) -> str:
    return f"`{shown(path.replace('`', ''))}`"


def _packages(row: Values) -> str:
    told = [f"-{name}" for name in row["removed"]] + [f"+{name}" for name in row["added"]]
    told += [f"{name} {new}" for name, (_, new) in row["changed"].items()]
    plain = [shown(name, 40).replace(" ", "") for name in told[:PACKAGES]]
    more = f" and {len(told) - PACKAGES} more" if len(told) > PACKAGES else ""
    return f"{_path(row['manifest'])}: {', '.join(plain)}{more}."


def _verify(diff: Values) -> str:
    names = list(dict.fromkeys(row["path"] for row in diff["verify"]))
    if not names:
        return ""
    more = f" and {len(names) - VERIFY} more" if len(names) > VERIFY else ""
    return f"Memory names {', '.join(map(_path, names[:VERIFY]))}{more}, changed since: to be verified."


def score(health: Health) -> str:
    """Return the score with the dimensions that lost most, and why."""
    scores: Mapping[str, Any] = health
    low = sorted(
        (name for name in DIMENSIONS if scores[name]["score"] < 9), key=lambda name: scores[name]["score"]
    )
    why = ", ".join(
        f"{name} {round_points(scores[name]['score'])}: {scores[name]['note']}" for name in low[:REASONS]
    )
    return f"Memory health: {health['score']}/10" + (f" ({why})" if why else "")


def _drift(told: Values, diff: Values) -> str:
    commits, other = diff["commits"], _elsewhere(told)
    parts = (
        [f"{count(len(commits), 'commit')} {_since_when(diff['days'])}{_people(commits)}"] if commits else []
    )
    parts += [_short(row) for row in diff["conflicts"][:CONFLICTS]]
    parts += [_packages(row).rstrip(".") for row in diff["dependencies"][:2]]
    parts += [f"written on {shown(other, 60)}, this is {shown(told['branch'], 60)}"] if other else []
    more = len(parts) - DRIFT
    kept, rest = (parts[:DRIFT], f"; {more} more: `belay diff`") if more > 1 else (parts, "")
    return "; ".join(kept) + rest


def _people(commits: list[Values]) -> str:
    """Return who committed, for the person: names, cut and printable."""
    mine, others = 0, dict[str, int]()
    for row in commits:
        if row["mine"]:
            mine += 1
        else:
            others[row["author"]] = others.get(row["author"], 0) + 1
    by = [f"{mine} yours"] if mine else []
    by += [f"{number} by {shown(name, 40)}" for name, number in [*others.items()][:PEOPLE]]
    return f" ({'all yours' if mine == len(commits) else ', '.join(by)})"


def _short(row: Values) -> str:
    """Return a conflict in few words; more say `belay diff`."""
    claim, kind = shown(row["claim"], 60), row["kind"]
    new = (row["repair"] or {}).get("to")
    if kind == "renamed" and new:
        return f"{claim} is now {shown(str(new), 60)}"
    if kind in _STACK:
        return f"memory says {claim}, but {shown(row['evidence'], 80)}"
    words = {"renamed": "was renamed", "deleted": "was deleted", "missing": "is missing"}
    words |= {"unblocked": "seems unblocked", "done": "seems done"}
    return f"{claim} {words.get(kind, 'disagrees')}"
