"""Records of sessions: made from journals, once, whatever is killed or written again."""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import dialogues as talk
import pytest
import transcripts as lines

from belay.consolidate import session_records
from belay.core import paths
from belay.knowledge.store import database, rebuild
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import session_rows
from belay.session import journal
from belay.session.session import Session, find_others

ONE, TWO = talk.NAMES
PACKED = Path(__file__).parents[1] / "data" / "written-0e204dc.tar.xz"
LATER = "2099-01-01T00:00:00.000000Z"


def begin(project, name=ONE, task="make the pool test stable"):
    session = Session(project, name, os.environ)
    session.log("start", **session.place())
    session.log("prompt", task=task, text=task, **session.place())
    return session


def step(project):
    sessions = find_others(Session(project, "", os.environ), 400, 500)[::-1]  # as the consolidator has them
    return session_records.run_step(project, os.environ, sessions)


def record(project, name=ONE):
    with Store(project.workshop, os.environ) as store:
        return session_rows.load_record(store.connection, name)


def written(project):
    return [row for row in journal.read(project.ledger)[0] if row["kind"] == "session"]


def everything(project):
    with Store(project.workshop, os.environ) as store:
        rows = session_rows.list_sessions(store.connection)
        return [session_rows.load_record(store.connection, row["id"]) for row in rows]


def worked(project, name=ONE):
    session = begin(project, name)
    session.log("reflex", phase="preflight", goal="stable pool test", confidence=0.8, unknowns=["which port?", "CI?"])
    session.log("edit", files=[{"path": "src/pool.py", "line": 3}, {"path": "/tmp/x", "line": 1}])
    session.log("edit", files=[{"path": "src/pool.py", "line": 4}])
    session.log("capture", id="C-AAAAAA", classes={"decision": 0.9}, text="one port a worker", branch="main")
    session.log("commit", sha="abc1234", subject="Give each worker a port")
    session.log("compacted")
    session.log("reflex", phase="check", answered=["which port?"])
    return session


def test_a_session_is_recorded_with_all_that_it_stated_and_made(project):
    session = worked(project)
    stated = {"result": "no failure in 50 runs", "outcome": "done", "learned": ["ports collide"], "unresolved": ["CI?"]}
    session.log("reflex", phase="postflight", **stated)
    session.log("end", reason="exit")
    assert step(project) == 1
    found = record(project)
    row = found["row"]

    assert (row["goal"], row["goal_stated"]) == ("stable pool test", True)
    assert (row["outcome"], row["outcome_stated"], row["result"]) == ("done", True, "no failure in 50 runs")
    assert (row["prompts"], row["captures"], row["reason"], row["branch"]) == (1, 1, "exit", "main")
    assert row["head_start"] == session.head[1]
    assert row["head_end"] == "abc1234"
    assert row["started"] < row["ended"] == row["recorded"]
    assert (row["investigating"], row["acting"], row["tokens"]) == (None, None, None)
    assert [(one["phase"], one["stated"], one["confidence"]) for one in found["reflexes"]] == [
        ("preflight", True, 0.8), ("check", True, None), ("postflight", True, None),
    ]  # fmt: skip
    assert (found["reflexes"][2]["unknowns"], found["reflexes"][2]["learned"]) == (["CI?"], ["ports collide"])
    assert [(one["kind"], one["name"], one["edits"]) for one in found["artifacts"]] == [
        ("commit", "abc1234", 0), ("file", "src/pool.py", 2),
    ]  # fmt: skip
    assert [one["event"] for one in found["snapshots"]] == ["compaction", "end"]
    assert found["snapshots"][0]["body"]["decisions"] == ["one port a worker"]


def test_without_a_postflight_the_outcome_is_inferred_and_marked(project):
    session = worked(project)
    session.log("end", reason="lost")
    step(project)
    found = record(project)

    assert (found["row"]["goal_stated"], found["row"]["outcome"], found["row"]["outcome_stated"]) == (
        True, "partly", False,
    )  # fmt: skip
    last = found["reflexes"][-1]
    assert (last["phase"], last["stated"], last["outcome"], last["unknowns"]) == (
        "postflight", False, "partly", ["CI?"],
    )  # fmt: skip


def test_a_session_that_goes_on_and_closes_its_preflight_takes_the_inference_back(project):
    session = worked(project)
    session.log("end", reason="exit")
    step(project)
    session.log("start", source="resume", **session.place())
    assert session.state["preflight"]["unknowns"] == ["CI?"]
    session.log("reflex", phase="postflight", outcome="failed", result="CI has one port only")
    assert step(project) == 1
    found = record(project)

    assert (found["row"]["outcome"], found["row"]["outcome_stated"], found["row"]["ended"]) == ("failed", True, "")
    assert [one["stated"] for one in found["reflexes"]] == [True, True, True]


def test_what_was_never_stated_comes_from_the_work(project):
    session = begin(project)
    session.log("edit", files=[{"path": "a.py", "line": 1}])
    session.log(
        "said", text="Done.", answer={"declared": "", "kind": "done", "question": "", "steps": [], "announced": ""}
    )
    session.log("end", reason="exit")
    step(project)
    row = record(project)["row"]

    assert (row["goal"], row["goal_stated"]) == ("make the pool test stable", False)
    assert (row["outcome"], row["outcome_stated"]) == ("done", False)


@pytest.mark.parametrize("kind", ["nothing", "not over", "terminal"])
def test_what_gets_no_record(project, kind):
    name = "terminal" if kind == "terminal" else ONE
    session = Session(project, name, os.environ)
    session.log("start", **session.place())
    if kind != "nothing":
        session.log("prompt", task="x", text="x", **session.place())
    if kind != "not over":
        session.log("end", reason="exit")

    assert step(project) == 0
    assert not os.path.exists(project.workshop)


def test_each_event_is_recorded_once_however_often_it_is_looked_at(project):
    worked(project).log("end", reason="exit")
    assert [step(project), step(project)] == [1, 0]
    os.unlink(project.derived("recorded"))
    Session(project, ONE, os.environ).log("folded")
    assert step(project) == 0

    assert len(written(project)) == 1


def test_a_record_written_again_is_the_same(project):
    worked(project).log("end", reason="exit")
    worked(project, TWO).log("compacted")
    step(project)
    before = everything(project)
    with Store(project.workshop, os.environ) as store:
        rebuild.rewrite_base(store)
    assert everything(project) == before
    for name in ("workshop.db", "workshop.db-wal", "workshop.db-shm"):
        Path(project.stored(name)).unlink(missing_ok=True)
    Path(project.ledger).unlink()
    os.unlink(project.derived("recorded"))
    assert step(project) == 2

    assert everything(project) == before
    assert len(before) == 2


def test_a_record_outlives_its_journal(project):
    worked(project).log("end", reason="exit")
    step(project)
    before = everything(project)
    Path(project.journal(ONE)).unlink()
    Path(project.state(ONE)).unlink(missing_ok=True)
    step(project)
    with Store(project.workshop, os.environ) as store:
        rebuild.rewrite_base(store)

    assert everything(project) == before


def test_calls_and_tokens_are_counted_from_the_transcript(project):
    session = begin(project)
    used = {"input_tokens": 10, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 900, "output_tokens": 7}

    def said(use, name, message, time=LATER, **given):
        row = talk.call(use, name, time=time, **given)
        row["message"] |= {"id": message, "usage": used}
        return row

    talk.write(
        project, ONE,
        said("t0", "Bash", "m0", time="2001-01-01T00:00:00.000Z", command="rm -rf build"),  # copied by a fork
        said("t1", "Read", "m1", file_path="a"), said("t2", "Grep", "m1", pattern="a"),
        said("t3", "Edit", "m2", file_path="a"), said("t3", "Edit", "m2", file_path="a"),
        said("t4", "Bash", "m3", command="git status | head"), said("t5", "Bash", "m3", command="git push"),
        said("t7", "Bash", "m3", command="belay postflight done"),
        {**said("t6", "Write", "m4", file_path="a"), "isSidechain": True}, b"{torn",
    )  # fmt: skip
    session.log("end", reason="exit")
    step(project)
    row = record(project)["row"]
    assert (row["investigating"], row["acting"], row["tokens"]) == (3, 2, 3 * 22)

    Path(paths.client_project(os.environ, project.home), f"{ONE}.jsonl").unlink()
    session.log("prompt", task="more", text="more", **session.place())
    session.log("end", reason="exit")
    assert step(project) == 1
    row = record(project)["row"]
    assert (row["investigating"], row["acting"], row["tokens"], row["prompts"]) == (3, 2, 66, 2)


def test_a_hostile_name_is_a_name(project):
    from belay.client.event import session_name

    name = session_name("../../x'; DROP TABLE sessions; --")
    worked(project, name).log("end", reason="a' OR 1=1 --")
    assert step(project) == 1

    assert record(project, name)["row"]["reason"] == "a' OR 1=1 --"
    assert sorted(os.listdir(project.journals)) == sorted([f"{name}.jsonl", "ledger.jsonl"])


def test_a_strangers_records_are_not_believed(project):
    worked(project).log("end", reason="exit")
    step(project)
    rows = written(project)
    forged = {**rows[0], "of": TWO, "row": {**rows[0]["row"], "id": TWO}, "mark": "0" * 32}
    journal.append(project.ledger, {key: value for key, value in forged.items() if key != "crc"})
    with Store(project.workshop, os.environ) as store:
        rebuild.rewrite_base(store)

    assert [one["of"] for one in everything(project)] == [ONE]


def test_a_run_ends_in_time_and_the_next_does_the_rest(project, monkeypatch):
    monkeypatch.setattr(session_records, "SECONDS", 0.0)
    names = [f"{number:08}-1111-4222-8333-444444444444" for number in range(3)]
    for name in names:
        worked(project, name).log("end", reason="exit")
    written_each = [step(project) for _ in range(4)]

    assert written_each == [1, 1, 1, 0]
    assert [row["of"] for row in written(project)] == names[::-1]


@pytest.mark.parametrize("lacks", ["row", "reflexes", "everything", "fields"])
def test_a_record_of_another_version_breaks_nothing(project, lacks):
    worked(project).log("end", reason="exit")
    step(project)
    row = {key: value for key, value in written(project)[0].items() if key not in ("crc", "time")}
    if lacks == "everything":
        row = {"kind": "session", "session": row["session"], "mark": row["mark"], "of": TWO}
    elif lacks == "fields":
        row |= {"of": TWO, "reflexes": [{}], "artifacts": [{}], "snapshots": [{}], "row": {"mood": "good"}}
    else:
        row = {**{key: value for key, value in row.items() if key != lacks}, "of": TWO}
    journal.append(project.ledger, row)

    assert [one["of"] for one in everything(project)] in ([ONE, TWO], [TWO, ONE])


KILLED = """
import os, signal, sqlite3, sys
fatal, done, real = int(sys.argv[1]), 0, sqlite3.connect
def count(statement):
    global done
    done += 1
    if done == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
def connect(*args, **options):
    connection = real(*args, **options)
    connection.set_trace_callback(count)
    return connection
sqlite3.connect = connect
from belay.consolidate import session_records
from belay.repository import projects
from belay.session.session import Session, find_others
project = projects.find(os.getcwd(), os.environ)
session_records.run_step(project, os.environ, find_others(Session(project, "", os.environ), 400, 500))
print(done)
"""


def run_killed(project, fatal):
    environ = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", KILLED, str(fatal)]
    return subprocess.run(command, cwd=project.root, env=environ, capture_output=True, text=True, check=False)


def test_a_step_that_is_killed_loses_nothing_and_counts_nothing_twice(project):
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("note", "The pool has eight workers")
    fatal, killed = 1, 0
    names = iter(f"{number:08}-1111-4222-8333-444444444444" for number in range(1000))
    used = []
    while True:
        used.append(next(names))
        worked(project, used[-1]).log("end", reason="exit")
        done = run_killed(project, fatal)
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        killed, fatal = killed + 1, fatal + 7
    step(project)
    rows = written(project)

    assert killed > 5
    assert sorted(row["of"] for row in rows) == sorted(used)
    assert sorted(one["of"] for one in everything(project)) == sorted(used)
    assert all(len(one["reflexes"]) == 3 and len(one["artifacts"]) == 2 for one in everything(project))


def test_a_base_of_version_2_is_brought_up(tmp_path, home):
    """The file was written by commit 0e204dc, the last of that version, with its user's key."""
    with tarfile.open(PACKED) as packed:
        packed.extractall(tmp_path, filter="data")
    data = home / ".local" / "share" / "belay"
    data.parent.mkdir(parents=True)
    (tmp_path / "belay").rename(data)
    base = tmp_path / "shop" / ".claude" / "memory" / "workshop.db"
    with Store(str(base), os.environ) as store:
        said = [row[0] for row in store.connection.execute("SELECT content FROM entries ORDER BY num")]
        mistakes = store.connection.execute("SELECT rule, what_happened, session FROM mistakes").fetchall()
        version = store.connection.execute("PRAGMA user_version").fetchone()[0]
        assert session_rows.list_sessions(store.connection) == []

    assert version == database.VERSION == 3
    assert len(said) == 4
    assert mistakes[0][:2] == ("Never mock the payment gateway", "a refund went out twice")


def test_json_of_a_record_is_what_the_base_holds(project):
    worked(project).log("end", reason="exit")
    step(project)
    (row,) = written(project)
    held = record(project)

    assert json.loads(json.dumps(held["row"])) == row["row"]
    assert held["reflexes"] == row["reflexes"]
    assert held["snapshots"] == row["snapshots"]
    assert lines.entry("user")["type"] == "user"
