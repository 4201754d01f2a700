"""Change random logic lines one at a time and see whether a test fails: `make mutants [SEED=7] [NUMBER=60]`.

    .venv/bin/python tools/mutants.py [--number 60] [--seed N] [--packages NAME,NAME]
        [--only PATH[:LINE]] [--map]

Each mutation is made in a copy of the tree with a home of its own; the tests that run the changed function run there
until the first one fails. A failure counts only if the same test passes without the mutation. Which test runs which
function is learnt once from a run of all tests under coverage (.cache/mutants/map.json, anew with --map); test files
that changed since then are run too where they are about the same package. Ends with 1 below 90 % killed.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import testmap
from mutations import mutations
from testmap import ROOT

if TYPE_CHECKING:
    from mutations import Mutation
    from testmap import Map

PACKAGES = ("session", "memory", "knowledge", "triggers", "repository", "core")
"""Packages of lib/belay whose lines can be drawn: the map knows which test runs what of these."""
ENOUGH = 0.9
MOST_SECONDS = 600.0
"""Of tests for one mutation, as long as they took under coverage; those that run the fewest functions come first."""
EQUIVALENT = ROOT / "tools" / "equivalent-mutants.txt"


class Mutant(NamedTuple):
    path: str
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.path}:{self.mutation.line}  {self.mutation.what}"

    def diff(self) -> str:
        return f"      - {self.mutation.before}\n      + {self.mutation.after}"


class Copy:
    """A copy of the tree in which one mutation at a time is made and tested."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home, self.tmp, self.moment = folder / "tree", folder / "home", folder / "tmp", 1
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        for name in os.fsdecode(listed.stdout).split("\0"):
            if name and (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.root / name)
        self.home.mkdir()

    def test(self, tests: list[str], seconds: float) -> str:
        """Run tests until one fails; return its name, "" where all pass, "a time limit" where they do not end."""
        shutil.rmtree(self.tmp, ignore_errors=True)
        self.tmp.mkdir()
        (self.home / "tests").write_text("\n".join(tests) + "\n")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-rfE",
            "-p",
            "no:cacheprovider",
            "--no-header",
        ]
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        environ = {**kept, "HOME": str(self.home), "TMPDIR": str(self.tmp), "MUTANT": str(self.root)}
        with open(self.home / "output", "w+", encoding="utf-8", errors="replace") as output:
            run = subprocess.Popen(
                [*command, f"@{self.home / 'tests'}"], cwd=self.root, env=environ, stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
            try:
                status = run.wait(seconds)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
                status = -1
            self._end_what_is_left()
            output.seek(0)
            rows = output.read().splitlines()
        if status in (0, 5):
            return ""
        failed = [row.split()[1] for row in rows if row.startswith(("FAILED ", "ERROR "))]
        return "a time limit" if status == -1 else failed[0] if failed else "\n".join(rows[-5:])

    def _end_what_is_left(self) -> None:
        """Kill what a test left behind: processes that have this copy's mark in their environment."""
        mark = b"MUTANT=" + os.fsencode(self.root)
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in entry.read_bytes().split(b"\0"):
                    os.kill(int(entry.parent.name), 9)
            except OSError:
                continue

    def change(self, path: str, text: str) -> None:
        """Write a module; its time moves on, so that no compiled file of before is taken for it."""
        self.moment += 2
        (self.root / path).write_text(text, encoding="utf-8")
        os.utime(self.root / path, (self.moment, self.moment))


class Run:
    """The mutants of one run, judged by as many threads as there are copies."""

    def __init__(self, known: Map, folder: Path, jobs: int) -> None:
        self.known, self.todo, self.lock = known, queue.Queue[Mutant](), threading.Lock()
        self.copies = [Copy(folder / str(number)) for number in range(jobs)]
        self.clean, self.guard = Copy(folder / "clean"), threading.Lock()
        self.passes: dict[str, bool] = {}
        self.results: list[tuple[str, Mutant, str]] = []

    def judge(self, mutants: list[Mutant]) -> None:
        for mutant in mutants:
            self.todo.put(mutant)
        threads = [threading.Thread(target=self._work, args=(copy,)) for copy in self.copies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, copy: Copy) -> None:
        while True:
            try:
                mutant = self.todo.get_nowait()
            except queue.Empty:
                return
            word, why = self._judged(copy, mutant)
            with self.lock:
                self.results.append((word, mutant, why))
                print(f"{word:<9} {mutant}  ({why})\n{mutant.diff()}", flush=True)

    def _judged(self, copy: Copy, mutant: Mutant) -> tuple[str, str]:
        every = self.known.tests(mutant.path, mutant.mutation.function)
        tests = self.known.within(every, MOST_SECONDS)
        some = f"{len(tests)} tests" if len(tests) == len(every) else f"{len(tests)} of {len(every)} tests"
        original = (self.clean.root / mutant.path).read_text(encoding="utf-8")
        copy.change(mutant.path, mutant.mutation.text)
        try:
            while tests:
                failed = copy.test(tests, self.known.limit(tests))
                if not failed:
                    return "survived", some
                if self._is_due_to(failed):
                    return "killed", failed
                tests = [test for test in tests if test != failed.partition("[")[0]]
            return "survived", "no test runs it" if not every else some
        finally:
            copy.change(mutant.path, original)

    def _is_due_to(self, failed: str) -> bool:
        """Return whether a test that failed passes without the mutation."""
        if "::" not in failed:
            return True
        test = failed.partition("[")[0]
        with self.guard:
            if test not in self.passes:
                self.passes[test] = not self.clean.test([test], self.known.limit([test]))
                if not self.passes[test]:
                    print(f"left out: {test} fails without a mutation", flush=True)
            return self.passes[test]


def drawn(
    number: int, seed: int, packages: list[str], excluded: set[tuple[str, str, str]]
) -> tuple[list[Mutant], list[Mutant]]:
    """Return (mutants to judge, known equivalents that were drawn): random lines, a random mutation of each."""
    chance = random.Random(seed)
    lines: dict[tuple[str, int], list[Mutation]] = {}
    for path in modules(packages):
        for mutation in mutations((ROOT / path).read_text(encoding="utf-8")):
            lines.setdefault((path, mutation.line), []).append(mutation)
    places = sorted(lines)
    chance.shuffle(places)
    taken: list[Mutant] = []
    equal: list[Mutant] = []
    for place in places:
        if len(taken) == number:
            break
        mutant = Mutant(place[0], chance.choice(lines[place]))
        (equal if key(mutant) in excluded else taken).append(mutant)
    return taken, equal


def modules(packages: list[str]) -> list[str]:
    found = [path for package in packages for path in (ROOT / "lib" / "belay" / package).rglob("*.py")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def chosen(only: str, excluded: set[tuple[str, str, str]]) -> tuple[list[Mutant], list[Mutant]]:
    """Return every mutation of a module, or of one line of it."""
    path, _, line = only.partition(":")
    found = [Mutant(path, one) for one in mutations((ROOT / path).read_text(encoding="utf-8"))]
    found = [one for one in found if not line or one.mutation.line == int(line)]
    return [one for one in found if key(one) not in excluded], [one for one in found if key(one) in excluded]


def key(mutant: Mutant) -> tuple[str, str, str]:
    return mutant.path, mutant.mutation.before, mutant.mutation.after


def equivalents() -> set[tuple[str, str, str]]:
    """Return the mutations that change nothing a test could see: blocks of path, "- before", "+ after", reason."""
    blocks = [block.splitlines() for block in EQUIVALENT.read_text(encoding="utf-8").split("\n\n") if block[0] != "#"]
    return {(path.strip(), before[2:], after[2:]) for path, before, after, *_ in blocks}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(2), "big"))
    parser.add_argument("--packages", default=",".join(PACKAGES), help="whose lines are drawn, with commas between")
    parser.add_argument("--only", default="", help="every mutation of a module, or of one line: PATH or PATH:LINE")
    parser.add_argument("--map", action="store_true", help="learn anew which test runs which function")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    packages = args.packages.split(",")
    if not set(packages) <= set(PACKAGES):
        parser.error(f"--packages knows {', '.join(PACKAGES)}")
    known = testmap.load(PACKAGES, args.jobs, anew=args.map)
    mutants, equal = (
        chosen(args.only, equivalents()) if args.only else drawn(args.number, args.seed, packages, equivalents())
    )
    print(f"{len(mutants)} mutations" + (f", seed {args.seed}" if not args.only else ""), flush=True)
    for mutant in equal:
        print(f"equivalent {mutant}\n{mutant.diff()}")
    with tempfile.TemporaryDirectory(prefix="belay-mutants-", ignore_cleanup_errors=True) as folder:
        run = Run(known, Path(folder), args.jobs)
        run.judge(mutants)
    killed = sum(word == "killed" for word, *_ in run.results)
    print("\nSurvived:" if killed < len(mutants) else "")
    for word, mutant, why in sorted(run.results, key=lambda row: str(row[1])):
        if word == "survived":
            print(f"  {mutant}  ({why})\n{mutant.diff()}")
    share = killed / max(1, len(mutants))
    print(f"{killed} of {len(mutants)} killed ({share:.0%}; at least {ENOUGH:.0%}), {len(equal)} equivalent left out")
    sys.exit(share < ENOUGH)


if __name__ == "__main__":
    main()
