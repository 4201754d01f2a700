"""What the knowledge base tells a session at its start (seed 001): what changed last, goals, gotchas, decisions,
findings, open questions, the tags of the last days.

As much as fits: `workshop context` prints what a start tells, the same after a compaction.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.context.recall import recall
from belay.core import files as core_files
from belay.core import json_codec, kinds, paths
from belay.core.errors import BelayError
from belay.core.plain_text import count, shown
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.repository import excludes, projects, vetting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

COMMITS, FILES, TAGS, DAYS = 20, 6, 12, 3
KINDS = ((kinds.GOAL, 4), (kinds.GOTCHA, 4), (kinds.DECISION, 4), (kinds.UNKNOWN, 3), (kinds.FINDING, 3))
"""Types of entries, each with how many of it are told at most."""
LOOKED_AT = 60
ROOM = composer.KNOWLEDGE_MOST - 4
"""Tokens of a start's slot, its line ends aside."""
HEAD = "From the knowledge base (`belay search` finds more):"
_PRIORITY = {"high": 0, "medium": 1, "": 1, "low": 2}


class Changes(NamedTuple):
    """What git says of late: `paths` changed last first, number of commits looked at, number of uncommitted files."""

    paths: list[str]
    commits: int = 0
    uncommitted: int = 0


def context(store: Store, project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the lines of the knowledge base that a session of a project begins with, grouped by what they are.

    As many as fit; what tier 1 of the memory says anyway is left out.
    """
    from belay.context.start import compiled_memory
    from belay.memory.remember import tiers

    facts = compiled_memory.known(project, environ, compiled_memory.read(project, environ)).facts
    told = [row for _, row in whole(store, project, environ)]
    return fitting(unsaid(told, tiers.format_lines(facts, 1) if facts else []))


def whole(store: Store, project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (id of an entry or "", line) of all of it, whatever the memory says."""
    changed = changes(project)
    told = [row for kind, most in KINDS for row in _of_kind(store, kind, most, changed.paths)]
    return [*_changed(changed), *told, *_tags(project, environ)]


def changes(project: Project) -> Changes:
    """Return the files that were changed last, uncommitted ones first; empty where git does not answer."""
    from belay.repository.git import history, status

    if not project.git_dir:
        return Changes([])
    try:
        open_now = [path for _, path in status.status(project.root) if not project.is_own(path)]
        commits = history.since(project.root, "", COMMITS)
    except BelayError:
        return Changes([])
    committed = [file.path for commit in commits for file in commit.files if file.status != "D"]
    paths = [path for path in dict.fromkeys((*open_now, *committed)) if not project.is_own(path)]
    return Changes(paths, len(commits), len(open_now))


def _changed(changed: Changes) -> list[tuple[str, str]]:
    """Return the line on what changed: counts and paths, for a commit's message is anybody's text (docs/trust.md)."""
    if not changed.paths:
        return []
    named = ", ".join(f"`{shown(path.replace('`', ''), 60)}`" for path in changed.paths[:FILES])
    of = [f"last {count(changed.commits, 'commit')}"] if changed.commits else []
    of += [count(changed.uncommitted, "uncommitted file")] if changed.uncommitted else []
    return [("", f"Changed last: {named} ({', '.join(of)})")]


def _of_kind(store: Store, kind: str, most: int, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return entries of a type; of gotchas those of what changed, and those that no edit would bring."""
    from belay.knowledge.entries import entries, recallable

    found = entries.list_entries(store.connection, (kind,), limit=LOOKED_AT)
    if kind == kinds.GOTCHA:
        found = [*_tied(store, paths), *(entry for entry in found if not entry.files)]
    elif kind == kinds.GOAL:
        found.sort(key=lambda entry: _PRIORITY.get(entry.priority, 1))
    return [
        (entry.id, recallable.format_line(entry))
        for entry in recallable.select_recallable(store.connection, found)[:most]
    ]


def _tied(store: Store, paths: Sequence[str]) -> list[Entry]:
    """Return gotchas of some files or of folders above them, the nearest and newest first."""
    from belay.knowledge.entries import entries

    wanted = [one for path in paths[:LOOKED_AT] for one in recall.above(path)]
    found = entries.list_of_files(store.connection, list(dict.fromkeys(wanted))[:500], limit=LOOKED_AT)
    order = {path: at for at, path in enumerate(wanted)}
    return sorted(
        (entry for entry in found if entry.type == kinds.GOTCHA),
        key=lambda entry: min(order.get(path, len(order)) for path in entry.files),
    )


def _tags(project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the line with the `#tags` of the last three daily logs that may be shown."""
    names = [project.relative(path) for path in _days(project)]
    texts = vetting.vetted(project, environ, names)[0] if names else {}
    found = list(dict.fromkeys(tag for name in names for tag in tags(texts.get(name, ""))))
    return [("", f"Tags of the last days: {' '.join(found[:TAGS])}")] if found else []


def _days(project: Project) -> list[str]:
    """Return the last daily logs, the newest first."""
    try:
        names = os.listdir(project.logs)
    except OSError:
        return []
    days = sorted((name for name in names if _is_day(name)), reverse=True)
    return [os.path.join(project.logs, name) for name in days[:DAYS]]


def _is_day(name: str) -> bool:
    return len(name) == 13 and name.endswith(".md") and name[4] == name[7] == "-" and name[:4].isdigit()


def tags(text: str) -> list[str]:
    """Return the `#tags` of a text, code blocks aside: a letter first, then letters, digits, "-", "_" and "/"."""
    found, fenced = [], False
    for row in text.splitlines():
        fenced ^= row.lstrip().startswith(("```", "~~~"))
        found += [] if fenced else [word for word in map(_tag, row.split()) if word]
    return list(dict.fromkeys(found))


def _tag(word: str) -> str:
    word = word.rstrip(".,;:!?)]")
    plain = word[1:].replace("-", "").replace("_", "").replace("/", "")
    return word if word[:1] == "#" and word[1:2].isalpha() and 1 < len(word) <= 32 and plain.isalnum() else ""


def unsaid(lines: Iterable[str], said: Iterable[str]) -> list[str]:
    """Return the lines that say something else than any of those that are `said` anyway."""
    from belay.knowledge.entries import similarity

    known = [_matter(text.partition(": ")[2] or text) for text in said]
    return [
        row
        for row in lines
        if not any(similarity.same(_matter(row.partition(": ")[2]), text) for text in known)
    ]


def _matter(text: str) -> str:
    """Return what a line says, without a capture's id behind it and a "remember this" before."""
    from belay.memory.remember import sentences

    head, _, name = text.rpartition(" (C-")
    return sentences.strip_request(head if head and name[-1:] == ")" and name[:-1].isalnum() else text)


def fitting(lines: Sequence[str], room: int = ROOM) -> list[str]:
    """Return as many lines as so many tokens hold with the head: the first of each kind, then the second, and so on."""
    order: dict[str, int] = {}
    ranked = []
    for at, row in enumerate(lines):
        kind = row.split(" ", 1)[0].rstrip(":")
        order[kind] = order.get(kind, 0) + 1
        ranked.append((order[kind], at))
    kept: list[int] = []
    for _, at in sorted(ranked):
        if estimate(told([lines[one] for one in sorted([*kept, at])]) + "\n") <= room:
            kept.append(at)
    return [lines[at] for at in sorted(kept)]


def told(lines: Sequence[str]) -> str:
    """Return the lines behind their head, "" for none."""
    return "\n".join([HEAD, *lines]) if lines else ""


def write(project: Project, lines: Sequence[str]) -> None:
    """Write `.claude/orchestration/session-context.md`, unless it says that already; a copy, so never waited for."""
    path = os.path.join(project.orchestration, "session-context.md")
    text = "# Session context\n\nWritten by Belay; `belay context` prints it anew.\n\n"
    text += "".join(f"- {row}\n" for row in lines)
    data = text.encode("utf-8", "replace")
    leads_out = not paths.inside(project.home, os.path.dirname(path))
    if leads_out or core_files.read(path, len(data) + 1) == data:
        return
    fresh = not os.path.exists(path)
    try:
        core_files.write(path, data, sync=False)
    except OSError:
        return
    if fresh:
        excludes.ensure(project)


def key(project: Project) -> str:
    """Return what the lines depend on as one line: the ledger's size, HEAD, the logs; another key, other lines."""
    from belay.session import journal

    ledger = journal.list_segments(paths.ledger_of(project.workshop))
    head = projects.branch_and_commit(project)[1]
    return json_codec.dumps(
        [head, *([os.path.basename(path), *_stamp(path)] for path in (*ledger, *_days(project)))]
    )


def _stamp(path: str) -> list[int]:
    try:
        seen = os.stat(path)
    except OSError:
        return []
    return [seen.st_size, seen.st_mtime_ns]
