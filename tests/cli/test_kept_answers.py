"""What commands answer about kept files is what they answered before: tests/data/answers/*.json.

Sentences for people are left out: only what a program reads is compared. See tests/keptanswers.py for a change that is
meant.
"""

import json
import os
import shutil

import pytest
from keptanswers import ANSWERS, DATA, NOW, answer, bare, believed, call, committed, named

MEMORIES = sorted([*DATA.glob("memory/*/*.md"), *ANSWERS.glob("files/*.md")])


def placed(folder, path):
    """Return a copy of a kept file in the project, as old as its project."""
    shutil.copy(path, folder / path.name)
    os.utime(folder / path.name, (NOW - 3600,) * 2)
    return folder / path.name


def test_the_records_of_memories(kept_shop):
    found = {}
    for path in MEMORIES:
        rows = call("memory", "records", placed(kept_shop, path), "--json")["records"]
        found[named(path)] = [
            [*(row[key] for key in ("kind", "line", "end", "name", "text")), *row["cells"]] for row in rows
        ]
    answer("records", found)


def test_the_health_of_memories(kept_shop):
    answer(
        "health",
        {named(path): bare(call("health", placed(kept_shop, path), "--json"))["dimensions"] for path in MEMORIES},
    )


def test_what_wastes_tokens_in_memories(kept_shop):
    answer(
        "lint",
        {named(path): bare(call("lint", placed(kept_shop, path), "--json")) | {"file": ""} for path in MEMORIES},
    )


@pytest.mark.parametrize("force", [False, True])
def test_what_is_over_in_memories(kept_shop, force):
    found = {}
    for path in MEMORIES:
        believed(kept_shop, path)
        row = call("compress", "--dry-run", "--json", *["--force"] * force)
        found[named(path)] = {
            key: row[key] for key in ("lines", "removed", "folded", "longest", "archive") if key in row
        }
    answer("compress-force" if force else "compress", bare(found))


def test_what_changed_since_memories_were_written(kept_shop):
    committed(kept_shop)
    found = {}
    for path in MEMORIES:
        believed(kept_shop, path)
        row = bare(call("diff", "--json"))
        found[named(path)] = {key: row[key] for key in row if key in ("conflicts", "repairs", "facts", "stale")}
    answer("diff", found)


def test_what_prompts_would_be_captured(kept_shop):
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


def test_what_a_search_finds(kept_shop):
    docs = kept_shop / "docs"
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
                [row["path"], row["start"], row["end"], round(row["score"], 2), row["snippet"]] for row in rows
            ]
    answer("search", bare(found))
