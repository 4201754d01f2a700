"""What a database holds that this user's Belay did not make: listed for the person, and taken in once they accept it.

The file is only copied; the copy is read without running what is stored in it (`store/legacy`). Of what it holds only
entries are of use here; every text of one is cut to a bounded length.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import time
import zlib
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.knowledge.exchange import adoption, adoption_mapping
from belay.knowledge.store import database, database_file, legacy
from belay.safety import trust
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from belay.core.paths import Project
    from belay.knowledge.exchange.adoption import OldEntry
    from belay.knowledge.store.store import Store

MOST_BYTES = 64 << 20
"""Of the file and its log together: an entry has some hundred bytes, so it is far over what a person reads."""
MOST_ENTRIES = 20_000
SECONDS = 10.0
"""How long a file is read; one made to keep a reader busy is given up."""
_WORDS = ("entries", "preferences", "current_state", *adoption_mapping.LISTS)
"""Tables that are read."""
_DAMAGED = "is damaged, or made so that it cannot be read"
"""No message of SQLite is repeated: it quotes names and statements of the file."""
_FIELD_CHARS, _LIST_LENGTH = 400, 50


class Contents(NamedTuple):
    """What a database holds: the tool that made it, its entries; `why` it cannot be read, "" where it can.

    `digest` stands for the bytes of the file and its log.
    """

    tool: str
    entries: list[OldEntry]
    why: str
    digest: str


def read_contents(path: str) -> Contents:
    """Return what a database holds; nothing is written beside it."""
    why = _find_trouble(path)
    if why:
        return Contents("", [], why, "")
    digest = _hash_files(path)
    with tempfile.TemporaryDirectory(prefix="belay-") as folder:
        work = os.path.join(folder, "copy.db")
        try:
            why = _DAMAGED if legacy.fold_copy(path, work) else ""
            tool, entries = ("", []) if why else _read(work, time.monotonic() + SECONDS)
        except OSError as error:
            tool, entries, why = "", [], f"cannot be read ({error.strerror})"
        except BelayError as error:
            tool, entries, why = "", [], error.what
        except database.SqlError:
            tool, entries, why = "", [], _DAMAGED
    return Contents(tool, entries, why, digest)


def _find_trouble(path: str) -> str:
    try:
        found = [os.lstat(path)] + [os.lstat(log) for log in _list_logs(path)]
        if not all(stat.S_ISREG(one.st_mode) for one in found):
            return "is not a plain file"
        if sum(one.st_size for one in found) > MOST_BYTES:
            return f"is over {MOST_BYTES >> 20} MiB"
        return "" if database_file.read_header(path).startswith(database_file.MAGIC) else "is not an SQLite database"
    except (OSError, BelayError) as error:
        return f"cannot be read ({error.strerror if isinstance(error, OSError) else error.what})"


def _list_logs(path: str) -> list[str]:
    return [path + end for end in ("-wal", "-journal") if os.path.lexists(path + end)]


def read_digest(path: str) -> str:
    """Return what stands for the bytes of a database and its log, "" where they cannot be read."""
    return "" if _find_trouble(path) else _hash_files(path)


def _hash_files(path: str) -> str:
    return hashlib.blake2b(b"".join(_hash_file(name) for name in (path, *_list_logs(path)))).hexdigest()


def _hash_file(path: str) -> bytes:
    digest = hashlib.blake2b()
    with open(path, "rb") as opened:
        while piece := opened.read(1 << 20):
            digest.update(piece)
    return digest.digest()


def _read(work: str, until: float) -> tuple[str, list[OldEntry]]:
    def left() -> float:
        return max(until - time.monotonic(), 0.001)

    tool = legacy.find_tool(work, left())
    tables = legacy.list_tables(work, _WORDS, left())[0]
    lists = {name: adoption.load_lists(work, tables, name, left()) for name in adoption_mapping.LISTS}
    entries: list[OldEntry] = []
    for old in adoption.read_entries(work, tables, lists, tool, left()):
        if len(entries) == MOST_ENTRIES or time.monotonic() > until:
            raise BelayError(work, f"has over {MOST_ENTRIES:,} entries, or takes over {SECONDS:.0f} s to read")
        entries.append(_cut(old))
    return tool, entries


def _cut(old: OldEntry) -> OldEntry:
    """Return an entry whose texts and lists are short: one that was made to be large is cut."""
    fields: Any = {name: _cut_value(name, value) for name, value in old.entry.fields.items()}
    return adoption.OldEntry(old.table, old.id[:_FIELD_CHARS], old.entry._replace(fields=fields))


def _cut_value(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [str(part)[:_FIELD_CHARS] for part in value[:_LIST_LENGTH]]
    return value[:_FIELD_CHARS] if isinstance(value, str) and name != "reasoning" else value


def count_kinds(found: Contents) -> dict[str, int]:
    """Return how many entries of each kind there are, the most frequent first."""
    counts: dict[str, int] = {}
    for old in found.entries:
        counts[old.entry.type] = counts.get(old.entry.type, 0) + 1
    return dict(sorted(counts.items(), key=lambda row: (-row[1], row[0])))


def list_texts(found: Contents, most: int) -> Iterator[tuple[str, str]]:
    """Yield the kind and the redacted text of the first entries."""
    for old in found.entries[:most]:
        reason = f" ({old.entry.fields['reasoning']})" if old.entry.fields.get("reasoning") else ""
        yield old.entry.type, redact(old.entry.content + reason)


def is_accepted(project: Project, environ: Mapping[str, str], path: str, digest: str) -> bool:
    """Whether the user accepted a database as it is now, by its `digest`."""
    name = project.relative(path)
    return bool(digest) and any(
        trust.is_known(environ, root, name, digest.encode()) for root in {project.root, project.home}
    )


def accept(project: Project, environ: Mapping[str, str], path: str, found: Contents, store: Store) -> bool:
    """Take the entries of a database in and remember that it was accepted; False where that cannot be kept."""
    name = project.relative(path)
    adoption.take_in_entries(found.entries, store, found.tool, _make_batch(name))
    return trust.accept(environ, project.root, name, found.digest.encode())


def take_back(ledger: str, environ: Mapping[str, str], name: str) -> None:
    """Record that what was taken in from a database, by its path from the root, is no longer wanted."""
    adoption.record_undo(ledger, environ, _make_batch(name))


def _make_batch(name: str) -> str:
    return f"accepted-{zlib.crc32(os.fsencode(name)):08x}"
