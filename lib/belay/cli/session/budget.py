"""`belay budget`: how full the context is, and where the figure and the limit come from."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from belay.budget import measurement
from belay.budget import usage as budget_usage
from belay.cli import output
from belay.client import transcript
from belay.client.event import session_name
from belay.core.errors import BadInput, NotAProject

FIELDS = ("used", "limit", "window", "percent", "source", "model")
NOTHING = "No usage is known yet: the transcript holds no answer since the last compaction."


@output.command("budget", examples="belay budget\nbelay budget --transcript session.jsonl --json")
@click.option("--transcript", "file", metavar="FILE", help="Measure this transcript by itself and the environment.")
@click.option("--session", "name", metavar="ID", help="Measure this session instead of the current one.")
def command(file: str | None, name: str | None) -> output.Result:
    """Explain how much of the context is used. Figure, source, age, limit and why."""
    found = measure_file(file) if file else measure_session(name)
    if found is None:
        return output.Result(dict.fromkeys(FIELDS), NOTHING)
    return output.Result({field: getattr(found, field) for field in FIELDS}, explain(found))


def measure_file(path: str) -> budget_usage.Budget | None:
    """Return the budget read from a transcript and the environment alone, without learned limits."""
    if not os.path.isfile(path):
        raise BadInput(path, "is not a file", "give the path of a transcript (.jsonl)")
    try:
        last, seen = _walk(path)
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read", "check its permissions") from error
    if last is None:
        return None
    found = budget_usage.measure(last.tokens, last.model, os.environ, seen=seen)
    moment = measurement.parse_epoch(last.time)
    found.age = max(0.0, time.time() - moment) if moment else None
    return found


def _walk(path: str) -> tuple[transcript.Usage | None, int]:
    """Return the last usage since the last boundary, and the largest size of its model that went through.

    A size that an automatic compaction answered confirms the limit; it counts only above the model's window.
    """
    last: transcript.Usage | None = None
    sizes: dict[str, int] = {}
    for step in transcript.iterate_sizes(path):
        if last and not _ends(step, last):
            sizes[last.model] = max(sizes.get(last.model, 0), last.tokens)
        last = step if isinstance(step, transcript.Usage) else None
    return last, sizes.get(last.model, 0) if last else 0


def _ends(step: transcript.Usage | transcript.Compaction, last: transcript.Usage) -> bool:
    """Whether the step is the same answer's next line, or the compaction that answered it."""
    if isinstance(step, transcript.Usage):
        return bool(step.message) and step.message == last.message
    return step.trigger == "auto" and _fits(last)


def _fits(usage: transcript.Usage) -> bool:
    return usage.tokens <= budget_usage.find_window(usage.model, os.environ)


def measure_session(name: str | None) -> budget_usage.Budget | None:
    """Return the budget of a session, the calling one without a name."""
    try:
        project = output.here()
    except NotAProject:
        project = None
    wanted = session_name(name) if name else (output.session(project) if project else "")
    if not wanted:
        return None
    root = project.root if project else ""
    return measurement.measure_transcript(
        os.environ, wanted, measurement.find_transcript(os.environ, wanted, root), root
    )


def explain(found: budget_usage.Budget) -> str:
    """Return the figure for people: share, source, age, model, and each step that led to the limit."""
    rows: list[tuple[str, Any]] = [
        ("context", budget_usage.format_share(found)),
        ("source", f"{found.source}, {_age(found.age)}"),
        ("model", found.model or "unknown"),
    ]
    lines = [f"{name:<9}{value}" for name, value in rows]
    return "\n".join([*lines, *(f"{'why' if not at else '':<9}{why}" for at, why in enumerate(found.why))])


def _age(seconds: float | None) -> str:
    if seconds is None:
        return "age unknown"
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit} old"
    return f"{seconds:.0f} seconds old"
