"""The laws of the layout, one test a law; each names every offender (docs/architecture.md)."""

import ast
import collections
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

# A package imports only lower layers; a new package gets its layer here.
LAYERS = (
    {"core", "safety"},
    {"client", "repository"},
    {"session", "triggers", "budget", "memory", "knowledge", "workspace", "sentinel", "places"},
    {"context", "consolidate", "setup"},
    {"hooks", "cli", "mcp"},
)
LAYER = {package: number for number, packages in enumerate(LAYERS, 1) for package in packages}
# What packages of one layer may know of each other.
SAME_LAYER = {
    "safety": {"core"},
    "client": {"repository"},
    "memory": {"session", "triggers"},
    "knowledge": {"session", "triggers", "memory"},
    "workspace": {"memory", "knowledge"},
    "places": {"knowledge", "memory", "session"},
    "consolidate": {"context"},
}

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
ALLOWED |= {"module_finder"}  # ours, beside the package that it finds
ALLOWED |= {"_blake2", "math", "gc"}  # C modules: the trigger model's hashes and its sum, and what a hook switches off
HEAVY = {"git", "tiktoken", "yaml", "rich", "markdown_it", "click", "filelock", "sqlite3"}


def sources():
    return sorted(LIB.rglob("*.py"))


def named(path):
    return str(path.relative_to(ROOT))


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def package(path):
    return path.relative_to(LIB).parts[0].removesuffix(".py")


def module(path):
    parts = path.relative_to(LIB.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def for_types_only(parsed):
    """Return the nodes that only a type checker sees."""
    blocks = [
        node
        for node in ast.walk(parsed)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    return {id(node) for block in blocks for line in block.body for node in ast.walk(line)}


def imports(path, known):
    """Yield (line, module) of a file's imports, those inside functions included, those for types left out."""
    parsed = tree(path)
    unseen = for_types_only(parsed)
    for node in ast.walk(parsed):
        if id(node) in unseen:
            continue
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(path)}:{node.lineno}: relative import; write belay.… in full"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield node.lineno, full if full in known else node.module
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)


def graph():
    """Return module → [(line, module of ours that it imports)]."""
    known = {module(path): path for path in sources()}
    return {
        name: [(line, other) for line, other in imports(path, known) if other in known] for name, path in known.items()
    }


def between_packages():
    """Yield (module, line, module that it imports, package, package) of every import that leaves a package."""
    for name, found in graph().items():
        for line, other in found:
            mine, theirs = name.split(".")[1:2], other.split(".")[1:2]
            if mine and theirs and mine != theirs:
                yield name, line, other, mine[0], theirs[0]


def breach(mine, theirs):
    if LAYER[theirs] < LAYER[mine] or theirs in SAME_LAYER.get(mine, ()):
        return ""
    return "is on the same layer" if LAYER[theirs] == LAYER[mine] else "is on a higher layer"


def test_every_package_has_a_layer():
    packages = {package(path) for path in sources()} - {"__init__"}

    assert packages == LAYER.keys()
    assert len(packages) <= 20


def test_imports_go_down():
    offenders = [
        f"{name}:{line}: imports {other}, which {why}"
        for name, line, other, mine, theirs in between_packages()
        if (why := breach(mine, theirs))
    ]

    assert offenders == []


def test_the_table_of_one_layer_names_only_what_is_used():
    used = {(mine, theirs) for _, _, _, mine, theirs in between_packages()}

    assert [(mine, other) for mine in SAME_LAYER for other in SAME_LAYER[mine] if (mine, other) not in used] == []


def cycles(edges):
    """Return the groups of modules that reach each other (Tarjan's algorithm)."""
    order, low, stack, found = {}, {}, [], []

    def visit(name):
        order[name] = low[name] = len(order)
        stack.append(name)
        for _, other in edges[name]:
            if other not in order:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == order[name]:
            group = [stack.pop()]
            while group[-1] != name:
                group.append(stack.pop())
            found.append(sorted(group))

    for name in edges:
        if name not in order:
            visit(name)
    return [group for group in found if len(group) > 1]


def test_no_module_imports_itself_through_others():
    assert cycles(graph()) == []


def test_a_cycle_would_be_found():
    edges = {"a": [(1, "b")], "b": [(1, "c")], "c": [(1, "a"), (2, "d")], "d": []}

    assert cycles(edges) == [["a", "b", "c"]]


def test_folders_hold_at_most_fifteen_modules():
    counted = collections.Counter(path.parent for path in sources() if path.name != "__init__.py")

    assert [named(folder) for folder, number in counted.items() if number > 15] == []


def test_a_library_is_known_in_one_place():
    owners = {"git": "repository/git/gitpython.py", "filelock": "core/lock.py", "sqlite3": "knowledge/"}
    offenders = [
        f"{named(path)}:{node.lineno}: {name}"
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
        if not str(path.relative_to(LIB)).startswith(owners.get(name.partition(".")[0], ""))
    ]

    assert offenders == []


def listed_words(node):
    """Return the literal strings of a list, tuple or set, or of a dictionary's keys or values."""
    groups = [node.keys, node.values] if isinstance(node, ast.Dict) else [getattr(node, "elts", [])]
    return [
        {part.value for item in group for part in getattr(item, "elts", [item]) if isinstance(part, ast.Constant)}
        for group in groups
    ]


def test_only_one_module_lists_kinds():
    from belay.core import kinds

    offenders = [
        f"{named(path)}:{node.lineno}: {sorted(words & vocabulary)}"
        for path in sources()
        if path != LIB / "core" / "kinds.py"
        for node in ast.walk(tree(path))
        for words in listed_words(node)
        for vocabulary in (kinds.CAPTURES.keys(), kinds.ENTRIES.keys())
        if len(words & vocabulary) > 1
    ]

    assert offenders == []


# Belay's own words that are spelled like a field of the client; the client's own reach us through typed
# properties, for its JSON never leaves client/.
OUR_WORDS = {
    "file_path",  # a column of the knowledge bases that are imported
    "prompt_id",  # a field of journal records
}


def client_names():
    """Return the names of the client's fields: they are written down once, as TypedDicts in client/.

    A plain word such as `prompt` or `source` is left out: journal, database and commands have it too.
    """
    classes = [
        node
        for path in sorted((LIB / "client").glob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and any(key.arg == "total" for key in node.keywords)
    ]
    names = {line.target.id for node in classes for line in node.body if isinstance(line, ast.AnnAssign)}
    return {name for name in names if name != name.lower() or "_" in name}


def test_only_the_client_package_knows_the_clients_fields():
    names = client_names()
    offenders = [
        f"{named(path)}:{node.lineno}: {node.value}"
        for path in sources()
        if package(path) != "client"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and node.value in names - OUR_WORDS
    ]
    raw = [
        f"{named(path)}:{node.lineno}: .{node.attr}"
        for path in sources()
        if package(path) != "client"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr == "given"
    ]

    assert names >= {
        "additionalContext", "background_tasks", "custom_instructions", "hookSpecificOutput", "hook_event_name",
        "last_assistant_message", "permission_mode", "prompt_id", "stop_hook_active", "systemMessage",
        "toolUseResult", "tool_input", "tool_response", "transcript_path",
    }  # fmt: skip
    assert offenders == []
    assert raw == []


def string_constants(parsed):
    """Yield the string constants of a module that are not documentation."""
    documentation = {id(node.value) for node in ast.walk(parsed) if isinstance(node, ast.Expr)}
    for node in ast.walk(parsed):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node


def test_only_the_repository_package_knows_what_git_names_its_files():
    words = re.compile(r"(?:^|[\s/])\.git(?:$|[\s/])|^refs/|^info/(?:exclude|attributes)|^(?:FETCH_|ORIG_)HEAD$")
    offenders = [
        f"{named(path)}:{node.lineno}: {node.value[:60]!r}"
        for path in sources()
        if package(path) != "repository"
        for node in string_constants(tree(path))
        if words.search(node.value)
    ]

    assert offenders == []


WRITERS = {"core/files.py", "core/outputs.py"}
# What opens or renames otherwise, and why it may.
NO_WRITERS = {
    ("setup/cleanup/open_files.py", "os.open"),  # asks for a lock, for which a file must be open for writing
    ("setup/cleanup/transfer.py", "os.rename"),  # moves files of an earlier tool, between devices too
    ("setup/cleanup/executor.py", "os.mkdir"),  # one folder for each recorded line, all above it looked at before
    ("setup/cleanup/undo.py", "os.mkdir"),
}


def writes(node):
    """Return the name of a call that makes a file or folder, opens one for writing, copies or renames it, else ""."""
    if not isinstance(node, ast.Call):
        return ""
    name = ast.unparse(node.func)
    words = {part.attr for arg in node.args[1:] for part in ast.walk(arg) if isinstance(part, ast.Attribute)}
    mode = [*node.args[1:2], *(key.value for key in node.keywords if key.arg == "mode")]
    if name in ("os.replace", "os.rename", "os.truncate", "os.makedirs", "os.mkdir") or name.startswith("shutil.copy"):
        return name
    if name.endswith((".write_text", ".write_bytes")):
        return name
    if name == "os.open" and words & {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}:
        return "" if ast.unparse(node.args[0]) == "os.devnull" else name
    letters = {letter for value in mode for letter in str(getattr(value, "value", ""))}
    return name if name in ("open", "tarfile.open") and letters & set("wax+") else ""


def test_only_one_module_opens_files_for_writing():
    found = [
        (str(path.relative_to(LIB)), node.lineno, name)
        for path in sources()
        for node in ast.walk(tree(path))
        if (name := writes(node))
    ]
    used = {(path, name) for path, _, name in found}

    assert [row for row in found if row[0] not in WRITERS and (row[0], row[2]) not in NO_WRITERS] == []
    assert (NO_WRITERS - used, WRITERS - {path for path, _ in used}) == (set(), set())


def test_an_opening_for_writing_would_be_found():
    calls = [
        "open(path, 'ab')",
        "open(path, mode='x')",
        "os.open(path, os.O_RDWR | os.O_CREAT)",
        "os.replace(a, b)",
        "os.makedirs(folder)",
    ]
    others = [
        "open(path)",
        "open(path, 'rb')",
        "os.open(path, os.O_RDONLY)",
        "os.open(os.devnull, os.O_RDWR)",
    ]

    assert [bool(writes(ast.parse(call).body[0].value)) for call in calls] == [True] * 5
    assert [bool(writes(ast.parse(call).body[0].value)) for call in others] == [False] * 4


STARTS = {
    "client/status_line_wrapper.py",
    "repository/git/github.py",
    "repository/git/gitpython.py",
    "repository/git/process.py",
    "setup/build.py",
    "setup/launcher.py",
    "setup/start.py",
    "setup/demo.py",
    "setup/server_probe.py",  # the MCP server, asked once by the doctor
}
FORKS = {"client/processes.py", "context/start/compiled_memory.py"}


def test_only_a_few_modules_start_processes():
    words = re.compile(r"\bsubprocess\b|os\.(?:exec\w*|spawn\w*|posix_spawn\w*|system|popen)\b")
    starts = {str(path.relative_to(LIB)) for path in sources() if words.search(path.read_text())}
    forks = {str(path.relative_to(LIB)) for path in sources() if "os.fork" in path.read_text()}

    assert (starts, forks) == (STARTS, FORKS)


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
    return trace(folder, [ROOT / "hooks" / f"{door}.py"], common | payload) - trace(folder, ["-c", "pass"], {})


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
    assert f"belay.hooks.{door}" in loaded(repo, door, HOT[door])


MODULES_OF_AN_IDLE_PROMPT = 40


@pytest.mark.parametrize("has_base", [False, True])
def test_an_idle_prompt_loads_few_modules_of_ours(repo, project, has_base):
    if has_base:
        from belay.consolidate import knowledge
        from belay.knowledge.store.store import Store

        with Store(project.workshop, os.environ, create=True) as store:
            store.add("gotcha", "The sandbox rejects refunds over 500", files=["src/pay.py"])
        knowledge.run(project, os.environ, [])
    used = {
        "input_tokens": 9000,
        "output_tokens": 10,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
    }
    line = {
        "type": "assistant",
        "timestamp": "2026-11-22T10:00:00.000Z",
        "message": {"model": "claude-opus-4-5", "usage": used},
    }
    (repo / "none.jsonl").write_text(json.dumps(line) + "\n")
    loaded(repo, "user_prompt_submit", HOT["user_prompt_submit"])  # the first one makes folders
    own = {name for name in loaded(repo, "user_prompt_submit", HOT["user_prompt_submit"]) if "belay." in name}

    assert "belay.budget.usage" in own
    assert ("belay.context.recall.lookup" in own) == has_base
    assert len(own) <= MODULES_OF_AN_IDLE_PROMPT + has_base  # `core/terms` reads the index of the base


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


def test_doors_stay_doors():
    assert [named(path) for path in doors() if len(path.read_text().splitlines()) > 15] == []


def test_each_declared_hook_has_a_door_an_exec_form_and_a_timeout():
    hooks = json.loads((ROOT / "hooks" / "hooks.json").read_text())["hooks"]
    declared = [hook for groups in hooks.values() for group in groups for hook in group["hooks"]]

    assert {hook["args"][0] for hook in declared} == {path.stem for path in doors()}
    assert [hook for hook in declared if not 0 < hook.get("timeout", 0) <= 60] == []
    assert os.access(ROOT / "hooks" / "run", os.X_OK)


def broad(node):
    """Whether a handler takes anything and keeps it; one that cleans up and raises again is none."""
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    wide = [kind for kind in kinds if kind is None or getattr(kind, "id", "") in ("Exception", "BaseException")]
    again = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
    return bool(wide) and not again


def test_one_broad_except():
    found = [
        named(path)
        for path in [*sources(), *doors()]
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and broad(node)
    ]

    assert found == ["lib/belay/hooks/run.py", "lib/belay/mcp/server.py"]


def test_files_are_short():
    lengths = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}

    assert {name: length for name, length in lengths.items() if length > 300} == {}


def test_functions_are_short():
    lengths = [
        node.end_lineno - node.lineno + 1
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]

    assert statistics.median(lengths) <= 10


def test_a_package_file_says_what_the_package_is_for_and_nothing_else():
    offenders = []
    for path in sources():
        if path.name == "__init__.py" and path.parent != LIB:
            text = ast.get_docstring(tree(path)) or ""
            if len(tree(path).body) != 1 or not text.endswith(".") or len(path.read_text().splitlines()) > 10:
                offenders.append(named(path))

    assert offenders == []


def test_every_module_says_what_it_is():
    assert [named(p) for p in sources() if p.parent != LIB and not ast.get_docstring(tree(p))] == []


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
    unnamed = [path.stem for path in files if f"\nname: {path.stem}\n" not in path.read_text(encoding="utf-8")]

    assert files
    assert unnamed == []  # without it the bare name does not resolve (HOST §1.6)
    assert [path.stem for path in files if f"`/{path.stem}" not in commands_page()] == []


def test_one_version_everywhere():
    from belay.core.constants import VERSION

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


CHANGES = re.compile(
    r"\b(?:INSERT (?:OR \w+ )?INTO|REPLACE INTO|UPDATE \S+ SET|DELETE FROM|ALTER TABLE"
    r"|(?:CREATE|DROP) (?:VIRTUAL |TEMP )?(?:TABLE|INDEX|VIEW|TRIGGER|…))"
)
READS = re.compile(r"\bSELECT\b.*\S|\bPRAGMA \w", re.DOTALL)
READERS = ("store", "entries", "search", "documents", "vectors")


def texts(parsed):
    """Yield (line, text) of the strings of a module that are no docstrings; "…" is what an f-string fills in."""
    skipped = {id(node.value) for node in ast.walk(parsed) if isinstance(node, ast.Expr)}
    for node in ast.walk(parsed):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in ast.walk(node)}
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def misplaced_sql(where, parsed):
    """Return the lines of SQL that a module at a path below lib/belay may not hold."""
    place = where.split("/")
    reads = place[0] == "knowledge" and place[1] in READERS
    if reads and place[1] == "store":
        return []
    pattern = CHANGES if reads else re.compile(f"{CHANGES.pattern}|{READS.pattern}", re.DOTALL)
    return [f"{where}:{line}: {' '.join(text.split())[:60]}" for line, text in texts(parsed) if pattern.search(text)]


def test_sql_is_in_the_knowledge_base_and_what_changes_data_in_its_store():
    offenders = [
        offender for path in sources() for offender in misplaced_sql(path.relative_to(LIB).as_posix(), tree(path))
    ]

    assert offenders == []


@pytest.mark.parametrize(
    ("where", "line", "is_misplaced"),
    [
        ("knowledge/store/tables/entry_rows.py", 'x = "DELETE FROM entries"', False),
        ("knowledge/search/search.py", 'x = f"SELECT {a} FROM entries"', False),
        ("knowledge/search/search.py", 'x = f"UPDATE {a} SET b = 1"', True),
        ("knowledge/documents/indexer.py", 'x = f"DROP {a} IF EXISTS b"', True),
        ("knowledge/review/queue.py", 'x = "SELECT 1 FROM entries"', True),
        ("mcp/read.py", 'x = "SELECT 1"', True),
        ("mcp/read.py", 'x = "INSERT OR REPLACE INTO entries (id) VALUES (?)"', True),
        ("mcp/read.py", '"""Say what SELECT 1 FROM x is."""', False),
    ],
)
def test_misplaced_sql_would_be_found(where, line, is_misplaced):
    assert bool(misplaced_sql(where, ast.parse(line))) is is_misplaced
