"""An import killed with -9 anywhere is finished by the next one, and counts nothing twice."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from commandline import RUN

from belay.core import paths
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


def started(tmp_path, *args):
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", RUN, "--db", "x.db", "import", *args]
    return subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def seen(tmp_path):
    with Store(str(tmp_path / "x.db"), os.environ) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [entry.seen for entry in entries.listed(store.connection, limit=-1)]


def test_a_killed_import_is_finished_by_the_next(tmp_path, export):
    for wait in (0.4, 0.6, 0.8, 1.0, 1.2):
        child = started(tmp_path, "mem.json", "--project", "shop")
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        child.communicate()
    last = started(tmp_path, "mem.json", "--project", "shop")
    assert (last.communicate()[1], last.returncode) == (b"", 0)
    assert seen(tmp_path) == [1] * ROWS
