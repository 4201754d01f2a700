"""How a branch's work arrives on the trunk, with real git: the fold matrix."""

import os
import subprocess

import pytest
from repos import git, repository

from belay.repository import projects
from belay.repository.git import branches, commit_graph, merges
from belay.repository.git.commit_graph import History
from belay.repository.git.merges import Known


def write(root, name, text, message="change"):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)
    return git(root, "rev-parse", "HEAD")


def base(root):
    write(root, "app.py", "".join(f"line {n}\n" for n in range(30)), "base")


def feature(root, name="feature"):
    """Make a branch of three commits (the last touches memory only); return its tip."""
    git(root, "switch", "-qc", name)
    write(root, "app.py", (root / "app.py").read_text().replace("line 5\n", "five\n"), "five")
    write(root, "new.py", "print(1)\n", "new file")
    tip = write(root, ".memory/branches/x.md", "memory\n", "memory")
    git(root, "switch", "-q", "main")
    return tip


def trunk_moves(root):
    write(root, "app.py", (root / "app.py").read_text().replace("line 25\n", "twenty-five\n"), "trunk")


def known(root, name):
    project = projects.find(str(root), os.environ)
    tip = branches.find_commit(project.common_dir, name) or branches.find_left_commit(project.git_dir, name)
    return Known((tip,), branches.find_first_commit(project.git_dir, project.common_dir, name))


def arrival(root, name="feature", about=None):
    about = about or known(root, name)
    return merges.find_arrivals(str(root), git(root, "rev-parse", "HEAD"), {name: about})[name]


def how(root, name="feature", about=None):
    return arrival(root, name, about).how


@pytest.fixture
def root(repo):
    base(repo)
    return repo


def by_merge(root):
    git(root, "merge", "-q", "--no-ff", "-m", "any words", "feature")


def by_fast_forward(root):
    git(root, "merge", "-q", "--ff-only", "feature")


def by_squash(root):
    git(root, "merge", "-q", "--squash", "feature")
    git(root, "commit", "-qm", "all of it (#7)")


def by_rebase(root):
    for commit in git(root, "rev-list", "--reverse", "main..feature").split():
        git(root, "cherry-pick", commit)


WAYS = {"merge": by_merge, "fast-forward": by_fast_forward, "squash": by_squash, "rebase": by_rebase}
MOVED = [way for way in WAYS if way != "fast-forward"]


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_each_way_of_merging_is_told(root, way, gone):
    feature(root)
    assert how(root) == ""

    if way == "rebase":
        trunk_moves(root)  # else a cherry-pick fast-forwards
    WAYS[way](root)
    if gone:
        git(root, "branch", "-qD", "feature")

    assert how(root) == way


@pytest.mark.parametrize("way", MOVED)
def test_a_trunk_that_went_on_in_the_same_file_hides_nothing(root, way):
    feature(root)
    trunk_moves(root)
    WAYS[way](root)
    write(root, "app.py", (root / "app.py").read_text().replace("line 10\n", "ten\n"), "more")

    assert how(root) == way


def test_a_squash_beside_changed_lines_is_told(root):
    feature(root)
    write(root, "app.py", (root / "app.py").read_text().replace("line 7\n", "seven\n"), "next to it")
    WAYS["squash"](root)

    assert how(root) == "squash"


@pytest.mark.parametrize("way", ["merge", "squash"])
def test_a_branch_that_took_the_trunk_in_is_told(root, way):
    feature(root)
    trunk_moves(root)
    git(root, "switch", "-q", "feature")
    git(root, "merge", "-q", "--no-edit", "main")
    git(root, "switch", "-q", "main")
    WAYS[way](root)

    assert how(root) == way


@pytest.mark.parametrize("way", MOVED)
def test_a_reverted_merge_has_not_arrived_until_the_revert_is_reverted(root, way):
    feature(root)
    trunk_moves(root)
    start = git(root, "rev-parse", "HEAD")
    WAYS[way](root)
    options = ["-m", "1", "HEAD"] if way == "merge" else [f"{start}..HEAD"]
    git(root, "revert", "--no-edit", *options)

    assert (how(root), arrival(root).reverted) == ("", True)

    if way != "rebase":
        git(root, "revert", "--no-edit", "HEAD")
        assert how(root) == way


@pytest.mark.parametrize("way", ["merge", "squash", "fast-forward"])
def test_a_revert_is_known_by_what_it_undoes_too(root, way):
    feature(root)
    start = git(root, "rev-parse", "HEAD")
    WAYS[way](root)
    git(root, "checkout", "-q", start, "--", "app.py")
    git(root, "rm", "-q", "new.py")
    git(root, "commit", "-qm", "Take it out again")

    assert (how(root), arrival(root).reverted) == ("", True)


def test_part_of_a_branch_is_not_the_branch(root):
    feature(root)
    git(root, "cherry-pick", "feature~1")

    assert how(root) == ""


def test_a_branch_that_went_on_after_its_merge_has_not_arrived(root):
    feature(root)
    WAYS["squash"](root)
    git(root, "switch", "-q", "feature")
    write(root, "later.py", "x = 1\n")
    git(root, "switch", "-q", "main")

    assert how(root) == ""


def test_a_branch_without_a_commit_has_not_arrived(root):
    git(root, "branch", "feature")
    trunk_moves(root)

    assert how(root) == ""


def test_a_squash_elsewhere_that_came_with_a_pull(root, tmp_path):
    git(tmp_path, "clone", "-q", str(root), "other")
    other = tmp_path / "other"
    feature(root)
    about = known(root, "feature")
    git(other, "fetch", "-q", str(root), "feature:feature")
    WAYS["squash"](other)
    git(root, "pull", "-q", "--no-rebase", str(other), "main")

    assert how(root) == "squash"
    git(root, "branch", "-qD", "feature")
    assert how(root, about=about) == "squash"


def test_where_no_commit_of_the_branch_is_left_its_noted_patch_tells(root, tmp_path):
    tip = feature(root)
    WAYS["squash"](root)
    fork, patch = merges.describe_work(str(root), tip, git(root, "rev-parse", "main~1"))
    git(tmp_path, "clone", "-q", "--single-branch", "--branch", "main", f"file://{root}", "other")

    assert len(patch) == 40
    assert how(tmp_path / "other", about=Known((tip,), fork, patch)) == "squash"
    assert how(tmp_path / "other", about=Known((tip,), fork, "0" * 40)) == ""


def test_unrelated_and_missing_tips_have_not_arrived(root):
    git(root, "switch", "-q", "--orphan", "alone")
    write(root, "a.txt", "a\n")
    git(root, "switch", "-q", "main")

    assert how(root, "alone") == ""
    assert how(root, about=Known(("1" * 40,))) == ""
    assert how(root, about=Known(("",))) == ""
    assert merges.find_arrivals(str(root), "", {"x": Known(())})["x"].how == ""


def test_several_branches_are_told_apart_at_once(root):
    for number, name in enumerate(("one", "two", "three")):
        git(root, "switch", "-qc", name, "main")
        write(root, f"{name}.py", f"x = {number}\n", name)
    git(root, "switch", "-q", "main")
    git(root, "merge", "-q", "--squash", "one")
    git(root, "commit", "-qm", "one and only")
    git(root, "merge", "-q", "--no-ff", "-m", "m", "two")

    names = ["one", "two", "three"]
    found = merges.find_arrivals(str(root), git(root, "rev-parse", "HEAD"), {name: known(root, name) for name in names})
    assert [found[name].how for name in names] == ["squash", "merge", ""]


def test_a_message_full_of_signs_breaks_nothing(root):
    feature(root)
    git(root, "commit", "-q", "--allow-empty", "-m", "a\x1fb\x1f\x1e\n\nThis reverts commit zzz.\n")
    WAYS["squash"](root)

    assert how(root) == "squash"


def test_a_repository_without_commits(tmp_path):
    git(tmp_path, "init", "-q")

    assert merges.find_arrivals(str(tmp_path), "", {}) == {}


def test_sha256(tmp_path):
    folder = tmp_path / "r"
    folder.mkdir()
    git(folder, "init", "-q", "--object-format=sha256")
    base(folder)
    feature(folder)
    trunk_moves(folder)
    WAYS["squash"](folder)

    assert how(folder) == "squash"


def test_of_a_long_history_only_the_newest_part_is_read(tmp_path):
    root = repository(tmp_path / "long")
    rows = [
        f"commit refs/heads/main\ncommitter A <a@b> {1_000_000_000 + number} +0000\ndata 1\nx\n"
        f"M 100644 inline f{number % 50}\ndata 4\n{number:04}\n"
        for number in range(4000)
    ]
    script = "reset refs/heads/main\n\n" + "\n".join(rows) + "\n"
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=root, input=script.encode(), check=True)
    git(root, "reset", "-q", "--hard", "main")
    base(root)
    feature(root)
    WAYS["squash"](root)

    assert len(History(str(root), ["main"]).commits) == 2000
    assert how(root) == "squash"


def test_a_tip_that_is_an_option_is_none(tmp_path):
    git(tmp_path, "init", "-q")

    assert commit_graph.History(str(tmp_path), ["--output=written", "HEAD"]).commits == {}
    assert os.listdir(tmp_path) == [".git"]
