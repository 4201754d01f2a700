"""Which facts of the time since a session's start says: to Claude as many as fit, to the person the main ones. Pure."""

from __future__ import annotations

from belay.context.start import texts
from belay.core.text.tokens import estimate
from belay.core.tuples import NamedTuple
from belay.memory.document import next_step
from belay.memory.remember import tiers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.drift.diff_types import Diff
    from belay.memory.health.health_types import Health
    from belay.memory.memory_facts import Facts

OLD_DAYS = 3
"""A memory older than this is updated before work goes on (seed 003's example: stale at 5 days)."""
DRIFT = 4
"""Points of drift that the person reads; `belay diff` has them all."""


class Situation(NamedTuple):
    """What a start found: the memory's facts and branch, what changed since, its health, a line on uncommitted files.

    `diff` and `health` are None where git does not answer; `days` is the memory's age by its own date.
    """

    facts: Facts
    branch: str = ""
    overlay: str = ""
    diff: Diff | None = None
    health: Health | None = None
    uncommitted: str = ""
    days: int = 0

    @property
    def drift(self) -> Diff | None:
        """The diff, where the memory has a date to compare with."""
        return self.diff if self.diff and self.diff["since"] else None

    @property
    def other_branch(self) -> str:
        """The branch the memory is of; "" where it is this one's, or that branch has its own overlay."""
        written = self.facts["header"]["branch"]
        return written if written and self.branch and written != self.branch and not self.overlay else ""

    @property
    def is_stale(self) -> bool:
        """Whether the memory is older than three days, or of another branch."""
        days = self.diff["days"] if self.diff else self.days  # without git only its own date is known
        return days > OLD_DAYS or bool(self.other_branch)


def render_for_claude(situation: Situation, room: int, *, asks: bool) -> str:
    """Return the facts that fit into so many tokens, most important first; score and question always."""
    end = [texts.health(situation.health["score"])] if situation.health else []
    end += [texts.UPDATE_FIRST if situation.is_stale else texts.READY] if asks else []
    room -= estimate("\n".join(end) + "\n") if end else 0
    fitting: list[str] = []
    for row in filter(None, _list_facts(situation)):
        # A row that is too long makes way for the next.
        if estimate("\n".join([*fitting, row]) + "\n") <= room:
            fitting.append(row)
    return "\n".join([*fitting, *end])


def _list_facts(situation: Situation) -> list[str]:
    rows = [texts.other_branch(situation.other_branch, situation.branch)] if situation.other_branch else []
    diff = situation.drift
    if not diff:
        return [*rows, situation.uncommitted]
    conflicts = diff["conflicts"]
    rows += [texts.commits_since(diff), *map(texts.conflict, conflicts[: texts.CONFLICTS])]
    if len(conflicts) > texts.CONFLICTS:
        rows.append(texts.more_conflicts(len(conflicts) - texts.CONFLICTS))
    rows += map(texts.packages, diff["dependencies"][: texts.CONFLICTS])
    paths = list(dict.fromkeys(row["path"] for row in diff["verify"]))
    return [*rows, situation.uncommitted, texts.to_verify(paths) if paths else ""]


def render_for_person(situation: Situation, offers: list[str], step: str | None = None) -> str:
    """Return what the person reads: score, drift, next step in one line; offers in another.

    The reasons of the score are given where no drift explains it. A continuation has a `step` of its own, and says it
    itself: two different next steps at one start would leave the person to choose.
    """
    health = situation.health
    drift = _summarize_drift(situation)
    parts = [texts.health(health["score"]) if drift else texts.health_with_reasons(health)] if health else []
    parts += [drift] if drift else ["No drift"] if situation.drift else []
    step = _find_next_step(situation) if step is None else step
    parts += [texts.next_step(step)] if step else []
    return texts.for_person(parts, offers)


def _find_next_step(situation: Situation) -> str:
    """Return the next step; of workstreams (seed 004) that of the one whose branch or files are touched."""
    facts = situation.facts
    touched = [row["path"] for row in situation.diff["files"]] if situation.diff else []
    has_step = (facts.get("left") or {}).get("next")
    streams = [] if has_step else tiers.sort_workstreams(facts, situation.branch, touched)
    return (streams[0]["next"] if streams else "") or next_step.find_next_step(facts).text


def _summarize_drift(situation: Situation) -> str:
    diff, other = situation.drift, situation.other_branch
    if not diff:
        return ""
    parts = [texts.commits_in_short(diff["commits"], diff["days"])] if diff["commits"] else []
    parts += map(texts.conflict_in_short, diff["conflicts"][: texts.CONFLICTS])
    parts += [texts.packages(row).rstrip(".") for row in diff["dependencies"][:2]]
    parts += [texts.other_branch_in_short(other, situation.branch)] if other else []
    rest = len(parts) - DRIFT
    return texts.drift_in_short(parts[:DRIFT], rest) if rest > 1 else texts.drift_in_short(parts, 0)
