"""Compress a memory file by its plan; the archive is written first, so that a kill loses no line."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core import clock, plain_text
from belay.core import files as core_files
from belay.core.errors import BadInput, BelayError
from belay.core.text import tokens
from belay.memory import memory_files, undo
from belay.memory.compression import aging, archive
from belay.memory.compression import plan as compression_plan
from belay.memory.compression.plan import Plan, Told
from belay.memory.document import facts
from belay.memory.document.page import Page, parse
from belay.memory.health import cached_score
from belay.safety import trust
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from belay.core.paths import Project

COMMAND = "compress"
MILESTONE_CHARS = 120
INPUT_BYTES = 64 * 1024
DEPTH = 3
"""Of a written summary: a table, a list in it, and what was meant as a text in that."""


class Report(NamedTuple):
    """What a compression did, or would do: file, text before, plan, the archive's changed files and new lines.

    `tokens` are (before, after) of the memory file; `why` says why nothing was done, "" otherwise.
    """

    file: str
    before: str
    plan: Plan
    archive: dict[str, str]
    added: list[str]
    tokens: tuple[int, int]
    written: bool = False
    why: str = ""


def check_length(lines: int, settings: Mapping[str, Any]) -> str:
    """Return "now" for a memory of more lines than `memory_compress`, "suggest" over `memory_suggest`, else ""."""
    if lines > settings["memory_compress"]:
        return "now"
    return "suggest" if lines > settings["memory_suggest"] else ""


def compress_file(
    project: Project,
    environ: Mapping[str, str],
    path: str = "",
    *,
    dry: bool = False,
    force: bool = False,
    asked: bool = False,
    only: Sequence[str] = (),
    count: Callable[[str], int] = tokens.estimate,
) -> Report:
    """Compress MEMORY.md, or another memory file of the project; `dry` writes nothing. The caller holds the lock.

    `force` also takes completed items of unknown age; `only` takes nothing but what is resolved in these
    sections. Unless a person `asked`, a file that is not trusted is left alone; a stranger's that is compressed stays
    a stranger's.
    """
    path = path or project.memory_md
    name = project.relative(path)
    why = _explain_refusal(project, environ, path, asked)
    if why:
        return Report(name, "", compression_plan.plan_compression(parse("")), {}, [], (0, 0), why=why)
    text = memory_files.read_text(path)
    page = parse(text)
    plan = _redact_plan(
        compression_plan.plan_compression(page, 0, {} if only else _read_line_dates(project, name), force, only)
    )
    if path == project.memory_md and not (only or plan.why or plan.removed):
        cached_score.mark_tight(project, trust.digest(text.encode("utf-8", "surrogateescape")))
    sizes = count(text), count(plan.text)
    try:
        files, added = _plan_archive(project, page, plan, name)
    except BadInput as error:
        return Report(name, text, plan, {}, [], sizes, why=f"the archive cannot be used: {error}")
    report = Report(name, text, plan, files, added, sizes, why=plan.why)
    return report if dry or plan.text == text else _write_files(project, environ, path, report)


def _explain_refusal(project: Project, environ: Mapping[str, str], path: str, asked: bool) -> str:
    if not os.path.exists(path):
        return "does not exist"
    why = memory_files.explain_refusal(project, path)
    if not why and not asked and not memory_files.is_trusted(project, environ, path):
        why = "came with the repository and was not accepted"
    return why


def _read_line_dates(project: Project, name: str) -> dict[int, str]:
    from belay.repository.git import blame

    try:
        return blame.read_line_dates(project.root, name) if project.git_dir else {}
    except BelayError:
        return {}


def _redact_plan(plan: Plan) -> Plan:
    """Return a plan whose texts for the archive hold no secret."""
    removed: list[Told] = [{**row, "text": redact(str(row["text"]))} for row in plan.removed]
    rows: list[Told] = [
        {**row, "text": redact(str(row["text"])), "summary": redact(str(row["summary"]))} for row in plan.rows
    ]
    return plan._replace(removed=removed, rows=rows)


def _plan_archive(project: Project, page: Page, plan: Plan, name: str) -> tuple[dict[str, str], list[str]]:
    if not plan.removed:
        return {}, []
    today = clock.local_date()
    heading = f"{today} (session {plan.session})" if plan.session else today
    if name != "MEMORY.md":
        heading += f" of {plain_text.one_line(name)}"
    new_milestones = (
        find_milestones(project, page, plan.session) if plan.session > compression_plan.ARCHIVE_AFTER else []
    )
    return archive.add_to_archive(read_archives(project), plan.removed, plan.rows, new_milestones, heading, today[:4])


def read_archives(project: Project) -> dict[str, str]:
    """Return name → text of the project's archive files. Raises BadInput for one that is not to be touched."""
    names = sorted(name for name in os.listdir(project.root) if archive.NAME.fullmatch(name))
    for name in names:
        why = memory_files.explain_refusal(project, project.at(name))
        if why:
            raise BadInput(name, why, "fix or move it")
    return {name: memory_files.read_text(project.at(name)) for name in names}


def find_milestones(project: Project, page: Page, session: int) -> list[str]:
    """Return the milestones by tags and finished workstreams, each with its session or date."""
    from belay.repository.git import blame

    known_facts = facts.read_facts(page)
    past = aging.read_past(known_facts, session)
    try:
        tags = blame.list_tags(project.root) if project.git_dir else []
    except BelayError:
        tags = []
    tagged = [_format_milestone(past, date, f"{name} tagged") for name, date in tags]
    done = [row for row in known_facts["workstreams"] if row["done"]]
    return tagged + [_format_milestone(past, _find_date(row["status"]), f"{row['title']} complete") for row in done]


def _find_date(text: str) -> str:
    words = text.replace("(", " ").replace(")", " ").split()
    return next((word for word in words if len(word) == 10 and word[4::3] == "--"), "")


def _format_milestone(past: aging.Past, date: str, text: str) -> str:
    logged = bool(date and past.rows) and date >= min(row.date for row in past.rows)
    label = f"Session {past.session(date)}" if logged else date
    line = plain_text.one_line(redact(text), MILESTONE_CHARS)
    return f"{label}: {line}" if label else line


def _write_files(project: Project, environ: Mapping[str, str], path: str, report: Report) -> Report:
    """Write the archive, then the memory, which is left alone if it changed meanwhile."""
    paths = [project.at(name) for name in report.archive]
    folder = undo.begin_record(project, environ, COMMAND, [*paths, path])
    own = memory_files.is_trusted(project, environ, path)
    for name, text in report.archive.items():
        why = _write_archive(project, environ, name, text, own)
        if why:
            return report._replace(why=f"{name} {why}")

    def changed(old: str) -> str:
        return report.plan.text if old == report.before else old

    saved = memory_files.change_file(project, environ, path, changed)
    undo.finish_record(project, environ, folder)
    why = saved.why or ("" if saved.what else "changed meanwhile; run again")
    return report._replace(written=bool(saved.what), why=why)


def _write_archive(project: Project, environ: Mapping[str, str], name: str, text: str, own: bool) -> str:
    """Write one file of the archive; it is trusted only where it and the memory were."""
    path = project.at(name)
    if own:
        return memory_files.write_file(project, environ, path, text)
    data = text.encode("utf-8", "surrogateescape")
    try:
        core_files.write(path, data)
    except OSError as error:
        return f"cannot be written: {error.strerror or error}"
    trust.update(environ, lambda store: trust.refuse(store, project.root, name, trust.digest(data)))
    return ""


def rewrite_archive(
    project: Project, environ: Mapping[str, str], summary: str, new_milestones: list[str]
) -> memory_files.Saved:
    """Put a written summary and milestones in place of the archive's newest ones. The caller holds the lock."""
    path = project.at(archive.FILE)
    if not os.path.exists(path):
        raise BadInput(archive.FILE, "does not exist", "`belay compress` makes it from the first removal on")
    folder = undo.begin_record(project, environ, COMMAND, [path])

    def changed(old: str) -> str:
        return archive.rewrite_summary(old, summary, new_milestones)

    saved = memory_files.change_file(project, environ, path, changed, "rewritten")
    undo.finish_record(project, environ, folder)
    return saved


def parse_document(data: bytes) -> tuple[str, list[str]]:
    """Return (summary, milestones) of a YAML document, on one line each and redacted. Raises BadInput."""
    from belay.core.text import yaml_document

    table = yaml_document.root(data, INPUT_BYTES, DEPTH, "the form in docs/compression.md")
    nodes = {yaml_document.name(key): node for key, node in table.value}
    summary = yaml_document.text(nodes["summary"]) if "summary" in nodes else ""
    listed = nodes["milestones"].value if "milestones" in nodes else []
    items = [yaml_document.text(item) for item in listed] if isinstance(listed, list) else [None]
    if summary is None or None in items:
        raise BadInput("the document", "is not `summary: text` and `milestones: [text]`", "see docs/compression.md")
    return _clean_line(summary), [_clean_line(item) for item in items if item and item.strip()]


def _clean_line(text: str) -> str:
    return plain_text.one_line(redact(text), 4000)
