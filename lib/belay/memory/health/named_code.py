"""Find commands, functions and lines that a memory names and the project does not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.core.plain_text import count, shown
from belay.memory.document import path_references as paths
from belay.memory.finished_lines import find_finished_lines
from belay.memory.health.statements import list_statements
from belay.repository.git import content
from belay.repository.manifests import scripts, stack
from belay.repository.survey import product_traces

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.health.health_types import FalseClaim
    from belay.memory.memory_facts import Facts

NAMES = 20
"""Functions that are looked for in the code."""
_SCRIPT = re.compile(r"\b((?:npm|pnpm) run) ([A-Za-z][\w:.-]*)")
"""Yarn and bun also run programs and files by this word."""
_TARGET = re.compile(r"`make (?!(?:install|all|clean)`)([A-Za-z][\w.-]*)`")
_CALLED = re.compile(r"(?<![\w/@.:#$-])((?:[A-Z][\w$]*(?:\.|::|#|->))*)([A-Za-z_$][\w$]{3,})\(\)")
"""A function, with the classes before it; what a module of small letters has may be a library's."""
_OWN = re.compile(r"_|[a-z\d][A-Z]|^[A-Z]")
"""A name that somebody made up; one word in small letters (`fetch`, `eval`) may be a language's."""
_PLACED = re.compile(r"(?<![\w/@-])([\w.:#$]+)\(\)`? (?:is |lives |sits )?in `([^`\s]+)`")
_GENERATED = ("CMakeLists.txt", "configure.ac", "configure", "Makefile.am", "Makefile.in", "Makefile.PL", "extconf.rb")
"""Files from which a Makefile is made."""
_UNREADABLE = re.compile(r"^-?include\b|^[^\s#:=]*[%$][^:=]*:", re.MULTILINE)
"""What of a Makefile names targets that cannot be read from it."""


def find_missing_commands(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return the scripts and make targets that a memory says can be run and that no file of the project defines."""
    left = (facts.get("left_lines", {}).get("next", 0), facts.get("left", {}).get("next", ""))
    rows = list(list_statements(facts, left, *((row["line"], row["text"]) for row in facts.get("preferences") or [])))
    return _find_missing_scripts(project, rows) + _find_missing_targets(project, rows)


def _find_missing_scripts(project: Project, rows: list[tuple[int, str]]) -> list[FalseClaim]:
    named = [(line, *found) for line, text in rows for found in _SCRIPT.findall(text)]
    if not named:
        return []
    manifests = content.list_files(project.root, (":(glob)**/package.json",))
    known = {name for path in manifests for name in scripts.list_package_scripts(stack.text(project.root, path))}
    where = "no package.json has that script" if manifests else "there is no package.json"
    return [
        _build(line, f"`{runner} {name}` cannot be run: {where}", "write the command that runs now")
        for line, runner, name in dict.fromkeys(named)
        if name not in known
    ]


def _find_missing_targets(project: Project, rows: list[tuple[int, str]]) -> list[FalseClaim]:
    named = dict.fromkeys((line, name) for line, text in rows for name in _TARGET.findall(text))
    if not named or content.list_files(project.root, tuple(f":(glob)**/{name}" for name in _GENERATED)):
        return []
    files = content.list_files(project.root, (":(glob,icase)**/*makefile", ":(glob)**/*.mk"))
    texts = [stack.text(project.root, path) for path in files]
    if any(_UNREADABLE.search(text) for text in texts):
        return []
    known = {name for text in texts for name in scripts.list_make_targets(text)}
    where = "no Makefile has that target" if files else "there is no Makefile"
    return [
        _build(line, f"`make {name}` cannot be run: {where}", "write the command that runs now")
        for line, name in named
        if name not in known
    ]


def find_missing_functions(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return the functions that a memory says the code has and that no file of the project names."""
    named = [
        (line, prefix + name, name) for line, text in list_statements(facts) for prefix, name in _CALLED.findall(text)
    ]
    names = [name for name in dict.fromkeys(name for _, _, name in named) if _OWN.search(name)][:NAMES]
    if not names or not product_traces.is_visible(project):
        return []
    pattern = f"(^|[^A-Za-z0-9_])({'|'.join(map(re.escape, names))})([^A-Za-z0-9_]|$)"
    found = "\n".join(content.find_matches(project.root, pattern, product_traces.code_pathspecs())).lower()
    known = set(re.findall(r"[a-z0-9_$]+", found))
    return [
        _build(line, f"`{shown(called)}()` is not in the code", "name the function that does it now, or take it out")
        for line, called, name in dict.fromkeys(named)
        if name in names and name.lower() not in known
    ]


def find_misplaced_functions(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return the functions that a memory places in a file which does not name them."""
    rows = []
    for line, text in list_statements(facts):
        for called, place in _PLACED.findall(text):
            path, _ = paths.parse_path(place, ticked=True)
            body = stack.text(project.root, path) if path else ""
            name = re.split(r"[.:#]+", called)[-1]
            if body and name and name not in body:
                rows.append(
                    _build(line, f"`{shown(called)}()` is not in `{shown(path)}`", "name the file it is in now")
                )
    return rows


def find_missing_lines(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return the places `file:line` that a memory names beyond the file's end."""
    finished, rows = find_finished_lines(facts), []
    for ref in facts.get("refs") or []:
        body = stack.text(project.root, ref["path"]) if ref["at"] and ref["line"] not in finished else ""
        lines = body.count("\n") + (not body.endswith("\n"))
        if body and ref["at"] > lines:
            what = f"`{shown(ref['path'])}:{ref['at']}` does not exist: the file has {count(lines, 'line')}"
            rows.append(_build(ref["line"], what, "write the line that is meant now"))
    return rows


def find_all(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return every command, function and line that a memory names wrongly; what git cannot answer is left out."""
    found: list[FalseClaim] = []
    for find in (find_missing_commands, find_missing_functions, find_misplaced_functions, find_missing_lines):
        try:
            found += find(project, facts)
        except (BelayError, OSError):
            continue
    return found


def _build(line: int, what: str, advice: str) -> FalseClaim:
    return {"line": line, "what": what, "mend": f"edit line {line}: {advice}"}
