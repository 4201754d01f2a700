"""The merge driver: set up, run by real git, taken out without a trace."""

import os
import sys

import pytest
from branchworld import BASE, commit, project
from repos import git

from belay.core.errors import BelayError
from belay.memory.branches import merge_driver

ROW = "| 2026-02-01 | SQLite | one file | store |\n"
RULES = "MEMORY.md merge=belay\n.memory/branches/*.md merge=belay\n"


@pytest.fixture(autouse=True)
def environment(home):
    """Let `bin/belay` run in the tests' own interpreter."""
    folder = home / ".local" / "share" / "belay"
    folder.mkdir(parents=True)
    (folder / "env").write_text(sys.executable + "\n")


@pytest.fixture
def clones(repo, tmp_path):
    commit(repo, "MEMORY.md", BASE)
    for name in ("ours", "theirs"):
        git(tmp_path, "clone", "-q", str(repo), name)
        git(tmp_path / name, "config", "user.name", name)
        git(tmp_path / name, "config", "user.email", f"{name}@example.org")
    return tmp_path / "ours", tmp_path / "theirs"


def pull(root, other):
    """Pull the other's main; return whether it went without a conflict."""
    git(root, "fetch", "-q", str(other), "main")
    try:
        git(root, "merge", "-q", "-m", "pull", "FETCH_HEAD")
    except Exception as error:
        if getattr(error, "returncode", 0) != 1:
            raise
        return False
    return True


def test_two_peoples_rows_meet_where_lines_would_not(clones):
    ours, theirs = clones
    commit(
        ours,
        "MEMORY.md",
        BASE.replace(ROW, ROW + "| 2026-03-02 | Redis | fast | queue |\n").replace("Session 9", "Session 10"),
    )
    commit(
        theirs,
        "MEMORY.md",
        BASE.replace(ROW, ROW + "| 2026-03-03 | Pytest | known | tests |\n").replace("Session 9", "Session 11"),
    )

    assert not pull(ours, theirs)
    git(ours, "merge", "--abort")
    merge_driver.install_driver(project(ours))

    assert pull(ours, theirs)
    text = (ours / "MEMORY.md").read_text()
    assert ROW + "| 2026-03-02 | Redis | fast | queue |\n| 2026-03-03 | Pytest | known | tests |\n" in text
    assert "Session 11" in text
    assert git(ours, "status", "--porcelain") == ""


def test_a_record_changed_both_ways_is_a_conflict_of_git(clones):
    ours, theirs = clones
    merge_driver.install_driver(project(ours))
    commit(ours, "MEMORY.md", BASE.replace("one file", "no server"))
    commit(
        theirs,
        "MEMORY.md",
        BASE.replace("one file", "it is here").replace("- [ ] the till", "- [x] the till"),
    )

    assert not pull(ours, theirs)
    assert git(ours, "diff", "--name-only", "--diff-filter=U") == "MEMORY.md"
    text = (ours / "MEMORY.md").read_text()
    assert text.count("<<<<<<< ours\n") == text.count(">>>>>>> theirs\n") == 1
    assert "- [x] the till" in text


def test_what_is_no_text_is_left_to_git(clones):
    ours, theirs = clones
    merge_driver.install_driver(project(ours))
    for root, line in ((ours, "ours"), (theirs, "theirs")):
        (root / "MEMORY.md").write_bytes(BASE.encode() + b"\xff " + line.encode() + b"\n")
        git(root, "commit", "-qam", "bytes")

    assert not pull(ours, theirs)
    assert b"<<<<<<< " in (ours / "MEMORY.md").read_bytes()


@pytest.mark.parametrize("before", [None, b"", b"*.png binary\n", b"*.png binary", b"\r\n# x\r\n"])
@pytest.mark.parametrize("shared", [False, True])
def test_set_up_and_taken_out_without_a_trace(repo, before, shared):
    path = repo / ".gitattributes" if shared else repo / ".git" / "info" / "attributes"
    path.parent.mkdir(exist_ok=True)
    if before is not None:
        path.write_bytes(before)
    config = (repo / ".git" / "config").read_bytes()

    merge_driver.install_driver(project(repo), shared=shared)
    once = path.read_bytes()
    merge_driver.install_driver(project(repo), shared=shared)

    assert path.read_bytes() == once
    assert RULES.encode() in once
    assert once.startswith(before or b"")
    assert git(repo, "check-attr", "merge", "web/MEMORY.md").endswith("merge: belay")
    assert merge_driver.is_installed(project(repo))

    merge_driver.uninstall_driver(project(repo))

    assert (path.read_bytes() if path.exists() else None) == (before or None)
    assert (repo / ".git" / "config").read_bytes() == config
    assert not merge_driver.is_installed(project(repo))
    assert merge_driver.uninstall_driver(project(repo)) == []


def test_a_machine_without_the_shared_driver_is_told(repo, tmp_path):
    assert merge_driver.explain_missing(project(repo)) == ""
    merge_driver.install_driver(project(repo), shared=True)
    assert merge_driver.explain_missing(project(repo)) == ""
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "attributes")
    git(tmp_path, "clone", "-q", str(repo), "clone")

    told = merge_driver.explain_missing(project(tmp_path / "clone"))

    assert "belay branch merge-driver --install" in told
    assert "\n" not in told
    merge_driver.install_driver(project(tmp_path / "clone"))
    assert merge_driver.explain_missing(project(tmp_path / "clone")) == ""


def test_a_driver_whose_program_is_gone_is_missing(repo):
    merge_driver.install_driver(project(repo), shared=True)
    git(repo, "config", "merge.belay.driver", "/nowhere/belay branch merge-driver --run %O %A %B %P")
    assert merge_driver.explain_missing(project(repo))
    git(repo, "config", "merge.belay.driver", "'unclosed")
    assert merge_driver.explain_missing(project(repo))


def test_where_it_cannot_be_set_up_says_why(repo, tmp_path):
    os.symlink(tmp_path / "elsewhere", repo / ".gitattributes")
    with pytest.raises(BelayError, match="no plain file"):
        merge_driver.install_driver(project(repo), shared=True)
    (tmp_path / "plain").mkdir()
    with pytest.raises(BelayError, match="no git repository"):
        merge_driver.install_driver(project(tmp_path / "plain"))
