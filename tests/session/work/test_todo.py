"""tasks/todo.md: one line is ticked, the rest stays byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core.plain_text import words
from belay.session.work import todo

TEXT = """# Todo

- [ ] Write the parser
- [x] Read the grammar
* [ ] **Print** the tree!
  + [ ] nested one
- [ ] Twice
- [ ] twice.
"""


@pytest.mark.parametrize(
    ("done", "line"),
    [
        ("Write the parser", "- [x] Write the parser"),
        ("write the parser.", "- [x] Write the parser"),
        ("print the tree", "* [x] **Print** the tree!"),
        ("Nested one", "  + [x] nested one"),
    ],
)
def test_the_one_matching_line_is_ticked(done, line):
    ticked = todo.tick(TEXT, done)
    changed = [(old, new) for old, new in zip(TEXT.split("\n"), ticked.split("\n"), strict=True) if old != new]
    assert [new for _, new in changed] == [line]


@pytest.mark.parametrize(
    "done", ["Twice", "Read the grammar", "parser", "Write the parser and more", "", "!!!", "# Todo"]
)
def test_no_match_or_two_change_nothing(done):
    assert todo.tick(TEXT, done) == TEXT


LINES = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=12)
ROWS = st.lists(
    LINES
    | LINES.map("- [ ] ".__add__)
    | LINES.map("  * [ ] ".__add__)
    | st.sampled_from(["- [ ] a", "- [x] a", "- [ ] [ ] b\r"]),
    max_size=6,
)


@given(ROWS, LINES | st.sampled_from(["a", "[ ] b"]))
def test_at_most_one_box_changes_whatever_the_text(rows, done):
    text = "\n".join(rows)
    ticked = todo.tick(text, done)
    if ticked != text:
        at = next(i for i in range(len(text)) if text[i] != ticked[i])
        assert text[at - 1 : at + 2] == "[ ]"
        assert ticked == text[:at] + "x" + text[at + 1 :]
        assert words(done)
        assert todo.tick(ticked, done) == ticked


def test_open_boxes():
    assert todo.find_open_boxes(TEXT) == [
        "Write the parser",
        "**Print** the tree!",
        "nested one",
        "Twice",
        "twice.",
    ]
    assert todo.find_open_boxes("- [ ] a\r\n- [ ]b\n") == ["a"]


@pytest.mark.parametrize(
    ("old", "new", "ticked"),
    [
        ("- [ ] Write the parser", "- [x] Write the parser", ["Write the parser"]),
        ("- [ ] Write the parser\n- [ ] Twice", "- [X] Write the parser.\n- [ ] Twice", ["Write the parser."]),
        ("- [x] Write the parser", "- [x] Write the parser", []),
        ("- [ ] Write the parser", "- [ ] Write the parser\n- [x] Another", []),
        ("- [ ] Twice\n- [ ] Twice", "- [x] Twice\n- [ ] Twice", []),
        ("", "- [x] Write the parser", []),
    ],
)
def test_what_an_edit_ticks(old, new, ticked):
    assert todo.find_newly_ticked(old, new) == ticked


def test_claudes_tasks_follow_where_one_open_task_matches():
    rows = [("Write the parser", "pending"), ("Twice", "pending"), ("twice.", "in_progress"), ("Read", "completed")]
    items = [{"id": str(n), "text": text, "status": status} for n, (text, status) in enumerate(rows)]
    found = todo.complete(items, ["write the parser.", "Twice", "Read", "no such"])
    assert [item["status"] for item in found] == ["completed", "pending", "in_progress", "completed"]
    assert [item["status"] for item in items] == ["pending", "pending", "in_progress", "completed"]
