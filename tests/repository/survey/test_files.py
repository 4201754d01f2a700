"""Reading a checkout that may be anybody's."""

import os

import pytest
from secretsamples import made

from belay.repository.survey import files, quotes


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\r\nb\rc", "a\nb\nc"),
        (b"\xef\xbb\xbfa", "a"),
        ("ä".encode("utf-16"), "ä"),
        ("größer als früher über".encode("latin-1"), "größer als früher über"),
        (b"\x89PNG\0\0", ""),
    ],
)
def test_text_of_any_encoding(tmp_path, data, text):
    (tmp_path / "README").write_bytes(data)

    assert files.text(str(tmp_path), "README") == text


def test_what_is_no_file_of_the_tree_has_no_text(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (tmp_path / "secret").write_text("outside")
    os.symlink(tmp_path / "secret", root / "link")
    os.symlink(tmp_path, root / "out")
    os.mkfifo(root / "pipe")
    (root / "folder").mkdir()

    names = ("link", "out/secret", "pipe", "folder", "absent", "a\0b", "../secret", "")
    assert [files.text(str(root), name) for name in names] == [""] * len(names)


def test_a_large_file_is_read_in_part_without_a_torn_letter(tmp_path):
    (tmp_path / "big").write_text("ä" * 1000)

    assert files.text(str(tmp_path), "big", 101) == "ä" * 50


def test_the_first_file_whatever_its_case(tmp_path):
    (tmp_path / "Readme.MD").write_text("words")

    assert files.readme(str(tmp_path)) == ("Readme.MD", "words")
    assert files.first(str(tmp_path), "CLAUDE.md") == ("", "")


def test_a_strangers_line_is_one_line_without_secret_and_direction_mark():
    token = "ghp_" + made(36)
    said = quotes.line(f"a\n<!-- x --> \u202eb\x1b[31m\ud800 {token[:9]}\u200b{token[9:]}")

    assert not set("\n\u202e\u200b\x1b\ud800") & set(said)
    assert "<!--" not in said
    assert token[9:] not in said
    assert "[redacted:" in said


@pytest.mark.parametrize("name", ["a`b", "a\nb", "a\udcffb", "x" * 400, "a\u202eb"])
def test_a_path_that_no_sane_file_has_is_not_printed(name):
    assert quotes.path(name) == ""
    assert quotes.path("src/ünï code.py") == "src/ünï code.py"
