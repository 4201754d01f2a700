"""Read a project's own set-up commands, in their order, from its README, CONTRIBUTING and the like."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.repository.survey import files, prose, quotes

DOCUMENTS = (
    "CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "CONTRIBUTING.rst", "DEVELOPMENT.md",
    "HACKING.md", "docs/development.md", "docs/DEVELOPMENT.md", "docs/setup.md", "docs/getting-started.md",
)  # fmt: skip
"""Where developers are told how to begin; the README comes after them."""
COMMANDS = 10
_HEADS = re.compile(
    r"\b(?:set(?:ting)?[ -]?up|getting started|clone|install(?:ation|ing)?|from source|quick ?start"
    r"|develop(?:ment|ing)?|build(?:ing)?|local(?:ly)?|run(?:ning)?|environment|database|migrations?|configur(?:e|ation)|prerequisites)\b"
    r"|^(?:step )?\d",
    re.IGNORECASE,
)
"""Headings of a set-up; what stands below others is for those who use the product, or for later."""
_SHELL = ("", "sh", "shell", "bash", "console", "zsh", "shell-session", "sh-session", "terminal")
_TOOLS = frozenset(
    "alembic asdf bin/dev bin/rails bin/setup bun bundle cargo cd cmake composer conda corepack cp createdb dart "
    "direnv docker docker-compose dotnet export flask flutter git go gradle hatch just make mamba meson minikube mise "
    "mix mkdir mvn ninja nix node npm npx nvm nox pdm php pip pip3 pipenv pnpm podman poetry pre-commit prisma psql "
    "python python3 rails rake rustup source sqlite3 supabase swift task tilt touch tox uv uvicorn yarn zig".split()
)
"""First words of commands: other lines of a block are output, or somebody's own program."""
_INSTALLS = re.compile(
    r"^(?:npm (?:ci|i|install)|yarn(?: install)?|pnpm (?:i|install)|bun install|uv (?:sync|pip)|poetry install"
    r"|pdm install|pipenv install|pip3? install (?:-e|-r|--editable|\.)|python3? -m (?:pip install (?:-e|-r|\.)|venv)"
    r"|go mod download|cargo build|bundle install|composer install|mise install|just setup|mix deps\.get"
    r"|make (?:setup|install|deps|bootstrap|dev)|dotnet restore|mvn install|\./gradlew|bin/setup|conda env create"
    r"|nix develop)(?:\s|$)"
)
_BUILDS = re.compile(r"\b(?:build|test|dev|start|serve|migrate|up -d|runserver|run)\b")
_USERS = re.compile(
    r"@latest\b|\b(?:install|i|add) (?:-g|--global)\b|^(?:brew|apt|apt-get|dnf|pacman|choco|winget|scoop|pipx|npx)\b"
    r"|^cargo install\b|^docker (?:pull|run)\b|^curl\b|^wget\b|^pip3? install (?![-.])|^uv (?:tool|add)\b"
)
"""Commands of those who use the product, not of those who work on it."""
_PRIVATE = re.compile(r"(?:^|[\s\"'=:])(?:/home/|/Users/|/root/|[A-Za-z]:\\|~\w)")
_HOLE = re.compile(r"<[\w -]+>|\{\{|\byour[-_ ]|\bmy-?(?:app|project)\b|path/to|\.\.\.|…|\bxxx+", re.IGNORECASE)
_ASSIGNED = re.compile(r"^(?:[A-Z_][A-Z0-9_]*=\S* +)+")
_COMMENT = re.compile(r"\s+#\s.*$")
_PACKAGE_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_CLONES = 3
_INSTALLING = 2


class SetUp(NamedTuple):
    """Commands in the order in which a document gives them, and where they stand ("CONTRIBUTING.md:93")."""

    commands: list[str]
    source: str


def find_set_up(root: str) -> SetUp:
    """Return the commands after the clone that prepare, build and start a project; none where no document has them."""
    best, most = SetUp([], ""), _INSTALLING
    for name, text in _read_documents(root):
        for rows in _group_commands(text):
            score = _rate([command for command, _ in rows])
            kept = [(command, line) for command, line in rows if _is_kept(command) and _exists(root, command)]
            if score >= most and kept:
                best, most = SetUp(_drop_entry([row[0] for row in kept])[:COMMANDS], f"{name}:{kept[0][1]}"), score + 1
    return best if best.commands else SetUp([], "")


def _read_documents(root: str) -> list[tuple[str, str]]:
    known = [(name, files.text(root, name)) for name in DOCUMENTS if files.is_file(root, name)]
    return [*known, *([files.readme(root)] if files.readme(root)[0] else [])]


def _group_commands(text: str) -> list[list[tuple[str, int]]]:
    """Return the commands of neighbouring sections about the set-up, each group in its order."""
    groups: list[list[tuple[str, int]]] = [[]]
    for block in prose.blocks(text):
        if block.kind == "heading" and not _HEADS.search(block.text):
            groups.append([])
        elif block.kind == "code" and block.language in _SHELL and _HEADS.search(block.above):
            groups[-1] += _read_commands(block)
    return [group for group in groups if group]


def _read_commands(block: prose.Block) -> list[tuple[str, int]]:
    """Return (command, line) of a block, prompts and comments taken off, lines that go on joined."""
    rows: list[tuple[str, int]] = []
    begun, start = "", 0
    for at, raw in enumerate(block.text.split("\n"), block.line + 1):
        line = raw.strip()
        line = line[2:] if line.startswith(("$ ", "% ", "> ")) else line
        start = start if begun else at
        if line.endswith("\\"):
            begun += line[:-1].rstrip() + " "
            continue
        whole, begun = _COMMENT.sub("", begun + line), ""
        if _is_command(whole):
            rows.append((" ".join(whole.split()), start))
    return rows


def _is_command(line: str) -> bool:
    words = _ASSIGNED.sub("", line).split()
    return bool(words) and (words[0] in _TOOLS or words[0].startswith("./") or bool(_USERS.search(line)))


def _rate(commands: list[str]) -> int:
    """Return how much some commands look like a developer's beginning; a user's installation looks like none."""
    own = [command for command in commands if not _USERS.search(command)]
    clones = any(command.startswith("git clone") for command in own)
    installs = any(_INSTALLS.match(command) for command in own)
    builds = any(_BUILDS.search(command) for command in own)
    return _CLONES * clones + _INSTALLING * installs + (builds and (clones or installs))


def _is_kept(command: str) -> bool:
    """Whether a command can be given to anybody: no path of one person, no hole to fill, no user's installation."""
    return not (_PRIVATE.search(command) or _HOLE.search(command) or _USERS.search(command))


def _exists(root: str, command: str) -> bool:
    """Whether the project has what a command names: the target, the script, the file."""
    words = [*_ASSIGNED.sub("", command).split(), "", ""]
    program, what = words[0], words[1]
    if program == "make":
        body = "".join(files.text(root, name) for name in ("GNUmakefile", "makefile", "Makefile"))
        return bool(body) and (not what or bool(re.search(rf"^{re.escape(what)}\s*:", body, re.MULTILINE)))
    if program in _PACKAGE_MANAGERS and what == "run":
        named = re.search(rf'"{re.escape(words[2])}"\s*:', files.text(root, "package.json"))
        return named is not None or " -" in command
    if program.startswith("./"):
        return files.is_file(root, program[2:])
    return program != "cp" or files.is_file(root, what) or what.startswith("-")


def _drop_entry(commands: list[str]) -> list[str]:
    """Return the commands without the clone and the step into its folder."""
    cloned = next((at for at, command in enumerate(commands) if command.startswith("git clone")), -1)
    rest = [command for at, command in enumerate(commands) if at > cloned] if cloned >= 0 else commands
    entered = rest[1:] if rest and re.fullmatch(r"cd [\w.-]+/?", rest[0]) else rest
    return list(dict.fromkeys(quotes.line(command, 160) for command in entered))
