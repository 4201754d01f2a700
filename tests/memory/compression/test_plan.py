"""Compression takes out what is over and nothing else."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.compression import plan
from belay.memory.document import page

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "data" / "memory" / "samples").iterdir() if path.is_file()
)
FREE = {"completed", "active", "blockers", "issues", "gaps", "log"}
LOG = "| {} | 2026-01-{:02d} | did part {} |"


def memory(now=8, rows=None, **sections):
    """Return a memory whose session n was on 2026-01-n."""
    log = [LOG.format(n, n, n) for n in (rows or range(1, now + 1))]
    head = ["# Project Memory", f"Last updated: 2026-01-{now:02d} | Session {now} | Branch: main", ""]
    table = ["## Session Log", "| Session | Date | Summary |", "|---|---|---|", *log, ""]
    parts = [f"## {name.replace('_', ' ')}\n{text}\n" for name, text in sections.items()]
    return "\n".join([*head, *parts, *table])


def planned(text, **more):
    return plan.plan_compression(page.parse(text), **more)


def texts(rows):
    return [row["text"] for row in rows]


def test_a_completed_item_folds_into_the_row_of_its_session():
    done = planned(memory(Completed="- 2026-01-02 Scaffold a \\| b\n- 2026-01-06 Login"))

    assert "| 2 | 2026-01-02 | did part 2; Scaffold a \\| b |\n" in done.text
    assert "## Completed\n- 2026-01-06 Login\n" in done.text
    assert [(row["session"], row["section"], row["line"]) for row in done.folded] == [(2, "Completed", 5)]
    assert texts(done.removed) == ["- 2026-01-02 Scaffold a \\| b"]


@pytest.mark.parametrize(("day", "gone"), [(4, True), (5, False)])
def test_older_than_three_sessions_means_four(day, gone):
    assert bool(planned(memory(Completed=f"- 2026-01-{day:02d} X")).removed) is gone


@pytest.mark.parametrize(
    ("item", "gone"),
    [
        ("- (session 2) X", True),
        ("- X (done in session 2)", True),
        ("- X", False),  # nobody knows how old it is
        ("- 2026-01-02 X, again 2026-01-07", False),
        ("- 2026-01-02 X\n  - [ ] but not Y", False),
        ("- 2025-03-01 before the log", True),
        ("- 2027-03-01 after it", False),
    ],
)
def test_age_comes_from_dates_and_session_marks(item, gone):
    assert bool(planned(memory(Completed=item)).removed) is gone


def test_git_tells_the_age_of_what_has_no_date():
    text = memory(Completed="- X", Active_Work="- [x] Y\n- [x] Z")

    done = planned(text, touched={5: "2026-01-01", 8: "2026-01-03", 9: "2026-01-08"})

    assert texts(done.removed) == ["- X", "- [x] Y"]


def test_a_ticked_item_is_as_old_as_its_completed_twin():
    text = memory(Completed="- 2026-01-02 Login form", Active_Work="- [x] Login form\n- [x] other")

    done = planned(text)

    assert texts(done.removed) == ["- 2026-01-02 Login form", "- [x] Login form"]
    assert done.text.count("Login form") == 1


def test_nothing_folds_into_the_newest_three_rows():
    text = memory(9, rows=(1, 2, 3), Completed="- 2026-01-01 X")

    assert planned(text).text == text


def test_a_session_mark_at_the_end_of_a_row_stays_there():
    text = memory(Completed="- 2026-01-02 X").replace("did part 2 |", "did part 2 <!-- ab12 --> |")

    assert "| did part 2; X <!-- ab12 --> |" in planned(text).text


def test_what_is_nested_goes_along_and_is_kept_whole():
    item = "- 2026-01-02 X\n  - first\n\n    more\n  - second"
    done = planned(memory(Completed=item + "\n- 2026-01-07 Y"))

    assert texts(done.removed) == [item]
    assert "## Completed\n- 2026-01-07 Y" in done.text


@pytest.mark.parametrize(
    ("item", "gone"),
    [
        ("- ~~No key~~", True),
        ("- ~~No key~~ **FIXED 2026-01-03**", True),
        ("- [x] No key", True),
        ("- RESOLVED: no key", True),
        ("- No key — **RESOLVED**", True),
        ("- No key (resolved in session 3)", True),
        ("- Resolved 2026-01-03: no key", True),
        ("- The crash is NOT RESOLVED", False),
        ("- Resolved tickets are missing in the export", False),
        ("- No key", False),
        ("- [ ] No key", False),
        ("- ~~One key~~ the other is missing still", False),
        ("- [x] No key\n  - [ ] for staging", False),
        ("- None", False),
    ],
)
def test_resolved_blockers_go(item, gone):
    for title in ("Blockers", "Known_Issues"):
        assert texts(planned(memory(Blockers=item)).removed) == ([item] if gone else []), title


def test_resolved_gaps_of_a_workstream_memory_go():
    text = (Path(__file__).parents[2] / "data" / "memory" / "samples" / "workstreams.md").read_text()

    done = planned(text)

    assert texts(done.removed) == ["- ~~`SeatLock` — never released~~ **FIXED 2026-03-04**"]
    assert done.text == text.replace(texts(done.removed)[0] + "\n", "")


def test_a_resolved_item_inside_somebodys_section_stays():
    text = "# M\n## Sprint 12\n### Blockers\n- ~~key~~\n## Architecture\n### Known Issues\n- [x] y\n"

    assert planned(text).text == text


def test_past_ten_sessions_the_older_rows_leave():
    done = planned(memory(14, Completed="- 2026-01-03 Shop"))

    assert [row["session"] for row in done.rows] == list(range(1, 9))
    assert done.rows[2]["summary"] == "did part 3; Shop"
    assert [row.cells[0] for row in page.parse(done.text).records if row.kind == "row"] == list(map(str, range(9, 15)))
    assert planned(memory(10)).rows == []


def test_the_newest_rows_stay_wherever_they_stand():
    text = memory(14, rows=range(14, 0, -1))

    kept = [row.cells[0] for row in page.parse(planned(text).text).records if row.kind == "row"]

    assert kept == ["14", "13", "12", "11", "10", "9"]


def test_an_open_item_without_progress_is_flagged_and_stays():
    files = "| File | Purpose | Last Modified |\n|---|---|---|\n| `a.py` | x | session 7 |"
    text = memory(
        Active_Work="- [ ] Search (session 5)\n- [ ] Refund in `a.py` (session 2)\n- [ ] new (session 6)\n- [ ] x",
        Key_Files=files,
    )

    done = planned(text)

    assert [(row["line"], row["since"]) for row in done.flagged] == [(5, 5)]
    assert done.text == text
    assert done.candidates == []


def test_an_edited_line_is_progress_a_first_commit_is_none():
    text = memory(Active_Work="- [ ] Search (session 2)\n- [ ] Cart (session 2)")

    same = planned(text, touched={5: "2026-01-08", 6: "2026-01-08"})
    edited = planned(text, touched={1: "2026-01-02", 5: "2026-01-02", 6: "2026-01-08"})

    assert [row["line"] for row in same.flagged] == [5, 6]
    assert [row["line"] for row in edited.flagged] == [5]


def test_entries_untouched_for_five_sessions_are_candidates():
    files = "| File | Purpose | Last Modified |\n|---|---|---|\n| `a.py` | x | session 3 |\n| `b.py` | y | session 4 |"
    text = memory(Blockers="- key (session 1)", Key_Files=files)

    assert [(row["section"], row["since"]) for row in planned(text).candidates] == [
        ("Blockers", 1),
        ("Key Files", 3),
    ]


def test_all_ages_takes_what_nobody_knows_the_age_of():
    done = planned(memory(Completed="- X\n- 2026-01-07 Y"), all_ages=True)

    assert texts(done.removed) == ["- X"]
    assert done.folded == []


def test_what_is_not_understood_is_left_alone():
    text = memory(Completed="- 2026-01-01 X") + "\n```\n"

    done = planned(text)

    assert (done.text, done.removed) == (text, [])
    assert "opens a code block" in done.why


def test_a_cut_that_would_make_a_heading_is_not_made():
    text = memory(Blockers="Known Issues\n- [x] key\n---")

    assert planned(text).text == text


def protected(text):
    """Return what must stay: every section that compression does not own, its direct lines."""
    found = page.parse(text)
    rows = [
        row
        for row in found.records
        if (row.section < 0 or found.sections[row.section].name not in FREE) and row.kind != "blank"
    ]
    return ["".join(found.lines[row.start : row.end]) for row in rows]


def open_blockers(text):
    found = page.parse(text)
    section = found.section("blockers")
    rows = [row for row in found.within(section) if row.kind == "item"] if section else []
    plain = [row for row in rows if "~~" not in row.text and not row.text.startswith(("[x]", "DONE"))]
    return [row.text for row in plain if plan.entries.indent_width(found, row) == 0]


ITEMS = st.sampled_from(
    [
        "- 2026-01-01 one", "- [x] two (session 2)", "- [ ] three (session 1)", "- ~~four~~ DONE 2026-01-02", "- five",
        "  - nested [x]", "  - [ ] nested open", "", "* 2026-01-02 six `a.py`", "1. 2026-01-03 seven", "text", "- none",
        "| 3 | 2026-01-03 | a row |", "    code", "- [x]", "- 2026-01-01 a | b <!-- c -->", "> quote", "---", "```",
    ]
)  # fmt: skip
TITLES = st.sampled_from(
    [
        "Completed", "Active Work", "Blockers", "Key Decisions", "Architecture Notes", "Mine", "Project Overview",
        "Where We Left Off", "Known Issues", "User Preferences", "External Context", "# Deep", "# Blockers",
    ]
)  # fmt: skip
MEMORIES = st.tuples(
    st.integers(1, 16),
    st.lists(st.tuples(TITLES, st.lists(ITEMS, max_size=6)), max_size=7),
    st.lists(st.integers(1, 16), max_size=12),
    st.sampled_from(["\n", "\r\n"]),
)


def made_up(parts):
    now, sections, sessions, newline = parts
    body = [line for title, items in sections for line in ("##" + " " * (title[0] != "#") + title, *items)]
    log = ["## Session Log", "| Session | Date | Summary |", "|---|---|---|"]
    log += [LOG.format(n, n, n) for n in sessions]
    head = ["# Project Memory", f"Last updated: 2026-01-{now:02d} | Session {now} | Branch: main"]
    return newline.join([*head, *body, *log, ""])


def last_rows(text, count=3):
    told = page.parse(text)
    section = told.section("log")
    rows = [row for row in told.within(section) if row.kind == "row" and row.cells[0].isdigit()]
    newest = sorted(rows, key=lambda row: (int(row.cells[0]), row.start))[-count:]
    return ["".join(told.lines[row.start : row.end]) for row in newest]


def holds(text):
    done = planned(text)
    again = planned(done.text, session=done.session)

    assert protected(done.text) == protected(text)
    assert [row for row in open_blockers(text) if row not in open_blockers(done.text)] == []
    assert (again.text, again.removed) == (done.text, [])
    assert len(done.text) <= len(text) + sum(len(str(row["told"])) + 3 for row in done.folded)
    kept = page.parse(done.text).text
    for line in page.split_lines(text):
        if line.strip() and line not in kept and not line.startswith("|"):
            assert any(page.strip_line_end(line) in row["text"] for row in done.removed)
    return done


@given(MEMORIES)
@settings(max_examples=300, deadline=None)
def test_made_up_memories_keep_what_is_permanent(parts):
    text = made_up(parts)
    done = holds(text)

    if page.parse(text).section("log"):
        assert last_rows(done.text) == last_rows(text)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_keep_what_is_permanent(path):
    holds(path.read_bytes().decode("utf-8", "surrogateescape"))
