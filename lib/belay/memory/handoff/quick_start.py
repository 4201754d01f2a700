"""The steps from a clone to a running project, read from manifests, tool files and README, never invented."""

from __future__ import annotations

import re

from belay.memory.project_survey import Survey
from belay.memory.project_survey import find_package_manager as manager_of
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
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose(?:\.(?:dev|development|local|override))?\.ya?ml$")
_COMPOSE_FILES, _COMPOSE_DEPTH = 4, 3
_ELSEWHERE = re.compile(r"prod|test|ci/|example", re.IGNORECASE)
_DATA = re.compile(
    r"\b(postgres|postgis|mysql|mariadb|mongo|redis|valkey|elasticsearch|opensearch|rabbitmq|kafka|minio|memcached"
    r"|clickhouse|cassandra|neo4j|mssql|cockroach|nats|localstack)",
    re.IGNORECASE,
)
_KEY = re.compile(r"^( +)([\w.-]{1,60}):\s*(?:#.*)?$")
_IMAGE = re.compile(r"^\s+image:\s*[\"']?([\w./:@-]{1,100})")
_README_COMMANDS = 3
_KEYS = 15


def list_steps(look: Survey) -> list[str]:
    """Return the numbered steps that are known, and what else the project's scripts offer."""
    steps = [
        ("Clone", _clone_step(look)),
        ("Install", _install_step(look)),
        ("Setup", _setup_step(look)),
        ("Run", _run_step(look)),
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
    """Return the clone's command; a project without a remote has no step for it."""
    url = owners.find_remote(look.project.root) if look.project.git_dir else ""
    return (
        _format_code(f"git clone {url}")
        if url and quotes.line(url, 300) == url and not re.search(r"[\s;&|$<>'\"]", url)
        else ""
    )


def _install_step(look: Survey) -> str:
    root, manager = look.project.root, manager_of(look)
    scripts = _read_scripts(look)
    wanted = _SETUP if manager else (*_SETUP, *_BUILD)
    setup = next((scripts[name] for name in wanted if name in scripts), "")
    needs = _find_versions(root)
    if manager == "pip":
        listed = files.is_file(root, "requirements.txt")
        how = "pip install -r requirements.txt" if listed else "pip install -e ."
    else:
        how = _INSTALL.get(manager, "")
    commands = " then ".join(_format_code(command) for command in (how, setup) if command) or _find_readme_commands(
        root, _READ_INSTALL
    )
    return f"{commands} (needs {', '.join(needs)})" if commands and needs else commands


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


def _setup_step(look: Survey) -> str:
    name, keys = look.keys
    shown = ", ".join(f"`{key}`" for key in keys[:_KEYS]) + (" and what else it lists" if len(keys) > _KEYS else "")
    parts = [f"copy `{name}` to `.env` and fill in {shown}"] if keys else []
    for compose in _find_compose_files(look):
        services = find_databases(files.text(look.project.root, compose, 64 * 1024))
        if services:
            parts.append(
                f"{', '.join(services)} by `docker compose -f {compose} up -d {' '.join(_service_names(services))}`"
            )
            break
    return "; ".join(parts)


def _find_compose_files(look: Survey) -> list[str]:
    """Return the project's compose files for developing, the ones nearest the top first."""
    paths = look.tracked or files.names(look.project.root)
    compose_files = [path for path in paths if _COMPOSE.search(path) and path.count("/") < _COMPOSE_DEPTH]
    plain = [path for path in compose_files if not _ELSEWHERE.search(path) and re.fullmatch(r"[\w./-]+", path)]
    return sorted(plain, key=lambda path: (path.count("/"), "dev" not in path, path))[:_COMPOSE_FILES]


def _service_names(services: list[str]) -> list[str]:
    return [service.partition(" ")[0].strip("`") for service in services]


def find_databases(text: str) -> list[str]:
    """Return "`service` (image)" of the data stores that a compose file starts; line by line, nothing is expanded."""
    databases: list[str] = []
    service, depth, inside = "", 0, False
    for line in text.split("\n")[:2000]:
        if line and not line[0].isspace() and not line.startswith("#"):
            inside = line.startswith("services:")
        key, image = _KEY.match(line), _IMAGE.match(line)
        if inside and key and (not depth or len(key.group(1)) == depth):
            service, depth = key.group(2), len(key.group(1))
        elif inside and image and service and _DATA.search(image.group(1)):
            databases.append(f"`{service}` ({image.group(1)})")
    return list(dict.fromkeys(databases))[:6]


def _run_step(look: Survey) -> str:
    scripts, root = _read_scripts(look), look.project.root
    named = next((scripts[name] for name in _RUN if name in scripts), "")
    if named:
        return _format_code(named)
    manager = manager_of(look)
    if manager == "cargo" and files.is_file(root, "src/main.rs"):
        return "`cargo run`"
    if manager == "go" and files.is_file(root, "main.go"):
        return "`go run .`"
    commands = _find_readme_commands(root, _READ_RUN)
    name, _ = files.readme(root)
    return commands or (f"nothing here says how; see `{name}`" if name else "")
