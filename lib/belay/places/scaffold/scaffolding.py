"""What `belay memory-init` does for a folder: its file, its template, what was found, the text before and after."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files
from belay.core.errors import BadInput, BelayError
from belay.memory import memory_files, undo
from belay.memory.document import page
from belay.places import hierarchy
from belay.places.patterns import finding
from belay.places.scaffold import found_lists, plan, project_types, sections, template_files
from belay.places.scaffold.sections import Section
from belay.repository import excludes
from belay.repository.code.declared import Manifests
from belay.repository.code.facts import COMPONENT, DEPENDENCY, EXPORT, KINDS, ROUTE, Fact
from belay.repository.code.survey import Survey
from belay.repository.code.tree import CodeTree
from belay.repository.manifests import known_packages, stack
from belay.repository.manifests.dependencies import is_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.places.scaffold.template_files import Template

COMMAND = "memory-init"
_API_FOLDERS = frozenset("api routes routers controllers endpoints handlers".split())
_INTEGRATIONS = frozenset("integrations integration clients providers adapters connectors gateways".split())


class Scaffold(NamedTuple):
    """The outcome: `path` of the memory file from the root, its text before and after, and what was found."""

    path: str
    template: Template
    project_type: str
    why_type: str
    before: str
    after: str
    facts: list[Fact]
    notes: list[str]


def find_folder(project: Project, given: str) -> str:
    """Return a folder of the project as a path from its root, "" for the root; BadInput for anything else."""
    full = os.path.realpath(given or project.root)
    root = os.path.realpath(project.root)
    if full != root and not full.startswith(root + os.sep):
        raise BadInput(given, "is outside the project", "give a folder of this project")
    if not os.path.isdir(full):
        raise BadInput(given, "is no folder", "give the folder that the memory is for")
    return "" if full == root else os.path.relpath(full, root).replace(os.sep, "/")


def guess_template(folder: str, facts: list[Fact]) -> str:
    """Return the template that fits a folder by its name, else by what it mostly holds."""
    names = folder.split("/")
    if not folder:
        return "root"
    if names[-1] == ".orchestre":
        return "orchestration"
    if names[-1] in hierarchy.SHARED:
        return "component"
    if names[-1] in _INTEGRATIONS or (len(names) > 1 and names[-2] in _INTEGRATIONS):
        return "integration"
    counted = Counter(fact.kind for fact in facts)
    if counted[ROUTE] and (not _API_FOLDERS.isdisjoint(names) or counted[ROUTE] > counted[COMPONENT] + counted[EXPORT]):
        return "api"
    return "feature"


def plan_scaffold(
    project: Project, environ: Mapping[str, str], folder: str, template: str, project_type: str, stage: str
) -> Scaffold:
    """Return what would become of a folder's memory file; "" stands for what is to be guessed, or for every stage.

    Raises BadInput for a file that must not be changed.
    """
    tree = CodeTree(project.root)
    found = Survey(tree, "" if folder == ".orchestre" else folder)
    facts = [*found.facts, *_find_patterns(found)]
    used = template_files.load_template(project, environ, template or guess_template(folder, facts))
    path = find_path(project, folder, used.name)
    before = _read(project, path)
    kind, why = _find_type(tree, used.name, project_type)
    parts = sections.parse_template(used.text)
    wanted = [section for section in parts.sections if stage in ("", section.stage)]
    if kind and stage in ("", "design"):
        wanted.append(_make_type_section(kind))
    lists = {} if used.name == "orchestration" else _make_lists(tree, used.name, facts)
    after = plan.plan_text(before, parts, wanted, lists, _name(project, folder, used.name))
    return Scaffold(path, used, kind, why, before, after, facts, list(used.notes))


def _find_patterns(survey: Survey) -> list[Fact]:
    """Return the patterns of a folder as facts: the sentence at the first place that keeps it."""
    found = finding.find_patterns(survey)
    return [Fact(found_lists.PATTERN, one.sentence, one.places[0].path, one.places[0].line) for one in found]


def find_path(project: Project, folder: str, template: str) -> str:
    """Return the memory file of a folder: the root may keep its own in .claude, where that one exists alone."""
    if template == "orchestration" or folder == ".orchestre":
        return hierarchy.ORCHESTRATION
    if (
        not folder
        and not os.path.lexists(project.at("CLAUDE.md"))
        and os.path.lexists(project.at(".claude", "CLAUDE.md"))
    ):
        return ".claude/CLAUDE.md"
    return posixpath.join(folder, hierarchy.NAME)


def _read(project: Project, path: str) -> str:
    full = project.at(path)
    why = memory_files.explain_refusal(project, full)
    if why:
        raise BadInput(path, why, "mend that first")
    text = files.load(full).decode("utf-8")
    problem = page.find_problem(page.parse(text))
    if problem:
        raise BadInput(path, f"line {problem[0]} {problem[1]}", "mend that first")
    return text


def _find_type(tree: CodeTree, template: str, given: str) -> tuple[str, str]:
    """Return the project's type and what shows it; guessed for the root only."""
    if given:
        return given, "as you said"
    return project_types.guess_type(tree) if template == "root" else ("", "")


def _make_type_section(kind: str) -> Section:
    return Section(project_types.PROJECT_TYPES[kind].title, "design", project_types.make_section(kind))


def _make_lists(tree: CodeTree, template: str, facts: list[Fact]) -> dict[str, list[str]]:
    """Return lines by kind; the root's file lists what its manifests say of the stack, no component of every folder."""
    if template == "root":
        own = [_describe_package(tree, fact) for fact in facts if fact.kind == DEPENDENCY and is_manifest(fact.path)]
        stack_list = found_lists.make_list(DEPENDENCY, [fact for fact in own if fact])
        return {DEPENDENCY: stack_list, found_lists.PATTERN: found_lists.make_list(found_lists.PATTERN, facts)}
    return {kind: found_lists.make_list(kind, facts) for kind in (*KINDS, found_lists.PATTERN)}


def _describe_package(tree: CodeTree, fact: Fact) -> Fact | None:
    """Return a known package with what people call it and its version, None for any other."""
    called = known_packages.called(fact.name)
    version = Manifests(tree).read(fact.path).get(fact.name, "")
    return fact._replace(name=f"{called} {version}".strip()) if called else None


def _name(project: Project, folder: str, template: str) -> str:
    """Return the name for the title: the project's own for the root, else the folder's as words."""
    if not folder or template == "root":
        return str(stack.stack(project.root)["name"])
    above, name = posixpath.split(folder)
    if name.lower() == template and above:  # "App API Memory", not "Api API Memory"
        name = posixpath.basename(above)
    name = name.strip("()[]_@")
    return " ".join(word[:1].upper() + word[1:] for word in name.replace("-", " ").replace("_", " ").split()) or folder


def save_scaffold(project: Project, environ: Mapping[str, str], made: Scaffold) -> bool:
    """Write the file; False where it holds the text already. Raises BelayError where it was changed meanwhile."""
    return save_text(project, environ, COMMAND, made.path, made.before, made.after)


def save_text(project: Project, environ: Mapping[str, str], command: str, path: str, before: str, after: str) -> bool:
    """Write a text in place of the one that was read, with a record for `undo`."""
    if before == after:
        return False
    full = project.at(path)
    excludes.write_excludes(project, environ)
    with memory_files.lock_memory(project):
        record = undo.begin_record(project, environ, command, [full], {full: after.encode()})
        saved = memory_files.change_file(project, environ, full, lambda now: after if now == before else now)
        undo.finish_record(project, environ, record, changed=True)
    if not saved.what:
        raise BelayError(saved.file, saved.why or "was changed meanwhile", "call the command again")
    return True
