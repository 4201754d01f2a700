"""Entries by the ids that people type: any case, the dash or the letter before it forgotten, or just the beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.errors import BadInput
from belay.core.plain_text import shown
from belay.knowledge.entries import entries

if TYPE_CHECKING:
    from belay.knowledge.entries.entries import Entry
    from belay.knowledge.store.store import Store

SHORTEST = 3
"""Letters of an id that name it where no other begins so."""
OFFERED = 3


def is_id_like(text: str) -> bool:
    """Whether a text is meant as an id, not as words."""
    head, dash, rest = text.strip().partition("-")
    return head.upper() in ("D", "K") and bool(dash) and len(rest) >= SHORTEST and rest.isalnum()


def find_entry(store: Store, given: str) -> Entry:
    """Return the entry that is meant; BadInput, with what may have been meant, where none or several are."""
    exact = entries.load_entry(store.connection, given.strip())
    if exact:
        return exact
    names = _list_beginning(store, given)
    if len(names) == 1:
        return store.get(names[0])
    name = shown(given, 40)
    if names:
        raise BadInput(name, f"is how {len(names)} ids begin", f"name one: {', '.join(names[:OFFERED])}")
    raise BadInput(name, "is no entry of the knowledge base", _suggest(store, given))


def _list_beginning(store: Store, given: str) -> list[str]:
    """Return the ids that begin with the letters given: `d-abc`, `dabcdef` and `ABCDEF` may all mean D-ABCDEF."""
    plain = "".join(char for char in given.upper() if char.isascii() and char.isalnum())
    wanted = [plain, plain[1:]] if plain[:1] in ("D", "K") else [plain]
    likes = [f"_-{letters}%" for letters in wanted if len(letters) >= SHORTEST]
    where = " OR ".join("id LIKE ?" for _ in likes)
    if not likes:
        return []
    rows = store.connection.execute(f"SELECT id FROM entries WHERE {where} ORDER BY id LIMIT 100", likes)
    names = [str(row[0]) for row in rows]
    headed = [name for name in names if name.replace("-", "").startswith(plain)]
    return headed or names


def _suggest(store: Store, given: str) -> str:
    from difflib import get_close_matches  # only where something was mistyped

    known = [row[0] for row in store.connection.execute("SELECT id FROM entries ORDER BY num DESC LIMIT 20000")]
    close = get_close_matches(given.upper(), known, n=OFFERED)
    return f"did you mean {' or '.join(close)}?" if close else "`workshop recent` lists them"
