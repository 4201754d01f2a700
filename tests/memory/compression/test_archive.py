"""The archive holds every line that was taken out, in files of at most 200 lines."""

from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.compression import archive
from belay.memory.compression import plan as compression_plan
from belay.memory.document import page

HEADING = "2026-11-21 (session 12)"


def entry(section, text):
    return {"section": section, "text": text}


def row(session, summary):
    text = f"| {session} | 2026-01-{session:02d} | {summary} <!-- ab --> |"
    return {
        "session": session,
        "date": f"2026-01-{session:02d}",
        "summary": summary + " <!-- ab -->",
        "text": text,
    }


def add(files, removed, rows=(), milestones=(), heading=HEADING):
    return archive.add_to_archive(files, removed, rows, milestones, heading, "2026")


def test_the_archive_has_the_form_of_the_template():
    rows = [row(1, "began"), row(2, "built the shop")]
    removed = [entry("Completed", "- 2026-01-01 X"), *(entry("Session Log", one["text"]) for one in rows)]

    files, new = add({}, removed, rows, ["Session 2: v0.1 released"])

    assert files == {
        "MEMORY-ARCHIVE.md": """# Memory Archive
Archived sessions from Project Memory.

## Sessions 1-2 Summary
Session 1 (2026-01-01): began. Session 2 (2026-01-02): built the shop.

## Key Milestones
- Session 2: v0.1 released

## Removed
### Completed, 2026-11-21 (session 12)
- 2026-01-01 X
### Session Log, 2026-11-21 (session 12)
| 1 | 2026-01-01 | began <!-- ab --> |
| 2 | 2026-01-02 | built the shop <!-- ab --> |
"""
    }
    assert len(new) == 5


def test_what_stands_there_is_not_added_again():
    rows = [row(1, "began")]
    removed = [entry("Completed", "- X\n  - Y"), entry("Session Log", rows[0]["text"])]
    files, _ = add({}, removed, rows, ["Session 1: v1"])

    assert add(files, removed, rows, ["Session 1: v1"]) == ({}, [])
    assert add({}, []) == ({}, [])


def test_the_same_line_removed_twice_stands_there_twice():
    files, _ = add({}, [entry("Completed", "- X"), entry("Active Work", "- X")])

    assert files["MEMORY-ARCHIVE.md"].count("- X\n") == 2


def test_later_removals_join_what_is_there_and_keep_it():
    files, _ = add({}, [entry("Completed", "- X")], heading="one")
    first = files["MEMORY-ARCHIVE.md"] + "\nsomebody's own line"

    files, _ = add({"MEMORY-ARCHIVE.md": first}, [entry("Blockers", "- [x] key")], [], ["Session 3: v2"], "two")
    text = files["MEMORY-ARCHIVE.md"]

    assert [line for line in first.split("\n") if line not in text] == []
    assert text.index("## Key Milestones") < text.index("## Removed") < text.index("### Blockers, two")


def test_line_ends_of_the_archive_are_kept():
    files, _ = add({"MEMORY-ARCHIVE.md": "# Memory Archive\r\n"}, [entry("Completed", "- X\n  - Y")])

    assert "\n" not in files["MEMORY-ARCHIVE.md"].replace("\r\n", "")


def test_a_full_archive_rolls_over_to_its_year():
    full = "# Memory Archive\n" + "- old\n" * 195

    files, _ = add({"MEMORY-ARCHIVE.md": full}, [entry("Completed", f"- {n}") for n in range(9)])

    assert list(files) == ["MEMORY-ARCHIVE-2026.md", "MEMORY-ARCHIVE.md"]
    assert files["MEMORY-ARCHIVE-2026.md"] == full
    assert files["MEMORY-ARCHIVE.md"].startswith("# Memory Archive\nArchived sessions")
    other = {"MEMORY-ARCHIVE.md": full, "MEMORY-ARCHIVE-2026.md": "another\n"}
    again, _ = add(other, [entry("Completed", f"- {n}") for n in range(9)])
    assert list(again) == ["MEMORY-ARCHIVE-2026-2.md", "MEMORY-ARCHIVE.md"]


def test_a_rewritten_summary_and_milestones_replace_the_newest():
    files, _ = add({}, [entry("Session Log", row(1, "a")["text"])], [row(1, "a")], ["Session 1: x"])

    text = archive.rewrite_summary(files["MEMORY-ARCHIVE.md"], "We began.", ["Session 1: y"])

    assert "## Session 1 Summary\nWe began.\n\n## Key Milestones\n- Session 1: y\n\n## Removed\n" in text
    assert archive.rewrite_summary(text, "", []) == text


LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1, max_size=30).map(
    lambda x: "- " + x
)
ENTRIES = st.lists(
    st.tuples(st.sampled_from(["Completed", "Blockers"]), st.lists(LINES, min_size=1, max_size=8).map("\n".join)),
    max_size=60,
)


@given(st.lists(ENTRIES, max_size=4), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_nothing_is_lost_and_no_file_is_too_long(batches, killed):
    files = {}
    for batch in batches:
        removed = [entry(*one) for one in batch]
        changed, _ = add(files, removed, [], ["Session 1: v1"] if batch else [])
        files.update(list(changed.items())[:killed])  # killed after so many files, begun again
        changed, _ = add(files, removed, [], ["Session 1: v1"] if batch else [])
        files.update(changed)
        assert add(files, removed, [], ["Session 1: v1"] if batch else []) == ({}, [])

    assert all(len(page.split_lines(text)) <= archive.LINES for text in files.values())
    assert all(archive.NAME.fullmatch(name) for name in files)
    whole = "\n".join(files.values())
    for batch in batches:
        assert [text for _, text in batch if text + "\n" not in whole] == []


def test_what_a_plan_removes_is_in_the_archive():
    log = [f"| {n} | 2026-01-{n:02d} | part {n} |" for n in range(1, 15)]
    head = "# Project Memory\nLast updated: 2026-01-14 | Session 14 | Branch: main\n"
    table = "## Session Log\n| Session | Date | Summary |\n|---|---|---|\n"
    text = head + "## Completed\n- 2026-01-02 Scaffold\n" + table + "\n".join(log) + "\n"
    plan = compression_plan.plan_compression(page.parse(text))

    files, _ = add({}, plan.removed, plan.rows, [])

    assert "Session 2 (2026-01-02): part 2; Scaffold." in files["MEMORY-ARCHIVE.md"]
    kept = plan.text + files["MEMORY-ARCHIVE.md"]
    assert [line for line in text.split("\n") if line not in kept] == []


def test_a_line_without_an_end_gets_one_before_more_follows():
    files, _ = add({"MEMORY-ARCHIVE.md": "# Memory Archive\n\nmine"}, [entry("Completed", "- X")])

    assert files["MEMORY-ARCHIVE.md"].startswith("# Memory Archive\n\nmine\n")
    assert files["MEMORY-ARCHIVE.md"].endswith("- X\n")
