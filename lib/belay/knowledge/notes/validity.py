"""Whether an entry still speaks of the files as they are: "true at 60331fc4; pay.py changed since"."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.knowledge.notes import entry_lines
from belay.repository.notes import binding, file_states, store
from belay.repository.notes.consent import LEDGER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from belay.core.paths import Project
    from belay.knowledge.notes.entry_lines import Line

COMMIT_CHARS = 8
SHOWN = 4


class Validity(NamedTuple):
    """At which commit an entry was true of its files, and which of them changed or are gone since."""

    at: str
    changed: list[str]
    gone: list[str]

    @property
    def line(self) -> str:
        """What it means in one line; "" where the commit or the files are not known."""
        parts = [
            f"{_join(names)} {word} since" for names, word in ((self.changed, "changed"), (self.gone, "gone")) if names
        ]
        return f"true at {self.at[:COMMIT_CHARS]}; {', '.join(parts)}" if parts else ""


def _join(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join([*(shown(name, 60) for name in names[:SHOWN]), *([f"{more} more"] if more > 0 else [])])


def check_lines(project: Project, lines: Iterable[Line]) -> dict[str, Validity]:
    """Return id → validity of entries whose lines name the state of their files. Raises BelayError."""
    told = [line for line in lines if line.blobs]
    now = file_states.read_now(project, [path for line in told for path in line.blobs])
    here = binding.list_existing(project, list(dict.fromkeys(line.at for line in told if line.at)))
    found = {}
    for line in told:
        known = {path: blob for path, blob in line.blobs.items() if path in now}
        changed = [path for path, blob in known.items() if now[path] not in ("", blob)]
        gone = [path for path in known if not now[path]]
        # What was amended or rebased since is at another commit, which has the note.
        at = line.at if line.at in here else line.commit
        found[str(line.row["id"])] = Validity(at, changed, gone)
    return found


def check_entries(project: Project | None, environ: Mapping[str, str], ids: Collection[str]) -> dict[str, Validity]:
    """Return id → validity of some entries by their newest lines, this user's first; {} where git does not answer."""
    if project is None or not project.git_dir:
        return {}
    try:
        if not store.find_tip(project, LEDGER):
            return {}
        lines = entry_lines.read_lines(project, environ, ids).found
        own = entry_lines.find_latest(line for line in lines if line.own)
        latest = {**entry_lines.find_latest(lines), **own}
        return check_lines(project, [latest[name] for name in dict.fromkeys(ids) if name in latest])
    except BelayError:
        return {}
