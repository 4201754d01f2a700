"""Replies that mean something only after Claude's question: kept with it, or not at all."""

import os

import pytest
from doors import SESSION, call, records, run, said

from belay.session.session import Session
from belay.session.work.steps import find_work

QUESTION = (
    "Two ways to store the events:\n\n1. SQLite, one file beside the app\n2. Postgres, a server to run\n\n"
    "Which one would you like?"
)
REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"
NOTE = (
    "\n\nNote: The user's next message may contain a correction or preference. Pay close attention — if they explain "
    "what went wrong or how they'd prefer you to work, consider saving that to memory for future sessions."
)
CLARIFY = (
    "The user wants to clarify these questions.\n    This means they may have additional information, context or "
    "questions for you.\n    Take their response into account and then reformulate the questions if appropriate.\n    "
    'Start by asking them what they would like to clarify.\n\n    Questions asked:\n- "Which store?"\n  (No answer provided)'
)


def prompt(repo, text):
    return run("user_prompt_submit", repo, prompt=text, prompt_id="p-1")


def captured(project):
    return [row["text"] for row in records(project) if row["kind"] == "capture"]


@pytest.fixture
def asked(project, repo):
    """A session in which Claude asked which of two stores to take."""
    said(prompt(repo, "Add a store for the events in events.py"))
    said(run("stop", repo, last_assistant_message=QUESTION))
    return project


@pytest.mark.parametrize("reply", ["1", "option 1", "let's do 1", "1 looks great"])
def test_a_choice_is_kept_with_its_question(asked, repo, reply):
    said(prompt(repo, reply))

    assert captured(asked) == ["Which one would you like? → SQLite, one file beside the app"]


def test_a_reply_in_words_is_kept_with_its_question(project, repo):
    said(prompt(repo, "Add a banner to the page in banner.html"))
    said(run("stop", repo, last_assistant_message="Done so far. Should I put it above the header?"))
    said(prompt(repo, "yes, at the top"))

    assert captured(project) == ["Should I put it above the header? → yes, at the top"]


@pytest.mark.parametrize("reply", ["yes", "continue", "ok go ahead", "thanks!", "3", "next"])
def test_navigation_is_no_capture(asked, repo, reply):
    said(prompt(repo, reply))

    assert captured(asked) == []


def test_a_choice_without_a_question_is_no_capture(project, repo):
    said(prompt(repo, "option 2"))

    assert captured(project) == []


def test_a_plan_that_is_handed_over_is_not_classified(project, repo):
    plan = (
        "Implement the following plan:\n\n# Store events\n\nWe always use SQLite, never Postgres. Don't add a server."
    )
    said(prompt(repo, plan))

    assert captured(project) == []


@pytest.mark.parametrize(
    ("feedback", "kept"),
    [
        ("use tabs in this file" + NOTE, ["use tabs in this file"]),
        (CLARIFY, []),
        (CLARIFY + "\n  User notes: only files that users uploaded" + NOTE, ["only files that users uploaded"]),
    ],
)
def test_the_clients_own_words_are_cut_from_a_rejection(project, repo, feedback, kept):
    said(prompt(repo, "Write the notes into notes.md"))
    said(run("post_tool_batch", repo, tool_calls=[call("Write", REJECTED + feedback, file_path="notes.md")]))

    assert captured(project) == kept


@pytest.mark.parametrize(
    "text",
    [
        "I got this feedback:\n\nWe should always validate ids, never cast them directly.",
        "got this feedback: the cache must never be shared between users",
        "A coworker said: always use tabs in Makefiles, not spaces.",
        "these are the lines\n\n12 + always use tabs, never spaces",
        "Look at this:\n[lint] $ tools/lint\nalways use tabs, never spaces",
    ],
)
def test_somebody_elses_words_are_no_capture(project, repo, text):
    said(prompt(repo, text))

    assert captured(project) == []


def test_what_the_person_says_before_a_quotation_is_kept(project, repo):
    said(prompt(repo, "No, use port 5433, not 5432.\nA coworker said: never open ports."))

    assert captured(project) == ["No, use port 5433, not 5432."]


def test_what_the_person_says_behind_a_quotation_is_kept(project, repo):
    said(prompt(repo, "A coworker said: never open ports.\n\nAlways ask me about ports."))
    said(prompt(repo, "I got this feedback:\n\nNever open ports.\n\nPlease always ask me about hosts."))

    assert captured(project) == ["Always ask me about ports.", "Please always ask me about hosts."]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Done for now.", "/wrap-up saves the session"),
        ("Pick up where we left off.", "Add a store for the events"),
        ("Where we left off?", "Add a store for the events"),
    ],
)
def test_a_short_prompt_may_still_ask_belay_for_something(asked, repo, text, answer):
    assert answer in said(prompt(repo, text))[0]
    assert captured(asked) == []


def test_a_plan_is_only_what_the_planner_puts_up(asked, repo):
    tool = {"tool_name": "mcp__billing__subscribe", "tool_input": {"plan": "# Gold"}, "tool_use_id": "toolu_1"}
    said(run("pre_tool_use", repo, **tool))

    assert not [row for row in records(asked) if row["kind"] == "plan"]
    assert [row["tool"] for row in records(asked) if row["kind"] == "intent"] == ["mcp__billing__subscribe"]


def test_a_yes_to_ones_own_proposal_is_kept_with_it(project, repo):
    said(prompt(repo, "Couldn't we keep the totals in one table?"))
    said(run("stop", repo, last_assistant_message="Yes, one table is enough, both pages read the same totals."))
    said(prompt(repo, "ok, let's do this"))

    assert captured(project) == ["Agreed: Couldn't we keep the totals in one table?"]


def test_a_yes_after_doubts_agrees_to_what_claude_offers(project, repo):
    said(prompt(repo, "Couldn't we keep the totals in one table?"))
    said(run("stop", repo, last_assistant_message="We can't, the pages differ. A view would do. Want me to add it?"))
    said(prompt(repo, "yes, add it"))
    assert captured(project) == []  # the offer is too short to say what it is

    said(prompt(repo, "Couldn't we keep the totals in one table?"))
    told = "We can't, the pages differ. One view over both tables would do. Want me to add it?"
    said(run("stop", repo, last_assistant_message=told))
    said(prompt(repo, "yes, add it"))
    kept = "Couldn't we keep the totals in one table? → One view over both tables would do."
    assert captured(project) == [kept]


def test_numbered_answers_are_kept_with_their_questions(project, repo):
    asked = "Before I start:\n\n1. Which tests should run?\n2. Should old rows be kept?\n\nTell me your choices."
    said(prompt(repo, "Write the import of the price lists"))
    said(run("stop", repo, last_assistant_message=asked))
    said(prompt(repo, "1. always the slow ones too\n2. no, never keep them"))

    assert "Should old rows be kept? → no, never keep them" in captured(project)


def test_a_capture_names_what_it_points_at(project, repo):
    said(prompt(repo, "Make uploads survive a dropped connection"))
    said(run("stop", repo, last_assistant_message="Uploads work: I added the retry helper in lib/net.py."))
    said(prompt(repo, "let's always use it here too"))

    assert captured(project) == ["let's always use it here too [the retry helper in lib/net.py]"]


def test_a_cleared_up_question_is_no_correction(project, repo):
    said(prompt(repo, "is anything wrong with the columns?"))
    said(run("stop", repo, last_assistant_message="No, all columns are there."))
    said(prompt(repo, "no I mean the types of the columns"))

    assert captured(project) == []


def test_words_behind_a_slash_command_are_classified(project, repo):
    said(prompt(repo, "/tickets:new Write down the naming rules. From now on use snake_case for columns."))
    said(prompt(repo, "/rename from now on use camelCase for columns"))
    said(prompt(repo, "/belay:evolve from now on use camelCase for columns"))
    said(prompt(repo, "/belay:execute-task Refund partial payments. From now on keep amounts in cents."))

    assert captured(project) == [
        "From now on use snake_case for columns.",
        "From now on keep amounts in cents.",
    ]
    assert find_work(Session(project, SESSION, os.environ).state).task.startswith("Refund partial payments")


def test_a_short_choice_is_kept_with_its_description(project, repo):
    options = [{"label": "Both", "description": "In the menu and in the toolbar."}, {"label": "Menu"}]
    given = {"questions": [{"question": "Where does Share go?", "options": options}]}
    answer = 'Your questions have been answered: "Where does Share go?"="Both". You can now continue.'
    said(prompt(repo, "Add a share action"))
    said(run("post_tool_batch", repo, tool_calls=[call("AskUserQuestion", answer, **given)]))

    assert captured(project) == ["Where does Share go? → Both (In the menu and in the toolbar)"]


def test_a_new_name_is_captured_and_stays_the_task(project, repo):
    said(prompt(repo, "Write the import of the price lists"))
    said(run("stop", repo, last_assistant_message="The import reads all lists."))
    said(prompt(repo, "can you change the module name from acme/lamp to acme/lantern?"))

    assert captured(project) == ["Change the module name from acme/lamp to acme/lantern"]
    said(prompt(repo, "Replace the fixed name in the usage with config.name"))
    assert find_work(Session(project, SESSION, os.environ).state).task.startswith("Replace the fixed name")
