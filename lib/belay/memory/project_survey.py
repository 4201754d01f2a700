"""Survey a project for handoff and rebuild: manifests, README, history, records, where work stopped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from belay.core import clock
from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.repository.git import owners
from belay.repository.git.owners import Branch, Change, Person, Pull
from belay.repository.manifests import env_keys
from belay.repository.manifests.stack import stack
from belay.repository.survey import commit_decisions, decision_records, files, places, prose, quotes
from belay.session import last_work as left
from belay.session.last_work import LastWork, Statement

BRANCH_DAYS = 30
PEOPLE_DAYS = 365
ENV_FILES = (".env.example", ".env.sample", ".env.template", ".env.dist", "env.example", "example.env")
KEYS = 30
_SCRIPTED = ("JavaScript", "TypeScript", "Vue", "Svelte")
_LANGUAGE = {
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), _SCRIPTED), "go": ("Go",), "cargo": ("Rust",),
    **dict.fromkeys(("pip", "uv", "poetry", "pdm", "pipenv"), ("Python",)), "bundler": ("Ruby",),
    "composer": ("PHP",), "maven": ("Java", "Kotlin", "Scala"),
}  # fmt: skip
"""What installs → the languages it installs for."""


class Survey(NamedTuple):
    """What a look found; every text still as the project has it except in `about`, `left` and `keys`."""

    project: Project
    stack: dict[str, Any]
    about: Statement | None
    commits: list[Change]
    changes: dict[str, int]
    touched: dict[str, list[str]]
    tracked: list[str]
    branches: list[Branch]
    records: list[decision_records.Adr]
    keys: tuple[str, list[str]]
    left: LastWork

    @property
    def people(self) -> list[Person]:
        """Who committed in twelve months."""
        if not self.project.git_dir:
            return []
        return owners.list_people(self.project.root, clock.days_before(clock.now(), PEOPLE_DAYS)[:10])

    @property
    def pulls(self) -> list[Pull]:
        return owners.find_pulls(self.commits)

    @property
    def decisions(self) -> list[commit_decisions.Decision]:
        return commit_decisions.decisions(self.commits, self.touched)


def survey_project(project: Project, environ: Mapping[str, str], session: str, written: str = "") -> Survey:
    """Return everything that can be read of a project; without git, or where git fails, history is empty.

    `written` is the time up to which the memory knows the work (`survey.last_update`).
    """
    root = project.root
    stack_values = stack(root)
    commits, touched, tracked, branches = _read_history(project)
    return Survey(
        project, stack_values, _describe_project(root, stack_values), commits, owners.count_paths(touched), touched,
        tracked, branches, decision_records.read(root), find_env_variables(root),
        left.find_last_work(project, environ, session, commits, written),
    )  # fmt: skip


def _read_history(
    project: Project,
) -> tuple[list[Change], dict[str, list[str]], list[str], list[Branch]]:
    if not project.git_dir:
        return [], {}, [], []
    since = clock.days_before(clock.now(), BRANCH_DAYS)[:10]
    try:
        root = project.root
        return (
            owners.read_commits(root),
            owners.read_changed_paths(root),
            owners.list_files(root),
            owners.list_branches(root, since),
        )
    except BelayError:
        return [], {}, [], []


def _describe_project(root: str, stack_values: dict[str, Any]) -> Statement | None:
    """Return what the project is in one sentence: the README's, CLAUDE.md's, the manifest's description."""
    for name, text in (files.readme(root), files.first(root, "CLAUDE.md")):
        sentence, line = prose.first_sentence(text) if text else ("", 0)
        if sentence:
            return Statement(_with_full_stop(quotes.line(sentence, 240)), f"{name}:{line}", "medium")
    described = quotes.line(str(stack_values["description"]), 240)
    manifest = stack_values["manifests"][0] if stack_values["manifests"] else "manifest"
    return Statement(_with_full_stop(described), manifest, "high") if described else None


def _with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "…")) else sentence + "."


def find_env_variables(root: str) -> tuple[str, list[str]]:
    """Return (file, names) of the environment variables that an example file lists, never a value."""
    known = set(files.names(root))
    for name in ENV_FILES:
        keys = env_keys.keys(files.text(root, name)) if name in known else []
        if keys:
            return name, [key for key in keys[:KEYS] if quotes.line(key) == key]
    return "", []


def find_package_manager(survey: Survey) -> str:
    """Return what installs the project, "" where that belongs to a language of which there is little here."""
    manager, languages = str(survey.stack["manager"]), places.languages(survey.tracked)
    wanted = _LANGUAGE.get(manager, ())
    return manager if not languages or not wanted or set(wanted) & set(languages) else ""


def format_stack(survey: Survey) -> str:
    """Return languages, frameworks and what installs them in one short line, "" if none is known."""
    stack_values = survey.stack
    languages = places.languages(survey.tracked) or stack_values["languages"][:3]
    others = [name for name in stack_values["frameworks"] if name not in languages][:6]
    named = find_package_manager(survey)
    behind = "" if named in ("", *(name.lower() for name in languages)) else f" ({named})"
    return quotes.line(", ".join([*languages, *others]) + behind, 200).strip()
