"""What an overlay says of its branch."""

import pytest

from belay.memory.branches import header
from belay.memory.branches.header import OverlayNote

HEADER = "# Project Memory\nLast updated: 2026-03-01 | Session 3 | Branch: feature/tax\n\n## Active Work\n"
TIP, START = "a" * 40, "b" * 64


@pytest.mark.parametrize(
    ("text", "branch"),
    [
        (HEADER, "feature/tax"),
        ("# Branch: feature/tax\n", "feature/tax"),
        ("# Branch Memory: `feature/tax`\n", "feature/tax"),
        ("**Branch:** feature/tax\n", "feature/tax"),
        (header.begin_overlay("feature/tax"), "feature/tax"),
        ("\ufeff" + HEADER.replace("\n", "\r\n"), "feature/tax"),
        ("# Notes\n\n## Active Work\nBranch: other\n", ""),
        ("", ""),
        ("# Branches are many\n", ""),
    ],
)
def test_the_branch_it_names(text, branch):
    assert header.read_branch(text) == branch


@pytest.mark.parametrize("text", [HEADER, "", "\ufeff" + HEADER.replace("\n", "\r\n"), "x"])
def test_a_note_is_put_and_read_and_replaced(text):
    first = header.put_note(text, OverlayNote(TIP, "", ""))
    second = header.put_note(first, OverlayNote(TIP, START, TIP))

    assert header.read_note(text) == OverlayNote()
    assert header.read_note(first) == OverlayNote(TIP, "", "")
    assert header.read_note(second) == OverlayNote(TIP, START, TIP)
    assert len(second.splitlines()) == len(text.splitlines()) + 1
    assert second.removeprefix("\ufeff").split("-->", 1)[1].strip() == text.removeprefix("\ufeff").strip()
    assert header.read_branch(second) == header.read_branch(text)


def test_a_forged_note_says_nothing():
    assert header.read_note("<!-- belay: overlay tip --upload-pack=x start - patch - -->\n") == OverlayNote()
