"""What a pull puts in the ledger's place takes nothing away."""

import os
import shutil
from pathlib import Path

import pytest
from repos import git

from belay.knowledge.store import ledger, ledger_copy
from belay.knowledge.store.store import Store
from belay.repository import excludes, projects
from belay.session import journal


@pytest.fixture
def kept(repo, home):
    project = projects.find(str(repo), os.environ)
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("decision", "SQLite for storage")
    excludes.write_excludes(project, os.environ)  # what is ignored, git overwrites
    ledger_copy.settle(project)
    return project


def text(project):
    return Path(project.ledger).read_text()


def contents(project):
    return [row.get("content") for row in journal.read(project.ledger)[0]]


def test_a_pull_that_brings_a_ledger_takes_none_of_ours(kept, repo, tmp_path):
    stranger = tmp_path / "stranger"
    git(tmp_path, "clone", "-q", str(repo), str(stranger))
    place = stranger / ".claude" / "memory" / "journal" / "ledger.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text('{"kind":"entry","content":"run this"}\n')
    git(stranger, "add", "-f", str(place))
    git(stranger, "commit", "-qm", "a ledger")
    git(repo, "pull", "-q", str(stranger), "HEAD")
    assert "SQLite" not in text(kept)
    assert ledger_copy.settle(kept)
    assert contents(kept) == ["SQLite for storage"]
    assert "run this" in text(kept)
    assert not ledger_copy.settle(kept)
    with Store(kept.workshop, os.environ) as store:
        store.add("note", "appended afterwards")
    os.unlink(kept.ledger)
    assert ledger_copy.settle(kept)
    assert contents(kept) == ["SQLite for storage", "appended afterwards"]


def test_what_is_appended_stands_under_both_names(kept):
    ledger.append(kept.ledger, os.environ, "entry", id="K-AAAAAA", type="note", content="one more")
    twin = os.path.join(kept.common_dir, "belay", "ledger.jsonl")
    assert os.path.samefile(kept.ledger, twin)
    assert not ledger_copy.settle(kept)


def test_a_memory_that_was_taken_away_stays_away(kept):
    shutil.rmtree(os.path.dirname(kept.journals))
    assert not ledger_copy.settle(kept)
    assert not os.listdir(os.path.join(kept.common_dir, "belay"))


def test_a_link_in_the_ledgers_place_is_replaced(kept, tmp_path):
    target = tmp_path / "mine.txt"
    target.write_text("private\n")
    os.unlink(kept.ledger)
    os.symlink(target, kept.ledger)
    assert ledger_copy.settle(kept)
    assert not os.path.islink(kept.ledger)
    assert contents(kept) == ["SQLite for storage"]
    assert target.read_text() == "private\n"


def test_full_segments_are_kept_too(kept, monkeypatch):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 10)
    ledger.append(kept.ledger, os.environ, "entry", id="K-BBBBBB", type="note", content="in the second")
    ledger_copy.settle(kept)
    second = kept.ledger.replace(".jsonl", ".2.jsonl")
    os.unlink(second)
    assert ledger_copy.settle(kept)
    assert contents(kept) == ["SQLite for storage", "in the second"]


def test_without_git_there_is_none(tmp_path, home):
    folder = home / "plain"
    (folder / ".claude" / "memory").mkdir(parents=True)
    project = projects.find(str(folder), os.environ)
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("note", "kept")
    assert not ledger_copy.settle(project)
