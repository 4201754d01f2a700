"""Task, status and next step of a session: which source says them, in which order, and when nothing is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client import prompt_text
from belay.core import kinds
from belay.session import continuation_text
from belay.session import state as session_state
from belay.session.work import answer, steps
from belay.triggers import tasks

ANNOUNCED = "The parser is read. Next I will add wrap_width."
STEPS = "The lexer is split.\n\n**Next steps:**\n- write the tests of the lexer\n- name the tokens"
QUESTION = "Both names fit.\n\nShall I call it width?"


def prompt(text):
    asked = tasks.read_request(text, prompt_text.extract_prose(text))
    return {
        "kind": "prompt",
        "asks": asked.kind,
        "task": asked.task,
        "path": asked.path,
        "request": asked.text,
        "text": text,
    }


def said(text):
    read = answer.read_answer(text)
    return {"kind": "said", "text": text, "unfinished": read is None, **({"answer": read} if read else {})}


def edit(path="src/parser.py", line=12):
    return {"kind": "edit", "files": [{"path": path, "line": line}]}


def command(line, ok, output=""):
    return {"kind": "command", "command": line, "ok": ok, "output": output, "check": "passed" if ok else "failed"}


def commit(subject):
    return {"kind": "commit", "sha": "1a2b3c4", "subject": subject}


def todos(*rows):
    return {
        "kind": "todos",
        "items": [{"id": str(n), "text": text, "status": status} for n, (text, status) in enumerate(rows)],
    }


def plan(title, status):
    return {"kind": "plan", "title": title, "status": status}


def wrap_up(step, **fields):
    return {"kind": "wrap-up", "next": step, "status": "in progress", **fields}


def tell(*records):
    state = session_state.empty_state("11111111-aaaa")
    for number, record in enumerate(records):
        session_state.fold(state, {**record, "time": f"2026-03-05T10:{number // 60:02}:{number % 60:02}.000000Z"})
    return state


def work(*records):
    return steps.find_work(tell(*records))


def action(*records, uncommitted=()):
    """Return the last section of the continuation."""
    text = continuation_text.build(tell(*records), continuation_text.Facts("main", "", list(uncommitted)))
    return text.split("## Immediate Next Action\n")[1].rsplit("\n\nWritten", 1)[0]


PARSER = prompt("Mend the parser of the config files")

# Sources from the best to the vaguest: with all from one on, that one says the next step.
SOURCES = [
    ("wrap-up", [wrap_up("read the port from the environment"), prompt("What does it print?")], "read the port from the environment"),
    ("answer", [said("Next: release the client")], "release the client"),
    ("answer", [said(QUESTION)], "Claude asked the user: “Shall I call it width?”"),
    ("answer", [said(STEPS)], "write the tests of the lexer"),
    ("todo list", [todos(("draw the icons", "pending"), ("paint the door", "in_progress"))], "Go on with: paint the door"),
    ("check", [command("pytest -q", False)], "Make `pytest -q` pass."),
    ("answer", [said(ANNOUNCED)], "Claude announced: “Next I will add wrap_width.”"),
]  # fmt: skip


@pytest.mark.parametrize("best", range(len(SOURCES)))
def test_the_best_source_says_the_next_step(best):
    known = [record for _, records, _ in reversed(SOURCES[best:]) for record in records]
    answers = [record for record in known if record["kind"] == "said"]
    others = [record for record in known if record["kind"] not in ("said", "wrap-up")]
    wraps = [record for record in known if record["kind"] == "wrap-up"]
    found = work(PARSER, *wraps, *others, *(answers[-1:] or [said("The parser reads it.")]))
    assert (found.source, found.next) == (SOURCES[best][0], SOURCES[best][2])


def test_without_any_source_nothing_is_ordered():
    found = work(PARSER, edit(), said("The parser reads it."))
    assert (found.status, found.steps) == (steps.DONE, [])
    assert steps.find_work(session_state.empty_state("s")).status == ""
    assert steps.describe_status(session_state.empty_state("s")) == ""


def test_a_wrap_up_outranks_the_continuation_of_the_same_moment():
    state = tell(PARSER, edit(), said(ANNOUNCED), wrap_up("read the port from the environment"), {"kind": "continued"})
    assert steps.find_work(state).steps == ["read the port from the environment"]
    assert not state["dirty"]


def test_a_typo_after_the_wrap_up_replaces_nothing():
    after = [
        prompt("fix the typo in README.md"),
        edit("README.md", 3),
        said("The typo is corrected. Next I will rest."),
    ]
    found = work(PARSER, wrap_up("read the port from the environment"), *after)
    assert found.steps == ["read the port from the environment"]
    found = work(PARSER, wrap_up("read the port from the environment"), *after, commit("Correct a typo"))
    assert found.steps == ["read the port from the environment"]


@pytest.mark.parametrize(
    "done",
    [
        [commit("Read the port from the environment")],
        [todos(("Read the port from the environment", "completed"))],
        [prompt("read the port from the environment"), said("It reads the port.")],
    ],
)
def test_a_wrap_ups_step_stays_until_it_is_done(done):
    assert work(PARSER, wrap_up("read the port from the environment"), *done).steps == []


@pytest.mark.parametrize("text", ["**Next steps:**", "Next steps:**", "## Next steps"])
def test_a_heading_is_no_next_step(text):
    assert work(PARSER, said(f"The lexer is split.\n\n{text}")).steps == []
    assert "Next steps" not in action(PARSER, said(f"{text}\n- write the tests of the lexer"))
    assert "write the tests of the lexer" in action(PARSER, said(f"{text}\n- write the tests of the lexer"))


def title(*records):
    return continuation_text.build(tell(*records), continuation_text.Facts("main")).split("\n", 1)[0]


@pytest.mark.parametrize(
    ("prompts", "expected"),
    [
        (["Implement the following plan:\n\n# Split the lexer\n\n1. read it"], "Split the lexer"),
        (["Mend the parser of the config files", "go on please"], "Mend the parser of the config files"),
        (["Mend the parser of the config files", "hello, go on"], "Mend the parser of the config files"),
        (["Mend the parser of the config files", "yes", "2", "thanks"], "Mend the parser of the config files"),
        (["Mend the parser of the config files", "commit and push"], "Mend the parser of the config files"),
        (["Mend the parser of the config files", "Why does it fail?"], "Mend the parser of the config files"),
        (["Mend the parser of the config files", "no, use tabs"], "Mend the parser of the config files"),
        (["Implement refund(). Actually, return the word refunded"], "Implement refund()"),
        (["Implement refund()", "Actually, return the word refunded"], "Implement refund()"),
        (["/fix-issue 482"], "/fix-issue 482"),
        (["Mend the parser of the config files", "Now write the changelog"], "Write the changelog"),
    ],
)
def test_the_title_is_the_task(prompts, expected):
    rows = [row for text in prompts for row in (prompt(text), said("It is read."))]
    assert title(*rows) == f"# Continue: {expected}"


@pytest.mark.parametrize("text", ["go on please", "hello, go on", "continue", "thanks"])
def test_a_prompt_that_only_goes_on_is_no_title(text):
    assert text not in title(prompt(text), said("Fine."))
    assert "work on main" in title(prompt(text), said("Fine."))


def test_the_file_of_a_plan_is_named():
    text = "Implement the following plan:\n\n# Split the lexer\n\nread the full transcript at: /home/x/.claude/plans/lexer.md"
    found = work(prompt(text))
    assert found.path == "/home/x/.claude/plans/lexer.md"
    assert found.next == "Implement the plan “Split the lexer” (/home/x/.claude/plans/lexer.md)"


def test_a_correction_rewrites_what_was_announced():
    found = action(PARSER, said(ANNOUNCED), prompt("no, call it width, not wrap_width"))
    assert found.startswith("Go on as the user corrected: “no, call it width, not wrap_width”")
    answered = [PARSER, said(ANNOUNCED), prompt("no, call it width, not wrap_width"), said("It is called width now.")]
    assert work(*answered).steps == []


def test_a_correction_without_a_no_voids_the_announcement_too():
    found = work(PARSER, said(ANNOUNCED), prompt("call it width, not wrap_width"), said("It is called width now."))
    assert found.task == "Mend the parser of the config files"
    assert found.steps == []


def test_a_correction_stands_below_the_plan_that_it_corrected():
    corrected = prompt("no, in three")
    found = action(prompt("Split the lexer"), plan("Split the lexer in two", "rejected"), corrected)
    assert "in two" not in found
    found = work(
        prompt("Split the lexer"),
        plan("Split the lexer in two", "rejected"),
        corrected,
        plan("Split the lexer in three", "approved"),
        said("It is split."),
    )
    assert (found.task, found.steps) == ("Split the lexer in three", [])


def test_a_plan_waits_for_approval_and_a_rejected_one_says_so():
    assert work(PARSER, plan("Split the lexer", "proposed")).status == steps.WAITING
    for status in ("proposed", "rejected"):  # a rejection without words says nothing about the plan
        assert "The plan “Split the lexer” was put up and not carried out" in action(
            PARSER, plan("Split the lexer", status)
        )
    assert work(PARSER, plan("Split the lexer", "approved"), said("It is split.")).steps == []


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("Now write the changelog", "Finish the last request: “Now write the changelog”"),
        ("Why does it fail?", "Answer the user's question: “Why does it fail?”"),
        ("continue", "Claude announced"),
        ("```\nTraceback (most recent call last):\nKeyError\n```", "Look at the output that the user pasted"),
        (
            "no, use tabs",
            "Go on as the user corrected: “no, use tabs”; before, Claude said: “Next I will add wrap_width.”",
        ),
    ],
)
def test_a_session_that_dies_in_an_answer_leaves_its_prompt(last, expected):
    state = tell(PARSER, said(ANNOUNCED), prompt(last))
    assert steps.is_unfinished(state)
    assert expected.removeprefix("Claude announced") in steps.find_work(state).next
    assert steps.find_work(state).next
    assert steps.describe_status(state) == "in progress"


def test_an_answer_to_a_question_is_carried_out():
    assert action(PARSER, said(QUESTION), prompt("yes please")) == (
        "Carry out the user's answer “yes please” to: “Shall I call it width?”"
    )


def test_a_chore_that_was_committed_is_no_open_request():
    done = [PARSER, edit(), said("It reads it."), prompt("commit this"), commit("Mend the parser")]
    assert work(*done).steps == []
    assert work(*done[:-1]).steps == ["Finish the last request: “commit this”"]


def test_what_is_done_says_what_was_committed():
    state = tell(PARSER, edit(), commit("Mend the parser"), said("Done: the parser reads empty files."))
    assert steps.find_work(state).status == steps.DONE
    assert steps.describe_status(state) == "done, committed as “Mend the parser”"
    text = continuation_text.build(state, continuation_text.Facts("main"))
    assert "Committed 1a2b3c4 “Mend the parser”" in text
    assert "ask the user what comes next" in text


def test_a_box_that_was_written_and_committed_is_not_reported_as_not_started():
    rows = [
        todos(("write the importer", "pending"), ("draw the icons", "pending")),
        edit(),
        commit("Write the importer"),
    ]
    state = tell(PARSER, *rows)
    assert steps.list_open_todos(state) == ["draw the icons"]
    text = continuation_text.build(state, continuation_text.Facts("main"))
    assert "write the importer: NOT STARTED" not in text
    assert "draw the icons: NOT STARTED" in text


def test_todos_of_an_earlier_task_are_no_orders():
    rows = [
        PARSER,
        todos(("draw the icons", "pending")),
        said("Later."),
        prompt("Write the changelog"),
        said("Written."),
    ]
    assert work(*rows).steps == []
    assert "icons" not in continuation_text.build(tell(*rows), continuation_text.Facts("main"))


def test_a_commit_settles_a_failing_check():
    assert work(PARSER, command("pytest -q", False), said("It fails.")).steps == ["Make `pytest -q` pass."]
    assert work(PARSER, command("pytest -q", False), said("It fails."), commit("Mend it")).steps == []


def test_a_question_in_between_leaves_the_steps_as_they_were():
    asked = prompt("What does it print?")
    assert work(PARSER, said(STEPS), asked, said("It prints the line.")).next == "write the tests of the lexer"


@pytest.mark.parametrize("polite", ["thanks!", "perfect", "/compact"])
def test_a_thank_you_leaves_what_is_next_as_it_was(polite):
    thanked = [prompt(polite), said("You're welcome! Anything else I can help with?")]
    assert work(PARSER, said("Next: release the client"), *thanked).next == "release the client"
    assert work(PARSER, said(STEPS), *thanked).next == "write the tests of the lexer"
    assert work(PARSER, said(QUESTION), *thanked).question == "Shall I call it width?"
    assert "add wrap_width" in work(PARSER, said(ANNOUNCED), *thanked).next
    assert work(PARSER, said(ANNOUNCED), command("pytest -q", True), *thanked).steps == []  # it may be carried out
    assert work(PARSER, said(STEPS), prompt(polite), said("Done: all of it.")).steps == []


def test_new_work_voids_the_steps_of_the_answer_before():
    assert work(PARSER, said(STEPS), prompt("Write the changelog"), said("Written.")).steps == []


def test_an_interrupted_call_after_an_answer_is_checked_first():
    running = {"kind": "intent", "tool": "Bash", "command": "make release"}
    found = work(PARSER, said("I wait for the build."), running)
    assert found.next == (
        "Check whether the interrupted Bash took effect: make release; then go on with: Mend the parser of the config files"
    )


def test_records_of_an_older_version_are_read():
    old = [
        {"kind": "prompt", "task": "mend the parser", "text": "mend the parser"},
        {"kind": "said", "text": "x", "intent": "split it"},
    ]
    found = work(*old)
    assert (found.task, found.status, found.steps) == ("mend the parser", steps.DONE, [])
    short = {"kind": "prompt", "text": "yes"}
    assert work(*old, short).steps == ["Go on with: mend the parser"]


@pytest.mark.parametrize(
    ("step", "text", "covered"),
    [
        ("write the tests of the lexer", "Write tests for the lexer", True),
        ("read the port from the environment", "Reads the port from environment variables", True),
        ("write the tests of the lexer", "Write the tests of the parser", False),
        ("release", "Release", False),
        ("", "anything", False),
        ("read the port from the environment", "", False),
    ],
)
def test_a_commit_covers_a_step_that_it_names(step, text, covered):
    assert steps.is_covered(step, text) is covered


ANY = st.one_of(
    st.sampled_from(["go on", "no, use tabs", "commit", "Add a test", "Why?", "thanks", "2", "/x y", "❯ ls\nx"]).map(prompt),
    st.sampled_from([ANNOUNCED, STEPS, QUESTION, "Done.", "", "Next: x y z", "Let me look:"]).map(said),
    st.just(edit()), st.booleans().map(lambda ok: command("pytest -q", ok)), st.just(commit("Add a test")),
    st.sampled_from(["pending", "completed"]).map(lambda status: todos(("draw the icons", status))),
    st.sampled_from(["proposed", "approved", "rejected"]).map(lambda status: plan("Split it", status)),
    st.just(wrap_up("name the tokens")), st.just({"kind": "compacted"}), st.just({"kind": "intent", "tool": "Bash"}),
)  # fmt: skip


@given(st.lists(ANY, max_size=20))
def test_any_session_has_one_answer_that_does_not_contradict_itself(records):
    state = tell(*records)
    found = steps.find_work(state)
    assert found.status in ("", steps.OPEN, steps.WAITING, steps.DONE)
    assert len(found.steps) <= steps.STEPS
    assert all(found.steps)
    assert not (found.status in ("", steps.DONE) and found.steps)
    assert not (found.status in (steps.OPEN, steps.WAITING) and not found.steps and not steps.is_unfinished(state))
    assert bool(found.steps) <= bool(found.source)
    assert found.task not in [record["text"] for record in records if record.get("asks") in (kinds.GO_ON, kinds.THANKS)]


def test_a_numbered_list_in_a_side_answer_leaves_the_steps_as_they_were():
    listed = said("It prints two lines:\n\n1. the name\n2. the width")
    assert work(PARSER, said(STEPS), prompt("What does it print?"), listed).next == "write the tests of the lexer"
