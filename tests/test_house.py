"""The laws of the house, kept by tests (docs/architecture.md)."""

import ast
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIB = ROOT / "lib" / "belay"

# From the ground up: a room imports only rooms of lower storeys. A new room gets its place here.
STOREYS = (
    {"tree"},
    {
        "errors",
        "constants",
        "paths",
        "clock",
        "jsontext",
        "plaintext",
        "shell",
        "terms",
        "tuples",
        "wordforms",
    },  # facts
    {"atomic", "codec", "secrets", "statements", "tokens"},  # the machine
    {"duplicates", "redact"},
    {"corrections", "event", "guard", "jsonl", "lock", "log", "mark", "once"},  # what is built on those
    # Things, each one told by its name.
    {
        "budget",
        "compose",
        "config",
        "detach",
        "gauge",
        "git",
        "ignore",
        "intent",
        "journal",
        "limits",
    }
    | {"outcomes", "todo", "transcript", "triggers", "trust", "wrapper", "yamldoc"},
    {"checkpoint", "knowledge", "manifests", "memory", "meter", "spare", "workshop"},
    {"adoption", "buffer", "session"},
    {"anchor", "vetting"},
    {"pages", "survey", "takeback", "templates"},
    {
        "capture",
        "cleanup",
        "continuation",
        "demo",
        "diff",
        "indexing",
        "overlay",
        "recover",
        "setup",
        "statusbar",
    },  # doings
    {"compress", "distill", "handoff", "harvest", "leftoff", "promote", "recovery", "statusline"},
    {"exchange", "loading", "playbooks", "vectors", "wrapup"},
    {"keepup", "remember", "shared_store", "usefulness"},
    {"curate", "upkeep"},
    {"consolidate"},
    {"handlers"},
    {"cli", "mcp", "run"},  # faces
)
FLOOR = {room: number for number, rooms in enumerate(STOREYS) for room in rooms}

HOT = {
    "user_prompt_submit": {"prompt": "please show me the list of open files", "prompt_id": "p-1"},
    "pre_tool_use": {
        "tool_name": "Edit",
        "tool_input": {"file_path": "file.txt", "old_string": "one", "new_string": "two"},
        "tool_use_id": "toolu_1",
        "prompt_id": "p-1",
    },
    "post_tool_batch": {
        "tool_calls": [
            {
                "tool_name": "Read",
                "tool_input": {"file_path": "file.txt"},
                "tool_use_id": "toolu_1",
                "tool_response": "one",
            }
        ]
    },
    "stop": {"stop_hook_active": False, "last_assistant_message": "Done.", "background_tasks": []},
    "session_end": {"reason": "other"},
}
COLD = {
    "session_start": {"source": "startup"},
    "pre_compact": {"trigger": "manual", "custom_instructions": ""},
    "subagent_start": {"agent_id": "a1", "agent_type": "general-purpose"},
}
# Beside belay.* and what a bare interpreter loads; `os` brings the six after it.
ALLOWED = {"os", "abc", "_collections_abc", "genericpath", "posixpath", "stat", "_stat", "ntpath"}
ALLOWED |= {
    "__future__",
    "sys",
    "time",
    "zlib",
    "errno",
    "_json",
    "fcntl",
    "msvcrt",
    "posix",
    "nt",
    "marshal",
}
ALLOWED |= {"_blake2", "math"}  # C modules: the trigger model's hashes and its sum
HEAVY = {"git", "tiktoken", "yaml", "rich", "markdown_it", "click", "filelock", "sqlite3"}


def sources():
    return sorted(LIB.rglob("*.py"))


def named(path):
    return str(path.relative_to(ROOT))


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def room(path):
    return path.relative_to(LIB).parts[0].removesuffix(".py")


def imported(node):
    """Yield the rooms that one import statement names."""
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"relative import in line {node.lineno}; write belay.… in full"
        names = [node.module] if node.module != "belay" else [f"belay.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        names = []
    yield from (name.split(".")[1] for name in names if name and name.startswith("belay."))


def breach(mine, theirs):
    if theirs == mine or mine == "__init__":
        return ""
    if theirs not in FLOOR:
        return f"{theirs} has no storey; give it one in {named(Path(__file__))}"
    if FLOOR[theirs] == FLOOR[mine]:
        return f"{theirs} is on the same storey ({FLOOR[mine]})"
    return (
        f"{theirs} is above (storey {FLOOR[theirs]}, this is {FLOOR[mine]})"
        if FLOOR[theirs] > FLOOR[mine]
        else ""
    )


def test_every_room_has_a_storey():
    rooms = {room(path) for path in sources()} - {"__init__"}

    assert sorted(rooms - FLOOR.keys()) == []


@pytest.mark.parametrize("path", sources(), ids=named)
def test_imports_go_down(path):
    found = [
        f"{named(path)}:{node.lineno}: imports {theirs}: {why}"
        for node in ast.walk(tree(path))
        for theirs in imported(node)
        if room(path) in FLOOR and (why := breach(room(path), theirs))
    ]

    assert found == []


@pytest.mark.parametrize("path", sources(), ids=named)
def test_only_git_and_knowledge_know_their_library(path):
    owners = {"git": {"git"}, "sqlite3": {"knowledge"}}
    found = [
        f"{named(path)}:{node.lineno}: {name}"
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        if name in owners and room(path) not in owners[name]
    ]

    assert found == []


@pytest.mark.parametrize("path", sources(), ids=named)
def test_only_a_few_rooms_start_processes(path):
    words = set(
        re.findall(
            r"subprocess|os\.(?:fork|exec\w*|spawn\w*|posix_spawn\w*|system|popen)\b", path.read_text()
        )
    )
    started, forked = words - {"os.fork"}, words & {"os.fork"}

    assert not started or room(path) in {"setup", "git", "wrapper", "demo"}
    assert not forked or room(path) in {"detach", "loading"}


def test_every_room_is_on_the_page():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

    assert [name for name in sorted(FLOOR) if not re.search(rf"`{name}/?`", page)] == []


def loaded(folder, door, payload):
    """Run a door for real in a folder; return the modules it loaded beyond a bare interpreter's."""
    event = "".join(word.capitalize() for word in door.split("_"))
    common = {
        "session_id": "11111111-2222-4333-8444-555555555555",
        "transcript_path": str(folder / "none.jsonl"),
        "cwd": str(folder),
        "hook_event_name": event,
        "permission_mode": "default",
    }
    return trace(folder, [ROOT / "hooks" / f"{door}.py"], common | payload) - trace(
        folder, ["-c", "pass"], {}
    )


def trace(folder, args, payload):
    # A file and not a pipe: a process that the hook leaves behind must not keep the test waiting.
    errors = folder.parent / "importtime"
    with open(errors, "w") as stderr:
        done = subprocess.run(
            [sys.executable, "-S", "-E", "-X", "importtime", *args],
            cwd=folder,
            input=json.dumps(payload).encode(),
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={
                **os.environ,
                "CLAUDE_PLUGIN_ROOT": str(ROOT),
                "CLAUDE_PLUGIN_DATA": str(folder.parent / "data"),
            },
            timeout=30,
        )
    text = errors.read_text()
    lines = [line.partition("import time:") for line in text.splitlines()]
    said = [before for before, mark, _ in lines if not mark]
    assert (done.returncode, said) == (0, [])
    return {line.rpartition("|")[2].strip() for _, mark, line in lines if mark}


@pytest.mark.parametrize("door", HOT)
def test_an_idle_hot_hook_loads_next_to_nothing(repo, door):
    beyond = {name for name in loaded(repo, door, HOT[door]) if name.partition(".")[0] != "belay"}

    assert sorted(beyond - ALLOWED) == []


@pytest.mark.parametrize("door", HOT)
def test_an_idle_hot_hook_reaches_its_handler(repo, door):
    assert f"belay.handlers.{door}" in loaded(repo, door, HOT[door])


@pytest.mark.parametrize("door", [*HOT, *COLD])
def test_no_hook_loads_a_heavy_library(repo, door):
    payload = {**HOT, **COLD}[door]
    if door == "user_prompt_submit":
        payload = {**payload, "prompt": "No, that is wrong: always use tabs here, never spaces."}

    assert {name.partition(".")[0] for name in loaded(repo, door, payload)} & HEAVY == set()


@pytest.mark.parametrize("door", [*HOT, *COLD])
def test_hook_leaves_no_failure_in_the_log(repo, home, door):
    loaded(repo, door, {**HOT, **COLD}[door])

    assert [path.read_text() for path in home.rglob("belay.log")] == []


def doors():
    return sorted((ROOT / "hooks").glob("*.py"))


@pytest.mark.parametrize("path", doors(), ids=named)
def test_doors_stay_doors(path):
    assert len(path.read_text().splitlines()) <= 15


def test_each_declared_hook_has_a_door_an_exec_form_and_a_timeout():
    hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text())["hooks"]
    declared = [hook for groups in hooks.values() for group in groups for hook in group["hooks"]]

    assert {hook["args"][0] for hook in declared} == {path.stem for path in doors()}
    assert [hook for hook in declared if not 0 < hook.get("timeout", 0) <= 60] == []
    assert os.access(ROOT / "hooks" / "run", os.X_OK)


def broad(node):
    """Whether a handler takes anything and keeps it; one that cleans up and raises again is none."""
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    wide = [
        kind for kind in kinds if kind is None or getattr(kind, "id", "") in ("Exception", "BaseException")
    ]
    again = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
    return bool(wide) and not again


def test_one_broad_except():
    found = [
        named(path)
        for path in [*sources(), *doors()]
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and broad(node)
    ]

    assert found == ["lib/belay/mcp/stdio.py", "lib/belay/run.py"]


@pytest.mark.parametrize("path", sources(), ids=named)
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_functions_are_short():
    lengths = [
        node.end_lineno - node.lineno + 1
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]

    assert statistics.median(lengths) <= 10


def test_package_files_are_empty():
    assert [named(path) for path in LIB.rglob("__init__.py") if path.stat().st_size] == []


def test_every_public_module_says_what_it_is():
    assert [named(p) for p in sources() if p.name != "__init__.py" and not ast.get_docstring(tree(p))] == []


def commands_page():
    """The text of the page of commands, which the README links to."""
    assert "(docs/commands.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    return (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_every_command_is_on_its_page():
    from belay.cli.main import COMMANDS

    page = commands_page()
    assert [name for name in COMMANDS if not re.search(rf"belay {re.escape(name)}\b", page)] == []


def test_every_command_has_a_schema_of_its_json():
    from belay.cli.main import COMMANDS

    assert [name for name in COMMANDS if not (ROOT / "docs" / "json" / f"{name}.json").is_file()] == []


def test_help_tells_every_command_whole_on_its_line():
    from click.testing import CliRunner

    from belay.cli.main import COMMANDS, belay

    shown = CliRunner().invoke(belay, ["--help"], terminal_width=80).output
    rows = shown.partition("Session:\n")[2].splitlines()
    lines = [row.strip() for row in rows if row.startswith("  ")]

    assert [line.split()[0] for line in lines] == list(COMMANDS)
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []


def test_every_slash_command_is_named_and_on_the_page_of_commands():
    files = sorted((ROOT / "commands").glob("*.md"))
    unnamed = [
        path.stem for path in files if f"\nname: {path.stem}\n" not in path.read_text(encoding="utf-8")
    ]

    assert files
    assert unnamed == []  # without it the bare name does not resolve (HOST §1.6)
    assert [path.stem for path in files if f"`/{path.stem}" not in commands_page()] == []


def test_one_version_everywhere():
    from belay.constants import VERSION

    manifest = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())
    (entry,) = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())["plugins"]
    (declared,) = re.findall(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)

    assert {manifest["version"], entry.get("version", VERSION), declared} == {VERSION}


def test_the_manifest_at_the_top_is_the_real_one():
    assert os.readlink(ROOT / "plugin.json") == os.path.join(".claude-plugin", "plugin.json")


def test_lock_files_hold_hashes_and_no_address():
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()
        pins = re.findall(r"^[\w.-]+==", text, re.M)
        assert pins
        assert "://" not in text
        assert len(re.findall(r"^[\w.-]+==.*\\\n    --hash=sha256:", text, re.M)) == len(pins)


def test_tests_install_what_users_run():
    def pins(name):
        return set(re.findall(r"^[\w.-]+==.*?(?= \\)", (ROOT / name).read_text(), re.M))

    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def test_changelog_opens_with_what_is_not_released():
    headings = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(), re.M)

    assert headings[0] == "Unreleased"
