import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import DOCUMENT, parsed

from belay.core.plain_text import words
from belay.memory.wrapup import task_lists
from belay.memory.wrapup.sections import Entry

ENTRY = Entry(parsed(DOCUMENT), "2026-11-21", "14:02", "aaaaaaaa", "main", "1a2b3c4d")
LINES = st.lists(
    st.sampled_from(["- [ ] a", "- [x] a", "* [ ] **a**", "- [ ] b", "a", "# Todo", "", "  - [ ] c d", "```"]),
    max_size=12,
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_one_box_is_ticked_and_every_other_byte_stays(end, last, bom):
    rows = [bom + "# Ours", "", "- [ ] Add the refund handler", "  \tweird\x0c line", "- [ ] other"]
    text = end.join(rows) + (end if last else "")

    assert task_lists.update_todos(text, ["add the *refund* handler"], []) == text.replace("- [ ] Add", "- [x] Add")


def test_a_task_that_two_lines_match_ticks_neither():
    text = "- [ ] a\n- [ ] A.\n"

    assert task_lists.update_todos(text, ["a"], []) == text


def test_new_active_ones_stand_behind_and_known_ones_are_not_added():
    text = "- [ ] a\n- [x] b"

    assert task_lists.update_todos(text, [], ["A", "b", "c", "c", "🎉"]) == "- [ ] a\n- [x] b\n- [ ] c\n- [ ] 🎉\n"
    assert task_lists.update_todos("", [], ["c"]) == "# Todo\n\n- [ ] c\n"
    assert task_lists.update_todos("", ["c"], ["c"]) == ""


@settings(deadline=None)
@given(LINES, st.lists(st.sampled_from(["a", "b", "c d", "e"])), st.lists(st.sampled_from(["a", "e", "f"])))
def test_ticking_changes_only_boxes_and_only_once(rows, done, active):
    text = "\n".join(rows)
    once = task_lists.update_todos(text, done, active)
    changed = [(old, new) for old, new in zip(text.split("\n"), once.split("\n"), strict=False) if old and old != new]

    assert task_lists.update_todos(once, done, active) == once
    assert once.replace("[x]", "[ ]").startswith(text.replace("[x]", "[ ]"))
    assert {words(old.partition("]")[2]) for old, _ in changed} <= {words(one) for one in done}
    assert [new for _, new in changed] == [old.replace("[ ]", "[x]") for old, _ in changed]


def test_lessons_are_added_once_whatever_the_day():
    text = task_lists.add_lessons("# Lessons\n- 2025-01-01: Never mock git.\n- keep: this one", ENTRY)

    assert text == "# Lessons\n- 2025-01-01: Never mock git.\n- keep: this one"
    assert task_lists.add_lessons("", ENTRY) == "# Lessons\n\n- 2026-11-21: never mock git\n"
    assert task_lists.add_lessons("x", ENTRY) == "x\n- 2026-11-21: never mock git\n"


def test_the_days_log_holds_everything_the_document_says_once():
    text = task_lists.add_daily_block("# 2026-11-21\n- typed", ENTRY)

    assert text.startswith("# 2026-11-21\n- typed\n\n## Wrap-up 14:02, session aaaaaaaa, branch main <!--")
    assert "- Offered for global memory: ruff everywhere\n" in text
    assert task_lists.add_daily_block(text, ENTRY) == text
    assert task_lists.add_daily_block(text, ENTRY._replace(digest="99999999")).count("## Wrap-up") == 2


@settings(deadline=None)
@given(st.text(max_size=200))
def test_what_stood_there_stays_in_front(text):
    for change in (task_lists.add_lessons, task_lists.add_daily_block):
        new = change(text, ENTRY)
        assert new.startswith(text)
        assert change(new, ENTRY) == new
