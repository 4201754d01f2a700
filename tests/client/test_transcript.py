"""The transcript's tail: usage, compactions, edits."""

import json
import tempfile
from pathlib import Path

import transcripts as lines
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.client import transcript


def tokens(path):
    found = transcript.find_latest(path)[0]
    return found.tokens if found else None


def test_usage_is_the_sum_of_the_last_answer(tmp_path):
    path = lines.write(tmp_path / "t", [lines.answer(41_000), lines.answer(85_432), lines.entry("user")])
    found = transcript.find_latest(path)[0]

    assert (found.tokens, found.model) == (85_432, "claude-opus-4-5-20251101")
    assert found.time == "2026-03-01T10:00:00.500Z"


def test_side_chains_synthetic_and_empty_answers_do_not_count(tmp_path):
    noise = [
        lines.answer(90_000, sidechain=True),
        lines.answer(70_000, model="<synthetic>"),
        lines.answer(0),
        lines.entry("assistant", message={"role": "assistant", "content": "no usage"}),
    ]
    path = lines.write(tmp_path / "t", [lines.answer(12_000), *noise])

    assert tokens(path) == 12_000


def test_nothing_counts_from_before_the_last_compaction(tmp_path):
    before = [lines.answer(150_000), lines.boundary(167_400)]
    path = lines.write(tmp_path / "t", before)
    used, last = transcript.find_latest(path)
    after = lines.write(tmp_path / "after", [*before, lines.answer(9_000)])

    assert (used, last.tokens, last.trigger) == (None, 167_400, "auto")
    assert tokens(after) == 9_000


def test_a_boundary_that_somebody_typed_is_text(tmp_path):
    said = lines.entry("user", message={"role": "user", "content": json.dumps(lines.boundary(1))})
    path = lines.write(tmp_path / "t", [lines.answer(50_000), said])

    assert tokens(path) == 50_000


def test_damaged_huge_and_torn_lines_are_passed_over(tmp_path):
    blob = {"type": "api-request-blob", "message": {"role": "assistant", "usage": {}, "x": "y" * 3_000_000}}
    torn = json.dumps(lines.answer(99_000)).encode()[:-30]
    path = lines.write(tmp_path / "t", [lines.answer(33_000), blob, b'{"assistant" "usage"', b"\xff\x00", torn])

    assert tokens(path) == 33_000


def test_the_look_back_ends(tmp_path):
    path = lines.write(tmp_path / "t", [lines.answer(33_000), b"x" * 2000])

    assert (transcript.find_latest(path, 1000)[0], tokens(path)) == (None, 33_000)


def test_counts_of_the_wrong_type_are_nothing(tmp_path):
    odd = lines.answer(1000)
    odd["message"]["usage"] = {
        "input_tokens": "9",
        "cache_read_input_tokens": True,
        "cache_creation_input_tokens": -4,
    }
    path = lines.write(tmp_path / "t", [lines.answer(8_000), odd])

    assert tokens(path) == 8_000


def test_compactions_come_with_the_model_that_answered_before(tmp_path):
    path = lines.write(
        tmp_path / "t",
        [lines.answer(150_000, model="a"), lines.boundary(168_000), lines.answer(30_000, model="b"),
         lines.boundary(31_000, "manual")],
    )  # fmt: skip

    found = [(row.model, row.tokens, row.trigger) for row in transcript.find_compactions(path)]
    assert found == [("a", 168_000, "auto"), ("b", 31_000, "manual")]


def test_the_first_usage_is_read_from_the_head(tmp_path):
    path = lines.write(tmp_path / "t", [lines.entry("user"), lines.answer(19_200), lines.answer(50_000)])

    assert transcript.find_first_usage(path).tokens == 19_200


def test_sizes_tell_the_whole_file_in_order(tmp_path):
    path = lines.write(tmp_path / "t", [lines.answer(10_000), lines.boundary(11_000), lines.answer(2_000)])

    assert [step.tokens for step in transcript.iterate_sizes(path)] == [10_000, 11_000, 2_000]


def test_the_line_of_an_edit_is_its_first_changed_line(tmp_path):
    path = lines.write(
        tmp_path / "t",
        [
            lines.edit("t1", "/p/a.py", 7, [" one", " two", "-old", "+new"]),
            lines.edit("t2", "/p/b.py", 3, ["-gone"]),
            lines.result("t3", {"type": "create", "filePath": "/p/c.py", "structuredPatch": []}),
            lines.result("t4", "Error: denied"),
        ],
    )

    everything = {"t1": ("/p/a.py", 9), "t2": ("/p/b.py", 3), "t3": ("/p/c.py", 1)}
    assert list(transcript.find_patches(path).items()) == list(everything.items())
    assert transcript.find_patches(path, ["t1", "", "t9"]) == {"t1": ("/p/a.py", 9)}
    assert transcript.find_patches(path, []) == {}


def test_no_file_is_no_figure(tmp_path):
    missing = str(tmp_path / "none")

    assert transcript.find_latest(missing) == (None, None)
    assert (transcript.find_compactions(missing), transcript.find_first_usage(missing)) == ([], None)
    assert transcript.find_patches(missing) == {}
    assert list(transcript.iterate_sizes(missing)) == []


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
kinds = st.sampled_from(["assistant", "user", "system"])
objects = st.fixed_dictionaries(
    {"type": kinds},
    optional={
        "message": values | st.fixed_dictionaries({"usage": values, "content": values, "role": st.just("text")}),
        "subtype": st.just("compact_boundary"),
        "compactMetadata": values,
        "toolUseResult": values | st.fixed_dictionaries({"filePath": st.text(), "structuredPatch": values}),
    },
)


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(st.binary(max_size=60) | objects.map(lambda row: json.dumps(row).encode()), max_size=6))
def test_no_bytes_make_it_fail(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = lines.write(Path(folder) / "t", rows)
        used, last = transcript.find_latest(path)
        assert used is None or (used.tokens > 0 and last is None)
        assert all(row.tokens >= 0 for row in transcript.find_compactions(path))
        assert all(line >= 1 for _, line in transcript.find_patches(path).values())
        assert len(list(transcript.iterate_sizes(path))) <= len(rows) * 40


def test_the_cost_does_not_grow_with_the_file(tmp_path, monkeypatch):
    import os

    path = tmp_path / "t"
    with open(path, "wb") as file:
        file.seek(200 * 1024 * 1024)
        file.write(b"\n" + json.dumps(lines.answer(61_000)).encode() + b"\n" + b"z" * 300_000 + b"\n")
    read = []
    plain = os.read

    def counted(handle, size):
        read.append(size)
        return plain(handle, size)

    monkeypatch.setattr(os, "read", counted)

    assert tokens(str(path)) == 61_000
    assert sum(read) <= 2 * 1024 * 1024
