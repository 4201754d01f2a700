"""What stood around a capture: the turn before it, in a sentence."""

import os

import pytest

from belay.knowledge.review import context
from belay.knowledge.review.capture_list import CapturedText
from belay.session.session import Session

DAY = "2026-03-05"


def around(project, *records, origin="typed", text="No, use tabs.", file=""):
    """Log a first turn of records, a second prompt and a capture; return what stood around it."""
    session = Session(project, "s-1", os.environ)
    session.log("start", **session.place())
    session.log("prompt", task="work", **session.place())
    for kind, fields in records:
        session.log(kind, **fields)
    if origin != "rejected":
        session.log("prompt", **session.place())
    session.log("capture", id="C-AAAAAA", classes={"correction": 1.0}, text=text, origin=origin)
    session.log("edit", files=[{"path": "later.txt", "line": 1}])
    one = CapturedText("C-AAAAAA", "s-1", DAY + "T12:00:00.000000Z", {"correction": 1.0}, text, origin, "main", file)
    return context.load_context(context.Journals(project, os.environ), one)


def edit(*paths):
    return "edit", {"files": [{"path": path, "line": 1} for path in paths]}


def said(text):
    return "said", {"text": text}


@pytest.mark.parametrize(
    ("records", "happened"),
    [
        ([], "corrected"),
        ([edit("a.py")], "corrected after edits of a.py"),
        ([said("Tabs it is.")], "corrected; Claude had said: Tabs it is."),
        (
            [said("First."), edit("a.py"), said("Last.")],
            "corrected after edits of a.py; Claude had said: Last.",
        ),
        ([edit("a.py", "b.py"), edit("a.py")], "corrected after edits of a.py, b.py"),
        ([edit("a.py", "b.py", "c.py", "d.py")], "corrected after edits of b.py, c.py, d.py"),
    ],
)
def test_a_correction_names_the_turn_before(project, records, happened):
    assert around(project, *records).happened == f"{DAY}: {happened}"


@pytest.mark.parametrize(
    ("records", "happened", "at_work"),
    [
        ([], "a call was turned down", ()),
        ([("intent", {"tool": "Edit", "file": "a.py"})], "a call was turned down (Edit a.py)", ("a.py",)),
        ([("intent", {"tool": "Bash", "command": "make"})], "a call was turned down (Bash make)", ()),
        ([("intent", {"tool": "Task"})], "a call was turned down (Task)", ()),
        (
            [("intent", {"tool": "Edit", "file": "a.py"}), ("intent", {"tool": "Write", "file": "b.py"})],
            "a call was turned down (Write b.py)",
            ("b.py",),
        ),
    ],
)
def test_a_refusal_names_the_last_call_of_its_own_turn(project, records, happened, at_work):
    found = around(project, *records, origin="rejected")

    assert (found.happened, found.at_work) == (f"{DAY}: {happened}", at_work)


def test_the_commit_is_that_of_the_prompt_and_named_files_are_those_of_the_project(project):
    found = around(project, text="file.txt needs tabs", file="kept.txt")

    assert found.commit == Session(project, "s-1", os.environ).place()["head"]
    assert found.named == ("kept.txt", "file.txt")


def test_a_folder_is_named_with_its_slash_and_an_edited_file_by_its_whole_path(project):
    os.makedirs(project.at("src/api"))
    found = around(project, edit("lib/pay.py"), edit("lib/api"), text="./src/api/ uses pay.py, no api")

    assert found.named == ("src/api/", "lib/pay.py")


def test_where_the_journal_is_gone_little_is_known(project):
    one = CapturedText("C-AAAAAA", "gone", DAY + "T12:00:00.000000Z", {}, "x", "typed")

    assert context.load_context(context.Journals(project, os.environ), one) == (
        "",
        (),
        (),
        f"{DAY}: corrected",
        "",
    )
