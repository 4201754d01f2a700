"""Documents in the base: their rows and sections come and go together, and their numbers are their own."""

import os

import pytest

from belay.knowledge.documents import documents
from belay.knowledge.documents.documents import Document, Stamp
from belay.knowledge.entries import insights
from belay.knowledge.entries.insights import Insight
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import text_index

NOW = "2026-11-21T10:00:00.000000Z"


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "x.db"), os.environ, create=True) as store:
        yield store


def document(path, *said, why="", **more):
    parts = [(at, at, f"title {at}", text) for at, text in enumerate(said, 1)]
    return Document(path, Stamp(1, 10, "ab", why), len(said), parts, **more)


def texts_of(store):
    return store.connection.execute("SELECT path, text FROM memory_fts ORDER BY rowid").fetchall()


def test_sections_are_numbered_apart_from_entries(store):
    store.add("note", "An entry of its own")
    assert (
        documents.write_documents(
            store.connection, [document("a.md", "one", "two"), document("b.md", "three")], [], NOW
        )
        == 3
    )
    numbers = [row[0] for row in store.connection.execute("SELECT rowid FROM memory_fts ORDER BY rowid")]

    assert numbers[0] < text_index.SECTIONS
    assert numbers[1:] == [text_index.SECTIONS + at for at in range(3)]


def test_a_document_takes_the_place_of_what_stood_of_it(store):
    documents.write_documents(store.connection, [document("a.md", "one", "two"), document("b.md", "three")], [], NOW)
    documents.write_documents(store.connection, [document("a.md", "four")], [("b.md", 7)], NOW)

    assert texts_of(store) == [("b.md", "three"), ("a.md", "four")]
    assert documents.load_stamps(store.connection)["b.md"] == Stamp(7, 10, "ab")
    documents.remove_files(store.connection, ["a.md", "b.md", "none.md"])
    assert (texts_of(store), documents.load_stamps(store.connection)) == ([], {})


def test_listed_tells_what_is_indexed_and_what_is_left_out(store):
    documents.write_documents(
        store.connection, [document("b.md", "one", "two"), document("a.md", why="conflict")], [], NOW
    )

    assert documents.list_files(store.connection) == [
        ("a.md", 0, 0, 10, NOW, "conflict"),
        ("b.md", 2, 2, 10, NOW, ""),
    ]


def test_a_failed_write_leaves_what_stood(store):
    documents.write_documents(store.connection, [document("a.md", "one")], [], NOW)
    with pytest.raises(AttributeError):
        documents.write_documents(store.connection, [document("a.md", "two"), None], [], NOW)

    assert texts_of(store) == [("a.md", "one")]
    assert not store.connection.in_transaction


def test_rules_go_with_their_document_and_are_not_told_until_trusted(store):
    rules = [Insight(3, "antipattern", "Don't poll"), Insight(4, "preference", "Use hooks")]
    documents.write_documents(store.connection, [document("a/CLAUDE.md", "x", folder="a/", rules=rules)], [], NOW)
    assert insights.load_files(store.connection) == {"a/CLAUDE.md": "ab"}
    assert insights.load_trusted(store.connection) == set()
    documents.save_trusted(store.connection, {"a/CLAUDE.md", "other/CLAUDE.md"})
    assert insights.load_trusted(store.connection) == {"a/CLAUDE.md"}

    documents.write_documents(store.connection, [document("a/CLAUDE.md", "x", folder="a/", rules=rules[1:])], [], NOW)
    assert insights.load_trusted(store.connection) == set()  # another text: asked again
    assert [row[0] for row in store.connection.execute("SELECT content FROM entries")] == ["Use hooks"]
    documents.remove_files(store.connection, ["a/CLAUDE.md"])
    assert store.connection.execute("SELECT count(*) FROM entries").fetchone()[0] == 0
    assert store.connection.execute("SELECT count(*) FROM files").fetchone()[0] == 0
    assert texts_of(store) == []


def test_the_same_words_in_two_files_are_two_rules(store):
    rule = [Insight(1, "antipattern", "Don't poll")]
    written = [document(f"{name}/CLAUDE.md", folder=f"{name}/", rules=rule) for name in "ab"]
    documents.write_documents(store.connection, written, [], NOW)

    assert store.connection.execute("SELECT count(DISTINCT id) FROM entries").fetchone()[0] == 2
