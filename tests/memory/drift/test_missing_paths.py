import os

import pytest
from dated import commit
from repos import git

from belay.memory.drift import changes, missing_paths
from belay.memory.drift.changes import is_own
from belay.repository import projects

BODY = "".join(f"line {at}\n" for at in range(20))


@pytest.fixture
def shop(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    files = {f"src/old/{name}.ts": BODY + name for name in ("one", "two")} | {
        "src/gone.ts": "gone\n",
        "keep.ts": "k\n",
    }
    commit(tmp_path, "begin", "2026-02-20T10:00:00Z", files=files)
    return tmp_path


def told(folder, *names, files=(), active=(), decisions=(), path=""):
    known = {
        "header": {"updated": "2026-03-01"},
        "refs": [{"line": at, "path": name, "at": 0} for at, name in enumerate(names, 1)],
        "files": [{"line": 90, "path": name} for name in files],
        "active": [{"line": line, "done": True} for line in active],
        "decisions": [{"line": line} for line in decisions],
    }
    return changes.compare_memory(projects.find(str(folder), os.environ), known, path)


def conflicts_of(found):
    return missing_paths.find_conflicts(found, missing_paths.find_missing(found))


def test_a_folder_that_moved_as_a_whole(shop):
    (shop / "lib").mkdir()
    git(shop, "mv", "src/old", "lib/new")
    commit(shop, "move", "2026-03-02T10:00:00Z")

    (row,) = missing_paths.find_missing(told(shop, "src/old/"))

    assert (row.path, row.new, row.how) == ("src/old/", "lib/new/", "renamed")


def test_deleted_but_not_committed(shop):
    os.unlink(shop / "src" / "gone.ts")

    (row,) = conflicts_of(told(shop, "src/gone.ts"))

    assert row["evidence"] == "src/gone.ts: deleted, not committed yet"
    assert row["repair"] is None


def test_what_a_sparse_work_tree_leaves_out_is_there(shop):
    git(shop, "sparse-checkout", "set", "--no-cone", "/keep.ts")

    assert not (shop / "src").exists()
    assert missing_paths.find_missing(told(shop, "src/gone.ts", "keep.ts")) == []


def test_what_never_was_is_a_conflict_only_as_a_key_file(shop):
    found = told(shop, "src/planned.ts", files=["src/claimed.ts"])

    assert [(row["kind"], row["path"]) for row in conflicts_of(found)] == [("missing", "src/claimed.ts")]


def test_a_key_file_of_a_telling_name_elsewhere_is_a_move(shop):
    commit(shop, "more", "2026-02-21T10:00:00Z", files={"lib/index.ts": "1\n", "lib/ledger.ts": "1\n"})

    found = missing_paths.find_missing(
        told(shop, "ledger.ts", "other/ledger.ts", files=["src/index.ts", "src/ledger.ts"])
    )

    assert [(row.path, row.new) for row in found] == [
        ("other/ledger.ts", ""),
        ("src/index.ts", ""),
        ("src/ledger.ts", "lib/ledger.ts"),
    ]


def test_a_move_that_git_takes_for_a_new_file(shop):
    commit(shop, "again", "2026-02-21T10:00:00Z", files={"src/ledger.ts": BODY})
    files = {"src/ledger.ts": None, "lib/ledger.ts": "written anew\n"}
    commit(shop, "move", "2026-03-02T10:00:00Z", files=files)

    (row,) = missing_paths.find_missing(told(shop, "src/ledger.ts"))

    assert (row.new, row.how) == ("lib/ledger.ts", "moved")


def test_history_may_name_what_is_gone_and_decisions_are_only_asked_about(shop):
    git(shop, "mv", "src/gone.ts", "src/here.ts")
    commit(shop, "rename", "2026-03-02T10:00:00Z")

    assert conflicts_of(told(shop, "src/gone.ts", active=[1])) == []
    (row,) = conflicts_of(told(shop, "src/gone.ts", decisions=[1]))
    assert (row["kind"], row["repair"]) == ("renamed", None)


def test_a_file_that_came_back_is_there(shop):
    commit(shop, "drop", "2026-03-02T10:00:00Z", files={"src/gone.ts": None})
    commit(shop, "back", "2026-03-03T10:00:00Z", files={"src/gone.ts": "again\n"})

    assert missing_paths.find_missing(told(shop, "src/gone.ts")) == []


def test_many_paths_are_looked_up(shop):
    found = missing_paths.find_missing(told(shop, *(f"src/x{at}/y{at}.ts" for at in range(10_000))))

    assert len(found) == 10_000


def test_own_files_are_no_changes(shop):
    project = projects.find(str(shop), os.environ)
    names = [
        "MEMORY.md",
        "docs/MEMORY.md",
        "MEMORY-ARCHIVE.md",
        "MEMORY-ARCHIVE-2026.md",
        ".memory/branches/a.md",
    ]

    assert all(is_own(project, name) for name in [*names, "memory/2026-03-01.md", "CONTINUATION.md"])
    assert not any(is_own(project, name) for name in ["README.md", "src/memory.py", "MEMORY-MODEL.md"])


def test_nothing_outside_of_the_project_is_looked_at(shop, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "there.md").write_text("x")
    os.symlink(outside, shop / "out")
    up = os.path.relpath(outside, shop) + "/there.md"
    found = told(shop, "out/there.md", "out/not.md", files=[str(outside / "there.md"), up, "~/there.md", "\0"])

    assert list(missing_paths.find_named_paths(found)) == ["out/there.md", "out/not.md"]
    assert [found.path_exists("out/there.md"), found.path_exists("out/not.md")] == [False, False]
    assert found.path_exists("out")
    assert [row["path"] for row in conflicts_of(found)] == []


def test_a_path_on_many_lines_is_there(shop):
    assert missing_paths.find_missing(told(shop, *["keep.ts"] * 50_000)) == []


def test_a_merge_says_less_than_the_commits_that_it_brings(shop):
    git(shop, "checkout", "-qb", "side")
    commit(shop, "drop", "2026-03-02T10:00:00Z", files={"src/gone.ts": None})
    sha = git(shop, "rev-parse", "HEAD")
    commit(shop, "ledger", "2026-03-03T10:00:00Z", files={"src/other/gone.ts": "another one\n"})
    git(shop, "checkout", "-q", "main")
    commit(shop, "meanwhile", "2026-03-03T11:00:00Z", files={"README.md": "shop\n"})
    git(shop, "merge", "-q", "--no-ff", "--no-edit", "side")

    (row,) = missing_paths.find_missing(told(shop, "src/gone.ts"))

    assert (row.how, row.new, row.sha) == ("deleted", "", sha)


def test_a_file_of_an_everyday_name_is_no_successor(shop):
    commit(shop, "more", "2026-02-21T10:00:00Z", files={"src/auth/provider.ts": "auth\n"})
    commit(shop, "swap", "2026-03-02T10:00:00Z", files={"src/auth/provider.ts": None, "src/theme/provider.ts": "new\n"})

    (row,) = missing_paths.find_missing(told(shop, "src/auth/provider.ts"))

    assert (row.how, row.new) == ("deleted", "")


def test_a_folder_whose_files_went_up_was_not_renamed(shop):
    git(shop, "mv", "src/old/one.ts", "src/one.ts")
    git(shop, "mv", "src/old/two.ts", "src/two.ts")
    (shop / "src" / "old").rmdir()
    commit(shop, "up", "2026-03-02T10:00:00Z")

    (row,) = missing_paths.find_missing(told(shop, "src/old/"))

    assert (row.how, row.new) == ("deleted", "")
