"""`belay health`: how far a memory file can be relied on, why not further, and what helps."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from belay.cli import output, terminal, working_folder
from belay.cli.output import Result
from belay.cli.setup import waiting_rows
from belay.core import clock, files
from belay.core.constants import FILE_BYTES
from belay.core.errors import BadInput, mend_foreign
from belay.core.paths import Project
from belay.core.plain_text import count
from belay.memory.document import facts, page
from belay.memory.health import cached_score, line_numbers, points, score
from belay.memory.health.health_types import Dimension, Evidence, Health, Reason
from belay.memory.memory_facts import Facts
from belay.repository import projects
from belay.safety import trust

if TYPE_CHECKING:
    from belay.cli.results import HealthResult, WeighedDimension

SHOWN = 5
"""Reasons printed of one dimension; --json has all."""
RECOVERY = ["belay rebuild"]

Values = dict[str, object]


class _Layered(NamedTuple):
    """Layers merged, the place of each line, and the path of the one whose header counts."""

    page: page.Page
    places: list[line_numbers.Place]
    newest: str


@output.command(
    "health",
    reads_history=True,
    examples="""
    belay health                 score this project's MEMORY.md
    belay health backend/CLAUDE.md
    belay health --json
    """,
)
@click.argument("file", required=False, default="")
def command(file: str) -> Result:
    """Score a memory file from 1 to 10. Four dimensions, a reason for every point lost, and what helps."""
    path = os.path.abspath(file) if file else output.here().memory_md
    data = _bytes(path, bool(file))
    project = projects.find(os.path.dirname(path), os.environ)
    own = project is not None and path == project.memory_md
    shown, rows = waiting_rows.read_shown(project, path, data) if project else (data, 0)
    base = _page(shown)
    over = _layered(project, base) if own and project and not file else None
    known = facts.read_facts(over.page if over else base)
    evidence = _evidence(project, over.newest if over else path, known)
    found = score.score_memory(known, evidence, own)
    found = line_numbers.place_reasons(found, over.places) if over else found
    is_foreign = own and project is not None and not rows and _is_foreign(project, data)
    if own and project and not is_foreign:
        cached_score.save_score(project, found["score"], trust.digest(data))
    name = file or "MEMORY.md"
    told = _told_of(name, found, evidence, _notes(path, data))
    told["rows"] = rows
    silent = is_foreign and bool(os.environ.get("CLAUDE_CODE_SESSION_ID"))
    if is_foreign and not silent:
        told["notes"].append(f"came from elsewhere and is not shown to Claude; {mend_foreign(name)}")
    return Result(told, "\n".join(_rows(told, silent)), parts=_parts(told, silent))


def _is_foreign(project: Project, data: bytes) -> bool:
    """Whether nobody accepted the memory: its score is not kept, and its words stay out of a session of Claude."""
    from belay.repository import vetting

    name = project.relative(project.memory_md)
    return (
        not trust.is_known(os.environ, project.root, name, data)
        and name in vetting.read_trusted(project, os.environ, [name])[1]
    )


def _bytes(path: str, named: bool) -> bytes:
    """Return a readable file's bytes; BadInput says in one line why there are none."""
    if not os.path.isfile(path):
        what = "is not a file" if os.path.lexists(path) else "does not exist"
        mend = "give the path of a memory file" if named else "/wrap-up or `belay rebuild` starts one"
        raise BadInput(path, what, mend)
    if os.path.getsize(path) > FILE_BYTES:
        raise BadInput(path, "is over 1 MB", "a memory of that size is not read; split it")
    try:
        return files.read(path)
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read", "check its permissions") from error


def _page(data: bytes) -> page.Page:
    """Return the parsed file; an empty one, where it is not text at all."""
    return page.parse("" if b"\0" in data else data.decode("utf-8", "surrogateescape"))


def _layered(project: Project, base: page.Page) -> _Layered | None:
    """Return the base with the trusted layers on it that a session begun here has; None where there are none."""
    if not os.path.isdir(project.overlays) and os.path.realpath(working_folder.find(os.environ)) == project.root:
        return None
    from belay.context.start import compiled_memory, load_sequence
    from belay.memory.document import layers

    memory = compiled_memory.read(project, os.environ, working_folder.find(os.environ))
    above = {name: page.parse(text) for name, text in memory.above().items()}
    if not above:
        return None
    merged = base
    for top in above.values():
        merged = page.parse(layers.merge_overlay(merged, top))
    return _Layered(
        merged, line_numbers.find_places(merged, base, above), project.at(load_sequence.newest_layer(memory))
    )


def _notes(path: str, data: bytes) -> list[str]:
    """Return what keeps Belay from writing the file; it is scored all the same, for that only reads."""
    why = "is not text" if b"\0" in data else files.explain_refusal(path)
    return [f"{why}: Belay does not write it until that is repaired"] if why else []


def _told_of(name: str, found: Health, evidence: Evidence, notes: list[str]) -> HealthResult:
    parts: dict[str, Dimension] = {
        "freshness": found["freshness"], "relevance": found["relevance"],
        "completeness": found["completeness"], "actionability": found["actionability"],
    }  # fmt: skip
    dimensions: dict[str, WeighedDimension] = {
        name: {
            "weight": score.WEIGHTS[name],
            "score": part["score"],
            "note": part["note"],
            "reasons": part["reasons"],
        }
        for name, part in parts.items()
    }
    low = points.needs_recovery(found) and os.path.basename(name).upper() == "MEMORY.MD"
    return {
        "file": name, "score": found["score"], "points": found["points"], "limits": found["limits"],
        "dimensions": dimensions, "offers": RECOVERY if low else [],
        "repo": bool(evidence.get("repo")), "notes": notes, "rows": 0,
    }  # fmt: skip


def _parts(data: HealthResult, silent: bool) -> list[terminal.Part]:
    """Return the same for a terminal, the dimensions as a table with a bar each."""
    table = [
        (name.capitalize(), f"{points.round_points(row['score'])}/10", _bar(row["score"]), row["note"])
        for name, row in data["dimensions"].items()
    ]
    head, *rest = _rows(data, silent)
    return [head, terminal.Table(table, wraps=True), *rest[len(table) :]]


def _bar(points: float) -> str:
    full = min(10, max(0, round(points)))
    return "━" * full + "·" * (10 - full)


def _rows(data: HealthResult, silent: bool) -> list[str]:
    rows = [f"Memory health: {data['score']}/10"]
    limits = [f"At most {limit['points']:g}: {limit['why']}" for limit in data["limits"][:1]]
    for name, row in data["dimensions"].items():
        rows.append(f"{name.capitalize()}: {points.round_points(row['score'])}/10 ({row['note']})")
    rows += [] if silent else limits
    for name, row in data["dimensions"].items():
        rows += [] if silent else _reasons(name, row["reasons"])
    rows += [f"\nThe reasons quote a text that is not trusted here; {mend_foreign(data['file'])}"] if silent else []
    rows += [f"\nNot rated: {waiting_rows.describe_waiting(data['file'], data['rows'])}."] if data["rows"] else []
    rows += [f"\n{data['file']} {note}" for note in data["notes"]]
    exactly = f" ({data['points']:.1f})" if data["score"] >= points.RECOVER_BELOW else ""
    return rows + [f"\nBelow {points.RECOVER_BELOW}{exactly}: `{offer}` proposes a new one" for offer in data["offers"]]


def _reasons(name: str, reasons: list[Reason]) -> list[str]:
    if not reasons:
        return []
    rows = [f"  -{row['lost']:.1f}  {_place(row)}{row['what']}\n        → {row['mend']}" for row in reasons[:SHOWN]]
    more = len(reasons) - SHOWN
    return ["", name.capitalize(), *rows] + [f"        and {count(more, 'more reason')} (--json)"] * (more > 0)


def _place(row: Reason) -> str:
    if not row["line"]:
        return ""
    return f"line {row['line']}" + (f" of {row['file']}" if "file" in row else "") + ": "


def _evidence(project: Project | None, path: str, known: Facts) -> Evidence:
    """Return what the repository says; without one nothing is asked, and no folder is walked for it."""
    if project is None or not project.git_dir:
        return {"repo": False, "today": clock.local_date()}
    from belay.memory.health import evidence

    return evidence.gather_evidence(project, known, path=path)
