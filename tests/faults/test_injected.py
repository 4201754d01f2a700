"""Calls of the system fail or are a process's last: what was acknowledged stays, and the next start heals.

The library that fails them needs Linux and a C compiler; elsewhere `test_failing_in_python` stands in for it.
"""

import collections
import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import doors
import pytest

from belay.repository import projects
from belay.session.session import Session

HERE = Path(__file__).resolve().parent
FOLDERS = [str(HERE.parents[1] / "lib"), str(HERE.parent)]
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None) if sys.platform == "linux" else None
SAMPLE, WORKERS, SEED = 150, 2, 20_261_123
needs_compiler = pytest.mark.skipif(not COMPILER, reason="no C compiler here: no fault can be injected")


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """The library that fails calls, compiled."""
    made = tmp_path_factory.mktemp("injector") / "injector.so"
    command = [COMPILER, "-shared", "-fPIC", "-O1", "-o", str(made), str(HERE / "injector.c"), "-ldl"]
    subprocess.run(command, check=True)
    return made


def environ(folder, library):
    """Return the environment of a process whose calls at `folder`/place are counted and failed."""
    (folder / "place").mkdir(parents=True)
    (folder / "counts").write_bytes(bytes(128))
    home = folder / "place" / "home"
    return {
        **os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "share"), "LD_PRELOAD": str(library),
        "CLAUDE_CONFIG_DIR": str(home / ".claude"), "BELAY_FAULTS": str(folder / "counts"),
        "BELAY_ROOTS": str(folder / "place"),
    }  # fmt: skip


def start(folder, library, **spec):
    """Start a process that injects faults; return it and the file into which it prints a row for each.

    Through a pipe the second process would wait until the first one's rows are read.
    """
    spec = {"folders": FOLDERS, "place": str(folder / "place"), "kept": str(folder / "kept"), "seed": SEED, **spec}
    command = [sys.executable, "-B", str(HERE / "injector.py"), json.dumps(spec)]
    variables, rows = environ(folder, library), folder / "rows"
    with open(rows, "w") as out:
        return subprocess.Popen(command, stdout=out, env=variables), rows


def collect(started):
    """Return every row of some processes that ended well."""
    assert [process.wait() for process, _ in started] == [0] * len(started)
    return [json.loads(line) for _, rows in started for line in rows.read_text().splitlines()]


def tabulate(rows):
    """Return how many faults there were, by what ran and by call, and by call and kind."""
    lines = []
    for left, top in (("scene", "call"), ("fault", "call")):
        names = sorted({row[top] for row in rows})
        counts = collections.Counter((row[left], row[top]) for row in rows)
        lines.append("".join([f"{left:24}", *(f"{name:>10}" for name in names), f"{'all':>10}"]))
        for name in sorted({row[left] for row in rows}):
            each = [counts[name, other] for other in names]
            lines.append("".join([f"{name:24}", *(f"{number:10,}" for number in each), f"{sum(each):10,}"]))
        lines.append("")
    told = sum(row["acknowledged"] for row in rows)
    longest = max(row["seconds"] for row in rows)
    wrong = [row for row in rows if row["problem"]]
    reports = sum(bool(row["reported"]) for row in rows)
    lines.append(f"{len(rows):,} faults, {told:,} captures acknowledged under one, {len(wrong)} problems")
    lines.append(f"{reports} hooks wrote a bug report; the longest run took {longest:.1f} s")
    return "\n".join(lines)


@needs_compiler
@pytest.mark.parametrize("share", range(WORKERS))
def test_a_sample_of_faults_loses_nothing(tmp_path, library, share):
    rows = collect([start(tmp_path, library, number=SAMPLE // WORKERS, share=share, of=WORKERS)])

    assert len(rows) == SAMPLE // WORKERS
    assert len({row["scene"] for row in rows}) >= 8
    assert sum(row["acknowledged"] for row in rows) > 0
    assert [row for row in rows if row["problem"]] == []


@pytest.mark.campaign
@needs_compiler
def test_ten_thousand_faults_lose_nothing(tmp_path, library, capsys):
    rows = collect([
        start(tmp_path / str(share), library, number=0, share=share, of=WORKERS) for share in range(WORKERS)
    ])  # fmt: skip
    with capsys.disabled():
        print(f"\n{tabulate(rows)}")

    assert [row for row in rows if row["problem"]] == []
    assert len(rows) >= 10_000


@needs_compiler
def test_a_doors_own_process_is_failed_too(tmp_path, library):
    """A fork has everything loaded; a real hook has not. Its journal's write is refused, so it acknowledges nothing."""
    variables = environ(tmp_path, library)
    armed = {**variables, "BELAY_FAULT": f"0 1 1 {errno.ENOSPC} 1"}
    repo = tmp_path / "place" / "repo"
    repo.mkdir()
    refused = doors.run("user_prompt_submit", repo, environ=armed, prompt=doors.CORRECTION)
    context, person = doors.said(refused)
    again, _ = doors.said(doors.run("user_prompt_submit", repo, environ=variables, prompt=doors.CORRECTION))

    assert context == ""
    assert "No space left on device" in person
    assert "Recorded C-" in again


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_failing_in_python(repo, project, monkeypatch, number):
    """Without a compiler: each write, sync and rename of a capture fails once."""
    from belay.session import captures

    for name in ("write", "fsync", "replace", "mkdir"):
        real, left = getattr(os, name), [True]

        def fail(*args, real=real, left=left, **options):
            if left and left.pop():
                raise OSError(number, os.strerror(number))
            return real(*args, **options)

        session = Session(project, f"{name}-{number}", os.environ)
        candidate = {"classes": {"decision": 1.0}, "text": f"{name} by {number}", "origin": "typed"}
        with monkeypatch.context() as patched:
            patched.setattr(os, name, fail)
            taken = captures.record_captures(session, [candidate])
        later = Session(projects.find(str(repo), os.environ), session.name, os.environ)
        assert {row["id"] for row in taken} <= set(later.state["captures"])
        captures.record_captures(later, [candidate])
        assert f"{name} by {number}" in Path(project.buffer).read_text()
