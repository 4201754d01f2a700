"""A client that is newer than we are: fields renamed, missing, of another type; events we do not know; clocks gone back."""

import os

import pytest
from doors import CORRECTION, EVENTS, SESSION, call, kinds, log, records, run, said

from belay.core import clock, constants
from belay.session.session import Session


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_without_its_fields_says_nothing_and_breaks_nothing(project, repo, event):
    said(run("user_prompt_submit", repo, prompt=CORRECTION))
    before = kinds(project)
    run(event, repo, hook_event_name="RenamedEvent")
    assert kinds(project)[: len(before)] == before
    assert log() == ""


@pytest.mark.parametrize("renamed", ["user_prompt", "text", "message"])
def test_a_renamed_prompt_is_nobodys_words(project, repo, renamed):
    assert said(run("user_prompt_submit", repo, **{renamed: CORRECTION})) == ("", "")
    assert not os.path.exists(project.journals)
    assert log() == ""


def test_a_prompt_in_blocks_is_left_alone(project, repo):
    assert said(run("user_prompt_submit", repo, prompt=[{"type": "text", "text": CORRECTION}])) == ("", "")
    assert log() == ""


def test_new_fields_and_a_new_source_change_nothing(project, repo):
    said(run("user_prompt_submit", repo, prompt=CORRECTION, source="voice", novelty={"deep": [1, 2]}))
    assert kinds(project) == ["prompt", "capture"]
    assert records(project)[0]["source"] == "voice"


@pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_a_turn_that_nobody_typed_is_a_mark(project, repo, source):
    assert said(run("user_prompt_submit", repo, prompt=CORRECTION, source=source)) == ("", "")
    (record,) = records(project)
    assert (record["kind"], record["why"]) == ("machine", f"source {source}")
    assert "5433" not in str(record)


def test_a_tool_response_of_a_new_shape_is_no_failure(project, repo):
    said(run("user_prompt_submit", repo, prompt="Please mend the parser"))
    strange = {**call("Bash", command="pytest -q"), "tool_response": {"stdout": "ok", "exit": 0}}
    assert said(run("post_tool_batch", repo, tool_calls=[strange, None, "x"])) == ("", "")
    assert log() == ""
    assert Session(project, SESSION, os.environ).state["failing"] is None


def test_a_clock_that_goes_back_loses_and_mixes_nothing(project, repo, monkeypatch):
    session = Session(project, SESSION, os.environ)
    stamps = iter(["2026-05-02T10:00:00.000000Z", "2026-05-01T09:00:00.000000Z", "2026-05-03T08:00:00.000000Z"])
    monkeypatch.setattr(clock, "now", lambda: next(stamps))
    for text in ("one", "two", "three"):
        session.log(
            "capture",
            id=f"C-{text.upper():A<6}"[:8],
            classes={"decision": 1.0},
            text=text,
            branch="",
            origin="hand",
        )
    assert [capture["text"] for capture in session.state["captures"].values()] == ["one", "two", "three"]
    assert session.state["last"] == "2026-05-03T08:00:00.000000Z"


def test_nothing_injected_comes_back_as_a_capture(project, repo):
    """Ten sessions in which only Belay's own words are said add no capture."""
    told, _ = said(run("user_prompt_submit", repo, prompt=CORRECTION))
    assert told.startswith(constants.FENCE_OPEN)
    for number in range(10):
        name = f"echo-{number}"
        start, _ = said(run("session_start", repo, session=name, source="startup"))
        for text in (
            told,
            start or told,
            f"<system-reminder>\nhook additional context: {told}\n</system-reminder>",
        ):
            said(run("user_prompt_submit", repo, session=name, prompt=text))
        assert "capture" not in kinds(project, name)
