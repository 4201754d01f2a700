"""Said once, even where nothing can be kept at home."""

import os

from belay.safety import shown_notices


def test_the_first_time_only():
    assert [shown_notices.is_new(os.environ, "a") for _ in range(3)] == [True, False, False]
    assert shown_notices.is_new(os.environ, "b")


def test_a_home_that_cannot_be_written_is_remembered_in_the_temporary_folder(tmp_path):
    (tmp_path / "file").write_text("")
    environ = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}

    assert [shown_notices.is_new(environ, "a") for _ in range(3)] == [True, False, False]


def test_where_nothing_can_be_kept_it_is_said_again(tmp_path):
    (tmp_path / "file").write_text("")
    environ = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path / "file")}

    assert [shown_notices.is_new(environ, "a") for _ in range(2)] == [True, True]
