"""`belay memory show`: what a session's start loads of the memory, or one section or tier."""

from __future__ import annotations

import os

import click

from belay.cli import output, terminal, working_folder
from belay.cli.output import Result, here
from belay.context.start import compiled_memory
from belay.core import kinds
from belay.core.errors import BadInput, mend_foreign
from belay.memory.document import template_sections
from belay.memory.memory_facts import Facts
from belay.memory.remember import tiers

SECTIONS = [name for tier in sorted(tiers.TIERS) for name in tiers.TIERS[tier]]
GAPS, ISSUES = "gaps", "issues"
"""What seed 004's form calls its known issues."""
OTHERS = ("active", "completed", "workstreams", "references")
"""Sections of no tier: git and todo lists have most of it; shown when asked for by name."""


@output.command(
    "show",
    examples="""
    belay memory show                what a session's start loads: tier 1
    belay memory show decisions      one section, the branch's overlay included
    belay memory show --tier 2 --json
    """,
)
@click.option("--tier", type=click.IntRange(1, 3), help="Show a tier: 1 always loaded, 2 on demand, 3 if asked.")
@click.argument("section", required=False, default="")
def command(section: str, tier: int | None) -> Result:
    """Print a section or a tier as Claude gets it. Layers: MEMORY.md, a nearer one, the branch's overlay."""
    if section and tier:
        raise click.UsageError("name a section or a tier, not both")
    memory = compiled_memory.load(here(), os.environ, working_folder.find(os.environ))
    if not memory.facts:
        raise BadInput("MEMORY.md", _why(memory), _mend(memory))
    facts: Facts = {**memory.facts, "told": []}  # asked for by name: told whoever else says it
    names = [_name(section)] if section else list(tiers.TIERS[tier or 1])
    rows = [(name, tiers.format_lines(facts, name, memory.branch)) for name in names]
    data: dict[str, object] = {
        "layers": memory.layers, "branch": memory.branch, "tier": None if section else tier or 1,
        "sections": [{"name": name, "lines": lines} for name, lines in rows],
    }  # fmt: skip
    text = "\n".join(line for _, lines in rows for line in lines)
    pages = [
        f"## {kinds.MEMORY_SECTIONS[name]}\n\n" + "".join(f"- {line}\n" for line in lines)
        for name, lines in rows
        if lines
    ]
    if not text:
        return Result(data, f"{section or 'This tier'} is empty.")
    return Result(data, text, parts=[terminal.Page("\n".join(pages))])


def _name(section: str) -> str:
    """Return the canonical name of a section that is asked for by that or by any title of it."""
    known = [*SECTIONS, *OTHERS]
    found = section.lower() if section.lower() in known else template_sections.canonical_section(section)
    found = ISSUES if found == GAPS else found
    if found not in known:
        raise click.UsageError(f"{section} is not a section that Belay knows; use one of: {', '.join(known)}")
    return found


def _why(memory: compiled_memory.Memory) -> str:
    return (
        "is not accepted here"
        if memory.unknown
        else memory.refused[0].partition(" ")[2]
        if memory.refused
        else "does not exist"
    )


def _mend(memory: compiled_memory.Memory) -> str:
    if memory.unknown:
        return mend_foreign(memory.unknown[0])
    return "repair the file first" if memory.refused else "/wrap-up or `belay rebuild` starts one"
