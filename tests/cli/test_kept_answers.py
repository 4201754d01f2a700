"""What commands answer about kept files is what they answered before: tests/data/answers/*.json.

After a change that is meant: `ANSWERS=write .venv/bin/python -m pytest tests/cli/test_kept_answers.py`, and read the
diff. Sentences for people are left out: only what a program reads is compared.
"""

import json
import os
import re
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from repos import git

from belay.cli.main import belay

DATA = Path(__file__).resolve().parents[1] / "data"
ANSWERS = DATA / "answers"
MEMORIES = sorted([*DATA.glob("memory/*/*.md"), *ANSWERS.glob("files/*.md")])
SENTENCES = ("what", "mend", "note", "notes", "why", "due", "diff", "offers")
NOW = time.mktime((2026, 3, 10, 12, 0, 0, 0, 0, -1))


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A folder with some of the files that the kept memories name, on the day after the last of them."""
    folder = tmp_path / "shop"
    files = (
        "cmd/import/main.go",
        "internal/store/sqlite.go",
        "web/app.ts",
        "src/refunds.js",
        "src/db/client.ts",
    )
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("func parseRow() {}\nfunction handleRefund() {}\n")
    git(folder, "init", "-q", "-b", "main")
    monkeypatch.chdir(folder)
    real = time.localtime
    monkeypatch.setattr(time, "time", lambda: NOW)
    monkeypatch.setattr(time, "localtime", lambda seconds=None: real(NOW if seconds is None else seconds))
    return folder


def call(*args, text=None):
    done = CliRunner().invoke(belay, [str(arg) for arg in args], input=text)
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def answer(name, found):
    """Compare with what is kept under a name, or keep it."""
    path = ANSWERS / f"{name}.json"
    if os.environ.get("ANSWERS") == "write":
        rows = [f"{json.dumps(key)}: {json.dumps(found[key], ensure_ascii=False)}" for key in found]
        path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    for key in found:
        assert found[key] == kept.get(key), key
    assert list(found) == list(kept)


def bare(value):
    """Return an answer without sentences for people and without what differs from run to run."""
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items() if key not in SENTENCES}
    if isinstance(value, list):
        return [bare(one) for one in value]
    return re.sub(r"\b[A-Z]-[A-Z0-9]{6}\b", "ID", value) if isinstance(value, str) else value


def named(path):
    return f"{path.parent.name}/{path.name}"


def test_the_records_of_memories(shop):
    found = {}
    for path in MEMORIES:
        rows = call("memory", "records", path, "--json")["records"]
        found[named(path)] = [
            [*(row[key] for key in ("kind", "line", "end", "name", "text")), *row["cells"]] for row in rows
        ]
    answer("records", found)


def test_the_health_of_memories(shop):
    answer("health", {named(path): bare(call("health", path, "--json"))["dimensions"] for path in MEMORIES})


def test_what_wastes_tokens_in_memories(shop):
    answer("lint", {named(path): bare(call("lint", path, "--json")) | {"file": ""} for path in MEMORIES})


@pytest.mark.parametrize("force", [False, True])
def test_what_is_over_in_memories(shop, force):
    found = {}
    for path in MEMORIES:
        shutil.copy(path, shop / "MEMORY.md")
        CliRunner().invoke(belay, ["trust", "--yes", "MEMORY.md"])
        row = call("compress", "--dry-run", "--json", *["--force"] * force)
        found[named(path)] = {
            key: row[key] for key in ("lines", "removed", "folded", "longest", "archive") if key in row
        }
    answer("compress-force" if force else "compress", bare(found))


def test_what_changed_since_memories_were_written(shop):
    git(shop, "add", ".")
    git(shop, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "Start")
    found = {}
    for path in MEMORIES:
        shutil.copy(path, shop / "MEMORY.md")
        CliRunner().invoke(belay, ["trust", "--yes", "MEMORY.md"])
        row = bare(call("diff", "--json"))
        found[named(path)] = {
            key: row[key] for key in row if key in ("conflicts", "repairs", "facts", "stale")
        }
    answer("diff", found)


def test_what_prompts_would_be_captured(shop):
    rows = [json.loads(line) for line in (DATA / "prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    found = {}
    for row in rows:
        given = call("triggers", "--json", "--explain", row["text"])
        found[row["id"]] = [
            given["confidence"],
            given["skipped"],
            given["captured"],
            given["near"],
            given["requests"],
        ]
    answer("triggers", found)


def test_what_a_search_finds(shop):
    docs = shop / "docs"
    docs.mkdir()
    for path in MEMORIES:
        shutil.copy(path, docs / f"{path.parent.name}-{path.name}")
        os.utime(docs / f"{path.parent.name}-{path.name}", (NOW - 900_000,) * 2)
    call("index", "--json")
    call("note", "The staging port is 5433", "--json")
    call("decision", "Prices in cents", "-r", "rounding", "-f", "src/cart.js", "-t", "money", "--json")
    call("gotcha", "handleRefund must never run twice", "-f", "src/refunds.js", "--json")
    found = {}
    for query in (ANSWERS / "queries.txt").read_text().splitlines():
        for more in ((), ("--sections",), ("--type", "document")):
            rows = call("search", query, "--json", *more)["results"]
            found[" ".join((query, *more))] = [
                [row["path"], row["start"], row["end"], round(row["score"], 2), row["snippet"]]
                for row in rows
            ]
    answer("search", bare(found))
