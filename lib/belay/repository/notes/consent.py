"""Whether a repository has notes: kept in the user's own folder, so that no clone can switch them on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypedDict

from belay.core import clock, files, json_codec, lock, paths
from belay.core.errors import BelayError
from belay.repository import projects
from belay.repository.git import process

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REF = "refs/notes/breadcrumbs"
LEDGER = "refs/notes/belay-ledger"
REFS = (REF, LEDGER)
"""Snapshots of sessions, and entries of the knowledge base."""
SETTINGS = (
    ("notes.rewriteRef", REF), ("notes.breadcrumbs.mergeStrategy", "cat_sort_uniq"),
    ("notes.rewriteRef", LEDGER), ("notes.belay-ledger.mergeStrategy", "cat_sort_uniq"),
)  # fmt: skip
"""What `belay notes on` adds to the repository's own configuration."""
TAKEN = 200


class Record(TypedDict, total=False):
    """What is kept of a repository.

    since: when notes were switched on, "" when they are off. added: settings that Belay made, as "name value".
    asked: whether a wrap-up has told of them. taken: session → the last event that has a breadcrumb.
    pending: lines that wait for the first commit. scrubbed: ids of lines that must not come back.
    listed: ids of the lines of others that the person was shown last, so that no other text is accepted for them.
    ledger: what the last run that wrote entries saw, so that the next one knows whether anything is new.
    """

    since: str
    added: list[str]
    asked: bool
    taken: dict[str, str]
    pending: list[str]
    scrubbed: list[str]
    listed: list[str]
    ledger: str


def find_file(environ: Mapping[str, str]) -> str:
    """Return the file of all repositories' records."""
    return os.path.join(paths.data_home(environ), "notes.json")


def load(project: paths.Project, environ: Mapping[str, str]) -> Record:
    """Return the record of a project's repository; an empty one where there is none, or it is damaged."""
    found: Any = _load_all(environ).get(_key(project)) if project.common_dir else None
    record: Any = found if isinstance(found, dict) else {}
    checked: Record = record
    return checked


def is_on(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Whether the user switched notes on in this repository."""
    return bool(project.common_dir) and os.path.exists(find_file(environ)) and bool(load(project, environ).get("since"))


def change(project: paths.Project, environ: Mapping[str, str], edit: Callable[[Record], None]) -> None:
    """Change the record of a project's repository under a lock. Raises OSError or LockTimeout."""
    path = find_file(environ)
    with lock.hold(path + ".lock"):
        every = _load_all(environ)
        record = every.setdefault(_key(project), {})
        edit(record)
        record["taken"] = dict(list(record.get("taken", {}).items())[-TAKEN:])
        files.create(path)
        files.write(path, json_codec.dumps(every).encode("utf-8", "backslashreplace"))


def _load_all(environ: Mapping[str, str]) -> dict[str, Any]:
    try:
        every = json_codec.loads(files.read(find_file(environ)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return every if isinstance(every, dict) else {}


def _key(project: paths.Project) -> str:
    """Return what a repository is known by: its folder, without the secrets that a name may hold."""
    return projects.make_label(os.path.realpath(project.common_dir))


def switch_on(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Switch notes on; return the settings that were added, as "name value". One that the user has stays his."""
    added = list(load(project, environ).get("added", []))
    for name, value in SETTINGS:
        if value not in _read_local(project, name):
            process.run(project.root, "config", "--local", "--add", name, value)
            added.append(f"{name} {value}")

    def edit(record: Record) -> None:
        if not record.get("since"):
            record["since"], record["ledger"] = clock.now(), ""
        record["added"], record["asked"] = added, True

    change(project, environ, edit)
    return added


def switch_off(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Switch notes off; return the settings of Belay's that were taken back. Notes that were written stay."""
    added = load(project, environ).get("added", [])
    gone = []
    for name, value in SETTINGS:
        if f"{name} {value}" in added and value in _read_local(project, name):
            process.run(project.root, "config", "--local", "--fixed-value", "--unset-all", name, value)
            _drop_empty_section(project, name.rpartition(".")[0])
            gone.append(f"{name} {value}")

    def edit(record: Record) -> None:
        record["since"], record["added"], record["asked"] = "", [], True

    change(project, environ, edit)
    return gone


def _read_local(project: paths.Project, name: str) -> list[str]:
    answer = process.run(project.root, "config", "--local", "-z", "--get-all", name, ok=(0, 1))
    return process.split_fields(answer)


def _drop_empty_section(project: paths.Project, section: str) -> None:
    """Remove the heading that git leaves of a section; git itself says whether anything is below it."""
    pattern = "^" + section.lower().replace(".", r"\.") + r"\.[^.]*$"
    if not process.run(project.root, "config", "--local", "--get-regexp", pattern, ok=(0, 1)):
        try:
            process.run(project.root, "config", "--local", "--remove-section", section)
        except BelayError:
            return  # git removed it already
