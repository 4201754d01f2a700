"""What goes to the shared store: the same point for the same entry, in the collection of its kind, without secrets."""

import os

import pytest

from belay.core.errors import BelayError
from belay.knowledge.exchange import export
from belay.knowledge.search.sections import Section, load_sections
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import text_index
from belay.knowledge.sync import points, remote, sync


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as opened:
        yield opened


@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("decision", "memory"),
        ("goal", "memory"),
        ("note", "memory"),
        ("gotcha", "eidetic"),
        ("finding", "eidetic"),
    ],
)
def test_entries_stand_in_the_collection_of_their_kind(kind, where):
    point = points.make_entry_point("shop", {"id": "K-AAAAAA", "type": kind, "content": "x"}, "me")
    assert (point.collection, point.payload["row"]["id"]) == (f"shop-{where}", "K-AAAAAA")


@pytest.mark.parametrize(("path", "where"), [("docs/a.md", "docs"), ("memory/2026-01-02.md", "episodic")])
def test_daily_logs_are_apart_from_other_documents(path, where):
    assert points.make_section_point("shop", Section(path, 1, 9, "Head", "text"), "me").collection == f"shop-{where}"


def test_the_same_entry_is_the_same_point_on_every_machine():
    row = {"id": "K-AAAAAA", "type": "note", "content": "The VPN is needed"}
    one, other = points.make_entry_point("shop", row, "me"), points.make_entry_point("shop", dict(row), "you")
    assert (one.id, one.payload["hash"]) == (other.id, other.payload["hash"])
    assert points.make_entry_point("blog", row, "me").id != one.id


def test_forms_of_a_word_meet_and_a_word_said_often_does_not_count_for_ever():
    (one,), (value,) = points.count_words("refunds " * 50)
    (other,), _ = points.count_words("the refund")
    assert (one, value < 2.2) == (other, True)


def test_a_word_counts_as_bm25_counts_it():
    stems, values = points.count_words("refund the refund of a tax")

    assert len(stems) == 2
    assert values == pytest.approx([2 * (points._K1 + 1) / (2 + points._K1), 1.0])


def test_secrets_do_not_leave(store):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text_index.replace_text(store.connection, text_index.SECTIONS, "docs/a.md", (1, 2), "Keys", f"the key is {secret}")
    store.add("note", f"token {secret}")
    found = sync.make_plan(store, "shop", {})
    assert len(found.send) == 2
    assert secret not in str(found.send)


def test_what_is_the_same_there_is_not_sent_and_what_was_forgotten_goes(store):
    kept, gone = store.add("note", "kept"), store.add("gotcha", "gone")
    store.change(gone.id, status="forgotten")
    by = sync.make_plan(store, "shop", {}).send[0].payload["by"]
    same = points.make_entry_point("shop", export.load_rows(store)[kept.id], by)
    theirs, mine = "theirs", "mine"
    found = sync.make_plan(
        store, "shop",
        {same.id: (same.collection, same.payload["hash"], by), theirs: ("shop-memory", "h", "another"),
         mine: ("shop-docs", "h", by), points.make_point_id("shop", gone.id): ("shop-eidetic", "h", "another")},
    )  # fmt: skip
    assert (found.send, found.same) == ([], 1)
    assert found.drop == {mine: "shop-docs", points.make_point_id("shop", gone.id): "shop-eidetic"}


def test_sections_are_read_as_they_stand(store):
    store.add("note", "no section")
    text_index.replace_text(store.connection, text_index.SECTIONS, "docs/a.md", (3, 9), "Head", "text")
    assert list(load_sections(store.connection)) == [Section("docs/a.md", 3, 9, "Head", "text")]


def test_without_the_extra_one_line_says_how_to_install_it(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    with (
        pytest.raises(remote.NotInstalled, match="-m pip install qdrant-client"),
        remote.connect("x", "shop", {}),
    ):
        raise BelayError("never", "reached")
