"""Sections tile a document, follow its headings, and tear no fence and no table."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.knowledge.documents.headings import scan_headings
from belay.knowledge.documents.sections import HARD, LEAST, MOST, split_sections

LINES = st.sampled_from(
    [
        *"|# One|## Two|### Three|Title|=====|-----|```|~~~~|---|- item|= Adoc|#no heading|title: front|\r".split("|"),
        "| a | b |",
        "word " * 30,
        "x" * 3000,
        "\tindented",
    ]
)


def joined(sections):
    return "\n".join(section.text for section in sections)


def body(text):
    return text[:-1] if text.endswith("\n") else text


@given(st.one_of(st.text(), st.lists(LINES, max_size=60).map("\n".join)))
def test_sections_tile_any_text(text):
    sections = split_sections(text)

    if not text.strip():
        assert sections == []
        return
    lines = body(text).split("\n")
    assert joined(sections) == body(text)
    assert (sections[0].start, sections[-1].end) == (1, len(lines))
    for one, following in pairwise(sections):
        assert following.start == one.end + 1
    for one in sections:
        assert one.text == "\n".join(lines[one.start - 1 : one.end])


@given(st.lists(LINES, max_size=80).map("\n".join))
def test_no_section_of_more_lines_is_far_above_the_bound(text):
    for one in split_sections(text):
        assert len(one.text) <= HARD + 3000 + LEAST


def chapter(mark, name, size):
    return f"{mark} {name}\n\n" + "word word word word word word.\n\n" * (size // 32)


def test_a_section_begins_at_a_heading_and_is_called_by_the_trail():
    text = chapter("#", "Guide", 900) + chapter("##", "Install", 1200) + chapter("##", "Use", 1200)

    assert [(one.text.split("\n")[0], one.title) for one in split_sections(text)] == [
        ("# Guide", "Guide"),
        ("## Install", "Guide › Install"),
        ("## Use", "Guide › Use"),
    ]


def test_short_chapters_stay_together_and_all_their_names_are_in_the_title():
    text = "# Chat\n\n" + "".join(f"## Turn {at}\n\nHello there, number {at}.\n\n" for at in range(200))
    sections = split_sections(text)

    assert len(sections) <= len(text) // LEAST + 1
    assert all(len(one.text) >= LEAST for one in sections[:-1])
    assert sections[0].title.startswith("Chat · Turn 0 · Turn 1")


def test_a_long_chapter_is_cut_between_paragraphs():
    sections = split_sections("# Long\n\n" + "\n\n".join("word " * 60 for _ in range(40)))

    assert len(sections) > 3
    assert all(len(one.text) <= MOST + 400 for one in sections)
    assert all(one.title == "Long" for one in sections)
    assert all(one.text.startswith("word") for one in sections[1:])


def test_fences_and_tables_are_not_torn():
    code = "```sh\n" + "# no heading, a comment\n" * 120 + "```\n"
    table = "| a | b |\n|---|---|\n" + "| one cell | another cell |\n" * 90
    sections = split_sections(f"# Head\n\nText.\n\n{code}\nMore.\n\n{table}\nEnd.\n")

    assert [one.text.count("```") % 2 for one in sections] == [0] * len(sections)
    assert len([one for one in sections if "| one cell" in one.text]) == 1
    assert {one.title for one in sections} == {"Head"}


@pytest.mark.parametrize(
    ("opened", "closed"), [("```sh", "```"), ("~~~", "~~~~"), ("````md", "````"), ("```", "```   ")]
)
def test_after_a_fence_headings_count_again(opened, closed):
    text = f"# One\n\n{opened}\n# a comment\n~~ no end\n{closed}\n# Two\n"

    assert [name for _, name in scan_headings(text.split("\n"))[0].values()] == ["One", "Two"]


@pytest.mark.parametrize("line", ["```sh", "~~~", "``", "```` no"])
def test_what_does_not_close_a_fence_leaves_it_open(line):
    assert len(scan_headings(["# One", "````", line, "# Two"])[0]) == 1


def test_a_fence_that_nobody_closes_is_cut_at_last():
    sections = split_sections("```\n" + "code code code\n" * 4000)

    assert len(sections) > 5
    assert max(len(one.text) for one in sections) <= HARD + 20


def test_headings_of_other_markups_count():
    rst = "Guide\n=====\n\n" + "text text.\n" * 100 + "\nPart\n----\n\n" + "text text.\n" * 100
    over = "=====\nGuide\n=====\n\n" + "text text.\n" * 100
    adoc = "= Guide\n\n" + "text text.\n" * 100 + "\n== Part\n\n" + "text text.\n" * 100

    assert [one.title for one in split_sections(rst)] == ["Guide", "Guide › Part"]
    assert [(one.title, one.start) for one in split_sections(over)] == [("Guide", 1)]
    assert [one.title for one in split_sections(adoc)] == ["Guide", "Guide › Part"]


def test_front_matter_names_the_document():
    assert [one.title for one in split_sections('---\ntitle: "Payments"\ntags: x\n---\n## Refunds\n\nText.\n')] == [
        "Payments · Refunds"
    ]
    assert split_sections("---\nno end of it\n\n# Head\n")[0].title == "Head"
