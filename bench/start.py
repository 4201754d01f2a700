"""Time a session's start in a repository of 50,000 commits with a MEMORY.md of 200 lines (docs/memory.md).

    python3 bench/start.py [--runs 15] [--commits 50000] [--json] [--report]

Run it with an interpreter that has the packages of Belay. Each round runs the bare interpreter, a start that reads
what was compiled, and one right after MEMORY.md changed. Some 280 commits are newer than the memory. Bound: 15.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from verdict import Machine, confirm, state, verdict

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.core import (
    environment,
)
from belay.repository import projects
from belay.safety import trust

BOUND = 15.0
SESSION = "11111111-2222-4333-8444-555555555555"
_HEAD = """# Project Memory
Last updated: {date} | Session 12 | Branch: main
Memory health: 9/10

## Project Overview
Bakery shop. Node 20 with Fastify and Prisma.

## Where We Left Off
- **Current task:** Refunds in `src/part7.js`
- **Status:** in progress
- **Next immediate step:** Finish `refund()` in `src/part7.js`

## Blockers
- Stripe's webhook secret for staging

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
"""
_FILES = "\n## Key Files\n| File | Purpose | Last Modified |\n|------|---------|---------------|\n"
_NOTES = "\n## Architecture Notes\n"


class Bench:
    """A scratch repository with a long history, and a home of its own."""

    def __init__(self, folder: str, commits: int) -> None:
        self.root, self.home = os.path.join(folder, "project"), os.path.join(folder, "home")
        self.python = os.path.realpath(sys.executable)
        os.makedirs(self.root)
        os.makedirs(os.path.join(self.home, "data"))
        self.now, self.turn = time.time(), 0
        _git(self.root, "init", "-q", "-b", "main")
        subprocess.run(["git", "fast-import", "--quiet"], cwd=self.root, input=self._history(commits), check=True)
        _git(self.root, "reset", "-q", "--hard", "main")
        _git(self.root, "config", "user.email", "ada@example.invalid")
        project = projects.find(self.root, self.environ())
        assert project is not None
        os.makedirs(project.journals)
        os.makedirs(project.states)
        pathlib.Path(self.home, "data", "python").write_text(self.python + "\n")
        rows = f"{sys.executable}\n{environment.crc()}\n{environment.version()}\n"
        pathlib.Path(self.home, "data", "env").write_text(rows)
        self.remember()

    def _history(self, commits: int) -> bytes:
        begin = int(self.now) - 86400 * 900
        rows = []
        for number in range(commits):
            when = begin + number * (86400 * 899 // commits)
            text = f"export const part = {number};\n" * 5
            who = f"{'Ada' if number % 3 else 'Bob'} <{'ada' if number % 3 else 'bob'}@example.invalid> {when} +0000"
            change = f"M 100644 inline src/part{number % 500}.js\ndata {len(text)}\n{text}"
            head = f"commit refs/heads/main\ncommitter {who}\ndata {len(str(number)) + 5}\nPart {number}\n"
            rows.append(head + change)
        package = json.dumps({"dependencies": {"fastify": "^4.0.0", "@prisma/client": "^5.0.0"}})
        rows.append(
            f"commit refs/heads/main\ncommitter Ada <ada@example.invalid> {int(self.now) - 86400} +0000\n"
            "data 8\nPackage\n"
            f"M 100644 inline package.json\ndata {len(package)}\n{package}\n"
        )
        return "".join(rows).encode()

    def remember(self) -> None:
        """Write a MEMORY.md of 200 lines that no start has seen."""
        self.turn += 1
        text = _HEAD.format(date=time.strftime("%Y-%m-%d", time.localtime(self.now - 5 * 86400)))
        rows = [f"| 2026-01-{n % 28 + 1:02} | Choice {n} of Kind{n} | cheaper | `src/part{n}.js` |" for n in range(60)]
        text += "\n".join(rows) + "\n" + _FILES
        text += "\n".join(f"| `src/part{n}.js` | part {n} | session {n % 12} |" for n in range(60)) + "\n" + _NOTES
        text += "\n".join(f"- Part {n} never calls part {n + 1} ({self.turn})." for n in range(57)) + "\n"
        path = pathlib.Path(self.root, "MEMORY.md")
        path.write_text(text)
        then = self.now - 5 * 86400
        os.utime(path, (then, then))
        trust.record(self.environ(), self.root, "MEMORY.md", text.encode())

    def environ(self) -> dict[str, str]:
        foreign = ("CLAUDE", "ANTHROPIC", "PYTHON", "GIT_")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
        data = os.path.join(self.home, "data")
        fixed = {"HOME": self.home, "XDG_DATA_HOME": data, "CLAUDE_PLUGIN_DATA": data, "BELAY_SETUP": "off"}
        return {**kept, **fixed, "CLAUDE_CONFIG_DIR": os.path.join(self.home, ".claude")}

    def start(self) -> float:
        """Run one start; return the seconds it took."""
        self.turn += 1
        told = {
            "session_id": f"{self.turn:08}-2222-4333-8444-555555555555", "cwd": self.root, "source": "startup",
            "hook_event_name": "SessionStart", "transcript_path": os.path.join(self.home, "none.jsonl"),
        }  # fmt: skip
        begun = time.perf_counter()
        done = subprocess.run(
            [str(ROOT / "hooks" / "run"), "session_start"], input=json.dumps(told).encode(), capture_output=True,
            cwd=self.root, env=self.environ(), check=True,
        )  # fmt: skip
        seconds = time.perf_counter() - begun
        assert b"Next step: Finish" in done.stdout, done
        for name in os.listdir(os.path.join(self.root, ".claude", "memory", "journal")):
            os.unlink(os.path.join(self.root, ".claude", "memory", "journal", name))
        return seconds


def _git(folder: str, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, check=True)


def measure(bench: Bench, machine: Machine, runs: int) -> dict[str, list[float]]:
    """Return case → seconds of each round; one round before the first is not counted."""
    times: dict[str, list[float]] = {"bare": [], "compiled": [], "MEMORY.md changed": []}
    for number in range(runs + 1):
        row = {"bare": machine.bare(), "compiled": bench.start()}
        bench.remember()
        row["MEMORY.md changed"] = bench.start()
        for name, seconds in row.items() if number else ():
            times[name].append(seconds)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--commits", type=int, default=50_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", action="store_true", help="print the verdicts, and end with 0")
    args = parser.parse_args()
    machine = Machine()
    with tempfile.TemporaryDirectory(prefix="belay-bench-", ignore_cleanup_errors=True) as folder:
        bench = Bench(folder, args.commits)
        rows = confirm(lambda: table(measure(bench, machine, args.runs)), lambda row: f"{row['ratio']:.2f}")
    if args.json:
        print(json.dumps(rows))
    else:
        show(rows, args)
    sys.exit(machine.close([row["verdict"] for row in rows], args.json, args.report))


def table(times: dict[str, list[float]]) -> list[dict[str, Any]]:
    """Return one row a case: p50 in ms, ratio of medians to the bare run, and the verdict."""
    middle = {name: statistics.median(seconds) for name, seconds in times.items()}
    ratios = {name: seconds / middle["bare"] for name, seconds in middle.items()}
    return [
        {"case": name, "p50": seconds * 1e3, "ratio": ratios[name],
         "verdict": verdict(ratios[name], None if name == "bare" else BOUND)}
        for name, seconds in middle.items()
    ]  # fmt: skip


def show(rows: list[dict[str, Any]], args: argparse.Namespace) -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {args.runs} rounds, {args.commits:,} commits")
    for row in rows:
        print(f"{row['case']:<24}{row['p50']:>9.1f} ms{row['ratio']:>8.2f}  (bound {BOUND:g})  {state(row)}")


if __name__ == "__main__":
    main()
