"""A continuation whose work is done has its last words in the archive: what it ordered is not ordered again."""

import os

import pytest

from belay.session import continuation_files
from belay.session.session import Session

NAME = "5e551011-aaaa-bbbb-cccc-000000000002"


@pytest.fixture
def session(project):
    session = Session(project, NAME, os.environ)
    session.log("start", **session.place())
    session.log(
        "prompt", asks="work", task="Add refund() to pay.py", request="add refund() to pay.py", **session.place()
    )
    return session


def answer(session):
    empty = {"declared": "", "kind": "", "question": "", "steps": [], "announced": "", "options": []}
    session.log("said", text="refund() is there.", answer=empty)


def archived(session):
    return [note.text for note in continuation_files.list_archived(session.project, os.environ)]


def test_open_work_waits_and_done_work_does_not(session):
    assert continuation_files.refresh(session, always=False) == ""
    waiting = continuation_files.find_waiting(session.project)
    assert "Finish the last request: “add refund() to pay.py”" in waiting.text

    answer(session)
    assert continuation_files.refresh(session, always=False) == "nothing is open"
    assert continuation_files.find_waiting(session.project) is None
    (text,) = archived(session)
    assert "Add refund() to pay.py" in text
    assert "Finish the last request" not in text
    assert "Nothing is open" in text


def test_what_was_delivered_after_a_compaction_gets_the_last_words_too(session):
    continuation_files.refresh(session, always=False)
    continuation_files.deliver(session, continuation_files.find_waiting(session.project), "compaction")
    continuation_files.refresh(session, always=False)
    answer(session)
    continuation_files.refresh(session, always=False)

    assert not [text for text in archived(session) if "Finish the last request" in text]


def test_what_another_session_left_is_not_touched(session, project):
    continuation_files.refresh(session, always=False)
    other = Session(project, NAME[:-1] + "3", os.environ)
    other.log("start", **other.place())
    other.log("prompt", asks="question", request="what does pay.py do?", **other.place())
    answer(other)
    continuation_files.refresh(other, always=False)

    assert continuation_files.find_waiting(project).session == NAME
