"""The real Claude Code client, headless, against a loopback API.

client = Client(version, home, repo, api, plugins=[plugin])
run = client.run("first prompt", "/compact", "second prompt")     # one process, a turn each
assert run.code == 0 and "recorded" in api.main[1].text

with client.start() as session:         # the same by hand: kill it in mid-turn, look between prompts
    session.send("fix it"); api.wait_for(1); session.kill()
"""

import json
import os
import queue
import signal
import subprocess
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = (ROOT / "tests" / "host" / "versions.txt").read_text().split()  # the floor first, the newest last
KEY = "sk-loopback-not-a-key"
TURN = 120  # seconds one turn may take on a busy machine


def binary(version):
    """Return the client's file: $CLAUDE_BIN_2_1_329, or what `make clients` has put into .cache/clients."""
    named = os.environ.get("CLAUDE_BIN_" + version.replace(".", "_"))
    found = Path(named) if named else ROOT / ".cache" / "clients" / version / "claude"
    if not os.access(found, os.X_OK):
        raise AssertionError(f"client {version} is not at {found}; get it with: make clients")
    return str(found)


def environment(home, api, **more):
    """Return the client's environment: a home of its own, loopback only (HOST, "Testing with the real client")."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "ANTHROPIC"))}
    env.update(
        HOME=str(home),
        XDG_DATA_HOME=str(Path(home, ".local", "share")),
        CLAUDE_CONFIG_DIR=str(Path(home, ".claude")),
        ANTHROPIC_BASE_URL=api.url,
        ANTHROPIC_API_KEY=KEY,
        BELAY_SETUP="off",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_AUTOUPDATER="1",
        DISABLE_ERROR_REPORTING="1",
        DISABLE_TELEMETRY="1",
        IS_SANDBOX="1",
        **more,
    )
    return env


class Client:
    """One version of the client with a home, a project folder, plugins and more environment.

    The model has a window of 200k here, so automatic compaction comes at 167k (HOST §5).
    """

    def __init__(self, version, home, cwd, api, plugins=(), model="claude-sonnet-4-6", **env):
        self.version, self.home, self.cwd, self.model = version, Path(home), Path(cwd), model
        self.binary, self.plugins = binary(version), [str(Path(p).resolve()) for p in plugins]
        self.env = environment(home, api, **env)
        self.home.joinpath(".claude").mkdir(parents=True, exist_ok=True)

    @property
    def config(self):
        """The client's own folder."""
        return self.home / ".claude"

    def command(self, *args):
        """Return the command line, plugins and model included."""
        plugins = [part for path in self.plugins for part in ("--plugin-dir", path)]
        return [self.binary, *plugins, "--model", self.model, *args]

    def start(self, *args):
        """Start a headless conversation; a context manager (see Session)."""
        return Session(self, args)

    def run(self, *prompts, args=()):
        """Play the prompts, each after the answer to the one before, in one process; return the ended Session."""
        with self.start(*args) as session:
            for prompt in prompts:
                session.ask(prompt)
        return session

    def plugin(self, *args, timeout=TURN):
        """Run `claude plugin ...`; return the CompletedProcess, output as text, both streams in stdout."""
        return subprocess.run(
            [self.binary, "plugin", *map(str, args)],
            cwd=self.cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout,
        )

    def transcripts(self):
        """Return the transcript files, oldest first; subagents' are left out."""
        return sorted(self.config.glob("projects/*/*.jsonl"), key=lambda path: path.stat().st_mtime)


class Session:
    """One headless process: `events` (every JSON line it printed), `results` (one a turn), `code` once it ended."""

    ARGS = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    MORE = ("--include-hook-events", "--permission-mode", "bypassPermissions")

    def __init__(self, client, args=()):
        self.events, self.code, self.stderr = [], None, ""
        self._results = queue.Queue()
        self._process = subprocess.Popen(
            client.command(*self.ARGS, *self.MORE, *args),
            cwd=client.cwd,
            env=client.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._readers = [threading.Thread(target=f, daemon=True) for f in (self._read, self._errors)]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.code is None:
            self.kill() if kind else self.close()

    @property
    def pid(self):
        return self._process.pid

    @property
    def results(self):
        return [event for event in self.events if event.get("type") == "result"]

    @property
    def session_id(self):
        """The id that the newest event carries."""
        return next((e["session_id"] for e in reversed(self.events) if e.get("session_id")), "")

    def hooks(self, event=""):
        """Return the answers of hooks (of one event) as the client reported them."""
        return [
            e
            for e in self.events
            if e.get("subtype") == "hook_response" and event in ("", e.get("hook_event"), e.get("hook_event_name"))
        ]

    def send(self, prompt):
        """Type a prompt and do not wait."""
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def result(self, timeout=TURN):
        """Wait for the end of a turn; return its result event."""
        try:
            found = self._results.get(timeout=timeout)
        except queue.Empty:
            found = None
        if found is None:
            raise AssertionError(f"no result; stderr: {self.stderr[-2000:]!r}; last: {self.events[-3:]}")
        return found

    def ask(self, prompt, timeout=TURN):
        """Type a prompt and wait for the end of its turn; return the result event."""
        self.send(prompt)
        return self.result(timeout)

    def close(self, timeout=TURN):
        """End the input and wait for the client to leave; return its exit code."""
        self._process.stdin.close()
        return self._end(timeout)

    def kill(self, sign=signal.SIGKILL):
        """Kill the client (only it: its children live on, as they do after a crash); return its exit code."""
        self._process.send_signal(sign)
        return self._end(TURN)

    def _end(self, timeout):
        try:
            self.code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        for reader in self._readers:
            reader.join(5)
        if self._process.stdin and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        if not any(reader.is_alive() for reader in self._readers):
            self._process.stdout.close()
            self._process.stderr.close()
        return self.code

    def _read(self):
        for line in self._process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            self.events.append(event)
            if event.get("type") == "result":
                self._results.put(event)
        self._results.put(None)

    def _errors(self):
        for line in self._process.stderr:
            self.stderr += line
