"""The steps from a clone to a running project, read from manifests, tool files and README, never invented."""

from __future__ import annotations

import re

from belay.memory.handoff import own_commands, surroundings
from belay.memory.project_survey import Survey
from belay.memory.project_survey import find_package_manager as manager_of
from belay.repository import projects
from belay.repository.git import owners
from belay.repository.survey import files, prose, quotes

_INSTALL = {
    "npm": "npm install", "yarn": "yarn install", "pnpm": "pnpm install", "bun": "bun install", "uv": "uv sync",
    "poetry": "poetry install", "pdm": "pdm install", "pipenv": "pipenv install --dev", "go": "go mod download",
    "cargo": "cargo build", "bundler": "bundle install", "composer": "composer install", "maven": "mvn install",
}  # fmt: skip
"""What the project's manifest or lock file is installed by → how that is called."""
_SETUP, _RUN = (
    ("setup", "bootstrap", "init", "dev-setup"),
    ("dev", "start", "serve", "run", "develop", "server", "watch", "up"),
)
_BUILD = ("build", "all")
"""Targets that make a project which no package manager installs."""
_ALSO = ("test", "tests", "check", "lint", "build", "format", "typecheck", "test:all", "migrate")
_READ_INSTALL = re.compile(r"\b(?:install|set ?up|getting started|build|quick ?start|development)", re.IGNORECASE)
_READ_RUN = re.compile(
    r"\b(?:run(?:ning)?|start(?:ing)? (?:the|it|a)|development|develop(?:ing)?|locally)\b", re.IGNORECASE
)
_PRIVATE = re.compile(r"^(?:file:|/|~|\.)|localhost|127\.0\.0\.1", re.IGNORECASE)
"""Addresses that only this machine has."""
_INSTALLS = re.compile(r"\binstall\b|^(?:git clone|cd)\b")
"""Commands that come before running something."""
_VERSIONS = (
    (".nvmrc", "Node", re.compile(r"\A\s*([\w./*-]{1,20})\s*\Z")),
    (".node-version", "Node", re.compile(r"\A\s*([\w.-]{1,20})\s*\Z")),
    ("package.json", "Node", re.compile(r'"engines"\s*:\s*\{[^{}]*?"node"\s*:\s*"([\w.<>=^~|& -]{1,30})"')),
    (".python-version", "Python", re.compile(r"\A\s*([\w.-]{1,20})\s*(?:\n|\Z)")),
    ("pyproject.toml", "Python", re.compile(r'^requires-python\s*=\s*"([\w.<>=!~*, ]{1,30})"', re.M)),
    ("go.mod", "Go", re.compile(r"^go\s+([\d.]{1,10})\s*$", re.M)),
    ("rust-toolchain", "Rust", re.compile(r"\A\s*([\w.-]{1,30})\s*\Z")),
    ("Cargo.toml", "Rust", re.compile(r'^rust-version\s*=\s*"([\d.]{1,10})"', re.M)),
    (".ruby-version", "Ruby", re.compile(r"\A\s*([\w.-]{1,20})\s*\Z")),
)
_README_COMMANDS = 3
_NEEDED = ("mise", "docker", "just", "task", "uv", "poetry", "pdm", "pnpm", "yarn", "bun", "bundle", "composer", "mvn")
"""Programs that a command needs and that a machine may lack."""


def list_steps(look: Survey) -> list[str]:
    """Return the numbered steps that are known, in the order in which they run, and what else the scripts offer."""
    own = own_commands.find_set_up(look.project.root)
    steps = [
        ("Clone", _clone_step(look)),
        ("Install", _install_step(look, own)),
        *_surrounding_steps(look, own.commands),
        ("Run", _run_step(look, own.commands)),
    ]
    rows = [f"{number}. {name}: {step}" for number, (name, step) in enumerate(((n, t) for n, t in steps if t), 1)]
    scripts = _read_scripts(look)
    also = [f"{name} {_format_code(command)}" for name, command in scripts.items() if name in _ALSO]
    also += (
        []
        if scripts.keys() & {"test", "tests", "check"}
        else [f"test {_format_code(command_line)}" for command_line in _test_commands(look)]
    )
    return [*rows, *(["", f"Also: {', '.join(also)}"] if rows and also else [])]


def _surrounding_steps(look: Survey, own: list[str]) -> list[tuple[str, str]]:
    """Return what must be there before the project runs and what its own commands leave out."""
    text = "\n".join(own)
    start, stores = surroundings.find_services(look)
    migration = surroundings.find_migration(look)
    env_steps = [] if ".env" in text else surroundings.list_env_steps(look)
    services = f"{_format_code(start)} starts {', '.join(stores)}" if start and "docker" not in text else ""
    tables = _format_code(migration) if migration and not re.search(r"migrat|db:|db push", text) else ""
    return [("Environment", "; ".join(env_steps)), ("Services", services), ("Database", tables)]


def _test_commands(look: Survey) -> list[str]:
    """Return how the tests run where no script says it: as the language or its test package has it."""
    manager, tracked = manager_of(look), look.tracked
    if manager in ("go", "cargo"):
        written = any(path.endswith("_test.go") for path in tracked) or manager == "cargo"
        return ["go test ./..." if manager == "go" else "cargo test"] if written else []
    runner = {"uv": "uv run ", "poetry": "poetry run ", "pdm": "pdm run ", "pipenv": "pipenv run "}.get(manager, "")
    return [f"{runner}pytest"] if "pytest" in look.stack["frameworks"] else []


def _format_code(command: str) -> str:
    """Return a command as Markdown code, "" for one that has none of its own line."""
    shown = quotes.line(command, 160).replace("`", "'")
    return f"`{shown}`" if shown else ""


def _read_scripts(look: Survey) -> dict[str, str]:
    return {str(name): str(command) for name, command in look.stack["scripts"].items()}


def _clone_step(look: Survey) -> str:
    """Return the clone's commands; a project without a remote that others can reach has no step for it."""
    url = owners.find_remote(look.project.root) if look.project.git_dir else ""
    if not url or quotes.line(url, 300) != url or re.search(r"[\s;&|$<>'\"]", url) or _PRIVATE.search(url):
        return ""
    folder = projects.owner_and_name(url)[1]
    return f"{_format_code(f'git clone {url}')}, `cd {folder}`" if re.fullmatch(r"[\w.-]+", folder) else ""


def _install_step(look: Survey, own: own_commands.SetUp) -> str:
    """Return the project's own commands, else those of its manifests, else those below the README's headings."""
    root = look.project.root
    if own.commands:
        commands = f"{', '.join(map(_format_code, own.commands))} ({own.source})"
        lines = own.commands
    else:
        lines = _list_install_commands(look)
        commands = " then ".join(map(_format_code, lines)) or _find_readme_commands(root, _READ_INSTALL)
    needs = [*_find_versions(root), *(tool for tool in _NEEDED if any(line.split()[0] == tool for line in lines))]
    return f"{commands}; needs {', '.join(needs)}" if commands and needs else commands


def _list_install_commands(look: Survey) -> list[str]:
    root, manager = look.project.root, manager_of(look)
    scripts = _read_scripts(look)
    wanted = _SETUP if manager else (*_SETUP, *_BUILD)
    setup = next((scripts[name] for name in wanted if name in scripts), "")
    if manager == "pip":
        listed = files.is_file(root, "requirements.txt")
        how = "pip install -r requirements.txt" if listed else "pip install -e ."
    else:
        how = _INSTALL.get(manager, "")
    return [command for command in (how, setup) if command]


def _find_versions(root: str) -> list[str]:
    versions: dict[str, str] = {}
    for name, label, rule in _VERSIONS:
        match = rule.search(files.text(root, name, 64 * 1024))
        if match:
            versions.setdefault(label, f"{label} {match.group(1).strip()}")
    return list(versions.values())


def _find_readme_commands(root: str, heading: re.Pattern[str]) -> str:
    """Return the first commands below such a heading of the README, with their line, "" without any."""
    name, text = files.readme(root)
    rows = prose.commands(text, heading) if text else []
    if heading is _READ_RUN:
        rows = [(command, line) for command, line in rows if not _INSTALLS.search(command)]
    rows = rows[:_README_COMMANDS]
    shown = ", ".join(filter(None, (_format_code(command) for command, _ in rows)))
    return f"{shown} ({name}:{rows[0][1]})" if shown else ""


def _run_step(look: Survey, own: list[str]) -> str:
    """Return how the project is started, "" where its own commands above do so already."""
    scripts, root = _read_scripts(look), look.project.root
    named = next((scripts[name] for name in _RUN if name in scripts), "")
    if named:
        known = {command.replace(" run ", " ") for command in own}
        return "" if named.replace(" run ", " ") in known else _format_code(named)
    manager = manager_of(look)
    if manager == "cargo" and files.is_file(root, "src/main.rs"):
        return "`cargo run`"
    program = _find_go_program(look) if manager == "go" else ""
    if program:
        return f"`go run {program}`"
    commands = _find_readme_commands(root, _READ_RUN)
    name, _ = files.readme(root)
    return commands or (f"nothing here says how; see `{name}`" if name else "")


def _find_go_program(look: Survey) -> str:
    """Return the one main package, or the one that is called like the project; "" where there are several others."""
    if files.is_file(look.project.root, "main.go"):
        return "."
    mains = [path for path in look.tracked if re.fullmatch(r"cmd/[\w.-]+/main\.go", path)]
    folders = [path.rpartition("/")[0] for path in mains]
    same = [folder for folder in folders if folder.rpartition("/")[2] == str(look.stack["name"])]
    chosen = same or folders
    return f"./{chosen[0]}" if len(chosen) == 1 else ""
