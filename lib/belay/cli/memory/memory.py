"""`belay memory`: a memory file as sections and records; one section set, everything else byte for byte."""

from __future__ import annotations

import os
import sys

import click

from belay.cli import output, working_folder
from belay.cli.output import Result
from belay.core import paths
from belay.core.constants import FILE_BYTES
from belay.core.errors import BadInput, NotAProject
from belay.memory import memory_files, templates
from belay.memory.document import edits, page, template_sections
from belay.memory.document.page import Page, Section
from belay.repository import projects
from belay.safety.redaction import redact

SHOWN_CHARS = 80
MEMORY = "MEMORY.md"


class Memory(click.Group):
    """The group, whose `show` and `check` are loaded when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["show", "set", "check", "records", "roundtrip"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "show":
            from belay.cli.memory import memory_show

            shown: click.Command = memory_show.command
            return shown
        if cmd_name == "check":
            from belay.cli.claude_files import memory_check

            check: click.Command = memory_check.command
            return check
        return super().get_command(ctx, cmd_name)


@click.group("memory", cls=Memory, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Show or set a section of MEMORY.md, check all memory files. Nothing else of a file changes."""


@output.command("roundtrip", examples="belay memory roundtrip MEMORY.md CLAUDE.md")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def roundtrip(files: tuple[str, ...]) -> Result:
    """Parse files, write them again in memory, compare the bytes. Nothing is changed; 1 if any differs."""
    rows = [_round(name) for name in files]
    text = "\n".join(f"{row['file']}: {row['why'] or 'same'}" for row in rows)
    return Result({"files": rows}, text, 1 if any(row["why"] for row in rows) else 0)


def _round(name: str) -> dict[str, object]:
    try:
        data = _bytes(name)
    except BadInput as error:
        return {"file": name, "same": False, "bytes": 0, "records": 0, "why": error.what}
    found = page.parse(data.decode("utf-8", "surrogateescape"))
    again = page.render(found).encode("utf-8", "surrogateescape")
    why = "" if again == data else f"differs from byte {_first_difference(data, again)} on"
    return {"file": name, "same": not why, "bytes": len(data), "records": len(found.records), "why": why}


def _first_difference(one: bytes, other: bytes) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


@output.command("records", examples="belay memory records MEMORY.md --json")
@click.argument("file")
def records(file: str) -> Result:
    """List the records of a file with their spans. They tile it; every row and bullet is one."""
    found = page.parse(_bytes(file).decode("utf-8", "surrogateescape"))
    offsets = _offsets(found)
    rows = [
        {
            "kind": row.kind,
            "line": row.start + 1,
            "end": row.end,
            "span": [offsets[row.start], offsets[row.end]],
            "section": found.sections[row.section].title if row.section >= 0 else "",
            "name": found.sections[row.section].name if row.section >= 0 else "",
            "text": row.text.encode("utf-8", "replace").decode(),
            "cells": [cell.encode("utf-8", "replace").decode() for cell in row.cells],
        }
        for row in found.records
    ]
    lines = [f"{row['line']:>5} {row['kind']:<12} {' '.join(str(row['text']).split())[:SHOWN_CHARS]}" for row in rows]
    return Result({"file": file, "bytes": offsets[-1], "records": rows}, "\n".join(lines))


def _offsets(found: Page) -> list[int]:
    """Return the byte at which each line begins, and the file's length at the end."""
    offsets = [0]
    for line in found.lines:
        offsets.append(offsets[-1] + len(line.encode("utf-8", "surrogateescape")))
    return offsets


@output.command(
    "set",
    examples="""
    belay memory set MEMORY.md "Project Overview" < overview.txt
    belay memory set MEMORY.md "Notes#2" < notes.txt     the second section of that name
    belay memory set MEMORY.md "Risks" --create < risks.txt
    """,
)
@click.option(
    "--create",
    is_flag=True,
    help="Make the section where there is none: at its place in the template, else at the end.",
)
@click.argument("file")
@click.argument("section")
def set_(file: str, section: str, create: bool) -> Result:
    """Replace the text of one section by stdin. Every other byte stays; secrets are redacted.

    MEMORY.md is the project's own, from any folder of it without one.
    """
    text = _stdin()
    file = _named(file)
    wrong = _wrong(page.parse(_bytes(file, create).decode("utf-8", "surrogateescape")), section, create)
    if wrong:
        return Result({"error": {"where": file, **wrong}}, f"belay: {file}: {wrong['what']}; {wrong['mend']}", 2)
    project, path = _place(file)
    shipped = page.parse(templates.load_template(project, os.environ, MEMORY))
    with memory_files.lock_memory(project):
        saved = memory_files.change_file(project, os.environ, path, lambda old: _set(old, section, text, shipped))
    if saved.why:
        raise BadInput(file, saved.why, "repair the file and try again")
    data = {"file": saved.file, "section": section, "changed": bool(saved.what)}
    return Result(data, f"{saved.file}: {section} {'set' if saved.what else 'is as it was'}")


def _set(old: str, wanted: str, text: str, shipped: Page) -> str:
    found = page.parse(old)
    chosen = _chosen(found, wanted)
    if len(chosen) == 1:
        return edits.set_body(found, chosen[0], text).text
    model = next((one for one in shipped.titled(wanted) if one.name), None)
    if model and found.lines:
        return _placed(edits.ensure_section(found, model.name, shipped), model.name, text).text
    title = wanted.strip()
    gap = [""] if found.lines and page.strip_line_end(found.lines[-1]).strip() else []
    found = edits.insert_lines(found, len(found.lines), [*gap, f"## {title}"])
    return edits.set_body(found, found.titled(title)[-1], text).text


def _placed(found: Page, name: str, text: str) -> Page:
    """Return the page with the text in a section just made, a blank line before the next one."""
    section = found.section(name)
    new = edits.set_body(found, section, text) if section else found
    end = next((one.end for one in new.sections if one.name == name), 0)
    return edits.insert_lines(new, end, [""]) if end < len(new.lines) else new


def _wrong(found: Page, wanted: str, create: bool) -> dict[str, str]:
    """Return what keeps a section from being set, {} when nothing does."""
    chosen = _chosen(found, wanted)
    if len(chosen) == 1 or (create and not chosen):
        return {}
    if chosen:
        lines = ", ".join(str(one.start + 1) for one in chosen)
        return {"what": f"{wanted} stands in lines {lines}", "mend": f"name one: {wanted}#2"}
    titles = ", ".join(one.title for one in found.sections) or "none"
    return {"what": f"there is no section {wanted}", "mend": f"--create appends it; there are: {titles}"}


def _chosen(found: Page, wanted: str) -> list[Section]:
    """Return the sections that are meant: by title, by `TITLE#n`, else by what the templates call it."""
    named = found.titled(wanted)
    title, mark, number = wanted.rpartition("#")
    if not named and mark and number.isdigit():
        several = found.titled(title)
        return several[int(number) - 1 : int(number)] if int(number) else []
    return named or [
        one for one in found.sections if one.name and one.name == template_sections.canonical_section(wanted)
    ]


def _named(file: str) -> str:
    """Return the path of a file; a bare MEMORY.md that is not here is the project's, as messages call it."""
    if file != MEMORY or os.path.lexists(file):
        return file
    project = projects.find(working_folder.find(os.environ), os.environ)
    return project.memory_md if project else file


def _place(file: str) -> tuple[paths.Project, str]:
    path = os.path.abspath(file)
    project = projects.find(os.path.dirname(path), os.environ)
    if project is None:
        raise NotAProject(os.path.dirname(path), "is your home or the root, not a project", "use a project's file")
    return project, os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def _bytes(file: str, absent: bool = False) -> bytes:
    if absent and not os.path.lexists(file):
        return b""
    if not os.path.isfile(file):  # a pipe would keep us waiting, a device never end
        what = "is not a file" if os.path.lexists(file) else "does not exist"
        raise BadInput(file, what, "name a file that does" if what == "does not exist" else "name a plain file")
    try:
        with open(file, "rb") as handle:
            data = handle.read(FILE_BYTES + 1)
    except OSError as error:
        raise BadInput(file, error.strerror or str(error), "name a readable file") from error
    if len(data) > FILE_BYTES:
        raise BadInput(file, "is over 1 MB", "a memory of that size is not read; split it")
    return data


def _stdin() -> str:
    if sys.stdin.isatty():
        raise BadInput("memory set", "reads the text from stdin", "belay memory set FILE SECTION < text")
    data = sys.stdin.buffer.read(FILE_BYTES + 1)
    if len(data) > FILE_BYTES:
        raise BadInput("memory set", "the text is over 1 MB", "set less")
    return redact(data.decode("utf-8", "surrogateescape"))


for one in (roundtrip, records, set_):
    command.add_command(one)
