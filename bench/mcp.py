"""Time the MCP server: from its start to its first answer, and a search in a base of many entries (docs/mcp.md).

    python3 bench/mcp.py [--runs 30] [--entries 1000] [--json]

Each round runs the bare interpreter, the server's door, and its start script with and without a pointer to an
interpreter. Memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from verdict import Machine, verdict

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.knowledge.store.store import NewEntry, Store

DOOR, START = str(ROOT / "lib" / "belay" / "mcp" / "__main__.py"), str(ROOT / "bin" / "belay-mcp")
STARTS = {"server": 1.5, "start script, pointer": 2.0}
"""Case → bare runs until the first answer, at most."""
BOUNDS = {"first search": 100.0, "later searches": 20.0, "MB idle": 12.0, "MB after searches": 30.0}
"""Case → milliseconds or megabytes at most."""
WORDS = "refund invoice gateway cache queue worker index schema token header retry deploy staging mirror".split()


def _sentence(number: int) -> str:
    one, other = WORDS[number % len(WORDS)], WORDS[number // len(WORDS) % len(WORDS)]
    return f"The {one} of case {number} waits for the {other}"


def _given(tool: str, number: int) -> dict[str, str]:
    return {"query": f"{WORDS[number % len(WORDS)]} case {number * 97}"} if tool == "memory_search" else {}


class Bench:
    """A scratch project with entries, and a home of its own."""

    def __init__(self, folder: str, entries: int) -> None:
        self.python, self.project = os.path.realpath(sys.executable), os.path.join(folder, "project")
        self.data = os.path.join(folder, "data")
        for name in (self.project, self.data):
            os.makedirs(name)
        with open(os.path.join(self.data, "python"), "w", encoding="utf-8") as file:
            file.write(self.python + "\n")
        kept = {key: os.environ[key] for key in ("PATH",)}
        self.environ = {**kept, "HOME": folder, "CLAUDE_PROJECT_DIR": self.project}
        database = os.path.join(self.project, ".claude", "memory", "workshop.db")
        with Store(database, self.environ, create=True) as store:
            store.add_many([NewEntry("note", _sentence(number), {"branch": "main"}) for number in range(entries)])

    def start(
        self, command: list[str], tool: str = "", calls: int = 0, **more: str
    ) -> tuple[float, list[float], float]:
        """Return (ms to the first answer, ms of each call, MB) of one server."""
        begun = time.perf_counter()
        server = subprocess.Popen(command, env={**self.environ, **more}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._ask(server, "initialize", protocolVersion="2025-11-25", capabilities={})
        first, times = (time.perf_counter() - begun) * 1000, []
        for number in range(calls):
            begun = time.perf_counter()
            self._ask(server, "tools/call", name=tool, arguments=_given(tool, number))
            times.append((time.perf_counter() - begun) * 1000)
        memory = _memory(server.pid)
        server.communicate()
        return first, times, memory

    def _ask(self, server: subprocess.Popen[bytes], method: str, **params: object) -> None:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        assert server.stdin
        assert server.stdout
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        assert b'"result"' in server.stdout.readline()


def _memory(pid: int) -> float:
    """Return the peak memory of a process in MB, 0.0 where the system does not tell."""
    try:
        rows = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM")), 0.0)


def measure(machine: Machine, runs: int, entries: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, entries)
        door = [bench.python, "-S", "-E", DOOR]
        rows: dict[str, list[float]] = {}
        for _ in range(runs):
            rows.setdefault("bare interpreter", []).append(machine.bare() * 1000)
            rows.setdefault("server", []).append(bench.start(door)[0])
            rows.setdefault("start script, pointer", []).append(bench.start([START], CLAUDE_PLUGIN_DATA=bench.data)[0])
            rows.setdefault("start script", []).append(bench.start([START])[0])
        _, calls, loaded = bench.start(door, "memory_search", 200)
        _, told, _ = bench.start(door, "memory_timeline", 50)
        figures = {name: statistics.median(times) for name, times in rows.items()}
        figures |= {"first search": calls[0], "later searches": statistics.median(calls[1:])}
        figures["later timelines"] = statistics.median(told[1:])
        return {**figures, "MB idle": bench.start(door)[2], "MB after searches": loaded}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    machine = Machine()
    figures = measure(machine, given.runs, given.entries)
    bare = figures["bare interpreter"]
    words = {
        name: verdict(value / bare if name in STARTS else value, {**STARTS, **BOUNDS}.get(name))
        for name, value in figures.items()
    }
    if given.json:
        print(json.dumps({name: round(value, 2) for name, value in figures.items()}))
    for name, value in figures.items() if not given.json else ():
        ratio = f"{value / bare:.2f} x of {STARTS[name]:g}" if name in STARTS else ""
        bound = f"of {BOUNDS[name]:g}" if name in BOUNDS else ""
        print(f"{name:24}{value:8.1f} {ratio}{bound}  {words[name]}".rstrip())
    sys.exit(machine.close(list(words.values()), given.json))


if __name__ == "__main__":
    main()
