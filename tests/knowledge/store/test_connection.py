"""SQLite's module in C, loaded without what only other programs need."""

import os
import subprocess
import sys

import pytest

from belay.core import paths

READ = """
from belay.knowledge.store import connection
base = connection.sqlite3.connect(":memory:", factory=connection.Connection)
base.execute("CREATE TABLE t (n)")
base.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(300)])
for n in range(300):
    assert base.execute(f"SELECT n FROM t WHERE n = {n}").fetchall() == [(n,)], n
    assert base.execute("SELECT count(*) FROM t WHERE n < ?", (n,)).fetchone() == (n,)
"""


def run(code):
    told = subprocess.run(
        [sys.executable, "-S", "-E", "-c", code],
        capture_output=True,
        text=True,
        cwd=os.path.join(paths.PLUGIN_ROOT, "lib"),
    )
    assert (told.returncode, told.stderr) == (0, "")
    return told.stdout.split()


def test_a_base_is_read_without_functools_or_collections():
    after = run(f"import sys\n{READ}\nprint(*sys.modules)")
    assert not {"functools", "collections", "sqlite3", "datetime"} & set(after)


def test_whoever_wants_functools_afterwards_has_the_real_one():
    assert run(f"{READ}\nimport functools\nprint(functools.lru_cache(2)(abs)(-3), functools.partial(max, 4)(2))") == [
        "3",
        "4",
    ]


@pytest.mark.parametrize(
    "before", ["import functools", "import sqlite3", "import sys; sys.modules['_functools'] = None"]
)
def test_it_is_read_whatever_was_loaded_before(before):
    run(f"{before}\n{READ}")
