"""The transcript's tail: usage, compactions, edits, words, todos."""

import json
import tempfile
from pathlib import Path

import transcripts as lines
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.client import transcript


def tokens(path):
    found = transcript.usage(path)
    return found.tokens if found else None


def test_usage_is_the_sum_of_the_last_answer(tmp_path):
    path = lines.write(tmp_path / "t", [lines.answer(41_000), lines.answer(85_432), lines.entry("user")])
    found = transcript.usage(path)

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
    used, last = transcript.latest(path)
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
    path = lines.write(
        tmp_path / "t", [lines.answer(33_000), blob, b'{"assistant" "usage"', b"\xff\x00", torn]
    )

    assert tokens(path) == 33_000


def test_the_look_back_ends(tmp_path):
    path = lines.write(tmp_path / "t", [lines.answer(33_000), b"x" * 2000])

    assert (transcript.usage(path, 1000), tokens(path)) == (None, 33_000)


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

    found = [(row.model, row.tokens, row.trigger) for row in transcript.compactions(path)]
    assert found == [("a", 168_000, "auto"), ("b", 31_000, "manual")]


def test_the_first_usage_is_read_from_the_head(tmp_path):
    path = lines.write(tmp_path / "t", [lines.entry("user"), lines.answer(19_200), lines.answer(50_000)])

    assert transcript.first_usage(path).tokens == 19_200


def test_sizes_tell_the_whole_file_in_order(tmp_path):
    path = lines.write(tmp_path / "t", [lines.answer(10_000), lines.boundary(11_000), lines.answer(2_000)])

    assert [step.tokens for step in transcript.sizes(path)] == [10_000, 11_000, 2_000]


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
    assert list(transcript.patches(path).items()) == list(everything.items())
    assert transcript.patches(path, ["t1", "", "t9"]) == {"t1": ("/p/a.py", 9)}
    assert transcript.patches(path, []) == {}


def test_said_is_the_last_text_of_the_main_thread(tmp_path):
    path = lines.write(
        tmp_path / "t",
        [lines.answer(10, text="Next: the tests."), lines.answer(11, text="aside", sidechain=True),
         lines.answer(12, text="API Error", model="<synthetic>"), lines.answer(13, text="  ")],
    )  # fmt: skip

    assert transcript.said(path) == "Next: the tests."


def test_todos_of_the_older_tool(tmp_path):
    new = [
        {"content": "refund()", "status": "completed"},
        {"content": "tests", "status": "in_progress"},
        {"x": 1},
    ]
    path = lines.write(tmp_path / "t", [lines.result("t1", {"oldTodos": [], "newTodos": new})])

    found = [(row["text"], row["status"]) for row in transcript.todos(path)]
    assert found == [("refund()", "completed"), ("tests", "in_progress")]


def change(name, state):
    return lines.result(
        "u", {"success": True, "taskId": name, "statusChange": {"from": "pending", "to": state}}
    )


def test_todos_of_the_task_tools(tmp_path):
    created = [lines.result("c", {"task": {"id": str(n), "subject": f"step {n}"}}) for n in (1, 2, 10)]
    moved = [
        change("1", "in_progress"),
        change("1", "completed"),
        change("2", "deleted"),
        change("77", "completed"),
    ]
    path = lines.write(tmp_path / "t", [*created, *moved])

    found = [(row["id"], row["text"], row["status"]) for row in transcript.todos(path)]
    assert found == [("1", "step 1", "completed"), ("10", "step 10", "pending")]


def test_a_task_list_tells_all_that_was_before_it(tmp_path):
    rows = [
        {"id": "1", "subject": "one", "status": "pending"},
        {"id": "2", "subject": "two", "status": "completed"},
    ]
    path = lines.write(tmp_path / "t", [lines.result("l", {"tasks": rows}), change("1", "completed")])

    assert [row["status"] for row in transcript.todos(path)] == ["completed", "completed"]


def test_no_file_is_no_figure(tmp_path):
    missing = str(tmp_path / "none")

    assert transcript.latest(missing) == (None, None)
    assert (transcript.compactions(missing), transcript.first_usage(missing)) == ([], None)
    assert (transcript.said(missing), transcript.patches(missing), transcript.todos(missing)) == ("", {}, [])
    assert list(transcript.sizes(missing)) == []


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
kinds = st.sampled_from(["assistant", "user", "system"])
objects = st.fixed_dictionaries(
    {"type": kinds},
    optional={
        "message": values
        | st.fixed_dictionaries({"usage": values, "content": values, "role": st.just("text")}),
        "subtype": st.just("compact_boundary"),
        "compactMetadata": values,
        "toolUseResult": values
        | st.fixed_dictionaries({"filePath": st.text(), "structuredPatch": values, "newTodos": values})
        | st.fixed_dictionaries({"task": values, "tasks": values, "statusChange": values, "taskId": values}),
    },
)


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(st.binary(max_size=60) | objects.map(lambda row: json.dumps(row).encode()), max_size=6))
def test_no_bytes_make_it_fail(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = lines.write(Path(folder) / "t", rows)
        used, last = transcript.latest(path)
        assert used is None or (used.tokens > 0 and last is None)
        assert all(row.tokens >= 0 for row in transcript.compactions(path))
        assert all(line >= 1 for _, line in transcript.patches(path).values())
        assert all(row["text"] is not None for row in transcript.todos(path))
        assert isinstance(transcript.said(path), str)
        assert len(list(transcript.sizes(path))) <= len(rows) * 40


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
