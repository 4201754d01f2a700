"""Every text that a session's start can say, made of plain values: for Claude as facts (HOST §2.2), for the person.

For Claude, counts and paths only: names and subjects of commits are a stranger's words (docs/trust.md). What is quoted
from memory files, captures and the knowledge base comes from there; who calls these functions decides what fits.
"""

from __future__ import annotations

from belay.core import kinds
from belay.core.plain_text import count, shown
from belay.memory.health.points import round_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from belay.memory.drift.diff_types import CommitRow, Conflict, DependencyChange, Diff
    from belay.memory.health.health_types import Health

CONFLICTS, VERIFY, PACKAGES, PEOPLE, REASONS = 4, 3, 4, 3, 2
"""Of each kind so many are named; `belay diff` has them all."""
DIMENSIONS = ("freshness", "relevance", "completeness", "actionability")
_STACK = ("stack", *kinds.DECIDING)

# The question at the end (seed 003, "Context-aware greeting").
_UNLESS = "Unless the prompt says what to do: a greeting of 2-3 sentences, then"
READY = f'{_UNLESS} "Ready to continue, or has the plan changed?"'
UPDATE_FIRST = f"{_UNLESS} an offer to update memory first."

COMPACTED = "The context was compacted; these lines come from Belay's files, written before that."
KNOWLEDGE_HEAD = "From the knowledge base (`belay search` finds more):"
INSTRUCTIONS_HEAD = "CLAUDE.md, once more:"
TAKEN_UP = (
    "Belay: the work after an earlier session broke off (a full disk, or it was killed); it is taken up again now."
)
MERGE_DRIVER = "git merges MEMORY.md by lines on this machine: `belay branch merge-driver --install`"
UNACCEPTED = "Belay: {names} came with the repository, so Claude is not shown it; read it, then `belay trust {names}`."
FIRST_SESSION = (
    "Belay is on: what you correct or decide is written down before Claude acts on it, and the next session continues "
    "where this one stops. Notes go to memory/, kept out of git; /captures lists them, /wrap-up saves a session."
)
_FOREIGN = "Not loaded, because it came with the repository:"


def cannot_record(trouble: str) -> str:
    """Return the line for the person where the journal cannot be written."""
    return f"Belay cannot record here ({trouble})."


def blocked(found: Sequence[tuple[str, str]]) -> str:
    """Return the line for the person on places that Belay leaves alone: (path, why) of each."""
    path, why = found[0]
    more = f" ({count(len(found) - 1, 'more such place')}: `belay doctor`)" if len(found) > 1 else ""
    return f"Belay: {shown(path, 160)} {why}; remove it{more}."


def no_key(path: str) -> str:
    """Return the line for the person while records are signed for this boot only."""
    return (
        f"Belay: {path} cannot be read or made; what is recorded now counts as yours until this machine restarts. "
        "Make that folder writable."
    )


# Memory: what was loaded, and how good it is.


def memory_receipt(names: Sequence[str], tokens: int, has_archive: bool) -> str:
    """Return the head of tier 1: which files, how many tokens, where the rest is."""
    archive = "; MEMORY-ARCHIVE.md has older sessions" if has_archive else ""
    return f"Memory: {' + '.join(names)}, tier 1, {tokens} tokens; `belay memory show SECTION` has the rest{archive}."


def overlay_name(branch: str) -> str:
    """Return what a branch's own memory is called."""
    return f"overlay of {shown(branch, 60)}"


def token_receipt(limit: int, loaded: int, began: int) -> str:
    """Return the receipt (seed 003): context limit, what Belay loads, what a session begins with (0: unknown)."""
    parts = [f"context limit {limit:,}", f"memory loaded {loaded}"]
    parts += [f"a session begins at {began:,}, leaving {limit - began - loaded:,}"] if began else []
    return f"Tokens: {', '.join(parts)}."


def foreign_files(names: Sequence[str], named: int) -> str:
    """Return the line on memory files that nobody here accepted, for Claude, the first `named` of them by name."""
    if not named:
        return f"{_FOREIGN} {len(names)} memory files."
    rest = f" and {len(names) - named} more" if named < len(names) else ""
    return f"{_FOREIGN} {', '.join(names[:named])}{rest}."


def health(score: int) -> str:
    """Return the memory's score, for Claude."""
    return f"Memory health: {score}/10."


def health_with_reasons(health: Health) -> str:
    """Return the score with what limits it or the dimensions that lost most, and why; no full stop."""
    scores: Mapping[str, Any] = health
    low = [name for name in DIMENSIONS if scores[name]["score"] < 9]
    low.sort(key=lambda name: float(scores[name]["score"]))
    why = [str(limit["why"]) for limit in health["limits"][:1]]
    why += [f"{name} {round_points(scores[name]['score'])}: {scores[name]['note']}" for name in low]
    why = why[:REASONS]
    return f"Memory health: {health['score']}/10" + (f" ({', '.join(why)})" if why else "")


def global_entry(text: str) -> str:
    """Return an entry of GLOBAL-MEMORY.md."""
    return f"Global: {text}"


# The time since the memory was reviewed, for Claude.


def other_branch(written: str, current: str) -> str:
    """Return that a memory is of another branch."""
    return f"The memory was written on branch {shown(written, 60)}; this is {shown(current, 60)}."


def commits_since(diff: Diff) -> str:
    """Return how many commits were made since the memory was reviewed, and by whom."""
    commits, days = diff["commits"], diff["days"]
    ago = {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")
    when = f"since the memory was reviewed ({ago})"
    if not commits:
        return f"No commits {when}."
    mine = sum(bool(row["mine"]) for row in commits)
    others = len(commits) - mine
    by = f"{mine} by the user, {others} by others" if mine else "all by others"
    by = by if others else "all by the user"
    return f"{'At least ' * bool(diff['truncated'])}{count(len(commits), 'commit')} {when}: {by}."


def conflict(row: Conflict) -> str:
    """Return one contradiction between memory and project."""
    kind, claim, new = row["kind"], _path(row["claim"]), _new_path(row)
    if kind == "renamed" and new:
        return f"{claim} is now {_path(new)}."
    if kind in ("deleted", "missing"):
        return f"{claim} {'was deleted' if kind == 'deleted' else 'does not exist'}."
    if kind in ("unblocked", "done"):
        return f"Perhaps {kind}: {shown(row['claim'], 80)} ({shown(row['evidence'], 80)})."
    return f"Memory says {shown(row['claim'], 60)}; {shown(row['evidence'], 120)}."


def more_conflicts(number: int) -> str:
    """Return how many contradictions were not named."""
    return f"{count(number, 'more conflict')}: `belay diff` shows them."


def packages(row: DependencyChange) -> str:
    """Return what changed in a manifest."""
    names = [f"-{name}" for name in row["removed"]] + [f"+{name}" for name in row["added"]]
    names += [f"{name} {new}" for name, (_, new) in row["changed"].items()]
    plain = [shown(name, 40).replace(" ", "") for name in names[:PACKAGES]]
    rest = f" and {len(names) - PACKAGES} more" if len(names) > PACKAGES else ""
    return f"{_path(row['manifest'])}: {', '.join(plain)}{rest}."


def to_verify(paths: Sequence[str]) -> str:
    """Return which files the memory names that changed since."""
    rest = f" and {len(paths) - VERIFY} more" if len(paths) > VERIFY else ""
    return f"Memory names {', '.join(map(_path, paths[:VERIFY]))}{rest}, changed since: to be verified."


def _path(path: str) -> str:
    return f"`{shown(path.replace('`', ''))}`"


def _new_path(row: Conflict) -> str:
    repair = row["repair"]
    return repair["to"] if repair and repair["kind"] == "path" else ""


# The same for the person, in few words: `belay diff` has the rest.


def commits_in_short(commits: Sequence[CommitRow], days: int) -> str:
    """Return how many commits were made in how many days, and by whom: names, cut and printable."""
    mine, others = 0, dict[str, int]()
    for row in commits:
        if row["mine"]:
            mine += 1
        else:
            others[row["author"]] = others.get(row["author"], 0) + 1
    by = [f"{mine} yours"] if mine else []
    by += [f"{number} by {shown(name, 40)}" for name, number in [*others.items()][:PEOPLE]]
    when = {0: "since earlier today", 1: "since yesterday"}.get(days, f"in {days} days")
    who = "all yours" if mine == len(commits) else ", ".join(by)
    return f"{count(len(commits), 'commit')} {when} ({who})"


def conflict_in_short(row: Conflict) -> str:
    """Return a contradiction in few words."""
    claim, kind, new = shown(row["claim"], 60), row["kind"], _new_path(row)
    if kind == "renamed" and new:
        return f"{claim} is now {shown(new, 60)}"
    if kind in _STACK:
        return f"memory says {claim}, but {shown(row['evidence'], 80)}"
    words = {"renamed": "was renamed", "deleted": "was deleted", "missing": "is missing"}
    words |= {"unblocked": "seems unblocked", "done": "seems done"}
    return f"{claim} {words.get(kind, 'disagrees')}"


def other_branch_in_short(written: str, current: str) -> str:
    """Return that a memory is of another branch, in few words."""
    return f"written on {shown(written, 60)}, this is {shown(current, 60)}"


def drift_in_short(parts: Sequence[str], rest: int) -> str:
    """Return the parts of what changed as one sentence without its full stop; `rest` were left out."""
    text = "; ".join(parts) + (f"; {rest} more: `belay diff`" if rest else "")
    begins_with_word = text.startswith(("memory says ", "written on "))  # a path keeps its small letter
    return text[:1].upper() + text[1:] if begins_with_word else text


def for_person(parts: Sequence[str], offers: Sequence[str]) -> str:
    """Return what the person reads: score, drift and next step in one line, offers in another."""
    sentences = " ".join(part if part.endswith(".") else f"{part}." for part in parts)
    lines = [sentences] if parts else []
    lines += [f"{'; '.join(offers)}."] if offers else []
    return "\n".join(f"Belay: {line}" for line in lines)


def next_step(step: str) -> str:
    """Return the next step, for the person."""
    return f"Next: {shown(step, 160)}"


# Offers, each with its command.


def offer_rebuild(health: Health, below: int) -> str:
    """Return the offer for a memory whose score is under a limit, which the rounded figure may hide."""
    exactly = f" ({health['points']:.1f})" if health["score"] >= below else ""
    return f"memory health is below {below}{exactly}: `/rebuild` proposes a new MEMORY.md"


def offer_compression(lines: int) -> str:
    """Return the offer for a memory that is long."""
    return f"MEMORY.md has {lines} lines: `/compress` shortens it"


def offer_fold(branch: str, command: str, more: int) -> str:
    """Return the offer for a branch that was merged, and `more` of them."""
    rest = f" (and {more} more)" if more else ""
    return f"{branch} was merged{rest}: `{command}` folds its memory"


def offer_distill(logs: int) -> str:
    """Return the offer for daily logs that are newer than the memory."""
    return f"{logs} daily logs are newer than MEMORY.md: `belay distill`"


def to_offer(offer: str) -> str:
    """Return an offer as Claude reads it."""
    return f"To offer once: {offer}."


# Continuations.


def continuation(text: str, is_of_last_session: bool) -> str:
    """Return a continuation with the line before it."""
    who = "the last session" if is_of_last_session else "an earlier session"
    return f"CONTINUATION.md, left by {who}:\n{text.strip()}"


def continues(task: str, step: str, cut_off: str) -> str:
    """Return for the person what goes on: how the last session ended where it was cut off, its task, its next step."""
    how = f"the last session was cut off{cut_off}; continuing" if cut_off else "continuing"
    line = f"Belay: {how}: {shown(task, 110)}." if task else f"Belay: {how}."
    return f"{line} {next_step(step)}" if step else line


def long_continuation(title: str) -> str:
    """Return where a continuation is that a person made too long to show."""
    return f"CONTINUATION.md waits ({title}); it is too long to show here: read the file."


def waiting_continuation(why: str) -> str:
    """Return why a continuation is not shown, and how to get it."""
    return f"CONTINUATION.md {why}; /pickup delivers it."


def another_continuation(title: str) -> str:
    """Return that the archive holds a continuation which nobody received."""
    return f'Another continuation waits ("{title}"): /pickup shows it.'


def not_reprinted(why: str, mend: str) -> str:
    """Return the line that says why CLAUDE.md was not shown once more."""
    return f"Belay: CLAUDE.md was not shown once more (setting reprint_claude_md): {why}{f'; {mend}' if mend else ''}."
