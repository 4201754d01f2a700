"""Every command that writes a memory file, killed with -9 at its changes (the issue's "Must show" 3)."""

import random
import shutil

import pytest
from faults.harness import Killed, check
from faults.places import PLACES, found
from repos import git, repository
from sessions import NAME

APPENDING = ("compress", "session_end", "wrap_up_that_compresses")
"""What writes an archive first: killed before the memory is, a second run may name what it moved twice."""
FEW = 5


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a repository and a home of its own, in which the test runs too."""
    folder = tmp_path / "place"
    home = folder / "home"
    repository(folder / "repo")
    git(folder / "repo", "config", "user.name", "Ada")
    git(folder / "repo", "config", "user.email", "ada@example.org")
    home.mkdir()
    for name, value in (
        ("HOME", home),
        ("XDG_DATA_HOME", home / "share"),
        ("CLAUDE_CONFIG_DIR", home / ".claude"),
    ):
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NAME)
    return folder


@pytest.mark.parametrize("name", PLACES)
def test_killed_at_some_changes(place, name):
    how = PLACES[name](found(place / "repo"))

    assert check(Killed(place, **how, steps=FEW), exact=name not in APPENDING) >= 3


@pytest.mark.campaign
@pytest.mark.parametrize("name", PLACES)
def test_killed_at_every_change_and_at_any_moment(place, name):
    how = PLACES[name](found(place / "repo"))
    moments = [random.Random(at).uniform(0.0, 0.4) for at in range(60)]

    assert check(Killed(place, **how, moments=moments), exact=name not in APPENDING) > 60
    shutil.rmtree(f"{place}-kept")
