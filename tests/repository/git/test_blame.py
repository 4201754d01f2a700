"""When lines changed, asked of real repositories."""

import os
import time

import pytest
from repos import git

from belay.core.errors import BelayError
from belay.repository.git import blame


def commit(repo, when, text):
    (repo / "MEMORY.md").write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "author-time 5\n\n\tx", "--date", f"{when}T12:00:00")


def test_each_line_has_the_date_of_its_last_change(repo):
    today = time.strftime("%Y-%m-%d")
    commit(repo, "2026-01-02", "one\ntwo\n")
    commit(repo, "2026-01-05", "one\ntwo changed\nthree\n")
    (repo / "MEMORY.md").write_text("one\ntwo changed\nthree\nfour\n")

    found = blame.read_line_dates(str(repo), "MEMORY.md")

    assert found == {1: "2026-01-02", 2: "2026-01-05", 3: "2026-01-05", 4: today}


def test_a_file_that_git_does_not_keep_has_no_dates(repo, tmp_path):
    (repo / "MEMORY.md").write_text("one\n")

    assert blame.read_line_dates(str(repo), "MEMORY.md") == {}
    with pytest.raises(BelayError):
        blame.read_line_dates(str(tmp_path / "none"), "MEMORY.md")


def test_a_hostile_configuration_starts_nothing(repo):
    (repo / ".gitattributes").write_text("*.md diff=evil filter=evil\n")
    commit(repo, "2026-01-02", "one\n")
    for key in ("diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge"):
        git(repo, "config", key, f"touch {repo}/ran; cat")

    assert blame.read_line_dates(str(repo), "MEMORY.md") == {1: "2026-01-02"}
    assert not os.path.exists(repo / "ran")


def test_tags_come_with_their_dates(repo):
    assert blame.list_tags(str(repo)) == []
    for when, name in (("2026-01-02", "v1"), ("2026-02-02", "v2/deep")):
        git(repo, "-c", "user.name=A", "tag", name)
        commit(repo, when, name)

    assert sorted(name for name, _ in blame.list_tags(str(repo))) == ["v1", "v2/deep"]
    assert {date for _, date in blame.list_tags(str(repo), 1)} == {time.strftime("%Y-%m-%d")}
