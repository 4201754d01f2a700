"""What is refused before it is written, and what is not."""

import os

import pytest

from belay.client import tool_guard
from belay.client.event import ToolCall

KEY = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def calling(**fields):
    return ToolCall({"tool_name": "Write", "tool_input": fields})


OWN = ".claude/memory/journal/s.jsonl"
MEMORY = [
    "MEMORY.md",
    "memory/working-buffer.md",
    "memory/2026-01-02.md",
    "tasks/lessons.md",
    "CONTINUATION.md",
    ".memory/branches/x.md",
    ".claude/memory/log/2026-01-02.md",
]

REFUSED = [
    f"rm -rf {OWN}",
    f"echo x >> {OWN}",
    f"echo x>{OWN}",
    f"sed -i s/a/b/ {OWN}",
    f"cat x | tee -a {OWN}",
    f"cd src && mv ../{OWN} /tmp",
    "find .claude/memory/journal -name '*.jsonl' -delete",
    "find .claude/memory/state -type f -exec rm {} +",
    "rm -r .claude/memory/sessions",
    "ls .claude/memory/journal/* | xargs rm",
    "sudo rm .claude/memory/workshop.db",
    "FORCE=1 rm -f .claude/memory/state/lock",
    "rm -rf .claude/memory",
    "rm -rf .claude/memory/",
    "rm -rf ./.claude",
    "Remove-Item -Recurse .claude\\memory\\journal",
    "truncate -s 0 .claude/memory/journal/ledger.jsonl",
    "(rm .claude/memory/workshop.db)",
    "true\nrm .claude/memory/workshop.db",
    "bash -c 'rm .claude/memory/workshop.db'",
    "echo '{}' > ~/.local/share/belay/trust.json",
    "rm ~/.local/share/belay/rows/0123456789abcdef.json",
    "rm -r ~/.local/share/belay/rows",
    "cp mine /home/me/.local/share/belay/key",
]
ALLOWED = [
    f"cat {OWN}",
    f"grep -r correction {OWN}",
    f"wc -l {OWN} | sort",
    f"cat {OWN} > /tmp/copy",
    f"cat {OWN} | tee /tmp/copy",
    "ls -la .claude/memory/journal && rm notes.txt",
    "git commit -m 'rm memory/state leftovers'",
    "rm -rf build",
    "rm -rf .claude/skills/old",
    "rm src/memory/statement.py",
    "echo done",
    "belay journal show",
    "",
]


def refusal(project, tool, given):
    return tool_guard.find_refusal(project, ToolCall({"tool_name": tool, "tool_input": given}))


@pytest.mark.parametrize("command", REFUSED)
def test_commands_that_change_belays_own_files_are_refused(project, command):
    reason = refusal(project, "Bash", {"command": command})
    assert "Belay's own record" in reason
    assert "belay journal show" in reason


@pytest.mark.parametrize("command", ALLOWED)
def test_other_commands_and_reading_go_on(project, command):
    assert refusal(project, "Bash", {"command": command}) == ""


def given(tool, path, text):
    if tool == "Write":
        return {"file_path": path, "content": text}
    if tool == "NotebookEdit":
        return {"notebook_path": path, "new_source": text}
    if tool == "MultiEdit":
        return {
            "file_path": path,
            "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": text}],
        }
    return {"file_path": path, "old_string": "a", "new_string": text}


@pytest.mark.parametrize("tool", ["Edit", "Write", "MultiEdit", "NotebookEdit"])
@pytest.mark.parametrize("name", MEMORY)
def test_a_secret_is_not_written_into_a_memory_file(project, tool, name):
    for path in (name, project.at(name)):
        reason = refusal(project, tool, given(tool, path, f"the token is {KEY} for now"))
        assert ".env" in reason
        assert KEY not in reason
        assert refusal(project, tool, given(tool, path, "the token is in .env as GITHUB_TOKEN")) == ""


@pytest.mark.parametrize("name", ["src/app.py", ".env", "README.md", "docs/memory/x.txt"])
def test_elsewhere_secrets_are_the_users_own_affair(project, name):
    assert refusal(project, "Write", given("Write", name, KEY)) == ""


@pytest.mark.parametrize("name", MEMORY)
@pytest.mark.parametrize(
    "form", ["echo {key} >> {name}", "printf '%s' {key} | tee -a {name}", "cat > '{name}' <<E\n{key}\nE"]
)
def test_nor_through_the_shell(project, form, name):
    for path in (name, project.at(name)):
        assert ".env" in refusal(project, "Bash", {"command": form.format(key=KEY, name=path)})


def test_the_users_global_memory_counts(project, home):
    assert ".env" in refusal(project, "Write", given("Write", str(home / ".claude" / "GLOBAL-MEMORY.md"), KEY))


@pytest.mark.parametrize(
    "name", [OWN, ".claude/memory/state/settings.json", ".claude/memory/workshop.db", "src/../" + OWN]
)
@pytest.mark.parametrize("tool", ["Edit", "Write", "mcp__files__write"])
def test_editing_belays_own_files_is_refused(project, tool, name):
    key = "path" if tool.startswith("mcp") else "file_path"
    for path in (name, project.at(name)):
        assert "Belay's own record" in refusal(project, tool, {key: path, "content": "x"})


def test_a_link_to_belays_own_files_is_no_way_round(project, repo):
    os.makedirs(project.journals)
    (repo / "door").symlink_to(project.journals)
    assert "own record" in refusal(project, "Write", {"file_path": "door/s.jsonl", "content": "x"})


@pytest.mark.parametrize(
    "call",
    [
        {},
        {"file_path": 7},
        {"command": None},
        {"file_path": "a\0b", "content": "x"},
        {"file_path": "", "edits": 5},
        {"edits": [1, {"new_string": []}], "file_path": "MEMORY.md"},
    ],
)
def test_strange_calls_go_on(project, call):
    assert refusal(project, "Edit", call) == ""


def test_a_file_server_writes_no_secret_into_memory_either(project):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    call = {"path": "MEMORY.md", "edits": [{"oldText": "a", "newText": token}]}

    assert "secret" in refusal(project, "mcp__files__edit_file", call)


@pytest.mark.parametrize(
    ("command", "is_refused"),
    [
        ("cd .claude/memory && rm -rf journal", True),
        ("cd .claude; cd memory; rm -rf journal", True),
        ("cd src && rm -rf journal", False),
        ("git clean -fdx", True),
        ("git clean -fdX", True),
        ("git clean -fdx -e .claude", False),
        ("git clean -fd", False),
        ("cp settings.json .claude/", False),
        ("mv notes.md .claude/", False),
        ("mv .claude old", True),
        ("cp a.jsonl .claude/memory/journal/", True),
    ],
)
def test_where_a_command_works_and_what_it_takes_away_counts(project, command, is_refused):
    assert bool(refusal(project, "Bash", {"command": command})) is is_refused


@pytest.mark.parametrize("field", ["content", "new_string", "file_text"])
def test_a_text_too_long_to_be_checked_is_not_written_into_a_memory_file(project, field, monkeypatch):
    monkeypatch.setattr("belay.safety.redaction.find_secrets", lambda text: pytest.fail("a long text was read"))
    long = "word " * (30 << 20 >> 2)
    told = tool_guard.find_refusal(project, calling(file_path="MEMORY.md", **{field: long}))
    assert told == (
        "This call writes 39.3 MB into MEMORY.md; Belay looks for secrets in at most 256 KB at once. Write it in smaller "
        "parts, or keep long text in a file outside the memory folders and name it there."
    )
    edits = [{"new_string": long[: tool_guard.CHECKED_CHARS // 2]}] * 3
    assert "0.4 MB" in tool_guard.find_refusal(project, calling(file_path="MEMORY.md", edits=edits))
    assert tool_guard.find_refusal(project, calling(file_path="src/data.py", **{field: long})) == ""


def test_a_command_too_long_to_be_read_is_refused(project, monkeypatch):
    monkeypatch.setattr(
        "belay.client.shell_command.find_changed", lambda command: pytest.fail("a long command was read")
    )
    told = tool_guard.find_refusal(project, calling(command="cat > notes.txt <<'EOF'\n" + "x\n" * (1 << 20)))
    assert told.startswith("This command has 2.1 MB; Belay reads at most 256 KB of one")
