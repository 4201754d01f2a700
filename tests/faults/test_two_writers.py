"""Several processes write one MEMORY.md at once; some are killed. No row that was told to be saved is lost."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from faults.places import memory

from belay.core import files
from belay.memory.document import facts, page

HERE = Path(__file__).resolve().parent
KINDS = ("wrap_up", "session_end", "remember", "memory_set")


def started(project, kind, count, name):
    paths = [str(HERE.parents[1] / "lib"), str(HERE.parent)]
    command = [sys.executable, "-B", str(HERE / "writer.py"), kind, str(count), name, *paths]
    return subprocess.Popen(command, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(project):
    return facts.read_facts(page.parse(files.read(project.memory_md).decode()))


def check(project, rows):
    """Hold the file against what the writers were told is saved."""
    found = told(project)
    # A later decision that differs in a number marks the earlier one as superseded: it is there all the same.
    decided = [row["decision"].removeprefix("~~").partition("~~")[0] for row in found["decisions"]]
    preferred = [row["text"] for row in found["preferences"]]
    for row in rows:
        if not row.startswith("memory_set"):
            assert (preferred if row.startswith("remember") else decided).count(row) == 1, row
    numbers = [row["session"] for row in found["log"]]
    assert numbers == sorted(set(numbers))
    assert found["header"]["session"] == max(numbers)
    assert page.find_problem(page.parse(files.read(project.memory_md).decode())) is None
    return numbers


@pytest.mark.parametrize("kinds", [("wrap_up", "session_end", "remember", "memory_set")])
def test_writers_at_once_lose_no_row(project, kinds):
    memory(project)
    writers = [started(project, kind, 8, f"p{at}") for at, kind in enumerate(kinds)]
    outputs = [writer.communicate(timeout=120) for writer in writers]

    assert [writer.returncode for writer in writers] == [0] * len(kinds), outputs
    numbers = check(project, [row for output, _ in outputs for row in output.splitlines()])
    assert numbers == list(range(3, 10 + 16))
    assert told(project)["overview"] == "memory_set p3 7"


@pytest.mark.campaign
def test_writers_that_are_killed_lose_no_row_that_was_told(project):
    memory(project)
    chance, rows, numbers = random.Random(1), [], []
    for turn in range(20):
        writers = [started(project, kind, 6, f"t{turn}p{at}") for at, kind in enumerate((*KINDS, *KINDS))]
        time.sleep(chance.uniform(0.3, 2.5))
        for writer in writers[::2]:
            writer.kill()
        rows += [row for writer in writers for row in writer.communicate(timeout=240)[0].splitlines()]
        numbers = check(project, rows)

    assert len(rows) > 20 * 4 * 6
    assert len(numbers) > 20
