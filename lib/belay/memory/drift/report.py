"""The session diff for people, in the seed's form (seed 003, "Session Diffing"); every foreign word on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.plain_text import count, one_line, printable

if TYPE_CHECKING:
    from belay.memory.drift.diff_types import Conflict, Diff

FILES, VERIFY, SUBJECTS, PACKAGES = 5, 8, 5, 6
_CHARS = 100
_BECAME = {"A": "added", "D": "deleted", "M": "changed"}


def format_report(diff: Diff) -> list[str]:
    """Return the report: what happened, what changed most, what to verify, each conflict with its evidence."""
    if not diff["since"]:
        return ["No memory with a date here to compare with."]
    rows = [f"Since the memory was last reviewed ({_format_age(diff['days'])}), {_format_commits(diff)}."]
    keys = [*_format_files(diff), *_format_packages(diff)]
    rows += ["Key changes: " + "; ".join(keys) + "."] if keys else []
    rows += [
        f"  {row['sha'][:9]} {_clean(row['author'], 30)}: {_clean(row['subject'])}"
        for row in diff["commits"][:SUBJECTS]
    ]
    rows += _format_verify(diff)
    if diff["conflicts"]:
        rows += ["", f"{count(len(diff['conflicts']), 'conflict')} with the memory:"]
        rows += [line for row in diff["conflicts"] for line in _format_conflict(row)]
    return rows + _format_offer(diff)


def _format_age(days: int) -> str:
    return {0: "today", 1: "yesterday"}.get(days, f"{days} days ago")


def _format_commits(diff: Diff) -> str:
    if not diff["commits"]:
        return "nothing was committed" if diff["base"] else "there are no commits here to compare with"
    mine = sum(row["mine"] for row in diff["commits"])
    others: dict[str, int] = {}
    for row in diff["commits"]:
        if not row["mine"]:
            others[row["author"]] = others.get(row["author"], 0) + 1
    by = [f"{mine} by you"] if mine else []
    by += [f"{number} by {_clean(name, 40)}" for name, number in sorted(others.items(), key=lambda pair: -pair[1])[:3]]
    by += [f"{sum(sorted(others.values())[:-3])} by others"] if len(others) > 3 else []
    return f"{'at least ' * diff['truncated']}{count(len(diff['commits']), 'commit')}: {', '.join(by)}"


def _format_files(diff: Diff) -> list[str]:
    changes = [
        f"`{_clean(row['old'])}` was renamed to `{_clean(row['path'])}`"
        if row["status"] == "R"
        else f"`{_clean(row['path'])}` was {_BECAME[row['status']]}"
        for row in diff["files"][:FILES]
    ]
    more = len(diff["files"]) - FILES
    return changes + ([count(more, "more file")] if more > 0 else [])


def _format_packages(diff: Diff) -> list[str]:
    manifests = []
    for row in diff["dependencies"]:
        changed = {name: f"{name} {old} → {new}" for name, (old, new) in row["changed"].items()}
        packages = (
            [f"+{name}" for name in row["added"]] + [f"-{name}" for name in row["removed"]] + list(changed.values())
        )
        more = f" and {len(packages) - PACKAGES} more" if len(packages) > PACKAGES else ""
        manifests.append(
            f"`{_clean(row['manifest'])}` ({', '.join(_clean(package, 60) for package in packages[:PACKAGES])}{more})"
        )
    return manifests


def _format_verify(diff: Diff) -> list[str]:
    names = list(dict.fromkeys(row["path"] for row in diff["verify"]))
    if not names:
        return []
    more = f" and {len(names) - VERIFY} more" if len(names) > VERIFY else ""
    shown = ", ".join(f"`{_clean(name)}`" for name in names[:VERIFY])
    return [f"Your memory names {shown}{more}: verify that it still holds."]


def _format_conflict(row: Conflict) -> list[str]:
    also = f" (also {', '.join(map(str, row['also']))})" if row["also"] else ""
    quoted = f" ({_clean(row['quoted'])})" if row.get("quoted") else ""
    of = f" of {_clean(row['file'])}" if row.get("file") else ""
    return [
        f"  line {row['line']}{also}{of}: {_clean(row['claim'])}",
        f"    {_clean(row['evidence'], 200)}{quoted}",
        f"    {_clean(row['ask'], 200)}",
    ]


def _format_offer(diff: Diff) -> list[str]:
    kinds = [row["repair"]["kind"] for row in diff["conflicts"] if row["repair"]]
    ticks, safe = kinds.count("tick"), [kind for kind in kinds if kind != "tick"]
    rows = [f"`belay diff --repair` corrects {len(safe)} of them (--dry-run shows how)."] if safe else []
    rows += [f"`belay diff --repair --ticks` also ticks {count(ticks, 'finished item')}."] if ticks else []
    return ["", *rows] if rows else []


def _clean(text: str, most: int = _CHARS) -> str:
    """Return a text on one line, without what would move a terminal's cursor."""
    return one_line(printable(str(text)), most)
