"""A change of one section leaves every other byte as it was."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.memory.document import edits as document_edits
from belay.memory.document import page, table_cells, template_sections

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "data" / "memory" / "samples").iterdir() if path.is_file()
)
TEMPLATE = page.parse((Path(__file__).parents[3] / "templates" / "MEMORY.md").read_text())
WORDS = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"]), max_size=40)
LINE = WORDS.map(lambda text: "- " + text.replace("`", "").replace("~", "").replace("<", ""))


def read(path):
    return page.parse(path.read_bytes().decode("utf-8", "surrogateescape"))


def others(found, name):
    """Return every line outside the sections of a canonical name, with their ends."""
    own = [one for one in found.sections if one.name == name]
    return [line for at, line in enumerate(found.lines) if not any(one.start <= at < one.end for one in own)]


EDITS = st.one_of(
    st.tuples(
        st.just("append"),
        st.sampled_from(template_sections.FIRST_FORM),
        st.lists(LINE, min_size=1, max_size=3),
    ),
    st.tuples(st.just("put_row"), st.sampled_from(["decisions", "files", "log"]), WORDS),
    st.tuples(st.just("left_off"), st.sampled_from(list(template_sections.LABELS)), WORDS),
    st.tuples(st.just("set_body"), st.sampled_from(template_sections.FIRST_FORM), LINE),
)


def carried_out(found, how, name, value):
    if how == "append":
        return document_edits.append_lines(document_edits.ensure_section(found, name, TEMPLATE), name, value), name
    if how == "put_row":
        values = {"date": "2026-01-02", "decision": value, "file": value, "session": "3", "summary": value}
        return table_cells.put_row(document_edits.ensure_section(found, name, TEMPLATE), name, values), name
    if how == "left_off":
        return document_edits.set_left_off(
            document_edits.ensure_section(found, "left", TEMPLATE), {name: " ".join(value.split())}
        ), "left"
    section = found.section(name)
    return (document_edits.set_body(found, section, value) if section else found), name


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
@given(edits=st.lists(EDITS, max_size=4))
def test_edits_leave_other_sections_alone(path, edits):
    found = read(path)
    for how, name, value in edits:
        before = found
        found, touched = carried_out(found, how, name, value)
        kept = [line.rstrip("\r\n") for line in others(before, touched)]
        left = iter(line.rstrip("\r\n") for line in found.lines)
        # Every line of the other sections is there, in its order; new sections came between them.
        assert all(line in left for line in kept)
        if before.section(touched):
            assert others(found, touched)[:-1] == others(before, touched)[:-1]


def test_set_body_is_exact():
    found = page.parse("# T\r\n## A\r\nold\r\n\r\n## B\r\nb")

    assert document_edits.set_body(found, found.titled("A")[0], "new\n\n\n").text == "# T\r\n## A\r\nnew\r\n## B\r\nb"
    assert document_edits.set_body(found, found.titled("B")[0], "x").text == "# T\r\n## A\r\nold\r\n\r\n## B\r\nx\r\n"
    assert document_edits.set_body(found, found.titled("A")[0], "").text == "# T\r\n## A\r\n## B\r\nb"


def test_a_new_section_stands_where_the_template_has_it():
    found = page.parse("# Project Memory\n\n## Where We Left Off\n- x\n\n## Session Log\n")

    made = document_edits.ensure_section(found, "decisions", TEMPLATE)

    assert [one.name for one in made.sections] == ["", "left", "decisions", "log"]
    assert made.text.startswith("# Project Memory\n\n## Where We Left Off\n- x\n\n## Key Decisions\n| Date |")


def test_a_row_takes_the_columns_of_its_table():
    found = page.parse("## Decisions\n| Date | Decision | Rationale |\n|--|--|--|\n| 1 | a | b |\n\nafter\n")
    values = {"date": "2026-01-02", "decision": "x | y", "reason": "why", "affects": "all"}

    assert (
        "| 1 | a | b |\n| 2026-01-02 | x \\| y | why |\n\nafter\n"
        in table_cells.put_row(found, "decisions", values).text
    )
    listed = page.parse("## Decisions\n- 2026-01-01 a\n")
    assert table_cells.put_row(listed, "decisions", values).text.endswith("- 2026-01-02 x | y: why; all\n")


def test_a_file_without_a_newline_at_its_end_gets_whole_lines():
    found = page.parse("## Blockers\n- one")

    assert document_edits.append_lines(found, "blockers", ["- two"]).text == "## Blockers\n- one\n- two\n"
    assert document_edits.replace_lines(found, 1, 2, ["- other"]).text == "## Blockers\n- other"


def test_header_is_put_below_the_title_and_replaced_there():
    made = document_edits.set_header(page.parse("# Project Memory\n\n## Blockers\n"), "2026-01-02", 3, "main", 8)

    assert made.text.startswith(
        "# Project Memory\nLast updated: 2026-01-02 | Session 3 | Branch: main\nMemory health: 8/10\n\n## Blockers"
    )
    again = document_edits.set_header(made, "2026-01-03", 4, "x", 7)
    assert again.text.count("Last updated:") == again.text.count("Memory health:") == 1


def test_fields_are_set_in_order_and_taken_out():
    found = page.parse("## Where We Left Off\n- **Status:** old\n\nFree words.\n")

    made = document_edits.set_left_off(found, {"task": "T", "status": "new", "next": "N", "question": ""})

    assert made.text == (
        "## Where We Left Off\n- **Current task:** T\n- **Status:** new\n- **Next immediate step:** N\n\nFree words.\n"
    )
    assert "Status" not in document_edits.set_left_off(made, {"status": ""}).text
