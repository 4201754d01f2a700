"""`belay search`, by its quick door and by click."""

import json
import os
import subprocess
import sys

import pytest
from commandline import answer, belay
from schemas import check

from belay.cli import quick_search
from belay.core import paths
from belay.knowledge.store.store import Store


@pytest.fixture
def base(tmp_path, home):
    path = str(tmp_path / "any.db")
    with Store(path, os.environ, create=True) as store:
        store.add("gotcha", "Refunds are rounded to whole cents", files=["src/refund.py"])
        store.add("decision", "Invoices are kept for ten years")
    return path


def door(folder, *args):
    """Run the program as bin/workshop does."""
    command = [sys.executable, "-E", os.path.join(paths.PLUGIN_ROOT, "lib"), *args]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_search_needs_no_project(base, tmp_path):
    data = check("search", json.loads(door(tmp_path, "--db", base, "search", "--json", "-k", "1", "refund").stdout))
    assert set(data) == {"results", "used_vectors"}
    (hit,) = data["results"]
    assert set(hit) == {"path", "start", "end", "score", "snippet", "id", "type"}
    assert (hit["path"], hit["start"], hit["end"], hit["type"]) == ("src/refund.py", 1, 1, "gotcha")
    assert ">>Refunds<<" in hit["snippet"]


@pytest.mark.parametrize("args", [["refund", "years"], ["--json", "refund"], ["zzyzx"], ["-k", "1", "invoices kept"],
                                  ["refund", "--type", "gotchas", "--file", "src/"]])  # fmt: skip
def test_both_doors_say_the_same(base, tmp_path, args):
    quickly, slowly = (
        door(tmp_path, "--db", base, "search", *args),
        belay(tmp_path, "--db", base, "search", *args),
    )
    assert (quickly.returncode, quickly.stdout, quickly.stderr) == (0, slowly.stdout, "")
    assert quickly.stdout


@pytest.mark.parametrize("args", [[], [""], [" ", "--json"]])
def test_an_empty_query_is_a_wrong_call(base, tmp_path, args):
    assert door(tmp_path, "--db", base, "search", *args).returncode == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [(["--type", "nonsense"], "is not a type of entry"), (["--since", "yesterday"], "is not a date")],
)
def test_a_filter_that_cannot_be_read_is_a_wrong_call(base, tmp_path, args, said):
    done = door(tmp_path, "--db", base, "search", "refund", *args)
    assert (done.returncode, done.stdout, said in done.stderr) == (2, "", True)
    assert done.stderr.startswith("belay: ")


def test_many_queries_are_answered_in_one_process(base, tmp_path):
    file = tmp_path / "queries.jsonl"
    file.write_text(
        '{"id": "a", "query": "refund"}\n\n{"id": 2, "query": ""}\n{"id": [3], "query": "invoices \'\\""}\n'
    )
    done = door(tmp_path, "--db", base, "search", "--json", "-k", "3", "--queries", str(file))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["a", 2, [3]]
    assert [len(row["results"]) for row in rows] == [1, 0, 1]
    assert all(set(row) == {"id", "results"} for row in rows)
    assert belay(tmp_path, "--db", base, "search", "--json", "-k", "3", "--queries", str(file)).stdout == done.stdout


def test_a_line_that_is_no_query_is_named(base, tmp_path):
    file = tmp_path / "queries.jsonl"
    file.write_text('{"id": 1, "query": "refund"}\nrefund\n')
    done = door(tmp_path, "--db", base, "search", "--queries", str(file))
    assert done.returncode == 1
    assert "queries.jsonl:2: is not a query" in done.stderr
    assert door(tmp_path, "--db", base, "search", "--queries", str(file) + ".not").returncode == 1


def test_in_a_project_its_own_base_is_searched(repo):
    assert "no knowledge base yet" in belay(repo, "search", "refund").stderr
    assert belay(repo, "note", "Refunds are rounded").returncode == 0
    assert [hit["type"] for hit in answer(repo, "search", "refund")["results"]] == ["note"]
    assert door(repo, "search", "refund").stdout == belay(repo, "search", "refund").stdout


def test_since_takes_a_date_or_how_long_ago(base, tmp_path):
    for given, count in (("1d", 1), ("2w", 1), ("2020", 1), ("2999-01-01", 0)):
        done = door(tmp_path, "--db", base, "search", "--json", "refund", "--since", given)
        assert len(json.loads(done.stdout)["results"]) == count, given


@pytest.mark.parametrize(
    "argv",
    [["status"], ["search"], ["search", "--help"], ["search", "x", "-k"], ["search", "x", "-k", "0"], ["--db"],
     ["search", "x", "--gizmo"], ["read", "search"], ["--json", "search", "x"]],
)  # fmt: skip
def test_the_quick_door_leaves_the_rest_to_click(argv):
    options = quick_search.parse_arguments(argv)
    assert options is None or not options.get("query")


def test_the_quick_door_reads_plain_options():
    argv = ["--db", "f.db", "search", "-k", "3", "--type", "goal", "--type", "note", "a", "--", "--json", "b"]
    assert quick_search.parse_arguments(argv) == {
        "db": "f.db", "k": 3, "types": ("goal", "note"), "query": ("a", "--json", "b"),
    }  # fmt: skip


def test_a_base_without_full_text_search_says_so_once(base, tmp_path):
    with Store(base, os.environ) as store:
        store.connection.executescript(
            "CREATE TABLE kept AS SELECT rowid AS num, * FROM memory_fts; DROP TABLE memory_fts;"
            "CREATE TABLE memory_fts (path, start_line, end_line, title, text, parts);"
            "INSERT INTO memory_fts (rowid, path, start_line, end_line, title, text, parts) SELECT * FROM kept;"
        )
    first, again = (door(tmp_path, "--db", base, "search", "refunds cents") for _ in range(2))
    assert first.stdout == again.stdout
    assert ">>Refunds<<" in first.stdout
    assert "no full-text search" in first.stderr
    assert again.stderr == ""


def test_a_search_loads_no_click(base, tmp_path):
    code = f"import sys; sys.path.insert(0, {os.path.join(paths.PLUGIN_ROOT, 'lib')!r})\n"
    code += f"from belay.cli import quick_search as quick\nassert quick.search(['--db', {base!r}, 'search', 'refund'], {{**__import__('os').environ}})\n"
    code += "print(sorted({'click', 'rich', 're', 'json'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=False)
    assert "click" not in done.stdout.splitlines()[-1], done.stderr


def test_a_quoted_phrase_that_is_nowhere_says_so(repo, project):
    belay(repo, "note", "The retry limit of the queue is five")
    first, *rest = belay(repo, "search", '"limit of retries" queue').stdout.splitlines()
    assert first == "Nothing has all that is quoted word for word; these have some of the words."
    assert "retry limit" in rest[-1].replace(">>", "").replace("<<", "")
    assert not belay(repo, "search", '"retry limit"').stdout.startswith("Nothing")
