"""The harness itself, proved with a throw-away plugin whose hooks write down their input."""

import json
import time

import pytest
from host.api import Api, Turn, tool
from host.terminal import Terminal

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolBatch",
    "PreCompact",
    "Stop",
    "SessionEnd",
)


@pytest.fixture
def witness(tmp_path):
    """A plugin that appends the input of every hook to one file, and greets each prompt."""
    folder, log = tmp_path / "witness", tmp_path / "witnessed.jsonl"
    for name in (".claude-plugin", "hooks"):
        (folder / name).mkdir(parents=True)
    (folder / ".claude-plugin" / "plugin.json").write_text('{"name": "witness"}')
    hook = {
        "type": "command",
        "command": "sh",
        "args": ["-c", 'cat >> "$0"; echo >> "$0"', str(log)],
        "timeout": 10,
    }
    greet = {"type": "command", "command": "echo", "args": ["greetings from a hook"], "timeout": 10}
    hooks = {event: [{"hooks": [hook]}] for event in EVENTS}
    hooks["UserPromptSubmit"][0]["hooks"].append(greet)
    (folder / "hooks" / "hooks.json").write_text(json.dumps({"hooks": hooks}))
    folder.joinpath("log").symlink_to(log)
    return folder


def seen(witness):
    """Return what the hooks were given, in order."""
    return [json.loads(line) for line in (witness / "log").read_text().splitlines() if line]


def test_headless_turns_and_compaction(client, witness):
    turns = [Turn("Looking.", [tool("Bash", command="echo hello")], used=90_000), Turn("Done."), Turn("Two.")]
    with Api(turns, summary="we said hello") as api:
        run = client(api, [witness]).run("first prompt", "/compact", "second prompt")

    assert run.code == 0, run.stderr
    assert [result["result"] for result in run.results] == ["Done.", "", "Two."]
    names = [payload["hook_event_name"] for payload in seen(witness)]
    assert names.count("UserPromptSubmit") >= 2
    assert set(names) == set(EVENTS)
    assert "greetings from a hook" in api.main[0].text
    assert "hello" in api.main[1].texts[-1]
    assert len(api.of("summary")) == 1
    assert "we said hello" in api.main[2].text
    assert "second prompt" in api.main[2].text
    assert run.hooks("UserPromptSubmit")


def test_usage_reaches_the_transcript(client, witness):
    with Api([Turn("Done.", used=123_456)]) as api:
        one = client(api, [witness])
        one.run("a prompt")

    (transcript,) = one.transcripts()
    usages = [json.loads(line).get("message", {}).get("usage") for line in transcript.read_text().splitlines()]
    (usage,) = [usage for usage in usages if usage]
    assert usage["input_tokens"] + usage["cache_read_input_tokens"] == 123_456


def test_killed_in_mid_turn(client, witness):
    with Api([Turn("I am about to", hang=True)]) as api, client(api, [witness]).start() as session:
        session.send("do it")
        api.wait_for(1)
        assert session.kill() == -9

    names = [payload["hook_event_name"] for payload in seen(witness)]
    assert "UserPromptSubmit" in names
    assert "SessionEnd" not in names
    assert session.results == []


def test_terminal(client, witness):
    with Api([Turn("All is done.")]) as api, Terminal(client(api, [witness])) as terminal:
        terminal.say("please look around")
        screen = terminal.wait_for("All is done.")
        assert "please look around" in screen
        terminal.leave()

    reasons = [payload.get("reason") for payload in seen(witness) if payload["hook_event_name"] == "SessionEnd"]
    assert reasons == ["prompt_input_exit"]
    assert "greetings from a hook" in api.main[0].text


def test_terminal_killed_in_mid_turn(client, witness):
    with Api([Turn("I am about to", hang=True)]) as api, Terminal(client(api, [witness])) as terminal:
        terminal.say("do it now")
        api.wait_for(1)
        terminal.kill()

    assert "SessionEnd" not in [payload["hook_event_name"] for payload in seen(witness)]


def test_a_slow_answer_is_waited_for(client, witness):
    with Api([Turn("late", delay=1.5)]) as api:
        began = time.monotonic()
        run = client(api, [witness]).run("a prompt")

    assert time.monotonic() - began > 1.5
    assert run.results[0]["result"] == "late"


def test_automatic_compaction(client, witness):
    turns = [
        Turn("Looking.", [tool("Bash", command="true")], used=99_000),
        Turn("One.", used=99_500),
        Turn("Two."),
    ]
    with Api(turns, summary="what was said") as api:
        run = client(api, [witness], CLAUDE_CODE_AUTO_COMPACT_WINDOW="100000").run("first prompt", "second prompt")

    assert run.results[-1]["result"] == "Two."
    assert "what was said" in api.main[-1].text
    assert "auto" in [payload.get("trigger") for payload in seen(witness)]
