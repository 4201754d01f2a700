"""The guard of the real home, tried on a home that may be spoilt."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def run(folder, body):
    """Run one test in a process of its own whose real home is folder/real; return its output."""
    suite = folder / "project" / "tests"
    for made in (folder / "real", folder / "tmp", suite):
        made.mkdir(parents=True)
    for name in ("conftest.py", "measuring.py", "repos.py"):
        shutil.copy2(HERE / name, suite / name)
    (suite / "test_it.py").write_text(f"import os\ndef test_it(home):\n    {body}\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=.", "."],
        cwd=suite,
        env={**os.environ, "HOME": str(folder / "real"), "REAL": str(folder / "real"), "TMPDIR": str(folder / "tmp"),
             "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout  # fmt: skip


@pytest.mark.parametrize(
    "reach",
    [
        "open(os.environ['REAL'] + '/x', 'w')",
        "os.open(os.environ['REAL'] + '/x', os.O_CREAT | os.O_WRONLY)",
        "os.mkdir(os.environ['REAL'] + '/x')",
        "os.rename(str(home / '.claude'), os.environ['REAL'] + '/x')",
    ],
)
def test_writing_below_the_real_home_fails(tmp_path, reach):
    assert "ReachedForTheRealHome" in run(tmp_path, reach)
    assert os.listdir(tmp_path / "real") == []


def test_swallowing_the_refusal_fails_too(tmp_path):
    out = run(tmp_path, "try: open(os.environ['REAL'] + '/x', 'w')\n    except Exception: pass")

    assert "1 passed, 1 error" in out


def test_the_home_of_the_test_is_free(tmp_path):
    out = run(tmp_path, "(home / 'x').write_text('y'); assert os.path.expanduser('~') == str(home)")

    assert "1 passed in" in out
