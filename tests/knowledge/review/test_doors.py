"""From a prompt to knowledge: hooks write the journal, the consolidator makes entries of what may be one."""

import os

import doors
from commandline import answer
from sayings import session, settle

from belay.client import tool_results
from belay.knowledge.entries import entries, standards
from belay.knowledge.store.store import Store

REMEMBER = "Remember this: the gateway rounds half up in file.txt."
DECIDED = "Let's go with SQLite for the storage of all orders."


def ended(repo, project, name):
    doors.said(doors.run("session_end", repo, session=name, reason="other"))
    settle(project)


def test_what_is_asked_for_or_turned_down_is_known_and_the_rest_waits(repo, project):
    doors.said(doors.run("session_start", repo, source="startup"))
    doors.said(doors.run("user_prompt_submit", repo, prompt=REMEMBER, prompt_id="p-1"))
    doors.said(doors.run("user_prompt_submit", repo, prompt=DECIDED, prompt_id="p-2"))
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(repo / "file.txt"), "old_string": "a"}}
    doors.said(doors.run("pre_tool_use", repo, tool_use_id="toolu_1", **edit))
    refused = f"{tool_results._REJECTED} {tool_results._FEEDBACK} Never edit file.txt by hand"
    call = {**edit, "tool_use_id": "toolu_1", "tool_response": refused}
    doors.said(doors.run("post_tool_batch", repo, tool_calls=[call]))
    ended(repo, project, doors.SESSION)

    with Store(project.workshop, os.environ) as store:
        found = {one.type: one for one in entries.list_entries(store.connection)}
        (rule,) = standards.list_standards(store.connection)
    assert {one.type: one.status for one in found.values()} == {
        "note": "active",
        "antipattern": "active",
        "decision": "heard",
    }
    assert (found["note"].content, found["note"].files) == (
        "The gateway rounds half up in file.txt.",
        ("file.txt",),
    )
    assert found["note"].commit
    assert (rule.rule, rule.files) == ("Never edit file.txt by hand", ("file.txt",))
    assert rule.what_happened.endswith("a call was turned down (Edit file.txt)")
    (waits,) = answer(repo, "review")["waiting"]
    assert waits["class"] == "decision"

    other = "22222222-2222-4333-8444-555555555555"
    doors.said(doors.run("session_start", repo, session=other, source="startup"))
    doors.said(doors.run("user_prompt_submit", repo, session=other, prompt=DECIDED, prompt_id="p-3"))
    ended(repo, project, other)
    with Store(project.workshop, os.environ) as store:
        (decision,) = entries.list_entries(store.connection, ["decision"])
    assert (decision.content, decision.status, decision.seen) == (DECIDED, "active", 2)
    assert answer(repo, "review")["waiting"] == []
    assert doors.log() == ""


def test_a_reason_given_to_remember_reaches_the_entry(repo, project):
    answer(repo, "remember", "--as", "decision", "Zod for validation", "--reason", "it infers types")
    settle(project)

    with Store(project.workshop, os.environ) as store:
        (entry,) = entries.list_entries(store.connection)
    assert (entry.type, entry.content, entry.reasoning) == (
        "decision",
        "Zod for validation",
        "it infers types",
    )


def test_a_start_says_nothing_of_what_may_be_judged(repo, project):
    texts = ("drop the cache", "port 5433 it is", "tabs in Go", "no mail on Mondays", "ship in March")
    session(project, "s-1", *(("decision", text) for text in texts))
    settle(project)

    told = doors.said(doors.run("session_start", repo, source="startup", session="s-3"))
    assert "review" not in "\n".join(told)
    assert len(answer(repo, "review")["waiting"]) == 5
