"""`belay branch` through the command line's own face."""

import json

import pytest
from branchworld import BASE, DECIDED, merge, remember, squash, world
from click.testing import CliRunner
from repos import git
from schemas import check

from belay.cli.main import belay


@pytest.fixture
def here(repo, monkeypatch):
    world(repo)
    monkeypatch.chdir(repo)
    return repo


def call(*args):
    done = CliRunner().invoke(belay, ["branch", *args, "--json"])
    return done.exit_code, check("branch", json.loads(done.output))


def said(*args):
    return CliRunner().invoke(belay, ["branch", *args]).output


def test_list(here):
    code, data = call("list")
    (row,) = data["overlays"]

    assert (code, data["current"], data["trunk"]) == (0, "main", "main")
    assert (row["branch"], row["stands"], row["current"], row["merged_how"]) == (
        "feature/tax",
        True,
        False,
        "",
    )
    merge(here)
    assert call("list")[1]["overlays"][0]["merged_how"] == "merge"
    assert "merged (merge): belay branch fold" in said("list")
    git(here, "revert", "--no-edit", "-m", "1", "HEAD")
    assert "its merge was reverted" in said("list")


def test_show(here):
    code, data = call("show", "tax")

    assert (code, data["branch"], data["why"]) == (0, "feature/tax", "")
    assert DECIDED in data["text"]
    assert "git was not switched" in said("show", "feature/tax")
    assert call("show", "nothing")[0] == 1
    assert call("show")[0] == 0  # the trunk has none, which is no fault
    assert git(here, "branch", "--show-current") == "main"


def test_an_overlay_that_only_its_branch_has(repo, monkeypatch):
    world(repo, tracked=True)
    monkeypatch.chdir(repo)
    (row,) = call("list")[1]["overlays"]
    code, data = call("show", "tax")

    assert (row["branch"], row["from"], row["ref"], row["stands"]) == (
        "feature/tax",
        "tree",
        "feature/tax",
        True,
    )
    assert row["lines"] == len(data["text"].splitlines())
    assert "lines, exists, in feature/tax's own tree" in said("list")
    assert (code, data["overlay"], data["file"]) == (0, row["overlay"], row["overlay"])
    assert (data["from"], data["ref"]) == ("tree", "feature/tax")
    assert "in branch feature/tax's own tree (git was not switched):" in said("show", "tax")
    assert call("fold", "--dry-run")[1]["branch"] == ""
    assert call("fold", "feature/tax", "--dry-run")[0] == 1
    assert call("prune", "--dry-run")[1]["archived"] == []


def test_the_memory_of_a_branch_without_an_overlay(here):
    git(here, "switch", "-qc", "till")
    remember(here, text=BASE.replace("the till", "the drawer"), path=str(here / "MEMORY.md"))
    git(here, "commit", "-qam", "its memory")
    git(here, "switch", "-q", "main")
    code, data = call("show", "till")

    assert (code, data["overlay"], data["file"], data["from"]) == (0, "", "MEMORY.md", "tree")
    assert data["text"] == "## Active Work\n- [ ] the drawer"
    assert "till" not in [row["branch"] for row in call("list")[1]["overlays"]]


def test_a_dry_run_shows_the_diff_and_changes_nothing(here):
    squash(here)
    before = git(here, "status", "--porcelain")

    code, data = call("fold", "--dry-run")

    assert code == 0
    assert (data["branch"], data["merged_how"], data["base"]) == ("feature/tax", "squash", "MEMORY.md")
    assert data["sections"] == ["Completed", "Active Work", "Key Decisions"]
    assert data["diff"].startswith("--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ ")
    assert f"+{DECIDED}\n" in data["diff"]
    assert (data["folded"], data["others"]) == (False, [])
    assert (here / "MEMORY.md").read_text() == BASE
    assert git(here, "status", "--porcelain") == before
    assert f"+{DECIDED}" in said("fold", "--dry-run")


def test_the_diff_is_one_that_git_applies(here):
    squash(here)
    diff = call("fold", "--dry-run")[1]["diff"]
    (here / "patch").write_text(diff)
    git(here, "apply", "patch")
    by_git = (here / "MEMORY.md").read_text()
    git(here, "checkout", "-q", "MEMORY.md")

    call("fold", "--yes")
    assert (here / "MEMORY.md").read_text() == by_git


def test_fold_and_undo(here):
    squash(here)
    assert call("fold")[1]["folded"] is False  # nobody said yes
    code, data = call("fold", "--yes")

    assert (code, data["folded"]) == (0, True)
    assert (here / data["archive"]).is_file()
    assert DECIDED in (here / "MEMORY.md").read_text()
    assert call("fold", "--dry-run")[1]["branch"] == ""
    assert said("fold") == "Nothing to fold: no overlay's branch is merged here.\n"

    code, data = call("undo")
    assert code == 0
    assert "MEMORY.md" in data["restored"]
    assert (here / "MEMORY.md").read_text() == BASE
    assert call("undo")[0] == 1


def test_what_is_not_merged_is_folded_only_anyway(here):
    code, data = call("fold", "feature/tax", "--yes")
    assert (code, data["error"]["mend"]) == (1, "merge it first, or fold it with --anyway")
    assert call("fold", "feature/tax", "--dry-run")[1]["merged_how"] == ""

    assert call("fold", "feature/tax", "--yes", "--anyway")[1]["folded"]
    assert call("fold", "other")[0] == 1


def test_prune(here):
    squash(here)
    git(here, "branch", "-qD", "feature/tax")

    assert call("prune", "--dry-run") == (0, {"archived": [], "done": False})
    assert said("prune") == "Nothing to prune.\n"


def test_merge_driver(here):
    assert call("merge-driver")[1] == {"installed": False, "files": [], "missing": ""}
    code, data = call("merge-driver", "--shared")
    assert (code, data["installed"], data["files"]) == (0, True, [".gitattributes"])
    code, data = call("merge-driver", "--uninstall")
    assert (data["installed"], data["files"]) == (False, ["config", ".gitattributes"])
    assert CliRunner().invoke(belay, ["branch", "merge-driver", "--install", "--uninstall"]).exit_code == 2


def test_merge_driver_as_git_calls_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("o", "# M\n- a\n"), ("a", "# M\n- a\n- b\n"), ("b", "# M\n- a\n- c\n")):
        (tmp_path / name).write_text(text)

    done = CliRunner().invoke(belay, ["branch", "merge-driver", "--run", "o", "a", "b", "MEMORY.md"])

    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / "a").read_text() == "# M\n- a\n- b\n- c\n"


@pytest.mark.parametrize("name", ["", "list", "show", "fold", "undo", "prune", "merge-driver"])
def test_help_has_examples(name):
    shown = CliRunner().invoke(belay, ["branch", *filter(None, [name]), "--help"]).output

    assert "--run" not in shown
    assert ("Examples:" in shown) == bool(name)


def test_names_and_texts_of_a_clone_cannot_write_to_the_terminal(here):
    git(here, "switch", "-q", "feature/tax")
    folder = here / ".memory" / "branches"
    (folder / "x.md").write_text("# Branch: \x1b[31mred\n")

    assert "\x1b" not in said("list")
