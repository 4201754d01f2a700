import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from sessions import DOCUMENT, parsed

from belay.core import files, paths
from belay.memory.document.page import find_problem, parse
from belay.memory.wrapup import dated_block, memory_md, sections
from belay.memory.wrapup.sections import Entry

TEMPLATE = files.read(paths.resource("templates", "MEMORY.md")).decode()


def entry(text=DOCUMENT, date="2026-11-21", session="aaaaaaaa", **more):
    return Entry(parsed(text), date, "14:02", session, "main", "1a2b3c4d", **more)


def create(entry, template):
    return memory_md.write_entry("", entry, template)


def written(text, entry, template):
    return memory_md.write_entry(text, entry, template)


def put(text, entry):
    return dated_block.put_block(parse(text), entry).text


def test_a_new_file_holds_what_is_known_and_nothing_else():
    text = create(entry("summary: s\nnext step: go on\n"), TEMPLATE)

    assert text == (
        "<!-- belay: project memory -->\n"
        "# Project Memory\n"
        "Last updated: 2026-11-21 | Session 1 | Branch: main\n"
        "\n"
        "## Where We Left Off\n"
        "- **Next immediate step:** go on\n"
        "\n"
        "## Session Log\n"
        "| Session | Date | Summary |\n"
        "|---------|------|---------|\n"
        "| 1 | 2026-11-21 | s <!-- aaaaaaaa --> |\n"
    )


def test_every_part_of_the_document_finds_its_section():
    text = create(entry(), TEMPLATE)

    assert "- **Open question:** which TTL?\n" in text
    assert "## Completed\n- 2026-11-21 Add the refund handler\n" in text
    assert "## Active Work\n- [ ] write integration tests\n" in text
    assert "| 2026-11-21 | SQLite for storage | one file, no server | file.txt, a \\| b |\n" in text
    assert "| `file.txt` | holds one line | session 1 |\n" in text
    assert "{{" not in text
    assert "[DATE]" not in text


def test_the_same_entry_twice_changes_nothing():
    text = create(entry(), TEMPLATE)

    assert written(text, entry(), TEMPLATE) == text


def test_the_next_session_adds_to_the_first():
    first = create(entry(), TEMPLATE)
    later = entry(
        "summary: Wrote the tests\nnext step: ship\ncompleted: [write integration tests]\n"
        "decisions: [{decision: SQLite for storage, reason: other}, {decision: Ship it, reason: ready}]\n",
        date="2026-11-22",
        session="bbbbbbbb",
    )
    text = written(first, later, TEMPLATE)

    assert "Last updated: 2026-11-22 | Session 2 | Branch: main\n" in text
    assert "- [x] write integration tests\n" in text
    assert "| 2026-11-21 | SQLite for storage | one file, no server |" in text
    assert "| 2026-11-22 | Ship it | ready |  |\n" in text
    assert "SQLite for storage | other" not in text
    assert "which TTL?" not in text
    assert "| 1 | 2026-11-21 | Rotated the refresh tokens <!-- aaaaaaaa --> |\n| 2 | 2026-11-22 | Wrote" in text


def test_a_revised_document_of_the_same_session_replaces_its_own_rows():
    first = create(entry(), TEMPLATE)
    text = written(first, entry(DOCUMENT.replace("Rotated", "Renewed")), TEMPLATE)

    assert "Session 1 " in text
    assert text.count("<!-- aaaaaaaa -->") == 1
    assert "Renewed the refresh tokens" in text


def test_the_mechanical_audit_does_not_replace_what_was_written():
    first = create(entry(), TEMPLATE)
    text = written(first, entry("summary: by code\nnext step: n\n", written=False)._replace(wrapped=True), TEMPLATE)

    assert "Rotated the refresh tokens" in text
    assert "by code" not in text
    assert "which TTL?" in text
    assert "- **Next immediate step:** n\n" in text


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_people_stay_byte_for_byte(end, bom):
    first = create(entry(), TEMPLATE)
    first = first.replace(
        "## Blockers\n", "## Our own section\n|not| a table\n\n  spaced  \t\n## Blockers\nkept by hand\n"
    )
    edited = bom + first.replace("\n", end) + "## Last" + end + "no end of line"
    text = written(edited, entry("summary: t\nblockers: [new one]\n", session="bbbbbbbb"), TEMPLATE)

    added = ["- new one", "| 2 | 2026-11-21 | t <!-- bbbbbbbb --> |"]
    gone = ["Current task", "Status", "Next immediate step", "Open question"]
    before = [row for row in edited.split(end) if not any(f"**{label}:**" in row for label in gone)]
    after = [row for row in text.split(end) if row not in added]
    assert [row.replace("Session 2", "Session 1") for row in after] == before
    assert ("\n" in text.replace(end, "")) is False
    assert text.startswith(bom + "<!-- belay")


def test_a_section_that_was_taken_out_comes_back_in_its_place():
    text = create(entry("summary: s\n"), TEMPLATE)
    text = written(text, entry("summary: s\nblockers: [key]\n"), TEMPLATE)

    assert text.index("## Where") < text.index("## Blockers\n- key\n\n## Session Log") < text.index("## Session Log")


def test_a_heading_in_a_code_fence_is_no_section():
    text = create(entry("summary: s\n"), TEMPLATE) + "\n## Notes\n```\n## Blockers\n```\n"
    text = written(text, entry("summary: s\nblockers: [key]\n"), TEMPLATE)

    assert text.endswith("```\n## Blockers\n```\n")
    assert text.count("- key\n") == 1


def test_somebody_elses_file_gets_one_block_of_a_session():
    theirs = "# Mine\n\nno end of line"
    once = put(theirs, entry())
    twice = put(once, entry(DOCUMENT.replace("Rotated", "Renewed")))

    assert once.startswith(theirs + "\n\n<!-- belay: wrap-up aaaaaaaa ")
    assert put(once, entry()) == once
    assert twice.count("<!-- belay: wrap-up") == 1
    assert "Rotated" not in twice
    assert twice.startswith(theirs)
    assert "- Decision: SQLite for storage, because one file, no server (affects file.txt, a | b)\n" in twice


def test_a_block_that_was_edited_is_left_and_a_new_one_written():
    once = put("# Mine\n", entry()).replace("Rotated", "We rotated")
    twice = put(once, entry(DOCUMENT.replace("Rotated", "Renewed")))

    assert twice.startswith(once)
    assert twice.count("<!-- belay: wrap-up") == 2
    assert put(twice, entry(DOCUMENT.replace("Rotated", "Renewed"))) == twice


def test_blocks_of_two_sessions_stand_beside_each_other():
    both = put(put("# Mine\n", entry()), entry(session="bbbbbbbb"))

    assert both.count("<!-- belay: wrap-up") == 2
    assert put(both, entry()) == both


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_kept_and_a_second_time_changes_nothing(theirs):
    once = put(theirs, entry())

    assert once.startswith(theirs)
    assert put(once, entry()) == once


@settings(deadline=None, max_examples=60, phases=[Phase.explicit, Phase.generate])
@given(
    st.lists(
        st.sampled_from([*TEMPLATE.splitlines(), "- **Status:** x", "```", "a", "|x|", "- [ ] b"]),
        max_size=30,
    )
)
def test_any_order_of_template_lines_settles_at_once(rows):
    text = sections.MARK + "\n" + "\n".join(rows)
    assume(find_problem(parse(text)) is None)
    once = written(text, entry(), TEMPLATE)

    assert written(once, entry(), TEMPLATE) == once


def test_a_memory_of_workstreams_carries_the_day_of_its_last_wrap_up():
    text = "# M\nLast updated: 2026-11-01\n\n## Workstreams\n\n### Tokens\n**Status:** begun\n**Next when resumed:** go on\n"

    assert "# M\nLast updated: 2026-11-21\n\n" in written(text, entry(), TEMPLATE)
    assert "Last updated: 2026-11-01\n" in written(text, entry(written=False), TEMPLATE)
    assert "Last updated" not in written(text.replace("Last updated: 2026-11-01\n", ""), entry(), TEMPLATE)


@pytest.mark.parametrize("theirs", ["<!-- kept by Ada -->", "<!-- kept by Ada -->\n\n\n"])
def test_a_new_memory_below_a_lone_comment_has_one_empty_line_between(theirs):
    text = written(theirs, entry("summary: s\n"), TEMPLATE)

    assert text.startswith("<!-- kept by Ada -->\n\n<!-- belay: project memory -->\n# Project Memory\n")
