"""Lines from a file's end."""

from hypothesis import given, settings
from hypothesis import strategies as st

from belay.client import transcript
from belay.core import json_codec


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=400), block=st.integers(1, 64))
def test_every_line_comes_once_newest_first_whatever_the_blocks(tmp_path_factory, data, block):
    path = tmp_path_factory.mktemp("lines") / "file"
    path.write_bytes(data)
    old = transcript.TAIL_BYTES, transcript._BLOCK
    transcript.TAIL_BYTES, transcript._BLOCK = block, block * 3
    try:
        found = list(transcript.backwards(str(path)))
    finally:
        transcript.TAIL_BYTES, transcript._BLOCK = old

    assert found == [line for line in reversed(data.split(b"\n")) if line]


def test_a_line_cut_by_the_reach_is_left_out(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"first\nsecond\nthird\n")

    assert list(transcript.backwards(str(path), 12)) == [b"third"]


def test_what_is_no_file_has_no_lines(tmp_path):
    import os

    os.mkfifo(tmp_path / "fifo")

    for path in (tmp_path, tmp_path / "none", tmp_path / "fifo", "", "a\0b", "\ud800"):
        assert (list(transcript.backwards(str(path))), list(transcript.head(str(path)))) == ([], [])


def test_an_entry_is_an_object_with_all_the_literals():
    assert json_codec.load_line(b'{"a":1,"b":2}', b'"a"', b'"b"') == {"a": 1, "b": 2}
    assert [json_codec.load_line(line, b'"a"') for line in (b'{"b":1}', b'["a"]', b'{"a":', b'"a"')] == [None] * 4


def test_a_line_beyond_all_measure_is_not_parsed():
    assert json_codec.load_line(b'{"a":"' + b"x" * json_codec.LINE_BYTES + b'"}', b'"a"') is None
