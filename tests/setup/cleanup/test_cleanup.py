"""A cleanup on real trees: what goes where, what stays, and all of it back."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from legacy import LOG, contents, pending, rows, tree, workshop, write
from repos import git

from belay.core import json_codec
from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store
from belay.repository import projects
from belay.session import journal
from belay.setup.cleanup import cleanup, transfer

FILES = {
    ".claude-work/memory/notes.md": "n",
    ".claude-work/playbooks/deploy.md": "p",
    ".claude-work/plan.md": "plan",
    ".orchestration/evidence/run 1/ä.txt": "e",
    ".orchestration/plan.md": "other plan",
    ".orchestration/empty.md": "",
    ".workshop/config.json": "{}",
}


def at(project, path):
    return Path(project.root, path)


def moved(project):
    outcome = cleanup.carry_out(project)
    return {(step.do, project.relative(step.source)) for step in outcome.steps}, outcome


def kept(project):
    """Return what the files hold, those of Belay itself left out."""
    found = {path: entry[1] for path, entry in tree(project.root).items() if entry[1]}
    return {path: text for path, text in found.items() if "/undo/" not in path and not path.endswith(".gitignore")}


def test_everything_finds_its_place_and_returns(project):
    write(project.root, FILES)
    before = tree(project.root)

    _, outcome = moved(project)

    assert kept(project) == {
        "file.txt": b"one\n",
        ".claude/memory/notes.md": b"n",
        ".claude/memory/playbooks/deploy.md": b"p",
        ".claude/orchestration/plan.md": b"plan",
        ".claude/orchestration/plan.from-orchestration.md": b"other plan",
        ".claude/orchestration/evidence/run 1/ä.txt": b"e",
        ".claude/orchestration/config.json": b"{}",
    }
    assert outcome.done
    assert not any(at(project, name).exists() for name in (".claude-work", ".orchestration", ".workshop"))
    assert cleanup.take_back(project) == []
    assert tree(project.root) == before


def test_databases_and_undo_records_stay_out_of_git(project):
    workshop(at(project, ".workshop/workshop.db"), {"1": "a"})
    write(project.root, {".orchestration/a.md": "a", ".claude/memory/.gitignore": "mine\n"})
    before = tree(project.root)

    cleanup.carry_out(project)

    listed = git(project.root, "status", "--porcelain", "-uall").splitlines()
    assert [line[3:] for line in listed] == [".claude/orchestration/a.md"]
    cleanup.take_back(project)
    assert tree(project.root) == before


def test_looking_changes_nothing(project):
    write(project.root, FILES)
    pending(at(project, ".workshop/workshop.db"), ["late"])
    workshop(at(project, ".claude/memory/workshop.db"), {"1": "x"}, wal=True)
    before = tree(project.root)

    assert len(cleanup.plan_steps(project)) > 5

    assert tree(project.root) == before


def test_nothing_to_do_writes_nothing(project):
    before = tree(project.root)

    outcome = cleanup.carry_out(project)

    assert (outcome.steps, outcome.undo, outcome.done) == ([], "", True)
    assert tree(project.root) == before


def test_a_second_run_has_nothing_left(project):
    write(project.root, FILES)
    cleanup.carry_out(project)
    after = tree(project.root)

    assert cleanup.carry_out(project).steps == []

    assert tree(project.root) == after


def test_the_same_content_is_kept_once_and_undo_knows_both(project):
    write(
        project.root,
        {".workshop/a.md": "same", ".orchestration/a.md": "same", ".claude/orchestration/a.md": "same"},
    )
    before = tree(project.root)

    cleanup.carry_out(project)

    assert list(kept(project)) == ["file.txt", ".claude/orchestration/a.md"]
    cleanup.take_back(project)
    assert tree(project.root) == before


def test_clashes_keep_a_second_name_however_often(project):
    write(project.root, {".claude/orchestration/a.md": "0", ".workshop/a.md": "1"})
    cleanup.carry_out(project)
    write(project.root, {".workshop/a.md": "2"})
    cleanup.carry_out(project)

    assert kept(project) == {
        "file.txt": b"one\n",
        ".claude/orchestration/a.md": b"0",
        ".claude/orchestration/a.from-workshop.md": b"1",
        ".claude/orchestration/a.from-workshop-2.md": b"2",
    }


def test_a_file_and_a_folder_of_one_name_both_stay(project):
    write(
        project.root,
        {".orchestration/x": "file", ".workshop/x/inner.md": "inner", ".claude-work/x/app.db": ""},
    )

    cleanup.carry_out(project)

    assert kept(project)[".claude/orchestration/x.from-orchestration"] == b"file"
    assert kept(project)[".claude/orchestration/x/inner.md"] == b"inner"
    assert at(project, ".claude/orchestration/x/app.db").exists()


def test_legacy_files_never_become_belay_s_own(project):
    write(
        project.root,
        {f".claude-work/memory/{name}/x.jsonl": "{}" for name in ("journal", "STATE", "undo", "templates")},
    )
    write(project.root, {".workshop/.gitignore": "*\n"})

    cleanup.carry_out(project)

    names = os.listdir(project.store)
    assert {"journal.from-claude-work", "STATE.from-claude-work", "templates.from-claude-work"} <= set(names)
    assert not {"journal", "state", "templates"} & set(names)
    assert at(project, ".claude/orchestration/.gitignore.from-workshop").read_text() == "*\n"


def test_nested_legacy_folders_are_taken_apart(project):
    workshop(at(project, ".claude-work/.workshop/workshop.db"), {"1": "x"})
    write(project.root, {".claude-work/orchestration/evidence/a.txt": "a"})

    cleanup.carry_out(project)

    assert contents(project.workshop) == ["x"]
    assert kept(project)[".claude/orchestration/evidence/a.txt"] == b"a"
    assert not at(project, ".claude-work").exists()


def test_links_move_as_links_and_lead_nowhere(project, tmp_path):
    outside = tmp_path / "outside"
    write(outside, {"secret.txt": "s"})
    write(project.root, {".workshop/sub/a.md": "a"})
    at(project, ".workshop/away").symlink_to(outside)
    at(project, ".workshop/sub/up").symlink_to("../../..")
    write(project.root, {".claude/orchestration/x": ""})
    at(project, ".claude/orchestration/sub").symlink_to(outside)
    before = tree(outside)

    cleanup.carry_out(project)

    assert os.readlink(at(project, ".claude/orchestration/away")) == str(outside)
    assert os.readlink(at(project, ".claude/orchestration/sub.from-workshop/up")) == "../../.."
    assert tree(outside) == before


@pytest.mark.parametrize("place", [".claude", ".claude/memory", ".claude/orchestration"])
def test_a_target_that_leads_away_is_refused(project, tmp_path, place):
    (tmp_path / "outside").mkdir()
    write(project.root, FILES)
    at(project, place).parent.mkdir(exist_ok=True)
    at(project, place).symlink_to(tmp_path / "outside")
    before = tree(project.root)

    outcome = cleanup.carry_out(project)

    assert {step.do for step in outcome.steps} == {"leave"}
    assert "leads elsewhere" in outcome.steps[0].why
    assert tree(project.root) == before
    assert os.listdir(tmp_path / "outside") == []


def test_linked_and_foreign_folders_are_named_and_left(project, tmp_path):
    (tmp_path / "real").mkdir()
    at(project, ".workshop").symlink_to(tmp_path / "real")
    git(project.root, "init", "-q", ".orchestration")
    at(project, ".claude-work").write_text("a file")
    before = tree(project.root)

    _, outcome = moved(project)

    assert [(step.do, step.why) for step in outcome.steps] == [
        ("leave", "not a folder"),
        ("leave", "a repository of its own"),
        ("leave", f"a link to {tmp_path / 'real'}"),
    ]
    assert (outcome.done, outcome.undo) == (True, "")
    assert tree(project.root) == before


def test_a_repository_inside_moves_unopened(project):
    git(project.root, "init", "-q", ".orchestration/clone")
    write(project.root, {".orchestration/clone/a.txt": "a", ".claude/orchestration/clone/b.txt": "b"})
    before = tree(project.root, skip=())

    cleanup.carry_out(project)

    assert at(project, ".claude/orchestration/clone.from-orchestration/.git/HEAD").exists()
    cleanup.take_back(project)
    assert tree(project.root, skip=()) == before


def test_names_of_every_kind(project):
    names = ["new\nline.md", "esc\x1b[31m.md", "-rf", "a b.md", "x" * 250, "..."]
    write(project.root, {f".workshop/{name}": name for name in names})
    raw = os.fsencode(at(project, ".workshop")) + b"/\xff\xfe.md"
    with open(raw, "wb") as file:
        file.write(b"raw")
    write(project.root, {".claude/orchestration/-rf": "taken"})
    before = tree(project.root)

    cleanup.carry_out(project)

    content = set(kept(project).values())
    assert {name.encode() for name in names} | {b"raw", b"taken"} <= content
    assert cleanup.take_back(project) == []
    assert tree(project.root) == before


def test_pipes_and_sockets_are_moved_unread(project):
    at(project, ".workshop").mkdir()
    os.mkfifo(at(project, ".workshop/pipe"))
    write(project.root, {".claude/orchestration/pipe": "taken"})
    with closing(socket.socket(socket.AF_UNIX)) as server:
        here = os.getcwd()
        os.chdir(at(project, ".workshop"))
        server.bind("socket")
        os.chdir(here)

    cleanup.carry_out(project)

    assert at(project, ".claude/orchestration/pipe.from-workshop").is_fifo()
    assert at(project, ".claude/orchestration/socket").is_socket()


def test_two_databases_become_one_and_two_again(project):
    workshop(at(project, ".claude-work/memory/workshop.db"), {"1": "a", "2": "b"})
    workshop(at(project, ".workshop/workshop.db"), {"2": "other", "3": "c"})
    before = tree(project.root)

    _, outcome = moved(project)

    assert contents(project.workshop) == ["a", "b", "c", "other"]
    assert len(rows(project.workshop, "SELECT * FROM upstream_entries")) == 4
    assert [step.do for step in outcome.steps] == ["adopt", "remove", "adopt", "remove"]
    assert outcome.done
    assert cleanup.take_back(project) == []
    assert tree(project.root) == before


def test_logs_are_folded_in_on_both_sides_and_come_back(project):
    pending(at(project, ".workshop/workshop.db"), ["theirs"])
    project_db = Path(project.workshop)
    pending(project_db, ["ours"])
    before = tree(project.root)
    assert {f".workshop/workshop.db{end}" for end in LOG} <= set(before)

    cleanup.carry_out(project)

    assert contents(project_db) == ["ours", "theirs"]
    assert not any(os.path.exists(f"{project_db}{end}") for end in LOG)
    assert cleanup.take_back(project) == []
    assert tree(project.root) == before


def test_a_log_is_folded_in_before_a_plain_move(project):
    pending(at(project, ".workshop/other.db"), ["late"], checkpointed=["early"])
    before = tree(project.root)

    did, _ = moved(project)

    assert ("checkpoint", ".workshop/other.db") in did
    assert contents(project.stored("other.db")) == ["early", "late"]
    cleanup.take_back(project)
    assert tree(project.root) == before


HOLD = """
import sqlite3, sys, time
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute(sys.argv[2])
c.execute("INSERT INTO entries (id, content) VALUES ('w', 'w')")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder():
    """Start a process that writes to a database and keeps it open until it is let go."""
    started = []

    def hold(path, begin):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path), begin], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        started.append(process)
        assert process.stdout.readline() == b"held\n"
        return process

    yield hold
    for process in started:
        process.communicate()


@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize("side", ["source", "target"])
@pytest.mark.parametrize("proc", ["/proc", "/nowhere"])
def test_a_database_somebody_writes_to_is_named_and_left(project, holder, monkeypatch, wal, side, proc):
    opened = cleanup.open_files.find_open_files
    monkeypatch.setattr(cleanup.open_files, "find_open_files", lambda folders: opened(folders, proc))
    legacy = at(project, ".workshop/workshop.db")
    workshop(legacy, {"1": "a"}, wal=wal)
    workshop(project.workshop, {"2": "b"}, wal=wal)
    write(project.root, {".workshop/a.md": "a"})
    process = holder(legacy if side == "source" else project.workshop, "BEGIN IMMEDIATE")

    _, outcome = moved(project)

    left = [step for step in outcome.steps if step.do == "leave" and step.source == str(legacy)]
    assert "in use" in left[0].why or "has it open" in left[0].why
    assert not outcome.done
    assert legacy.exists()
    assert at(project, ".claude/orchestration/a.md").exists()
    process.communicate()
    assert cleanup.carry_out(project).done
    assert contents(project.workshop) == ["a", "b"]


def test_a_damaged_database_stays_where_it_is(project):
    write(project.root, {".workshop/workshop.db": "nonsense", ".workshop/a.md": "a"})

    _, outcome = moved(project)

    assert at(project, ".workshop/workshop.db").read_text() == "nonsense"
    assert any("not an SQLite database" in step.why for step in outcome.steps)
    assert at(project, ".claude/orchestration/a.md").exists()


def test_a_damaged_target_leaves_both(project):
    write(project.root, {".claude/memory/workshop.db": "nonsense"})
    workshop(at(project, ".workshop/workshop.db"), {"1": "a"})

    cleanup.carry_out(project)

    assert Path(project.workshop).read_text() == "nonsense"
    assert rows(project.stored("workshop.from-workshop.db")) == [("1", "a")]


def test_what_cannot_be_taken_over_is_kept_whole_beside(project):
    workshop(project.workshop, {"1": "a"})
    workshop(
        at(project, ".workshop/workshop.db"),
        {"2": "b"},
        ["CREATE TABLE pictures (p)", "INSERT INTO pictures VALUES (zeroblob(2000000))"],
    )
    before = tree(project.root)

    _, outcome = moved(project)

    assert contents(project.workshop) == ["a", "b"]
    assert contents(project.stored("workshop.from-workshop.db")) == ["b"]
    assert any("1 rows of pictures" in note.text for note in outcome.notes)
    cleanup.take_back(project)
    assert tree(project.root) == before


def test_undo_keeps_what_was_written_since(project):
    workshop(project.workshop, {"1": "a"})
    workshop(at(project, ".workshop/workshop.db"), {"2": "b"})
    cleanup.carry_out(project)
    with Store(project.workshop, os.environ) as store:
        store.add("note", "since")

    notes = cleanup.take_back(project)

    assert contents(project.workshop) == ["a"]
    assert contents(project.stored("workshop.after-cleanup.db")) == ["a", "b", "since"]
    assert "written to after the cleanup" in notes[0]
    kinds = [one["kind"] for one in journal.read(project.ledger)[0]]
    assert kinds[-3:] == ["entry", "import-undone", "import-undone"]


def test_entries_come_into_the_base_that_stands_and_an_undo_withdraws_them(project):
    with Store(project.workshop, os.environ, create=True) as store:
        ours = store.add("note", "Ours was here before")
    workshop(at(project, ".workshop/workshop.db"), {"1": "a"})
    workshop(at(project, ".claude-work/memory/workshop.db"), {"1": "b"})
    before = tree(project.root)

    cleanup.carry_out(project)
    assert contents(project.workshop) == ["Ours was here before", "a", "b"]
    assert cleanup.take_back(project) == []

    after = tree(project.root)
    assert after.pop(project.relative(project.ledger))[1].startswith(before.pop(project.relative(project.ledger))[1])
    assert after == before
    with Store(project.workshop, os.environ) as store:
        assert [one.content for one in entries.list_entries(store.connection, limit=-1)] == [ours.content]
    cleanup.carry_out(project)
    with Store(project.workshop, os.environ) as store:
        assert sorted(one.content for one in entries.list_entries(store.connection, limit=-1)) == [
            ours.content,
            "a",
            "b",
        ]


def test_a_base_that_came_with_a_clone_is_not_written_to(project, tmp_path, monkeypatch):
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("note", "Theirs")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    workshop(at(project, ".workshop/workshop.db"), {"1": "a"})

    cleanup.carry_out(project)

    assert contents(project.workshop) == ["Theirs"]
    assert contents(project.stored("workshop.from-workshop.db")) == ["a"]


def test_an_open_file_or_a_working_folder_is_named(project):
    write(project.root, {".orchestration/log/run.txt": "r", ".orchestration/b.md": "b"})
    at(project, ".workshop").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; f = open(sys.argv[1]); print(1, flush=True); sys.stdin.read()",
         str(at(project, ".orchestration/log/run.txt"))],
        cwd=at(project, ".workshop"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.readline()
    try:
        _, outcome = moved(project)
    finally:
        process.communicate()

    why = {project.relative(step.source): step.why for step in outcome.steps if step.do == "leave"}
    assert f"({process.pid}) has it open" in why[".orchestration/log/run.txt"]
    assert f"({process.pid}) is working in it" in why[".workshop"]
    assert at(project, ".claude/orchestration/b.md").exists()
    assert cleanup.carry_out(project).done
    assert not at(project, ".workshop").exists()


def test_tracked_files_say_so_and_move_plainly(project):
    write(project.root, {".orchestration/a.md": "a", ".orchestration/b.md": "b"})
    git(project.root, "add", ".orchestration/a.md")

    _, outcome = moved(project)

    why = {project.relative(step.source): step.why for step in outcome.steps}
    assert "tracked by git" in why[".orchestration/a.md"]
    assert "tracked" not in why[".orchestration/b.md"]
    assert at(project, ".claude/orchestration/a.md").exists()


def test_without_git_it_works_the_same(tmp_path):
    root = tmp_path / "plain"
    write(root, FILES)
    project = projects.find(str(root), os.environ)

    assert cleanup.carry_out(project).done

    assert not (root / ".workshop").exists()


def test_a_linked_worktree_hands_over_to_the_main_checkout(project, tmp_path):
    git(project.root, "worktree", "add", "-q", str(tmp_path / "side"))
    side = projects.find(str(tmp_path / "side"), os.environ)
    write(side.root, {".workshop/a.md": "a"})
    before = tree(project.root), tree(side.root)

    assert cleanup.carry_out(side).done

    assert at(project, ".claude/orchestration/a.md").read_text() == "a"
    cleanup.take_back(side)
    assert (tree(project.root), tree(side.root)) == before


def test_another_device_is_copied_compared_and_removed(project, monkeypatch):
    write(project.root, FILES)
    at(project, ".workshop/link").symlink_to("nowhere")
    workshop(at(project, ".workshop/workshop.db"), {"1": "a"})
    os.utime(at(project, ".workshop/config.json"), (1, 1))
    before = tree(project.root)
    rename = os.rename

    def other_device(source, target):
        if (".claude/" in str(source)) != (".claude/" in str(target)):
            raise OSError(18, "Invalid cross-device link")
        rename(source, target)

    monkeypatch.setattr(os, "rename", other_device)

    assert cleanup.carry_out(project).done

    assert kept(project)[".claude/orchestration/evidence/run 1/ä.txt"] == b"e"
    assert os.path.getmtime(at(project, ".claude/orchestration/config.json")) == 1
    assert not any(at(project, name).exists() for name in (".claude-work", ".orchestration", ".workshop"))
    assert cleanup.take_back(project) == []
    assert tree(project.root) == before


def test_a_copy_that_differs_keeps_the_original(project, monkeypatch):
    write(project.root, {".workshop/a.md": "a"})
    monkeypatch.setattr(os, "rename", lambda *_: (_ for _ in ()).throw(OSError(18, "Invalid cross-device link")))
    monkeypatch.setattr(transfer, "has_same_content", lambda *_: False)

    _, outcome = moved(project)

    assert not outcome.done
    assert at(project, ".workshop/a.md").read_text() == "a"
    assert not at(project, ".claude/orchestration/a.md").exists()


def test_undo_without_a_cleanup_says_so(project):
    before = tree(project.root)

    with pytest.raises(BelayError, match="no cleanup to undo"):
        cleanup.take_back(project)

    assert tree(project.root) == before


def test_each_undo_takes_one_cleanup_back(project):
    write(project.root, {".workshop/a.md": "1"})
    first = tree(project.root)
    cleanup.carry_out(project)
    write(project.root, {".workshop/b.md": "2"})
    second = tree(project.root, skip=(".git", "undo"))
    cleanup.carry_out(project)

    cleanup.take_back(project)
    assert tree(project.root, skip=(".git", "undo")) == second
    at(project, ".workshop/b.md").unlink()
    at(project, ".workshop").rmdir()
    cleanup.take_back(project)
    assert tree(project.root) == first


def state(project, session, days, ended=True):
    path = Path(project.state(session))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json_codec.encode({"session": session}))
    stamp = time.time() - days * 86400
    records = [{"kind": "start"}, {"kind": "end"}] if ended else [{"kind": "start"}]
    for record in records:
        long_ago = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(stamp))
        journal.append(project.journal(session), {"time": long_ago, **record})
    os.utime(path, (stamp, stamp))


def test_stale_state_and_cut_off_writes_are_swept_and_come_back(project):
    state(project, "old", 20)
    state(project, "fresh", 3)
    state(project, "open", 20, ended=False)
    write(project.root, {".claude/memory/workshop.db.77.tmp": "t", "MEMORY.md.12.tmp": "t", "mine.12.tmp": "t"})
    write(project.root, {".claude/memory/new.1.tmp": "t"})
    for name in (".claude/memory/workshop.db.77.tmp", "MEMORY.md.12.tmp", "mine.12.tmp"):
        os.utime(at(project, name), (1, 1))
    before = tree(project.root)

    _, outcome = moved(project)

    swept = {project.relative(step.source) for step in outcome.steps if step.do == "sweep"}
    assert swept == {".claude/memory/state/old.json", ".claude/memory/workshop.db.77.tmp", "MEMORY.md.12.tmp"}
    assert not any(at(project, path).exists() for path in swept)
    cleanup.take_back(project)
    assert tree(project.root) == before


def test_one_that_cannot_move_does_not_hold_up_the_others(project, monkeypatch):
    write(project.root, {f".workshop/{name}.md": name for name in "abc"})
    rename = os.rename

    def stubborn(source, target):
        if str(source).endswith("b.md"):
            raise PermissionError(1, "Operation not permitted")
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", stubborn)
        _, outcome = moved(project)

    assert not outcome.done
    assert [note.text for note in outcome.notes if note.failed] == ["Operation not permitted"]
    assert sorted(kept(project)) == [
        ".claude/orchestration/a.md",
        ".claude/orchestration/c.md",
        ".workshop/b.md",
        "file.txt",
    ]
    assert cleanup.carry_out(project).done
    assert not at(project, ".workshop").exists()


def test_a_record_that_came_with_a_clone_moves_nothing(project, tmp_path):
    target, payload = tmp_path / "outside", project.at("payload")
    for end in ('\n{"do": "end"}\n', "\n"):
        line = json_codec.dumps({"do": "move", "pairs": [[payload, str(target)], [str(target), payload]]})
        write(project.root, {"payload": "x", ".claude/memory/undo/2026-01-01T000000Z/record.jsonl": line + end})

        cleanup.carry_out(project)
        with pytest.raises(BelayError):
            cleanup.take_back(project)

        assert Path(payload).exists()
        assert not target.exists()
