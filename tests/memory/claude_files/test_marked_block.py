"""Blocks between marks: what is outside of them stays byte by byte."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from belay.core.errors import BelayError
from belay.memory.claude_files import marked_block
from belay.memory.claude_files.marked_block import find_block, insert_block, remove_block, replace_block

BODY = ["## Memory", "", "- one"]
TEXTS = st.text(st.sampled_from("ab #-\n\r`é🔄"), max_size=80) | st.lists(
    st.sampled_from(["# T", "- a", "", "```", "text", "<!-- c -->", "    code", "| a | b |"]), max_size=12
).map("\n".join)


@given(TEXTS)
@example("\n`\r")
@example("a\r\nb")
def test_a_block_at_the_end_goes_without_a_trace(text):
    inserted = insert_block(text, "memory", BODY)

    assert inserted.startswith(text)
    block = find_block(inserted, "memory")
    if block is None:  # an open code block swallows it; the command refuses such a file
        assert "`" in text or "~" in text
        return
    assert block.body == BODY
    assert remove_block(inserted, "memory") == text
    other = replace_block(inserted, "memory", ["x"])
    assert (other.startswith(text), find_block(other, "memory").body) == (True, ["x"])
    assert remove_block(other, "memory") == text


@given(st.lists(st.sampled_from(["# T\n", "- a\n", "\n", "text\n"]), min_size=1, max_size=10), st.data())
def test_a_block_in_the_middle_goes_without_a_trace(lines, data):
    at = data.draw(st.integers(0, len(lines)))
    text = "".join(lines).removesuffix("\n")
    inserted = insert_block(text, "tasks", ["- 🔄 x"], at)

    assert remove_block(inserted, "tasks") == text


def test_a_mark_in_a_code_block_is_none():
    text = "# T\n\n```\n<!-- belay:memory begin -->\n<!-- belay:memory end -->\n```\n"

    assert find_block(text, "memory") is None


@pytest.mark.parametrize(
    "text",
    [
        "<!-- belay:memory begin -->\n",
        "<!-- belay:memory end -->\n<!-- belay:memory begin -->\n",
        "<!-- belay:memory begin -->\n<!-- belay:memory begin -->\n<!-- belay:memory end -->\n",
    ],
)
def test_torn_marks_are_named_and_nothing_is_guessed(text):
    with pytest.raises(BelayError, match="do not match"):
        find_block(text, "memory")


def test_a_new_file_says_so():
    assert insert_block("", "memory", BODY).startswith("<!-- belay:memory begin new -->\n## Memory\n")
    assert find_block(insert_block("a\r\nb", "memory", BODY), "memory").before == "2"
    assert marked_block.insert_block("a\r\n", "memory", ["x"]) == (
        "a\r\n\r\n<!-- belay:memory begin 1 -->\r\nx\r\n<!-- belay:memory end -->\r\n"
    )
