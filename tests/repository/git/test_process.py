"""The git process against real repositories, kind and hostile."""

import os

import pytest
from repos import git, repository

from belay.repository import projects
from belay.repository.git import process, status


def test_status_names_changes_new_files_and_odd_paths(tmp_path):
    root = repository(tmp_path / "with space" / "ümlaut")
    (root / "file.txt").write_text("two\n")
    (root / "neu und schön.txt").write_text("x")
    (root / "folder").mkdir()
    (root / "folder" / "a\nb").write_text("x")

    assert sorted(status.list_uncommitted(str(root))) == [
        (" M", "file.txt"),
        ("??", "folder/"),
        ("??", "neu und schön.txt"),
    ]
    assert status.list_uncommitted(str(root), "file.txt") == [(" M", "file.txt")]


def test_status_survives_a_name_that_is_not_utf8(tmp_path):
    root = repository(tmp_path / "r")
    with open(os.path.join(os.fsencode(root), b"\xff.txt"), "wb"):
        pass

    assert status.list_uncommitted(str(root)) == [("??", "\udcff.txt")]


def test_a_renamed_file_is_a_deletion_and_an_addition(tmp_path):
    root = repository(tmp_path / "r")
    git(root, "mv", "file.txt", "other.txt")

    assert sorted(status.list_uncommitted(str(root))) == [("A ", "other.txt"), ("D ", "file.txt")]


def test_commits_since_a_time(tmp_path):
    root = repository(tmp_path / "r")
    (root / "file.txt").write_text("two\n")
    git(root, "commit", "-qam", "second: \x1f odd")

    found = [commit.subject for commit in status.list_commits(str(root), "2001-01-01T00:00:00Z")]
    assert (len(found), found[0]) == (2, "second: \x1f odd")
    assert status.list_commits(str(root), "2098-01-01T00:00:00Z") == []


def test_no_commits_detached_head_worktree_bare_and_submodule(tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "init", "-q")
    (empty / "a").write_text("a")
    assert status.list_commits(str(empty), "2001-01-01") == []
    assert status.list_uncommitted(str(empty)) == [("??", "a")]

    root = repository(tmp_path / "r")
    git(root, "checkout", "-q", "--detach")
    assert len(status.list_commits(str(root), "2001-01-01")) == 1

    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(root), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "tree"), "HEAD")
    (tmp_path / "tree" / "file.txt").write_text("changed\n")
    assert status.list_uncommitted(str(tmp_path / "tree")) == [(" M", "file.txt")]

    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(bare), "sub")
    git(root, "commit", "-qm", "with a submodule")
    (root / "sub" / "file.txt").write_text("changed\n")
    assert status.list_uncommitted(str(root)) == []
    assert status.list_uncommitted(str(root / "sub")) == [(" M", "file.txt")]


def test_a_hostile_config_starts_no_program(tmp_path):
    root = repository(tmp_path / "r")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho sprung >> '{tmp_path}/sprung'\ncat\n")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman"):
        (hooks / name).write_text(trap.read_text())
        (hooks / name).chmod(0o755)
    (root / ".gitattributes").write_text("* diff=evil filter=evil\n")
    (root / ".git" / "extra").write_text(f'[filter "evil.two"]\n\tprocess = {trap}\n\trequired = true\n')
    for key, value in {
        "core.fsmonitor": trap,
        "core.hooksPath": hooks,
        "core.pager": trap,
        "diff.external": trap,
        "diff.evil.textconv": trap,
        "diff.evil.command": trap,
        "filter.evil.clean": trap,
        "filter.evil.process": trap,
        "filter.evil.required": "true",
        "gpg.program": trap,
        "log.showSignature": "true",
        "include.path": "extra",
    }.items():
        git(root, "config", key, str(value))
    (root / "file.txt").write_text("two\n")
    (root / "sub").write_text("x")
    process._guards.clear()

    from belay.repository.git.functions import find_function

    assert ("??", "sub") in status.list_uncommitted(str(root))
    assert len(status.list_commits(str(root), "2001-01-01")) == 1
    assert find_function(str(root), "file.txt", 1) == ""
    assert "file.txt" in status.list_tracked(str(root), ["file.txt"])
    assert not (tmp_path / "sprung").exists()


def test_the_surrounding_git_environment_does_not_leak(tmp_path, monkeypatch):
    root = repository(tmp_path / "r")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))

    assert status.list_uncommitted(str(root)) == []


def test_missing_git_and_failures_say_what_to_do(tmp_path, monkeypatch):
    with pytest.raises(process.GitFailed, match="not a git repository"):
        status.list_uncommitted(str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(process.GitMissing, match="install git"):
        status.list_uncommitted(str(tmp_path))


def test_a_slow_answer_is_cut_off(tmp_path, monkeypatch):
    slow = tmp_path / "git"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    with pytest.raises(process.GitFailed, match=r"took over 0\.2 s"):
        process.call(str(tmp_path), ["status"], 0.2, (0,), b"")


def test_tracked_paths_blobs_and_content(tmp_path):
    root = repository(tmp_path / "r")
    blob = git(root, "rev-parse", "HEAD:file.txt")

    assert status.list_tracked(str(root), ["file.txt", "missing", "*.txt"]) == ["file.txt"]
    assert status.read_blob(str(root), blob) == b"one\n"
    assert status.find_blobs(str(root), ["HEAD:file.txt", "HEAD:missing", "HEAD"]) == [blob, "", ""]


def test_a_linked_worktree_is_found_as_project(tmp_path):
    root = repository(tmp_path / "r")
    git(root, "worktree", "add", "-q", str(tmp_path / "tree"))
    project = projects.find(str(tmp_path / "tree"), os.environ)

    assert project is not None
    assert status.list_uncommitted(project.root) == []


def test_a_filter_that_no_option_can_switch_off_stops_the_question(tmp_path):
    root = repository(tmp_path / "r")
    trace = tmp_path / "ran"
    (root / ".gitattributes").write_text("* filter=a=b\n")
    git(root, "config", "filter.a=b.clean", f"touch {trace}; cat")
    (root / "file.txt").write_text("changed\n")

    with pytest.raises(process.GitFailed):
        status.list_uncommitted(str(root))
    assert not trace.exists()


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".git/info/exclude"])
def test_git_is_not_started_where_it_would_wait_for_a_pipe(tmp_path, name):
    root = repository(tmp_path / "r")
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)

    with pytest.raises(process.GitFailed, match="is a pipe, at which git waits for ever; remove it"):
        process.run(str(root), "status", timeout=0.2)


def test_git_that_did_not_answer_in_time_is_not_asked_again(tmp_path):
    root = repository(tmp_path / "r")
    (root / "inner").mkdir()
    (root / "inner" / "file.txt").write_text("new\n")
    os.mkfifo(root / "inner" / ".gitignore")
    with pytest.raises(process.GitFailed, match=r"over 0\.2 s"):
        process.run(str(root), "status", timeout=0.2)

    with pytest.raises(process.GitFailed, match="did not answer"):
        process.run(str(root), "status")
