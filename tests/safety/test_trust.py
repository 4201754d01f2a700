"""The store of trusted text, and the decision in a table."""

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core import lock, paths
from belay.safety import trust

K, C, U = trust.KNOWN, trust.CHANGED, trust.UNKNOWN
TEXT = b"# Memory\n"


@pytest.mark.parametrize(
    ("known", "refused", "git", "foreign", "typed", "merging", "seen", "older", "expected"),
    [
        # recorded or accepted text is known wherever it is
        (True, False, "clean", True, False, False, None, True, K),
        (True, False, "edited", True, True, True, None, True, K),
        (True, True, "outside", False, True, False, False, True, K),
        # text that was unknown once stays unknown until it is accepted
        (False, True, "clean", False, False, False, True, False, U),
        (False, True, "outside", False, True, False, True, False, U),
        # a row from elsewhere, whether committed, edited or outside git
        (False, False, "clean", True, False, False, True, False, U),
        (False, False, "edited", True, True, False, True, False, U),
        (False, False, "outside", True, True, False, True, False, U),
        # all rows came about here, in whatever commits
        (False, False, "clean", False, False, False, None, False, C),
        (False, False, "clean", False, False, True, None, True, C),
        (False, False, "edited", False, False, True, True, False, C),
        # typed here: not while a merge is under way; and nothing is typed in a text that is as committed
        (False, False, "edited", False, True, False, True, False, C),
        (False, False, "edited", False, True, True, True, False, U),
        (False, False, "clean", False, True, False, True, False, U),
        # outside git: new since the first look, or changed on known text
        (False, False, "outside", False, True, False, None, False, C),
        (False, False, "outside", False, True, False, None, True, U),
        (False, False, "outside", False, True, False, True, True, C),
        (False, False, "outside", False, True, False, False, False, U),
    ],
)
def test_verdict(known, refused, git, foreign, typed, merging, seen, older, expected):
    about = {"known": known, "refused": refused, "git": git, "foreign": foreign, "typed": typed}

    assert trust.verdict(**about, merging=merging, seen=seen, older=older) == expected


@given(
    st.sampled_from(["clean", "edited", "outside"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, True, False]),
    st.booleans(),
)
def test_a_text_with_a_row_from_elsewhere_is_never_trusted(git, typed, merging, seen, older):
    about = {"known": False, "refused": False, "git": git, "foreign": True, "typed": typed}

    assert trust.verdict(**about, merging=merging, seen=seen, older=older) == U


def test_recorded_text_is_known_at_its_path_only():
    assert trust.record(os.environ, "/p", "MEMORY.md", TEXT)

    assert trust.is_known(os.environ, "/p", "MEMORY.md", TEXT)
    assert not trust.is_known(os.environ, "/p", "MEMORY.md", TEXT + b" ")
    assert not trust.is_known(os.environ, "/p", "other.md", TEXT)
    assert not trust.is_known(os.environ, "/q", "MEMORY.md", TEXT)


def test_accepted_text_is_listed_and_revoked():
    trust.record(os.environ, "/p", "MEMORY.md", TEXT)
    trust.accept(os.environ, "/p", "tasks/todo.md", TEXT)

    rows = trust.list_trusted(os.environ, "/p")
    assert [(row["path"], row["how"]) for row in rows] == [
        ("MEMORY.md", "written"),
        ("tasks/todo.md", "accepted"),
    ]
    assert trust.list_trusted(os.environ, "/q") == []
    assert trust.revoke(os.environ, "/p", "tasks/todo.md")
    assert not trust.revoke(os.environ, "/p", "tasks/todo.md")
    assert not trust.is_known(os.environ, "/p", "tasks/todo.md", TEXT)
    assert trust.is_known(os.environ, "/p", "MEMORY.md", TEXT)


def test_ordinary_hashes_age_out_and_accepted_ones_stay():
    trust.accept(os.environ, "/p", "a.md", b"accepted")
    for number in range(trust.KEPT + 5):
        trust.record(os.environ, "/p", "a.md", b"%d" % number)

    assert trust.is_known(os.environ, "/p", "a.md", b"accepted")
    assert not trust.is_known(os.environ, "/p", "a.md", b"0")
    assert trust.is_known(os.environ, "/p", "a.md", b"%d" % (trust.KEPT + 4))


def test_the_store_is_private_and_survives_damage():
    path = paths.trust_file(os.environ)
    trust.record(os.environ, "/p", "a.md", TEXT)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600

    for damage in (
        b"",
        b"[1]",
        b'{"projects": 7}',
        b'{"projects": {"/p": {"files": {"a.md": {"hashes": []}}}}}',
        b"\xff",
    ):
        with open(path, "wb") as file:
            file.write(damage)
        assert not trust.is_known(os.environ, "/p", "a.md", TEXT)
        assert trust.list_trusted(os.environ) == []
        assert trust.record(os.environ, "/p", "a.md", TEXT)
        assert trust.is_known(os.environ, "/p", "a.md", TEXT)


def test_where_nothing_can_be_kept_nothing_is_trusted(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    environ = {**os.environ, "XDG_DATA_HOME": str(blocked)}

    assert not trust.record(environ, "/p", "a.md", TEXT)
    assert not trust.is_known(environ, "/p", "a.md", TEXT)
    with lock.hold(paths.trust_file(os.environ) + ".lock"):
        assert not trust.record(os.environ, "/p", "a.md", TEXT)
