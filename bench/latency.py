"""Time every hook against a bare run of the same interpreter, in one run, with a long journal and a large transcript.

    python3 bench/latency.py [--runs 25] [--journal 100000] [--transcript 200] [--entries 100000]
        [--json] [--report]

Each round runs the bare interpreter and every hook once, in turn, so that a drift of the machine's speed hits all
alike. Printed: p50 and p95 in milliseconds, the ratio of the medians, and whether it keeps its bound
(docs/architecture.md). What is over it is measured up to twice again, and is over only when it was each time. fsync is
measured on its own: disks differ. "+knowledge": the same with a knowledge base of so many entries, silent and "told" (a
new session, in which entries are found); what it adds is the difference to the same hook without. With --report the
verdicts are printed and the exit status is 0.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from verdict import Machine, confirm, state, verdict

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.context.recall import memory_index, term_index
from belay.core import files, kinds, lock, paths, settings, signatures
from belay.knowledge.store.store import Store
from belay.repository import projects
from belay.session import journal
from belay.session.session import Session

SESSION = "11111111-2222-4333-8444-555555555555"
CAPTURE = "No, use the status '{}', not '{}'. Let's go with {} for the {}."
"""Filled with made-up words, others each time: what was said before would be recalled, which is a case of its own."""
IDLE = "please show me the list of open files"
BOUNDS = {
    "UserPromptSubmit": 2.4,
    "UserPromptSubmit, capture": 3.5,
    "PreToolUse": 1.9,
    "PreToolUse, read": 1.9,
    "PreToolUse, sentinel advises": 2.5,
    "PreToolUse, sentinel refuses": 2.5,
    "PostToolBatch": 1.9,
    "Stop": 1.9,
    "SessionStart": 10.0,
    "SessionEnd": 4.0,
}
"""Case → ratio to a bare run, at most, on a quiet machine."""
SILENT, HIT = 3.0, 15.0
"""Milliseconds that a knowledge base may add to a hook."""
ADDED = {
    "UserPromptSubmit +knowledge": ("UserPromptSubmit", SILENT),
    "PreToolUse +knowledge": ("PreToolUse", SILENT),
    "UserPromptSubmit, told +knowledge": ("UserPromptSubmit, told", HIT),
    "PreToolUse, told +knowledge": ("PreToolUse, told", HIT),
}
"""Case → the case that it is compared with, and what it may add."""
WORDS = 30_000
SOUNDS = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]
"""What made-up words are made of."""
STARTING, SETTLING = 0.1, 60.0
"""Seconds in which a consolidator has its lock, and by which it is done."""


class Bench:
    """A scratch project with a home of its own, a journal of many lines and a transcript of many megabytes."""

    def __init__(self, folder: str, lines: int, megabytes: int) -> None:
        self.root, self.home = os.path.join(folder, "project"), os.path.join(folder, "home")
        self.python = os.path.realpath(sys.executable)
        self.transcript = os.path.join(self.home, SESSION + ".jsonl")
        self.data = os.path.join(self.home, "data")
        self.terms, self.asks, self.told = "", "", 0
        self.chance = random.Random(2)
        for path in (os.path.join(self.root, "src"), self.data):
            os.makedirs(path)
        pathlib.Path(self.root, "src", "app.py").write_text("def pay(order):\n    return order\n")
        pathlib.Path(self.data, "python").write_text(self.python + "\n")
        self._repository()
        self._journal(lines)
        self._index()
        self._transcript(megabytes)

    def _repository(self) -> None:
        git = ["git", "-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "commit.gpgsign=false"]
        for args in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
            subprocess.run([*git, *args], cwd=self.root, check=True, env={**os.environ, "HOME": self.home})

    def _journal(self, lines: int) -> None:
        project = projects.find(self.root, self.environ())
        assert project is not None
        own = signatures.sign_name(self.environ(), SESSION)
        os.makedirs(project.journals)
        with open(project.journal(SESSION), "wb") as file:
            for number in range(lines):
                record = {
                    "time": "2026-01-01T00:00:00.000000Z",
                    "kind": "intent",
                    "session": SESSION,
                    "mark": own,
                }
                file.write(journal.seal({**record, "tool": "Bash", "command": f"make part-{number}"}) + b"\n")

    def _index(self) -> None:
        """Write the index of a memory of 120 rows: what an idle prompt and an edit look their words up in."""
        project = projects.find(self.root, self.environ())
        assert project is not None
        decisions: list[Any] = [
            {
                "line": n,
                "date": "",
                "decision": f"Kind{n} over Other{n} in part {n}",
                "reason": "",
                "affects": "",
            }
            for n in range(60)
        ]
        files: list[Any] = [
            {"line": n, "path": f"src/part{n}.py", "purpose": f"part {n}", "session": 1} for n in range(60, 120)
        ]
        memory_index.write_index(project, self.environ(), "bench", {"decisions": decisions, "files": files}, [])

    def knowledge(self, number: int) -> None:
        """Make a base of so many entries of 14 made-up words and one file each, and its index; put it aside."""
        project, chance = projects.find(self.root, self.environ()), random.Random(1)
        assert project is not None
        words = ["".join(chance.choices(SOUNDS, k=chance.choice((3, 4, 5)))) for _ in range(WORDS)]
        often = [1 / (at + 10) for at in range(WORDS)]
        with Store(project.workshop, self.environ(), create=True) as store:
            store.connection.execute("BEGIN")
            for at in range(1, number + 1):
                text = " ".join(chance.choices(words, often, k=14))
                row = (
                    at,
                    f"K-{at:06}",
                    chance.choice(kinds.ENTRY_TYPES),
                    text,
                    f"2026-01-01T00:{at % 60:02}:00.000000Z",
                )
                store.connection.execute(
                    "INSERT INTO entries (num, id, type, content, source, created, updated) "
                    "VALUES (?1, ?2, ?3, ?4, 'typed', ?5, ?5)",
                    row,
                )
                store.connection.execute("INSERT INTO files VALUES (?, ?)", (row[1], f"src/part{at % 20000}.py"))
            store.connection.execute("COMMIT")
            term_index.update(project, store)
            newest = "SELECT content FROM entries ORDER BY updated DESC, num DESC LIMIT 1"
            self.asks = str(store.connection.execute(newest).fetchone()[0])
        self.terms = term_index.index_path(project)
        os.rename(self.terms, self.terms + ".aside")

    def known(self) -> dict[str, float]:
        """Run the hooks that recall, without and with the index in place; return case → seconds."""
        found = {}
        for more in ("", " +knowledge"):
            if more:
                os.rename(self.terms + ".aside", self.terms)
            for name, (event, extra) in self.asking().items():
                found[name + more] = self.fire(event, **extra)
        os.rename(self.terms, self.terms + ".aside")
        return found

    def asking(self) -> dict[str, tuple[str, dict[str, object]]]:
        """Return case → (event, payload): two that find nothing, and two of new sessions that find entries."""
        plain = {name: self.cases()[name] for name in ("UserPromptSubmit", "PreToolUse")}
        given = dict.fromkeys(("old_string", "new_string"), "a")
        given["file_path"] = os.path.join(self.root, "src", "part7.py")
        call = {"tool_name": "Edit", "tool_input": given, "tool_use_id": "t1"}
        hits: dict[str, tuple[str, dict[str, object]]] = {}
        for event, extra in (("UserPromptSubmit", {"prompt": self.asks}), ("PreToolUse", call)):
            self.told += 1
            fresh = {"session_id": f"22222222-2222-4333-8444-{self.told:012}"}
            hits[f"{event}, told"] = (event, {**extra, **fresh})
        return {**plain, **hits}

    def _transcript(self, megabytes: int) -> None:
        usage = {"input_tokens": 900, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 20000}
        message = {"role": "assistant", "model": "claude-opus-4-5", "usage": usage, "content": []}
        row = {
            "type": "assistant",
            "isSidechain": False,
            "timestamp": "2026-01-01T00:00:00Z",
            "message": message,
        }
        blob = json.dumps({"type": "user", "message": {"role": "user", "content": "x" * 1_000_000}}) + "\n"
        with open(self.transcript, "w") as file:
            for _ in range(megabytes):
                file.write(blob)
            file.write(json.dumps(row) + "\n")

    def environ(self) -> dict[str, str]:
        kept = {
            key: value for key, value in os.environ.items() if not key.startswith(("CLAUDE", "ANTHROPIC", "PYTHON"))
        }
        fixed = {
            "HOME": self.home,
            "XDG_DATA_HOME": self.data,
            "CLAUDE_PLUGIN_DATA": self.data,
            "BELAY_SETUP": "off",
        }
        return {**kept, **fixed, "CLAUDE_CONFIG_DIR": os.path.join(self.home, ".claude")}

    def fire(self, event: str, **extra: object) -> float:
        """Run one hook; return the seconds it took."""
        door = "".join("_" + char.lower() if char.isupper() else char for char in event).strip("_")
        base = {
            "session_id": SESSION,
            "transcript_path": self.transcript,
            "cwd": self.root,
            "hook_event_name": event,
        }
        text = json.dumps({**base, **extra}).encode()
        begun = time.perf_counter()
        command = [str(ROOT / "hooks" / "run"), door]
        subprocess.run(command, input=text, capture_output=True, cwd=self.root, env=self.environ(), check=True)
        return time.perf_counter() - begun

    def watch(self, number: int) -> dict[str, float]:
        """Run an edit against an open correction in both modes of the sentinel; return case → seconds."""
        project, environ = projects.find(self.root, self.environ()), self.environ()
        assert project is not None
        event, edit = self.cases()["PreToolUse"]
        found = {}
        for mode, does in ((settings.ADVISE, "advises"), (settings.ENFORCE, "refuses"), (settings.OFF, "")):
            files.write(paths.user_settings(environ), f"sentinel: {mode}\n".encode(), sync=False)
            settings.compile_settings(project, environ)
            if does:
                found[f"PreToolUse, sentinel {does}"] = self.fire(event, prompt_id=f"{mode}-{number}", **edit)
        return found

    def close_captures(self) -> None:
        """Close the captures of a round: the next one is compared with what is open."""
        project = projects.find(self.root, self.environ())
        assert project is not None
        session = Session(project, SESSION, self.environ())
        session.log("close", ids=list(session.state["captures"]), how="ack")

    def settle(self) -> None:
        """Wait for the consolidator that the end of a session started: it would slow the next round's bare run."""
        time.sleep(STARTING)
        with lock.hold(os.path.join(self.root, ".claude", "memory", "state", "consolidate.lock"), SETTLING):
            pass

    def sync(self) -> float:
        """Write and fsync one record's worth of bytes; return the seconds it took."""
        begun = time.perf_counter()
        handle = os.open(os.path.join(self.root, "sync.tmp"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.write(handle, b"x" * 400)
        os.fsync(handle)
        os.close(handle)
        return time.perf_counter() - begun

    def say_new(self) -> str:
        """Return a correction and a decision that nobody made before."""
        return CAPTURE.format(*("".join(self.chance.choices(SOUNDS, k=4)) for _ in range(4)))

    def cases(self) -> dict[str, tuple[str, dict[str, object]]]:
        """Return case → (event, its payload)."""
        file = os.path.join(self.root, "src", "app.py")
        given = {"file_path": file, "old_string": "return order", "new_string": "return 1"}
        read = {
            "tool_name": "Read",
            "tool_input": {"file_path": file},
            "tool_use_id": "t2",
            "tool_response": "x",
        }
        return {
            "UserPromptSubmit": ("UserPromptSubmit", {"prompt": IDLE, "prompt_id": "p"}),
            "UserPromptSubmit, capture": ("UserPromptSubmit", {"prompt": self.say_new(), "prompt_id": "p"}),
            "PreToolUse": ("PreToolUse", {"tool_name": "Edit", "tool_input": given, "tool_use_id": "t1"}),
            "PreToolUse, read": (
                "PreToolUse",
                {"tool_name": "Read", "tool_input": {"file_path": file}, "tool_use_id": "t0"},
            ),
            "PostToolBatch": ("PostToolBatch", {"tool_calls": [read]}),
            "Stop": (
                "Stop",
                {"stop_hook_active": False, "last_assistant_message": "Done. Next I'll test it."},
            ),
            "SessionStart": ("SessionStart", {"source": "startup"}),
            "SessionEnd": ("SessionEnd", {"reason": "other"}),
        }


def measure(bench: Bench, machine: Machine, runs: int) -> dict[str, list[float]]:
    """Return case → seconds of each round; one round before the first is not counted."""
    times: dict[str, list[float]] = {}
    for number in range(runs + 1):
        row = {"bare": machine.bare(), "fsync": bench.sync()}
        row.update({name: bench.fire(event, **extra) for name, (event, extra) in bench.cases().items()})
        row.update(bench.watch(number))
        bench.close_captures()
        bench.settle()
        if number:
            for name, seconds in row.items():
                times.setdefault(name, []).append(seconds)
    return times


def recall(bench: Bench, machine: Machine, runs: int) -> dict[str, list[float]]:
    """Return case → seconds of each round of the hooks that recall, without and with a knowledge base.

    In rounds of their own: no session ends in them, so no consolidator runs beside.
    """
    times: dict[str, list[float]] = {}
    for number in range(runs + 1):
        for name, seconds in {"bare": machine.bare(), **bench.known()}.items():
            times.setdefault(name, []).extend([seconds] if number else [])
    return times


def table(times: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Return one row a case: p50 and p95 in ms, ratio of medians to the bare run, its bound and the verdict."""
    bare = statistics.median(times["bare"])
    rows = []
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        high = sorted(seconds)[max(0, round(len(seconds) * 0.95) - 1)]
        without, most = ADDED.get(name, ("", 0.0))
        added = (middle - statistics.median(times[without])) * 1e3 if without else None
        bound = BOUNDS.get(name)
        word = verdict(middle / bare, bound) if added is None else verdict(added, most)
        rows.append(
            {
                "case": name,
                "p50": middle * 1e3,
                "p95": high * 1e3,
                "ratio": middle / bare,
                "bound": bound,
                "added": added,
                "may add": most or None,
                "verdict": word,
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--journal", type=int, default=100_000, help="lines")
    parser.add_argument("--transcript", type=int, default=200, help="megabytes")
    parser.add_argument("--entries", type=int, default=100_000, help="of the knowledge base; 0 for none")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", action="store_true", help="print the verdicts, and end with 0")
    args = parser.parse_args()
    machine = Machine()
    with tempfile.TemporaryDirectory(prefix="belay-bench-", ignore_cleanup_errors=True) as folder:
        plain = Bench(os.path.join(folder, "plain"), args.journal, args.transcript)
        rows = confirm(lambda: table(measure(plain, machine, args.runs)), figure)
        if args.entries:
            bench = Bench(os.path.join(folder, "known"), args.journal, args.transcript)
            bench.knowledge(args.entries)
            rows += confirm(lambda: table(recall(bench, machine, args.runs)), figure)
    if args.json:
        print(json.dumps(rows))
    else:
        show(rows, args)
    sys.exit(machine.close([row["verdict"] for row in rows], args.json, args.report))


def figure(row: dict[str, Any]) -> str:
    return f"{row['ratio']:.2f}" if row["added"] is None else f"{row['added']:.1f} ms"


def show(rows: list[dict[str, Any]], args: argparse.Namespace) -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {args.runs} rounds,")
    print(f"journal {args.journal:,} lines, transcript {args.transcript} MB, {args.entries:,} entries")
    print(f"{'case':<34}{'p50 ms':>9}{'p95 ms':>9}{'ratio':>8}{'bound':>8}")
    for row in rows:
        bound = f"{row['bound']:>8}" if row["bound"] else ""
        if row["added"] is not None:
            bound = f"    adds {row['added']:.1f} ms of {row['may add']:.0f}"
        figures = f"{row['p50']:>9.1f}{row['p95']:>9.1f}{row['ratio']:>8.2f}"
        print(f"{row['case']:<34}{figures}{bound}  {state(row)}".rstrip())


if __name__ == "__main__":
    main()
