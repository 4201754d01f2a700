"""The session diff: what happened since a memory was written, and where the memory and the project disagree."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from belay.core import clock
from belay.core import files as core_files
from belay.core.constants import FILE_BYTES
from belay.core.errors import BelayError
from belay.memory.document import page
from belay.memory.drift import finished_work, missing_paths, products, removed_names, stack, unblocked
from belay.memory.drift.carried_out import Since
from belay.memory.drift.changes import Comparison, compare_memory, format_time, is_own, parse_midnight
from belay.memory.finished_lines import find_finished_lines
from belay.memory.health.versions import list_wrong_versions
from belay.repository.git import history, reflog
from belay.repository.git.process import read_settings
from belay.repository.manifests import dependencies
from belay.repository.manifests import stack as manifests
from belay.safety.labels import label_texts, make_label
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.drift.diff_types import CommitRow, Conflict, DependencyChange, Diff, NamedPath
    from belay.memory.memory_facts import Facts

MANIFESTS = 40
_LOG_BYTES = 256 * 1024


def gather_diff(
    project: Project,
    facts: Facts,
    environ: Mapping[str, str],
    now: str = "",
    path: str = "",
    seen: Comparison | None = None,
    thorough: bool = False,
) -> Diff:
    """Return the diff of a project since the facts of its memory (or of the memory file `path`) were written.

    {"since": UTC time, "base": commit, "days": n, "commits": [{"sha", "author", "mine", "here", "time", "subject"}],
    "authors": {name: n}, "files": [{"path", "status" A M D R, "old", "commits"}], "dependencies": [{"manifest",
    "added", "removed", "changed"}], "verify": [{"line", "path"}], "conflicts": [{"kind", "line", "also", "claim",
    "path", "evidence", "repair" or None, "ask"}], "truncated": there was more than could be read}.

    "mine" is by the user's address; "here" was committed on this machine, by git's own log. Names, subjects and
    "quoted" are a stranger's words unless "here": they are for people, not for Claude (docs/trust.md).
    What was looked at already is not asked of git again (`seen`). `thorough`: all files are searched for the products
    that the memory names, and manifests for their versions.
    """
    comparison = seen or compare_memory(project, facts, path)
    files = [file for file in history.sum_changes(comparison.commits) if not is_own(project, file.path)]
    packages, deltas = _compare_dependencies(comparison, files)
    conflicts = find_conflicts(comparison, packages, deltas, path or project.memory_md)
    return {
        "since": format_time(comparison.since),
        "base": comparison.base,
        "days": _count_days(comparison, now),
        "commits": _commit_rows(comparison, environ),
        "authors": history.count_authors(comparison.commits),
        "files": [
            {
                "path": make_label(file.path),
                "status": file.status,
                "old": make_label(file.old),
                "commits": file.commits,
            }
            for file in files
        ],
        "dependencies": label_texts(deltas),
        "verify": _find_changed_paths(comparison, files),
        "conflicts": label_texts(
            _sort_by_lines([*conflicts, *(_search_project(project, facts, conflicts) if thorough else [])])
        ),
        "truncated": comparison.truncated,
    }


def find_conflicts(
    comparison: Comparison, packages: dict[str, dict[str, str]], deltas: list[DependencyChange], memory: str
) -> list[Conflict]:
    """Return where memory and project disagree, by lines."""
    gone = missing_paths.find_missing(comparison)
    done = finished_work.find_conflicts(comparison, Since(packages, deltas, gone))
    settled = {(row["line"], row["path"]) for row in done}
    left = [row._replace(lines=[line for line in row.lines if (line, row.path) not in settled]) for row in gone]
    rows = missing_paths.find_conflicts(comparison, left)
    rows += done + unblocked.find_conflicts(comparison, deltas, packages) + _check_counter(comparison.facts)
    rows += _find_false_claims(comparison, packages, deltas, _find_overview_line(comparison.facts, memory))
    return _sort_by_lines(rows)


def _sort_by_lines(rows: list[Conflict]) -> list[Conflict]:
    """Return conflicts in the order of the memory's lines, of each line and claim the first."""
    rows = list({(row["line"], row["claim"].lower()): row for row in reversed(rows)}.values())
    return sorted(rows, key=lambda row: (row["line"], row["kind"], row["path"]))


def _search_project(project: Project, facts: Facts, known: list[Conflict]) -> list[Conflict]:
    """Return what only a search of the project's files and manifests shows: products and versions."""
    versions: list[Conflict] = [
        {"kind": "version", "line": row.line, "also": [], "claim": row.claim, "path": row.path,
         "evidence": f"{row.path}: {row.claim.rpartition(' ')[0]} is {row.text}", "repair": None,
         "ask": f"May line {row.line} say so?"}
        for row in list_wrong_versions(project, facts)
    ]  # fmt: skip
    return _find_absent_products(project, facts, known) + versions


def _find_absent_products(project: Project, facts: Facts, known: list[Conflict]) -> list[Conflict]:
    """Return a conflict for each product that the memory says is used and that no file has a trace of, if not known."""
    claims = {row["claim"].lower() for row in known}
    return [
        {"kind": "absent", "line": row.line, "also": [], "claim": row.name, "path": "",
         "evidence": f"{row.name}: neither code nor a manifest of the project has a trace of it",
         "repair": None, "ask": f"Is {row.name} used here?"}
        for row in products.find_absent_products(project, facts)
        if not claims & {row.name.lower(), row.name.lower().removesuffix(".js")}
    ]  # fmt: skip


def _find_false_claims(
    comparison: Comparison, packages: dict[str, dict[str, str]], deltas: list[DependencyChange], overview: int
) -> list[Conflict]:
    """Return where the memory says that something is used and the project does not have it; each line and name once."""
    rows = stack.find_conflicts(comparison.facts, packages, deltas, overview)
    rows += removed_names.find_conflicts(comparison, packages, deltas)
    return rows


def _count_days(comparison: Comparison, now: str) -> int:
    """Return how many dates ago the memory was reviewed, by its own date, else was written; 0 for none."""
    then = parse_midnight(comparison.day) or parse_midnight(
        clock.local_date(format_time(comparison.since)) if comparison.since else ""
    )
    return max(0, round((parse_midnight(clock.local_date(now)) - then) / clock.DAY)) if then else 0


def _commit_rows(comparison: Comparison, environ: Mapping[str, str]) -> list[CommitRow]:
    if not comparison.commits:
        return []
    addresses, here = _user_addresses(comparison.project, environ), _find_local_commits(comparison.project)
    return [
        {
            "sha": commit.sha, "author": commit.author, "mine": commit.email.lower() in addresses,
            "here": commit.sha in here, "time": commit.time, "subject": redact(commit.subject),
        }
        for commit in comparison.commits
    ]  # fmt: skip


def _user_addresses(project: Project, environ: Mapping[str, str]) -> set[str]:
    """Return the addresses under which the user commits, in lower case."""
    try:
        configured = read_settings(project.root, "user.email")
    except BelayError:
        configured = []
    return {address.strip().lower() for address in (*configured, environ.get("GIT_AUTHOR_EMAIL", ""))} - {""}


def _find_local_commits(project: Project) -> set[str]:
    offset = max(0, reflog.read_size(project.git_dir) - _LOG_BYTES)
    return {sha for _, sha in reflog.list_local_commits(project.git_dir, offset)}


def _compare_dependencies(
    comparison: Comparison, files: list[history.Net]
) -> tuple[dict[str, dict[str, str]], list[DependencyChange]]:
    """Return manifest → dependencies now, and what changed since the commit that the memory knew."""
    root = comparison.project.root
    was = {file.path: file.old or file.path for file in files if dependencies.is_manifest(file.old or file.path)}
    paths = [path for path in (*manifests.manifests(root), *was) if dependencies.is_manifest(path)]
    names = list(dict.fromkeys(paths))[:MANIFESTS]
    now = {path: dependencies.dependencies(path, manifests.text(root, path)) for path in names}
    old = _read_old_manifests(comparison, [was.get(path, path) for path in names])
    rows = [_dependency_change(path, old.get(was.get(path, path), ""), now[path], comparison) for path in names]
    existing = {path: packages for path, packages in now.items() if os.path.lexists(os.path.join(root, path))}
    return existing, [row for row in rows if row["added"] or row["removed"] or row["changed"]]


def _dependency_change(path: str, old: str, now: dict[str, str], comparison: Comparison) -> DependencyChange:
    known = bool(comparison.base) and bool(comparison.since)
    changes = dependencies.changes(dependencies.dependencies(path, old) if known else now, now)
    return {
        "manifest": path,
        "added": changes["added"],
        "removed": changes["removed"],
        "changed": changes["changed"],
    }


def _read_old_manifests(comparison: Comparison, paths: list[str]) -> dict[str, str]:
    if not comparison.base or not comparison.since:
        return {}
    try:
        return history.read_texts(comparison.project.root, comparison.base, paths)
    except BelayError:
        return {}


def _find_changed_paths(comparison: Comparison, files: list[history.Net]) -> list[NamedPath]:
    """Return the named files that changed and still exist; lines on finished work are left out, short names count."""
    changed: dict[str, list[str]] = {}
    for file in files:
        if file.status != "D":
            changed.setdefault(file.path.rpartition("/")[2], []).append("/" + file.path)
    finished = find_finished_lines(comparison.facts)
    rows = [
        (line, path)
        for path, lines in missing_paths.find_named_paths(comparison).items()
        for line in lines
        if line not in finished
        and any(changed_path.endswith("/" + path) for changed_path in changed.get(path.rpartition("/")[2], ()))
    ]
    return [{"line": line, "path": path} for line, path in sorted(rows)]


def _find_overview_line(facts: Facts, memory: str) -> int:
    """Return the line (1-based) on which the overview begins, that of its heading where it is not found."""
    section = next((row for row in facts.get("sections") or [] if row["name"] == "overview"), None)
    begun = " ".join(str(facts.get("overview") or "").split()[:4])
    lines = page.split_lines(core_files.read(memory, FILE_BYTES).decode("utf-8", "surrogateescape"))
    start = section["line"] if section else 0
    places = [at for at, line in enumerate(lines[start:], start + 1) if begun and begun in " ".join(line.split())]
    return places[0] if places else start or 1


def _check_counter(facts: Facts) -> list[Conflict]:
    """Return the conflict of a header whose session is behind the Session Log's."""
    header, last = facts["header"], max((row["session"] for row in facts.get("log") or []), default=0)
    if not header["session"] or last <= header["session"]:
        return []
    return [
        {
            "kind": "counter", "line": header["line"], "also": [], "claim": f"Session {header['session']}", "path": "",
            "evidence": f"Session Log: its last row is session {last}",
            "repair": {"kind": "counter", "lines": [header["line"]], "from": header["session"], "to": last},
            "ask": f"Count on from session {last}?",
        }
    ]  # fmt: skip
