"""The fold matrix: every way a branch is merged, and everything that stands in the way."""

import os
import subprocess

import pytest
from branchworld import BASE, DECIDED, OVERLAY, commit, merge, project, remember, squash, world
from legacy import killed
from repos import git

from belay.core.errors import BadInput, BelayError, ForeignText
from belay.memory import memory_files, undo
from belay.memory.branches import fold, pruning
from belay.memory.branches import overlay as branches_overlay
from belay.memory.branches.slug import branch_slug
from belay.safety import trust


def plan(root, name=""):
    return fold.plan_fold(project(root), os.environ, name)


def apply(root, name=""):
    found = plan(root, name)
    fold.apply_fold(project(root), os.environ, found)
    return found


def memory(root):
    return (root / "MEMORY.md").read_text()


def archived(root):
    folder = root / ".memory" / "branches" / "archive"
    return sorted(path.name for path in folder.glob("*.md")) if folder.is_dir() else []


def rebase(root, branch="feature/tax"):
    commit(root, "other.py", "y = 1\n", "trunk moves")
    for one in git(root, "rev-list", "--reverse", f"main..{branch}").split():
        git(root, "cherry-pick", one)


def fast_forward(root, branch="feature/tax"):
    git(root, "merge", "-q", "--ff-only", branch)


WAYS = {"merge": merge, "fast-forward": fast_forward, "squash": squash, "rebase": rebase}


@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_merged_branch_is_planned_folded_and_taken_back(repo, way, gone, tracked):
    world(repo, tracked=tracked)
    assert plan(repo) is None
    WAYS[way](repo)
    if gone:
        git(repo, "branch", "-qD", "feature/tax")

    found = apply(repo)

    assert (found.branch, found.how) == ("feature/tax", way)
    assert f"+{DECIDED}\n" in found.diff
    assert [row for row in found.diff.splitlines() if row.startswith("-") and not row.startswith("---")] == []
    assert memory(repo) == found.text
    assert BASE.split("## Active")[0] in found.text
    assert archived(repo) == [os.path.basename(found.archive)]
    assert branches_overlay.list_overlays(project(repo)) == []
    assert plan(repo) is None

    fold.undo_fold(project(repo), os.environ)

    assert memory(repo) == BASE
    assert archived(repo) == []
    assert branches_overlay.read_overlay(project(repo), os.environ, "feature/tax")[1].endswith(
        OVERLAY.format(branch="feature/tax")
    )
    assert plan(repo).how == way


def test_a_merge_elsewhere_that_came_with_a_pull(repo, tmp_path):
    world(repo, tracked=True)
    git(tmp_path, "clone", "-q", str(repo), "other")
    other = tmp_path / "other"
    git(other, "fetch", "-q", "origin", "feature/tax:feature/tax")
    squash(other)
    git(repo, "branch", "-qD", "feature/tax")
    git(repo, "pull", "-q", "--no-rebase", str(other), "main")

    assert plan(repo).how == "squash"


def test_on_a_machine_without_the_branch_its_note_tells(repo, tmp_path):
    world(repo, tracked=True)
    squash(repo)
    git(tmp_path, "clone", "-q", "--single-branch", "--branch", "main", f"file://{repo}", "other")
    found = plan(tmp_path / "other")

    assert (found.branch, found.how, found.foreign) == ("feature/tax", "squash", True)
    for path in (".memory/branches/" + os.path.basename(found.overlay), "MEMORY.md"):
        trust.accept(os.environ, str(tmp_path / "other"), path, (tmp_path / "other" / path).read_bytes())
    apply(tmp_path / "other")
    assert DECIDED in memory(tmp_path / "other")


@pytest.mark.parametrize("way", [squash, merge])
def test_work_committed_after_the_note_is_known_by_the_overlay_that_came_along(repo, tmp_path, way):
    world(repo, tracked=True)
    git(repo, "switch", "-q", "feature/tax")
    commit(repo, "late.py", "z = 1\n")
    git(repo, "switch", "-q", "main")
    way(repo)
    git(repo, "branch", "-qD", "feature/tax")
    git(tmp_path, "clone", "-q", f"file://{repo}", "other")

    assert plan(tmp_path / "other").how == way.__name__


@pytest.mark.parametrize("tracked", [True, False])
def test_a_squash_with_settled_conflicts_is_known_by_the_overlay_that_came_along(repo, tracked):
    commit(repo, "tax.py", "rate = 0\n")
    world(repo, tracked=tracked)
    commit(repo, "tax.py", "rate = 5\n", "another rate")
    with pytest.raises(subprocess.CalledProcessError):
        git(repo, "merge", "-q", "--squash", "feature/tax")
    commit(repo, "tax.py", "rate = 6\n", "settled")

    assert (plan(repo) or fold.plan_fold(project(repo), os.environ, "feature/tax")).how == ("squash" if tracked else "")


def test_work_after_such_a_squash_has_not_arrived(repo):
    test_a_squash_with_settled_conflicts_is_known_by_the_overlay_that_came_along(repo, True)
    git(repo, "switch", "-qf", "feature/tax")
    (repo / "tax.py").write_text("rate = 7\n")
    git(repo, "commit", "-qam", "later", "--date=2099-01-01T00:00:00Z")
    git(repo, "switch", "-q", "main")

    assert plan(repo) is None


def test_a_remotes_branch_that_was_fast_forwarded_elsewhere(repo, tmp_path):
    world(repo, tracked=True)
    git(tmp_path, "clone", "-q", str(repo), "other")
    other = tmp_path / "other"
    git(other, "switch", "-q", "feature/tax")
    git(other, "switch", "-q", "main")
    assert plan(other) is None
    fast_forward(repo)
    git(other, "pull", "-q")

    assert plan(other).how == "fast-forward"


def test_an_overlay_committed_on_the_trunk_has_not_arrived_with_work(repo, tmp_path):
    world(repo)
    git(repo, "add", "-f", ".memory")
    git(repo, "commit", "-qm", "the overlay alone")
    git(tmp_path, "clone", "-q", "--single-branch", f"file://{repo}", "other")

    assert plan(repo) is None
    assert plan(tmp_path / "other") is None


def test_the_branch_that_is_checked_out_is_not_merged_into_itself(repo):
    world(repo)
    git(repo, "switch", "-q", "feature/tax")

    assert plan(repo) is None
    assert plan(repo, "feature/tax").how == ""


def test_a_strangers_overlay_makes_no_memory_of_this_users(repo, tmp_path):
    world(repo, tracked=True)
    squash(repo)
    git(tmp_path, "clone", "-q", f"file://{repo}", "other")
    other = tmp_path / "other"
    found = plan(other)
    fold.apply_fold(project(other), os.environ, found)  # theirs into theirs: it stays theirs

    assert not memory_files.is_trusted(project(other), os.environ, found.base)
    fold.undo_fold(project(other), os.environ)
    assert not memory_files.is_trusted(project(other), os.environ, found.base)
    trust.accept(os.environ, str(other), "MEMORY.md", (other / "MEMORY.md").read_bytes())
    with pytest.raises(ForeignText):
        fold.apply_fold(project(other), os.environ, plan(other))


def test_without_git_nothing_is_ready(tmp_path):
    (tmp_path / ".claude" / "memory").mkdir(parents=True)
    (tmp_path / ".memory" / "branches").mkdir(parents=True)
    (tmp_path / ".memory" / "branches" / "x.md").write_text("# Branch: x\n")

    assert plan(tmp_path) is None
    assert plan(tmp_path, "x").how == ""
    assert pruning.plan_pruning(project(tmp_path), os.environ) == []


def test_a_reverted_merge_is_not_folded(repo):
    world(repo)
    squash(repo)
    git(repo, "revert", "--no-edit", "HEAD")

    assert plan(repo) is None
    found = plan(repo, "feature/tax")
    assert (found.how, found.reverted) == ("", True)


def test_a_decision_that_clashes_stays_beside_the_bases(repo):
    world(repo)
    text = BASE + "| 2026-03-01 | Decimal | habit | all |\n"
    assert memory_files.write_file(project(repo), os.environ, str(repo / "MEMORY.md"), text) == ""
    git(repo, "commit", "-qam", "decided otherwise")
    squash(repo)

    apply(repo)

    assert (
        "| 2026-03-01 | Decimal | habit | all |\n| 2026-03-02 | Decimal (feature/tax) | cents | tax.py |\n"
        in memory(repo)
    )


def test_a_renamed_branch_is_folded_under_its_name_of_today(repo):
    world(repo)
    git(repo, "branch", "-m", "feature/tax", "taxes")
    merge(repo, "taxes")

    assert (plan(repo).branch, plan(repo).how) == ("taxes", "merge")
    assert "- [ ] rates by country (taxes)" in apply(repo).text


def test_branches_that_would_collide_are_folded_each_by_itself(repo):
    world(repo, "a/b")
    git(repo, "switch", "-qc", "a-b", "main")
    commit(repo, "x.py", "x = 1\n")
    remember(repo, "a-b", OVERLAY.replace("Decimal", "Fractions"))
    git(repo, "switch", "-q", "main")
    merge(repo, "a-b")

    assert fold.find_foldable(project(repo)) == {"a-b": "merge"}
    apply(repo)
    assert "Fractions" in memory(repo)
    assert DECIDED not in memory(repo)
    assert os.path.basename(branches_overlay.find_overlay(project(repo), "a/b")) == branch_slug("a/b") + ".md"


def test_in_a_linked_worktree_its_own_files_are_folded(repo, tmp_path):
    world(repo, tracked=True)
    git(repo, "switch", "-q", "--detach")
    git(repo, "worktree", "add", "-q", str(tmp_path / "side"), "main")
    merge(tmp_path / "side")
    for path in tmp_path.glob("side/.memory/branches/*.md"):
        name = f".memory/branches/{path.name}"
        trust.accept(os.environ, str(tmp_path / "side"), name, path.read_bytes())

    apply(tmp_path / "side")

    assert DECIDED in memory(tmp_path / "side")
    assert "Decimal" not in memory(repo)


def test_without_a_base_one_is_made(repo):
    world(repo)
    git(repo, "rm", "-q", "MEMORY.md")
    git(repo, "commit", "-qm", "no memory")
    merge(repo)

    apply(repo)

    assert memory(repo).startswith("# Project Memory\n")
    assert DECIDED in memory(repo)
    fold.undo_fold(project(repo), os.environ)
    assert not (repo / "MEMORY.md").exists()


def test_what_cannot_be_folded_says_why(repo):
    world(repo)
    with pytest.raises(BadInput, match="no overlay"):
        plan(repo, "nothing")
    (repo / "MEMORY.md").write_text("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n")
    with pytest.raises(BelayError, match="conflict"):
        plan(repo, "feature/tax")


def test_an_undo_over_a_later_change_is_refused(repo):
    world(repo)
    squash(repo)
    apply(repo)
    with open(repo / "MEMORY.md", "a") as file:
        file.write("\n## Mine\n")

    with pytest.raises(BelayError, match="changed since"):
        fold.undo_fold(project(repo), os.environ)
    assert DECIDED in memory(repo)


def undo_all(root):
    """Take back until there is nothing left: a fold that was killed and finished is two changes."""
    try:
        for _ in range(4):
            fold.undo_fold(project(root), os.environ)
    except undo.NothingToUndo:
        return
    raise AssertionError("there is no end of it")


def test_killed_anywhere_the_next_fold_finishes_and_an_undo_restores(repo):
    world(repo)
    squash(repo)
    overlay = memory_files.read_text(branches_overlay.find_overlay(project(repo), "feature/tax"))
    whole = plan(repo).text
    number, alive = 0, True
    while alive:
        alive = killed(lambda: apply(repo), number)
        assert memory(repo) in (BASE, whole)
        standing = branches_overlay.list_overlays(project(repo))
        assert standing or archived(repo)
        if standing:
            apply(repo)
        assert (memory(repo), len(archived(repo)), branches_overlay.list_overlays(project(repo))) == (
            whole,
            1,
            [],
        )
        undo_all(repo)
        assert memory(repo) == BASE, number
        assert memory_files.read_text(branches_overlay.find_overlay(project(repo), "feature/tax")) == overlay, number
        assert archived(repo) == [], number
        number += 1
    assert number > 8


def test_prune_archives_what_is_folded_or_stale_and_gone(repo):
    world(repo)
    for name, text in (("gone/old", OVERLAY), ("gone/new", OVERLAY.replace("2026-03-04", "2999-01-01"))):
        git(repo, "switch", "-qc", name, "main")
        commit(repo, f"{name}.py", "x = 1\n")
        remember(repo, name, text)
        git(repo, "switch", "-q", "main")
        git(repo, "branch", "-qD", name)
    path = branches_overlay.find_overlay(project(repo), "feature/tax")
    squash(repo)
    found = plan(repo)
    assert memory_files.write_file(project(repo), os.environ, found.base, found.text) == ""
    git(repo, "branch", "-qD", "feature/tax")

    told = pruning.plan_pruning(project(repo), os.environ)

    assert {(one.branch, one.why) for one in told} == {("feature/tax", "folded"), ("gone/old", "stale")}
    pruning.apply_pruning(project(repo), os.environ, told)
    assert len(archived(repo)) == 2
    assert not os.path.exists(path)
    assert pruning.plan_pruning(project(repo), os.environ) == []
    assert branches_overlay.find_overlay(project(repo), "gone/new")
    fold.undo_fold(project(repo), os.environ)
    assert len(archived(repo)) == 1


def test_prune_leaves_what_waits_to_be_folded(repo):
    world(repo)
    squash(repo)
    git(repo, "branch", "-qD", "feature/tax")

    assert pruning.plan_pruning(project(repo), os.environ) == []


def test_the_header_no_longer_names_the_branch_that_is_folded(repo):
    world(repo)
    squash(repo)
    page = repo / "MEMORY.md"
    page.write_text(page.read_text().replace("| Branch: main", "| Branch: feature/tax", 1))
    trust.record(os.environ, str(repo), "MEMORY.md", page.read_bytes())

    apply(repo)

    assert "Last updated: 2026-03-01 | Session 9 | Branch: main\n" in memory(repo)
    assert "feature/tax\n" not in memory(repo)
    assert plan(repo) is None
