"""Time every hook against a bare run of the same interpreter, in one run, with a long journal and a large transcript.

    python3 bench/latency.py [--runs 25] [--journal 100000] [--transcript 200] [--json]

Each round runs the bare interpreter and every hook once, in turn, so that a drift of the machine's speed hits all
alike. Printed: p50 and p95 in milliseconds, the ratio of the medians, and the target (docs/architecture.md). fsync is
measured on its own: disks differ.
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

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay import journal, mark, paths  # noqa: E402 - the line above says where belay is
from belay.loading import index  # noqa: E402

SESSION = "11111111-2222-4333-8444-555555555555"
CAPTURE = "No, use the status 'refunded', not 'void'. Let's go with SQLite for the ledger."
IDLE = "please show me the list of open files"
TARGETS = {
    "UserPromptSubmit": 2.5,
    "UserPromptSubmit, capture": 5.0,
    "PreToolUse": 2.5,
    "PostToolBatch": 2.5,
    "Stop": 2.5,
    "SessionStart": 15.0,
    "SessionEnd": 4.0,
}
"""Case → ratio to a bare run that the house is built for."""


class Bench:
    """A scratch project with a home of its own, a journal of many lines and a transcript of many megabytes."""

    def __init__(self, folder: str, lines: int, megabytes: int) -> None:
        self.root, self.home = os.path.join(folder, "project"), os.path.join(folder, "home")
        self.python = os.path.realpath(sys.executable)
        self.transcript = os.path.join(self.home, SESSION + ".jsonl")
        self.data = os.path.join(self.home, "data")
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
        project = paths.find(self.root, self.environ())
        assert project is not None
        own = mark.of(self.environ(), SESSION)
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
        project = paths.find(self.root, self.environ())
        assert project is not None
        decisions = [
            {
                "line": n,
                "date": "",
                "decision": f"Kind{n} over Other{n} in part {n}",
                "reason": "",
                "affects": "",
            }
            for n in range(60)
        ]
        files = [
            {"line": n, "path": f"src/part{n}.py", "purpose": f"part {n}", "session": 1}
            for n in range(60, 120)
        ]
        index.keep(project, self.environ(), "bench", {"decisions": decisions, "files": files}, [])

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
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("CLAUDE", "ANTHROPIC", "PYTHON"))
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
        subprocess.run(
            command, input=text, capture_output=True, cwd=self.root, env=self.environ(), check=True
        )
        return time.perf_counter() - begun

    def bare(self) -> float:
        """Run the bare interpreter; return the seconds it took."""
        begun = time.perf_counter()
        subprocess.run([self.python, "-S", "-E", "-c", "pass"], check=True)
        return time.perf_counter() - begun

    def sync(self) -> float:
        """Write and fsync one record's worth of bytes; return the seconds it took."""
        begun = time.perf_counter()
        handle = os.open(os.path.join(self.root, "sync.tmp"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.write(handle, b"x" * 400)
        os.fsync(handle)
        os.close(handle)
        return time.perf_counter() - begun

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
            "UserPromptSubmit, capture": ("UserPromptSubmit", {"prompt": CAPTURE, "prompt_id": "p"}),
            "PreToolUse": ("PreToolUse", {"tool_name": "Edit", "tool_input": given, "tool_use_id": "t1"}),
            "PostToolBatch": ("PostToolBatch", {"tool_calls": [read]}),
            "Stop": (
                "Stop",
                {"stop_hook_active": False, "last_assistant_message": "Done. Next I'll test it."},
            ),
            "SessionStart": ("SessionStart", {"source": "startup"}),
            "SessionEnd": ("SessionEnd", {"reason": "other"}),
        }


def measure(bench: Bench, runs: int) -> dict[str, list[float]]:
    """Return case → seconds of each round; one round before the first is not counted."""
    times: dict[str, list[float]] = {name: [] for name in ("bare", "fsync", *bench.cases())}
    for number in range(runs + 1):
        row = {"bare": bench.bare(), "fsync": bench.sync()}
        row.update({name: bench.fire(event, **extra) for name, (event, extra) in bench.cases().items()})
        if number:
            for name, seconds in row.items():
                times[name].append(seconds)
    return times


def table(times: dict[str, list[float]]) -> list[dict[str, object]]:
    """Return one row a case: p50 and p95 in ms, ratio of medians to the bare run, target."""
    bare = statistics.median(times["bare"])
    rows = []
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        high = sorted(seconds)[max(0, round(len(seconds) * 0.95) - 1)]
        rows.append(
            {
                "case": name,
                "p50": middle * 1e3,
                "p95": high * 1e3,
                "ratio": middle / bare,
                "target": TARGETS.get(name),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--journal", type=int, default=100_000, help="lines")
    parser.add_argument("--transcript", type=int, default=200, help="megabytes")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="belay-bench-", ignore_cleanup_errors=True) as folder:
        rows = table(measure(Bench(folder, args.journal, args.transcript), args.runs))
    if args.json:
        print(json.dumps(rows))
        return
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {args.runs} rounds,")
    print(f"journal {args.journal:,} lines, transcript {args.transcript} MB")
    print(f"{'case':<28}{'p50 ms':>9}{'p95 ms':>9}{'ratio':>8}{'target':>8}")
    for row in rows:
        target = f"{row['target']:>8}" if row["target"] else ""
        print(f"{row['case']:<28}{row['p50']:>9.1f}{row['p95']:>9.1f}{row['ratio']:>8.2f}{target}")


if __name__ == "__main__":
    main()
