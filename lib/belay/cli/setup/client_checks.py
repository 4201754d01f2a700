"""What `belay doctor` asks of the client's side: the MCP server, other servers of the project, CLAUDE.md.

How the client decides: from its documentation (HOST §2.3, §4), the names of its settings as version 2.1.329 reads them.
"""

from __future__ import annotations

import os
import re

from belay.cli.setup.checks import BROKEN, NOTE, OK, Check
from belay.client import settings_files
from belay.context.start import knowledge_cache
from belay.core import files, paths
from belay.core.plain_text import count
from belay.setup import server_probe

MOST_BYTES = 4 * 1024 * 1024
"""What the client reads of a CLAUDE.md at most (HOST §4)."""
RETRY = "then /mcp in Claude Code, or wait 15 minutes: it does not start a server again that failed"
_NAME = "CLAUDE.md"
_CODE = re.compile(r"`[^`]*`")
_IMPORT = re.compile(r"(?:^|\s)@((?:[~\w.-]|/(?=\w))[^\s\\#]*\.md[^\s\\#\w/]*)(?=[\s#]|$)")
"""An import as the client reads it (2.1.329): all up to a blank or "#", a comma or full stop behind it too."""
_SIGNS = ".,;:!?)\"'*_"


def check_server(project: paths.Project | None) -> list[Check]:
    """Start the MCP server once as the client does; say what keeps Claude from it."""
    problem = server_probe.find_problem(os.environ)
    if problem:
        return [Check("mcp server", BROKEN, problem.what, f"{problem.mend}; {RETRY}")]
    root = project.root if project else ""
    blocks = settings_files.list_server_blocks(os.environ, root)
    notes = [Check("mcp server", NOTE, f"it answers, but {what} in {file}", mend) for file, what, mend in blocks]
    return notes or [Check("mcp server", OK, "it answers")]


def check_other_servers(project: paths.Project | None) -> list[Check]:
    """Name the project's other MCP servers whose program is gone, and a list of servers that the client never reads."""
    if project is None:
        return []
    found = [
        Check(
            "mcp server", NOTE, f"{one.name} cannot start: {one.missing} is not there", f"claude mcp remove {one.name}"
        )
        for one in settings_files.list_missing_servers(os.environ, project.root)
    ]
    unread = os.path.join(project.root, ".claude", "mcp.json")
    if os.path.isfile(unread):
        mend = "move its servers to .mcp.json at the root"
        found.append(Check("mcp server", NOTE, "Claude Code does not read .claude/mcp.json", mend))
    return found


def check_instructions(project: paths.Project | None) -> list[Check]:
    """Say whether the client loads the project's CLAUDE.md, and why the setting to repeat it does nothing."""
    if project is None:
        return []
    wanted = [project.at(name) for name in knowledge_cache.INSTRUCTIONS]
    there = [path for path in wanted if os.path.isfile(path)]
    checks = [check for path in there if (check := _find_obstacle(project, path))]
    if not there:
        checks = _explain_absence(project)
    if not checks:
        checks = [check for path in there for check in _list_missing_imports(project, path)]
    if not checks and there:
        names = " and ".join(project.relative(path) for path in there)
        checks = [Check(_NAME, OK, f"Claude Code loads {names} at each start")]
    why = knowledge_cache.explain_reprint(project, os.environ, "")
    return [*checks, *([Check("settings", NOTE, f"reprint_claude_md is on, but {why[0]}", why[1])] if why else [])]


def _find_obstacle(project: paths.Project, path: str) -> Check | None:
    """Return what keeps the client from loading a CLAUDE.md that is there, None for nothing."""
    name = project.relative(path)
    if where := settings_files.find_instructions_switch(os.environ, project.root):
        return Check(_NAME, NOTE, f"{name} is not loaded: {where} switches every CLAUDE.md off", "take that out")
    if where := settings_files.find_exclusion(os.environ, project.root, path):
        return Check(_NAME, NOTE, f"{name} is not loaded: claudeMdExcludes in {where} names it", "take that out")
    if not os.access(path, os.R_OK):
        return Check(_NAME, BROKEN, f"{name} cannot be read", f"chmod u+r '{name}'")
    if os.path.getsize(path) > MOST_BYTES:
        return Check(_NAME, NOTE, f"{name} is over 4 MiB, which Claude Code does not load", "shorten it")
    if not os.path.getsize(path):
        return Check(_NAME, NOTE, f"{name} is empty")
    return None


def _list_missing_imports(project: paths.Project, path: str) -> list[Check]:
    """Name the files that a CLAUDE.md imports (`@docs/rules.md`) and that are not there: the client skips them."""
    name, found = project.relative(path), []
    for given in find_imports(files.read(path, MOST_BYTES).decode("utf-8", "replace")):
        plain = given.rstrip(_SIGNS)
        if _is_file(path, given):
            continue
        if _is_file(path, plain):
            sign = given[len(plain) :]
            what = f"{name} imports {plain}, but it is not loaded: “{sign}” behind it is read as part of its name"
            found.append(Check(_NAME, NOTE, what, "put a blank or a line end there"))
        else:
            found.append(
                Check(_NAME, NOTE, f"{name} imports {plain}, which is not there", "correct it, or take it out")
            )
    return found


def _is_file(path: str, given: str) -> bool:
    """Whether there is a file of a path that is given in another file."""
    own = os.path.join(paths.home_dir(os.environ), given[2:]) if given.startswith("~/") else given
    return os.path.exists(os.path.join(os.path.dirname(path), own))


def find_imports(text: str) -> list[str]:
    """Return the Markdown files that a CLAUDE.md imports, outside of code; each once."""
    found, fence = [], ""
    for line in text.split("\n"):
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and fence in ("", mark):
            fence = "" if fence else mark
        elif not fence:
            found += _IMPORT.findall(_CODE.sub("", line))
    return list(dict.fromkeys(found))


def _explain_absence(project: paths.Project) -> list[Check]:
    """Name what looks like the project's CLAUDE.md and is not loaded; nothing where there is no such file."""
    for folder in ("", ".claude"):
        for name in files.list_names(os.path.join(project.root, folder)):
            path = os.path.join(folder, name)
            if name != _NAME and name.lower() == _NAME.lower() and os.path.isfile(project.at(path)):
                mend = f"mv {path} {os.path.join(folder, _NAME)}"
                return [Check(_NAME, NOTE, f"{path} is not loaded: its name must be {_NAME}", mend)]
    below = [
        name for name in files.list_names(project.root) if os.path.isfile(project.at(name, _NAME)) and name != ".claude"
    ]
    if below:
        found = f"the root has none; {count(len(below), 'folder')} below have one ({', '.join(sorted(below)[:3])})"
        return [Check(_NAME, NOTE, f"{found}, which is loaded when Claude reads a file there")]
    return []
