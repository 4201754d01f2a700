"""The mark that only this user's Belay can make."""

import os
import subprocess
import sys

import pytest

from belay.core import files, paths, signatures

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


@pytest.fixture
def keyless(tmp_path):
    """A data folder in which nothing can be made."""
    folder = tmp_path / "share"
    (folder / "belay").mkdir(parents=True)
    (folder / "belay" / "key").mkdir()
    return {"XDG_DATA_HOME": str(folder)}


def give_key(environ):
    """Let the key be made; return its mark of a session."""
    os.rmdir(signatures.key_file(environ))
    return signatures.sign_name(environ, "s")


def boot(monkeypatch, tmp_path, number):
    """Start the machine once more."""
    path = tmp_path / f"boot-{number}"
    path.write_text(f"00000000-1111-2222-3333-{number:012d}\n")
    monkeypatch.setattr(signatures, "BOOT_ID", str(path))
    monkeypatch.setattr(signatures, "_boot_keys", {})


def test_a_record_made_without_the_key_is_the_users_own_once_it_exists(keyless, monkeypatch, tmp_path):
    boot(monkeypatch, tmp_path, 1)
    mark = signatures.sign_record(keyless, "s")
    assert signatures.sign_name(keyless, "s") == ""
    assert signatures.is_own(keyless, "s", mark)
    own = give_key(keyless)
    assert own not in ("", mark)
    assert signatures.is_own(keyless, "s", mark)
    assert not signatures.is_own(keyless, "another", mark)
    boot(monkeypatch, tmp_path, 2)
    assert signatures.is_own(keyless, "s", mark)
    assert signatures.sign_record(keyless, "s") == own


def test_a_record_of_another_boot_that_nobody_met_is_foreign(keyless, monkeypatch, tmp_path):
    boot(monkeypatch, tmp_path, 1)
    mark = signatures.sign_record(keyless, "s")
    boot(monkeypatch, tmp_path, 2)
    give_key(keyless)
    assert not signatures.is_own(keyless, "s", mark)
    assert sorted(os.listdir(paths.data_home(keyless))) == ["key"]


def test_without_key_and_boot_nothing_is_signed_or_own(keyless, monkeypatch):
    monkeypatch.setattr(signatures, "BOOT_ID", "/nowhere")
    assert signatures.sign_record(keyless, "s") == ""
    for mark in ("", None, 3, [], "0" * 16):
        assert not signatures.is_own(keyless, "s", mark)


def test_a_key_is_never_replaced_where_links_are_refused(monkeypatch):
    def refuse(*_):
        raise OSError(1, "not permitted")

    monkeypatch.setattr(os, "link", refuse)
    own = signatures.sign_name(os.environ, "s")
    read, hidden = files.read, ["once"]
    monkeypatch.setattr(files, "read", lambda *args: b"" if hidden and hidden.pop() else read(*args))
    assert own == signatures.sign_name(os.environ, "s") != ""
    assert os.listdir(paths.data_home(os.environ)) == ["key"]
