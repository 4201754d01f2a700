"""`belay tiers`: what each tier of memory holds, how large it is, and what is over its budget."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.cli import output, terminal, working_folder
from belay.cli.output import Result, here
from belay.context.tiers import survey
from belay.core import paths
from belay.core.plain_text import count, shown

if TYPE_CHECKING:
    from belay.context.tiers.survey import Item, Repeat, Survey, Tier

PATH_CHARS, LINE_CHARS = 60, 200
SHOWN = 12
"""Items and repeats of a tier that are printed; --json has all."""


@output.command("tiers", examples="belay tiers\nbelay tiers --json")
def command() -> Result:
    """Show what a session loads and what is kept, with sizes."""
    project = here()
    found = survey.survey(project, working_folder.find(os.environ), os.environ)
    return output.make_result(_data(found), _parts(found, project))


def _data(found: Survey) -> dict[str, object]:
    tiers = [{**_sums(tier), "items": [item._asdict() for item in tier.items]} for tier in found.tiers]
    return {"tiers": tiers, "repeats": [pair._asdict() for pair in found.repeats]}


def _sums(tier: Tier) -> dict[str, object]:
    return {
        "tier": tier.number, "title": tier.title, "budget": tier.budget, "over": tier.over, "bytes": tier.bytes,
        "tokens": tier.tokens,
    }  # fmt: skip


def _parts(found: Survey, project: paths.Project) -> list[terminal.Part]:
    parts: list[terminal.Part] = []
    for tier in found.tiers:
        amount = survey.format_size(tier.bytes) if tier.tokens is None else count(tier.tokens, "token")
        parts.append(f"Tier {tier.number}, {tier.title}: {amount} (budget: {tier.budget})")
        parts.append(terminal.Table([_cells(item, project) for item in tier.items[:SHOWN]] or [("nothing",)], indent=2))
        parts += [f"  and {len(tier.items) - SHOWN} more: belay tiers --json"] if len(tier.items) > SHOWN else []
        parts += [f"  Over its budget: {shown(_name(line, project), LINE_CHARS)}" for line in tier.over]
    return [*parts, *_repeat_lines(found.repeats, project)]


def _cells(item: Item, project: paths.Project) -> tuple[str, ...]:
    size = survey.format_size(item.bytes) if item.tokens is None else count(item.tokens, "token")
    about = [item.what] if item.path else []
    about += [count(item.lines, "line")] if item.lines else []
    about += [item.note] if item.note else []
    return size, shown(_name(item.path or item.what, project), PATH_CHARS), shown(", ".join(about), LINE_CHARS)


def _name(text: str, project: paths.Project) -> str:
    """Return a path as short as it can be said: from the project's root, or from the user's home."""
    home = paths.home_dir(os.environ)
    for place, sign in ((project.root + os.sep, ""), (home + os.sep, "~" + os.sep)):
        if text.startswith(place):
            return sign + text[len(place) :]
    return text


def _repeat_lines(repeats: list[Repeat], project: paths.Project) -> list[str]:
    if not repeats:
        return []
    pairs = [(_name(pair.first, project), _name(pair.second, project)) for pair in repeats[:SHOWN]]
    rows = [f"  {shown(first, LINE_CHARS)} and {shown(second, LINE_CHARS)}" for first, second in pairs]
    more = [f"  and {len(repeats) - SHOWN} more: belay tiers --json"] if len(repeats) > SHOWN else []
    return [f"Said twice in what is loaded ({len(repeats)}):", *rows, *more]
