"""Whatever a hook, a file or a message holds: hooks answer with valid JSON and break nowhere, readers never raise."""

import contextlib
import json
import os
import random
from collections import Counter
from pathlib import Path

import doors
import inputs
import pytest

from belay.client import conversation, processes, transcript
from belay.context.start import compiled_memory
from belay.core import settings
from belay.core.errors import BadInput
from belay.hooks import run as hook
from belay.memory.document import facts, page
from belay.memory.wrapup import document
from belay.session import journal
from belay.session.session import Session
from belay.session.state import empty_state

SESSIONS = ("s-1", "s-2", doors.SESSION)
NAMES = {name: "".join(part.title() for part in name.split("_")) for name in inputs.EVENTS}
LINE = {
    "type": "assistant",
    "timestamp": "2026-11-22T10:00:00.000Z",
    "sessionId": "s-1",
    "uuid": "u",
    "message": {
        "id": "m",
        "role": "assistant",
        "model": "claude-opus-4-5",
        "content": [{"type": "text", "text": "Done. Next I will write the tests."}, {"type": "tool_use", "id": "t"}],
        "usage": {"input_tokens": 9000, "output_tokens": 10, "cache_read_input_tokens": 0},
    },
    "toolUseResult": {"filePath": "file.txt", "structuredPatch": [{"newStart": 3, "lines": [" a", "+b"]}]},
}
PAGE = "# Project Memory\n\n## Active Work\n| Task | Status |\n|---|---|\n| parser | open |\n\n## Key Decisions\n- SQLite\n"
YAML = "notices: true\nthresholds: [40, 60]\nshare: [memory]\nretention_days: 90\n"
FORM = "summary: Rotated tokens\nstatus: in progress\nnext step: add the TTL\ndecisions:\n  - decision: SQLite\n"


@pytest.fixture
def quiet(monkeypatch, project):
    """No work beside: what outlives a hook is not of this test. A payload without a folder falls back on the project."""
    monkeypatch.chdir(project.root)
    monkeypatch.setattr(processes, "run_detached", lambda work: True)
    monkeypatch.setattr(compiled_memory, "start_compiling", lambda *_: None)


def broken():
    return doors.log().count(" failed\n")


def fuzz_hooks(rng, project, number):
    """Send events to the hooks' boundary, in one process; return how many by event."""
    done = Counter()
    for _ in range(number):
        event = rng.choice(list(inputs.EVENTS))
        raw = inputs.make_event(rng, event, project.root, rng.choice(SESSIONS))
        reply = hook.respond(event, NAMES[event], raw, os.environ)
        if reply.plain and event != "pre_compact":
            assert isinstance(json.loads(reply.plain.encode("utf-8", "replace")), dict)
        if reply.then:
            hook.guarded(event, reply.then, os.environ)
        assert not broken(), (event, raw[:2000], doors.log()[-3000:])
        done[event] += 1
    return done


def fuzz_journals(rng, project, number):
    """Put records of any content, ours by their mark, into a journal, and read the state; then tear the files."""
    session = Session(project, "torn", os.environ)
    kinds = ("prompt", "capture", "edit", "command", "said", "todos", "plan", "commit", "delivered", "close", "start",
             "recalled", "budget", "filed", "near", "intent", "wrap-up", "unwrapped", "lesson", "kept", "end")  # fmt: skip
    path = Path(project.journal("torn"))
    path.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(number):
        lines = [
            journal.seal({"time": "2026-03-01T10:00:00.000000Z", "kind": rng.choice(kinds), "mark": session.mark})
            + b"\n"
            for _ in range(3)
        ]
        path.write_bytes(inputs.tear(rng, b"".join(lines)))
        state = Path(project.state("torn"))
        if state.exists():
            state.write_bytes(inputs.tear(rng, state.read_bytes()))
        session.reload()
        assert session.state.keys() == empty_state("torn").keys()
        session.save()
    return Counter(journal=number)


def fuzz_texts(rng, project, number):
    """Tear memory files, settings, forms and transcripts, and read them with all that reads them."""
    transcript_path = Path(project.root, "t.jsonl")
    yaml_path = Path(project.settings)
    yaml_path.parent.mkdir(parents=True, exist_ok=True)
    done = Counter()
    for turn in range(number):
        text = inputs.tear(rng, PAGE.encode()).decode("utf-8", "replace") + rng.choice(inputs.TEXTS)
        facts.read_facts(page.parse(text.encode("utf-8", "replace").decode()))
        if turn % 4 == 0:
            yaml_path.write_bytes(inputs.tear(rng, YAML.encode()))
            settings.resolve_settings(project, os.environ, True)
            with contextlib.suppress(BadInput):  # one line, with the mend
                document.parse_document(inputs.tear(rng, FORM.encode()))
            done.update(("settings", "form"))
        rows = [json.dumps(inputs.mutate(rng, LINE)).encode() for _ in range(2)]
        transcript_path.write_bytes(inputs.tear(rng, b"\n".join(rows)) + b"\n")
        conversation.scan_transcript(str(transcript_path))
        list(conversation.scan_dialogue(str(transcript_path)))
        transcript.find_latest(str(transcript_path))
        transcript.find_compactions(str(transcript_path))
        transcript.find_last_answer(str(transcript_path), "")
        transcript.find_patches(str(transcript_path))
        done.update(("memory", "transcript"))
    return done


def fuzz_all(seed, project, number):
    """Run every fuzzer on its share of the inputs; return how many inputs of each kind were read."""
    shares = {fuzz_hooks: 0.6, fuzz_journals: 0.2, fuzz_texts: 0.1}
    done = Counter()
    for fuzz, share in shares.items():
        done += fuzz(random.Random(f"{seed} {fuzz.__name__}"), project, int(number * share))
    return done


def test_three_hundred_hostile_inputs(project, quiet):
    doors.said(doors.run("user_prompt_submit", project.root, prompt="Mend the parser", session="s-1"))
    assert sum(fuzz_all(3, project, 300).values()) > 300
    assert not broken()


def test_hostile_events_through_the_door(project):
    rng = random.Random(9)
    for event in inputs.EVENTS:
        for _ in range(2):
            raw = inputs.make_event(rng, event, project.root, doors.SESSION)
            done = doors.run(event, project.root, data=raw)
            assert (done.returncode, done.stderr) == (0, b""), raw[:500]
            assert event == "pre_compact" or not done.stdout.strip() or json.loads(done.stdout)
    assert doors.log() == ""


@pytest.mark.campaign
def test_fifty_thousand_hostile_inputs(project, quiet, capsys):
    done = Counter()
    for seed in range(50):
        done += fuzz_all(seed, project, 1000)
        for name in os.listdir(project.journals):  # long journals are another test's
            os.unlink(os.path.join(project.journals, name))
    with capsys.disabled():
        print(f"\n{sum(done.values()):,} hostile inputs, nothing broke: {dict(done)}")
    assert sum(done.values()) >= 50_000
