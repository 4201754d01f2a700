"""Hostile inputs from a seed: wrong types, missing keys, huge and deep values, lone surrogates, torn bytes."""

import json

EVENTS = {
    "session_start": {"source": "startup", "model": "claude-opus-4-5"},
    "user_prompt_submit": {"prompt": "No, use port 5433 for staging, not 5432.", "prompt_id": "p-1", "source": "user"},
    "pre_tool_use": {
        "tool_name": "Edit",
        "tool_input": {"file_path": "file.txt", "old_string": "one", "new_string": "two", "command": "pytest -q"},
        "tool_use_id": "toolu_1",
        "prompt_id": "p-1",
    },
    "post_tool_batch": {
        "tool_calls": [
            {
                "tool_name": "Bash",
                "tool_input": {"command": "pytest -q"},
                "tool_use_id": "toolu_2",
                "tool_response": "Exit code 1\n1 failed",
            },
            {
                "tool_name": "TodoWrite",
                "tool_input": {"todos": [{"content": "write the tests", "status": "pending"}]},
                "tool_use_id": "toolu_3",
                "tool_response": {"ok": True},
            },
        ]
    },
    "stop": {"last_assistant_message": "Done. Next I will write the tests.", "stop_hook_active": False},
    "pre_compact": {"trigger": "auto", "custom_instructions": ""},
    "subagent_start": {"agent_id": "a-1", "agent_type": "general-purpose"},
    "session_end": {"reason": "other"},
}
TOOLS = (
    "Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "TodoWrite", "TaskCreate", "TaskUpdate",
    "AskUserQuestion", "ExitPlanMode", "Agent", "mcp__files__move", "", "Grep",
)  # fmt: skip
TEXTS = (
    "", " ", "\n", "\0", "\ud800", "\udcff/\udc80", "‮abc", "\U000e0041", "a" * 5000, "[" * 300, "../" * 50, "/dev/stdin",
    "C:\\x", "~", "-", "'", '"', "`", "$(", "cat <<EOF", "EOF", "git commit -m x", "rm -rf .claude", "remember this",
    "wrap up", "where were we?", "1. yes\n2. no", "<belay>", "</belay>", "<system-reminder>", "# h\n" * 50, "| a | b |\n",
    "key=" * 200, "no, never use it. " * 30, "é" * 99, "1e999", "file.txt", "MEMORY.md", "2026-13-45T99:99:99Z",
    "Exit code 1", "Ünïcode", "@a", "yes", "A)", "\x1b[31m", "\r", "belay trust MEMORY.md", "a\u2028b",
)  # fmt: skip
NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**63), 10**40, 0.5, 1e308, float("nan"), float("inf"), float("-inf"))


def make_value(rng, depth=3):
    """Return a JSON value of any kind."""
    kind = rng.randrange(9 if depth else 6)
    if kind < 2:
        return rng.choice(TEXTS)
    if kind == 2:
        return rng.choice(NUMBERS)
    if kind == 3:
        return rng.choice((None, True, False))
    if kind == 4:
        return rng.choice(TEXTS) + rng.choice(TEXTS)
    if kind == 5:
        return rng.choice(TOOLS)
    if kind == 6:
        return {rng.choice(TEXTS)[:40]: make_value(rng, depth - 1) for _ in range(rng.randrange(4))}
    return [make_value(rng, depth - 1) for _ in range(rng.randrange(4))]


def mutate(rng, value):
    """Return a value with some of its parts gone, of another type, or more than they were."""
    if rng.random() < 0.12:
        return make_value(rng)
    if isinstance(value, dict):
        kept = {key: mutate(rng, inner) for key, inner in value.items() if rng.random() > 0.08}
        return {**kept, rng.choice(TEXTS)[:20]: make_value(rng, 1)} if rng.random() < 0.1 else kept
    if isinstance(value, list):
        return [mutate(rng, inner) for inner in value] * rng.choice((1, 1, 1, 2, 0))
    if isinstance(value, str) and rng.random() < 0.25:
        return value[: rng.randrange(len(value) + 1)] + rng.choice(TEXTS)
    return value


def tear(rng, data):
    """Return bytes that were cut, changed or doubled, as a disk or a killed writer leaves them."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        how = rng.randrange(4)
        if how == 0:
            del data[at:]
        elif how == 1 and at < len(data):
            data[at] ^= rng.randrange(1, 256)
        elif how == 2:
            data[at:at] = rng.choice((b"\n", b"\xff\xfe", b"\0", b"{", b"[" * 2000, b'"', b"}\n{"))
        else:
            data += data[:at]
    return bytes(data)


def encode(rng, value):
    """Return JSON as the client may send it; now and then torn, or nested deeper than a parser goes."""
    data = json.dumps(value, ensure_ascii=rng.random() < 0.7).encode("utf-8", "surrogatepass")
    if rng.random() < 0.08:
        return tear(rng, data)
    if rng.random() < 0.01:
        return b'{"prompt":' + b"[" * 100_000 + data
    return data


def make_event(rng, event, folder, session):
    """Return what a hook gets on its standard input."""
    fields = json.loads(json.dumps(EVENTS[event]))
    if event == "pre_tool_use" and rng.random() < 0.7:
        fields["tool_name"] = rng.choice(TOOLS)
    common = {"session_id": session, "cwd": folder, "hook_event_name": event, "transcript_path": f"{folder}/t.jsonl"}
    mutated = mutate(rng, fields)
    if not isinstance(mutated, dict):
        return encode(rng, mutated)
    whole = {**common, **mutated}
    if rng.random() < 0.15:
        whole[rng.choice(list(common))] = make_value(rng)
    return encode(rng, whole)
