"""An import killed with -9 anywhere is finished by the next one, and counts nothing twice."""

import json
import os

import pytest
from faults import killing

from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store

ROWS = 2500


@pytest.fixture
def export(tmp_path):
    """An export of claude-mem with many observations."""
    rows = [
        {
            "project": "shop",
            "type": "discovery",
            "title": f"Service s{at}x answers on port {at}",
            "created_at": "",
        }
        for at in range(ROWS)
    ]
    (tmp_path / "mem.json").write_text(json.dumps({"observations": rows, "summaries": []}, indent=1))
    return tmp_path / "mem.json"


def seen(tmp_path):
    with Store(str(tmp_path / "x.db"), os.environ) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [entry.seen for entry in entries.list_entries(store.connection, limit=-1)]


def test_a_killed_import_is_finished_by_the_next(tmp_path, export):
    command = ("import", "mem.json", "--project", "shop")
    total = killing.statements(tmp_path, "--db", "other.db", *command)
    for fatal in (1, 30, total // 9, total // 2, total // 2):  # while the base is made, then in three batches
        killing.kill(tmp_path, "--db", "x.db", *command, fatal=fatal)
    last = killing.start(tmp_path, "--db", "x.db", *command)
    assert (last.communicate()[1], last.returncode) == (b"", 0)
    assert seen(tmp_path) == [1] * ROWS
