"""Takes a cleanup back, the last change first; what was changed since is kept beside, never overwritten."""

from __future__ import annotations

import os
from collections.abc import Iterator

from belay.core import files, plain_text
from belay.knowledge.exchange import adoption
from belay.knowledge.store import database_file
from belay.session import journal
from belay.setup.cleanup.places import list_with_sidecars, mode
from belay.setup.cleanup.transfer import digest, has_same_content, move, settle
from belay.setup.cleanup.undo_record import NAME, WORK, Line, Record


def run(record: Record, notes: list[str]) -> Iterator[str]:
    """Reverse the record's lines and remove it; yields after each change, `notes` says what stayed."""
    batches = {line["batch"] for line in record.lines if line["do"] == "ledger"}
    for line in reversed(record.lines):
        known = line.copy()
        known["batches"] = batches
        yield from _BACK.get(line["do"], _nothing)(known, notes)
    yield from _forget(record, notes)


def _nothing(line: Line, notes: list[str]) -> Iterator[str]:
    return iter(())


def unmake(record: Record) -> Iterator[str]:
    """Remove the folders that a cleanup had made, as far as they are empty."""
    for line in reversed(record.lines):
        if line["do"] == "mkdir":
            yield from _unmake(line, [])


def _unmake(line: Line, notes: list[str]) -> Iterator[str]:
    try:
        os.rmdir(line["target"])
    except OSError:
        return  # it holds something newer, or the record itself, which goes last
    yield "rmdir"


def _return(line: Line, notes: list[str]) -> Iterator[str]:
    for source, target in reversed(line["pairs"]):
        if not mode(target):
            continue
        if not mode(source):
            move(target, source, durable=False)
            yield "move"
        elif has_same_content(source, target):
            os.unlink(target)
            yield "unlink"
        else:
            notes.append(f"{target}: {source} exists again, so this is kept")
    settle(line["pairs"])


def _uninstall(line: Line, notes: list[str]) -> Iterator[str]:
    """Put the saved files back; a database that was written to since the cleanup keeps a name beside."""
    yield from _return({"do": "move", "pairs": line["then"]}, notes)
    target, saved, work = line["target"], line["saved"], line["work"]
    installed = mode(target) and not mode(work) and (not saved or _kept(saved, target))
    if installed and _changed(target, line["sha"]):
        yield from _aside(target, notes)
    elif installed:
        database_file.discard(target)
        yield "discard"
    for source, kept in reversed(saved):  # the database last: no other one may meet its log
        yield from _restore(source, kept)
    database_file.discard(work)
    if os.path.isdir(os.path.dirname(target)):
        files.sync_folder(os.path.dirname(target))


def _kept(saved: list[list[str]], target: str) -> bool:
    """Whether the earlier database is kept and the target is another one by now."""
    return bool(mode(saved[0][1])) and not has_same_content(saved[0][1], target)


def _changed(target: str, sha: str) -> bool:
    logs = (target + "-wal", target + "-journal")
    return digest(target) != sha or any(os.path.exists(log) and os.path.getsize(log) for log in logs)


def _restore(source: str, kept: str) -> Iterator[str]:
    if mode(kept):
        files.replace(kept, source, sync=False)
        if mode(kept):  # a rename between two names of one file does nothing
            os.unlink(kept)
        yield "replace"


def _aside(target: str, notes: list[str]) -> Iterator[str]:
    stem, end = os.path.splitext(target)
    number, kept = 1, f"{stem}.after-cleanup{end}"
    while mode(kept):
        number += 1
        kept = f"{stem}.after-cleanup-{number}{end}"
    for part in list_with_sidecars(target):
        move(part, kept + part[len(target) :])
        yield "aside"
    notes.append(f"{kept}: was written to after the cleanup, so it is kept beside the earlier one")


def _remake(line: Line, notes: list[str]) -> Iterator[str]:
    if not mode(line["source"]):
        os.mkdir(line["source"])
        os.chmod(line["source"], line["mode"])
        yield "mkdir"


def _withdraw(line: Line, notes: list[str]) -> Iterator[str]:
    """Take entries back: a ledger that holds nothing else goes, into any other one a record says so."""
    path, batches = line["target"], line["batches"]
    own = all(one.get("batch") in batches for one in journal.read(path)[0])
    if mode(path) and line["fresh"] and own:
        for part in journal.list_segments(path)[::-1]:
            os.unlink(part)
            yield "unlink"
    elif mode(path) and not own:
        adoption.record_undo(path, os.environ, line["batch"])
        yield "undone"


_BACK = {"ledger": _withdraw, "mkdir": _unmake, "move": _return, "install": _uninstall, "rmdir": _remake}


def _forget(record: Record, notes: list[str]) -> Iterator[str]:
    """Remove the record once nothing is kept in its folder, then the folders the cleanup made."""
    for name in os.listdir(record.folder):
        if WORK in name[4:9] and "-" not in name[:5]:
            os.unlink(os.path.join(record.folder, name))
    left = [name for name in os.listdir(record.folder) if name != NAME]
    if left:
        notes.append(f"{record.folder}: still holds {plain_text.count(len(left), 'file')}")
        return
    os.unlink(os.path.join(record.folder, NAME))
    yield "forget"
    os.rmdir(record.folder)
