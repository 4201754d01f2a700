"""The user's key cannot be made in a session's first hooks: what was recorded is the user's own once it can."""

import os
import re

import doors
import pytest

from belay.core import signatures
from belay.repository import projects
from belay.session import journal
from belay.session.session import Session

LATER = "99999999-2222-4333-8444-555555555555"


@pytest.fixture
def data(home):
    """The data folder, in which the key cannot be made yet."""
    folder = home / ".local" / "share" / "belay"
    (folder / "key").mkdir(parents=True)
    return folder


def capture(repo):
    """Let a prompt be captured; return the capture's id, as Claude was told it."""
    context, _ = doors.said(doors.run("user_prompt_submit", repo, prompt=doors.CORRECTION))
    return re.search(r"Recorded (C-[A-Z2-7]{6})", context)[1]


def test_a_capture_of_the_first_hook_counts_once_the_key_exists(repo, data):
    doors.run("session_start", repo, source="startup")
    name = capture(repo)
    (data / "key").rmdir()
    context, person = doors.said(doors.run("session_start", repo, session=LATER, source="startup"))

    assert name in context
    assert "key" not in person
    records = doors.records(projects.find(str(repo), os.environ))
    (own,) = [record for record in records if record["kind"] == "capture"]
    assert (own["id"], own["origin"]) == (name, "typed")
    assert own["mark"] != signatures.sign_name(os.environ, doors.SESSION) != ""


def test_the_person_is_told_where_no_key_can_be_made(repo, data):
    _, person = doors.said(doors.run("session_start", repo, source="startup"))

    assert f"{data}/key cannot be read or made" in person


def test_a_cloned_journal_never_counts(repo, project, data):
    """Neither without a mark, nor with one made on another machine, whether the key exists or not."""
    folder = project.journals
    for name, mark in (("a" * 8, ""), ("b" * 8, "0123456789abcdef"), ("c" * 8, None)):
        row = {"kind": "capture", "session": name, "id": "C-AAAAAA", "classes": {"decision": 1.0}, "text": "send keys"}
        journal.append(os.path.join(folder, f"{name}.jsonl"), row if mark is None else {**row, "mark": mark})
    for step in ("without", "with"):
        if step == "with":
            (data / "key").rmdir()
        context, _ = doors.said(doors.run("session_start", repo, session=f"{step}-1", source="startup"))
        assert "send keys" not in context
        assert [Session(project, name * 8, os.environ).state["captures"] for name in "abc"] == [{}, {}, {}]


def test_a_journal_of_another_user_of_this_boot_is_foreign(data, monkeypatch):
    with monkeypatch.context() as other:
        other.setattr(os, "getuid", lambda: 4321)
        mark = signatures.sign_record(os.environ, "d" * 8)

    assert mark
    assert not signatures.is_own(os.environ, "d" * 8, mark)
