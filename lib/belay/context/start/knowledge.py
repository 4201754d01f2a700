"""Lines of the knowledge base for a session's start (seed 001): what changed last, goals, gotchas, decisions,
findings, open questions, the tags of the last days.

As many as fit: `workshop context` prints what a start says, the same after a compaction.
"""

from __future__ import annotations

import os

from belay.context.recall import recall
from belay.context.start import texts
from belay.core import files as core_files
from belay.core import json_codec, kinds, paths
from belay.core.errors import BelayError
from belay.core.plain_text import count, shown
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.core.tuples import NamedTuple
from belay.repository import excludes, projects, vetting
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

COMMITS, FILES, TAGS, DAYS = 20, 6, 12, 3
KINDS = ((kinds.GOAL, 4), (kinds.GOTCHA, 4), (kinds.DECISION, 4), (kinds.UNKNOWN, 3), (kinds.FINDING, 3))
"""Types of entries, and how many of each are shown at most."""
LOOKED_AT = 60
ROOM = composer.KNOWLEDGE_MOST - 4
"""Tokens of a start's slot, its line ends aside."""
_PRIORITY = {"high": 0, "medium": 1, "": 1, "low": 2}


class Changes(NamedTuple):
    """The latest changes: `paths`, the last changed first, number of commits read, number of uncommitted files."""

    paths: list[str]
    commits: int = 0
    uncommitted: int = 0


def list_context(store: Store, project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the lines of the knowledge base that a session of a project begins with, grouped by type.

    As many as fit, without what tier 1 of the memory says anyway.
    """
    from belay.context.start import compiled_memory
    from belay.memory.remember import tiers

    facts = compiled_memory.add_cached_facts(project, environ, compiled_memory.read(project, environ)).facts
    lines = [row for _, row in list_all(store, project, environ)]
    return choose_fitting(drop_repeated(lines, tiers.format_lines(facts, 1) if facts else []))


def list_all(store: Store, project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (id of an entry or "", line) of all lines, whatever the memory says."""
    changed = find_changes(project)
    lines = [row for kind, most in KINDS for row in _entries_of_type(store, kind, most, changed.paths)]
    return [*_changes_line(changed), *_calibration_line(store), *lines, *_tags_line(project, environ)]


def _calibration_line(store: Store) -> list[tuple[str, str]]:
    """Return the line on how far stated confidence can be relied on, where the sessions so far say it."""
    from belay.knowledge.session_records import calibration
    from belay.knowledge.store.tables import session_rows

    rated = calibration.rate_sessions(session_rows.list_rated(store.connection))
    line = calibration.describe(calibration.compute(rated))
    return [("", line)] if line else []


def find_changes(project: Project) -> Changes:
    """Return the files that were changed last, uncommitted ones first; empty where git does not answer."""
    from belay.repository.git import history, status

    if not project.git_dir:
        return Changes([])
    try:
        open_now = [path for _, path in status.list_uncommitted(project.root) if not project.is_own(path)]
        commits = history.read_commits(project.root, "", COMMITS)
    except BelayError:
        return Changes([])
    committed = [file.path for commit in commits for file in commit.files if file.status != "D"]
    paths = [make_label(path) for path in dict.fromkeys((*open_now, *committed)) if not project.is_own(path)]
    return Changes(paths, len(commits), len(open_now))


def _changes_line(changed: Changes) -> list[tuple[str, str]]:
    """Return the line on what changed: counts and paths, for a commit's message is anybody's text (docs/trust.md)."""
    if not changed.paths:
        return []
    named = ", ".join(f"`{shown(path.replace('`', ''), 60)}`" for path in changed.paths[:FILES])
    of = [f"last {count(changed.commits, 'commit')}"] if changed.commits else []
    of += [count(changed.uncommitted, "uncommitted file")] if changed.uncommitted else []
    return [("", f"Changed last: {named} ({', '.join(of)})")]


def _entries_of_type(store: Store, kind: str, most: int, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return entries of a type; of gotchas those of changed files, and those without a file, which no edit recalls."""
    from belay.knowledge.entries import entries, recallable

    rows = entries.list_entries(store.connection, (kind,), (entries.ACTIVE,), limit=LOOKED_AT)
    if kind == kinds.GOTCHA:
        rows = [*_gotchas_of(store, paths), *(entry for entry in rows if not entry.files)]
    elif kind == kinds.GOAL:
        rows.sort(key=lambda entry: _PRIORITY.get(entry.priority, 1))
    return [
        (entry.id, recallable.format_line(entry))
        for entry in recallable.select_recallable(store.connection, rows)[:most]
    ]


def _gotchas_of(store: Store, paths: Sequence[str]) -> list[Entry]:
    """Return gotchas of some files or of folders above them, the nearest and newest first."""
    from belay.knowledge.entries import entries

    wanted = [place for path in paths[:LOOKED_AT] for place in recall.list_places(path)]
    rows = entries.list_of_files(store.connection, list(dict.fromkeys(wanted))[:500], limit=LOOKED_AT)
    order = {path: at for at, path in enumerate(wanted)}
    return sorted(
        (entry for entry in rows if entry.type == kinds.GOTCHA and entry.status == entries.ACTIVE),
        key=lambda entry: min(order.get(path, len(order)) for path in entry.files),
    )


def _tags_line(project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the line with the `#tags` of the last three daily logs that may be shown."""
    names = [project.relative(path) for path in _last_logs(project)]
    known = vetting.read_trusted(project, environ, names)[0] if names else {}
    tags = list(dict.fromkeys(tag for name in names for tag in find_tags(known.get(name, ""))))
    return [("", f"Tags of the last days: {' '.join(tags[:TAGS])}")] if tags else []


def _last_logs(project: Project) -> list[str]:
    """Return the last daily logs, the newest first."""
    days = [name for name in core_files.list_names(project.logs) if _is_day(name)][::-1]
    return [os.path.join(project.logs, name) for name in days[:DAYS]]


def _is_day(name: str) -> bool:
    return len(name) == 13 and name.endswith(".md") and name[4] == name[7] == "-" and name[:4].isdigit()


def find_tags(text: str) -> list[str]:
    """Return the `#tags` of a text, code blocks aside: a letter first, then letters, digits, "-", "_" and "/"."""
    tags, fenced = [], False
    for row in text.splitlines():
        fenced ^= row.lstrip().startswith(("```", "~~~"))
        tags += [] if fenced else [word for word in map(_tag, row.split()) if word]
    return list(dict.fromkeys(tags))


def _tag(word: str) -> str:
    word = word.rstrip(".,;:!?)]")
    plain = word[1:].replace("-", "").replace("_", "").replace("/", "")
    return word if word[:1] == "#" and word[1:2].isalpha() and 1 < len(word) <= 32 and plain.isalnum() else ""


def drop_repeated(lines: Iterable[str], said: Iterable[str]) -> list[str]:
    """Return the lines that say something else than any of those that are `said` anyway."""
    from belay.core.text import duplicates

    known = [_matter(text.partition(": ")[2] or text) for text in said]
    return [row for row in lines if not any(duplicates.same(_matter(row.partition(": ")[2]), text) for text in known)]


def _matter(text: str) -> str:
    """Return the statement of a line, without a capture's id behind it and a "remember this" before it."""
    from belay.knowledge.entries import states
    from belay.memory.remember import request_words

    text = text.replace(states.WHY, " ", 1)
    head, _, name = text.rpartition(" (C-")
    statement = head if head and name[-1:] == ")" and name[:-1].isalnum() else text
    if not request_words.may_be_request(statement):
        return statement
    from belay.memory.remember import sentences

    return sentences.strip_request(statement)


def choose_fitting(lines: Sequence[str], room: int = ROOM) -> list[str]:
    """Return the lines that fit into so many tokens with the head: the first of each kind, then the second …"""
    order: dict[str, int] = {}
    ranked = []
    for at, row in enumerate(lines):
        kind = row.split(" ", 1)[0].rstrip(":")
        order[kind] = order.get(kind, 0) + 1
        ranked.append((order[kind], at))
    chosen: list[int] = []
    for _, at in sorted(ranked):
        if estimate(render([lines[place] for place in sorted([*chosen, at])]) + "\n") <= room:
            chosen.append(at)
    return [lines[at] for at in sorted(chosen)]


def render(lines: Sequence[str]) -> str:
    """Return the lines behind their head, "" for none."""
    return "\n".join([texts.KNOWLEDGE_HEAD, *lines]) if lines else ""


def write_context_file(project: Project, environ: Mapping[str, str], lines: Sequence[str]) -> None:
    """Write `.claude/orchestration/session-context.md`, unless it says that already; a copy, so no lock is taken."""
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
        excludes.write_excludes(project, environ)


def cache_key(project: Project) -> str:
    """Return one line that changes whenever the lines may: HEAD, and the sizes and times of ledger and logs."""
    from belay.session import journal

    ledger = journal.list_segments(paths.find_ledger(project.workshop))
    head = projects.branch_and_commit(project)[1]
    return json_codec.dumps(
        [head, *([os.path.basename(path), *core_files.stamp(path)] for path in (*ledger, *_last_logs(project)))]
    )
