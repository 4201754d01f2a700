from hypothesis import given
from hypothesis import strategies as st

from belay.memory.drift import repairs

TEXT = "# M\r\nLast updated: 2026-03-01 | Session 4 | Branch: main\r\n- [ ] `src/a.ts:12` and src/a.tsx, ./src/a.ts\n| src/a.ts | x/src/a.ts |"
MOVED = {"kind": "path", "lines": [3, 4], "from": "src/a.ts", "to": "lib/b.ts"}
COUNTED = {"kind": "counter", "lines": [2], "from": 4, "to": 6}
TICKED = {"kind": "tick", "lines": [3]}


def test_only_what_is_named_changes():
    assert repairs.apply_repairs(TEXT, [MOVED, COUNTED, TICKED]) == (
        "# M\r\nLast updated: 2026-03-01 | Session 6 | Branch: main\r\n"
        "- [x] `lib/b.ts:12` and src/a.tsx, ./lib/b.ts\n| lib/b.ts | x/src/a.ts |"
    )


def test_names_that_swapped_are_told_apart():
    rows = [{"kind": "path", "lines": [1], "from": one, "to": two} for one, two in (("a/x", "b/x"), ("b/x", "a/x"))]

    assert repairs.apply_repairs("`a/x` and `b/x`", rows) == "`b/x` and `a/x`"


def test_a_line_that_says_something_else_by_now_stays():
    assert repairs.apply_repairs("Session 9\n", [{**COUNTED, "lines": [1]}]) == "Session 9\n"
    assert repairs.apply_repairs("other\n", [{**MOVED, "lines": [1, 8]}]) == "other\n"


def test_ticks_only_when_asked():
    diff = {"conflicts": [{"repair": MOVED}, {"repair": TICKED}, {"repair": None}]}

    assert repairs.list_repairs(diff) == [MOVED]
    assert repairs.list_repairs(diff, ticks=True) == [MOVED, TICKED]


@given(st.text(alphabet="ab/.\r\n -[]x", max_size=60), st.integers(1, 4))
def test_other_lines_keep_every_byte(text, line):
    from belay.memory.document.page import split_lines

    rows = [{"kind": "path", "lines": [line], "from": "a/b", "to": "b/a"}, {"kind": "tick", "lines": [line]}]
    before, after = split_lines(text), split_lines(repairs.apply_repairs(text, rows))

    assert len(before) == len(after)
    assert all(one == two for at, (one, two) in enumerate(zip(before, after, strict=True), 1) if at != line)
