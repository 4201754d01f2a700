"""`belay notes`: snapshots of sessions, and entries, as git notes; off until they are switched on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.cli.session import notes_entries
from belay.core.errors import BadInput
from belay.core.plain_text import count, shown
from belay.repository.notes import consent, store, transfer, upkeep
from belay.repository.notes import lines as note_lines
from belay.repository.notes.consent import LEDGER, REF, REFS

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.repository.notes.lines import Found

SHOWN = 20
LEAST = 4
"""Letters that a text to be removed has at least: less would be in every line."""


@click.group("notes", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Keep snapshots of sessions, and entries, as git notes. Off until `belay notes on`; pushed only on command."""


def _project() -> Project:
    project = here()
    if not project.git_dir:
        raise BadInput(project.root, "is no git repository", "run it in a git work tree")
    return project


@output.command("on", examples="belay notes on")
def switch_on() -> Result:
    """Switch notes on in this repository. Says which git settings it added, and how to undo it."""
    added = consent.switch_on(_project(), os.environ)
    text = [
        f"Notes are on: compactions, wrap-ups and ends of sessions are kept in {REF},",
        f"confirmed decisions, gotchas, findings and the like in {LEDGER}.",
    ]
    text += [f"Added to the git settings of this repository: {row}" for row in added]
    text += ["`belay notes off` takes exactly this back. Nothing is pushed until `belay notes push`."]
    return Result({"on": True, "settings": added}, "\n".join(text))


@output.command("off", examples="belay notes off")
def switch_off() -> Result:
    """Switch notes off and take back the git settings. Notes that were written stay."""
    gone = consent.switch_off(_project(), os.environ)
    text = ["Notes are off.", *(f"Removed from the git settings of this repository: {row}" for row in gone)]
    text += ["What was written stays; this deletes it:", *(f"  git update-ref -d {ref}" for ref in REFS)]
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
    """List snapshots of sessions, then entries, the newest first."""
    project = _project()
    ledger = notes_entries.read(project)
    entries = notes_entries.describe(project, ledger.found, most)
    known = len({str(line.row["id"]) for line in ledger.found})
    found, broken, large = store.read_breadcrumbs(project, os.environ)
    waiting = len(consent.load(project, os.environ).get("pending", []))
    rows = [_withhold(row) for row in found[:most]]
    data = {
        "ref": REF, "on": consent.is_on(project, os.environ), "breadcrumbs": rows, "all": len(found),
        "broken": broken + ledger.broken, "large": large + ledger.large, "waiting": waiting,
        "ledger": {"ref": LEDGER, "all": known, "over": ledger.over, "entries": entries},
    }  # fmt: skip
    text = [_format(row) for row in rows] or [f"No breadcrumbs. Notes are {'on' if data['on'] else 'off'} here."]
    text += [notes_entries.format_row(row) for row in entries]
    if len(found) > len(rows) or known > len(entries):
        more = len(found) - len(rows) + known - len(entries)
        text.append(f"{more} older: belay notes log -n {max(len(found), known)}")
    broken, large = broken + ledger.broken, large + ledger.large
    if broken:
        text.append(f"Left out: {count(broken, 'line')} that Belay cannot read.")
    if large:
        text.append(f"Left out: {count(large, 'note')} over the size that Belay reads.")
    if ledger.over:
        text.append(f"Left out: {count(ledger.over, 'line')} of others, for there are too many.")
    if waiting:
        text.append(f"Waiting for the first commit: {count(waiting, 'breadcrumb')}.")
    return Result(data, "\n".join(text))


def _withhold(row: Found) -> Found:
    """Return a breadcrumb without its text where Claude would read what somebody else wrote (docs/trust.md)."""
    if row["own"] or not os.environ.get("CLAUDECODE"):
        return row
    nothing: Any = {"decisions": [], "captures": [], "files": [], "commits": [], "who": ""}
    withheld: Found = {**row, "session": "", "branch": "", "task": notes_entries.FOREIGN, "next": "", **nothing}
    return withheld


def _format(row: Found) -> str:
    whose = "" if row["own"] else " (written elsewhere)"
    head = f"{row['id']} {row['time'][:16].replace('T', ' ')} {row['kind']} at {row['commit'][:9]}{whose}"
    head += f" on {row['branch']}" if row["branch"] else ""
    parts = [("task", row["task"]), ("next", row["next"])]
    return "\n".join([head, *(f"  {name}: {text}" for name, text in parts if text)])


@output.command("show", examples="belay notes show B-0123456789ab\nbelay notes show D-ABCDEF")
@click.argument("name", metavar="[ID]", default="")
def show(name: str) -> Result:
    """Show one snapshot or entry in full, without an id the newest snapshot."""
    if note_lines.is_entry_id(name.upper()):
        return _show_entry(name.upper())
    found = store.read_breadcrumbs(_project(), os.environ)[0]
    row = next((row for row in found if not name or row["id"] == name), None)
    if row is None:
        raise BadInput(shown(name) or REF, "is no breadcrumb", "belay notes log lists them")
    row = _withhold(row)
    text = [_format(row)]
    for title in ("decisions", "captures", "files", "commits"):
        items = row[title]
        text += [f"  {title}:", *(f"  - {item}" for item in items)] if items else []
    counts = ", ".join(f"{number} {name}" for name, number in row["counts"].items() if number)
    return Result(row, "\n".join([*text, *([f"  counted: {counts}"] if counts else [])]))


def _show_entry(name: str) -> Result:
    project = _project()
    found = [line for line in notes_entries.read(project).found if str(line.row["id"]) == name]
    if not found:
        raise BadInput(name, f"is not in {LEDGER}", "belay notes log lists what is")
    (row,) = notes_entries.describe(project, found, 1)
    return Result(row, notes_entries.format_full(row))


@output.command("push", examples="belay notes push origin")
@click.argument("remote", metavar="[REMOTE]", default="")
def push(remote: str) -> Result:
    """Push the notes, and nothing else."""
    project = _project()
    name = transfer.find_remote(project, remote)
    told = notes_entries.write_due(project)
    refs = transfer.push(project, name)
    text = f"Pushed {' and '.join(refs)} to {shown(name)}." if refs else "There are no notes to push."
    return Result({"remote": name, "pushed": bool(refs), "refs": refs}, "\n".join([text, *told]))


@output.command("pull", examples="belay notes pull origin")
@click.argument("remote", metavar="[REMOTE]", default="")
def pull(remote: str) -> Result:
    """Fetch a remote's notes and join them with yours, line by line."""
    project = _project()
    name = transfer.find_remote(project, remote)
    refs = transfer.pull(project, os.environ, name)
    text = f"Joined the notes of {shown(name)} with those here." if refs else f"{shown(name)} has no notes."
    told = notes_entries.take_in(project) if refs else []
    return Result({"remote": name, "pulled": bool(refs), "refs": refs}, "\n".join([text, *told]))


@output.command("prune", examples="belay notes prune")
def prune() -> Result:
    """Remove notes of commits that are gone, and the oldest over 4 MiB; entries move to HEAD instead."""
    gone, over = upkeep.prune(_project(), os.environ)
    text = f"Removed {count(gone, 'note')} of commits that are not in this clone, {over} over the cap of 4 MiB."
    return Result({"gone": gone, "over": over}, text)


@output.command(
    "scrub",
    examples="""
    belay notes scrub B-0123456789ab
    belay notes scrub D-ABCDEF
    belay notes scrub "the customer's name"
    """,
)
@click.argument("what", metavar="ID|TEXT")
def scrub(what: str) -> Result:
    """Remove every line with an id or a text, and the history of the notes with it. The knowledge base stays."""
    if len(what) < LEAST:
        raise BadInput(shown(what), f"has under {LEAST} letters, too few to search for", "give more of the text")
    number = upkeep.scrub(_project(), os.environ, what)
    if not number:
        return Result({"removed": 0}, "No line has this id or text.", 1)
    text = [
        f"Removed {count(number, 'line')} and the history of the notes; a pull does not bring them back.",
        "What was pushed elsewhere stays there. Here git's own copy goes with: git gc --prune=now",
    ]
    return Result({"removed": number}, "\n".join(text))


for _one in (switch_on, switch_off, log, show, push, pull, prune, scrub):
    command.add_command(_one)
