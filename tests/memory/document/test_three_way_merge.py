"""The merge by records: both sides' rows stay, conflicts only where one record became two things."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.document import units
from belay.memory.document.three_way_merge import merge

BASE = """# Project Memory
Last updated: 2026-03-01 | Session 4 | Branch: main
Memory health: 8/10

## Where We Left Off
- **Current task:** the cart
- **Status:** in progress
- **Next immediate step:** write `total()` in cart.py

## Active Work
- [ ] the cart
  - [ ] its totals
- [ ] the shop window

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-02-01 | SQLite | one file | store |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `cart.py` | the cart | session 3 |

## Architecture Notes
The shop talks to the cart over a queue.

## Session Log
| Session | Date | Summary |
|---------|------|---------|
| 4 | 2026-03-01 | began the cart |
"""


def changed(*pairs, text=BASE):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def merged(ours, theirs, base=BASE):
    return merge(base, ours, theirs)


def test_rows_added_at_one_place_both_stay():
    row = "| 2026-02-01 | SQLite | one file | store |\n"
    mine, other = "| 2026-03-02 | Redis | fast | queue |\n", "| 2026-03-03 | Pytest | known | tests |\n"

    found = merged(changed((row, row + mine)), changed((row, row + other)))

    assert found == (changed((row, row + mine + other)), 0)


def test_items_rows_and_log_of_two_sessions_meet():
    ours = changed(
        ("Session 4 |", "Session 5 |"), ("03-01 | Session", "03-04 | Session"),
        ("- [ ] the cart\n", "- [x] the cart\n"), ("session 3 |", "session 5 |"),
        ("| began the cart |\n", "| began the cart |\n| 5 | 2026-03-04 | ended the cart |\n"),
    )  # fmt: skip
    theirs = changed(
        ("Session 4 |", "Session 6 |"), ("03-01 | Session", "03-05 | Session"), ("8/10", "9/10"),
        ("- [ ] the shop window\n", "- [ ] the shop window\n- [ ] the door\n"), ("session 3 |", "session 6 |"),
        ("| began the cart |\n", "| began the cart |\n| 5 | 2026-03-05 | hung the door |\n"),
    )  # fmt: skip

    text, conflicts = merged(ours, theirs)

    assert conflicts == 0
    for line in (
        "Last updated: 2026-03-05 | Session 6 | Branch: main\nMemory health: 9/10\n",
        "- [x] the cart\n  - [ ] its totals\n- [ ] the shop window\n- [ ] the door\n",
        "| `cart.py` | the cart | session 6 |",
        "| 5 | 2026-03-04 | ended the cart |\n| 5 | 2026-03-05 | hung the door |\n",
    ):
        assert line in text


def test_the_same_field_set_to_two_things_is_a_conflict_around_that_line():
    text, conflicts = merged(
        changed(("write `total()` in cart.py", "write `tax()`")),
        changed(("write `total()` in cart.py", "write `sum()`"), ("- [ ] the shop window\n", "")),
    )

    assert conflicts == 1
    assert (
        "- **Status:** in progress\n<<<<<<< ours\n- **Next immediate step:** write `tax()`\n=======\n"
        "- **Next immediate step:** write `sum()`\n>>>>>>> theirs\n\n## Active Work\n"
    ) in text
    assert "the shop window" not in text


def test_a_row_reworded_on_both_sides_is_a_conflict():
    text, conflicts = merged(changed(("one file", "no server")), changed(("one file", "it is here")))

    assert conflicts == 1
    assert "no server" in text
    assert "it is here" in text


def test_what_one_side_took_out_is_gone_but_not_what_the_other_changed():
    out = changed(("- [ ] the shop window\n", ""), ("| 2026-02-01 | SQLite | one file | store |\n", ""))

    assert merged(out, changed(("began the cart |", "began it |")))[0] == changed(
        ("began the cart |", "began it |"), text=out
    )
    kept = merged(out, changed(("one file", "a file")))
    assert "| 2026-02-01 | SQLite | a file | store |" in kept.text
    assert kept.conflicts == 0


def test_a_section_taken_out_stays_with_what_was_added_to_it():
    row = "| 2026-02-01 | SQLite | one file | store |\n"
    head, _, rest = BASE.partition("## Key Decisions")
    out = head + rest[rest.index("## Key Files") :]

    assert merged(out, BASE)[0] == out
    elsewhere = changed(("began the cart |", "began it |"))
    assert merged(out, elsewhere)[0] == changed(("began the cart |", "began it |"), text=out)
    assert merged(elsewhere, out)[0] == changed(("began the cart |", "began it |"), text=out)
    found = merged(out, changed((row, row + "| 2026-03-02 | Redis | fast | queue |\n")))
    assert "## Key Decisions\n| Date | Decision |" in found.text
    assert "| 2026-03-02 | Redis | fast | queue |" in found.text
    assert "SQLite" not in found.text


def test_new_sections_of_both_sides_stand_whole():
    ours = changed(("## Session Log\n", "## Blockers\n- the key\n\n## Session Log\n"))
    theirs = changed(("## Session Log\n", "## Risks\nNone of the money.\n\n## Session Log\n"))

    text = merged(ours, theirs).text

    assert "## Blockers\n- the key\n\n## Risks\nNone of the money.\n\n## Session Log\n" in text


def test_both_add_the_file():
    ours, theirs = changed(("- [ ] the shop window\n", "")), changed(("- [ ] the cart\n", "- [ ] the till\n"))

    text, conflicts = merge("", ours, theirs)

    assert conflicts == 0
    assert text.count("## Active Work") == 1
    assert {"- [ ] the cart\n", "- [ ] the till\n", "- [ ] the shop window\n"} <= set(text.splitlines(True))


def test_line_ends_and_mark_of_ours_are_kept():
    row = "| 2026-02-01 | SQLite | one file | store |\n"
    ours = "\ufeff" + changed(("- [ ] the shop window\n", "")).replace("\n", "\r\n")
    theirs = changed((row, row + "| 2026-03-02 | Redis | fast | queue |\n"))

    text, conflicts = merge("\ufeff" + BASE.replace("\n", "\r\n"), ours, theirs)

    assert conflicts == 0
    assert text == "\ufeff" + changed((row, row + "| 2026-03-02 | Redis | fast | queue |\n"), text=changed(
        ("- [ ] the shop window\n", "")
    )).replace("\n", "\r\n")  # fmt: skip


def test_a_nested_item_stays_below_its_own():
    ours = changed(("- [ ] the shop window\n", "- [ ] the till\n- [ ] the shop window\n"))
    theirs = changed(("  - [ ] its totals\n", "  - [ ] its totals\n  - [ ] its taxes\n"))

    assert "  - [ ] its totals\n  - [ ] its taxes\n- [ ] the till\n" in merged(ours, theirs).text


WORD = st.sampled_from("cart till door shop key tax sum queue".split())
TEXT = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
LINES = st.one_of(
    TEXT.map(lambda text: f"- [ ] {text}"),
    TEXT.map(lambda text: f"- {text}"),
    st.tuples(WORD, TEXT).map(lambda cells: f"| {cells[0]} | {cells[1]} |"),
    TEXT.map(lambda text: f"  - {text}"),
    TEXT,
    st.sampled_from(["", "```", "<!-- x -->", "> q", "**Status:** x", "- **Next:** y", "| a | b |\n|---|---|"]),
)
HEADS = st.sampled_from(["## Active Work", "## Key Decisions", "### Sub", "# Title", "## Own"])


@st.composite
def files(draw):
    rows = []
    for _ in range(draw(st.integers(0, 4))):
        rows += [draw(HEADS), *draw(st.lists(LINES, max_size=6))]
    return rows


@st.composite
def edits(draw, rows):
    rows = list(rows)
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(rows)))
        what = draw(st.sampled_from("put take change".split()))
        if what == "put":
            rows.insert(at, draw(st.one_of(LINES, HEADS)))
        elif at < len(rows):
            rows[at : at + 1] = [draw(LINES)] if what == "change" else []
    return rows


def lines(text):
    return {line for line in text.split("\n") if line.strip()}


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_row_is_lost_and_an_unchanged_side_changes_nothing(data):
    base = data.draw(files())
    texts = ["\n".join(rows) + "\n" for rows in (base, data.draw(edits(base)), data.draw(edits(base)))]
    first, ours, theirs = texts
    found = merge(first, ours, theirs).text

    for mine, other in ((ours, theirs), (theirs, ours)):
        gone = {line for line in lines(first) if first.split("\n").count(line) > other.split("\n").count(line)}
        assert lines(mine) - gone <= lines(found)
    assert merge(first, ours, ours) == (ours, 0)
    assert merge(first, first, theirs) == (theirs, 0)
    assert merge(first, ours, first) == (ours, 0)
    assert not lines(found) - lines(ours) - lines(theirs) - {"<<<<<<< ours", "=======", ">>>>>>> theirs"}


@settings(max_examples=100, deadline=None)
@given(st.one_of(files().map("\n".join), st.text(alphabet="#|- \r\n\ta*`>", max_size=60)))
def test_parts_joined_are_the_file(text):
    assert units.render(units.parse_parts(text), "\n") == text


@pytest.mark.parametrize("text", ["", "\ufeff", "---\na: b\n---\n", "x", "\r", "| a |\n|---|\n| b |"])
def test_parts_of_odd_files_joined_are_the_file(text):
    assert units.render(units.parse_parts(text), "\n") == text


def test_ten_thousand_headings_of_one_name_are_merged():
    base = "## Active Work\n" * 10_000

    assert merge(base, base + "- ours\n", "## New\n" + base).conflicts == 0
