"""`belay notes`: breadcrumbs of sessions as git notes; off until they are switched on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core.errors import BadInput
from belay.core.plain_text import count, shown
from belay.repository.notes import consent, store, transfer
from belay.repository.notes.consent import REF

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.repository.notes.lines import Found

SHOWN = 20
LEAST = 4
"""Letters that a text to be removed has at least: less would be in every line."""
FOREIGN = "written elsewhere; only the user is shown it: belay notes log in a terminal"


@click.group("notes", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Keep snapshots of sessions as git notes. Off until `belay notes on`; pushed only on command."""


def _project() -> Project:
    project = here()
    if not project.git_dir:
        raise BadInput(project.root, "is no git repository", "run it in a git work tree")
    return project


@output.command("on", examples="belay notes on")
def switch_on() -> Result:
    """Switch notes on in this repository. Says which git settings it added, and how to undo it."""
    added = consent.switch_on(_project(), os.environ)
    text = [f"Notes are on: compactions, wrap-ups and ends of sessions are kept in {REF}."]
    text += [f"Added to the git settings of this repository: {row}" for row in added]
    text += ["`belay notes off` takes exactly this back. Nothing is pushed until `belay notes push`."]
    return Result({"on": True, "settings": added}, "\n".join(text))


@output.command("off", examples="belay notes off")
def switch_off() -> Result:
    """Switch notes off and take back the git settings. Notes that were written stay."""
    gone = consent.switch_off(_project(), os.environ)
    text = ["Notes are off.", *(f"Removed from the git settings of this repository: {row}" for row in gone)]
    text += [f"What was written stays; git update-ref -d {REF} deletes it."]
    return Result({"on": False, "settings": gone}, "\n".join(text))


@output.command(
    "log",
    examples="""
    belay notes log
    belay notes log -n 100
    belay notes log --json
    """,
)
@click.option("-n", "most", type=click.IntRange(1, 10_000), default=SHOWN, show_default=True, help="How many.")
def log(most: int) -> Result:
    """List breadcrumbs, the newest first."""
    project = _project()
    found, broken, large = store.read_breadcrumbs(project, os.environ)
    waiting = len(consent.load(project, os.environ).get("pending", []))
    rows = [_withhold(row) for row in found[:most]]
    data = {
        "ref": REF, "on": consent.is_on(project, os.environ), "breadcrumbs": rows, "all": len(found),
        "broken": broken, "large": large, "waiting": waiting,
    }  # fmt: skip
    text = [_format(row) for row in rows] or [f"No breadcrumbs. Notes are {'on' if data['on'] else 'off'} here."]
    if len(found) > len(rows):
        text.append(f"{len(found) - len(rows)} older: belay notes log -n {len(found)}")
    if broken:
        text.append(f"Left out: {count(broken, 'line')} that Belay cannot read.")
    if large:
        text.append(f"Left out: {count(large, 'note')} over the size that Belay reads.")
    if waiting:
        text.append(f"Waiting for the first commit: {count(waiting, 'breadcrumb')}.")
    return Result(data, "\n".join(text))


def _withhold(row: Found) -> Found:
    """Return a breadcrumb without its text where Claude would read what somebody else wrote (docs/trust.md)."""
    if row["own"] or not os.environ.get("CLAUDECODE"):
        return row
    nothing: Any = {"decisions": [], "files": [], "commits": []}
    withheld: Found = {**row, "session": "", "branch": "", "task": FOREIGN, "next": "", **nothing}
    return withheld


def _format(row: Found) -> str:
    whose = "" if row["own"] else " (written elsewhere)"
    head = f"{row['id']} {row['time'][:16].replace('T', ' ')} {row['kind']} at {row['commit'][:9]}{whose}"
    head += f" on {row['branch']}" if row["branch"] else ""
    parts = [("task", row["task"]), ("next", row["next"])]
    return "\n".join([head, *(f"  {name}: {text}" for name, text in parts if text)])


@output.command("show", examples="belay notes show B-0123456789ab")
@click.argument("name", metavar="[ID]", default="")
def show(name: str) -> Result:
    """Show one breadcrumb in full, the newest without an id."""
    found = store.read_breadcrumbs(_project(), os.environ)[0]
    row = next((row for row in found if not name or row["id"] == name), None)
    if row is None:
        raise BadInput(shown(name) or REF, "is no breadcrumb", "belay notes log lists them")
    row = _withhold(row)
    text = [_format(row)]
    for title in ("decisions", "files", "commits"):
        items = row[title]
        text += [f"  {title}:", *(f"  - {item}" for item in items)] if items else []
    counts = ", ".join(f"{number} {name}" for name, number in row["counts"].items() if number)
    return Result(row, "\n".join([*text, *([f"  counted: {counts}"] if counts else [])]))


@output.command("push", examples="belay notes push origin")
@click.argument("remote", metavar="[REMOTE]", default="")
def push(remote: str) -> Result:
    """Push the notes, and nothing else."""
    project = _project()
    name = transfer.find_remote(project, remote)
    done = transfer.push(project, name)
    text = f"Pushed {REF} to {shown(name)}." if done else "There are no notes to push."
    return Result({"remote": name, "pushed": done}, text)


@output.command("pull", examples="belay notes pull origin")
@click.argument("remote", metavar="[REMOTE]", default="")
def pull(remote: str) -> Result:
    """Fetch a remote's notes and join them with yours, line by line."""
    project = _project()
    name = transfer.find_remote(project, remote)
    done = transfer.pull(project, os.environ, name)
    text = f"Joined the notes of {shown(name)} with those here." if done else f"{shown(name)} has no notes."
    return Result({"remote": name, "pulled": done}, text)


@output.command("prune", examples="belay notes prune")
def prune() -> Result:
    """Remove notes of commits that are gone, and the oldest notes over 4 MiB."""
    gone, over = store.prune(_project(), os.environ)
    text = f"Removed {count(gone, 'note')} of commits that are not in this clone, {over} over the cap of 4 MiB."
    return Result({"gone": gone, "over": over}, text)


@output.command(
    "scrub",
    examples="""
    belay notes scrub B-0123456789ab
    belay notes scrub "the customer's name"
    """,
)
@click.argument("what", metavar="ID|TEXT")
def scrub(what: str) -> Result:
    """Remove every breadcrumb with an id or a text, and the history of the notes with it."""
    if len(what) < LEAST:
        raise BadInput(shown(what), f"has under {LEAST} letters, too few to search for", "give more of the text")
    number = store.scrub(_project(), os.environ, what)
    if not number:
        return Result({"removed": 0}, "No breadcrumb has this id or text.", 1)
    text = [
        f"Removed {count(number, 'line')} and the history of {REF}; a pull does not bring them back.",
        "What was pushed elsewhere stays there. Here git's own copy goes with: git gc --prune=now",
    ]
    return Result({"removed": number}, "\n".join(text))


for _one in (switch_on, switch_off, log, show, push, pull, prune, scrub):
    command.add_command(_one)
