"""The table of word pieces as a file: found again, checked, and refused when a byte of it is another one."""

import os

import pytest
import wordpieces
from hypothesis import given
from hypothesis import strategies as st

from belay.core import paths
from belay.knowledge.vectors import piece_table

NAMES = st.dictionaries(
    st.binary(min_size=1, max_size=12),
    st.lists(st.integers(-127, 127), min_size=4, max_size=4),
    min_size=1,
    max_size=60,
)


@given(NAMES, st.lists(st.binary(min_size=1, max_size=12), max_size=20))
def test_every_piece_is_found_with_its_row_and_no_other(pieces, others):
    table = piece_table.PieceTable(memoryview(piece_table.pack_table(pieces)))
    assert table.list_pieces() == list(pieces)
    assert len(table) == len(pieces)
    for name, values in pieces.items():
        assert [byte - piece_table.BIAS for byte in table.row(table.find(name))] == values
    assert all(table.find(name) == -1 for name in others if name not in pieces)


@given(NAMES, st.data())
def test_a_table_that_was_cut_is_none(pieces, data):
    packed = piece_table.pack_table(pieces)
    cut = data.draw(st.integers(0, len(packed) - 1))
    with pytest.raises((ValueError, piece_table.struct.error)):
        piece_table.PieceTable(memoryview(packed[:cut]))


def test_the_table_beside_the_plugins_environment_is_found(home, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_PLUGIN_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "word-pieces-1.bin").write_bytes(piece_table.pack_table({b" a": [1, 2, 3, 4]}))
    table = piece_table.load_table(os.environ)
    assert table is not None
    assert len(table) == 1


def test_without_a_file_there_is_no_table(home):
    assert piece_table.load_table(os.environ) is None


def test_a_table_is_mapped_once_and_again_when_it_was_replaced(home, tmp_path):
    wordpieces.install(tmp_path)
    first = piece_table.load_table(os.environ)
    assert piece_table.load_table(os.environ) is first
    os.utime(paths.word_pieces(os.environ), (1, 1))
    again = piece_table.load_table(os.environ)
    assert again is not first
    assert again.identity == first.identity


@pytest.mark.parametrize("place", [3, 20, 70, -1])
def test_a_table_with_another_byte_is_not_used(home, tmp_path, place):
    wordpieces.install(tmp_path)
    path = paths.word_pieces(os.environ)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[place] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    assert piece_table.load_table(os.environ) is None


def test_a_table_is_hashed_once_not_at_every_opening(home, tmp_path, monkeypatch):
    wordpieces.install(tmp_path)
    hashed = []
    real = piece_table._digest
    monkeypatch.setattr(piece_table, "_digest", lambda data: hashed.append(1) or real(data))
    for _ in range(3):
        piece_table._OPEN.clear()
        assert piece_table.load_table(os.environ)
    assert hashed == [1]
    assert all(os.path.exists(path) for path in piece_table.list_files(os.environ))
