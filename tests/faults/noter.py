"""One of many processes at one knowledge base: DATABASE ROLE NAME COUNT, then folders of modules.

A writer prints each entry once it is acknowledged; a reader looks until it is told to stop by its standard input.
"""

import os
import select
import sys

DATABASE, ROLE, NAME, COUNT = *sys.argv[1:4], int(sys.argv[4])
sys.path[:0] = sys.argv[5:]

from belay.core.errors import BelayError  # noqa: E402
from belay.knowledge.entries import entries  # noqa: E402
from belay.knowledge.store.store import NewEntry, Store  # noqa: E402

KINDS = ("decision", "gotcha", "note", "finding")


def write():
    for number in range(COUNT):
        text = f"{NAME}-{number} says how valve {NAME}x{number} is turned"
        with Store(DATABASE, os.environ, create=True) as store:
            entry = store.add(KINDS[number % 4], text, files=[f"lib/{NAME}.py"])
            if number % 5 == 4:
                store.change(entry.id, status="done")
        print(text, flush=True)


def many():
    """Write by one open base, in bulk."""
    with Store(DATABASE, os.environ, create=True) as store:
        for number in range(0, COUNT, 10):
            texts = [f"{NAME}-{at} says how bolt {NAME}x{at} is turned" for at in range(number, number + 10)]
            store.add_many([NewEntry("note", text, {}) for text in texts])
            print("\n".join(texts), flush=True)


def read():
    while not select.select([sys.stdin], [], [], 0.02)[0]:
        try:
            with Store(DATABASE, os.environ) as store:
                found = entries.list_entries(store.connection, limit=50)
                assert all(entry.content for entry in found)
                store.connection.execute("SELECT count(*) FROM memory_fts WHERE memory_fts MATCH 'valve'").fetchone()
        except BelayError as error:
            if "no knowledge base yet" not in str(error):
                raise


{"write": write, "many": many, "read": read}[ROLE]()
