"""No hook ever makes or changes a CLAUDE.md, whatever is said, decided or ended."""

import time

import doors
import pytest
from repos import git

from belay.core import settings

FILES = (
    "CLAUDE.md", ".claude/CLAUDE.md", ".orchestre/CLAUDE.md", "src/auth/CLAUDE.md", "src/auth/CLAUDE.local.md",
    ".claude/rules/style.md",
)  # fmt: skip
TEXT = """# Memory of a folder
## Task History
- 🔄 Refund partial payments
<!-- belay:tasks begin -->
- 🔄 Another one (2026-01-02)
<!-- belay:tasks end -->
## Known Issues
- `pay.py` is slow
<!-- belay:memory begin 1 -->
An older section.
<!-- belay:memory end -->
"""
PROMPTS = (
    "Remember this: the gateway rounds half up.",
    "Let's go with SQLite for the ledger, one file is enough.",
    "No, write it into CLAUDE.md: the port is 5433, not 5432.",
    "/belay:execute-task Refund partial payments. From now on keep amounts in cents.",
    "wrap up, please, and update CLAUDE.md",
    "save state",
)


@pytest.fixture
def full(repo):
    for name in FILES:
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(TEXT)
    (repo / "src" / "empty").mkdir()
    (repo / "src" / "empty" / "code.py").write_text("x = 1\n")
    (repo / "MEMORY.md").write_text("# Project Memory\n\n## Where We Left Off\n- **Status:** in progress\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "A project full of memory")
    return repo


def find_all(repo):
    names = [path for path in repo.rglob("*") if path.name.startswith("CLAUDE") or "rules" in path.parts]
    return {
        str(path.relative_to(repo)): (path.read_bytes(), path.stat().st_mtime_ns) for path in names if path.is_file()
    }


def play(repo, prompt, number):
    doors.run("user_prompt_submit", repo, prompt=prompt, prompt_id=f"p-{number}")
    edit = {"file_path": str(repo / "src" / "auth" / "pay.py"), "old_string": "a", "new_string": "b"}
    doors.run("pre_tool_use", repo, tool_name="Edit", tool_input=edit, tool_use_id="t", prompt_id=f"p-{number}")
    calls = [
        doors.call("Edit", "The file was updated.", **edit),
        doors.call(
            "TodoWrite", "Todos were changed.", todos=[{"content": "Refund partial payments", "status": "completed"}]
        ),
        doors.call("Bash", "[main 1234567] Refund\n 1 file changed", command="git commit -m Refund"),
    ]
    doors.run("post_tool_batch", repo, tool_calls=calls)
    doors.run("subagent_start", repo, agent_id="a1", agent_type="general-purpose")
    doors.run("stop", repo, stop_hook_active=False, last_assistant_message="Done: refunds work.")


@pytest.mark.parametrize("extra", ["", "reprint_claude_md: true\nsentinel: advise\n"])
def test_every_hook_leaves_every_file_as_it_was(full, project, extra):
    if extra:
        (full / ".claude" / "belay.yaml").write_text(extra)
        settings.compile_settings(project, {})
    before = find_all(full)
    assert set(before) == set(FILES)

    for number, prompt in enumerate(PROMPTS):
        doors.run("session_start", full, source="startup" if not number else "compact")
        play(full, prompt, number)
        doors.run("pre_compact", full, trigger="auto", custom_instructions="")
    for reason in ("clear", "other"):
        doors.run("session_end", full, reason=reason)
    until = time.time() + 20
    while time.time() < until and "folded" not in doors.kinds(project):
        time.sleep(0.2)

    assert "folded" in doors.kinds(project)  # the background work was done, too
    assert find_all(full) == before
