"""Vectors beside the words: made once, made again for what changed, and never in the way of a search."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.cli.knowledge import search_results
from belay.knowledge.search import search
from belay.knowledge.store.store import NewEntry, Store
from belay.knowledge.vectors import embedding, nearest, vectors

MEANINGS = {"style": 0, "css": 0, "tailwind": 0, "look": 0, "money": 1, "refunds": 1, "cents": 1, "proxy": 2}
VALUE = st.floats(-1, 1, width=32, allow_subnormal=False)


class Tiny:
    """A model of a few words: those of one meaning point the same way."""

    name = "tiny"

    def __init__(self):
        self.seen = []

    def encode(self, texts, kind):
        self.seen += [(kind, text) for text in texts]
        return [self._vector(text) for text in texts]

    def knows(self, text):
        return text.isascii()

    def _vector(self, text):
        values = [0.01, 0.01, 0.01]
        for word in text.lower().split():
            if word in MEANINGS:
                values[MEANINGS[word]] += 1.0
        return values


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as opened:
        opened.add("decision", "Global css with tokens, not Tailwind")
        opened.add("note", "Refunds are rounded to whole cents")
        opened.add("gotcha", "The proxy cuts after a minute")
        yield opened


def first(store, query, model):
    answer = search.search(store, query, near=nearest.make_near(model))
    return answer.used_vectors, answer.results[0].snippet.replace(">>", "").replace("<<", "")


def test_a_query_without_a_word_in_common_finds_what_is_meant(store):
    model = Tiny()
    assert search.search(store, "look money").results == []
    assert nearest.build_vectors(store, model) == 3
    assert first(store, "look", model) == (True, "Global css with tokens, not Tailwind")
    assert first(store, "money", model) == (True, "Refunds are rounded to whole cents")
    assert [kind for kind, _ in model.seen] == ["passage"] * 3 + ["query"] * 2


def test_words_and_meaning_together_beat_either_alone(store):
    model = Tiny()
    nearest.build_vectors(store, model)
    answer = search.search(store, "proxy money", near=nearest.make_near(model))
    assert {hit.type for hit in answer.results[:2]} == {"gotcha", "note"}


def test_only_what_changed_is_made_again(store):
    model = Tiny()
    nearest.build_vectors(store, model)
    entry = store.add("note", "A new look for the site")
    store.change(entry.id, content="A new style for the site")
    model.seen.clear()
    assert nearest.build_vectors(store, model) == 1
    assert "A new style" in model.seen[0][1]
    assert vectors.count_vectors(store.connection, "tiny") == (4, 0)


def test_a_model_reads_what_was_said_and_not_its_files_or_tags(store):
    model = Tiny()
    told = {"reasoning": "css grows", "files": ["src/money.css"], "tags": ["refunds"]}
    store.add_many([NewEntry("decision", "Look for tokens first", told)])
    nearest.build_vectors(store, model)
    assert model.seen[-1] == ("passage", "Look for tokens first\ncss grows")


class Beside:
    """Static vectors of a language that the model does not know: one text is near, all else is not."""

    def __init__(self, num):
        self.near = {num: 0.9}

    def find_nearest(self, within):
        return dict(self.near)

    def compare(self, nums):
        return {num: self.near.get(num, 0.0) for num in nums}

    def align(self, texts):
        return [0.2 for _ in texts]

    def align_passages(self, texts):
        return [0.5 for _ in texts]


def test_what_the_model_does_not_know_static_vectors_find(store, monkeypatch):
    foreign = store.add("note", "Die Sitzung endet nach dreißig Minuten")
    model = Tiny()
    nearest.build_vectors(store, model)
    monkeypatch.setattr(nearest, "NEAREST", 1)
    num = store.connection.execute("SELECT num FROM entries WHERE id = ?", (foreign.id,)).fetchone()[0]
    ask = nearest.make_near(model, lambda connection, text: Beside(num))
    found = search.search(store, "Abmeldung", near=ask).results
    assert found[0].id == foreign.id
    meaning = ask(store.connection, "css")
    assert meaning.find_nearest(())[num] == pytest.approx(meaning.compare([num])[num])
    others = [other for (other,) in store.connection.execute("SELECT num FROM entries WHERE num != ?", (num,))]
    plain = nearest.make_near(model)(store.connection, "css").compare(others)
    assert meaning.compare(others) == plain


def test_a_question_that_the_model_cannot_read_is_asked_of_static_vectors_alone(store):
    model = Tiny()
    nearest.build_vectors(store, model)
    model.seen.clear()
    beside = Beside(1)
    ask = nearest.make_near(model, lambda connection, text: beside)
    assert ask(store.connection, "ชำระเงิน") is beside
    assert model.seen == []
    assert nearest.make_near(model)(store.connection, "ชำระเงิน").static is None


def test_another_model_begins_anew_and_off_takes_all_away(store):
    nearest.build_vectors(store, Tiny())
    other = Tiny()
    other.name = "other"
    assert nearest.build_vectors(store, other) == 3
    assert vectors.count_vectors(store.connection, "tiny").made == 0
    vectors.choose_model(store.connection, "")
    assert (
        vectors.load_model_name(store.connection),
        vectors.count_vectors(store.connection, "other").made,
    ) == ("", 0)


def test_a_model_that_cannot_be_loaded_leaves_the_search_by_words(store, monkeypatch):
    vectors.choose_model(store.connection, "no/such-model")
    monkeypatch.setattr(embedding, "_has_packages", lambda: False)
    embedding.load_embedder.cache_clear()
    answer = search_results.answer(store, search_results.Asked(query=("refunds",)), "refunds")
    assert (answer.used_vectors, len(answer.results)) == (False, 1)


def test_a_base_without_vectors_loads_no_model(store, monkeypatch):
    monkeypatch.setattr(embedding, "Embedder", None)
    assert search_results.answer(store, search_results.Asked(), "refunds").used_vectors is False


def test_without_the_extra_one_line_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(embedding, "_has_packages", lambda: False)
    with pytest.raises(embedding.NotInstalled, match="pip install sentence-transformers sqlite-vec"):
        embedding.Embedder("x")


@given(st.lists(st.lists(VALUE, min_size=4, max_size=4).filter(any), min_size=1, max_size=8))
def test_plain_arithmetic_gives_the_cosine(rows):
    asked = rows[0]
    packed = [vectors.pack_vector(row) for row in rows]
    for row, told in zip(rows, vectors._multiply_plainly(packed, vectors.pack_vector(asked)), strict=True):
        norm = (sum(x * x for x in row) * sum(x * x for x in asked)) ** 0.5
        assert told == pytest.approx(sum(x * y for x, y in zip(row, asked, strict=True)) / norm, abs=1e-4)
