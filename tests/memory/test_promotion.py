"""Promotion: what two projects hold is offered with its evidence, written when asked, and taken back."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repos import git, repository

from belay.core import paths
from belay.core.errors import BelayError
from belay.memory import promotion
from belay.repository import projects
from belay.safety import trust

TEXT = """\
# Project Memory
## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-03-01 | pnpm over npm | workspaces | all |
| 2026-03-01 | {own} | reasons | all |

## User Preferences
- Short answers
"""


def made(folder, own, text=TEXT, mine=True):
    """Make a project with a memory and a lesson, noted as its wrap-up does."""
    repository(folder)
    project = projects.find(str(folder), os.environ)
    (folder / "tasks").mkdir()
    for name, body in (
        ("MEMORY.md", text.format(own=own)),
        ("tasks/lessons.md", "# Lessons\n- 2026-03-02: never mock git\n"),
    ):
        (folder / name).write_text(body)
        if mine:
            trust.record(os.environ, project.root, name, body.encode())
        else:
            git(folder, "add", ".")
            git(folder, "commit", "-qm", "theirs")
    promotion.record_project(project, os.environ)
    return project


@pytest.fixture
def two(tmp_path):
    return made(tmp_path / "shop", "SQLite"), made(tmp_path / "site", "Postgres")


def held():
    path = paths.global_memory(os.environ)
    return Path(path).read_text() if os.path.exists(path) else ""


def test_what_two_projects_hold_is_offered_with_where_it_stands(two):
    found = {one.kind: one for one in promotion.find_candidates(os.environ)}

    assert {one.text for one in found.values()} == {
        "pnpm over npm: workspaces",
        "Short answers",
        "never mock git",
    }
    assert found["decision"].evidence == [
        promotion.Place("shop", "MEMORY.md", 5),
        promotion.Place("site", "MEMORY.md", 5),
    ]
    assert found["lesson"].evidence[0] == promotion.Place("shop", "tasks/lessons.md", 2)
    lines = promotion.list_offers(two[0], os.environ)
    assert len(lines) == 3
    assert "“pnpm over npm: workspaces” is in 2 projects (shop, site); `belay promote G-" in lines[1]
    assert held() == ""


def test_one_project_alone_offers_nothing(tmp_path):
    made(tmp_path / "shop", "SQLite")
    made(tmp_path / "shop2", "SQLite", text="# M\n## User Preferences\n- long answers\n")

    assert [one.kind for one in promotion.find_candidates(os.environ)] == ["lesson"]


def test_the_same_in_more_words_is_one(tmp_path):
    one = "# M\n## User Preferences\n- Write integration tests against real databases before merging\n"
    made(tmp_path / "shop", "", text=one)
    made(tmp_path / "site", "", text=one.replace("real databases", "real local databases"))
    made(tmp_path / "app", "", text=one.replace("Write", "Never write"))
    (found,) = [one for one in promotion.find_candidates(os.environ) if one.kind == "preference"]

    assert [place.project for place in found.evidence] == ["shop", "site"]


def test_a_strangers_text_is_never_noted(tmp_path):
    made(tmp_path / "shop", "SQLite")
    made(tmp_path / "clone", "SQLite", mine=False)

    assert promotion.find_candidates(os.environ) == []


def test_saved_once_dated_and_offered_no_more(two):
    texts = [one.text for one in promotion.find_candidates(os.environ)]
    saved = promotion.save_learnings(os.environ, texts)
    before = held()

    assert saved.what == "3 added"
    assert before.startswith("# Global memory\n\n- 20")
    assert [line[13:] for line in before.splitlines()[2:]] == texts
    assert promotion.find_candidates(os.environ) == []
    assert promotion.save_learnings(os.environ, texts).what == ""
    assert held() == before


def test_lines_of_the_user_stay_and_the_last_save_is_taken_back(two):
    path = paths.global_memory(os.environ)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as file:
        file.write("# Mine\r\n- Short answers\r\n- no newline")
    promotion.save_learnings(os.environ, ["short answers.", "never mock git"])

    assert held().startswith("# Mine\n- Short answers\n- no newline\n- 20")
    assert held().count("hort answers") == 1
    assert promotion.undo_promotion(os.environ) == [path]
    with open(path, newline="") as file:
        assert file.read() == "# Mine\r\n- Short answers\r\n- no newline"


def test_a_save_that_fails_before_it_writes_leaves_nothing_to_undo(two, monkeypatch):
    def lacking(text, lines):
        raise ImportError("markdown_it")

    monkeypatch.setattr(promotion, "_append_lines", lacking)
    with pytest.raises(ImportError):
        promotion.save_learnings(os.environ, ["never mock git"])

    with pytest.raises(BelayError, match="nothing to undo"):
        promotion.undo_promotion(os.environ)


def test_what_was_edited_since_is_not_taken_back(two):
    promotion.save_learnings(os.environ, ["never mock git"])
    with open(paths.global_memory(os.environ), "a") as file:
        file.write("- mine\n")

    with pytest.raises(BelayError, match="was changed since"):
        promotion.undo_promotion(os.environ)


def test_turned_down_is_not_offered_again(two):
    one, *rest = promotion.find_candidates(os.environ)
    promotion.dismiss(os.environ, [one.id])

    assert promotion.find_candidates(os.environ) == rest


def test_a_project_that_went_away_holds_nothing(two):
    shutil.rmtree(two[1].home)
    promotion.record_project(two[0], os.environ)

    assert promotion.find_candidates(os.environ) == []


def test_secrets_reach_neither_index_nor_file(two):
    secret = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"
    promotion.record_learnings(
        two[0], os.environ, {"preferences": [{"line": 1, "text": f"use {secret}"}], "decisions": []}
    )
    promotion.save_learnings(os.environ, [f"use {secret}"])

    for folder, _, names in os.walk(os.environ["HOME"]):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert secret.encode() not in file.read()


WRITER = "import os, sys; from belay.memory import promotion as promote; promote.save_learnings(os.environ, [f'rule {sys.argv[1]}{n}' for n in range(3)])"


def test_two_writers_lose_no_line(home):
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    both = [subprocess.Popen([sys.executable, "-c", WRITER, name], env=env) for name in "abc"]

    assert [one.wait(60) for one in both] == [0, 0, 0]
    assert sorted(line[13:] for line in held().splitlines()[2:]) == [
        f"rule {name}{n}" for name in "abc" for n in range(3)
    ]
