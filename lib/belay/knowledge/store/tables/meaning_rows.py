"""Rows of static vectors, one for each text of the index, and the blocks of signs in which entries are looked through.

Written with the text in one transaction, where this machine has the table of word pieces (docs/vectors.md).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from belay.knowledge.vectors.encoding import Encoder

    Text = tuple[int, str, str]
    """A text's number, the words that its vector is made of, and what was talked about when they were said."""

TABLE, PACKED, STATE = "pieces", "packed", "signs"
"""What the base keeps about itself: the table that made its vectors, the last entry whose signs are in a block, and a
name for the blocks as they are, new with each change of them."""
KEYS = (TABLE, PACKED, STATE)
PACK = 256
"""So many entries without a place in a block are given one; fewer are compared in full."""
_INSERT = "INSERT OR REPLACE INTO memory_meanings (num, vec) VALUES (?, ?)"
_SAVE = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"


def add(connection: sqlite3.Connection, texts: Iterable[Text]) -> None:
    """Write the vectors of new texts; without the table, or where another one made the base's vectors, none."""
    encoder = _claim_encoder(connection)
    if encoder is None:
        return
    vectors = [(num, encoder.encode(text, about)) for num, text, about in texts]  # b"" of a text without a known word
    connection.executemany(_INSERT, vectors)
    packed = load_packed(connection)
    again = {num: vector for num, vector in vectors if num <= packed and vector}
    if again:
        _fill_blocks(connection, again)


def find_encoder(connection: sqlite3.Connection) -> Encoder | None:
    """Return what made the vectors of the base; None where it has none, or this machine's table is another one."""
    encoder = _load_encoder()
    return encoder if encoder and _load_value(connection, TABLE) == encoder.table.identity else None


def _claim_encoder(connection: sqlite3.Connection) -> Encoder | None:
    """Return the same for a base that is to be written; one without vectors takes this machine's table."""
    encoder = _load_encoder()
    if encoder is None:
        return None
    identity = _load_value(connection, TABLE)
    if not identity:
        connection.execute(_SAVE, (TABLE, encoder.table.identity))
    return encoder if identity in ("", encoder.table.identity) else None


def _load_encoder() -> Encoder | None:
    from belay.knowledge.vectors import encoding  # where nothing is written nor asked, nothing of it is needed

    return encoding.load_encoder(os.environ)


def _load_value(connection: sqlite3.Connection, key: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def load_packed(connection: sqlite3.Connection) -> int:
    """Return the last number of an entry whose signs are in a block, 0 for none."""
    return int(_load_value(connection, PACKED) or 0)


def load_state(connection: sqlite3.Connection) -> str:
    """Return the name of the blocks as they are now; no other base has it."""
    return _load_value(connection, STATE)


def delete(connection: sqlite3.Connection, num: int) -> None:
    """Take out the vector of a text; its signs stay, and lead to nothing."""
    connection.execute("DELETE FROM memory_meanings WHERE num = ?", (num,))


def begin_anew(connection: sqlite3.Connection) -> bool:
    """Take all vectors out where another table made them; return whether this machine has a table."""
    encoder = _load_encoder()
    if encoder and _load_value(connection, TABLE) not in ("", encoder.table.identity):
        connection.execute("DELETE FROM memory_meanings")
        connection.execute("DELETE FROM memory_signs")
        connection.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in KEYS])
    return encoder is not None


def pack(connection: sqlite3.Connection, sections: int) -> None:
    """Put the signs of entries into blocks, where PACK or more have no place in one; sections begin at `sections`."""
    packed = load_packed(connection)
    sql = "SELECT max(num), count(*) FROM memory_meanings WHERE num > ? AND num < ?"
    last, count = connection.execute(sql, (packed, sections)).fetchone()
    if count < PACK:
        return
    rows = connection.execute(
        "SELECT num, vec FROM memory_meanings WHERE num > ? AND num <= ? AND vec <> x''", (packed, last)
    )
    _fill_blocks(connection, dict(rows))
    connection.execute(_SAVE, (PACKED, str(last)))


def _fill_blocks(connection: sqlite3.Connection, rows: dict[int, bytes]) -> None:
    """Write the signs of vectors into their blocks; blocks that stay as they are are not written."""
    from belay.knowledge.vectors import signs

    blocks: dict[int, dict[int, bytes]] = {}
    for num, vector in rows.items():
        blocks.setdefault(num // signs.BLOCK, {})[num % signs.BLOCK] = vector
    for number, part in blocks.items():
        row = connection.execute("SELECT signs FROM memory_signs WHERE block = ?", (number,)).fetchone()
        before = row[0] if row else b""
        filled = signs.fill_block(before, part)
        if filled != before:
            connection.execute("INSERT OR REPLACE INTO memory_signs (block, signs) VALUES (?, ?)", (number, filled))
            connection.execute(_SAVE, (STATE, os.urandom(8).hex()))
