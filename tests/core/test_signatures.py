"""The mark that only this user's Belay can make."""

import os
import subprocess
import sys

from belay.core import paths, signatures

PRINT = "import os, sys; sys.path[0:0] = [sys.argv[1]]; from belay.core import signatures as mark; print(mark.sign_name(os.environ, 's'))"


def test_a_mark_is_the_same_for_a_name_and_differs_for_another():
    assert (
        signatures.sign_name(os.environ, "a")
        == signatures.sign_name(os.environ, "a")
        != signatures.sign_name(os.environ, "b")
    )
    assert len(signatures.sign_name(os.environ, "a")) == 16


def test_another_user_makes_other_marks(tmp_path):
    assert signatures.sign_name(os.environ, "a") != signatures.sign_name({"XDG_DATA_HOME": str(tmp_path)}, "a")


def test_the_key_is_the_users_own_and_made_once():
    signatures.sign_name(os.environ, "a")
    path = os.path.join(paths.data_home(os.environ), "key")
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.listdir(os.path.dirname(path)) == ["key"]


def test_processes_that_start_together_agree():
    command = [sys.executable, "-c", PRINT, paths.resource("lib")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8)]
    assert len({process.communicate()[0] for process in running}) == 1


def test_without_a_place_for_the_key_there_is_no_mark(tmp_path):
    (tmp_path / "file").touch()
    assert signatures.sign_name({"XDG_DATA_HOME": str(tmp_path / "file")}, "a") == ""


def test_a_cut_key_is_not_used(tmp_path):
    environ = {"XDG_DATA_HOME": str(tmp_path)}
    os.makedirs(tmp_path / "belay")
    (tmp_path / "belay" / "key").write_bytes(b"short")
    assert signatures.sign_name(environ, "a") == ""
