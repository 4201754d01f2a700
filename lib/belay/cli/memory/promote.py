"""`belay promote`: learnings that several projects hold, kept for every project when the user agrees."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from belay.cli import output
from belay.cli.output import Result
from belay.core import paths, plain_text
from belay.core.errors import BadInput
from belay.memory import memory_files, promotion
from belay.memory.promotion import Candidate
from belay.safety import redaction

if TYPE_CHECKING:
    from belay.cli.results import CandidateRow, Evidence, Promotion

_ID = re.compile(r"[Gg]-[A-Za-z2-7]{6}")


@output.command(
    "promote",
    examples="""
    belay promote                                what several projects have learned
    belay promote G-ABCDEF --yes                 keep it for every project
    belay promote "Conventional commits" --yes   keep this
    belay promote --dismiss G-ABCDEF             do not offer it again
    belay promote --undo
    """,
)
@click.option("--yes", is_flag=True, help="Write; without it the lines are only shown.")
@click.option("--undo", is_flag=True, help="Undo the last promotion.")
@click.option("--dismiss", is_flag=True, help="Do not offer these again.")
@click.argument("names", nargs=-1, metavar="[ID | TEXT]...")
def command(yes: bool, undo: bool, dismiss: bool, names: tuple[str, ...]) -> Result:
    """Keep learnings for every project. Without --yes nothing is written."""
    data = _data()
    if undo:
        return _result({**data, "undone": promotion.undo_promotion(os.environ)})
    ids = [name.upper() for name in names if _ID.fullmatch(name)]
    wanted = promotion.find_chosen(os.environ, ids)
    if dismiss:
        if not ids:
            raise click.UsageError("which? belay promote --dismiss ID")
        promotion.dismiss(os.environ, ids)
        return _result({**data, "dismissed": ids})
    if not names:
        return _result({**data, "candidates": [_row(one) for one in promotion.find_candidates(os.environ)]})
    lines = [one.text for one in wanted] + [_text(name) for name in names if not _ID.fullmatch(name)]
    saved = promotion.save_learnings(os.environ, lines) if yes else memory_files.Saved("")
    return _result({**data, "lines": lines, "saved": saved.what, "why": saved.why, "written": yes and not saved.why})


def _data() -> Promotion:
    return {"file": paths.global_memory(os.environ), "candidates": [], "lines": [], "dismissed": [], "undone": [],
            "saved": "", "why": "", "written": False}  # fmt: skip


def _text(name: str) -> str:
    said = plain_text.one_line(name, promotion.TEXT_CHARS)
    if not said:
        raise BadInput("the text", "is empty", 'say what to keep: belay promote "…"')
    if redaction.find_secrets(name):
        raise BadInput("the text", "holds a secret", "name the variable in .env instead")
    return said


def _row(one: Candidate) -> CandidateRow:
    evidence: list[Evidence] = [
        {"project": place.project, "file": place.file, "line": place.line} for place in one.evidence
    ]
    return {"id": one.id, "kind": one.kind, "text": one.text, "evidence": evidence}


def _result(data: Promotion) -> Result:
    return Result(data, "\n".join(_format_lines(data)), 1 if data["why"] else 0)


def _format_lines(data: Promotion) -> list[str]:
    if data["undone"]:
        return [f"Undone: {', '.join(data['undone'])}"]
    if data["dismissed"]:
        return [f"Not offered again: {', '.join(data['dismissed'])}"]
    if data["why"]:
        return [f"Not written: {data['file']} {data['why']}"]
    if data["lines"]:
        head = f"Saved in {data['file']}:" if data["saved"] else f"Already in {data['file']}:"
        return [
            head if data["written"] else f"Nothing is written yet; --yes adds to {data['file']}:",
            *(f"- {line}" for line in data["lines"]),
        ]
    if not data["candidates"]:
        return ["There is nothing to promote: no two projects share a learning that is not kept or dismissed yet."]
    return [line for row in data["candidates"] for line in _shown(row)]


def _shown(row: CandidateRow) -> list[str]:
    places = [f"    {one['project']}: {one['file']}:{one['line']}" for one in row["evidence"]]
    return [f"{row['id']} {row['kind']}: {row['text']}", *places]
