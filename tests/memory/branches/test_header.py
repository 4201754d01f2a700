"""What an overlay says of its branch."""

import pytest

from belay.memory.branches import header
from belay.memory.branches.header import Note

HEADER = "# Project Memory\nLast updated: 2026-03-01 | Session 3 | Branch: feature/tax\n\n## Active Work\n"
TIP, START = "a" * 40, "b" * 64


@pytest.mark.parametrize(
    ("text", "branch"),
    [
        (HEADER, "feature/tax"),
        ("# Branch: feature/tax\n", "feature/tax"),
        ("# Branch Memory: `feature/tax`\n", "feature/tax"),
        ("**Branch:** feature/tax\n", "feature/tax"),
        (header.begun("feature/tax"), "feature/tax"),
        ("\ufeff" + HEADER.replace("\n", "\r\n"), "feature/tax"),
        ("# Notes\n\n## Active Work\nBranch: other\n", ""),
        ("", ""),
        ("# Branches are many\n", ""),
    ],
)
def test_the_branch_it_names(text, branch):
    assert header.branch(text) == branch


@pytest.mark.parametrize("text", [HEADER, "", "\ufeff" + HEADER.replace("\n", "\r\n"), "x"])
def test_a_note_is_put_and_read_and_replaced(text):
    first = header.put(text, Note(TIP, "", ""))
    second = header.put(first, Note(TIP, START, TIP))

    assert header.read(text) == Note()
    assert header.read(first) == Note(TIP, "", "")
    assert header.read(second) == Note(TIP, START, TIP)
    assert len(second.splitlines()) == len(text.splitlines()) + 1
    assert second.removeprefix("\ufeff").split("-->", 1)[1].strip() == text.removeprefix("\ufeff").strip()
    assert header.branch(second) == header.branch(text)


def test_a_forged_note_says_nothing():
    assert header.read("<!-- belay: overlay tip --upload-pack=x start - patch - -->\n") == Note()
