"""Reads how full the context is, from the best source at hand: module, status line, transcript (HOST §5).

The window that module or status line name is exact and always counts; their token figure counts only while
it is newer than the transcript's last usage, which is on disk in the middle of a turn already.
"""

from __future__ import annotations

import os
import time

from belay.budget import usage as budget_usage
from belay.client import transcript
from belay.core import files as core_files
from belay.core import json_codec, paths, settings
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from belay.budget.usage import Budget
    from belay.client.event import Event

    class Session(Protocol):
        """What is asked of a session: where it is, its name, its environment."""

        environ: Mapping[str, str]
        name: str
        project: paths.Project

    class LiveSession(Session, Protocol):
        """A session whose thresholds are announced."""

        @property
        def announced(self) -> list[int]: ...


MIRROR_AGE = 60.0
"""Seconds after which a mirrored figure no longer counts."""
_TRANSCRIPTS_TRIED = 8


class ClientFigure:
    """Figures that the client gave a module or a status line: 0 and "" are unknown, `moment` is an epoch time."""

    __slots__ = ("model", "moment", "tokens", "window")

    def __init__(self, tokens: int, window: int, model: str, moment: float) -> None:
        self.tokens, self.window, self.model, self.moment = tokens, window, model, moment


def measure_event(event: Event, session: Session) -> Budget | None:
    """Return the budget of the session that a hook call belongs to, None where nothing is known yet."""
    path = event.transcript or find_transcript(session.environ, session.name, session.project.root)
    return measure_transcript(session.environ, session.name, path, session.project.root)


def measure_session(session: Session) -> Budget | None:
    """Return the budget of a session without a hook call: its transcript is looked up."""
    environ, root = session.environ, session.project.root
    return measure_transcript(environ, session.name, find_transcript(environ, session.name, root), root)


def find_due(event: Event, session: LiveSession) -> tuple[Budget, list[int]] | None:
    """Return how full the context is and the thresholds to announce, None where there are none.

    A threshold is announced once until the next compaction, and only where the user wants notices.
    """
    measured = measure_event(event, session)
    if measured is None:
        return None
    wanted = settings.load_settings(session.project, session.environ)
    crossed = budget_usage.find_crossed(measured, (), wanted["thresholds"], wanted["absolute"])
    due = [mark for mark in crossed if mark not in session.announced] if crossed else []
    return (measured, due) if due and wanted["notices"] else None


def measure_transcript(environ: Mapping[str, str], name: str, path: str, root: str = "") -> Budget | None:
    """Return the budget of a session by its name, transcript and project root."""
    used, boundary = transcript.find_latest(path)
    told = {"module": read_sidecar(environ, name), "statusline": read_mirror(environ, name)}
    last = used.time if used else boundary.time if boundary else ""
    since = parse_epoch(last) if last and any(told.values()) else 0.0
    for source, figure in told.items():
        if figure and figure.tokens and _counts(source, figure, since):
            model = figure.model or (used.model if used else "")
            return _budget(environ, root, figure.tokens, model, told, source, figure.moment)
    if used is None:
        return None
    return _budget(environ, root, used.tokens, used.model, told, "transcript", parse_epoch(used.time))


def _counts(source: str, figure: ClientFigure, since: float) -> bool:
    return figure.moment >= since and (source == "module" or time.time() - figure.moment <= MIRROR_AGE)


def _budget(
    environ: Mapping[str, str],
    root: str,
    used: int,
    model: str,
    told: Mapping[str, ClientFigure | None],
    source: str,
    moment: float,
) -> Budget:
    from belay.client.settings_files import load_settings

    settings = load_settings(environ, root)
    learned, seen = _learned(environ, model)
    window = next((figure.window for figure in told.values() if figure and _same(figure.model, model)), 0)
    found = budget_usage.measure(used, model, environ, settings, seen, learned, window, source)
    if used > budget_usage.measure(0, model, environ, settings, seen, learned, window).limit:
        from belay.budget import learned_limits

        learned_limits.record_size(environ, model, used)
    found.age = max(0.0, time.time() - moment) if moment else None
    return found


def _same(told: str, model: str) -> bool:
    """Whether the client's figure is of this model; a module does not know which one it measured."""
    return not told or not model or budget_usage.parse_version(told) == budget_usage.parse_version(model)


def read_sidecar(environ: Mapping[str, str], name: str) -> ClientFigure | None:
    """Return what the optional module measured after the session's last turn (HOST §5.1)."""
    path = paths.sidecar(environ, name)
    data = _json(path)
    if not data:
        return None
    return ClientFigure(_number(data.get("tokens")), _number(data.get("window")), "", os.stat(path).st_mtime)


def read_mirror(environ: Mapping[str, str], name: str) -> ClientFigure | None:
    """Return the figures that the status line last got for the session (HOST §5.2); null counts are unknown ones."""
    data = _json(paths.mirror(environ, name))
    if data.get("session") != name:
        return None
    model = data.get("model")
    moment = data.get("moment")
    return ClientFigure(
        _number(data.get("tokens")),
        _number(data.get("window")),
        model if isinstance(model, str) else "",
        float(moment) if isinstance(moment, (int, float)) else 0.0,
    )


def _learned(environ: Mapping[str, str], model: str) -> tuple[int, int]:
    """Return what `learned_limits` knows of a model; the module loads only where something was learned."""
    if not os.path.isfile(paths.limits_file(environ)):
        return 0, 0
    from belay.budget import learned_limits

    return learned_limits.load_limits(environ, model)


def predict_limit(event: Event, session: Session) -> int:
    """Return the limit that a session which is about to begin will have."""
    environ, root = session.environ, session.project.root
    last = _first(session)
    model = event.model or environ.get("ANTHROPIC_MODEL", "") or (last.model if last else "")
    from belay.client.settings_files import load_settings

    learned, seen = _learned(environ, model)
    return budget_usage.measure(0, model, environ, load_settings(environ, root), seen, learned).limit


def find_starting_size(session: Session) -> int:
    """Return the tokens that the project's last session began with (system, tools, memory), or 0."""
    last = _first(session)
    return last.tokens if last else 0


def _first(session: Session) -> transcript.Usage | None:
    folder = paths.client_project(session.environ, session.project.root)
    own = session.name + ".jsonl"
    try:
        rows = [row for row in os.scandir(folder) if row.name.endswith(".jsonl") and row.name != own]
        rows.sort(key=lambda row: row.stat().st_mtime, reverse=True)
    except OSError:
        return None
    found = (transcript.find_first_usage(row.path) for row in rows[:_TRANSCRIPTS_TRIED])
    return next((usage for usage in found if usage), None)


def learn_compaction(environ: Mapping[str, str], path: str) -> bool:
    """Learn the limit from the transcript's last compaction if automatic; return whether it was new."""
    seen = transcript.find_compactions(path)
    if not seen or seen[-1].trigger != "auto" or not seen[-1].model:
        return False
    from belay.budget import learned_limits

    last = seen[-1]
    return learned_limits.record_compaction(environ, last.model, last.tokens, last.time)


def find_transcript(environ: Mapping[str, str], name: str, root: str) -> str:
    """Return the path of a session's transcript, "" where there is none (HOST §5.3)."""
    direct = os.path.join(paths.client_project(environ, root), name + ".jsonl")
    if os.path.isfile(direct):
        return direct
    projects = os.path.join(paths.client_dir(environ), "projects")
    candidates = (os.path.join(projects, folder, name + ".jsonl") for folder in core_files.list_names(projects))
    return next((path for path in candidates if os.path.isfile(path)), "")


def format_line(found: Budget) -> str:
    """Return the figure in one line: share, source with age, and the reason of the limit."""
    age = f", {found.age:.0f} s old" if found.age is not None else ""
    return f"Context: {budget_usage.format_share(found)}; from the {found.source}{age}. {found.why[-1]}."


def parse_epoch(stamp: str) -> float:
    """Return a UTC time such as 2026-01-02T03:04:05.678Z as seconds since the epoch, 0.0 if it is not one."""
    # strptime and calendar load datetime and re, which a hot hook may not; mktime takes local standard time.
    try:
        month, day, hour, minute, second = (int(stamp[at : at + 2]) for at in (5, 8, 11, 14, 17))
        whole = time.mktime((int(stamp[:4]), month, day, hour, minute, second, 0, 0, 0)) - time.timezone
        return whole + float("0" + stamp[19:].rstrip("Z"))
    except (ValueError, OverflowError):
        return 0.0


def _json(path: str) -> dict[str, Any]:
    if not os.path.isfile(path):
        return {}
    try:
        value = json_codec.loads(core_files.read(path, FILE_BYTES).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _number(value: object) -> int:
    return value if type(value) is int and 0 < value < 1 << 40 else 0
