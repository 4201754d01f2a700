"""The demo plays the real hooks: another word in its script is another word in what Claude is given."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from schemas import check

from belay.core import paths
from belay.setup.demo import Day

SCRIPT = Path(paths.PLUGIN_ROOT, "lib", "belay", "setup", "demo-day.json")


def demo(*args):
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", "from belay.cli.main import main; main()", "demo", *map(str, args)]
    return subprocess.run(command, env=env, capture_output=True, text=True)


@pytest.fixture
def changed(tmp_path):
    """Return a maker of scripts in which one text is another."""

    def make(old, new):
        text = SCRIPT.read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "day.json"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    return make


def test_another_prompt_is_another_injection(changed):
    usual = check("demo", json.loads(demo("--json").stdout))
    other = check(
        "demo",
        json.loads(demo("--json", "--script", changed("SQLite for the ledger", "DuckDB for the ledger")).stdout),
    )

    assert "SQLite for the ledger" in usual["injected"]
    assert "DuckDB" not in usual["injected"]
    assert "DuckDB for the ledger" in other["injected"]
    assert "SQLite for the ledger" not in other["injected"]
    assert 0 < usual["cost"]["tokens"] < 1500


def test_the_day_is_readable_and_leaves_nothing(home, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    done = demo()
    assert done.returncode == 0, done.stderr
    for text in (
        "Recorded C-",
        "61 % used",
        "81 % used",
        "Resume from: `shop/ledger.py:9` — in def book",
        "no model call",
    ):
        assert text in done.stdout
    assert list(tmp_path.iterdir()) == []
    assert not (home / ".local").exists()


def test_a_day_ends_with_the_last_process_that_a_hook_left(tmp_path):
    """The consolidator outlives its hook; it would make the scratch folder again after its removal."""
    day = Day(str(tmp_path / "day"))
    late = tmp_path / "late"
    subprocess.run(["sh", "-c", f"(sleep 0.5; : > {late}) &"], pass_fds=[day.own_end], check=True)

    day.end()

    assert late.exists()


def test_a_script_that_is_none_is_named(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    done = demo("--script", bad)
    assert done.returncode == 1
    assert str(bad) in done.stderr
