"""Pushing and fetching the notes: only on command, only their refs, and by no program that .git/config names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import shown
from belay.repository.git import process
from belay.repository.notes import placing, store, upkeep
from belay.repository.notes.consent import REF, REFS
from belay.repository.notes.store import INCOMING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

SECONDS = 120.0
_PULLED_BYTES = 64 * 1024 * 1024
_PROGRAMS = ("core.sshcommand", "core.gitproxy", "core.askpass", "credential.helper")
_ENDS = (".helper", ".uploadpack", ".receivepack", ".vcs", ".proxy")


def find_remote(project: Project, name: str) -> str:
    """Return the remote that is meant: the named one, else origin, else the only one. Raises BadInput."""
    known = process.run(project.root, "remote").split("\n")[:-1]
    if name and name not in known:
        raise BadInput(shown(name), "is no remote of this repository", "git remote -v lists them")
    if not name and "origin" not in known and len(known) != 1:
        if not known:
            raise BadInput(project.root, "has no remote", "git remote add origin URL")
        raise BadInput(project.root, "has several remotes and none is called origin", "name the one that you mean")
    return name or ("origin" if "origin" in known else known[0])


def push(project: Project, remote: str) -> list[str]:
    """Push the refs of notes that exist here; return them. Raises BelayError where the remote refuses."""
    _refuse_programs(project)
    refs = [ref for ref in REFS if store.find_tip(project, ref)]
    if not refs:
        return []
    options = ("--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no")
    specs = [f"{ref}:{ref}" for ref in refs]
    code, errors, out = process.exchange(project.root, ["push", *options, remote, *specs], SECONDS)
    if code:
        refused = next((line for line in out.split("\n") if line.startswith("!")), "")
        if "fetch first" in refused or "non-fast-forward" in refused:
            raise BelayError(shown(remote), "has notes that are not here", "belay notes pull, then push again")
        why = refused.rpartition("\t")[2] or _reason(errors)
        raise BelayError(shown(remote), f"refused the notes: {shown(why)}")
    return refs


def pull(project: Project, environ: Mapping[str, str], remote: str) -> list[str]:
    """Fetch the remote's notes and join them with those here; return the refs that the remote has."""
    _refuse_programs(project)
    with store.writing(project):
        return [ref for ref in REFS if _pull_ref(project, environ, remote, ref)]


def _pull_ref(project: Project, environ: Mapping[str, str], remote: str, ref: str) -> bool:
    options = ["--no-tags", "--refmap=", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance"]
    code, errors, _ = process.exchange(
        project.root,
        ["-c", "core.logAllRefUpdates=false", "fetch", *options, remote, f"+{ref}:{INCOMING}"],
        SECONDS,
    )
    if code and "find remote ref" in errors:
        return False
    if code:
        raise BelayError(shown(remote), f"gave no notes: {_reason(errors)}")
    try:
        _merge(project, environ, ref)
    finally:
        store.run(project, "update-ref", "-d", INCOMING)
    return True


def _merge(project: Project, environ: Mapping[str, str], ref: str) -> None:
    notes = store.list_notes(project, INCOMING)
    if sum(note.size for note in notes) > _PULLED_BYTES:
        raise BelayError(INCOMING, f"is over {_PULLED_BYTES >> 20} MiB, and nothing of it was taken in")
    if store.find_tip(project, ref):
        store.run(project, "notes", f"--ref={ref}", "merge", "-q", "-s", "cat_sort_uniq", INCOMING)
    else:
        store.run(project, "update-ref", ref, INCOMING)
    upkeep.drop_scrubbed(project, environ, ref)
    if ref == REF:
        upkeep.cut(project)
    else:
        placing.spread(project)


def _reason(text: str) -> str:
    rows = [row for row in text.split("\n") if row.strip() and not row.startswith(("To ", "Done", "hint:"))]
    return shown(rows[0].replace("\t", " ").removeprefix("fatal: ")) if rows else "no reason given"


def _refuse_programs(project: Project) -> None:
    """Refuse where the repository's own settings name a program that a transfer would run."""
    fields = process.split_fields(process.run(project.root, "config", "--list", "--show-scope", "-z"))
    for scope, row in zip(fields[0::2], fields[1::2], strict=False):
        name = row.partition("\n")[0]
        if scope in ("local", "worktree") and (name in _PROGRAMS or name.endswith(_ENDS)):
            raise BelayError(
                shown(name), "in .git/config names a program that would run", "set it with git config --global instead"
            )
