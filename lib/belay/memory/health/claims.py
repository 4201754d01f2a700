"""What a memory says and the project contradicts: each is one line with its place and how to correct it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.core.text import duplicates
from belay.memory.drift import finished_work, products, session_diff
from belay.memory.health import named_code, versions
from belay.repository.git import owners

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import Conflict
    from belay.memory.drift.products import AbsentProduct
    from belay.memory.health.health_types import FalseClaim
    from belay.memory.memory_facts import Facts

PATHS = ("renamed", "moved", "deleted", "missing", "counter", "absent")
"""Kinds of conflicts that are counted otherwise: missing paths by themselves, absent products where all are known."""
COMMITS = 200
ITEMS = 50
"""Open items that are compared with commits and with what is completed."""
_ALIKE = 0.8
_FEW = 3
_FEWEST = 2
"""Absent products of an overview that make it another project's, if most of its products are absent."""


def find_false_claims(
    look: Comparison, conflicts: list[Conflict] | None, path: str = ""
) -> tuple[list[FalseClaim], list[str]]:
    """Return what the memory says and the project contradicts, by lines, and the products of another project's memory.

    `conflicts` are those of a diff that is at hand, None where they are looked for. The products are those of the
    overview that are absent, [] where most of them are there.
    """
    facts, project = look.facts, look.project
    rows = _find_conflicts(look, path) if conflicts is None else conflicts
    found = [_describe(row) for row in rows if row["kind"] not in PATHS and not row.get("file")]
    absent = products.find_absent_products(project, facts)
    told = {_plain_name(row["claim"]) for row in rows}
    found += [_describe_absent(row) for row in absent if _plain_name(row.name) not in told]
    found += versions.find_wrong_versions(project, facts) + named_code.find_all(project, facts)
    done = {row["line"] for row in rows if row["kind"] == "done"}
    found += [row for row in find_done_items(project, facts) if row["line"] not in done]
    return sorted(found, key=lambda row: row["line"]), _find_foreign_products(facts, rows, absent)


def _find_conflicts(look: Comparison, path: str) -> list[Conflict]:
    try:
        return session_diff.gather_diff(look.project, look.facts, os.environ, path=path, seen=look)["conflicts"]
    except BelayError:
        return []


def _describe(row: Conflict) -> FalseClaim:
    line, claim, evidence = row["line"], shown(row["claim"]), shown(row["evidence"])
    if row["kind"] == "done":
        return {
            "line": line,
            "what": f"still open, but done: “{claim}” ({evidence})",
            "mend": _mend_item(line),
            "over": True,
        }
    if row["kind"] == "unblocked":
        mend = f"edit line {line}: take it out if nothing blocks any more"
        return {"line": line, "what": f"may not block any more: “{claim}” ({evidence})", "mend": mend, "over": True}
    return {"line": line, "what": f"says {claim}, but {evidence}", "mend": f"edit line {line}: write what holds now"}


def _describe_absent(row: AbsentProduct) -> FalseClaim:
    what = f"names {row.name}, of which the project's code and manifests have no trace"
    return {"line": row.line, "what": what, "mend": f"edit line {row.line}: name what is used, or take it out"}


def _plain_name(name: str) -> str:
    return name.lower().removesuffix("js").rstrip(".")


def _mend_item(line: int) -> str:
    return f"edit line {line}: tick it or take it out"


def find_done_items(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return the open items that stand under Completed too, or whose words are those of a commit."""
    items = [row for row in facts.get("active") or [] if not row["done"]][:ITEMS]
    completed = (facts.get("completed") or [])[-COMMITS:]
    rows: list[FalseClaim] = []
    for item in items:
        same = next((row for row in completed if duplicates.same(item["text"], row["text"])), None)
        if same:
            what = f"still open, but completed in line {same['line']}: “{shown(item['text'])}”"
            rows.append({"line": item["line"], "what": what, "mend": _mend_item(item["line"]), "over": True})
    known = {row["line"] for row in rows}
    return rows + _find_committed(project, facts, [row["line"] for row in items if row["line"] not in known])


def _find_committed(project: Project, facts: Facts, lines: list[int]) -> list[FalseClaim]:
    items = {row["line"]: row["text"] for row in facts.get("active") or [] if row["line"] in lines}
    if not items or not project.git_dir:
        return []
    try:
        commits = owners.read_commits(project.root, COMMITS)
    except BelayError:
        return []
    found = [(line, text, commit) for line, text in items.items() for commit in commits if _alike(text, commit.subject)]
    first = {line: (text, commit) for line, text, commit in reversed(found)}
    return [
        {
            "line": line,
            "what": f"still open, but committed on {commit.date} in {commit.sha[:9]}: “{shown(text)}”",
            "mend": _mend_item(line),
            "over": True,
        }
        for line, (text, commit) in first.items()
    ]


def _alike(item: str, subject: str) -> bool:
    """Whether a commit's subject has every telling word of an item, and hardly another."""
    head, colon, rest = subject.partition(": ")
    mine = set(finished_work.words(item))
    theirs = set(finished_work.words(rest if colon and " " not in head else subject))
    if len(mine) < _FEW or finished_work.is_other_work(subject, item):
        return False
    both = len(mine & theirs)
    return both == len(mine) and both >= _ALIKE * len(theirs)


def _find_foreign_products(facts: Facts, rows: list[Conflict], absent: list[AbsentProduct]) -> list[str]:
    """Return the products that the project does not use if they are most of those that the overview names.

    Where the overview names none, the whole memory is counted, without what was only replaced.
    """
    lines = {facts.get("overview_line", 0)}
    lines |= {row["line"] for row in facts.get("sections") or [] if row["name"] == "overview"}
    all_named = products.find_named_products(facts)
    named = {row.product for row in all_named if row.line in lines}
    replaced = [row["claim"] for row in rows if row["kind"] == "stack" and row["line"] in lines]
    names = [*replaced, *(row.name for row in absent if row.line in lines or not named)]
    gone = list({_plain_name(name): name for name in names}.values())
    count = len(named or {row.product for row in all_named})
    return gone if len(gone) >= _FEWEST and 2 * len(gone) > count else []
