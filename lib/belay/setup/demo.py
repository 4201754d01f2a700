"""A scripted working day, played through the real hooks on a scratch repository, and what it costs."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from belay.client import simulation
from belay.core import files, paths
from belay.core.errors import BadInput
from belay.core.text.tokens import count
from belay.repository.git import process

if TYPE_CHECKING:
    from belay.client.event import CallFields, HookFields, ToolInput


class Step(TypedDict, total=False):
    """One step of the script: the verb with its object, and what belongs to it."""

    prompt: str
    edit: str
    old: str
    new: str
    run: str
    say: str
    used: int
    answer: str
    chosen: str
    todos: list[tuple[str, str]]
    intent: str


class Cost(TypedDict):
    """What a day cost: hook calls, their milliseconds, tokens that Claude was given, calls of a model."""

    hooks: int
    median_ms: float
    total_ms: float
    tokens: int
    model_calls: int


MODEL = "claude-opus-4-5"
"""A model with a 200k window, so that the day crosses all three thresholds."""
LONGEST_WAIT = 30.0
"""Seconds that the end of a day waits for the work after its sessions."""
SESSIONS = ("11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222")


class Call(NamedTuple):
    """One hook call: event, milliseconds, what Claude was given, what the person was shown."""

    event: str
    milliseconds: float
    context: str
    user: str


class Day:
    """One day in one scratch folder: a repository, a home of its own, a transcript, and every hook call made."""

    def __init__(self, folder: str) -> None:
        self.root, self.home = os.path.join(folder, "shop"), os.path.join(folder, "home")
        self.session, self.uses = SESSIONS[0], 0
        self.calls: list[Call] = []
        self.alive, self.own_end = os.pipe()
        files.make_folder(self.root, new=True)
        files.make_folder(os.path.join(self.home, "data"), new=True)
        python = os.path.join(self.home, "data", "python")
        files.write(python, f"{os.path.realpath(sys.executable)}\n".encode(), sync=False)

    @property
    def transcript(self) -> str:
        return os.path.join(self.home, self.session + ".jsonl")

    def environ(self) -> dict[str, str]:
        kept = {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "LANG", "TZ") if key in os.environ}
        data = os.path.join(self.home, "data")
        fixed = {"HOME": self.home, "XDG_DATA_HOME": data, "CLAUDE_PLUGIN_DATA": data, "BELAY_SETUP": "off"}
        return {
            **kept,
            **fixed,
            "CLAUDE_CONFIG_DIR": os.path.join(self.home, ".claude"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def begin(self, files: dict[str, str]) -> None:
        """Lay the repository and start the first session."""
        for name, text in files.items():
            self.write(name, text)
        who = (
            "-c",
            "user.name=Belay demo",
            "-c",
            "user.email=demo@example.invalid",
            "-c",
            "commit.gpgsign=false",
        )
        for args in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "A shop without refunds")):
            process.run(self.root, *args)
        self.fire("SessionStart", {"source": "startup"})

    def write(self, name: str, text: str) -> None:
        path = os.path.join(self.root, name)
        files.write(path, text.encode(), sync=False)

    def read(self, name: str) -> str:
        try:
            with open(os.path.join(self.root, name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def fire(self, event: str, fields: HookFields | CallFields) -> Call:
        """Run one hook as the client would, from a shell that is gone afterwards like a closed terminal."""
        door = "".join("_" + char.lower() if char.isupper() else char for char in event).strip("_")
        command = ["sh", "-c", '"$0" "$1"; exit $?', paths.resource("hooks", "run"), door]
        begun = time.perf_counter()
        text = simulation.render_event(event, self.session, self.transcript, self.root, fields)
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            cwd=self.root,
            env=self.environ(),
            check=True,
            pass_fds=(self.own_end,) if os.name == "posix" else (),
        )
        took = (time.perf_counter() - begun) * 1000
        call = Call(event, took, *simulation.parse_reply(done.stdout.decode("utf-8", "replace")))
        self.calls.append(call)
        return call

    def play(self, step: Step) -> list[Call]:
        """Play one step of the script; return the hook calls it made."""
        before = len(self.calls)
        for verb in _VERBS:
            if verb in step:
                _VERBS[verb](self, step)
                return self.calls[before:]
        raise BadInput("demo script", f"no verb in {step}", f"one of {', '.join(_VERBS)}")

    def end_tool(self, name: str, given: ToolInput, response: str) -> None:
        """Announce the end of one tool call."""
        call = simulation.render_call(name, given, f"toolu_{self.uses}", response)
        self.fire("PostToolBatch", simulation.batch(call))

    def begin_tool(self, name: str, given: ToolInput) -> None:
        """Announce one tool call."""
        self.uses += 1
        self.fire("PreToolUse", simulation.render_call(name, given, f"toolu_{self.uses}"))

    def end(self) -> None:
        """Wait until no process of the day runs any more, the detached ones of its sessions included.

        They inherit one end of a pipe: the other end reads its end when the last of them is gone.
        """
        os.close(self.own_end)
        if os.name == "posix":
            select.select([self.alive], [], [], LONGEST_WAIT)
        os.close(self.alive)

    def next_morning(self) -> Call:
        """Start the next session; nobody had said good-bye to the first one."""
        self.session = SESSIONS[1]
        return self.fire("SessionStart", {"source": "startup"})


def _prompt(day: Day, step: Step) -> None:
    day.fire("UserPromptSubmit", simulation.prompt(step["prompt"], f"p-{len(day.calls)}"))


def _edit(day: Day, step: Step) -> None:
    path = os.path.join(day.root, step["edit"])
    given = simulation.edit(path, step["old"], step["new"])
    day.begin_tool("Edit", given)
    text = day.read(step["edit"])
    day.write(step["edit"], text.replace(step["old"], step["new"], 1) if step["old"] else step["new"])
    day.end_tool("Edit", given, f"The file {path} has been updated successfully.")


def _run(day: Day, step: Step) -> None:
    given: ToolInput = {"command": step["run"]}
    day.begin_tool("Bash", given)
    done = subprocess.run(["sh", "-c", step["run"]], cwd=day.root, env=day.environ(), capture_output=True, text=True)
    output = done.stdout + done.stderr
    day.end_tool("Bash", given, f"Exit code {done.returncode}\n{output}" if done.returncode else output)


def _say(day: Day, step: Step) -> None:
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    files.append_line(
        day.transcript, simulation.render_answer(len(day.calls), stamp, MODEL, step.get("used", 400)).encode()
    )
    day.fire("Stop", simulation.stop(step["say"]))


def _answer(day: Day, step: Step) -> None:
    day.uses += 1
    said = f'Your questions have been answered: "{step["answer"]}"="{step["chosen"]}". You can now continue.'
    day.end_tool("AskUserQuestion", simulation.question(step["answer"]), said)


def _todos(day: Day, step: Step) -> None:
    day.uses += 1
    rows = [{"content": text, "status": status, "activeForm": text} for text, status in step["todos"]]
    day.end_tool("TodoWrite", {"todos": rows}, "Todos have been modified successfully.")


def _intent(day: Day, step: Step) -> None:
    path = os.path.join(day.root, step["intent"])
    day.begin_tool("Edit", simulation.edit(path, step["old"], "    pass"))


_VERBS = {
    "prompt": _prompt,
    "edit": _edit,
    "run": _run,
    "say": _say,
    "answer": _answer,
    "todos": _todos,
    "intent": _intent,
}


def cost(calls: list[Call]) -> Cost:
    """Return what a day cost: hook calls, their median milliseconds, tokens that Claude was given."""
    times = sorted(call.milliseconds for call in calls)
    return {
        "hooks": len(calls),
        "median_ms": round(times[len(times) // 2], 1),
        "total_ms": round(sum(times), 1),
        "tokens": sum(count(call.context) for call in calls if call.context),
        "model_calls": 0,
    }
