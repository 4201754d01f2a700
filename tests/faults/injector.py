"""Runs scenes of `scenes.py` with one failing or fatal call each; a process that was started with injector.c preloaded.

Every run is a fork of this process, which has everything loaded, so that thousands take minutes. Arguments: one JSON
object {folders, place, kept, seed, number, share, of}; with a `number` so many faults are drawn, else all are made.
Printed: one JSON line a fault {scene, call, fault, acknowledged, reported, problem}.
"""

import collections
import ctypes
import errno
import io
import json
import os
import random
import re
import shutil
import sys
import time
import traceback
from pathlib import Path
from typing import NamedTuple

CALLS = ("write", "pwrite", "open", "sync", "rename", "link", "mkdir", "unlink", "truncate")
FIRED, SLOTS = 15, 16
MODES = {"fail": 1, "short": 2, "torn": 3, "kill": 4, "killed after": 5, "exit": 6}
FATAL = ("torn", "kill", "killed after", "exit")
_FULL = ("ENOSPC", "EIO", "EDQUOT")
ERRORS = {
    "write": _FULL, "pwrite": _FULL, "open": ("EMFILE", "EIO", "EROFS", "ENOSPC", "EDQUOT", "EACCES"), "sync": _FULL,
    "rename": (*_FULL, "EROFS", "EACCES"), "link": (*_FULL, "EROFS"), "mkdir": (*_FULL, "EROFS", "EACCES"),
    "unlink": ("EIO", "EROFS"),
    "truncate": ("EIO", "ENOSPC"),
}  # fmt: skip
ORIGINS = ("typed", "answered", "asked")
SLOW, SLOWER = "took", 4.0
SECONDS, PATIENCE = 5.0, 20.0
WRONG = re.compile(r"cannot|could not|damaged|failed|broken")
PRELOAD = (
    "yaml", "markdown_it", "filelock", "click", "difflib", "subprocess", "sqlite3", "hashlib", "traceback", "git", "tempfile",
    "belay.hooks.session_start", "belay.hooks.start_sequence", "belay.hooks.user_prompt_submit", "belay.hooks.pre_tool_use",
    "belay.hooks.post_tool_batch", "belay.hooks.pre_compact", "belay.hooks.stop", "belay.hooks.session_end",
    "belay.hooks.run", "belay.hooks.prompt_answers", "belay.hooks.reply_builder", "belay.hooks.milestones", "belay.safety.log",
    "belay.consolidate.session", "belay.consolidate.knowledge", "belay.consolidate.memory", "belay.triggers.classifier",
    "belay.knowledge.store.store", "belay.memory.remember.filing", "belay.memory.wrapup.saving", "belay.session.captures",
)  # fmt: skip


class Fault(NamedTuple):
    """The `number`th call of a kind fails with an error (once, or every one from then on), or is the process's last."""

    call: str
    number: int
    mode: str
    error: str = ""
    lasting: bool = False

    def __str__(self):
        return f"{self.error} {'lasting' if self.lasting else 'once'}" if self.error else self.mode


class Done(NamedTuple):
    """How a run ended: exit code (below 0: the signal), output, errors, seconds of itself and of all its children."""

    code: int
    out: str
    errors: str
    seconds: float
    total: float


def list_faults(counts):
    """Return every fault of a scene that makes so many calls of each kind."""
    rows = []
    for name, most in zip(CALLS, counts, strict=False):
        for number in range(1, most + 1):
            for error in ERRORS[name]:
                rows += [Fault(name, number, "fail", error), Fault(name, number, "fail", error, lasting=True)]
            modes = MODES if name in ("write", "pwrite") else ("kill", "killed after", "exit")
            rows += [Fault(name, number, mode) for mode in modes if mode != "fail"]
    return rows


class Injector:
    """Forks runs at one place and looks at what they left."""

    def __init__(self, spec):
        self.place, self.kept = Path(spec["place"]), Path(spec["kept"])
        self.library = ctypes.CDLL(None)
        self.library.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: what a hook leaves behind is waited for
        self.states = scenes.prepare(self.place, self.kept, self.run_hook, self.run_consolidator)

    # Runs.

    def fork(self, work, fault=None):
        """Run `work` in a fork, under a fault; wait for it and for whatever it left behind."""
        out, errors = os.memfd_create("out"), os.memfd_create("errors")
        sys.stdout.flush()
        begun = time.monotonic()
        pid = os.fork()
        if not pid:
            self._be_child(work, fault, out, errors)
        code, seconds, total = self._wait(pid, begun)
        return Done(code, _text(out), _text(errors), seconds, total)

    def _be_child(self, work, fault, out, errors):
        try:
            os.dup2(out, 1)
            os.dup2(errors, 2)
            os.chdir("/")
            sys.stdout = os.fdopen(1, "w", closefd=False)
            sys.stderr = os.fdopen(2, "w", closefd=False)
            self._arm(fault)
            work()
            sys.stdout.flush()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(99)
        os._exit(0)

    def _arm(self, fault):
        if fault is None:
            self.library.belay_arm(-1, 0, 0, 0, 0)
        else:
            number = getattr(errno, fault.error, 0)
            self.library.belay_arm(CALLS.index(fault.call), fault.number, MODES[fault.mode], number, int(fault.lasting))

    def _wait(self, pid, begun):
        """Return exit code and seconds of a child, and the seconds until its own children were over too."""
        code, seconds, until = 0, 0.0, begun + PATIENCE
        while True:
            try:
                ended, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return code, seconds, time.monotonic() - begun
            if ended == pid:
                code, seconds = os.waitstatus_to_exitcode(status), time.monotonic() - begun
            elif not ended:
                time.sleep(0.001)
                if time.monotonic() > until:
                    self._end_children()

    def _end_children(self):
        """End what still runs; only this process's own children."""
        for name in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
            os.kill(int(name), 9)

    def run_hook(self, event, payload, fault=None):
        """Run one hook as its door does, under a fault."""
        from belay.hooks.run import main

        raw = json.dumps({"hook_event_name": event, **payload}).encode()
        name = "".join(word.capitalize() for word in event.split("_"))

        def work():
            sys.stdin = io.TextIOWrapper(io.BytesIO(raw))
            main(event, name)

        return self.fork(work, fault)

    def run_consolidator(self, fault=None):
        """Run the consolidator in the foreground."""

        def work():
            from belay.consolidate import session
            from belay.core.errors import BelayError
            from belay.repository import projects

            try:
                session.run(projects.find(str(self.place / "repo"), os.environ), os.environ, ending=True)
            except (OSError, BelayError) as error:
                print(f"gave up: {error}")

        return self.fork(work, fault)

    def run(self, scene, fault=None):
        """Run a scene in a fresh copy of its state."""
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.states[scene.state], self.place, symlinks=True)
        if not scene.event:
            return self.run_consolidator(fault)
        return self.run_hook(scene.event, scene.payload(self.place), fault)

    # What was left.

    def count(self, scene):
        """Return how often a scene makes each kind of call."""
        done = self.run(scene)
        assert (done.code, done.errors) == (0, ""), (scene.name, done)
        return [COUNTS[at] for at in range(len(CALLS))]

    def judge(self, scene, fault, again=2):
        """Return the row of one fault, None where it did not take place."""
        done = self.run(scene, fault)
        if not COUNTS[FIRED]:
            return None
        before = self.log()
        told = acknowledged(done.out)
        problem = self._misbehaved(fault, done) or self._lost(scene, told) or self._unhealed(told, before)
        problem = problem or self._littered()
        if problem.startswith(SLOW) and again:
            return self.judge(scene, fault, again - 1)  # a busy machine: its best time counts
        if problem.startswith(SLOW) and done.total < SLOWER * self.run(scene).total:
            problem = ""  # a very busy one: it takes as long without a fault
        return {
            "scene": scene.name, "call": fault.call, "fault": str(fault), "number": fault.number,
            "acknowledged": len(told), "reported": before.strip().rpartition("\n")[2], "problem": problem, "seconds": round(done.total, 2),
        }  # fmt: skip

    def _misbehaved(self, fault, done):
        """Return how a run broke its promise: exit 0, valid output, in time."""
        if done.total > PATIENCE or done.seconds > SECONDS or (fault.lasting and done.total > SECONDS):
            return f"{SLOW} {done.seconds:.1f} s, with its children {done.total:.1f} s"
        if fault.mode in FATAL:
            return ""
        if done.code or done.errors:
            return f"exit {done.code}: {done.errors[-1500:]}"
        return "" if is_valid(done.out) else f"invalid output: {done.out[:200]}"

    def _lost(self, scene, told):
        """Return what of the journals is gone: a line of before, or a capture that was acknowledged."""
        kept = self.states[scene.state] / "repo" / ".claude" / "memory" / "journal"
        for old in sorted(kept.glob("*.jsonl")):
            new = self.place / old.relative_to(self.states[scene.state])
            if not new.exists() or not new.read_bytes().startswith(old.read_bytes()):
                return f"journal {old.name} was changed"
        found = self.fork(lambda: print(json.dumps(self._captures())))
        captures = json.loads(found.out) if found.out else {}
        missing = [name for name, text in told.items() if captures.get(name) != [text, True]]
        return f"lost or misattributed: {missing} of {captures} {found.errors[-500:]}" if missing else ""

    def _captures(self):
        """Return {id: [text, whether it is the user's own, and open or filed]} of the journals."""
        from belay.repository import projects
        from belay.session import journal
        from belay.session.session import Session

        project, found = projects.find(str(self.place / "repo"), os.environ), {}
        for name in journal.list_sessions(project.journals):
            session = Session(project, name, os.environ)
            records = journal.read(project.journal(name))[0]
            known = {*session.state["captures"], *(one for record in records for one in record.get("ids", ()))}
            for record in records:
                if record["kind"] == "capture":
                    is_own = session.is_own(record) and record["origin"] in ORIGINS
                    found[record["id"]] = [record["text"], is_own and record["id"] in known]
        return found

    def _unhealed(self, told, before):
        """Return what the next two starts say that is wrong, or leave out."""
        for session in ("later-1", "later-2"):
            fields = {"session_id": session, "cwd": str(self.place / "repo"), "source": "startup"}
            done = self.run_hook("session_start", fields)
            if done.code or done.errors or not is_valid(done.out):
                return f"{session}: exit {done.code} {done.errors[-1500:]}"
        said = json.loads(done.out or "{}")
        context = said.get("hookSpecificOutput", {}).get("additionalContext", "")
        if WRONG.search(said.get("systemMessage", "")):
            return f"second start: {said['systemMessage']}"
        if self.log() != before:
            return f"starts report: {self.log()[len(before) :][-1500:]}"
        held = context + (self.place / "repo" / "MEMORY.md").read_text() if self.has_memory() else context
        gone = [name for name, text in told.items() if name not in context and text[-20:] not in held]
        if gone or (self.has_memory() and "Memory: MEMORY.md" not in context):
            return f"second start leaves out {gone or 'the memory'}: {said}"
        return ""

    def has_memory(self):
        return (self.place / "repo" / "MEMORY.md").exists()

    def _littered(self):
        """Return the half-written files that the next consolidator leaves."""
        if not self.list_unfinished():
            return ""
        for path in self.list_unfinished():
            os.utime(path, (time.time() - 3600,) * 2)
        fields = {"session_id": "later-2", "cwd": str(self.place / "repo"), "prompt": "Go on.", "prompt_id": "p-9"}
        self.run_hook("user_prompt_submit", fields)
        self.run_consolidator()
        return f"left behind: {self.list_unfinished()}" if self.list_unfinished() else ""

    def list_unfinished(self):
        found = [path for path in self.place.rglob("*.tmp") if ".git" not in path.parts]
        return sorted(str(path) for path in found if path.is_file())

    def log(self):
        """Return the bug reports that were written."""
        path = self.place / "home" / "share" / "belay" / "belay.log"
        return path.read_text(errors="replace") if path.exists() else ""


def acknowledged(out):
    """Return {id: text} of the captures that an answer says were recorded."""
    try:
        context = json.loads(out).get("hookSpecificOutput", {}).get("additionalContext", "")
    except ValueError:
        return {}
    return dict(re.findall(r"^Recorded (C-[A-Z2-7]{6}) \([^)]*\)(?:; replaces [^:]*)?: (.*)$", context, re.MULTILINE))


def is_valid(out):
    """Whether a hook's output is JSON, none, or the plain text that only a compaction takes."""
    if not out or not out.startswith("{"):
        return not out.startswith(("Traceback", "["))
    try:
        return isinstance(json.loads(out), dict)
    except ValueError:
        return False


def _text(handle):
    with os.fdopen(handle, "rb") as file:
        file.seek(0)
        return file.read().decode("utf-8", "replace")


def take_turns(pairs):
    """Return (scene, fault) pairs so that each scene comes in turn: a scene of many calls crowds no other one out."""
    earlier = collections.Counter()
    ranks = []
    for scene, _ in pairs:
        ranks.append(earlier[scene.name])
        earlier[scene.name] += 1
    return [pairs[at] for at in sorted(range(len(pairs)), key=ranks.__getitem__)]


def main(spec):
    injector = Injector(spec)
    pairs, chance = [], random.Random(spec["seed"])
    wanted = spec.get("scenes")
    for scene in scenes.list_scenes(injector.place):
        if wanted and scene.name not in wanted:
            continue
        faults = list_faults(injector.count(scene))
        pairs += [(scene, fault) for fault in faults]
    if spec.get("counts"):
        for scene in scenes.list_scenes(injector.place):
            counts = injector.count(scene)
            print(scene.name, dict(zip(CALLS, counts, strict=True)), len(list_faults(counts)))
        return
    chance.shuffle(pairs)
    if spec["number"]:
        pairs = take_turns(pairs)
    made = 0
    for scene, fault in pairs[spec["share"] :: spec["of"]]:
        row = injector.judge(scene, fault)
        if row:
            print(json.dumps(row), flush=True)
            made += 1
        if made == spec["number"]:
            break


if __name__ == "__main__":
    SPEC = json.loads(sys.argv[1])
    sys.path[:0] = SPEC["folders"]
    from faults import scenes

    for module in PRELOAD:
        __import__(module)
    import mmap

    with open(os.environ["BELAY_FAULTS"], "r+b") as shared:
        COUNTS = memoryview(mmap.mmap(shared.fileno(), SLOTS * 8)).cast("l")
    main(SPEC)
