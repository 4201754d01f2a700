"""`belay doctor`: what works, what does not, and how to repair it."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import stat
import time
from collections.abc import Callable

from belay.cli import output, terminal, working_folder
from belay.cli.output import Result
from belay.cli.setup import client_checks, waiting_databases, waiting_rows
from belay.cli.setup.checks import BROKEN, NOTE, OK, Check
from belay.consolidate import session
from belay.core import clock, environment, files, lock, paths, plain_text, settings
from belay.core.constants import VERSION
from belay.core.errors import BelayError, LockTimeout, mend_foreign, mend_foreign_database
from belay.knowledge.documents import bulk_folders
from belay.knowledge.store import database as base
from belay.knowledge.store import repair
from belay.knowledge.vectors import piece_table
from belay.repository import blocked_places, database_location, foreign_database, projects, row_vetting, vetting
from belay.repository.git import process
from belay.session import journal
from belay.setup import start

CLIENT_FLOOR = (2, 1, 240)
"""The oldest client that Belay is tested with (HOST §1)."""
LEAST_MEGABYTES = 100
SILENT_SECONDS = 300
"""A transcript this much newer than the journal means that hooks did not fire."""
_EVENTS = {
    "start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "machine": "UserPromptSubmit",
    "intent": "PreToolUse",
    "edit": "PostToolBatch",
    "command": "PostToolBatch",
    "said": "Stop",
    "compact": "PreCompact",
    "end": "SessionEnd",
}


@output.command("doctor", examples="belay doctor\nbelay doctor --json")
def command() -> Result:
    """Say what is wrong, and how to repair it. Looks at set-up, hooks, versions, permissions, locks and disk."""
    project = projects.find(working_folder.find(os.environ), os.environ)
    checks = [check for look in (*_MACHINE, *(_PROJECT if project else ())) for check in look(project)]
    broken = any(check.level == BROKEN for check in checks)
    data = {"version": VERSION, "broken": broken, "checks": [check._asdict() for check in checks]}
    table = [(check.level, check.name, "; ".join(filter(None, check[2:]))) for check in checks]
    return Result(data, "\n".join(map(_row, checks)), int(broken), [terminal.Table(table, wraps=True)])


def _row(check: Check) -> str:
    mend = f"; {check.mend}" if check.mend else ""
    return f"{check.level:7} {check.name:13} {plain_text.printable(check.found + mend)}"


def _switches(_: paths.Project | None) -> list[Check]:
    if os.environ.get("BELAY") == "off":
        return [Check("switch", NOTE, "BELAY=off: no hook does anything", "unset BELAY")]
    if os.environ.get("BELAY_SETUP") == "off":
        return [Check("switch", NOTE, "BELAY_SETUP=off: sessions do not start the set-up", "unset BELAY_SETUP")]
    return []


def _environment(_: paths.Project | None) -> list[Check]:
    state = start.state(os.environ)
    env = environment.current(os.environ)
    if env is not None:
        return [Check("set-up", OK, f"ready, Python {env.version}, {env.python}"), _word_pieces()]
    level = NOTE if state.kind == "building" else BROKEN
    mend = state.mend or ("wait a minute" if state.kind == "building" else "run: belay setup")
    return [Check("set-up", level, state.why or state.kind, mend)]


def _word_pieces() -> Check:
    """Return whether searches find what is meant, or go by words alone."""
    if piece_table.load_table(os.environ) is not None:
        return Check("word pieces", OK, piece_table.find_file(os.environ))
    return Check("word pieces", NOTE, "no table: searches go by words alone", "run: belay setup")


def _versions(_: paths.Project | None) -> list[Check]:
    named = files.read(environment.hook_python(os.environ), 4096).decode("utf-8", "replace").strip()
    if not named:
        hooks = Check("hooks' python", NOTE, "python3 from PATH", "the next session records its path")
    elif os.access(named, os.X_OK):
        hooks = Check("hooks' python", OK, named)
    else:
        hooks = Check(
            "hooks' python",
            NOTE,
            f"{named} is gone; python3 from PATH is used",
            "the next session records a new path",
        )
    return [Check("python", OK, platform.python_version()), hooks, _git()]


def _git() -> Check:
    try:
        found = process.call(os.sep, ["--version"], process.TIMEOUT, (0,), b"").decode("utf-8", "replace")
    except BelayError as error:
        return Check("git", NOTE, f"{error.what}; captures work, file changes are not seen", error.mend)
    return Check("git", OK, found.strip().removeprefix("git version "))


def _plugin(_: paths.Project | None) -> list[Check]:
    doors = [paths.resource("hooks", "run"), paths.resource("bin", "belay")]
    bad = [path for path in doors if not os.access(path, os.X_OK)]
    return [Check("plugin", BROKEN, f"{path} cannot be run", f"chmod +x '{path}'") for path in bad] or [
        Check("plugin", OK, f"{VERSION} in {paths.PLUGIN_ROOT}")
    ]


def _own_folder(_: paths.Project | None) -> list[Check]:
    folder, trusted = paths.data_home(os.environ), paths.trust_file(os.environ)
    checks = [_writable("own folder", folder)]
    if os.path.exists(trusted) and os.name != "nt" and stat.S_IMODE(os.stat(trusted).st_mode) & 0o077:
        checks.append(Check("trust", BROKEN, f"{trusted} can be read or changed by others", f"chmod 600 '{trusted}'"))
    failures = files.tail(paths.log_file(os.environ), 64 * 1024).count(b" failed\n")
    if failures:
        checks.append(Check("log", NOTE, f"{failures} failures", f"report {paths.log_file(os.environ)}"))
    return checks


def _writable(name: str, folder: str) -> Check:
    above = folder
    while not os.path.lexists(above) and os.path.dirname(above) != above:
        above = os.path.dirname(above)
    if os.path.isdir(above) and os.access(above, os.W_OK | os.X_OK):
        return Check(name, OK, folder)
    return Check(name, BROKEN, f"{above} cannot be written", "give yourself write permission")


def _disk(project: paths.Project | None) -> list[Check]:
    free = shutil.disk_usage(project.root if project else paths.home_dir(os.environ)).free // 1_000_000
    if free < LEAST_MEGABYTES:
        return [Check("disk", BROKEN, f"{free} MB free", f"free {LEAST_MEGABYTES} MB")]
    return [Check("disk", OK, f"{free:,} MB free")]


def _client(project: paths.Project | None) -> list[Check]:
    """Return the client's version from its newest transcript; we start no client."""
    text = files.tail(_transcript(project), 256 * 1024) if project else b""
    version = text.rpartition(b'"version":"')[2].partition(b'"')[0].decode("ascii", "replace") if text else ""
    parts = version.split(".")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return [Check("client", NOTE, "version not known: no transcript of this project names it")]
    if tuple(map(int, parts)) < CLIENT_FLOOR:
        return [Check("client", BROKEN, f"Claude Code {version} is too old", "claude update")]
    return [Check("client", OK, f"Claude Code {version}")]


def _transcript(project: paths.Project | None) -> str:
    """Return the newest transcript of the project, "" where there is none (HOST §5.3)."""
    folder = paths.client_project(os.environ, project.root if project else "")
    found = [os.path.join(folder, name) for name in files.list_names(folder) if name.endswith(".jsonl")]
    return max(found, key=files.written_at, default="")


def _firing(project: paths.Project | None) -> list[Check]:
    """Return when each hook last left a record, and whether the client worked on without them."""
    if project is None:
        return []
    sessions = journal.list_sessions(project.journals)[-5:]
    last = {event: when for name in sessions for event, when in _last(project.journal(name)).items()}
    newest = max(last.values(), default="")
    path = _transcript(project)
    if path and os.path.getmtime(path) > clock.seconds(newest) + SILENT_SECONDS:
        mend = "see /hooks and /plugin in Claude Code, and trust the folder"
        return [Check("hooks", BROKEN, "the last session left no record", mend)]
    if not last:
        return [Check("hooks", NOTE, "no session here yet", "start one: claude")]
    return [Check("hooks", OK, ", ".join(f"{event} {_ago(when)}" for event, when in last.items()))]


def _last(path: str) -> dict[str, str]:
    return {_EVENTS[r["kind"]]: str(r.get("time")) for r in journal.read_recent(path) if r.get("kind") in _EVENTS}


def _ago(stamp: str) -> str:
    seconds = max(0.0, time.time() - clock.seconds(stamp))
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"


def _folders(project: paths.Project | None) -> list[Check]:
    if project is None:
        return []
    names = row_vetting.list_candidates(project)
    left = [Check("memory", NOTE, line, "repair the file") for line in vetting.explain_refusals(project, names)]
    _, rows, unknown = row_vetting.read_known(project, os.environ, names)
    left += [Check("trust", NOTE, f"{name} came from elsewhere", mend_foreign(name)) for name in unknown]
    left += [Check("trust", NOTE, *waiting_rows.describe_waiting(*row).partition("; ")[::2]) for row in rows.items()]
    _, wrong = settings.resolve_settings(project, os.environ, session.has_trusted_settings(project, os.environ))
    left += [Check("settings", NOTE, line, "correct the file (docs/settings.md)") for line in wrong]
    left += [Check("elsewhere", NOTE, line) for line in blocked_places.explain_moves(project)]
    left += [
        Check("links", BROKEN, f"{path} {why}", "remove it")
        for path, why in blocked_places.find_blocked(project, os.environ)
    ]
    return [_writable("project", project.store), *left]


def _knowledge(project: paths.Project | None) -> list[Check]:
    try:
        place = database_location.choose(working_folder.find(os.environ), os.environ)
    except BelayError as error:
        return [Check("knowledge", BROKEN, f"{error.where} {error.what}", error.mend)]
    waiting = waiting_databases.list_unaccepted(project) if project else []
    left = [
        Check("knowledge", NOTE, f"{path} is left alone: your Belay did not write it", _mend(path)) for path in waiting
    ]
    return [*_look_at_base(place, foreign_database.locate(place.path, os.environ)), *left]


def _mend(path: str) -> str:
    lists = mend_foreign_database()
    return lists if foreign_database.is_tracked(path, os.environ) else f"{lists}, `workshop init` takes it over"


def _look_at_base(place: database_location.Place, path: str) -> list[Check]:
    if not os.path.exists(path):
        return [Check("knowledge", NOTE, f"none yet ({path})", "belay init")]
    why = place.why if path == place.path else "beside, for your Belay did not write what is in its place"
    found = f"{path} (rule {place.rule}: {why})"
    try:
        connection = base.open_base(path, os.environ, wait=1.0)
    except BelayError as error:
        return [Check("knowledge", BROKEN, f"{found} {error.what}", error.mend)]
    wrong = repair.find_damage(path)
    plain, bulk = (False, {}) if wrong else (base.is_plain(connection), bulk_folders.list_left_out(connection))
    connection.close()
    if wrong:
        repair.mark_suspect(path)
        mend = "`belay rebuild db` writes it again, or the next command does"
        return [Check("knowledge", BROKEN, f"{found} {wrong}", mend)]
    told = [Check("knowledge", NOTE, "this SQLite has no FTS5: words are searched one by one")] if plain else []
    told += [
        Check(
            "documents", NOTE, f"{folder} is not indexed: {number:,} files that a program made and nothing refers to",
            f"`belay index {shlex.quote(folder)}`, at the project's root, takes them in",
        )
        for folder, number in bulk.items()
    ]  # fmt: skip
    return [Check("knowledge", OK, found), *told]


def _locks(project: paths.Project | None) -> list[Check]:
    if project is None:
        return []
    checks = []
    if os.path.exists(project.lock) and not _free(project.lock):
        checks.append(Check("lock", BROKEN, f"{project.lock} is held", "end the belay process that hangs"))
    beside = [os.path.join(base, name) for base, _, names in os.walk(project.store) for name in names
              if name.endswith(".tmp")]  # fmt: skip
    if beside:
        found = f"{plain_text.count(len(beside), 'temporary file')} of processes that were killed"
        checks.append(Check("left-overs", NOTE, found, "belay cleanup"))
    return checks


def _free(path: str) -> bool:
    try:
        with lock.hold(path):
            return True
    except LockTimeout:
        return False
    except OSError:
        return True


Look = Callable[[paths.Project | None], list[Check]]
_MACHINE: tuple[Look, ...] = (
    _switches, _environment, _versions, _plugin, client_checks.check_server, _own_folder, _disk,
)  # fmt: skip
_PROJECT: tuple[Look, ...] = (
    _client, _firing, client_checks.check_other_servers, client_checks.check_instructions, _folders, _knowledge, _locks,
)  # fmt: skip
