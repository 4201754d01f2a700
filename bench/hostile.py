"""Time what reads text that others wrote on the worst of it: long runs, deep nesting, thousands of equal lines.

    python3 bench/hostile.py [--only WORD] [--json] [--report]

Each case is run on half its size and on all of it, in seconds of the processor, the better of two. It must keep a
bound in milliseconds, and where the half takes long enough to be measured, doubling the text must not take more than
three times as long: what is quadratic takes four times. What is over is measured up to twice again, and is over only
when it was each time; a call that takes longer than LIMIT seconds ends there and its case is over. With --report the
verdicts are printed and the exit status is 0. Run it with an interpreter that has the packages of Belay.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from verdict import Machine, confirm, state, verdict

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.context.recall import lookup
from belay.core import lock, paths
from belay.memory import project_survey as survey
from belay.memory.document import facts, page, repeated_lines
from belay.memory.document.three_way_merge import merge
from belay.memory.drift import changes, missing_paths, stack, unblocked
from belay.memory.handoff import diagram
from belay.repository import projects
from belay.repository.git import history
from belay.repository.git.history import Commit, File
from belay.repository.manifests import dependencies
from belay.repository.survey import prose
from belay.safety.redaction import redact
from belay.session import journal
from belay.session.session import Session
from belay.triggers import classifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from belay.memory.memory_facts import Facts

GROWTH = 3.0
MEASURABLE = 0.005
"""Seconds that the half must take for its growth to mean anything."""
LIMIT = 20
"""Seconds that one call may take: five times the largest bound and more, and a bench of bad code still ends."""


class Late(BaseException):
    """A call took longer than LIMIT; nothing that is measured catches it."""


class Case(NamedTuple):
    """What is run on a text or a project of a size, and how many milliseconds the whole may take."""

    name: str
    make: Callable[[int], Callable[[], object]]
    size: int
    bound: float


def _page(text: str) -> object:
    return facts.read_facts(page.parse(text))


UNITS = (
    "a", "password=", "token ", 'token="', 'password="x1\\"', "eyJ", "eyJ.", "AKIA", "sk-", "1//0", "://", "://a:",
    "-----BEGIN PRIVATE KEY-----", "PRIVATE KEY", ":AA", "mysql -px ", "[redacted:", "\x00", "\ud800", "=",
    "login: a/b1 ", "key=", "key= ", "TOKEN=a.", "secret=aB3$", "TOKEN=a.key=&a密码是 ", "password=hunter2!\n",
    'password="x1' * 100 + " ", "İ token ", "키", "segredo= pdl_sdbx_apikey_passwdkey_hcalk_",
)  # fmt: skip
ORDINARY = ("please show me the list of open files and run the tests again " * 4)[:200]
PROMPTS = ("x", "use tabs, not spaces. ", "\n", "<belay>")
PROSE = ("[", "<!--", "<h1", "<h1>", "a [b](c) ", "`<", "![", "# " + " " * 250 + "x\n", "a: ", " ")
REPEATED = (
    ("redact", redact, UNITS, 1_048_576, 1000),
    ("classify", classifier.classify, PROMPTS, 400_000, 50),
    ("first sentence", prose.first_sentence, PROSE, 200_000, 600),
)
PAGES = {
    "sections": lambda n: "## Active Work\n" * (n // 16),
    "headings": lambda n: "".join(f"## h{number}\n" for number in range(n // 64)),
    "rows": lambda n: "| a | b |\n|---|---|\n" + "| c | d |\n" * (n // 64),
    "dashes": lambda n: "### " + "- " * (n // 2),
    "blanks": lambda n: "## Active Workstreams\n\n### a" + " " * (n // 2) + "b\n",
    "plus": lambda n: "+" * (n // 2),
    "addresses": lambda n: "a.b-c@d+e" * (n // 20),
    "digits": lambda n: "`a.py:" + "1" * (n // 2) + "`",
    "lines": lambda n: "\n" * n,
}
MANIFESTS = {
    "pom, no end": ("pom.xml", lambda n: "<project>" * (n // 9)),
    "pom, deep": ("pom.xml", lambda n: "<a>" * (n // 7) + "</a>" * (n // 7)),
    "pom, long names": ("pom.xml", lambda n: "<project>" + ("<" + "n" * (n // 6) + "/>") * 5 + "</project>"),
    "json, deep lists": ("package.json", lambda n: "[" * n),
    "json, deep objects": ("package.json", lambda n: '{"dependencies":' * (n // 16)),
    "toml, a long key": ("Cargo.toml", lambda n: "a" + ".a" * (n // 2) + " = 1"),
    "toml, a long header": ("Cargo.toml", lambda n: "[a" + ".a" * (n // 2) + "]"),
    "toml, keys in a row": ("Cargo.toml", lambda n: "x = { a" + ".a" * (n // 2) + " = 1 }"),
    "toml, deep": ("pyproject.toml", lambda n: "a = " + "[" * n),
    "Gemfile, lines": ("Gemfile", lambda n: "\n" * n),
    "Gemfile, blanks": ("Gemfile", lambda n: 'gem "a"' + " " * n),
    "requirements, slashes": ("requirements.txt", lambda n: "a @ " + "/" * n),
    "requirements, long": ("requirements.txt", lambda n: "flask\n" * (n // 6)),
    "go.mod, a long word": ("go.mod", lambda n: "require " + "a/" * (n // 2)),
}


def texts() -> Iterator[Case]:
    """Yield what reads a prompt, a transcript, a document or a manifest."""
    for name, call, units, size, bound in REPEATED:
        for unit in units:
            repeated = lambda n, u=unit: u * (n // len(u))  # noqa: E731 - one of many makers of text
            yield Case(f"{name} {unit[:12]!r}", _reading(call, repeated), size, bound)
    yield Case("redact ordinary prompts", lambda n: lambda: [redact(ORDINARY) for _ in range(n)], 1000, 100)
    for name, text in PAGES.items():
        yield Case(f"page of {name}", _reading(_page, text), 960_000, 1000)
    for name, (path, manifest) in MANIFESTS.items():
        yield Case(name, _reading(partial(dependencies.dependencies, path), manifest), 900_000, 500)
    yield Case("merge, equal headings", _merge, 10_000, 1500)
    yield Case("renames of a commit", _renames, 20_000, 100)
    yield Case("number without an end", _endless, 1 << 20, 10)
    yield Case("stack of a long overview", _stack, 900_000, 50)
    yield Case("same facts of three files", _same, 200, 100)


def project_cases(folder: Path) -> Iterator[Case]:
    """Yield what reads a whole project; its seconds are those of the clock."""
    yield Case(
        "paths in MEMORY.md",
        lambda n: _paths(folder, [f"src/x{at}/y{at}.ts" for at in range(n)]),
        10_000,
        1000,
    )
    yield Case("one path on many lines", lambda n: _paths(folder, ["keep.ts"] * n), 50_000, 50)
    yield Case("blockers", lambda n: _blockers(folder, n), 20_000, 800)
    yield Case("imports of many files", lambda n: _imports(folder / f"imports-{n}", n), 400, 2000)
    yield Case("handoff of a hostile tree", lambda n: _tree(folder / f"tree-{n}", n), 300, 1500)
    yield Case("prompt after a journal of MB", lambda n: _prompt(folder / f"journal-{n}", n), 100, 60)
    yield Case("write of MB into MEMORY.md", lambda n: _write_memory(folder, n), 30, 1000)
    yield Case("handoff of a long history", lambda n: _long(folder / f"long-{n}", n), 50_000, 1000)


def _reading(call: Callable[[str], object], text: Callable[[int], str]) -> Callable[[int], Callable[[], object]]:
    return lambda size: partial(call, text(size))


def _merge(number: int) -> Callable[[], object]:
    base = "## Active Work\n" * number
    return lambda: merge(base, base + "- ours\n", "## New\n" + base)


def _renames(number: int) -> Callable[[], object]:
    files = tuple(File("R", f"new/{at}", f"old/{at}") for at in range(number))
    return lambda: history.map_renames([Commit("a", "", "", "", (), "", files)])


def _endless(number: int) -> Callable[[], object]:
    row = lookup.term_key("refund") + (3 << 30).to_bytes(4, "big")
    data = b"belay-terms 1 0 1 x\n" + row + b"\xff" * number
    return lambda: lookup.find_entries(data, "refund")


def _stack(number: int) -> Callable[[], object]:
    text = "Express, " * (number // 9)
    told: Facts = {
        "overview": text,
        "architecture": [{"line": 1, "text": "a" * number + " Express"}],
        "decisions": [],
    }
    return lambda: stack.find_conflicts(told, {"package.json": {"fastify": "5"}}, [], 5)


def _same(number: int) -> Callable[[], object]:
    words = [
        f"word{n % 97}x part{n % 31}y of the system keeps its state in module{n}z and reads it" for n in range(number)
    ]
    rows = {name: "\n".join(f"- {name} {line}" for line in words) for name in "abc"}
    pages = {name: page.parse(f"# T\n{text}\n") for name, text in rows.items()}
    return lambda: repeated_lines.pairs(pages)


def _paths(folder: Path, names: list[str]) -> Callable[[], object]:
    (folder / "keep.ts").write_text("x\n")
    rows = [{"line": at, "path": name, "at": 0} for at, name in enumerate(names, 1)]
    known: Any = {"header": {"updated": "2026-03-01"}, "refs": rows, "files": [], "active": [], "decisions": []}
    found = changes.compare_memory(_project(folder), known, "")
    return lambda: missing_paths.find_missing(found)


def _blockers(folder: Path, number: int) -> Callable[[], object]:
    found = changes.compare_memory(_project(folder), {"header": {"updated": "2026-03-01"}, "refs": []})
    rows: list[Any] = [{"line": at, "text": "waits for left-pad 2.0", "resolved": False} for at in range(number)]
    found.facts.update({"blockers": rows, "active": [], "left": {}, "left_lines": {}})
    added = {f"p{at}": "1" for at in range(number // 10)}
    deltas: list[Any] = [{"manifest": "package.json", "added": added, "removed": {}, "changed": {}}]
    return lambda: unblocked.find_conflicts(found, deltas, {"package.json": added})


def _imports(folder: Path, number: int) -> Callable[[], object]:
    for at in range(number):
        _write(folder / f"m{at}.ts", "import " * 3_400)
    _git(folder, "init", "-q")
    _git(folder, "add", ".")
    return lambda: diagram.draw_diagram(survey.survey_project(_project(folder), os.environ, ""))


def _tree(folder: Path, number: int) -> Callable[[], object]:
    _write(folder / "README.md", "\0" * 5_000_000)
    _write(folder / "CODEOWNERS", "".join(f"/p{at} @{'x' * 90}{at}\n" for at in range(number * 200)))
    _write(folder / "package.json", '{"name": ' + "[" * 100_000)
    _write(folder / ".env.example", "A" * 2_000_000)
    _write(folder / "compose.yml", "services:\n" + "  a: &a [*a]\n" * 100_000)
    for at in range(number):
        _write(folder / f"m{at}.py", "import " * 30_000)
    _git(folder, "init", "-q")
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "x" * 100_000)
    return lambda: _handoff(folder)


def _long(folder: Path, number: int) -> Callable[[], object]:
    folder.mkdir()
    _git(folder, "init", "-q", "-b", "main")
    start, rows = int(time.time()) - number * 60, ["blob\nmark :1\ndata 2\nx\nblob\nmark :2\ndata 2\ny\n"]
    rows += [
        f"commit refs/heads/main\ncommitter A <a@e.org> {start + at * 60} +0000\ndata 5\nwork\n"
        f"M 644 :{at % 2 + 1} f{at % 9}.py\n"
        for at in range(number)
    ]
    _git(folder, "fast-import", "--quiet", "--force", text="".join(rows))
    return lambda: _handoff(folder)


def _hook(name: str, event: dict[str, Any]) -> Callable[[], object]:
    """Return a run of a hook's door, its event in JSON already."""
    command, data = [sys.executable, "-S", "-E", str(ROOT / "hooks" / f"{name}.py")], json.dumps(event).encode()
    return lambda: subprocess.run(command, input=data, check=True, stdout=subprocess.DEVNULL)


def _write_memory(folder: Path, megabytes: int) -> Callable[[], object]:
    given = {"file_path": "MEMORY.md", "content": "token=" * ((megabytes << 20) // 6)}
    return _hook("pre_tool_use", {"cwd": str(folder), "tool_name": "Write", "tool_input": given})


def _prompt(folder: Path, megabytes: int) -> Callable[[], object]:
    """Return a prompt's hook in a project whose journal has so many megabytes, its saved state lost."""
    folder.mkdir()
    _git(folder, "init", "-q", "-b", "main")
    session = Session(_project(folder), "long", os.environ)
    line = session.log("edit", files=[{"path": "src/parser.py", "line": 3}])
    rows = (journal.seal({**line}) + b"\n") * 5000
    for _ in range((megabytes << 20) // len(rows)):
        with open(journal.current_segment(session.project.journal("long")), "ab") as file:
            file.write(rows)
    # Nobody folds the rest meanwhile: the lock is held for as long as this process lives.
    lock.hold(os.path.join(session.project.states, "fold.lock")).__enter__()
    text = "please show me the list of open files"
    return _hook("user_prompt_submit", {"session_id": "long", "cwd": str(folder), "prompt": text})


def _handoff(folder: Path) -> None:
    code = "from belay.cli.main import main; main()"
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "lib")}
    command = [sys.executable, "-c", code, "handoff", "--dry-run"]
    subprocess.run(command, cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL)


def _project(folder: Path) -> paths.Project:
    project = projects.find(str(folder), os.environ)
    assert project is not None
    return project


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _git(folder: Path, *args: str, text: str = "") -> None:
    who = ("-c", "user.name=b", "-c", "user.email=b@example.invalid", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *args], cwd=folder, input=text.encode(), check=True)


def seconds(call: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the better of two times; raise Late after LIMIT seconds of the clock."""
    times = []
    for _ in range(2):
        signal.setitimer(signal.ITIMER_REAL, LIMIT)
        try:
            begun = clock()
            call()
            times.append(clock() - begun)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return min(times)


def measured(case: Case, clock: Callable[[], float]) -> dict[str, Any]:
    calls = [case.make(size) for size in (case.size // 2, case.size)]
    try:
        return confirm(lambda: [_row(case, *(seconds(call, clock) for call in calls))], figure)[0]
    except Late:
        row = {"case": case.name, "ms": LIMIT * 1e3, "bound": case.bound, "growth": None, "verdict": "OVER"}
        return {**row, "measured": [f"not done after {LIMIT} s"] * 2}


def _stop(*_: object) -> None:
    raise Late


def _row(case: Case, half: float, full: float) -> dict[str, Any]:
    growth = full / half if half >= MEASURABLE else None
    words = (verdict(full * 1e3, case.bound), verdict(growth or 0.0, GROWTH))
    word = next((word for word in words if word != "ok"), "ok")
    row = {"case": case.name, "ms": round(full * 1e3, 1), "bound": case.bound}
    return {**row, "growth": growth and round(growth, 2), "verdict": word}


def figure(row: dict[str, Any]) -> str:
    return f"{row['ms']} ms" + (f", growth {row['growth']}" if row["growth"] else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", action="store_true", help="print the verdicts, and end with 0")
    args = parser.parse_args()
    machine = Machine()
    signal.signal(signal.SIGALRM, _stop)
    with tempfile.TemporaryDirectory(prefix="belay-bench-", ignore_cleanup_errors=True) as folder:
        os.environ.update({"HOME": folder, "XDG_DATA_HOME": os.path.join(folder, "data"), "BELAY_SETUP": "off"})
        base = Path(folder, "project")
        base.mkdir()
        _git(base, "init", "-q")
        pairs = [(case, time.process_time) for case in texts()]
        pairs += [(case, time.perf_counter) for case in project_cases(base)]
        rows = []
        for case, clock in pairs:
            if args.only in case.name:
                rows.append(measured(case, clock))
                machine.bare()
    if args.json:
        print(json.dumps(rows))
    else:
        _table(rows)
    sys.exit(machine.close([row["verdict"] for row in rows], args.json, args.report))


def _table(rows: list[dict[str, Any]]) -> None:
    print(f"{'case':<42}{'ms':>9}{'bound':>8}{'growth':>9}")
    for row in rows:
        print(f"{row['case']:<42}{row['ms']:>9}{row['bound']:>8}{row['growth'] or '':>9}  {state(row)}")


if __name__ == "__main__":
    main()
