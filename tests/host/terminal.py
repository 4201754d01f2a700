"""The real client in a terminal: tmux types, tmux reads.

    with Terminal(client) as terminal:
        terminal.say("fix the tests")                 # types and presses Enter
        terminal.wait_for("Done.")
        terminal.leave()                              # /exit

Onboarding, trust and key dialogs are answered beforehand in the client's own settings, so the first screen is the
prompt.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from host.client import KEY

PROMPT = re.compile(r"^[\s│]*[❯>](\s|$)", re.M)
COLUMNS, LINES = 120, 50


def prepare(client):
    """Answer the client's first-run questions for its home, key and project folder."""
    path = client.config / ".claude.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known.update(
        hasCompletedOnboarding=True,
        lastOnboardingVersion=client.version,
        theme="dark",
        numStartups=5,
        bypassPermissionsModeAccepted=True,
        customApiKeyResponses={"approved": [KEY[-20:]], "rejected": []},
    )
    trusted = known.setdefault("projects", {}).setdefault(os.path.realpath(client.cwd), {})
    trusted.update(hasTrustDialogAccepted=True, hasCompletedProjectOnboarding=True)
    path.write_text(json.dumps(known))
    # A client that has run before in this home asks its settings instead.
    settings = client.config / "settings.json"
    chosen = json.loads(settings.read_text()) if settings.exists() else {}
    settings.write_text(json.dumps({**chosen, "skipDangerousModePermissionPrompt": True}))


class Terminal:
    """One interactive client in a tmux server of its own; a context manager."""

    def __init__(self, client, *args, timeout=60):
        if not shutil.which("tmux"):
            raise AssertionError("tmux is not on PATH; get it with: apt install tmux, or brew install tmux")
        prepare(client)
        # A socket's path has at most about 100 bytes; pytest's own folders are longer.
        self._folder = tempfile.mkdtemp(prefix="belay-tmux-")
        self._timeout, self.client = timeout, client
        command = client.command("--permission-mode", "bypassPermissions", *args)
        size = ("-x", str(COLUMNS), "-y", str(LINES))
        self._tmux("-f", "/dev/null", "new-session", "-d", *size, "-c", str(client.cwd), *command)
        self._tmux("set-option", "-g", "remain-on-exit", "on")

    def __enter__(self):
        try:
            self.wait_for(PROMPT)
        except AssertionError:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def _tmux(self, *args, check=True):
        done = subprocess.run(
            ["tmux", "-S", os.path.join(self._folder, "s"), *args],
            env={**self.client.env, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"},
            cwd=self.client.cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
        )
        if check and done.returncode:
            raise AssertionError(f"tmux {args[0]}: {done.stderr.strip()}")
        return done.stdout

    @property
    def screen(self):
        """What the person sees now."""
        return self._tmux("capture-pane", "-p", "-J")

    @property
    def pid(self):
        """The client's process id."""
        return int(self._tmux("list-panes", "-F", "#{pane_pid}").split()[0])

    @property
    def dead(self):
        """Whether the client has left."""
        return self._tmux("list-panes", "-F", "#{pane_dead}", check=False).strip() in ("1", "")

    def keys(self, *names):
        """Press keys by tmux's names: Enter, Escape, C-c, Down …"""
        self._tmux("send-keys", *names)

    def type(self, text):
        """Type a text as it is, without Enter."""
        self._tmux("send-keys", "-l", text)

    @property
    def box(self):
        """What stands in the input box, its first line."""
        lines = [line for line in self.screen.splitlines() if PROMPT.search(line)]
        return PROMPT.sub("", lines[-1]).strip() if lines else ""

    def say(self, text):
        """Type a prompt of one line and send it; return once the client has taken it out of its input box.

        What is typed before that would be joined to it: /clear, say, takes as long as its hooks.
        """
        self.type(text)
        last = text.split()[-1][-20:]
        self._until(lambda: last in self.screen, f"typed {text!r}")
        self.keys("Enter")
        self._until(lambda: self.dead or text[:20] not in self.box, f"{text!r} to be sent")

    def wait_for(self, wanted, timeout=None):
        """Wait until a text or pattern is on the screen; return the screen."""
        pattern = re.compile(re.escape(wanted)) if isinstance(wanted, str) else wanted
        return self._until(lambda: pattern.search(self.screen) and self.screen, wanted, timeout)

    def leave(self, timeout=None):
        """/exit, and wait until the client has left."""
        self.say("/exit")
        self.wait_dead(timeout)

    def wait_dead(self, timeout=None):
        """Wait until the client has left."""
        self._until(lambda: self.dead, "the client's end", timeout)

    def kill(self, sign=9):
        """Kill the client itself."""
        os.kill(self.pid, sign)
        self.wait_dead()

    def close(self):
        """End the terminal: this tmux server and what runs in it, nothing else."""
        self._tmux("kill-server", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _until(self, question, what, timeout=None):
        end = time.monotonic() + (timeout or self._timeout)
        while time.monotonic() < end:
            answer = question()
            if answer:
                return answer
            time.sleep(0.1)
        raise AssertionError(f"waited in vain for {what!r}; the screen:\n{self.screen}")
