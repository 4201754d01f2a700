"""belay distill: shown first, written with --yes, all or by id."""

import os

import pytest
from commandline import answer, belay

from belay.safety import trust


@pytest.fixture
def logged(repo):
    (repo / "memory").mkdir()
    text = "# 2026-03-05\n- Decision: pnpm over npm, because workspaces\n- Lesson: CI runs in UTC\n"
    (repo / "memory" / "2026-03-05.md").write_text(text)
    trust.record(os.environ, str(repo), "memory/2026-03-05.md", text.encode())
    return repo


def test_shown_then_written_then_taken_back(logged):
    first, second = answer(logged, "distill")["proposals"]
    assert (
        f"{first['id']} decision: pnpm over npm, because workspaces (memory/2026-03-05.md:2)"
        in belay(logged, "distill").stdout
    )
    assert not (logged / "MEMORY.md").exists()

    assert answer(logged, "distill", "--yes", second["id"])["written"]
    text = (logged / "MEMORY.md").read_text()
    assert "## Known Issues\n- CI runs in UTC\n" in text
    assert "pnpm" not in text
    assert answer(logged, "distill", "--undo")["undone"] == ["MEMORY.md"]
    assert not (logged / "MEMORY.md").exists()


def test_a_dry_run_writes_nothing(logged):
    assert not answer(logged, "distill", "--yes", "--dry-run")["written"]
    assert not (logged / "MEMORY.md").exists()


def test_wrong_calls_are_told(repo):
    assert "is not proposed" in belay(repo, "distill", "D-AAAAAA").stderr
    assert "nothing to undo" in belay(repo, "distill", "--undo").stderr
    assert belay(repo, "distill").stdout == (
        "There is nothing to distill: MEMORY.md has every decision and lesson of the daily logs.\n"
    )
