"""belay review: listed for scripts, decided by flags, or key by key in a terminal."""

import os
import pty
import sys
from pathlib import Path

import pytest
from commandline import RUN, answer, belay
from sayings import session

from belay.cli.knowledge import review
from belay.core import paths
from belay.knowledge.review.queue import Queue


@pytest.fixture
def ids(project):
    return session(
        project,
        "s-1",
        ("decision", "drop the cache"),
        ("architecture", "no cache anywhere"),
        ("value", "port 5433"),
    )


def test_listed_then_decided_then_taken_back(repo, ids):
    first, second, third = ids
    waiting = answer(repo, "review")["waiting"]
    assert [(row["number"], row["id"], row["class"]) for row in waiting] == [
        (1, first, "decision"), (2, second, "architecture"), (3, third, "value"),
    ]  # fmt: skip
    assert f"1. {first} decision, today: drop the cache\n   waits: said once" in belay(repo, "review", "--list").stdout

    told = answer(repo, "review", "--merge", first, second, "--reject", third)
    assert [(one["act"], one["ids"]) for one in told["done"]] == [
        ("merge", [first, second]),
        ("reject", [third]),
    ]
    assert told["done"][0]["entry"]["content"] == "drop the cache"
    assert told["waiting"] == []
    assert "Nothing waits." in belay(repo, "review").stdout
    assert answer(repo, "review", "--undo")["done"] == [{"act": "undo", "ids": [third], "entry": None}]
    assert belay(repo, "review", "--undo").stdout.startswith(f"Taken back: {first}, {second} waits again.\n3 captures")


def test_accepted_in_other_words(repo, ids):
    told = answer(repo, "review", "--edit", ids[2], "The staging port is 5433", "--as", "finding")["done"]

    assert told[0]["entry"] == {
        "id": told[0]["entry"]["id"],
        "type": "finding",
        "content": "The staging port is 5433",
    }


def test_wrong_calls_are_told(repo, ids):
    assert "does not wait" in belay(repo, "review", "--accept", "C-ZZZZZZ").stderr
    assert "nothing to undo" in belay(repo, "review", "--undo").stderr
    assert belay(repo, "review", "--as", "note").returncode == 2


def test_nothing_is_made_where_nothing_waits(repo):
    assert belay(repo, "review").stdout == "Nothing waits.\n"
    for wrong in (["--undo"], ["--accept", "C-ABCDEF"], ["--reject", "C-ABCDEF"]):
        assert belay(repo, "review", *wrong).returncode == 1
    assert not (repo / ".claude").exists()


def talk(project, *keys):
    told, said = [], iter(keys)
    done = review._talk(Queue(project, os.environ), lambda _: next(said, "q"), told.append)
    return [(one.act, one.ids) for one in done], "\n".join(told)


def test_key_by_key(project, ids):
    _, second, third = ids
    done, told = talk(project, "s", "x", "e", "No cache between services", "u", "m", "2", "u", "r", "a")

    assert done == [
        ("accept", (second,)), ("undo", (second,)), ("merge", (second, third)), ("undo", (second, third)),
        ("reject", (second,)), ("accept", (third,)),
    ]  # fmt: skip
    assert f"1. {second} architecture" in told
    assert "No cache between services" in told


def test_what_cannot_be_done_is_told_and_asked_again(project, ids):
    done, told = talk(project, "u", "e", "", "m", "9", "s", "s", "s")

    assert done == []
    assert "nothing to undo" in told
    assert told.endswith("3 captures left for later.")


def test_in_a_terminal_it_asks(repo, ids):
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(repo)
        os.environ["PYTHONPATH"] = os.path.join(paths.PLUGIN_ROOT, "lib")
        os.execv(sys.executable, [sys.executable, "-c", RUN, "review"])
    os.write(terminal, b"a\nq\n")
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.waitpid(pid, 0)
    os.close(terminal)

    assert b"[a]ccept  [e]dit" in shown
    assert b"from " + ids[0].encode() in shown
    assert Path(repo, ".claude", "memory", "workshop.db").exists()
