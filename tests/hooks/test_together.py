"""Two sessions in one project and one in its work tree, at the same time: each record is where it belongs."""

import collections
import os
import random
import threading
import time
from pathlib import Path

import pytest
from doors import call, log, run, said
from repos import git, repository

from belay.consolidate import session as consolidate_session
from belay.repository import projects
from belay.session import journal
from belay.session.session import Session

EVENTS = 200
"""Of each session."""
NAMES = ("aaaaaaaa-one", "bbbbbbbb-two", "cccccccc-three")


class World:
    """A project with a linked work tree, another project with a memory of its own, and folders that are none."""

    def __init__(self, folder, home):
        self.main = repository(folder / "main")
        (self.main / "src").mkdir()
        self.side = folder / "side"
        git(self.main, "worktree", "add", "-q", "-b", "side", str(self.side))
        self.agent = folder / "agent"
        git(self.main, "worktree", "add", "-q", "-b", "agent", str(self.agent))
        self.other = repository(folder / "other")
        for folder in (self.main, self.other):  # neither is new to Belay
            said(run("user_prompt_submit", folder, prompt="Always use pnpm here, never npm.", session="earlier"))
        (folder / "plain").mkdir()
        self.elsewhere = [self.other, self.main / "src", self.side, self.main, folder / "plain", home, Path("/")]


class Life:
    """One session: events in an order of its own, each with a word that nobody else says; `sent` is kind → words."""

    def __init__(self, world, name, own, seed):
        self.world, self.name, self.own, self.client = world, name, own, own
        self.random = random.Random(seed)
        self.sent = collections.defaultdict(list)
        self.failures = []

    def run(self, event, folder, **fields):
        done = run(event, folder, session=self.name, environ={"CLAUDE_PROJECT_DIR": str(self.client)}, **fields)
        if (done.returncode, done.stderr) != (0, b""):
            self.failures.append((event, done.stderr))

    def live(self, barrier):
        barrier.wait()
        self.run("session_start", self.own, source="startup")
        self.sent["start"].append("startup")
        for number in range(1, EVENTS - 2):
            folder = self.own if self.random.random() < 0.6 else self.random.choice(self.world.elsewhere)
            if number == EVENTS // 2:
                self.leave_and_come_back()
            else:
                self.step(folder, number % 5, f"{self.name[:3]}word{number}")
        self.step(self.own, 0, f"{self.name[:3]}wordlast")
        self.run("session_end", self.own, reason="other")
        self.sent["end"].append("other")

    def leave_and_come_back(self):
        """End, and resume with another folder as the client's own."""
        self.run("session_end", self.world.other, reason="prompt_input_exit")
        self.client = self.world.other
        self.run("session_start", self.world.other, source="resume")
        self.sent["end"].append("prompt_input_exit")
        self.sent["start"].append("resume")

    def step(self, folder, what, word):
        if what == 0:
            self.run("user_prompt_submit", folder, prompt=f"Please look at {word} in the parser")
            self.sent["prompt"].append(word)
        elif what == 1:
            agent = {"agent_id": "a1"} if self.random.random() < 0.4 else {}
            at = self.world.agent if agent else folder
            self.run("pre_tool_use", at, tool_name="Bash", tool_input={"command": f"make {word}"}, **agent)
            self.sent["intent"].append(word)
        elif what == 2:
            file = str(self.own / f"{word}.py")
            self.run("post_tool_batch", folder, tool_calls=[call("Write", "written", file_path=file, content="x")])
            self.sent["edit"].append(word)
        elif what == 3:
            failed = f"Exit code 1\nFAILED {word}\n1 failed in 0.1s"
            self.run("post_tool_batch", folder, tool_calls=[call("Bash", failed, command=f"pytest {word}.py")])
            self.sent["command"].append(word)
        else:
            self.run("stop", folder, last_assistant_message=f"I looked at {word}. Next I will go on.")
            self.sent["said"].append(word)


def words_of(record):
    """Return what of a record holds the word of its event."""
    fields = {"prompt": "text", "intent": "command", "edit": "files", "command": "command", "said": "text"}
    return str(record.get(fields.get(record["kind"], "source" if record["kind"] == "start" else "reason")))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """What three sessions leave that live at once; made once, for it takes 600 processes."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_DATA_HOME", str(home / "data"))
        patch.setenv("CLAUDE_CONFIG_DIR", str(home / ".claude"))
        patch.setenv("BELAY_SETUP", "off")
        world = World(tmp_path_factory.mktemp("world"), home)
        world.environ = {**os.environ}
        lives = [
            Life(world, name, own, seed)
            for seed, (name, own) in enumerate(zip(NAMES, (world.main, world.main, world.side), strict=True))
        ]
        barrier = threading.Barrier(len(lives))
        threads = [threading.Thread(target=life.live, args=(barrier,)) for life in lives]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        world.lives = lives
        world.project = projects.find(str(world.main), os.environ)
        world.log = log()
    return world


def test_no_hook_failed(world):
    assert [life.failures for life in world.lives] == [[], [], []]
    assert world.log == ""


def test_each_record_is_in_the_right_session_and_none_is_lost(world):
    for life in world.lives:
        found, damaged = journal.read(world.project.journal(life.name))
        assert damaged == 0
        assert {record["session"] for record in found} == {life.name}
        held = collections.defaultdict(list)
        for record in found:
            if record["kind"] in life.sent:
                held[record["kind"]].append(words_of(record))
        for kind, words in life.sent.items():
            assert len(held[kind]) == len(words), (life.name, kind)
            assert all(word in text for word, text in zip(words, held[kind], strict=True)), (life.name, kind)
    assert sum(len(words) for life in world.lives for words in life.sent.values()) >= 3 * EVENTS


def test_nothing_is_in_another_project(world):
    others = [world.other, world.main / "src", world.other.parent / "plain", Path(world.environ["HOME"]), world.agent]
    kept = {str(path) for other in others for path in (other / ".claude").rglob("*.jsonl")}
    own = str(world.other / ".claude" / "memory" / "journal" / "earlier.jsonl")

    assert {path for path in kept if "/journal/" in path} == {own}
    assert {path.name for path in Path(world.project.journals).glob("*-*.jsonl")} == {f"{name}.jsonl" for name in NAMES}
    assert not (world.side / ".claude").exists()


def test_states_and_results_are_those_of_their_sessions(world, monkeypatch):
    for name, value in world.environ.items():
        monkeypatch.setenv(name, value)
    for life in world.lives:
        state = Session(world.project, life.name, world.environ).state
        assert state["root"] == str(life.own)
        assert state["branch"] == ("side" if life.own == world.side else "main")
        assert state["prompts"] == len(life.sent["prompt"])
        assert all(life.name[:3] in path for path in state["edits"])
        assert all(life.name[:3] in row["command"] for row in state["tried"])
        assert life.sent["prompt"][-1] in state["task"]


def test_each_work_tree_has_the_logs_of_its_own_sessions(world, monkeypatch):
    for name, value in world.environ.items():
        monkeypatch.setenv(name, value)
    waited = time.monotonic() + 60
    while consolidate_session.run(world.project, world.environ)["busy"] and time.monotonic() < waited:
        time.sleep(0.1)  # that of a session's end is at work

    texts = {
        tree: "".join(path.read_text() for path in sorted((tree / "memory").glob("*.md")))
        for tree in (world.main, world.side)
    }
    for life in world.lives:
        at = {tree for tree, text in texts.items() if life.name[:8] in text or f"{life.name[:3]}word" in text}
        assert at == {life.own}, life.name
