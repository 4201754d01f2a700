"""The tools' doors: intents before, outcomes after, refusals with a reason, nothing for subagents."""

import json
import os
from pathlib import Path

import pytest
from doors import call, denied, kinds, log, records, run, said

from belay.session.work.steps import find_work

REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n"


@pytest.fixture
def begun(project, repo):
    said(run("user_prompt_submit", repo, prompt="Mend the parser of the config files"))
    return project


def before(repo, tool, **given):
    fields = given.pop("fields", {})
    return run("pre_tool_use", repo, tool_name=tool, tool_input=given, tool_use_id="toolu_1", **fields)


def after(repo, *calls, **fields):
    return run("post_tool_batch", repo, tool_calls=list(calls), **fields)


def state(project):
    from doors import SESSION

    from belay.session.session import Session

    return Session(project, SESSION, os.environ).state


def test_an_intent_stands_until_the_tool_is_done(begun, repo):
    (repo / "file.txt").write_text("one\ntwo\nthree\n")
    said(before(repo, "Edit", file_path=str(repo / "file.txt"), old_string="two", new_string="2"))
    cursor = state(begun)["cursor"]
    assert (cursor["tool"], cursor["file"], cursor["line"]) == ("Edit", "file.txt", 2)
    (repo / "file.txt").write_text("one\n2\nthree\n")
    said(after(repo, call("Edit", "updated", file_path=str(repo / "file.txt"), old_string="two", new_string="2")))
    assert state(begun)["cursor"] is None
    assert state(begun)["edits"]["file.txt"]["line"] == 2


@pytest.mark.parametrize(
    "tool",
    [
        ("Bash", {"command": "ls -la"}),
        ("Agent", {"description": "look", "prompt": "p"}),
        ("mcp__files__move", {"path": "a"}),
    ],
)
def test_a_tool_that_leaves_no_trace_is_done_too(begun, repo, tool):
    name, given = tool
    said(before(repo, name, **given))
    assert state(begun)["cursor"]["tool"] == name
    said(after(repo, call(name, "fine", **given)))
    assert state(begun)["cursor"] is None


def test_reading_is_not_journalled(begun, repo):
    size = len(records(begun))
    said(after(repo, call("Read", "1\tone", file_path=str(repo / "file.txt")), call("Grep", "", pattern="x")))
    assert len(records(begun)) == size


def test_a_failed_command_that_passes_later_is_a_lesson(begun, repo):
    said(after(repo, call("Bash", "Exit code 1\n1 failed", command="pytest -q")))
    assert state(begun)["failing"]["command"] == "pytest -q"
    said(after(repo, call("Edit", "updated", file_path=str(repo / "file.txt"), old_string="a", new_string="one")))
    said(after(repo, call("Bash", "1 passed", command="pytest -q")))
    found = state(begun)
    assert found["failing"] is None
    assert found["lessons"] == [{"failed": "pytest -q: 1 failed", "files": ["file.txt"], "passed": "pytest -q"}]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("gh pr checks 12", "E2E Tests\tfail"),
        ("ls tests/*.md", "no matches found: tests/*.md"),
        ("sed -n 1,9p tests/a.py | cat -A", "cat: illegal option -- A"),
        ("grep -n pytest tests/a.py", ""),
        ("git diff --no-index tests/a tests/b", "@@ -1 +1 @@"),
        ("git cherry-pick 1a2b3c4", "The previous cherry-pick is now empty"),
        ("git commit -m \"$(cat <<'EOF'\nMake the tests pass\n\nRun npm test.\nEOF\n)\"", "hook: lint failed"),
        ("git add tests && git commit -m 'Fix lint; npm test' && git push", "rejected"),
        ("cat > tests/run.sh <<'EOF'\nnpm test\nEOF\ncp tests/run.sh /x", "cp: cannot create"),
        ("npm ci && npm test", "npm error code E404"),
        ("cd web && npm test", "(eval):cd:1: no such file or directory: web"),
        ("npm run lint", 'npm error Missing script: "lint"'),
        ("pytest -q tests/x.py", "ERROR: file or directory not found: tests/x.py"),
    ],
)
def test_what_is_no_failing_check(begun, repo, command, output):
    said(after(repo, call("Bash", f"Exit code 1\n{output}", command=command)))

    assert state(begun)["failing"] is None


@pytest.mark.parametrize(
    ("failing", "passed"),
    [
        ("npm test -- --silent", "npm test"),
        ("npm test", "npm run test -- --silent 2>&1 | tail -5"),
        ("cat > a.py <<'EOF'\nassert 1\nEOF\npytest -q a.py", "pytest -x"),
        ("pytest -q tests/test_cart.py -k refund", "cat > b.txt <<EOF\nx\nEOF\npython -m pytest tests"),
        ("cd web && npm run lint", "cd {repo}/web && npm run lint:fix && git add -A"),
        ("go test ./cart -run TestTotal -v", "go test ./... -count=1 2>&1 | tail -20"),
        ("ruff check . && mypy src", "ruff check --fix . && mypy"),
        ("mise run fmt && mise run lint", "mise run lint"),
    ],
)
def test_a_later_check_that_covers_it_clears_a_failure(begun, repo, failing, passed):
    said(after(repo, call("Bash", "Exit code 1\n1 failed", command=failing)))
    assert state(begun)["failing"]["check"] == "failed"
    said(after(repo, call("Bash", "9 passed", command="npm run build; cargo fmt")))
    assert state(begun)["failing"]
    said(after(repo, call("Bash", "ok", command=passed.replace("{repo}", str(repo)))))

    assert state(begun)["failing"] is None


def test_a_pipe_hides_that_a_check_still_fails(begun, repo):
    said(after(repo, call("Bash", "Exit code 1\n1 failed", command="pytest")))
    said(after(repo, call("Bash", "FAILED tests/a.py::test_a\n1 failed, 3 passed", command="pytest | tail -2")))
    assert state(begun)["failing"]["command"] == "pytest"
    said(after(repo, call("Bash", "4 passed", command="pytest | tail -2")))

    found = state(begun)
    assert (found["failing"], found["lessons"]) == (None, [])
    assert [row["check"] for row in found["tried"]] == ["failed", "doubtful", "unclear"]


def test_a_failure_is_kept_by_the_steps_that_check(begun, repo):
    command = f"git stash list\ncd {repo}/web\nCI=1 npm test -- -t 'adds tax' 2>&1"
    said(after(repo, call("Bash", "Exit code 1\n1 failed", command=command)))

    assert state(begun)["failing"]["command"] == "cd web && CI=1 npm test -- -t 'adds tax'"


def test_an_answer_is_a_decision_and_a_rejection_a_correction(begun, repo):
    questions = [{"question": "Which queue?", "header": "Q", "multiSelect": False, "options": []}]
    answered = call(
        "AskUserQuestion",
        'Your questions have been answered: "Which queue?"="Redis". You can now continue.',
        questions=questions,
    )
    told, _ = said(
        after(repo, answered, call("Edit", REJECTED + "keep the old name", file_path=str(repo / "file.txt")))
    )
    captures = [
        (record["classes"], record["text"], record["origin"])
        for record in records(begun)
        if record["kind"] == "capture"
    ]
    assert captures == [
        ({"decision": 1.0}, "Which queue? → Redis", "answered"),
        ({"correction": 1.0}, "keep the old name", "rejected"),
    ]
    assert "Redis" in told
    assert "keep the old name" in Path(begun.buffer).read_text()
    assert state(begun)["edits"] == {}


def test_a_finished_task_ticks_its_line(begun, repo):
    (repo / "tasks").mkdir()
    (repo / "tasks" / "todo.md").write_text("# Todo\r\n- [ ] Write the parser\r\n- [ ] Other\r\n", newline="")
    said(after(repo, call("TaskCreate", "Task #1 created successfully: x", subject="Write the parser")))
    said(after(repo, call("TaskUpdate", "Updated task #1", taskId="1", status="completed")))
    assert (repo / "tasks" / "todo.md").read_bytes() == b"# Todo\r\n- [x] Write the parser\r\n- [ ] Other\r\n"


def test_refusals_say_what_to_do_and_leave_no_intent(begun, repo):
    size = len(records(begun))
    assert "belay capture" in denied(before(repo, "Write", file_path=begun.journals + "/x.jsonl", content="x"))
    assert ".env" in denied(
        before(repo, "Write", file_path="MEMORY.md", content="ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")
    )
    assert len(records(begun)) == size


def test_a_subagents_tools_leave_intents_but_get_no_word(begun, repo):
    fields = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert said(before(repo, "Bash", command="ls", fields=fields)) == ("", "")
    assert records(begun)[-1]["agent"] == "a1"
    size = len(records(begun))
    assert said(after(repo, call("Bash", "Exit code 1\nbad", command="pytest"), **fields)) == ("", "")
    assert len(records(begun)) == size


def test_nothing_is_written_where_nothing_was_said_yet(project, repo):
    said(before(repo, "Bash", command="ls"))
    said(after(repo, call("Bash", "fine", command="ls")))
    said(run("stop", repo, last_assistant_message="Done."))
    said(run("pre_compact", repo, trigger="auto"))
    said(run("session_end", repo, reason="other"))
    assert not os.path.exists(repo / ".claude")


def test_stop_saves_what_was_said_and_what_comes_next(begun, repo):
    said(
        run(
            "stop",
            repo,
            last_assistant_message="The lexer works. Next I will split the parser.",
            stop_hook_active=False,
        )
    )
    assert state(begun)["answer"]["announced"] == "Next I will split the parser."
    assert find_work(state(begun)).next == "Claude announced: “Next I will split the parser.”"
    assert kinds(begun)[-1] == "said"


HOSTILE = [
    {"tool_calls": [{"tool_name": ["x"], "tool_input": {}, "tool_response": "x"}]},
    {"tool_calls": [{"tool_name": "Edit", "tool_input": {}, "tool_response": "ok"}]},
    {"tool_calls": [{"tool_name": "Edit", "tool_input": {"file_path": "a\0b"}, "tool_response": "ok"}]},
    {"tool_calls": [{"tool_name": "TaskUpdate", "tool_input": {"taskId": [1], "status": {}}, "tool_response": 5}]},
    {"tool_name": "Edit", "tool_input": {"file_path": "a\0b", "old_string": "x"}},
    {"tool_name": "Edit", "tool_input": {"file_path": "/dev/stdin", "old_string": "x"}},
    {"tool_name": "Edit", "tool_input": {"file_path": "abc\ud800", "old_string": "\ud800"}},
    {"tool_name": "Read", "tool_input": {"file_path": "abc\ud800"}},
    {"tool_name": "Bash", "tool_input": {"command": "rm \ud800 > abc\ud800.md"}},
    {"tool_name": "x" * 100_000, "tool_input": {"command": "y" * 1_000_000}},
]


@pytest.mark.parametrize("fields", HOSTILE)
def test_hostile_calls_break_nothing(begun, repo, fields):
    for event in ("pre_tool_use", "post_tool_batch"):
        said(run(event, repo, **fields))
    assert log() == ""
    assert "" not in state(begun)["edits"]


def question(done):
    assert done.returncode == 0, done.stderr
    out = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
    return out.get("permissionDecisionReason", "") if out.get("permissionDecision") == "ask" else ""


@pytest.mark.parametrize("command", ["belay trust MEMORY.md", "cd . && '/p/bin/belay' trust --all", "belay init"])
def test_only_the_person_lets_foreign_text_in(begun, repo, command):
    (repo / ".workshop").mkdir()
    (repo / ".workshop" / "workshop.db").write_bytes(b"")

    assert "asks you, not Claude" in question(before(repo, "Bash", command=command))


def test_what_lets_nothing_in_is_not_asked_about(begun, repo):
    for command in ("belay trust", "belay init", "belay cleanup", "git commit -m 'belay trust'", "ls"):
        assert question(before(repo, "Bash", command=command)) == ""


def test_the_question_comes_before_anything_was_recorded(repo):
    assert question(before(repo, "Bash", command="belay trust MEMORY.md"))
    assert not (repo / ".claude").exists()
