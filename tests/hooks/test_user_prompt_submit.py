"""The prompt's door: on disk before Claude sees it, told in a line, silent when there is nothing to say."""

import base64
import hashlib
import os
from pathlib import Path

import pytest
import story
from doors import CORRECTION, SESSION, call, kinds, log, records, run, said

from belay.client.event import Event
from belay.core import clock
from belay.hooks import user_prompt_submit
from belay.memory.remember import filing
from belay.repository import projects
from belay.session import journal, working_buffer
from belay.session.session import Session


def prompt(repo, text, **fields):
    return run("user_prompt_submit", repo, prompt=text, prompt_id="p-1", **fields)


def test_an_ordinary_prompt_is_one_record_and_no_word(project, repo):
    assert said(prompt(repo, "Please show me the list of open files")) == ("", "")
    (record,) = records(project)
    expected = {
        "kind": "prompt",
        "text": "Please show me the list of open files",
        "prompt_id": "p-1",
        "source": "user",
        "branch": "main",
        "root": str(repo),
    }
    assert expected.items() <= record.items()
    assert len(record["head"]) == 40
    assert not os.path.exists(project.buffer)
    assert log() == ""


def test_a_correction_is_journalled_then_captured_then_told(project, repo):
    told, _ = said(prompt(repo, CORRECTION))
    assert kinds(project)[0] == "prompt"
    (capture,) = [record for record in records(project) if record["kind"] == "capture"]
    assert capture["id"] in told
    assert told.startswith("<belay>\n")
    assert told.endswith("\n</belay>")
    for path in (project.buffer, project.daily(clock.local_date())):
        assert capture["id"] in Path(path).read_text()
    assert capture["text"] in told


def test_facts_stay_and_a_correction_replaces_one(project, repo):
    for text in ("retry failed uploads 3 times in the worker", "retry failed uploads 5 times in the client"):
        said(prompt(repo, f"Remember that we {text}."))
    first, second = [record for record in records(project) if record["kind"] == "capture"]
    text = Path(project.buffer).read_text()
    assert first["id"] in text
    assert second["id"] in text

    told, _ = said(prompt(repo, "Actually use 5 retries, not 3."))
    text = Path(project.buffer).read_text()
    assert f"(correction); replaces {first['id']}: Actually use 5 retries, not 3." in told
    assert first["id"] not in text
    assert second["id"] in text
    assert first["id"] in Path(project.daily(clock.local_date())).read_text()


def test_the_prompt_is_written_at_once_and_synced_before_anything_else(project, repo, monkeypatch):
    steps = []
    real_write, real_sync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda handle, data: steps.append(bytes(data)) or real_write(handle, data))
    monkeypatch.setattr(os, "fsync", lambda handle: steps.append("sync") or real_sync(handle))
    Session(project, "warm", os.environ).log("start")
    steps.clear()
    user_prompt_submit.handle(Event({"session_id": SESSION, "cwd": str(repo), "prompt": CORRECTION}, os.environ))
    assert journal.unseal(steps[0])["text"] == CORRECTION
    assert steps[1] == "sync"


MACHINE = [
    "<task-notification>\n<task-id>a</task-id>\nuse tabs, not spaces\n</task-notification>",
    "<system-reminder>use tabs, not spaces</system-reminder>",
]


@pytest.mark.parametrize("text", MACHINE)
def test_a_machines_turn_is_a_mark_without_text(project, repo, text):
    said(prompt(repo, text))
    (record,) = records(project)
    assert record["kind"] == "machine"
    assert "tabs" not in str(record)


def test_belays_own_words_are_never_captured_again(project, repo):
    told, _ = said(prompt(repo, CORRECTION))
    said(prompt(repo, f"look at this:\n{told}"))
    assert kinds(project).count("capture") == 1


def test_a_continuation_summary_brings_the_recovery_order(project, repo):
    said(prompt(repo, CORRECTION))
    told, _ = said(
        prompt(
            repo,
            "This session is being continued from a previous conversation that ran out of context. use tabs",
        )
    )
    assert "5433" in told
    assert "working" not in told.split("\n")[0]
    assert kinds(project).count("capture") == 1


KEY = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def everything(project):
    parts = [path.read_bytes() for path in Path(project.root).rglob("*") if path.is_file() and ".git/" not in str(path)]
    return b"\n".join(parts)


@pytest.mark.parametrize("filler", [0, 70_000, 300_000])
@pytest.mark.parametrize("where", ["head", "tail"])
def test_no_secret_reaches_the_disk_however_long_the_prompt(project, repo, filler, where):
    sentence = f"No, use the token {KEY} for staging, not the old one."
    text = (
        f"{sentence}\n" + "lorem ipsum " * (filler // 12)
        if where == "head"
        else "lorem ipsum " * (filler // 12) + f"\n{sentence}"
    )
    told, _ = said(prompt(repo, text))
    assert KEY not in told
    assert KEY.encode() not in everything(project)
    assert b"redacted" in everything(project)


def test_a_private_key_that_the_tail_would_cut_is_left_out(project, repo):
    lines = [base64.b64encode(hashlib.sha384(str(n).encode()).digest()).decode() for n in range(100)]
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    for after in range(0, 13_000, 1500):
        text = "lorem ipsum " * 6000 + key + "\n" + "dolor " * (after // 6)
        kept = str(user_prompt_submit._redact_prompt(text))
        assert not [line for line in lines if line[8:40] in kept], after
    kept = str(user_prompt_submit._redact_prompt("lorem " * 20_000 + key[:6000]))
    assert not [line for line in lines if line[8:40] in kept]


def test_a_long_prompt_is_kept_by_its_ends(project, repo):
    text = "begin " + "x y " * 30_000 + " the end"
    said(prompt(repo, text))
    record = next(record for record in records(project) if record["kind"] == "prompt")
    assert "text" not in record
    assert (record["text_head"][:6], record["text_tail"][-7:], record["length"]) == (
        "begin ",
        "the end",
        len(text),
    )
    assert record["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert len(record["text_head"]) == len(record["text_tail"]) == 8192


def test_what_is_asked_to_be_remembered_is_captured(project, repo):
    told, _ = said(prompt(repo, "Remember this: the demo is on Thursday at ten."))
    assert "Thursday" in told
    assert "Thursday" in Path(project.buffer).read_text()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Remember this: the deploy key belongs to Ann.", "note"),
        ("Remember this: always use tabs.", "preference"),
        ("Remember this: the staging database is on port 5433.", "value"),
    ],
)
def test_what_is_asked_to_be_remembered_has_one_kind(project, repo, text, kind):
    said(prompt(repo, text))

    rows = [row for row in records(project) if row["kind"] == "capture"]
    assert [working_buffer.main_class(row) for row in rows] == [kind]
    assert [filing.capture_kind(row) for row in rows] == [kind]


@pytest.mark.parametrize(
    ("text", "filed"),
    [
        ("Remember to run the linter before every commit.", ["- Run the linter before every commit."]),
        ("Don't forget the changelog.", ["- Don't forget the changelog."]),
        ("Do not forget: invoices are in cents.", ["- Invoices are in cents."]),
        ("Add refund(). Don't forget the tests.", []),
        ("That's it for today.", []),
    ],
)
def test_all_that_is_to_be_remembered_is_filed(project, repo, text, filed):
    known = "# Project Memory\n\n## Where We Left Off\n- **Current task:** none\n\n## Key Decisions\n"
    story.remember(repo, "MEMORY.md", known, os.stat(repo).st_mtime)
    said(prompt(repo, text))
    filing.file_pending(Session(project, SESSION, os.environ))

    new = [line for line in (repo / "MEMORY.md").read_text().splitlines() if line and line not in known.splitlines()]
    assert [line for line in new if not line.startswith("#")] == filed


def test_save_state_writes_the_continuation_now(project, repo):
    (repo / "file.txt").write_text("one more\n")
    said(prompt(repo, "Mend the parser of the config files"))
    run(
        "post_tool_batch",
        repo,
        tool_calls=[call("Edit", "updated", file_path=str(repo / "file.txt"), old_string="a", new_string="one")],
    )
    told, _ = said(prompt(repo, "Save the state, we'll continue this later."))
    assert "CONTINUATION.md" in told
    assert "Resume from: `file.txt:1`" in Path(project.continuation).read_text()


def test_a_request_to_belay_is_no_task(project, repo):
    said(prompt(repo, "Mend the parser of the config files"))
    said(prompt(repo, "Save the state, we'll continue this later."))
    said(prompt(repo, "Let's wrap up."))
    assert Session(project, SESSION, os.environ).state["task"] == "Mend the parser of the config files"
    assert Path(project.continuation).read_text().startswith("# Continue: Mend the parser of the config files\n")


def test_where_were_we_is_answered(project, repo):
    said(prompt(repo, CORRECTION))
    told, _ = said(prompt(repo, "What were we doing?"))
    assert "5433" in told


def test_parallel_prompts_of_many_sessions_are_all_kept(project, repo):
    import concurrent.futures

    names = [f"{n}0000000-aaaa" for n in range(6)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda name: run("user_prompt_submit", repo, session=name, prompt=CORRECTION), names))
    assert all(CORRECTION.split(",")[0] in said(one)[0] for one in done)
    text = Path(project.buffer).read_text()
    for name in names:
        assert kinds(project, name).count("capture") == 1
    assert text.count("<!-- belay session") == text.count("<!-- /belay -->") >= 1
    assert log() == ""


def test_a_hostile_session_id_stays_in_its_folder(project, repo, tmp_path):
    said(run("user_prompt_submit", repo, session="../../../../evil", prompt=CORRECTION))
    said(run("user_prompt_submit", repo, session="ledger", prompt=CORRECTION))
    assert not list(tmp_path.rglob("*evil*"))
    assert all(record["kind"] == "capture" for record in journal.read(project.ledger)[0])
    assert projects.find(str(repo), os.environ).store == project.store
