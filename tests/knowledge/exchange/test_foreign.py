"""Other tools' memories: what is worth finding comes in once, whatever else stands in the file."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from belay.core.errors import BadInput
from belay.knowledge.entries import entries
from belay.knowledge.exchange import foreign, intake
from belay.knowledge.store.store import Store

SCHEMA = (Path(__file__).parents[2] / "data" / "workshop-2.sql").read_text()
OBSERVATIONS = (
    "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, "
    "title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_modified TEXT, created_at TEXT, "
    "created_at_epoch INTEGER)"
)
SUMMARIES = (
    "CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, "
    "learned TEXT, created_at TEXT, created_at_epoch INTEGER)"
)
SEEN = {
    "memory_session_id": "m-1", "project": "shop", "type": "bugfix", "title": "Refunds were rounded twice",
    "narrative": "The cart rounds, then the ledger did again.", "facts": '["cents are integers"]',
    "concepts": '["rounding"]', "files_modified": '["src/refund.py", "/etc/passwd", "../x"]',
    "created_at": "2026-02-01T10:00:00.000Z",
}  # fmt: skip
LEARNED = {
    "project": "shop",
    "request": "mend refunds",
    "learned": "The ledger counts in cents",
    "created_at": "x",
}


def filled(path, schema, **tables):
    connection = sqlite3.connect(path)
    connection.executescript(schema)
    for table, rows in tables.items():
        for row in rows:
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
    connection.commit()
    connection.close()
    return str(path)


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "memory" / "workshop.db"), os.environ, create=True) as opened:
        yield opened


def taken(store, memory):
    rows = intake.select_new(store, memory)
    intake.save_entries(store, memory, rows)
    return {row.content: row for row in entries.list_entries(store.connection, status=("active", "done"), limit=-1)}


def test_a_workshop_of_claude_workshop(tmp_path, store):
    path = filled(
        tmp_path / "old.db", SCHEMA,
        entries=[
            {"id": "1", "type": "decision", "content": "SQLite for storage", "reasoning": "no server",
             "timestamp": "2025-10-01T09:00:00.123", "branch": "main", "commit_hash": "abc1234"},
            {"id": "2", "type": "blocker", "content": "Ops must open the port"},
            {"id": "3", "type": "decision", "content": "Session ended: 5 files"},
            {"id": "4", "type": "note", "content": "   "},
        ],
        tags=[{"entry_id": "1", "tag": "db"}],
        files=[{"entry_id": "1", "file_path": "lib/db.py"}, {"entry_id": "1", "file_path": "/etc/passwd"}],
        preferences=[{"category": "style", "content": "Tabs, never spaces"}],
        current_state=[{"type": "goal", "content": "Ship dark mode", "completed": 1}],
    )  # fmt: skip
    memory = foreign.read_database(path, "")
    found = taken(store, memory)
    first = found["SQLite for storage"]
    assert (memory.tool, sorted(found)) == (
        "claude-workshop",
        ["Ops must open the port", "SQLite for storage", "Ship dark mode", "Tabs, never spaces"],
    )
    assert (first.type, first.reasoning, first.branch, first.commit, first.created, first.source) == (
        "decision", "no server", "main", "abc1234", "2025-10-01T09:00:00.123000Z", "imported",
    )  # fmt: skip
    assert (first.tags, first.files) == (("db",), ("lib/db.py",))
    assert (found["Ship dark mode"].status, found["Tabs, never spaces"].tags) == ("done", ("style",))


def test_the_same_file_again_brings_nothing_and_counts_nothing(tmp_path, store):
    rows = [{"id": "1", "type": "note", "content": "The limit is 100 requests a minute"}]
    path = filled(tmp_path / "old.db", SCHEMA, entries=rows)
    taken(store, foreign.read_database(path, ""))
    assert intake.select_new(store, foreign.read_database(path, "")) == []
    (row,) = taken(store, foreign.read_database(path, "")).values()
    assert row.seen == 1


def test_a_database_of_claude_mem(tmp_path, store):
    other = {**SEEN, "project": "blog", "title": "Not ours"}
    path = filled(
        tmp_path / "mem.db",
        f"{OBSERVATIONS};{SUMMARIES}",
        observations=[SEEN, other],
        session_summaries=[LEARNED],
    )
    found = taken(store, foreign.read_database(path, "shop"))
    assert sorted(found) == ["Refunds were rounded twice", "The ledger counts in cents"]
    row = found["Refunds were rounded twice"]
    assert (row.type, row.tags, row.files, row.session) == (
        "gotcha",
        ("rounding",),
        ("src/refund.py",),
        "m-1",
    )
    assert "cents are integers" in row.reasoning
    with pytest.raises(BadInput, match="--project NAME takes one of: blog, shop"):
        foreign.read_database(path, "unknown")


def test_an_export_of_claude_mem(store):
    data = json.dumps({"observations": [SEEN, 7], "summaries": [LEARNED], "prompts": [{"prompt_text": "x"}]})
    found = taken(store, foreign.read_export("mem.json", data.encode(), "shop"))
    assert sorted(found) == ["Refunds were rounded twice", "The ledger counts in cents"]


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"observations": 3}', b"[" * 100_000])
def test_what_is_no_export_is_said(data):
    with pytest.raises(BadInput, match="is no export known here"):
        foreign.read_export("x.json", data, "shop")


def test_what_is_no_database_of_a_tool_is_said(tmp_path):
    path = filled(tmp_path / "x.db", "CREATE TABLE things (a)")
    with pytest.raises(BadInput, match="of no tool known here"):
        foreign.read_database(path, "")
    (tmp_path / "y.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 500)
    with pytest.raises(BadInput, match="is damaged"):
        foreign.read_database(str(tmp_path / "y.db"), "")


def test_no_code_of_a_strangers_database_runs(tmp_path, store):
    schema = SCHEMA.split("CREATE TABLE IF NOT EXISTS preferences")[0]
    schema += "CREATE VIEW preferences AS WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x FROM n) SELECT x AS content FROM n;"
    path = filled(tmp_path / "old.db", schema, entries=[{"id": "1", "type": "note", "content": "kept"}])
    assert list(taken(store, foreign.read_database(path, ""))) == ["kept"]


def test_a_text_that_is_no_entry_is_left_out_and_a_secret_too(tmp_path, store):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    rows = [{"id": "1", "type": "note", "content": "x" * 9000}, {"id": "2", "type": "note", "content": f"key {secret}"},
            {"id": "3", "type": "note", "content": b"\xff\x00"}]  # fmt: skip
    path = filled(tmp_path / "old.db", SCHEMA, entries=rows)
    found = taken(store, foreign.read_database(path, ""))
    assert len(found) == 2
    assert not any(secret in text for text in found)
