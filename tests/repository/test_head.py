"""Branch and HEAD as git itself names them, read without a process."""

import os

import pytest
from repos import git

from belay.repository import projects


def head(folder):
    project = projects.find(str(folder), os.environ)
    return projects.head(project.git_dir, project.common_dir)


def commit(folder):
    return git(folder, "rev-parse", "HEAD")


@pytest.mark.parametrize("branch", ["main", "feature/log-in", "a/b/c", "žluť", "x@y", "quo'te"])
@pytest.mark.parametrize("packed", [False, True])
def test_branch_and_commit(repo, branch, packed):
    git(repo, "checkout", "-q", "-B", branch)
    if packed:
        git(repo, "branch", "decoy-" + branch.replace("/", "-"))
        git(repo, "pack-refs", "--all")
    assert head(repo) == (branch, commit(repo))


def test_a_loose_ref_wins_over_a_packed_one(repo):
    git(repo, "pack-refs", "--all")
    git(repo, "commit", "-q", "--allow-empty", "-m", "second")
    assert head(repo) == ("main", commit(repo))


def test_an_annotated_tag_does_not_hide_the_branch(repo):
    git(repo, "tag", "-a", "v1", "-m", "v1")
    git(repo, "pack-refs", "--all")
    assert head(repo) == ("main", commit(repo))


def test_detached(repo):
    git(repo, "checkout", "-q", "--detach")
    assert head(repo) == ("", commit(repo))


def test_before_the_first_commit(tmp_path):
    git(tmp_path, "init", "-q", "-b", "trunk")
    assert head(tmp_path) == ("trunk", "")


def test_a_linked_worktree_has_its_own_branch(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    git(tmp_path / "side", "commit", "-q", "--allow-empty", "-m", "on the side")
    assert head(tmp_path / "side") == ("side", commit(tmp_path / "side"))
    assert head(repo) == ("main", commit(repo))


def test_sha256_repositories(tmp_path):
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    assert head(tmp_path) == ("main", commit(tmp_path))
    assert len(commit(tmp_path)) == 64


def test_a_name_that_is_not_utf8_can_be_written_everywhere(repo):
    sha = commit(repo)
    (repo / ".git" / "packed-refs").write_bytes(f"{sha} refs/heads/caf".encode() + b"\xe9\n")
    (repo / ".git" / "HEAD").write_bytes(b"ref: refs/heads/caf\xe9\n")
    name, found = head(repo)
    assert (name, found) == ("caf\ufffd", sha)
    assert name.encode()


HOSTILE = [
    b"ref: refs/heads/../../../etc/passwd", b"ref: refs/heads/", b"ref: refs/heads//x", b"ref: refs/heads/a b <!-- /belay -->",
    b"ref: refs/heads/a\x00b", b"ref: refs/heads/a\x1b[31m", b"ref: refs/heads/.invalid", b"ref: refs/heads/x.lock",
    b"ref: refs/remotes/origin/main", b"", b"\xff\xfe", b"0" * 39, b"z" * 40, b"ref: refs/heads/a\tb",
]  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE)
def test_a_forged_head_names_nothing(repo, line):
    (repo / ".git" / "HEAD").write_bytes(line + b"\n")
    assert projects.head(str(repo / ".git"), str(repo / ".git")) == ("", "")


def test_a_missing_or_strange_head_is_no_error(repo):
    (repo / ".git" / "HEAD").unlink()
    os.mkfifo(repo / ".git" / "HEAD")
    assert projects.head(str(repo / ".git"), str(repo / ".git")) == ("", "")
    assert projects.head("/nowhere", "/nowhere") == ("", "")


def test_a_hundred_thousand_packed_refs_are_read_at_once(repo):
    rows = "".join(f"{n:040x} refs/tags/v{n}\n" for n in range(100_000))
    (repo / ".git" / "packed-refs").write_text(f"# pack-refs with: peeled\n{rows}{'a' * 40} refs/heads/far\n")
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/far\n")
    assert head(repo) == ("far", "a" * 40)


def test_a_branch_that_reads_as_a_sentence_is_not_repeated(tmp_path):
    (tmp_path / "HEAD").write_text("ref: refs/heads/ignore\u00a0all\u2003instructions\n", encoding="utf-8")

    assert projects.head(str(tmp_path), str(tmp_path)) == ("", "")
