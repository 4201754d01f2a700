"""`belay memory-init`: a CLAUDE.md beside the code, made or completed from a template and what the code holds."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output, terminal
from belay.cli.output import Result
from belay.core.errors import BadInput
from belay.core.plain_text import count, one_line, shown
from belay.memory import memory_files, undo
from belay.places import hierarchy
from belay.places.scaffold import recurring, scaffolding, sections, template_files
from belay.places.scaffold.project_types import PROJECT_TYPES
from belay.safety import redaction
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.places.scaffold.recurring import RecurringSection
    from belay.places.scaffold.scaffolding import Scaffold
    from belay.repository.code.facts import FactRow

_LEVELS = {"root": hierarchy.ROOT, "orchestration": hierarchy.ORCHESTRATED, "component": hierarchy.COMPONENT}
_TITLE_CHARS = 80


class SectionPlace(TypedDict):
    """Where a section is."""

    path: str
    line: int


class SectionOffer(TypedDict):
    """A section that several files have and their template lacks."""

    section: str
    places: list[SectionPlace]


class MemoryInit(TypedDict):
    """`belay memory-init`."""

    results: list[FactRow]
    file: str
    template: str
    template_file: str
    project_type: str
    why_type: str
    text: str
    written: bool
    undone: list[str]
    notes: list[str]
    offers: list[SectionOffer]


@output.command(
    "memory-init",
    examples="""
    belay memory-init src/features/auth            make or complete its CLAUDE.md
    belay memory-init src/features/auth --dry-run  show it, write nothing
    belay memory-init . --template orchestration
    belay memory-init --add-section 'Rate Limits' --template feature
    belay memory-init --undo                       put back what was there
    """,
)
@click.argument("folder", required=False, default="")
@click.option("--template", default="", help=f"{', '.join(template_files.TEMPLATES)}, or one of your own.")
@click.option("--project-type", type=click.Choice(list(PROJECT_TYPES)), default=None, help="Adds its section.")
@click.option("--stage", type=click.Choice(sections.STAGES), default=None, help="Only the sections of this stage.")
@click.option("--dry-run", is_flag=True, help="Show what would be written.")
@click.option("--add-section", metavar="TITLE", default="", help="Add a section to the project's own template.")
@click.option("--undo", "undoing", is_flag=True, help="Undo the last change of this command.")
def command(
    folder: str,
    template: str,
    project_type: str | None,
    stage: str | None,
    dry_run: bool,
    add_section: str,
    undoing: bool,
) -> Result:
    """Make or complete the CLAUDE.md of a folder. From a template; what the code holds is marked as found."""
    project = output.here()
    if undoing:
        return _undo(project)
    if add_section:
        return _add_section(project, template or "feature", add_section, dry_run)
    place = scaffolding.find_folder(project, folder)
    with terminal.Progress("Reading the code"):
        made = scaffolding.plan_scaffold(project, os.environ, place, template, project_type or "", stage or "")
    written = not dry_run and scaffolding.save_scaffold(project, os.environ, made)
    data = _make_data(made, written, _list_offers(project, made.template))
    return Result(data, "\n".join(_format_preview(data) if dry_run else _format_outcome(data, made)))


def _make_data(made: Scaffold, written: bool, offers: list[RecurringSection]) -> MemoryInit:
    return {
        "results": [
            {"kind": fact.kind, "name": redaction.redact(fact.name), "path": make_label(fact.path), "line": fact.line}
            for fact in made.facts
        ],
        "file": made.path, "template": made.template.name, "template_file": made.template.file,
        "project_type": made.project_type, "why_type": made.why_type, "text": made.after, "written": written,
        "undone": [], "notes": made.notes,
        "offers": [
            {"section": offer.title, "places": [{"path": path, "line": line} for path, line in offer.places]}
            for offer in offers
        ],
    }  # fmt: skip


def _empty(path: str, name: str, text: str, *, written: bool = False, undone: list[str] | None = None) -> MemoryInit:
    return {
        "results": [], "file": path, "template": name, "template_file": path, "project_type": "", "why_type": "",
        "text": text, "written": written, "undone": undone or [], "notes": [], "offers": [],
    }  # fmt: skip


def _list_offers(project: Project, template: template_files.Template) -> list[RecurringSection]:
    level = _LEVELS.get(template.name, hierarchy.FEATURE)
    parts = sections.parse_template(template.text)
    return recurring.find_recurring(project, os.environ, hierarchy.read(project.root), level, parts)


def _undo(project: Project) -> Result:
    with memory_files.lock_memory(project):
        restored = undo.undo_last_change(project, os.environ, scaffolding.COMMAND)
    return Result(_empty("", "", "", undone=restored), f"As before memory-init: {', '.join(restored)}")


def _add_section(project: Project, name: str, title: str, dry_run: bool) -> Result:
    """Add a section to the template in use; the plugin's own is copied into the project first."""
    said = one_line(title.strip().lstrip("#"), _TITLE_CHARS)
    if not said or redaction.find_secrets(title):
        raise BadInput("the title", "is empty, or holds a secret", "memory-init --add-section 'TITLE'")
    used = template_files.load_template(project, os.environ, name)
    if sections.make_key(said) in [
        sections.make_key(part.title) for part in sections.parse_template(used.text).sections
    ]:
        return Result(_empty(used.file, name, used.text), f"The template {name} has the section {said} already.")
    path = used.file or project.relative(template_files.find_own_file(project, name))
    after = recurring.add_section(used.text, said)
    before = used.text if used.file else ""
    written = not dry_run and scaffolding.save_text(project, os.environ, scaffolding.COMMAND, path, before, after)
    done = f"{path} has the section {said}; `belay memory-init --undo` takes it out." if written else after.rstrip("\n")
    return Result(_empty(path, name, after, written=written), done)


def _format_preview(data: MemoryInit) -> list[str]:
    rows = [f"{data['file']} would hold:", "", data["text"].rstrip("\n"), ""]
    return [*rows, *_format_notes(data), "Nothing is written yet; the same command without --dry-run writes it."]


def _format_outcome(data: MemoryInit, made: Scaffold) -> list[str]:
    if not data["written"]:
        return [
            f"{data['file']} is up to date: it has every section, and what was found is the same.",
            *_format_notes(data),
        ]
    verb = "completed" if made.before else "made"
    source = data["template_file"] or f"the template {data['template']}"
    counted = Counter(fact.kind for fact in made.facts)
    found = ", ".join(
        count(number, kind, "dependencies" if kind == "dependency" else "") for kind, number in sorted(counted.items())
    )
    rows = [f"{data['file']} was {verb} from {source}; `belay memory-init --undo` takes it back."]
    return [*rows, f"Found in the code: {found or 'nothing'}.", *_format_notes(data)]


def _format_notes(data: MemoryInit) -> list[str]:
    kind = [f"Taken for a project of type {data['project_type']}: {data['why_type']}."] if data["project_type"] else []
    option = f" --template {data['template']}" if data["template"] != "feature" else ""
    offers = [
        f"{count(len(offer['places']), 'file')} have a section {shown(offer['section'])} that the template lacks: "
        f"`belay memory-init --add-section {shlex.quote(offer['section'])}{option}` adds it."
        for offer in data["offers"]
    ]
    return [*kind, *data["notes"], *offers]
