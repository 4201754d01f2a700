"""Secrets in the names of branches, folders, files, tags and remotes: no byte of them is written or said."""

import json
import os
import subprocess
import zlib

import commandline
import doors
import environment
import mcpserver
import pytest
import transcripts
from repos import git, repository
from secretsamples import made

from belay.core import lock, paths
from belay.repository import projects
from belay.safety import secret_kinds

WINDOW = 8
"""Characters of a secret that must be nowhere: a slug or an index would cut it."""


def secrets(seed):
    """Return name → (what carries it, its secret part): what GitHub, AWS and Stripe give out, and a password."""
    github, stripe = made(36, seed=seed), made(24, seed=seed + 1)
    aws, word = made(16, secret_kinds.UPPER, seed + 2), "Zq" + made(10, seed=seed + 3) + "7"
    return {
        "github": ("gh" + "p_" + github, github),
        "aws": ("AK" + "IA" + aws, aws),
        "stripe": ("sk_" + "live_" + stripe, stripe),
        "password": ("password=" + word, word),
    }


def leaks(folders, hidden):
    """Return (file, secret) of every file whose name or bytes hold a part of a secret; git's own store aside."""
    parts = {part[at : at + WINDOW].lower().encode() for part in hidden for at in range(len(part) - WINDOW + 1)}
    found = []
    for folder in folders:
        for inner, names, files in os.walk(folder):
            if os.path.basename(inner) == ".git":
                names[:] = [name for name in names if name in ("belay", "info")]
            for name in files:
                path = os.path.join(inner, name)
                with open(path, "rb") as file:
                    data = file.read()
                for text in (os.path.relpath(path, folder).encode(), data, unpacked(data)):
                    hit = [part for part in parts if part in text.lower()]
                    if hit:
                        found.append((os.path.relpath(path, folder), hit[0], line(text, hit[0])))
    return found


def unpacked(data):
    try:
        return zlib.decompress(data)
    except zlib.error:
        return b""


def line(text, part):
    at = text.lower().find(part)
    return text[max(0, at - 200) : at + 60]


class World:
    """A repository that carries a secret in every name; everything that hooks and commands say is kept in `said`."""

    def __init__(self, root, kind):
        self.root, self.said, self.told, self.kind = root, [], [], kind
        self.hidden, self.names = [], {}
        for number, what in enumerate(("branch", "other", "folder", "file", "tag", "subject", "remote", "gone")):
            name, secret = secrets(100 * number + 7)[kind]
            self.names[what] = name
            self.hidden.append(secret)
        self.branch = f"feature/{self.names['branch']}"
        self.other = f"feature/{self.names['other']}"
        self.folder = f"src/{self.names['folder']}"
        self.code = f"{self.folder}/till.py"
        self.document = f"docs/notes-{self.names['file']}.md"
        self.inner = f"docs/{self.names['folder']}/guide.md"
        self.session, self.inside = doors.SESSION, ""

    def build(self):
        root = repository(self.root)
        git(root, "config", "user.name", "Ada")
        git(root, "config", "user.email", "ada@example.org")
        git(root, "remote", "add", "origin", f"https://ada:{self.names['remote']}@git.example.org/shop.git")
        self.put(self.code, "def refund(order):\n    return order.total\n")
        self.put(self.document, "# Refunds\n\nRefunds go through the ledger of the till, never through the cart.\n" * 3)
        self.put(self.inner, "# Guide\n\nThe guide says how vouchers are printed on the till.\n" * 3)
        self.commit("Add the till")
        git(root, "switch", "-qc", self.branch)
        self.put("rates.csv", "a,b\n")
        self.commit(f"Use {self.names['subject']} for the till")
        git(root, "tag", f"v1-{self.names['tag']}")

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def commit(self, subject):
        git(self.root, "add", "src", "docs", *(["rates.csv"] if (self.root / "rates.csv").exists() else []))
        git(self.root, "commit", "-qm", subject)
        return git(self.root, "rev-parse", "--short", "HEAD")

    def hook(self, event, **fields):
        folder = self.root / self.inside
        done = doors.run(event, folder, session=self.session, transcript_path=self.transcript, **fields)
        assert (done.returncode, done.stderr) == (0, b"")
        self.told.append(done.stdout)

    def belay(self, *args, stdin="", code=0):
        done = commandline.belay(self.root / self.inside, *args, stdin=stdin)
        self.said.append((done.stdout + done.stderr).encode())
        assert done.returncode == code, (args, done.stdout, done.stderr)
        return done.stdout

    @property
    def project(self):
        return projects.find(str(self.root), os.environ)

    @property
    def transcript(self):
        folder = paths.client_project(os.environ, str(self.root))
        return os.path.join(folder, self.session + ".jsonl")

    def converse(self):
        """Write the client's own transcript of the session."""
        os.makedirs(os.path.dirname(self.transcript), exist_ok=True)
        at = {"cwd": str(self.root), "gitBranch": self.branch, "sessionId": self.session}
        use = {"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": {"file_path": str(self.root / self.code)}}
        rows = [
            transcripts.entry(
                "user", message={"role": "user", "content": f"Change @{self.code} so that refunds work"}, **at
            ),
            transcripts.entry("assistant", message={"role": "assistant", "model": "m", "content": [use]}, **at),
            {**transcripts.edit("toolu_1", str(self.root / self.code), 1, ["-a", "+b"]), **at},
            transcripts.answer(5000, text=f"I changed `{self.code}`.", **at),
        ]
        with open(self.transcript, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)

    def work(self):
        """A session: a prompt, a decision, reads, edits, checks, a commit, an answer, a compaction."""
        edited = str(self.root / self.code)
        self.hook("session_start", source="startup")
        self.converse()
        self.hook(
            "user_prompt_submit", prompt=f"Change @{self.code} so that refunds on {self.branch} work", prompt_id="p-1"
        )
        self.hook("user_prompt_submit", prompt=doors.CORRECTION, prompt_id="p-2")
        self.hook("pre_tool_use", tool_name="Read", tool_input={"file_path": str(self.root / self.document)})
        for tool in ("Edit", "mcp__files__move"):
            given = {"file_path": edited, "old_string": "total", "new_string": "sum"}
            self.hook("pre_tool_use", tool_name=tool, tool_input=given, tool_use_id="toolu_1")
        self.put(self.code, f"def refund(order):\n    return order.sum  # {self.session}\n")
        call = doors.call("Edit", "updated", file_path=edited, old_string="total", new_string="sum")
        self.hook("post_tool_batch", tool_calls=[call])
        failed = doors.call("Bash", f"Exit code 1\nFAILED {self.code}::test_refund", command=f"pytest -q {self.code}")
        self.hook("post_tool_batch", tool_calls=[failed])
        sha = self.commit(f"Refund with {self.names['subject']}")
        done = doors.call(
            "Bash", f"[{self.branch} {sha}] Refund with {self.names['subject']}", command="git commit -m x"
        )
        self.hook("post_tool_batch", tool_calls=[done])
        todo = {"content": f"Check {self.code}", "status": "in_progress", "activeForm": "Checking"}
        self.hook("post_tool_batch", tool_calls=[doors.call("TodoWrite", todos=[todo])])
        self.hook("stop", last_assistant_message=f"Refunds work. Next I will test `{self.code}` on {self.branch}.")
        self.hook("pre_compact", trigger="manual", custom_instructions="")
        status = {"session_id": self.session, "model": {"id": "m"}, "cwd": str(self.root)}
        self.pipe([paths.resource("bin", "belay-statusline")], {**status, "workspace": {"current_dir": str(self.root)}})

    def pipe(self, command, data):
        done = subprocess.run(command, input=json.dumps(data).encode(), capture_output=True, cwd=self.root, check=False)
        self.said.append(done.stdout + done.stderr)
        return done.stdout.decode()

    def end(self):
        self.hook("session_end", reason="other")
        environment.until(lambda: "folded" in doors.kinds(self.project, self.session))
        with lock.hold(os.path.join(self.project.states, "consolidate.lock"), deadline=60):
            pass  # the consolidator is done with its files


WRAP_UP = """summary: Refunds work
current task: refunds in `{code}`
status: in progress
next step: test `refund()` in {code} on {branch}
completed:
  - refunds in {code}
key files:
  {code}: the till
decisions:
  - decision: Refunds go through the ledger
    reason: one place
    affects: ["{code}"]
"""


NEARER = """# Project Memory
Last updated: 2026-03-01 | Session 2 | Branch: main

## Active Work
- [ ] the till

## Key Files
| File | Purpose |
|------|---------|
| `till.py` | the till |
"""


@pytest.fixture
def world(request, tmp_path, home):
    environment.built(str(home / "environment"))
    made_world = World(tmp_path / f"shop-{secrets(9000)[request.param][0]}", request.param)
    made_world.own = secrets(9000)[request.param][1]
    made_world.build()
    return made_world


@pytest.mark.parametrize("world", ["github", "password"], indirect=True)
def test_a_session_keeps_no_secret_of_a_name(world, home, tmp_path):
    world.work()
    world.belay("decision", "Vouchers are printed twice", "-f", world.code)
    world.belay("status")
    world.end()
    world.session = "22222222-3333-4444-8555-666666666666"
    world.hook("session_start", source="startup")

    assert b"refunds" in world.told[-1].lower()
    assert_nothing_kept(world, home, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("world", ["github", "aws", "stripe", "password"], indirect=True)
def test_no_secret_of_a_name_reaches_a_file_or_claude(world, home, tmp_path):
    world.belay("index")
    world.work()
    world.belay("wrap-up", "--apply", stdin=WRAP_UP.format(code=world.code, branch=world.branch))
    world.belay("decision", "Vouchers are printed twice", "-f", world.code)
    world.belay("capture", "--as", "decision", f"Refunds live in {world.code}")
    world.end()
    world.session = "22222222-3333-4444-8555-666666666666"
    git(world.root, "switch", "-qc", world.other)
    world.work()
    world.end()
    git(world.root, "switch", "-q", world.branch)
    world.session = "33333333-3333-4444-8555-666666666666"
    world.hook("session_start", source="startup")
    begun = world.told[-1].decode()
    world.hook("user_prompt_submit", prompt=f"/switch {world.other}", prompt_id="p-3")
    world.hook("pre_tool_use", tool_name="Read", tool_input={"file_path": str(world.root / world.code)})
    world.end()
    world.session, world.inside = "44444444-3333-4444-8555-666666666666", world.folder
    git(world.root, "switch", "-q", "main")
    world.put(f"{world.folder}/MEMORY.md", NEARER)
    world.work()
    world.belay("wrap-up", "--apply", stdin=WRAP_UP.format(code=world.code, branch="main"))
    world.belay("wrap-up", "--undo")
    world.end()
    world.inside = ""
    for args in (
        ("search", "refunds ledger"),
        ("search", "vouchers", "--json"),
        ("sessions",),
        ("status",),
        ("handoff",),
        ("branch", "list"),
        ("branch", "show", world.other),
        ("diff",),
        ("health",),
        ("memory", "show"),
        ("continue",),
        ("recent",),
        ("journal",),
        ("review", "--json"),
        ("doctor",),
        ("index",),
        ("buffer",),
        ("compress", "--dry-run"),
        ("rebuild",),
        ("budget",),
        ("rebuild", "notes"),
        ("rebuild", "db"),
        ("stats",),
    ):
        done = commandline.belay(world.root, *args)
        world.said.append((done.stdout + done.stderr).encode())
    with mcpserver.Server(world.root) as server:
        answers = [
            server.call("memory_search", query="refunds till vouchers"),
            server.call("memory_search", query="refunds", file=world.code, branch=world.branch),
            server.call("memory_read", path=world.code),
            server.call("memory_read", path=world.document),
            server.call("memory_record", type="decision", content="The till rounds up", files=[world.code]),
            server.call("memory_timeline", around=world.branch),
        ]
        world.said += [json.dumps(answer, ensure_ascii=False).encode() for answer in answers]
    world.end()
    print(begun)
    assert "refund()" in begun  # the next step in the overlay of the branch
    assert not any(answer["isError"] for answer in answers)
    read = [answer["content"][0]["text"] for answer in answers[2:4]]
    assert "Vouchers are printed twice" in read[0]
    assert "Refunds go through the ledger of the till" in read[1]
    assert_nothing_kept(world, home, tmp_path)


def assert_nothing_kept(world, home, tmp_path):
    """Search every file and all that was said for a part of a secret."""
    kept = [world.root / name for name in (".claude", ".memory", ".git/belay", ".git/info", "memory", "tasks")]
    said = tmp_path / "said"
    said.mkdir()
    for number, text in enumerate(world.said + world.told):
        (said / str(number)).write_bytes(text)
    alone = [tmp_path / "alone"]
    alone[0].mkdir()
    for name in ("MEMORY.md", "CONTINUATION.md", "HANDOFF.md"):
        if (world.root / name).exists():
            (alone[0] / name).write_bytes((world.root / name).read_bytes())
    places = [*kept, *alone, home / ".local"]
    found = leaks([*places, said], world.hidden) + leaks(places, [world.own])
    found += [("hook", world.own, text) for text in world.told if world.own.encode() in text]
    for row in found:
        print(row)
    assert found == []
