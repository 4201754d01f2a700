"""What a project needs around it before it runs: files of environment variables, services in containers, migrations."""

from __future__ import annotations

import json
import posixpath
import re

from belay.memory.project_survey import ENV_FILES, Survey
from belay.memory.project_survey import find_package_manager as manager_of
from belay.repository.manifests import env_keys
from belay.repository.survey import files, quotes

BYTES = 64 * 1024
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose(?:\.(?:dev|development|local|override))?\.ya?ml$")
_COMPOSE_FILES, _DEPTH = 4, 3
_ELSEWHERE = re.compile(
    r"prod|staging|test|e2e|example|sample|demo|fixtures|archive|(?:^|/)(?:ci|poc|vendor)(?:/|$)", re.IGNORECASE
)
"""Folders of which a newcomer needs nothing at first."""
_DATA = re.compile(
    r"\b(postgres|postgis|mysql|mariadb|mongo|redis|valkey|elasticsearch|opensearch|rabbitmq|kafka|minio|memcached"
    r"|clickhouse|cassandra|neo4j|mssql|cockroach|nats|localstack)",
    re.IGNORECASE,
)
_KEY = re.compile(r"^( +)([\w.-]{1,60}):\s*(?:#.*)?$")
_IMAGE = re.compile(r"^\s+image:\s*[\"']?([\w./:@-]{1,100})")
_BUILT = re.compile(r"^\s+build:")
_ENV_FILES, _KEYS = 5, 8
_MIGRATIONS = re.compile(
    r"^(?:db[:-])?(?:migrate|migrations?)(?:[:-](?:run|up|dev|latest|deploy|apply))?$|^(?:prisma|drizzle|knex|typeorm)"
    r"[:-](?:migrate|push)$|^(?:migrate|migration)[:-]?(?:run|up)$|^db[:-](?:push|setup|upgrade)$"
)
"""Names of scripts that bring a database's tables up to date."""
_IN_WORKSPACE = {
    "pnpm": "pnpm --filter {package} run {script}", "npm": "npm run {script} -w {package}",
    "yarn": "yarn workspace {package} {script}", "bun": "bun run --filter {package} {script}",
}  # fmt: skip
_FILES = (("manage.py", "python manage.py migrate"), ("alembic.ini", "alembic upgrade head"),
          ("bin/rails", "bin/rails db:prepare"), ("artisan", "php artisan migrate"))  # fmt: skip
"""Files of frameworks → their own command for migrations."""


def list_env_steps(look: Survey) -> list[str]:
    """Return how each file of environment variables is made from its example, with the names to fill in."""
    paths = [path for path in look.tracked or files.names(look.project.root) if _is_example(path)]
    steps = []
    for path in sorted(paths, key=lambda name: (name.count("/"), name))[:_ENV_FILES]:
        text = files.text(look.project.root, path, BYTES)
        keys, filled = env_keys.keys(text), set(env_keys.keys(text, filled=True))
        if keys:
            steps.append(_format_env_step(path, [key for key in keys if key not in filled]))
    return steps


def _is_example(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    near = name in ENV_FILES and path.count("/") < _DEPTH and not _ELSEWHERE.search(folder)
    return near and re.fullmatch(r"[\w./@-]+", path) is not None


def _format_env_step(path: str, empty: list[str]) -> str:
    target = posixpath.join(posixpath.dirname(path), ".env")
    shown = ", ".join(f"`{key}`" for key in empty[:_KEYS] if quotes.line(key) == key)
    more = f" and {len(empty) - _KEYS} more" if len(empty) > _KEYS else ""
    todo = f"fill in {shown}{more}" if shown else "check its values"
    return f"`cp {path} {target}`, {todo}"


def find_services(look: Survey) -> tuple[str, list[str]]:
    """Return (what a compose file for developing starts, its data stores "`service` (image)"); "" for none."""
    for path in _find_compose_files(look):
        services = list_services(files.text(look.project.root, path, BYTES))
        stores = [f"`{name}` ({image})" for name, image in services if _DATA.search(image)]
        if stores:
            return f"docker compose -f {path} up -d {' '.join(name for name, _ in services)}", stores[:6]
    return "", []


def _find_compose_files(look: Survey) -> list[str]:
    """Return the project's compose files for developing, the ones nearest the top first."""
    paths = look.tracked or files.names(look.project.root)
    compose_files = [path for path in paths if _COMPOSE.search(path) and path.count("/") < _DEPTH]
    plain = [path for path in compose_files if not _ELSEWHERE.search(path) and re.fullmatch(r"[\w./-]+", path)]
    return sorted(plain, key=lambda path: (path.count("/"), "dev" not in path, path))[:_COMPOSE_FILES]


def list_services(text: str) -> list[tuple[str, str]]:
    """Return (service, image) of what a compose file starts and does not build; line by line, nothing is expanded."""
    services: dict[str, str] = {}
    built: set[str] = set()
    service, depth, inside = "", 0, False
    for line in text.split("\n")[:2000]:
        if line and not line[0].isspace() and not line.startswith("#"):
            inside = line.startswith("services:")
        key, image = _KEY.match(line), _IMAGE.match(line)
        if inside and key and (not depth or len(key.group(1)) == depth):
            service, depth = key.group(2), len(key.group(1))
        elif inside and service and _BUILT.match(line):
            built.add(service)
        elif inside and image and service:
            services.setdefault(service, image.group(1))
    return [(name, image) for name, image in services.items() if name not in built][:12]


def find_migration(look: Survey) -> str:
    """Return the command that brings the database's tables up to date, "" where nothing names one."""
    scripts = {str(name): str(command) for name, command in look.stack["scripts"].items()}
    named = next((command for name, command in scripts.items() if _MIGRATIONS.match(name)), "")
    known = next((command for name, command in _FILES if files.is_file(look.project.root, name)), "")
    return named or _find_in_workspaces(look) or known


def _find_in_workspaces(look: Survey) -> str:
    how = _IN_WORKSPACE.get(manager_of(look), "")
    for path in look.stack["manifests"] if how else ():
        if path.endswith("/package.json") and not _ELSEWHERE.search(path):
            package, scripts = _read_package(files.text(look.project.root, path, BYTES))
            script = next((name for name in scripts if _MIGRATIONS.match(name)), "")
            if package and script:
                return how.format(package=package, script=script)
    return ""


def _read_package(text: str) -> tuple[str, list[str]]:
    """Return a package's name, "" for one that no shell takes as one word, and the names of its scripts."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return "", []
    name, scripts = (data.get("name"), data.get("scripts")) if isinstance(data, dict) else ("", {})
    plain = name if isinstance(name, str) and re.fullmatch(r"[@\w./-]{1,100}", name) else ""
    return plain, list(scripts) if isinstance(scripts, dict) else []
