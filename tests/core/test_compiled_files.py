"""Compiled files that a full disk cut off: every process goes on, and the next one finds them mended."""

import compileall
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doors import CORRECTION, SESSION

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Return a copy of the plugin with all its compiled files."""
    copy = tmp_path_factory.mktemp("plugin")
    for name in ("lib", "hooks", "bin", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def torn(root, name, size):
    """Cut the compiled file of a module, all of them for "*"; return their paths."""
    assert compileall.compile_dir(root / "lib", quiet=1)
    files = (root / "lib").rglob(f"__pycache__/{name}.{sys.implementation.cache_tag}.pyc")
    paths = [path for path in files if path.stat().st_size > size]
    assert paths
    for path in paths:
        path.write_bytes(path.read_bytes()[:size])
    return paths


def run_door(root, folder):
    payload = {
        "session_id": SESSION,
        "cwd": str(folder),
        "hook_event_name": "UserPromptSubmit",
        "prompt": CORRECTION,
        "prompt_id": "p-1",
        "transcript_path": "",
    }
    door = [sys.executable, "-S", "-E", str(root / "hooks" / "user_prompt_submit.py")]
    return subprocess.run(door, input=json.dumps(payload), capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["run", "*"])
def test_a_hook_goes_on_without_compiled_files_that_are_cut_off(compiled, repo, name):
    paths = torn(compiled, name, 400)

    done = run_door(compiled, repo)

    assert (done.returncode, done.stderr) == (0, "")
    assert "5433" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert all(not path.exists() or path.stat().st_size > 400 for path in paths)


def test_the_next_hook_captures_where_a_module_loaded_later_was_cut_off(compiled, repo):
    torn(compiled, "classifier", 400)

    first, second = run_door(compiled, repo), run_door(compiled, repo)

    assert (first.returncode, first.stderr) == (0, "")
    assert "5433" in json.loads(second.stdout)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("name", ["launcher", "doctor", "*"])
def test_a_command_goes_on_without_compiled_files_that_are_cut_off(compiled, repo, name):
    torn(compiled, name, 400)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    done = subprocess.run(
        [sys.executable, "-s", "-E", str(compiled / "lib" / "__main__.py"), "doctor", "--json"],
        capture_output=True, text=True, check=False, cwd=repo, env=environ,
    )  # fmt: skip

    assert done.stderr == ""
    assert json.loads(done.stdout)["checks"]
