"""Long sessions: what a hook costs does not grow with the journal, the transcript or the prompt."""

import os
import time

import pytest
from doors import SESSION, denied, log, records, run, said

from belay.core import lock
from belay.session import journal
from belay.session.session import Session

MEGABYTES = 100
CALLS = {
    "user_prompt_submit": {"prompt": "please show me the list of open files"},
    "pre_tool_use": {"tool_name": "Edit", "tool_input": {"file_path": "file.txt", "old_string": "one"}},
    "stop": {"last_assistant_message": "The parser reads both forms now. Next I will write its tests."},
    "session_start": {"source": "resume"},
}


def write_journal(session, size):
    """Write a journal of so many bytes: a decision, then edits; no state of it is saved."""
    session.log(
        "capture", id="C-AAAAAA", classes={"decision": 0.9}, text="SQLite for storage", branch="main", origin="typed"
    )
    line = {"time": "2026-03-01T10:00:00.000000Z", "kind": "edit", "session": session.name, "mark": session.mark}
    rows = [journal.seal({**line, "files": [{"path": f"src/m{n}.py", "line": n}]}) + b"\n" for n in range(4000)]
    part = b"".join(rows)
    for _ in range(size // len(part)):
        with open(journal.current_segment(session.project.journal(session.name)), "ab") as file:
            file.write(part)


def seconds(repo, event, fields):
    begun = time.perf_counter()
    said(run(event, repo, **fields))
    return time.perf_counter() - begun


@pytest.mark.parametrize("event", CALLS)
def test_a_hundred_megabytes_of_journal_cost_a_hook_no_more_than_its_end(project, repo, event):
    write_journal(Session(project, SESSION, os.environ), MEGABYTES << 20)
    other = {**CALLS[event], "session_id": "short"}
    said(run("user_prompt_submit", repo, session="short", prompt="hello"))
    with lock.hold(os.path.join(project.states, "fold.lock")):  # nobody folds it meanwhile
        pairs = [(seconds(repo, event, CALLS[event]), seconds(repo, event, other)) for _ in range(5)]

    long, short = (min(column) for column in zip(*pairs, strict=True))
    assert long < 4 * short
    assert not os.path.exists(project.state(SESSION))
    assert log() == ""


def test_the_rest_of_a_long_journal_is_folded_beside_the_session(project, repo):
    session = Session(project, SESSION, os.environ)
    write_journal(session, 4 << 20)
    said(run("user_prompt_submit", repo, prompt=CALLS["user_prompt_submit"]["prompt"]))

    until = time.monotonic() + 30
    while not os.path.exists(project.state(SESSION)) and time.monotonic() < until:
        time.sleep(0.05)
    with lock.hold(os.path.join(project.states, "fold.lock"), deadline=30.0):
        state, is_complete = Session(project, SESSION, os.environ)._file().load_within(100_000)
    assert is_complete
    assert list(state["captures"]) == ["C-AAAAAA"]
    assert state["edits"]["src/m3999.py"]["line"] == 3999


def test_what_is_captured_meanwhile_is_not_lost(project, repo):
    session = Session(project, SESSION, os.environ)
    write_journal(session, 1 << 20)
    with lock.hold(os.path.join(project.states, "fold.lock")):
        told, _ = said(run("user_prompt_submit", repo, prompt="No, use port 5433 for the staging database, not 5432."))
        assert "Recorded C-" in told
        assert not os.path.exists(project.state(SESSION))
        said(run("stop", repo, **CALLS["stop"]))
    session.reload()
    assert [row["text"] for row in session.state["captures"].values()] == [
        "SQLite for storage",
        "No, use port 5433 for the staging database, not 5432.",
    ]


def test_a_prompt_of_twenty_megabytes_is_kept_by_its_ends(project, repo):
    text = "please read this list " + "word " * (4 << 20) + "and sort it"
    begun = time.perf_counter()
    said(run("user_prompt_submit", repo, prompt=text))
    assert time.perf_counter() - begun < 5
    (record,) = records(project)
    assert record["length"] == len(text)
    assert record["text_tail"].endswith("and sort it")


def test_a_transcript_of_half_a_gigabyte_is_read_from_its_end(project, repo, tmp_path):
    transcript = tmp_path / "long.jsonl"
    with open(transcript, "wb") as file:
        file.truncate(500 << 20)
    said(run("user_prompt_submit", repo, prompt="hello"))
    for event, fields in CALLS.items():
        begun = time.perf_counter()
        said(run(event, repo, transcript_path=str(transcript), **fields))
        assert time.perf_counter() - begun < 5
    assert log() == ""


@pytest.mark.parametrize("unit", ["TOKEN=a.key=&a密码是 ", 'password="x1' * 100 + " "])
def test_a_prompt_of_thirty_megabytes_is_journalled_in_time(unit, project, repo):
    quick = min(seconds(repo, "user_prompt_submit", {"prompt": "hello"}) for _ in range(3))
    for number, size in enumerate((60_000, 30 << 20)):
        text = (unit * (size // len(unit.encode()) + 1)).encode()[:size].decode("utf-8", "ignore")
        begun = time.perf_counter()
        run("user_prompt_submit", repo, prompt=text, prompt_id=f"p-{number}")
        assert time.perf_counter() - begun < 2 + 5 * quick
    short, long = [record for record in records(project) if record.get("prompt_id", "") in ("p-0", "p-1")]
    assert "[redacted:" in short["text"]
    assert "[redacted:" in long["text_head"]
    assert long["length"] == len(text)


def test_thirty_megabytes_for_the_memory_file_are_judged_within_a_second(project, repo):
    text = "token=" * ((30 << 20) // 6)
    quick = min(seconds(repo, "pre_tool_use", CALLS["pre_tool_use"]) for _ in range(3))
    for fields in ({"file_path": "MEMORY.md", "content": text}, {"command": f"cat > MEMORY.md <<'E'\n{text}\nE"}):
        begun = time.perf_counter()
        done = run("pre_tool_use", repo, tool_name="Tool", tool_input=fields)
        assert time.perf_counter() - begun < 1 + 20 * quick
        assert "Belay" in denied(done)
