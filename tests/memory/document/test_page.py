"""Any text is a page that tiles its lines; joined again it is the same text."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.document import facts, page

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "data" / "memory" / "samples").iterdir() if path.is_file()
)
LINES = st.sampled_from(
    [
        "# Project Memory", "## Key Decisions", "## Mine", "### Deep", "Blockers", "---", "===", "- one", "  - two",
        "* [ ] open", "1. first", "| a | b |", "|---|---|", "| x \\| y | z |", "```", "~~~", "<!-- note -->", "<div>",
        "> quoted", "", "   ", "\tcode", "text", "é \u2028 \x0b", "[ref]: http://x", "\ufeff", "title: x", "***",
    ]
)  # fmt: skip
TEXTS = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r", ""])), max_size=30).map(
    lambda rows: "".join(line + end for line, end in rows)
)


def whole(found):
    """Check that records tile the lines, and sections nest."""
    at = 0
    for row in found.records:
        assert row.start == at < row.end
        at = row.end
    assert at == len(found.lines)
    assert "".join(found.lines) == found.text
    for one in found.sections:
        assert one.start < one.body <= one.end <= len(found.lines)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_are_tiled(path):
    whole(page.parse(path.read_bytes().decode("utf-8", "surrogateescape")))


@given(TEXTS)
def test_made_up_files_are_tiled(text):
    whole(page.parse(text))


@given(st.text(max_size=200))
def test_any_text_is_tiled(text):
    whole(page.parse(text))


@given(st.binary(max_size=200))
@settings(max_examples=50)
def test_any_bytes_come_back(data):
    found = page.parse(data.decode("utf-8", "surrogateescape"))

    whole(found)
    assert "".join(found.lines).encode("utf-8", "surrogateescape") == data


def kinds(text):
    return [(row.kind, row.start, row.end) for row in page.parse(text).records]


def test_lines_end_with_line_feeds_and_returns_only():
    assert page.split_lines("a\r\nb\rc\nd\u2028e\x0bf") == ["a\r\n", "b\r", "c\n", "d\u2028e\x0bf"]


def test_every_row_and_bullet_is_a_record():
    text = "## Key Decisions\n| Date | Decision |\n|--|--|\n| 1 | a \\| b |\n| 2 | c |\n\n- one\n  - two\n    more\n"

    found = page.parse(text).records

    assert [row.kind for row in found] == ["heading", "head", "rule", "row", "row", "blank", "item", "item"]
    assert found[3].cells == ("1", "a | b")
    assert (found[7].start, found[7].end) == (7, 9)


def test_a_heading_in_a_fence_is_none():
    found = page.parse("## One\n```\n## Two\n```\n## Three\n")

    assert [one.title for one in found.sections] == ["One", "Three"]


def test_an_underlined_heading_counts_if_a_template_knows_it():
    text = "Blockers\n--------\n- x\n\nSomething else\n---\n"

    assert [one.name for one in page.parse(text).sections] == ["blockers"]


def test_front_matter_is_cut_and_a_rule_is_none():
    assert kinds("---\nname: x\n---\n# T\n") == [("front-matter", 0, 3), ("heading", 3, 4)]
    assert kinds("---\n\ntext\n---\n")[0][0] == "break"


def test_a_section_ends_at_the_next_of_its_level():
    found = page.parse("# T\n## A\n### B\nb\n## C\n")

    assert [(one.title, one.body, one.end) for one in found.sections] == [
        ("T", 1, 5), ("A", 2, 4), ("B", 3, 4), ("C", 5, 5),
    ]  # fmt: skip


def test_a_byte_order_mark_hides_no_heading():
    assert page.parse("\ufeff# Project Memory\n").sections[0].title == "Project Memory"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# A\n```\nx\n", 2),
        ("a\n<<<<<<< HEAD\nb\n=======\n>>>>>>> x\n", 1),
        ("# A\n```\n<<<<<<< x\n```\n", 0),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(text, line):
    found = page.find_problem(page.parse(text))

    assert (found[0] if found else 0) == line


@pytest.mark.parametrize(
    "text",
    [
        "## Active Work\n" * 60_000,
        "".join(f"## h{number}\n" for number in range(15_000)),
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 15_000,
        "### " + "- " * 400_000,
        "## Active Workstreams\n\n### a" + " " * 400_000 + "b\n",
        "+" * 400_000,
        "a.b-c@d+e" * 50_000,
        "`a.py:" + "1" * 400_000 + "`",
        "\n" * 1_000_000,
    ],
    ids=["sections", "headings", "rows", "dashes", "blanks", "plus", "mixed", "digits", "lines"],
)
def test_a_hostile_megabyte_is_read_and_joined_again(text):
    found = page.parse(text)
    facts.read_facts(found)

    whole(found)


def test_a_file_of_too_many_lines_is_read_in_part_and_never_rewritten():
    found = page.parse("## Notes\n" + "- item\n" * page.MOST_LINES)

    whole(found)
    assert found.records[-1][:3] == ("code", page.MOST_LINES, page.MOST_LINES + 1)
    assert page.find_problem(found) == (page.MOST_LINES + 1, "is beyond the 20,000 lines that are read")
    assert page.find_problem(page.parse("- item\n" * page.MOST_LINES)) is None


@pytest.mark.parametrize(("under", "level"), [("===", 1), ("=", 1), ("---", 2), ("-", 2)])
@pytest.mark.parametrize("after", ["", "text", "===", "---"])
def test_an_underlined_heading_has_the_level_of_its_line(under, level, after):
    found = page.parse(f"# Top\n\nKnown Issues\n{under}\n{after}\n").sections[1]

    assert (found.title, found.level) == ("Known Issues", level)
