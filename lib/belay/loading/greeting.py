"""What a session's start says of the time since: facts for Claude, and a line or two for the person. Pure.

For Claude, counts and paths only: names and subjects of commits are a stranger's words (docs/trust.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay import compose
from belay.memory import next_step
from belay.memory.health_loss import count, shown
from belay.tokens import estimate

if TYPE_CHECKING:
    Values = dict[str, Any]

OLD_DAYS = 3
"""A memory older than this is brought up to date before work goes on (seed 003's example: stale at 5 days)."""
CONFLICTS, VERIFY, PACKAGES, PEOPLE, REASONS = 4, 3, 4, 3, 2
DIMENSIONS = ("freshness", "relevance", "completeness", "actionability")
OPENS = "The first answer opens with two or three sentences from these facts"
READY = (
    f'{OPENS} and ends with "Ready to continue, or has the plan changed?", unless the prompt says what to do.'
)
UPDATE = (
    f"{OPENS} and first offers to update memory with the current state, unless the prompt says what to do."
)
"""Seed 003, "Context-aware greeting"; HOST §2.2: phrased as facts."""
_STACK = ("stack", "architecture", "decision")


def lines(told: Values, room: int, *, asks: bool) -> str:
    """Return the facts for Claude that fit into so many tokens, most important first; what the greeting asks stays.

    `told` is {"facts", "branch", "overlay", "diff" or None, "health" or None, "uncommitted"}.
    """
    end = [UPDATE if is_stale(told) else READY] if asks else []
    cost = estimate("\n".join(end) + "\n") if end else 0
    body = compose.fit([line for line in _facts(told) if line], room - cost)
    return "\n".join([*([body] if body else []), *end])


def is_stale(told: Values) -> bool:
    """Whether the memory is older than three days, or of another branch."""
    return bool(told["diff"] and told["diff"]["days"] > OLD_DAYS) or bool(_elsewhere(told))


def message(told: Values, offers: list[str]) -> str:
    """Return what the person is told: score, drift, next step in one line; offers in another."""
    health, diff = told["health"], told["diff"]
    parts = [_score(health)] if health else []
    parts += [_drift(told, diff)] if diff and diff["since"] else []
    step = next_step.of(told["facts"]).text
    parts += [f"Next: {shown(step, 160)}"] if step else []
    rows = (
        [f"Belay: {' '.join(part if part.endswith('.') else part + '.' for part in parts)}"] if parts else []
    )
    return "\n".join([*rows, *([f"Belay: {'; '.join(offers)}."] if offers else [])])


def _facts(told: Values) -> list[str]:
    diff, health = told["diff"], told["health"]
    rows = [_place(told)]
    if diff and diff["since"]:
        rows += [_since(diff), *_conflicts(diff["conflicts"])]
        rows += [_packages(row) for row in diff["dependencies"][:CONFLICTS]]
    rows += [_health(health)] if health else []
    rows += [_verify(diff)] if diff and diff["since"] else []
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


def _since(diff: Values) -> str:
    commits = diff["commits"]
    when = f"Since the memory was written ({_ago(diff['days'])})"
    if not commits:
        return f"{when}: no commits."
    mine = sum(bool(row["mine"]) for row in commits)
    others = len(commits) - mine
    by = (
        "all by the user"
        if not others
        else f"{mine} by the user, {others} by others"
        if mine
        else "all by others"
    )
    files = f"; {count(len(diff['files']), 'file')} changed" if diff["files"] else ""
    return f"{when}: {'at least ' * bool(diff['truncated'])}{count(len(commits), 'commit')}, {by}{files}."


def _conflicts(rows: list[Values]) -> list[str]:
    more = len(rows) - CONFLICTS
    return [_conflict(row) for row in rows[:CONFLICTS]] + (
        [f"{count(more, 'more conflict')}: `belay diff` shows them."] if more > 0 else []
    )


def _conflict(row: Values) -> str:
    kind, claim, new = row["kind"], _path(row["claim"]), _path((row["repair"] or {}).get("to") or "")
    if kind == "renamed":
        return (
            f"Memory names {claim}: it is {new} now."
            if new != "``"
            else f"Memory names {claim}: it was renamed."
        )
    if kind in ("deleted", "missing"):
        return f"Memory names {claim}: it {'was deleted' if kind == 'deleted' else 'does not exist'}."
    if kind in _STACK:
        return f"Memory says {shown(row['claim'], 60)}; {shown(row['evidence'], 120)}."
    if kind == "unblocked":
        return f"Perhaps unblocked: {shown(row['claim'], 80)} ({shown(row['evidence'], 80)})."
    if kind == "done":
        return f"Perhaps done: {shown(row['claim'], 80)} ({shown(row['evidence'], 80)})."
    return f"Memory's {shown(row['claim'], 60)} disagrees: {shown(row['evidence'], 80)}."


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


def _health(health: Values) -> str:
    reasons = [row for name in DIMENSIONS for row in health[name]["reasons"]]
    worst = sorted(reasons, key=lambda row: -row["lost"])[:1]
    why = f"; most is lost because {shown(worst[0]['what'], 80)}" if worst else ""
    return f"Memory health: {health['score']}/10{why}."


def _score(health: Values) -> str:
    low = sorted(
        (name for name in DIMENSIONS if health[name]["score"] < 9), key=lambda name: health[name]["score"]
    )
    why = ", ".join(f"{name} {health[name]['score']:g}: {health[name]['note']}" for name in low[:REASONS])
    return f"memory {health['score']}/10" + (f" ({why})" if why else "")


def _drift(told: Values, diff: Values) -> str:
    commits, other = diff["commits"], _elsewhere(told)
    parts = (
        [f"{count(len(commits), 'commit')} since {_ago(diff['days'])}" + _people(commits)] if commits else []
    )
    parts += [_short(row) for row in diff["conflicts"][:CONFLICTS]]
    parts += [_packages(row).rstrip(".") for row in diff["dependencies"][:2]]
    parts += [f"written on {shown(other, 60)}, this is {shown(told['branch'], 60)}"] if other else []
    return "; ".join(parts) if parts else "no drift"


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
