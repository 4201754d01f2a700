"""The shared memory on Qdrant's real engine in this process (qdrant-edge-py), reached over HTTP: `make extras`.

The client library and Belay's own door speak REST to tests/qdrantserver.py, which hands each call to the engine. What
is not tested here is Qdrant's own HTTP server, its keys, and a cluster.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import wordpieces
from commandline import answer, belay
from qdrantserver import EdgeEngine, serve
from repos import git, repository

from belay.core import paths
from belay.knowledge.sync import hits, points, question, remote, server
from belay.knowledge.sync.points import Sender
from belay.knowledge.sync.question import Wanted
from belay.knowledge.vectors import encoding
from belay.setup import word_pieces

pytestmark = [pytest.mark.extras, pytest.mark.filterwarnings("default")]
PEOPLE = ("Ana Li", "Bo Berg", "Cy Cole", "Di Diaz", "Eve Eng", "Flo Fox", "Gus Gray", "Hal Hill", "Ida Ito", "Jo Jung")


@pytest.fixture
def engine(tmp_path):
    running = EdgeEngine(tmp_path / "engine")
    with serve(running) as where:
        running.where = where
        yield running
    running.close()


@pytest.fixture
def people(tmp_path, engine, monkeypatch):
    """Ten people, each with a home and a key of their own; two of them to a project. `as_person(n)` becomes one."""
    folders = []
    for number, name in enumerate(PEOPLE):
        folder = tmp_path / f"home-{number}"
        (folder / ".claude").mkdir(parents=True)
        (folder / ".claude" / "belay.yaml").write_text(f"qdrant: {engine.where}\n")
        clone = folder / "work" / f"project-{number // 2}"
        repository(clone)
        git(clone, "config", "user.name", name)
        git(clone, "remote", "add", "origin", f"git@git.example.org:team/project-{number // 2}.git")
        folders.append((folder, clone))

    def as_person(number):
        folder, clone = folders[number]
        monkeypatch.setenv("HOME", str(folder))
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / ".local" / "share"))
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder / ".claude"))
        wordpieces.install(folder)
        compile_settings(clone)
        return clone

    return as_person


def compile_settings(folder):
    from belay.core import settings
    from belay.repository import projects

    settings.compile_settings(projects.find(str(folder), os.environ), os.environ)


def shared(folder, *words):
    return answer(folder, "search", *words, "--shared")["shared"]["results"]


def plain(row):
    return row["text"].replace(">>", "").replace("<<", "")


def test_ten_people_share_five_projects(people):
    for number, name in enumerate(PEOPLE):
        clone = people(number)
        belay(clone, "decision", f"Retries are limited to {number + 2} in the gateway", "-r", f"{name} measured it")
        belay(clone, "gotcha", f"Queue {number} loses messages at midnight")
        told = answer(clone, "sync")
        assert (told["project"], told["person"]) == (f"git.example.org/team/project-{number // 2}", name)
        assert (told["sent"], told["dropped"]) == (2, 0)

    clone = people(3)
    rows = shared(clone, "gateway", "retries", "-k", "30")
    assert {row["person"] for row in rows} >= set(PEOPLE) - {"Di Diaz"}
    assert {row["project"] for row in rows} == {f"git.example.org/team/project-{n}" for n in range(5)}
    assert {row["trust"] for row in rows} == {"others"}  # the own one is in the local answer
    assert {row["person"] for row in shared(clone, "retries", "--person", "eve")} == {"Eve Eng"}
    both = shared(clone, "retries", "--project", "project-4")
    assert {row["person"] for row in both} == {"Ida Ito", "Jo Jung"}
    assert {row["type"] for row in shared(clone, "midnight", "--type", "gotcha")} == {"gotcha"}
    told = belay(clone, "why", "gateway retries", "--shared", "--person", "jo").stdout
    assert "[git.example.org/team/project-4 · Jo Jung · not checked]" in told
    assert "Why: Jo Jung measured it" in told


def test_a_person_knows_their_own_text_from_another_project(people, tmp_path):
    first = people(0)
    belay(first, "decision", "Postgres keeps the orders")
    answer(first, "sync")
    second = tmp_path / "home-0" / "work" / "second"
    repository(second)
    belay(second, "note", "x")
    compile_settings(second)
    (row,) = shared(second, "orders")
    assert (row["trust"], row["person"]) == ("yours", "Ana Li")
    assert (
        "[git.example.org/team/project-0 · Ana Li · sent by you]"
        in belay(second, "search", "orders", "--shared").stdout
    )


def test_what_one_forgets_nobody_finds_and_a_second_sync_sends_nothing(people):
    first = people(0)
    belay(first, "gotcha", "The proxy cuts at sixty seconds")
    belay(first, "note", "The kettle is new")
    assert answer(first, "sync")["sent"] == 2
    assert answer(first, "sync") | {"url": ""} == {
        "url": "", "project": "git.example.org/team/project-0", "person": "Ana Li", "written": True, "sent": 0,
        "dropped": 0, "same": 2, "new": 0, "changed": 0, "old": [],
    }  # fmt: skip
    second = people(1)
    belay(second, "note", "y")
    assert answer(second, "sync", "--pull")["new"] == 2
    (row,) = [row for row in json.loads(belay(second, "search", "proxy", "--json").stdout)["results"] if row.get("id")]
    assert belay(second, "forget", row["id"]).returncode == 0
    assert answer(second, "sync")["dropped"] == 1
    assert shared(people(4), "proxy") == []
    assert [plain(row) for row in shared(people(4), "kettle")] == ["The kettle is new"]


def test_secrets_do_not_reach_the_server(people, engine):
    clone = people(0)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (clone / "notes.md").write_text(f"# Keys\n\nThe key of the robot is {secret}, keep it.\n")
    belay(clone, "note", f"The robot's key is {secret}")
    belay(clone, "index")
    assert answer(clone, "sync")["sent"] >= 2
    rows = shared(people(2), "robot", "key")
    assert rows != []
    assert secret not in str(rows)
    held = [one.payload for one in engine.shards["belay-2"].retrieve([row.id for row in scroll(engine)], True, False)]
    assert secret not in json.dumps(held)


def scroll(engine):
    import qdrant_edge as edge

    return engine.shards["belay-2"].scroll(edge.ScrollRequest(limit=1000, with_payload=False))[0]


def test_the_engine_has_both_vectors_and_an_index_of_each_filter(people, engine):
    clone = people(0)
    belay(clone, "note", "An automobile")
    answer(clone, "sync")
    assert set(engine.shards["belay-2"].info().payload_schema) == {
        "project", "time", "projects", "part", "type", "persons", "table",
    }  # fmt: skip
    (point,) = engine.shards["belay-2"].retrieve([row.id for row in scroll(engine)], False, True)
    assert set(point.vector) == {"words", "pieces"}
    assert len(point.vector["pieces"]) == encoding.DIMS


def test_meaning_and_words_are_fused_there(people):
    clone = people(0)
    for text in ("An automobile runs on petrol", "The proxy cuts refunds", "A vehicle tax is due"):
        belay(clone, "note", text)
    answer(clone, "sync")
    rows = shared(people(5), "vehicle", "fuel")
    assert [plain(row) for row in rows[:2]] == ["A vehicle tax is due", "An automobile runs on petrol"]
    assert "The proxy cuts refunds" not in [plain(row) for row in rows]


def test_a_hundred_thousand_points_of_ten_people_are_asked_within_a_second(tmp_path, engine):
    """Each person has 10,000 points of a common vocabulary and one that nobody else has."""
    import qdrant_edge as edge

    wordpieces.install(tmp_path)
    encoder = encoding.load_encoder(os.environ)
    with remote.connect(engine.where, "any", os.environ) as far:
        far.ready()
    shard = engine.shards["belay-2"]
    words = ["proxy", "gateway", "refunds", "cents", "style", "css", "look", "fuel", "petrol", "car", "vehicle"]
    for number, name in enumerate(PEOPLE):
        sender = Sender(f"git.example.org/team/project-{number // 2}", name, os.environ, encoder)
        made = [points.make_entry_point(sender, row) for row in rows_of(number, words)]
        for at in range(0, len(made), 2000):
            shard.update(
                edge.UpdateOperation.upsert_points(
                    [
                        edge.Point(
                            one.id,
                            {
                                "words": edge.SparseVector(one.indices, one.values),
                                "pieces": list(map(float, one.pieces)),
                            },
                            one.payload,
                        )
                        for one in made[at : at + 2000]
                    ]
                )
            )
    assert shard.info().points_count == 100_000

    for number, name in enumerate(PEOPLE):
        (best, *_) = ask(engine.where, Wanted(f"keystone{number}"))
        assert (best.person, best.project) == (name, f"git.example.org/team/project-{number // 2}")
    assert {hit.person for hit in ask(engine.where, Wanted("petrol", 50, persons=["ida"]))} == {"Ida Ito"}
    assert {hit.project for hit in ask(engine.where, Wanted("petrol", 50, projects=["project-3"]))} == {
        "git.example.org/team/project-3"
    }
    assert {hit.type for hit in ask(engine.where, Wanted("petrol", 50, types=["decision"]))} == {"decision"}
    assert {hit.time[:4] for hit in ask(engine.where, Wanted("petrol", 50, since="2026"))} == {"2026"}


def rows_of(number, words):
    for at in range(9_999):
        text = " ".join(words[(at * 7 + part * part + number) % len(words)] for part in range(6))
        yield {
            "id": f"K-{number}{at}", "type": ("note", "decision", "gotcha")[at % 3], "content": f"{text} case {at}",
            "updated": f"202{5 + at % 2}-05-01T10:00:00.000Z",
        }  # fmt: skip
    yield {"id": f"K-{number}X", "type": "note", "content": f"keystone{number}", "updated": "2026-05-01T10:00:00.000Z"}


def ask(where, wanted):
    begun = time.monotonic()
    reply = server.Asking(where, question.make_question(wanted, os.environ), os.environ).wait()
    assert (reply.why, time.monotonic() - begun < 1) == ("", True)
    return hits.make_hits(reply.points, os.environ, wanted.text)


def test_the_capacity_bench_measures_on_this_engine(tmp_path, home):
    pages = " ".join(path.read_text() for path in Path(paths.PLUGIN_ROOT, "docs").glob("*.md"))
    words = {f"\u2581{word}" for word in pages.lower().split() if word.isalpha()} - wordpieces.vocabulary().keys()
    names = {name: number for number, name in enumerate([*wordpieces.vocabulary(), *sorted(words)[:5000]])}
    word_pieces.write_table(os.environ, wordpieces.write_wheel(tmp_path / "x.whl", names, wordpieces.weights(names)))
    bench = os.path.join(paths.PLUGIN_ROOT, "bench", "scale.py")
    command = [sys.executable, bench, "--points", "2000", "3000", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sizes = json.loads(done.stdout)["sizes"]
    assert [(size["points"], size["projects"]) for size in sizes] == [(2000, 2), (3000, 3)]
    assert all(size["disk"] > size["points"] * 500 and size["resident"] > 0 for size in sizes)
