"""Of source files, comments and docstrings are indexed, each on its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.knowledge.documents import comments, file_kinds, sections

PYTHON = '''#!/usr/bin/env python
"""Payments: what the ledger needs."""

import os  # noqa: F401


class Refund:
    """One refund.

    Never rounded.
    """

    def amount(self):
        """Return cents."""
        # The gateway sends strings.
        text = "# no comment"
        return int(text)  # cents
'''
GO = """package pay

// Refund goes back
// through the ledger.
func Refund() {
\turl := "https://example.org" // trailing is code's line
\t/* one line */
\t/*
\t * Several lines
\t * of a block.
\t */
}
"""


def by_line(text, style):
    return {at: line for at, line in enumerate(comments.extract_comments(text, style).split("\n"), 1) if line}


def test_python_is_read_by_its_own_parser():
    assert by_line(PYTHON, "python") == {
        2: "Payments: what the ledger needs.",
        7: "## Refund",
        8: "One refund.",
        10: "Never rounded.",
        13: "## amount",
        14: "Return cents.",
        15: "The gateway sends strings.",
        17: "cents",
    }


def test_python_that_does_not_parse_still_has_its_comments():
    assert by_line("def broken(:\n    # but told\n", "python") == {2: "but told"}


def test_python_that_would_be_warned_of_is_read_in_silence():
    assert by_line('"""Doc."""\nx = "\\d"\n', "python") == {1: "Doc."}


def test_lines_and_blocks_of_other_languages():
    assert by_line(GO, "c") == {
        3: "Refund goes back",
        4: "through the ledger.",
        7: "one line",
        9: "Several lines",
        10: "of a block.",
    }
    assert by_line("#!/bin/sh\n# Say it.\necho # not whole\n", "hash") == {2: "Say it."}
    assert by_line("-- Sum of all\nSELECT 1; \n/* old\nway */\n", "dash") == {
        1: "Sum of all",
        3: "old",
        4: "way",
    }


@given(st.text(), st.sampled_from(sorted({*file_kinds.CODE.values()})))
def test_every_line_stays_at_its_place(text, style):
    assert comments.extract_comments(text, style).count("\n") == text.count("\n")


@pytest.mark.parametrize("style", sorted({*file_kinds.CODE.values()}))
def test_code_without_comments_has_no_section(style):
    assert sections.split_sections(comments.extract_comments("x = 1\ny = 2\n", style)) == []
