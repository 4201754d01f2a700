"""What a README says first, whatever its markup."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.repository.survey import prose

PAGES = {
    "plain": ("# Kite\n\nKite keeps the time. And more.\n", "Kite keeps the time.", 3),
    "badges": (
        "# Kite\n\n[![build](https://e.org/b.svg)](https://e.org) ![x](y.png)\n\nKite is a clock for ships.\n",
        "Kite is a clock for ships.",
        5,
    ),
    "html": (
        '<p align="center"><img src="a.png"></p>\n<h1>Kite</h1>\n<div>\n<h3>A quiet clock for big ships.</h3>\n</div>\n\nIt runs.\n',
        "A quiet clock for big ships.",
        None,
    ),
    "links": (
        "[English](a.md) | [Deutsch](b.md) | [Français](c.md)\n\nKite is a [clock](https://e.org) for **ships**.\n",
        "Kite is a clock for ships.",
        3,
    ),
    "rst": (
        "Kite\n====\n\n.. image:: a.png\n   :target: https://e.org\n\nKite is a `clock <https://e.org>`_ for ships.\n",
        "Kite is a clock for ships.",
        7,
    ),
    "comment": ("<!-- a\nb -->\n---\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 5),
    "front matter": ("---\ntitle: x\n---\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 5),
    "note": ("> Warning, very old.\n\n**Note: read this.**\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 5),
    "list": ("# Kite\n- one item of a list\n- two\n\nKite supports:\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 7),
    "code": ("```sh\nmake this and that now\n```\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 5),
    "short words": ("Kite (e.g. a clock) is for ships. Yes.\n", "Kite (e.g. a clock) is for ships.", 1),
    "overview": ("# K\n\nSome opening words come first.\n\n## Overview\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 7),
    "guidance": ("This file provides guidance to Claude Code when working here.\n\nKite tells the time at sea.\n", "Kite tells the time at sea.", 3),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_the_first_sentence_that_tells_what_a_project_is(name):
    text, sentence, line = PAGES[name]
    found, at = prose.first_sentence(text)

    assert found == sentence
    assert line in (None, at)


@pytest.mark.parametrize("text", ["", "# Only\n## Headings\n", "![a](b)\n", "one two\n", "| a | b |\n|---|---|\n"])
def test_no_sentence_where_there_is_none(text):
    assert prose.first_sentence(text) == ("", 0)


@given(st.text(alphabet="#-*`<>![]()=|~.: \n\tabcA1_é", max_size=400))
def test_any_text_has_blocks_in_the_order_of_their_lines(text):
    lines = [block.line for block in prose.blocks(text)]

    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 3 + text.lower().count("<h") * 2 for line in lines)


def test_commands_below_a_heading_are_those_that_are_typed():
    text = "## Install\n\n```console\n$ make setup\nsome output\n$ make run\n```\n## Other\n```\nrm x\n```\n"

    assert prose.commands(text, re.compile("install", re.I)) == [("make setup", 4), ("make run", 6)]
