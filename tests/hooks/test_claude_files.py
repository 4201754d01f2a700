"""No hook creates or changes a CLAUDE.md file, ever: every door over a project full of them, bytes compared."""

import time

import doors
import seedtree

CALL = {
    "tool_name": "Edit",
    "tool_input": {"file_path": "src/features/auth/use-auth.ts", "old_string": "a", "new_string": "b"},
    "tool_use_id": "toolu_1",
    "prompt_id": "p-1",
}
FIELDS = {
    "session_start": {"source": "startup"},
    "user_prompt_submit": {"prompt": doors.CORRECTION, "prompt_id": "p-1", "permission_mode": "default"},
    "pre_tool_use": CALL,
    "post_tool_batch": {
        "tool_calls": [
            {**{key: CALL[key] for key in ("tool_name", "tool_input", "tool_use_id")}, "tool_response": "ok"}
        ]
    },
    "stop": {
        "stop_hook_active": False,
        "last_assistant_message": "Done. Next: write CLAUDE.md for billing.",
        "background_tasks": [],
    },
    "pre_compact": {"trigger": "manual", "custom_instructions": ""},
    "subagent_start": {"agent_id": "a1", "agent_type": "general-purpose"},
    "session_end": {"reason": "other"},
}


def read_all(root):
    names = [*root.rglob("CLAUDE*.md"), *root.rglob(".claude/rules/*")]
    return {str(path.relative_to(root)): path.read_bytes() for path in names}


def wait_for_background(home, root):
    """Wait until what the hooks started is done: nothing below both folders changes for a while."""
    last, since = None, time.monotonic()
    until = since + 30
    while time.monotonic() < until and time.monotonic() - since < 1.5:
        now = sorted(
            (str(path), path.stat().st_mtime_ns) for top in (home, root) for path in top.rglob("*") if path.exists()
        )
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.1)


def test_every_hook_leaves_every_claude_md_as_it_is(tmp_path, home):
    shop = seedtree.build(tmp_path / "shop")
    for folder in ("src", "src/features", "docs", "packages/a", "packages/b/src", "node_modules/x"):
        seedtree.write(shop, f"{folder}/CLAUDE.md", f"# {folder}\n\n- Remember: never touch this\n")
    seedtree.write(shop, "CLAUDE.local.md", "mine\n")
    seedtree.write(shop, "MEMORY.md", "# Memory\n\n## Key Decisions\n")
    before = read_all(shop)
    assert FIELDS.keys() == set(doors.EVENTS)

    for number in range(2):
        for event in doors.EVENTS:
            doors.run(event, shop / ("src" if number else ""), **FIELDS[event])
    prompts = ["remember this in CLAUDE.md: we deploy on Fridays", "wrap up", "Decision: put that into src/CLAUDE.md"]
    for prompt in prompts:
        doors.run("user_prompt_submit", shop, **{**FIELDS["user_prompt_submit"], "prompt": prompt})
    doors.run("session_end", shop, **FIELDS["session_end"])
    wait_for_background(home, shop)

    assert list((shop / ".claude" / "memory" / "journal").glob("*.jsonl"))  # the hooks did run
    assert read_all(shop) == before
    assert not list((home / ".claude").rglob("CLAUDE.md"))
