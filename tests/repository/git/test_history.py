import os

import pytest
from dated import commit, run
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.repository.git import history
from belay.repository.git.history import Commit, File


@pytest.fixture
def past(tmp_path):
    folder = tmp_path / "past"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.org")
    commit(folder, "first", "2026-03-01T10:00:00+0000", files={"a": "one\ntwo\nthree\n"})
    return folder


def test_commits_after_a_moment(past):
    commit(past, "second\x1f with a mark", "2026-03-02T10:00:00+0900", "Bob", {"b": "b\n"})

    (found,) = history.read_commits(str(past), "2026-03-01T12:00:00Z")

    assert (found.author, found.email, found.subject) == ("Bob", "bob@example.org", "second\x1f with a mark")
    assert found.time == "2026-03-02T10:00:00+09:00"
    assert history.parse_time(found) == 1772413200
    assert found.files == (File("A", "b"),)


def test_commits_that_another_does_not_reach(past):
    first = git(past, "rev-parse", "HEAD")
    second = commit(past, "second", "2026-03-02T10:00:00Z", files={"a": "other\n"})

    found = history.read_commits(str(past), first)

    assert [one.sha for one in found] == [second]
    assert history.find_base(found) == first
    assert history.select_beyond(history.read_commits(str(past)), first) == found


def test_the_limit_is_said(past):
    for day in range(2, 6):
        commit(past, f"day {day}", f"2026-03-0{day}T10:00:00Z", files={"a": str(day)})

    found, more = history.read_window(str(past), limit=3)

    assert ([one.subject for one in found], more) == (["day 5", "day 4", "day 3"], True)
    assert history.read_window(str(past), limit=5)[1] is False


def test_without_commits_there_are_none(tmp_path):
    git(tmp_path, "init", "-q")

    assert history.read_window(str(tmp_path)) == ([], False)


def test_names_of_any_bytes(past):
    name = os.fsencode(str(past)) + b"/\x1e\xff new\nline"
    with open(name, "w") as file:
        file.write("x")
    sha = commit(past, "odd", "2026-03-02T10:00:00Z")

    (found, *_) = history.read_commits(str(past))

    assert (found.sha, found.files) == (sha, (File("A", "\x1e\udcff new\nline"),))


def test_renames_are_chained(past):
    git(past, "mv", "a", "b")
    commit(past, "to b", "2026-03-02T10:00:00Z")
    git(past, "mv", "b", "c")
    commit(past, "to c", "2026-03-03T10:00:00Z", files={"other": "1\n"})

    found = history.read_commits(str(past), "2026-03-01T12:00:00Z")

    assert history.map_renames(found) == {"a": "c", "b": "c"}
    assert [tuple(file) for file in history.sum_changes(found)] == [("c", "R", "a", 2), ("other", "A", "", 1)]


def test_a_merge_brings_what_it_changed(past):
    git(past, "checkout", "-qb", "side")
    commit(past, "older work", "2026-02-20T10:00:00Z", files={"s": "1\n"})
    git(past, "checkout", "-q", "-")
    commit(past, "main goes on", "2026-03-02T10:00:00Z", files={"t": "1\n"})
    date = "2026-03-03T10:00:00Z"
    run(past, date, "merge", "-q", "--no-edit", "side")

    merge, *rest = history.read_commits(str(past), "2026-03-01T12:00:00Z")

    assert (len(merge.parents), merge.files) == (2, (File("A", "s"),))
    assert [one.subject for one in rest] == ["main goes on"]
    assert {file.path: file.commits for file in history.sum_changes([merge, *rest])} == {"t": 1, "s": 0}


def test_authors_are_counted():
    rows = [Commit("1", "", name, "", (), "", ()) for name in ("Bob", "Ada", "Ada")]

    assert list(history.count_authors(rows).items()) == [("Ada", 2), ("Bob", 1)]


def told(*steps):
    """Return commits, newest first, of steps told oldest first."""
    return [Commit(str(at), "", "", "", ("p",), "", step) for at, step in enumerate(steps)][::-1]


def test_what_comes_and_goes_is_nothing():
    assert history.sum_changes(told((File("A", "x"),), (File("D", "x"),))) == []


def test_there_and_back_is_a_change():
    found = history.sum_changes(told((File("R", "b", "a"),), (File("R", "a", "b"),)))

    assert [tuple(file) for file in found] == [("a", "M", "", 2)]


def test_a_renamed_file_that_goes_is_deleted_under_its_first_name():
    steps = told((File("R", "b", "a"),), (File("D", "b"),))

    assert [tuple(file) for file in history.sum_changes(steps)] == [("a", "D", "", 2)]
    assert history.map_renames(steps) == {}


NAMES = st.sampled_from("abc")
STEP = st.tuples(NAMES, NAMES, st.sampled_from("AMDR"))


@given(st.lists(STEP, max_size=12))
def test_net_tells_which_files_stand(steps):
    """Play random commits on a set of names; what `net` calls deleted is gone, everything else stands."""
    begun = {"a", "b"}
    files, said = set(begun), []
    for name, other, kind in steps:
        if kind == "A" and name not in files:
            files.add(name)
            said.append(File("A", name))
        elif kind == "M" and name in files:
            said.append(File("M", name))
        elif kind == "D" and name in files:
            files.discard(name)
            said.append(File("D", name))
        elif kind == "R" and name in files and other not in files:
            files = files - {name} | {other}
            said.append(File("R", other, name))

    found = history.sum_changes(told(*[(one,) for one in said]))

    assert {file.path for file in found if file.status != "D"} <= files
    assert {file.path for file in found if file.status == "D"} <= begun
    assert all(file.path not in begun or file.status != "A" or file.path in files for file in found)


def test_texts_of_a_commit(past):
    first = git(past, "rev-parse", "HEAD")
    commit(past, "more", "2026-03-02T10:00:00Z", files={"a": "new\n", "big": "x" * 2_000_000})
    last = git(past, "rev-parse", "HEAD")

    assert history.read_texts(str(past), first, ["a", "none", "bad\nname"]) == {"a": "one\ntwo\nthree\n"}
    assert history.read_texts(str(past), last, ["big", "a"]) == {"a": "new\n"}


def test_tags_loose_and_packed(past):
    git(past, "tag", "v1.0")
    folder = str(past / ".git")

    assert history.has_tag(folder, "v1.0")
    assert not history.has_tag(folder, "../heads/main")
    git(past, "pack-refs", "--all")
    assert history.has_tag(folder, "v1.0")
    assert not history.has_tag(folder, "v1")


def test_a_commit_that_renames_twenty_thousand_files_is_followed():
    files = tuple(File("R", f"new/{number}", f"old/{number}") for number in range(20_000))

    found = history.map_renames([Commit("a", "", "", "", (), "", files)])

    assert found["old/7"] == "new/7"
