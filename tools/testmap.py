"""Which test runs which function: learnt from one run of all tests under coverage, and kept."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".cache" / "mutants"
CONFIG = """
[run]
source = {root}/lib/belay
data_file = {folder}/data
parallel = true
patch = subprocess, _exit
disable_warnings = no-data-collected, couldnt-parse
"""
SLACK = 60.0
"""Seconds that tests may take longer than they did."""


class Map:
    def __init__(self, kept: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = kept["seconds"]
        self.ran: dict[str, dict[str, list[str]]] = kept["ran"]
        self.wide = Counter(test for part in self.ran.values() for tests in part.values() for test in tests)
        self.changed = [path for path, digest in _files().items() if kept["files"].get(path) != digest]
        self._texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in _files()}

    def tests(self, path: str, function: str) -> list[str]:
        """Return the tests that run a function, those first that run little else."""
        part = self.ran.get(path, {})
        tests = part.get(function) or sorted({test for tests in part.values() for test in tests})
        tests = [test for test in tests if self._exists(test)]
        files = [file for file in self.changed if self._concerns(file, path)]
        new = [test for file in files for test in _functions(file, self._texts[file])]
        return sorted({*tests, *new}, key=lambda test: (self.wide[test], self.seconds.get(test, 0.0), test))

    def within(self, tests: list[str], seconds: float) -> list[str]:
        """Return the first of the tests that take so many seconds."""
        used = 0.0
        for at, test in enumerate(tests):
            used += self.seconds.get(test, 0.0)
            if used > seconds and at:
                return tests[:at]
        return tests

    def limit(self, tests: list[str]) -> float:
        return 2 * sum(self.seconds.get(test, 1.0) for test in tests) + SLACK

    def _exists(self, test: str) -> bool:
        path, _, name = test.partition("::")
        return f"def {name}(" in self._texts.get(path, "")

    def _concerns(self, file: str, path: str) -> bool:
        """Return whether a test file that changed is about the package of a module, or names it."""
        parts = path.removesuffix(".py").split("/")[1:]
        return file.startswith(f"tests/{parts[1]}/") or re.search(rf"\b{parts[-1]}\b", self._texts[file]) is not None


def load(packages: tuple[str, ...], jobs: int, anew: bool = False) -> Map:
    """Return the map; learn it where there is none."""
    path = FOLDER / "map.json"
    if anew or not path.exists():
        print("learning which test runs which function: all tests once under coverage, some minutes", flush=True)
        _learn(packages, jobs, path)
    return Map(json.loads(path.read_text()))


def _learn(packages: tuple[str, ...], jobs: int, path: Path) -> None:
    import coverage

    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    config = FOLDER / "coverage.ini"
    config.write_text(CONFIG.format(root=ROOT, folder=FOLDER))
    report = FOLDER / "report.xml"
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        f"--rcfile={config}",
        "-m",
        "pytest",
        "-q",
        "-n",
        str(jobs),
    ]
    command += ["--ignore=tests/host", f"--junit-xml={report}", "-p", "no:cacheprovider"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "BELAY_MAP_TESTS": "1"}, check=False)
    measured = coverage.Coverage(config_file=str(config))
    measured.combine()
    data = measured.get_data()
    ran = {}
    for package in packages:
        for module in sorted((ROOT / "lib" / "belay" / package).rglob("*.py")):
            ran[str(module.relative_to(ROOT))] = _by_function(module, data.contexts_by_lineno(str(module)))
    path.write_text(json.dumps({"files": _files(), "seconds": _seconds(report), "ran": ran}))


def _by_function(module: Path, contexts: dict[int, list[str]]) -> dict[str, list[str]]:
    """Return function → the tests that ran a line of its body."""
    found = {}
    for name, first, last in _bodies(ast.parse(module.read_text(encoding="utf-8")), ""):
        tests = {test for line in range(first, last + 1) for test in contexts.get(line, ()) if "::" in test}
        found[name] = sorted(tests)
    return found


def _bodies(node: ast.AST, before: str) -> list[tuple[str, int, int]]:
    found = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append((before + child.name, child.body[0].lineno, child.end_lineno or child.lineno))
        else:
            found += _bodies(child, before + child.name + "." if isinstance(child, ast.ClassDef) else before)
    return found


def _seconds(report: Path) -> dict[str, float]:
    """Return test → the seconds that all of its cases took."""
    found: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        path = case.get("classname", "").replace(".", "/") + ".py"
        found[f"{path}::{case.get('name', '').partition('[')[0]}"] += float(case.get("time", 0))  # type: ignore[assignment]
    return dict(found)


def _files() -> dict[str, str]:
    """Return test file → a digest of its text."""
    paths = [path for path in (ROOT / "tests").rglob("test_*.py") if "host" not in path.parts]
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)}


def _functions(file: str, text: str) -> list[str]:
    return [f"{file}::{name}" for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)]
