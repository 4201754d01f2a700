"""At each place that Belay writes: a link out of the project, a pipe, a second name. Nothing is written through it."""

import os
import socket
import time
from pathlib import Path

import pytest
from commandline import belay
from doors import CORRECTION, SESSION, call, kinds, log, records, run, said

from belay.core import clock, files, lock, outputs, paths
from belay.knowledge.store import ledger as ledgers
from belay.repository import blocked_places, projects

THEIRS = b"theirs\n"
STORE = ".claude/memory/"
TODAY = "memory/{date}.md"


def prompt(repo):
    return [run("user_prompt_submit", repo, prompt=CORRECTION)]


def edit(repo):
    calls = [call("Edit", file_path=str(repo / "file.txt"), old_string="a", new_string="b")]
    return [*prompt(repo), run("post_tool_batch", repo, tool_calls=calls), run("pre_compact", repo, trigger="auto")]


def end(repo):
    done = [*prompt(repo), run("session_end", repo, reason="other")]
    for _ in range(50):
        if (repo / STORE / "state" / "heard.json").exists() or log():
            return done
        time.sleep(0.05)
    return done


def command(*words):
    def act(repo):
        prompt(repo)
        done = belay(repo, *words)
        assert "Traceback" not in done.stderr
        assert done.returncode in (0, 1)
        assert done.returncode == 0 or len(done.stderr.splitlines()) == 1, done.stderr
        return []

    return act


decide, hand_over, index = command("decision", "Redis for sessions"), command("handoff"), command("index")
PLACES = {
    STORE + ".gitignore": prompt,
    STORE + f"journal/{SESSION}.jsonl": prompt,
    STORE + "journal/ledger.jsonl": decide,
    STORE + f"state/{SESSION}.json": prompt,
    STORE + "state/lock": prompt,
    STORE + "state/own-lines": prompt,
    STORE + "state/clock": end,
    STORE + "state/consolidate.lock": end,
    STORE + "state/settings.json": end,
    STORE + "state/continuation.lock": edit,
    STORE + "state/fold.lock": prompt,
    STORE + "continuations/delivered.jsonl": edit,
    STORE + f"sessions/{SESSION}.jsonl": index,
    STORE + "sessions/index.db": index,
    STORE + "workshop.db": decide,
    STORE + "workshop.db-wal": decide,
    ".git/info/exclude": prompt,
    ".claude/orchestration/session-context.md": decide,
    "CONTINUATION.md": edit,
    "HANDOFF.md": hand_over,
    "memory/working-buffer.md": prompt,
    TODAY: prompt,
}
UNTOLD = {"HANDOFF.md", STORE + "workshop.db-wal"}
"""The command that writes it says so, or the link is set aside before."""
MADE = [STORE + "state/lock", STORE + f"journal/{SESSION}.jsonl", STORE + "journal/ledger.jsonl", STORE + "workshop.db",
        "CONTINUATION.md", TODAY, ".git/info/exclude"]  # fmt: skip


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def place_of(repo, name):
    path = repo / name.format(date=clock.local_date())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def start(repo):
    return said(run("session_start", repo, source="startup"))[1]


@pytest.mark.parametrize("name", PLACES)
def test_nothing_goes_through_a_linked_file_and_a_line_says_so(repo, outside, name):
    (outside / "theirs").write_bytes(THEIRS)
    path = place_of(repo, name)
    path.symlink_to(outside / "theirs")

    done = PLACES[name](repo)
    assert [(one.returncode, one.stderr) for one in done] == [(0, b"")] * len(done)
    told = start(repo)
    assert contents(outside) == {"theirs": THEIRS}
    if name not in UNTOLD and path.is_symlink():
        (line,) = [line for line in told.splitlines() if path.name in line]
        assert "is a symbolic link" in line
        assert "remove it" in line


@pytest.mark.parametrize("name", MADE)
def test_nothing_is_made_where_a_link_leads(repo, outside, name):
    place_of(repo, name).symlink_to(outside / "new")

    PLACES[name](repo)
    start(repo)
    assert contents(outside) == {}


@pytest.mark.parametrize("name", [*MADE, STORE + ".gitignore"])
def test_no_pipe_keeps_anyone_waiting(repo, name):
    os.mkfifo(place_of(repo, name))

    for act in (PLACES[name], start):
        begun = time.monotonic()
        act(repo)
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize("name", [STORE + "state/lock", STORE + f"journal/{SESSION}.jsonl"])
@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: bind(path)], ids=["folder", "socket"])
def test_a_folder_or_a_socket_is_named(repo, name, make):
    path = place_of(repo, name)
    make(path)

    prompt(repo)
    assert f"{path.name}" in start(repo)
    assert path.name in belay(repo, "doctor").stdout


def bind(path):
    with socket.socket(socket.AF_UNIX) as server:
        folder = os.open(path.parent, os.O_RDONLY)  # a socket's path may have 107 bytes
        server.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def test_what_has_another_name_is_copied_before_it_is_written(repo, project, outside):
    prompt(repo)
    belay(repo, "decision", "Redis for sessions")
    own = [project.journal(SESSION), project.ledger, project.daily(clock.local_date()), project.buffer, project.exclude,
           project.lock]  # fmt: skip
    before = {}
    for number, path in enumerate(own):
        os.link(path, outside / str(number))
        before[str(number)] = files.read(path)
    known = kinds(project)

    run("user_prompt_submit", repo, prompt="No, always use tabs in the Makefile, never spaces.")
    belay(repo, "decision", "Zod for forms")
    run("session_end", repo, reason="other")
    assert contents(outside) == before
    assert kinds(project)[: len(known)] == known
    assert "Makefile" in records(project)[len(known)]["text"]
    assert {"Redis for sessions", "Zod for forms"} <= {
        record.get("content") for record in ledgers.journal.read(project.ledger)[0]
    }
    assert b"Makefile" in files.read(project.daily(clock.local_date()))


def test_the_second_name_of_a_ledger_is_its_own(repo, project):
    belay(repo, "decision", "Redis for sessions")
    belay(repo, "decision", "Postgres for orders")
    spare = os.path.join(project.common_dir, "belay", "ledger.jsonl")
    assert os.path.samefile(spare, project.ledger)
    before = os.stat(project.ledger).st_ino

    ledgers.append(project.ledger, os.environ, "undone")
    assert os.stat(project.ledger).st_ino == before


def test_a_lock_that_is_a_file_of_others_is_not_emptied(repo, outside):
    (outside / "theirs").write_bytes(THEIRS)
    os.link(outside / "theirs", outside / "lock")
    before = lock.use_filelock()
    try:
        with pytest.raises(OSError, match="by a hard link; remove it"), lock.hold(str(outside / "lock")):
            pass
    finally:
        lock.use_filelock(before)
    outputs.open_log(str(outside / "lock")).close()
    assert contents(outside) == {"theirs": THEIRS, "lock": b""}


def test_the_start_and_the_commands_say_where_records_are_kept_instead(repo, outside):
    (repo / ".claude").mkdir()
    (repo / ".claude" / "memory").symlink_to(outside)
    (repo / "memory").symlink_to(outside)
    wanted = ".claude/memory is a link, so what Belay records is kept in .git/belay"

    prompt(repo)
    told = start(repo)
    assert f"Belay: {wanted}." in told.splitlines()
    assert "memory is a link out of this project, so its files are kept in " in told
    assert wanted not in start(repo)
    assert wanted in belay(repo, "doctor").stdout
    assert wanted in " ".join(belay(repo, "status").stdout.split())
    assert contents(outside) == {}


def test_a_linked_folder_of_git_is_named(repo, outside):
    (repo / ".git" / "belay").symlink_to(outside)
    found = blocked_places.find_blocked(projects.find(str(repo), os.environ), os.environ)

    assert [(path, why) for path, why in found] == [(".git/belay", blocked_places.LINK)]
    assert ".git/belay" in start(repo)


def test_a_command_says_what_is_in_the_way_of_the_ledger(repo, project):
    place_of(repo, STORE + "journal/ledger.jsonl").mkdir()
    done = belay(repo, "decision", "Redis for sessions")

    wanted = "is no file, but a folder, a pipe or a device; move it away"
    assert (done.returncode, done.stderr) == (1, f"belay: {project.ledger}: {wanted}\n")


@pytest.mark.parametrize("name", ["trust.json", "key", "rows/new.json"])
def test_a_linked_file_in_the_users_own_folder_is_named(repo, outside, name):
    (outside / "theirs").write_bytes(THEIRS)
    path = place_of(Path(paths.data_home(os.environ)), name)
    path.symlink_to(outside / "theirs")

    prompt(repo)
    assert f"{path} is a symbolic link" in start(repo)
    belay(repo, "trust", "--all")
    assert contents(outside) == {"theirs": THEIRS}


def test_an_ordinary_project_has_nothing_to_say(repo, project):
    prompt(repo)
    belay(repo, "decision", "Redis for sessions")
    belay(repo, "index")

    assert (blocked_places.find_blocked(project, os.environ), blocked_places.explain_moves(project)) == ([], [])
    assert paths.is_linked(project.root) is False
