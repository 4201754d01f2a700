"""Tier 2 on demand: what a prompt names and what an edited file is about, each row once a session."""

import os
import time
from pathlib import Path

import pytest
import story
from doors import log, records, run, said

from belay.context.recall import memory_index, prompt_words, recall
from belay.core import clock
from belay.core.constants import RECALL_TOKENS
from belay.core.text import tokens
from belay.repository import projects
from belay.session.session import Session

PRISMA = "Prisma over Drizzle (type inference; `src/db.js`)"
TAX = "Known issue: Checkout shows the wrong tax in Norway, `src/checkout.js`"


@pytest.fixture
def shop(tmp_path):
    story.environment(os.environ)
    folder = Path(story.tell(tmp_path / "shop"))
    said(run("user_prompt_submit", folder, prompt="hello there"))
    said(run("session_start", folder, source="startup"))
    return folder


def asked(shop, text):
    return said(run("user_prompt_submit", shop, prompt=text))[0]


def edited(shop, path, tool="Edit", **fields):
    given = {"file_path": str(shop / path), "old_string": "a", "new_string": "b"}
    return said(run("pre_tool_use", shop, tool_name=tool, tool_input=given, tool_use_id="t1", **fields))[0]


def test_a_prompt_that_names_a_decision_brings_it_once(shop):
    told = asked(shop, "The prisma client fails on start")
    assert PRISMA in told
    assert "cents" not in told
    assert tokens.count(told) <= RECALL_TOKENS
    assert asked(shop, "The prisma client fails on start") == ""
    assert log() == ""


def test_an_ordinary_prompt_brings_nothing(shop):
    assert asked(shop, "please show me the list of open files") == ""
    assert asked(shop, "write a test for it and run it") == ""


def test_two_ordinary_words_of_a_row_are_needed(shop):
    assert asked(shop, "what about rounding here") == ""
    assert "Prices in cents" in asked(shop, "there are rounding errors here")


def test_a_prompt_that_names_a_file_brings_what_is_known_of_it(shop):
    told = asked(shop, "look at checkout.js again")
    assert TAX in told


def test_a_section_is_asked_for_by_its_name(shop):
    assert "The cart lives in the session" in asked(shop, "explain the architecture to me")
    told = asked(shop, "what did we decide so far?")
    assert PRISMA in told
    assert "Prices in cents" in told


def with_tier_three(shop):
    """Add what tier 3 holds, and start a session with it."""
    rows = "".join(f"| {at} | 2026-03-0{at} | work of day {at} |\n" for at in range(1, 9))
    log = f"\n## Session Log\n| Session | Date | Summary |\n|---|---|---|\n{rows}"
    text = (shop / "MEMORY.md").read_text() + log + "\n## External Context\n- Payments by the shop's Stripe account\n"
    (shop / "MEMORY.md").write_text(text)
    said(run("session_start", shop, source="startup"))


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What did we do in the last sessions?", "Session 8 (2026-03-08): work of day 8"),
        ("which known issues are there", "Known issue: Checkout shows the wrong tax"),
        ("What are the key files here?", "File: "),
        ("Which external services does it use?", "External: Payments by the shop's Stripe account"),
    ],
)
def test_a_section_of_tier_three_is_asked_for_in_two_words(shop, question, row):
    with_tier_three(shop)

    told = asked(shop, question)

    assert row in told
    assert tokens.count(told) <= RECALL_TOKENS


def test_the_last_sessions_come_newest_first(shop):
    with_tier_three(shop)
    told = asked(shop, "what happened in the last sessions?").split("\n")

    assert [line[:9] for line in told if line.startswith("Session ")] == [f"Session {at}" for at in (8, 7, 6, 5, 4, 3)]


@pytest.mark.parametrize(
    "prompt",
    [
        "Add the key file of the TLS certificate",
        "the last session broke it, mend it",
        "call the external service",
    ],
)
def test_what_asks_for_nothing_brings_no_section(shop, prompt):
    with_tier_three(shop)
    told = asked(shop, prompt)

    assert not any(line.startswith(("Session ", "File: ", "External: ")) for line in told.split("\n"))


def test_a_prompt_about_style_brings_the_preferences(shop):
    assert "Preference: Small commits, tests first." in asked(shop, "which conventions do we follow here")


@pytest.mark.parametrize(
    "text", ["what about the indentation of main.py?", "how do I prefer my tests?", "split it in small commits"]
)
def test_words_about_style_and_process_are_many(shop, text):
    assert "Preference: Small commits, tests first." in asked(shop, text)


@pytest.mark.parametrize("text", ["fix the indentation of main.py", "commit this", "format the date in the header"])
def test_one_word_about_style_is_not_enough_for_a_task(shop, text):
    assert "Preference" not in asked(shop, text)


def test_an_edit_brings_what_the_memory_says_of_the_file_once(shop):
    assert PRISMA in edited(shop, "src/db.js")
    assert edited(shop, "src/db.js") == ""
    assert edited(shop, "src/unknown.js") == ""
    assert [record["kind"] for record in records(projects.find(str(shop), os.environ))].count("recalled") == 1


def test_a_subagents_edit_takes_no_row_from_the_session(shop):
    assert edited(shop, "src/db.js", agent_id="a1", agent_type="general-purpose") == ""
    assert PRISMA in edited(shop, "src/db.js")


def test_after_a_compaction_a_row_may_be_told_again(shop):
    assert PRISMA in asked(shop, "why prisma?")
    said(run("session_start", shop, source="compact"))
    assert PRISMA in asked(shop, "why prisma?")


def test_a_row_that_left_the_file_is_not_told(shop):
    memory = shop / "MEMORY.md"
    memory.write_text(memory.read_text().replace("Prisma over Drizzle", "Drizzle over Prisma"))
    assert asked(shop, "why prisma?") == ""
    assert TAX in asked(shop, "look at checkout.js")


def test_an_index_that_came_with_a_clone_is_not_believed(shop, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another-user"))
    assert asked(shop, "why prisma?") == ""


def test_words_are_found_in_whatever_form():
    assert recall.split_words("The `Decisions`, (refunds) it's: src/db.js!") == [
        "the",
        "decision",
        "refund",
        "it",
        "src/db.js",
    ]


def test_what_stands_in_many_rows_tells_none_of_them():
    rows = [{"line": n, "date": "", "decision": f"Use Shared thing {n}", "reason": "", "affects": ""} for n in range(9)]
    table, kept = memory_index.build_index({"decisions": rows, "refs": []})
    assert "shared" not in table["names"]
    assert len(table["names"]["decision"]) == memory_index.GROUP
    assert len(kept) == 9


def test_a_name_that_prompts_say_often_recalls_no_row(shop):
    project = projects.find(str(shop), os.environ)
    assert PRISMA in asked(shop, "The prisma client fails on start")
    for number in range(25):
        said(run("user_prompt_submit", shop, prompt=f"go on with prisma step {number}", session="s-2"))
    prompt_words.count_as_step(project, os.environ, [Session(project, "s-2", os.environ)])
    said(run("session_start", shop, source="startup", session="s-3"))
    assert said(run("user_prompt_submit", shop, prompt="The prisma client fails on start", session="s-3"))[0] == ""


def test_a_folder_above_counts_for_an_edit():
    facts = {"decisions": [{"line": 1, "date": "", "decision": "No SQL here", "reason": "", "affects": "src/ui/"}]}
    table, _ = memory_index.build_index({**facts, "refs": [{"line": 1, "path": "src/ui/", "at": 0}]})
    assert table["paths"] == {"src/ui/": [0]}


def test_what_nobody_read_for_long_is_swept(shop):
    from belay.context.start import compiled_memory

    project = projects.find(str(shop), os.environ)
    kept = [name for name in os.listdir(project.states) if name.startswith(("memory-", "recall-"))]
    assert len(kept) == 2
    assert compiled_memory.sweep(project, time.time() - clock.DAY) == 0
    assert compiled_memory.sweep(project, time.time() + clock.DAY) == 2


def test_words_that_any_project_uses_tell_no_row():
    facts = {
        "decisions": [
            {
                "line": 1,
                "decision": "Use the shared Button component, E2E",
                "reason": "",
                "affects": "",
                "date": "",
            },
            {"line": 2, "decision": "Zanzibar for permissions", "reason": "", "affects": "", "date": ""},
        ]
    }
    tables = memory_index.build_index(facts)[0]
    assert recall._find_rows(tables, "the label of the button in the component is wrong, see the e2e run") == []
    assert recall._find_rows(tables, "why do the permissions come from zanzibar?") == [1]
    assert recall._find_rows(tables, "zanzibar " + "and so on it goes " * 3 + "permissions") == []
