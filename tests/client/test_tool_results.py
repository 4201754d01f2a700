"""What a batch of tool calls came to, in the shapes the client sends (HOST §2.3)."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client import tool_guard, tool_results
from belay.client.event import ToolCall
from belay.sentinel import gate

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string "
    "was NOT written to the file). To tell you how to proceed, the user said:\n"
)
DISABLED = "<tool_use_error>Error: No such tool available: Edit. Edit is disabled for this session.</tool_use_error>"


def call(name, response="", **given):
    return ToolCall({"tool_name": name, "tool_input": given, "tool_use_id": "toolu_1", "tool_response": response})


def asked(text, *questions):
    return call(
        "AskUserQuestion",
        text,
        questions=[
            {"question": question, "header": "H", "multiSelect": False, "options": []} for question in questions
        ],
    )


def answered(*pairs):
    rows = ", ".join(f'"{question}"="{answer}"' for question, answer in pairs)
    return asked(
        f"Your questions have been answered: {rows}. You can now continue with these answers in mind.",
        *(pair[0] for pair in pairs),
    )


ANSWERS = [
    [("Which queue?", "Redis")],
    [("Which queue?", "Redis"), ("Which port?", "6380"), ("Deploy on Friday?", "No")],
    [("Which checks?", "lint, types, tests")],
    [('What does "done" mean?', 'merged to "main"')],
    [("Which one?", 'the "fast", "small" one'), ("And?", 'Use "x". Then stop')],
    [('Is "a"="b" right?', "yes"), ("Next?", 'no, "c"="d"')],
    [("Where?", "src/a.py\nand src/b.py")],
    [("Empty?", "")],
]


@pytest.mark.parametrize("pairs", ANSWERS)
def test_answers_are_told_from_their_questions(pairs):
    assert tool_results.find_answers([answered(*pairs)]) == pairs


WORDS = st.text(max_size=30).map(str.strip).filter(bool)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4, unique_by=lambda pair: pair[0]))
def test_as_many_answers_as_questions_whatever_is_in_them(pairs):
    found = tool_results.find_answers([answered(*pairs)])
    assert len(found) <= len(pairs)
    assert {question for question, _ in found} <= {question for question, _ in pairs}
    if not any('"' in part for pair in pairs for part in pair):
        assert found == pairs


def test_answers_whose_questions_are_not_known_are_read_from_the_text():
    text = 'Your questions have been answered: "Which queue?"="Redis", "Which port?"="6380". You can now continue.'
    assert tool_results.find_answers([call("AskUserQuestion", text)]) == [
        ("Which queue?", "Redis"),
        ("Which port?", "6380"),
    ]


def test_no_answer_is_none():
    assert (
        tool_results.find_answers(
            [asked(DISABLED, "Which?"), asked("The user declined to answer.", "Which?"), call("Read", "x")]
        )
        == []
    )


def test_a_rejection_with_words_is_told():
    calls = [
        call("Edit", REJECTED + "keep the name;\nadd an alias", file_path="a"),
        call("Bash", REJECTED + "  ", command="ls"),
    ]
    assert tool_results.find_rejections(calls) == [("Edit", "keep the name;\nadd an alias")]
    assert tool_results.find_edits(calls) == []
    assert tool_results.find_commands(calls) == []


def test_edits_that_took_effect():
    done = call("Edit", "The file /p/a.py has been updated successfully.", file_path="/p/a.py")
    made = call("Write", "File created successfully at: /p/b.py", file_path="/p/b.py", content="x")
    calls = [
        done,
        call("Edit", DISABLED),
        call("Edit", "<tool_use_error>String to replace not found</tool_use_error>"),
        made,
        call("Read", "1\tx"),
    ]
    assert tool_results.find_edits(calls) == [done, made]


HELD_BACK = {
    "secret": tool_guard.SECRET,
    "journal": tool_guard.JOURNAL.format(where="/p/.claude/memory/MEMORY.md"),
    "accepts": tool_guard.ACCEPTS.format(verb="belay trust"),
    "long": tool_guard.LONG.format(size="300 KB", where="/p/CLAUDE.md"),
    "long command": tool_guard.LONG_COMMAND.format(size="300 KB"),
    "clean": tool_guard.CLEAN,
    "enforce": gate.remark_on("enforce", {"C-1": "Use port 5433"}, {}, "p1").deny,
    "antipattern": gate.ask_about("a.py", [("E-1", "Port 5432 is taken.")], {}, "p1").ask,
}
"""What each hook's refusal leaves as the response of the call, in a client that adds nothing before it."""


@pytest.mark.parametrize("text", HELD_BACK.values(), ids=HELD_BACK)
@pytest.mark.parametrize("prefix", ["", "PreToolUse:Write hook error: "])
def test_a_call_that_a_hook_held_back_did_nothing(text, prefix):
    calls = [
        call("Write", prefix + text, file_path="/p/a.py", content="x"),
        call("Bash", prefix + text, command="make"),
    ]
    assert tool_results.find_edits(calls) == []
    assert tool_results.find_commands(calls) == []


@pytest.mark.parametrize(
    ("response", "ok", "output"),
    [
        (
            "Exit code 4\n\nno tests ran in 0.82s\nERROR: file not found: x.py",
            False,
            "no tests ran in 0.82s | ERROR: file not found: x.py",
        ),
        ("5 passed in 0.1s", True, "5 passed in 0.1s"),
        ("", True, ""),
        ([{"type": "text", "text": "Exit code 1\nbad"}], False, "bad"),
        ("Exit code 0", True, ""),
        ("Exit codes are listed below", True, "Exit codes are listed below"),
        ("Exit code 127\n" + "x" * 900, False, "x" * 300),
    ],
)
def test_commands_and_how_they_ended(response, ok, output):
    (ran,) = tool_results.find_commands([call("Bash", response, command="make")])

    assert (ran["command"], ran["ok"], ran["output"]) == ("make", ok, output)


@pytest.mark.parametrize(
    ("command", "response", "check", "checked"),
    [
        ("cd web && npm test 2>&1", "Exit code 1\n1 failed", "failed", "cd web && npm test"),
        ("cd web && npm test", "Exit code 1\nbash: line 1: cd: web: No such file or directory", "", ""),
        ("npm test", "Exit code 127\nbash: npm: command not found", "", ""),
        ("npm test", "Exit code 143\nCommand timed out after 2m 0s", "", ""),
        ("npm test", "12 passed", "passed", "npm test"),
        ("npm test | tail -3", "12 passed", "unclear", "npm test"),
        ("npm test | tail -3", "2 failed, 12 passed", "doubtful", "npm test"),
        ("npm run lint && npm test | tail -3", "2 failed, 12 passed", "doubtful", "npm run lint && npm test"),
        ("npm run lint && npm test | tail -3", "12 passed", "unclear", "npm run lint && npm test"),
        ("pytest | tail -3", "2 failed, 12 passed in 0.2s", "failed", "pytest"),
        ("cd web && pytest -q 2>&1 | tail -3; echo done", "2 failed in 0.2s\ndone", "failed", "cd web && pytest -q"),
        ("cp a b && pytest | tail -3; cp b a", "2 failed, 12 passed in 0.2s", "doubtful", "pytest"),
        ("pytest | tail -3; git commit -m x", "2 failed, 12 passed in 0.2s", "doubtful", "pytest"),
        ("pytest x | tail -3", "no tests ran in 0.1s\n1 error in 0.2s", "", ""),
        ("pytest 2>&1 | tail -3", "bash: line 1: pytest: command not found", "", ""),
        ("which ruff && ruff check || echo 'ruff is not installed'", "ruff is not installed", "", ""),
        ("git add x && pytest", "Exit code 128\nfatal: pathspec 'x' did not match any files", "", ""),
        ("npx jest --passWithNoTests x", "No tests found, exiting with code 0", "", ""),
        ("npm test || true", "2 failed", "doubtful", "npm test"),
        ("npm ci && npm test", "Exit code 1\nnpm error code E404", "", ""),
        ("npm ci && npm test", "12 passed", "passed", "npm test"),
        ("grep -rn pytest src", "Exit code 1\n", "", ""),
        ("cd /repo/web && npm test", "Exit code 1\n1 failed", "failed", "cd web && npm test"),
        ("git commit -m \"$(cat <<'EOF'\nRun npm test\nEOF\n)\"", "Exit code 1\nhook failed", "", ""),
        ("cat > a.py <<'EOF'\nassert 0\nEOF\npytest a.py", "Exit code 1\n1 failed", "failed", "pytest a.py"),
    ],
)
def test_how_the_checks_of_a_command_ended(command, response, check, checked):
    (ran,) = tool_results.find_commands([call("Bash", response, command=command)], "/repo")

    assert (ran["check"], ran["checked"]) == (check, checked)
    assert ran["ok"] == (check != "failed" and not response.startswith("Exit code"))


@pytest.mark.parametrize(
    ("response", "given"),
    [
        ("Command running in background with ID: b1", {"command": "npm test"}),
        ("", {"command": "npm test", "run_in_background": True}),
        ("[Request interrupted by user for tool use]", {"command": "npm test"}),
        ('Working directory "/a" was deleted. Re-issue your command', {"command": "npm test"}),
    ],
)
def test_a_check_that_goes_on_in_the_background_has_not_ended(response, given):
    (ran,) = tool_results.find_commands([call("Bash", response, **given)])

    assert (ran["check"], ran["checked"], ran["ok"]) == ("", "", True)


def test_a_command_that_prints_the_words_hook_error_still_ran():
    (ran,) = tool_results.find_commands([call("Bash", "hook error: see log\ndone", command="cat log")])
    assert ran["ok"]


def test_todos_written_at_once():
    rows = [
        {"content": "one", "status": "completed", "activeForm": "x"},
        {"content": "two", "status": "pending"},
        7,
    ]
    assert tool_results.update_todos([call("TodoWrite", "Todos have been modified", todos=rows)], []) == [
        {"id": "1", "text": "one", "status": "completed"},
        {"id": "2", "text": "two", "status": "pending"},
    ]


def test_tasks_made_changed_and_deleted():
    calls = [
        call("TaskCreate", "Task #1 created successfully: one", subject="one", description="d"),
        call("TaskCreate", "Task #2 created successfully: two", subject="two"),
        call("TaskUpdate", "Updated task #1 status", taskId="1", status="completed"),
        call("TaskUpdate", "Updated task #2", taskId="2", subject="two, renamed"),
    ]
    items = tool_results.update_todos(calls, [])
    assert [(item["id"], item["text"], item["status"]) for item in items] == [
        ("1", "one", "completed"),
        ("2", "two, renamed", "pending"),
    ]
    assert tool_results.update_todos([call("TaskUpdate", "", taskId="2", status="deleted")], items) == items[:1]
    assert tool_results.update_todos([call("TaskUpdate", "", taskId="9", status="completed")], items) == items
    assert tool_results.update_todos([call("TaskCreate", DISABLED, subject="no")], items) is None
    assert tool_results.update_todos([call("Bash", "", command="ls")], items) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["command", "todos", "text", "questions", "question", "taskId", "subject", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
CALLS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "tool_name": st.sampled_from(["Bash", "Edit", "TodoWrite", "TaskCreate", "TaskUpdate", "AskUserQuestion"])
            | JSON,
            "tool_input": JSON,
            "tool_response": JSON
            | st.sampled_from(
                [
                    REJECTED,
                    'Your questions have been answered: "',
                    'Your questions have been answered: "="',
                    "Exit code ",
                ]
            ),
        },
    ).map(ToolCall),
    max_size=4,
)


@given(CALLS)
def test_hostile_calls_raise_nothing(calls):
    assert all(
        isinstance(text, str)
        for pair in tool_results.find_answers(calls) + tool_results.find_rejections(calls)
        for text in pair
    )
    assert all(isinstance(done["output"], str) for done in tool_results.find_commands(calls))
    items = tool_results.update_todos(calls, []) or []
    assert all(isinstance(value, str) for item in items for value in item.values())
    assert len(tool_results.find_edits(calls)) <= len(calls)


def test_the_end_of_a_key_or_token_in_an_output_is_not_kept():
    lines = [f"MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi{n}" for n in range(20)]
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    for text in (key, f"{token} {'b' * 280}"):
        found = tool_results.find_commands([call("Bash", f"Exit code 1\n{text}", command="cat it")])

        assert "keep it in .env]" in found[0]["output"]
        assert "3Tz2" not in found[0]["output"]
        assert "R8" not in found[0]["output"]


def test_an_output_that_the_client_saved_is_read_from_its_end(tmp_path):
    folder = f"{tmp_path}/session/tool-results/"
    os.makedirs(folder)
    with open(folder + "b1.txt", "w", encoding="utf-8") as file:
        file.write("line\n" * 50_000 + "2 failed, 3 passed in 0.1s\n")
    text = f"<persisted-output>\nOutput too large (1KB). Full output saved to: {folder}b1.txt\n\nPreview:\n9 passed in 1s\n"

    (ran,) = tool_results.find_commands([call("Bash", text, command="pytest | cat")], "/repo", folder)

    assert ran["check"] == "failed"
    assert ran["output"].endswith("2 failed, 3 passed in 0.1s")
    assert len(ran["tail"]) <= tool_results.LOOKED


@pytest.mark.parametrize(
    "name", ["../secret.txt", "/etc/passwd", "b1.txt/../../../secret.txt", "link.txt", "none.txt", ""]
)
def test_no_other_file_is_read_whatever_a_command_prints(tmp_path, name):
    folder = f"{tmp_path}/session/tool-results/"
    os.makedirs(folder)
    (tmp_path / "session" / "secret.txt").write_text("private\n1 failed in 1s\n")
    os.symlink("../secret.txt", folder + "link.txt")
    path = name if name.startswith("/") else folder + name
    text = f"<persisted-output>\nOutput too large (1KB). Full output saved to: {path}\n\nPreview:\n9 passed in 1s\n"

    for saved in (folder, ""):
        (ran,) = tool_results.find_commands([call("Bash", text, command="pytest -q")], "/repo", saved)
        assert "private" not in ran["tail"]
