"""Many entries at once: one write, and the same merges as one by one."""

import os

from hypothesis import given
from hypothesis import strategies as st

from belay.core.text import duplicates
from belay.knowledge.entries import entries
from belay.knowledge.entries.entries import Entry
from belay.knowledge.entries.nearby import Nearby
from belay.knowledge.store import ledger
from belay.knowledge.store.store import NewEntry, Store
from belay.session import journal

WORDS = "cache token retry queue worker limit schema index branch deploy".split()
CONTENT = st.lists(st.sampled_from([*WORDS, "not", "8080", "lib/a.py"]), min_size=1, max_size=8).map(" ".join)


def rows(count, kind="note"):
    return [
        NewEntry(kind, f"The {WORDS[n % 10]} of service{n} waits {n} seconds", {"tags": ["t"]}) for n in range(count)
    ]


def test_many_stand_in_the_ledger_by_few_writes(tmp_path, home, monkeypatch):
    writes = []
    append = journal.append_many
    monkeypatch.setattr(
        journal, "append_many", lambda path, part, names: writes.append(len(part)) or append(path, part, names)
    )
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        ids = store.add_many(rows(1500))
        records, damaged = journal.read(store.ledger)
        assert (writes, damaged, len(set(ids)), len(records)) == ([1000, 500], 0, 1500, 1500)
        assert len(entries.list_entries(store.connection, limit=-1)) == 1500


def test_what_says_the_same_is_counted_among_many_and_before_them(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        first = store.add("gotcha", "The staging port is 5432 behind the proxy")
        again = NewEntry("gotcha", "the staging port behind the proxy is 5432", {"files": ["ops/proxy.conf"]})
        store.add_many([*rows(ledger.BULK, "gotcha"), again, again])
        found = store.get(first.id)
        assert (found.seen, found.files) == (3, ("ops/proxy.conf",))


def test_an_entry_of_many_may_be_of_a_session_and_a_time_of_its_own(tmp_path, home):
    fields = {
        "session": "s-1",
        "created": "2026-01-02T03:04:05.000000Z",
        "source": "imported",
        "branch": "main",
    }
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        (name,) = store.add_many([NewEntry("note", "Staging is reset every Monday", fields)])
        found = store.get(name)
    assert (found.session, found.created, found.source, found.branch) == tuple(fields.values())


@given(st.lists(CONTENT, max_size=12), CONTENT)
def test_what_is_found_in_memory_is_what_comparing_all_finds(known, content):
    nearby = Nearby(_Listed())
    standing = {f"K-{n}": Entry(f"K-{n}", "note", text) for n, text in enumerate(known)}
    for entry in standing.values():
        nearby.put(entry)
    found = set(nearby.like(Entry("K-X", "note", content)))
    assert found == {name for name, entry in standing.items() if duplicates.same(entry.content, content)}


class _Listed:
    """A base without entries."""

    def execute(self, *_):
        return self

    def fetchall(self):
        return []
