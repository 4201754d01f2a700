"""Ids as people type them."""

import os
import sqlite3

import pytest

from belay.core.errors import BadInput
from belay.knowledge.entries import ids
from belay.knowledge.store.store import Store


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as made:
        for name in ("D-ABCDEF", "K-ABCXYZ", "K-DABCDE", "K-QRSTUV"):
            made.append(
                {
                    "kind": "entry",
                    "id": name,
                    "type": "decision" if name[0] == "D" else "note",
                    "content": f"of {name}",
                }
            )
        yield made


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("D-ABCDEF", "D-ABCDEF"),
        ("d-abcdef", "D-ABCDEF"),
        (" D ABCDEF ", "D-ABCDEF"),
        ("dabcdef", "D-ABCDEF"),
        ("abcdef", "D-ABCDEF"),
        ("d-abc", "D-ABCDEF"),
        ("k-abc", "K-ABCXYZ"),
        ("abcx", "K-ABCXYZ"),
        ("QRS", "K-QRSTUV"),
        ("kqrstuv", "K-QRSTUV"),
        ("k-dabc", "K-DABCDE"),
    ],
)
def test_an_id_is_known_however_it_is_typed(store, given, meant):
    assert ids.find_entry(store, given).id == meant


@pytest.mark.parametrize("given", ["abc", "AB", "", "-", "D-", "%", "_-_", "K-AAAAAA", "K-ABCDEFG", "x" * 999, "\0"])
def test_what_names_none_or_several_is_told(store, given):
    with pytest.raises(BadInput) as told:
        ids.find_entry(store, given)

    assert told.value.mend


def test_several_are_named_and_so_is_what_is_close(store):
    with pytest.raises(BadInput, match=r"is how 2 ids begin; name one: D-ABCDEF, K-ABCXYZ"):
        ids.find_entry(store, "abc")
    with pytest.raises(BadInput, match=r"did you mean K-QRSTUV\?"):
        ids.find_entry(store, "K-QRSTUW")


@pytest.mark.parametrize(
    ("text", "is_id"),
    [("D-ABCDEF", True), ("k-abc", True), ("Kafka", False), ("D-day is near", False), ("E-ABCDEF", False),
     ("K-", False), ("Postgres", False)],
)  # fmt: skip
def test_words_are_told_from_ids(text, is_id):
    assert ids.is_id_like(text) == is_id


def test_looking_up_reads_only(store):
    before = store.connection.total_changes
    ids.find_entry(store, "abcdef")

    assert store.connection.total_changes == before
    assert isinstance(store.connection, sqlite3.Connection)
