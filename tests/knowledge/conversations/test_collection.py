"""What reaches the kept conversations: what people and Claude said in this project, redacted, once, nothing else."""

import json
import os
import time
from pathlib import Path

import dialogues as talk
import transcripts as lines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from repos import git

from belay.client import conversation
from belay.knowledge.conversations import collection, index, step
from belay.knowledge.conversations.archive import Archive
from belay.session.session import Session

ONE, TWO = talk.NAMES
KEYS = (
    "type message content text tool_use tool_use_id tool_result name input file_path id cwd gitBranch timestamp model "
    "toolUseResult questions answers aiTitle isMeta isSidechain sessionId is_error plan role"
).split()
TOKEN = "ghp_" + "a1B2c3D4" * 5


def test_prompts_and_answers_are_kept_with_branch_files_and_commit(project):
    rows = [talk.prompt("why is the pool test flaky?"), *talk.edited(project.at("src/pool.py"))]
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 60))
    talk.write(project, ONE, *rows, talk.answer("Two workers share one port.", time=now), branch="fix/pool")
    talk.run(project)
    (turn,) = talk.read(project).turns

    assert (turn.prompt, turn.answer) == ("why is the pool test flaky?", "Two workers share one port.")
    assert (turn.branch, turn.files) == ("fix/pool", ("src/pool.py",))
    assert turn.commit == git(project.root, "rev-parse", "HEAD").strip()


def test_a_turn_before_the_first_commit_names_none(project):
    talk.write(project, ONE, talk.prompt("what is planned here?"), talk.answer("Nothing yet."))
    talk.run(project)

    assert talk.read(project).turns[0].commit == ""


def test_nothing_else_is_kept(project):
    noise = [
        talk.prompt("subagent's task", isSidechain=True),
        talk.answer("subagent's answer", isSidechain=True),
        talk.prompt("note of the client", isMeta=True),
        talk.prompt(
            "This session is being continued from a previous conversation that ran out.", isCompactSummary=True
        ),
        talk.prompt("<command-name>/clear</command-name>"),
        talk.prompt("[Request interrupted by user]"),
        talk.answer("hidden thoughts", kind="thinking"),
        talk.answer("API Error: 500", message={"model": "<synthetic>", "content": [{"type": "text", "text": "gone"}]}),
        talk.answer("Let me look at the file."),
        talk.answer("Now I check the tests:"),
        talk.call("t1", "Bash", command="cat secret-plan"),
        talk.result("t1", "what the tool printed"),
        lines.entry("attachment", attachment={"content": "hook output for user"}, message={"content": "assistant"}),
        {"type": "summary", "summary": "user and assistant of another session"},
    ]
    talk.write(project, ONE, talk.prompt("real words"), *noise, talk.answer("A real answer."))
    talk.run(project)

    assert [(turn.prompt, turn.answer) for turn in talk.read(project).turns] == [("real words", "A real answer.")]


def test_what_client_and_belay_add_to_a_prompt_is_cut_out(project):
    said = (
        "<system-reminder>be careful</system-reminder>fix the <document> tag\n<belay>\nRecorded D-ABCDEF\n</belay>\n"
        "<ide_selection>lines 1 to 3</ide_selection>please"
    )
    talk.write(project, ONE, talk.prompt(said), talk.answer("Done.\n<system-reminder>x</system-reminder>"))
    talk.run(project)
    (turn,) = talk.read(project).turns

    assert (turn.prompt.split(), turn.answer) == ("fix the <document> tag please".split(), "Done.")


def test_a_slash_command_is_kept_as_it_was_typed(project):
    own = "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"
    typed = "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the pool</command-args>"
    rows = [talk.prompt(typed), talk.prompt("the command's own text", isMeta=True), talk.answer("Fixed.")]
    talk.write(project, ONE, talk.prompt(own), *rows)
    talk.run(project)

    assert [(turn.prompt, turn.answer) for turn in talk.read(project).turns] == [("/fix the pool", "Fixed.")]


def test_a_plan_and_an_answered_question_are_kept(project):
    asked = {"questions": [{"question": "Which port?"}], "answers": {"Which port?": "5433"}}
    talk.write(
        project, ONE, talk.prompt("plan the port"), talk.call("t1", "ExitPlanMode", plan="# Port\nUse 5433."),
        lines.result("t2", asked), talk.answer("Agreed."),
    )  # fmt: skip
    talk.run(project)
    said = talk.text(project)

    assert "Use 5433." in said
    assert "Which port? → 5433" in said


def test_an_edit_that_was_refused_touched_no_file(project):
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    calls = [talk.call(f"t{at}", "Edit", file_path=project.at(f"{at}.py")) for at in (1, 2, 3)]
    rows = [talk.result("t1", refused), talk.result("t2", "Error: no match", is_error=True), talk.result("t3")]
    talk.write(project, ONE, talk.prompt("edit them"), *calls, *rows, talk.answer("One is edited."))
    talk.run(project)

    assert talk.read(project).turns[0].files == ("3.py",)


def test_secrets_never_reach_the_disk(project, home):
    rows = [talk.prompt(f"the token is {TOKEN}"), talk.answer(f"I used {TOKEN}."), talk.prompt("next")]
    talk.write(project, ONE, *rows, branch=f"try/{TOKEN}")
    talk.run(project)
    written = [path for path in Path(project.store).rglob("*") if path.is_file()]

    assert [path.name for path in written if TOKEN.encode() in path.read_bytes()] == []
    assert talk.text(project).count("[redacted:") == 4


def test_only_what_is_new_is_read(project, monkeypatch):
    talk.write(project, ONE, talk.prompt("first"), talk.answer("one"))
    talk.run(project)
    seen = []
    real = conversation.scan_dialogue
    monkeypatch.setattr(conversation, "scan_dialogue", lambda path, start=0: seen.append(start) or real(path, start))
    talk.run(project)
    assert seen == []
    before = os.path.getsize(talk.write(project, ONE, talk.prompt("first"), talk.answer("one")))
    talk.write(project, ONE, talk.prompt("first"), talk.answer("one"), talk.prompt("second"), talk.answer("two"))
    talk.run(project)

    assert seen == [before]
    assert [turn.prompt for turn in talk.read(project).turns] == ["first", "second"]


def test_an_answer_that_comes_later_joins_its_prompt(project):
    talk.write(project, ONE, talk.prompt("first"))
    talk.run(project)
    talk.write(project, ONE, talk.prompt("first"), talk.answer("late"))
    talk.run(project)

    assert [(turn.prompt, turn.answer) for turn in talk.read(project).turns] == [("first", "late")]


def test_a_transcript_that_was_written_anew_adds_only_what_is_later(project):
    rows = [talk.prompt("first, with many words that take room"), talk.answer("one")]
    talk.write(project, ONE, *rows)
    talk.run(project)
    talk.write(project, ONE, talk.answer("one"), talk.prompt("later", time="2026-03-02T10:00:00.500Z"))
    talk.run(project)

    assert [turn.prompt for turn in talk.read(project).turns] == ["first, with many words that take room", "later"]


def test_broken_and_huge_lines_cost_only_themselves(project):
    huge = json.dumps(talk.prompt("x" * 2_000_000)).encode()
    odd = [b'{"type": "user", "message": ', b"\xff\xfe user", b'["user"]', b'{"type":"assistant","message":[1]}', huge]
    odd += [json.dumps({"type": "user", "message": {"content": [7, {"type": "text", "text": 5}]}}).encode()]
    talk.write(project, ONE, talk.prompt("before"), *odd, talk.prompt("torn"), talk.answer("after"), end='\n{"type"')
    talk.run(project)

    assert [(turn.prompt, turn.answer) for turn in talk.read(project).turns] == [("before\n\ntorn", "after")]


def test_text_of_other_projects_stays_out(project, tmp_path):
    other = str(tmp_path / "other")
    talk.write(project, ONE, talk.prompt("ours"), talk.prompt("theirs", cwd=other), talk.answer("theirs", cwd=other))
    talk.write(project, TWO, talk.prompt("all theirs"), where=other)
    kept = talk.run(project)

    assert [turn.prompt for turn in talk.read(project).turns] == ["ours"]
    assert kept.list_names() == [ONE]


def test_a_file_that_came_with_a_clone_is_nobodys_conversation(project):
    talk.write(project, ONE, talk.prompt("ours"))
    kept = talk.run(project)
    theirs = Path(kept.path(ONE)).read_bytes().replace(b'"mark":"', b'"mark":"0')
    Path(kept.path(TWO)).write_bytes(theirs)
    talk.run(project)

    assert kept.load(TWO) == []


def test_a_session_without_a_transcript_is_told_by_its_journal(project):
    session = Session(project, ONE, os.environ)
    session.log("start", **session.place())
    session.log("prompt", text="why is the pool test flaky?", **session.place())
    session.log("edit", files=[{"path": "src/pool.py", "line": 3}])
    session.log("said", text="Two workers share one port.")
    talk.run(project)
    (turn,) = talk.read(project).turns

    assert (turn.prompt, turn.answer) == ("why is the pool test flaky?", "Two workers share one port.")
    assert (turn.files, turn.branch) == (("src/pool.py",), "main")
    assert turn.commit == git(project.root, "rev-parse", "HEAD").strip()


def test_the_transcript_takes_the_journals_place_and_stays_when_it_is_gone(project):
    session = Session(project, ONE, os.environ)
    session.log("prompt", text="short", **session.place())
    talk.run(project)
    path = talk.write(project, ONE, talk.prompt("short"), talk.answer("a long answer"))
    talk.run(project)
    assert [(turn.prompt, turn.answer) for turn in talk.read(project).turns] == [("short", "a long answer")]
    os.unlink(path)
    session.log("prompt", text="more", **session.place())
    talk.run(project)

    assert [turn.answer for turn in talk.read(project).turns] == ["a long answer"]


def test_a_write_that_was_cut_off_is_made_again(project):
    path = talk.write(project, ONE, talk.prompt("first"), talk.answer("one"))
    kept = talk.run(project)
    whole = Path(kept.path(ONE)).read_bytes()
    talk.write(project, ONE, talk.prompt("first"), talk.answer("one"), talk.prompt("second"), talk.answer("two"))
    talk.run(project)
    full = Path(kept.path(ONE)).read_bytes()
    expected = talk.text(project)
    for end in range(len(whole) + 1, len(full), 97):
        Path(kept.path(ONE)).write_bytes(full[:end])
        talk.run(project)
        assert talk.text(project) == expected

    assert os.path.isfile(path)


def test_a_run_that_is_out_of_time_goes_on_where_it_stopped(project, monkeypatch):
    rows = [row for at in range(40) for row in (talk.prompt(f"prompt {at}"), talk.answer(f"answer {at}"))]
    talk.write(project, ONE, *rows)
    clock = iter(range(10_000))
    monkeypatch.setattr(collection.time, "monotonic", lambda: next(clock))
    kept = Archive(project.sessions, os.environ)
    runs = 0
    while collection.collect(project, kept, ends=next(clock) + 5).left:
        runs += 1
        assert runs < 100

    assert runs > 3
    assert [turn.prompt for turn in talk.read(project).turns] == [f"prompt {at}" for at in range(40)]


def test_sessions_of_over_400_days_ago_are_not_read(project):
    path = talk.write(project, ONE, talk.prompt("long ago"))
    long_ago = time.time() - 401 * 86400
    os.utime(path, (long_ago, long_ago))

    assert step.run(project, os.environ).sessions == 0


def test_a_paste_is_shortened_from_its_middle(project):
    talk.write(project, ONE, talk.prompt("what is this?\n" + "log line\n" * 5000 + "the end"))
    talk.run(project)
    (turn,) = talk.read(project).turns

    assert turn.prompt.startswith("what is this?")
    assert turn.prompt.endswith("the end")
    assert len(turn.prompt) < conversation.LONGEST + 20


def test_a_large_transcript_is_read_in_seconds(project):
    rows = []
    for at in range(400):
        rows += [talk.prompt(f"prompt {at} about the pool"), talk.call(f"t{at}", "Bash", command="cat log")]
        rows += [talk.result(f"t{at}", "output of a program\n" * 2500), talk.answer("It is the port. " * 30)]
    path = talk.write(project, ONE, *rows)
    assert os.path.getsize(path) > 20_000_000
    begun = time.process_time()
    talk.run(project)

    assert time.process_time() - begun < 2
    assert len(talk.read(project).turns) == 400


ANY = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=8) | some.just("\ud800\x00 lone \U0001f600"),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(KEYS), inner, max_size=6),
    max_leaves=8,
)
BLOCK = some.fixed_dictionaries(
    {"type": some.sampled_from(["text", "tool_use", "tool_result"]) | ANY},
    optional={"text": ANY, "id": ANY, "tool_use_id": ANY, "content": ANY, "input": ANY, "is_error": ANY,
              "name": some.sampled_from(["Edit", "ExitPlanMode", "AskUserQuestion"]) | ANY},
)  # fmt: skip
ROW = some.fixed_dictionaries(
    {"type": some.sampled_from(["user", "assistant", "ai-title"])},
    optional={
        "message": some.fixed_dictionaries({"content": ANY | some.lists(BLOCK | ANY, max_size=4)}) | ANY,
        "timestamp": ANY | some.just("2026-03-01T10:00:00Z"), "gitBranch": ANY, "cwd": ANY, "aiTitle": ANY,
        "toolUseResult": ANY, "isMeta": ANY,
    },
)  # fmt: skip


@given(rows=some.lists(ROW, min_size=1, max_size=6))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_transcript_stops_a_run(project, rows):
    talk.write(project, ONE, *rows)
    talk.run(project)
    talk.text(project)


def test_letters_that_are_none_are_replaced(project):
    odd = "half \ud800 of a letter \x00 and a \U0001f600"
    talk.write(project, ONE, talk.prompt(odd), *talk.edited("\ud800.py"), talk.answer(odd), branch="x\ud800")
    talk.run(project)

    assert "half" in talk.read(project).turns[0].answer
    assert index.read_catalog(talk.kept(project))[0].prompts == 1
