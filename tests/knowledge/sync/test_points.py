"""What goes to the shared memory: the same point for the same entry, with what searches filter by, without secrets."""

import os

import pytest
import wordpieces

from belay.core.errors import BelayError
from belay.knowledge.documents import indexer
from belay.knowledge.exchange import export
from belay.knowledge.search.sections import Section, load_sections
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import text_index
from belay.knowledge.sync import points, remote, shape, sync
from belay.knowledge.sync.points import Sender
from belay.knowledge.sync.remote import Known
from belay.knowledge.vectors import encoding


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as opened:
        yield opened


def sender(project="shop", person="Ana Li", encoder=None):
    return Sender(project, person, os.environ, encoder)


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("decision", "memory"),
        ("goal", "memory"),
        ("note", "memory"),
        ("gotcha", "eidetic"),
        ("finding", "eidetic"),
    ],
)
def test_entries_are_in_the_part_of_their_kind(kind, part):
    row = {"id": "K-AAAAAA", "type": kind, "content": "x", "updated": "2026-05-01T10:00:00.000Z"}
    payload = points.make_entry_point(sender(), row).payload
    assert (payload["part"], payload["type"], payload["row"]["id"]) == (part, kind, "K-AAAAAA")
    assert (payload["project"], payload["person"], payload["time"]) == ("shop", "Ana Li", row["updated"])


@pytest.mark.parametrize(("path", "part"), [("docs/a.md", "docs"), ("memory/2026-01-02.md", "episodic")])
def test_daily_logs_are_apart_from_other_documents(path, part):
    payload = points.make_section_point(sender(), Section(path, 1, 9, "Head", "text")).payload
    assert (payload["part"], payload["type"], "time" in payload) == (part, "document", False)


def test_the_same_entry_is_the_same_point_on_every_machine(monkeypatch, tmp_path):
    row = {"id": "K-AAAAAA", "type": "note", "content": "The VPN is needed"}
    one = points.make_entry_point(sender(), row)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    other = points.make_entry_point(sender(person="Bob"), dict(row))
    assert (one.id, one.payload["hash"]) == (other.id, other.payload["hash"])
    assert one.payload["by"] != other.payload["by"]
    assert one.payload["mark"] != other.payload["mark"]
    assert points.make_entry_point(sender("blog"), row).id != one.id


def test_projects_and_persons_are_asked_for_by_the_ends_and_words_of_their_names():
    assert points.name_project("Example.org/Team/API") == ["example.org/team/api", "team/api", "api"]
    assert points.name_person(" Ana  María Li") == ["ana maría li", "ana", "maría", "li"]
    assert points.name_person("") == []


def test_a_point_has_the_vector_of_its_text_where_set_up_made_the_table(home, tmp_path):
    row = {"id": "K-AAAAAA", "type": "note", "content": "An automobile", "tags": ["petrol"]}
    assert points.make_entry_point(sender(), row).pieces == []
    wordpieces.install(tmp_path)
    encoder = encoding.load_encoder(os.environ)
    point = points.make_entry_point(sender(encoder=encoder), row)
    assert point.pieces == list(encoding.unpack(encoder.encode("An automobile")))
    assert (len(point.pieces), point.payload["table"]) == (encoding.DIMS, encoder.table.identity)
    assert points.make_entry_point(sender(), row).payload["hash"] == point.payload["hash"]


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
    found = sync.make_plan(store, sender(), {})
    assert len(found.send) == 2
    assert secret not in str(found.send)


def test_what_is_the_same_there_is_not_sent_and_what_was_forgotten_goes(store):
    kept, gone = store.add("note", "kept"), store.add("gotcha", "gone")
    store.change(gone.id, status="forgotten")
    by = sender().by
    same = points.make_entry_point(sender(), export.load_rows(store)[kept.id])
    forgotten = points.make_point_id("shop", gone.id)
    known = {
        same.id: Known(same.payload["hash"], by),
        "theirs": Known("h", "another"),
        "mine": Known("h", by),
        forgotten: Known("h", "another"),
    }
    found = sync.make_plan(store, sender(), known)
    assert (found.send, found.same, set(found.drop)) == ([], 1, {"mine", forgotten})


def test_a_vector_that_the_server_lacks_is_sent_and_one_of_another_table_is_left(store, tmp_path):
    wordpieces.install(tmp_path)
    own = sender(encoder=encoding.load_encoder(os.environ))
    store.add("note", "An automobile")
    (point,) = sync.make_plan(store, own, {}).send
    digest, table = point.payload["hash"], point.payload["table"]

    def is_sent(sender, table):
        return len(sync.make_plan(store, sender, {point.id: Known(digest, "another", table)}).send) == 1

    assert (is_sent(own, ""), is_sent(own, table), is_sent(own, "another table")) == (True, False, False)
    assert not is_sent(sender(), table)


def test_a_section_says_when_its_file_was_changed(store, tmp_path):
    (tmp_path / "a.md").write_text("# Head\n\nSome text of a document.\n")
    os.utime(tmp_path / "a.md", (1_767_323_045, 1_767_323_045))
    indexer.run_index(str(tmp_path), store)
    times = {point.payload["time"] for point in sync.make_plan(store, sender(), {}).send}
    assert times == {"2026-01-02T03:04:05Z"}


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


def test_old_collections_began_with_the_given_name_or_the_folders():
    names = shape.name_old_collections("git.example.org/team/api", "My App")
    assert names[:4] == ["api-docs", "api-memory", "api-eidetic", "api-episodic"]
    assert names[4:] == ["My-App-docs", "My-App-memory", "My-App-eidetic", "My-App-episodic"]
    assert len(shape.name_old_collections("shop", "shop")) == 4


def test_a_sync_makes_no_vector_of_what_the_server_has(store, tmp_path, monkeypatch):
    wordpieces.install(tmp_path)
    own = sender(encoder=encoding.load_encoder(os.environ))
    store.add("note", "An automobile")
    (point,) = sync.make_plan(store, own, {}).send
    monkeypatch.setattr(points, "count_words", lambda text: pytest.fail("it was made again"))
    known = {point.id: Known(point.payload["hash"], "another", point.payload["table"])}
    assert sync.make_plan(store, own, known) == ([], [], 1)
