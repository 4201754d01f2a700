"""The hooks' doors as the client runs them: a process each, JSON in, JSON or nothing out."""

import json
import os
import subprocess

import measuring

from belay.core import paths
from belay.session import journal

SESSION = "11111111-2222-4333-8444-555555555555"
CORRECTION = "No, use port 5433 for the staging database, not 5432."
EVENTS = (
    "session_start",
    "user_prompt_submit",
    "pre_tool_use",
    "post_tool_batch",
    "stop",
    "pre_compact",
    "subagent_start",
    "session_end",
)


def run(event, folder, data=None, session=SESSION, environ=None, before=None, **fields):
    """Run one door on a payload (or on the bytes `data`), `before` called in its process; return the finished process."""
    payload = {
        "session_id": session,
        "cwd": str(folder),
        "hook_event_name": event,
        "transcript_path": str(folder) + "/no-transcript.jsonl",
        **fields,
    }
    raw = json.dumps(payload).encode() if data is None else data
    return subprocess.run(
        measuring.door(paths.resource("hooks", event + ".py")),
        input=raw,
        capture_output=True,
        env={**os.environ, **(environ or {})},
        timeout=60,
        check=False,
        cwd="/",
        preexec_fn=before,
    )


def said(done):
    """Return (what Claude is told, what the user is told) by a door that ended well."""
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    if not done.stdout.strip():
        return "", ""
    out = json.loads(done.stdout)
    return out.get("hookSpecificOutput", {}).get("additionalContext", ""), out.get("systemMessage", "")


def denied(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["hookSpecificOutput"]["permissionDecisionReason"] if done.stdout else ""


def records(project, session=SESSION):
    """Return the journal of a session; nothing in it is damaged."""
    found, damaged = journal.read(project.journal(session))
    assert damaged == 0
    return found


def kinds(project, session=SESSION):
    return [record["kind"] for record in records(project, session)]


def call(name, response="", **given):
    return {"tool_name": name, "tool_input": given, "tool_use_id": "toolu_1", "tool_response": response}


def log(environ=None):
    """Return what hooks wrote into the bug log: "" when none broke."""
    path = paths.log_file({**os.environ, **(environ or {})})
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()
