"""What pyproject.toml declares is what lib/ imports; history and locks really go through their libraries."""

import ast
import importlib.util
import re
import subprocess
import sys

import pytest
from test_house import ROOT, for_types_only, sources, trace, tree

from belay.core import environment

TOML = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
MODULES = {
    **{distribution: module for module, distribution in environment.LIBRARIES.items()},
    "numpy": "numpy",
    "qdrant-client": "qdrant_client",
    "sentence-transformers": "sentence_transformers",
    "sqlite-vec": "sqlite_vec",
    "tomli": "tomli",
}
"""Distribution → the module that it brings."""

FOR_TYPES = {"typing_extensions"}
"""What only type checkers load: session/records.py and state_types.py hold nothing but types."""


def declared(*extras):
    project = TOML.loads((ROOT / "pyproject.toml").read_text())["project"]
    rows = project["dependencies"] + [row for name in extras for row in project["optional-dependencies"][name]]
    return {re.split(r"[^A-Za-z0-9_-]", row)[0] for row in rows}


def imported_names(node):
    """Return what a statement imports, by name or through importlib."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""] if not node.level else []
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
        return [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return []


def imports():
    """Return module → the files of lib/ that import it at run time, of modules that are neither ours nor Python's."""
    found = {}
    for path in [*sources(), *(ROOT / "lib").glob("*.py")]:
        parsed = tree(path)
        typed = for_types_only(parsed)
        for node in ast.walk(parsed):
            for name in imported_names(node) if id(node) not in typed else ():
                top = str(name).partition(".")[0]
                if top.isidentifier() and top not in sys.stdlib_module_names and top != "belay":
                    found.setdefault(top, set()).add(path.name)
    return found


def test_what_is_declared_is_imported_and_what_is_imported_is_declared():
    wanted = {MODULES.get(name, f"{name}: no module known") for name in declared("qdrant", "vectors")}

    assert wanted == set(imports()) - FOR_TYPES


def test_a_complete_environment_has_what_is_declared():
    assert {*environment.LIBRARIES.values(), "tomli"} == declared()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_lock_files_pin_what_is_declared_by_hash_and_name_no_address(name):
    text = (ROOT / name).read_text()
    pinned = set(re.findall(r"^([a-z0-9-]+)==", text, re.M))

    assert declared() - pinned == set()
    assert "://" not in text
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\S)", text) if "==" in block.split(" ")[0])


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_the_lock_files_list_wheels_and_no_source_archive(name):
    blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text())
    files = {block.partition("==")[0]: block.count("--hash") for block in blocks}

    pure = ("certifi", "click", "gitdb", "gitpython", "idna", "rich", "smmap")
    assert {name: files[name] for name in pure} == dict.fromkeys(pure, 1), "a package of Python alone has one wheel"
    assert files["pyyaml"] > 40


def test_each_library_is_found_by_the_module_that_is_known_of_it():
    assert [name for name in environment.LIBRARIES if importlib.util.find_spec(name) is None] == []


HISTORY = {"git", "filelock"}


def loads(folder, *args):
    """Return the top modules that a process loads, by `-X importtime`."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *args],
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {name.partition(".")[0] for name in rows}


@pytest.mark.parametrize("call", ["diff", "handoff"])
def test_commands_that_walk_the_history_load_their_libraries(repo, call):
    (repo / "MEMORY.md").write_text("# Memory\n\nSee `file.txt`.\n")

    assert loads(repo, ROOT / "lib", call) >= HISTORY


CONSOLIDATE = """
import os, sys
sys.path.insert(0, sys.argv[1])
from belay.consolidate import session
from belay.repository import projects
print(session.run(projects.find(os.getcwd(), os.environ), os.environ))
"""


def test_the_consolidator_loads_its_libraries(repo):
    (repo / ".claude" / "memory" / "journal").mkdir(parents=True)

    assert loads(repo, "-c", CONSOLIDATE, ROOT / "lib") >= HISTORY


def test_a_quick_command_keeps_plain_git(repo):
    assert loads(repo, ROOT / "lib", "status") & {"git"} == set()


@pytest.mark.parametrize("door", sorted(path.stem for path in (ROOT / "hooks").glob("*.py")))
def test_no_hook_loads_a_library(repo, door):
    payload = {
        "session_id": "11111111-2222-4333-8444-555555555555",
        "cwd": str(repo),
        "hook_event_name": door,
    }
    names = {name.partition(".")[0] for name in trace(repo, [ROOT / "hooks" / f"{door}.py"], payload)}

    assert names & environment.LIBRARIES.keys() == set()
