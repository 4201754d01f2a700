"""A MEMORY.md reconstructed from a project: every line it adds with its source and how sure it is (seed 003).

Pure: a survey in, a text out. The lines of decisions, architecture, preferences and overview stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from belay.core import plain_text
from belay.core.text import statements
from belay.memory import recorded_decisions
from belay.memory.document import edits, page, table_cells
from belay.memory.document.facts import read_facts
from belay.memory.document.page import Page
from belay.memory.document.template_sections import UNVERIFIED
from belay.memory.health import score as health_score
from belay.memory.health.health_types import Evidence
from belay.memory.memory_facts import Facts
from belay.memory.project_survey import Survey, format_stack
from belay.repository.survey import places, quotes
from belay.session.last_work import Statement

if TYPE_CHECKING:
    from belay.memory.document.template_sections import LeftKey

VERIFY = f"> {UNVERIFIED}"
KEPT = ("decisions", "architecture", "preferences", "overview")
"""Sections whose lines recovery never touches."""


class NewLine(TypedDict):
    """A line (1-based) that the proposal adds, where it comes from and how sure it is (high, medium, low)."""

    line: int
    text: str
    source: str
    confidence: str


class RemovedRow(TypedDict):
    """A row of Key Files that is left out because its file no longer exists."""

    line: int
    path: str


class Proposal(NamedTuple):
    """The proposed text, the lines that it adds, and the rows that it leaves out."""

    text: str
    lines: list[NewLine]
    gone: list[RemovedRow]


class Moment(NamedTuple):
    """When and where the reconstruction happens: local date, branch ("no branch" without one)."""

    date: str
    branch: str


def propose_memory(
    look: Survey,
    existing: str,
    template: str,
    moment: Moment,
    evidence: Callable[[Facts], Evidence],
) -> Proposal:
    """Return the proposal for a project; `existing` is the memory to carry over ("" for none).

    `evidence` returns what the repository says of a memory's facts (memory/health/score.py).
    """
    form = page.parse(template)
    start = page.parse(existing) if existing else _template_head(form)
    builder = _Builder(start, form)
    builder.drop(look)
    builder.overview(look)
    builder.left(look)
    builder.listed("active", "- [ ] {}", look.left.active)
    builder.listed("blockers", "- {}", look.left.blockers)
    builder.decisions(look)
    builder.files(look)
    builder.architecture(look)
    builder.external(look)
    builder.session(moment, evidence)
    return Proposal(builder.page.text, builder.noted(), builder.gone)


def _template_head(form: Page) -> Page:
    """Return the part of the template above its first section."""
    first = next((section.start for section in form.sections if section.name), len(form.lines))
    return page.parse("".join(form.lines[:first]).rstrip("\n") + "\n")


class _Builder:
    """A page that grows, and where each of its new lines comes from."""

    def __init__(self, start: Page, form: Page) -> None:
        self.page, self.form = start, form
        self.facts = read_facts(start)
        self.notes: dict[str, Statement] = {}
        self.gone: list[RemovedRow] = []
        self.streams = self.facts["form"] == "004"
        rows = [row["session"] for row in self.facts["log"]]
        counted = max([self.facts["header"]["session"], *rows])
        self.number = counted + 1 if rows or counted > 1 else 1  # a template's own number is nobody's session

    def noted(self) -> list[NewLine]:
        rows = [(at, page.strip_line_end(line)) for at, line in enumerate(self.page.lines)]
        return [
            {
                "line": at + 1,
                "text": line,
                "source": self.notes[line].source,
                "confidence": self.notes[line].sure,
            }
            for at, line in rows
            if line in self.notes
        ]

    def note(self, line: str, source: str, sure: str) -> str:
        self.notes[line] = Statement(line, quotes.line(source, 80), sure)
        return line

    def is_filled(self, name: str) -> bool:
        return any(row["name"] == name and row["filled"] for row in self.facts["sections"])

    def append(self, name: str, lines: list[str]) -> None:
        if lines:
            self.page = edits.append_lines(edits.ensure_section(self.page, name, self.form), name, lines)

    def overview(self, look: Survey) -> None:
        stack, about = format_stack(look), look.about
        if self.is_filled("overview") or not (stack or about):
            return
        texts = [about.text] if about else []
        manifests = look.stack["manifests"][:1]
        source = ", ".join([*([about.source] if about else []), *manifests]) or "git ls-files"
        text = " ".join([*texts, f"{stack}." if stack else ""]).strip()
        self.append("overview", [self.note(text, source, about.sure if about else "high")])

    def left(self, look: Survey) -> None:
        """Fill in the fields that are known, unless the memory is as new as the work or has workstreams.

        Git knows no task: where no session says one, what the memory says of its own stays.
        """
        fields: dict[LeftKey, Statement | None] = {
            "task": look.left.task,
            "status": look.left.status,
            "next": look.left.next,
        }
        updated, known = self.facts["header"]["updated"], self.facts["left"]
        is_new = bool(known["next"]) and updated >= look.left.when
        is_git_alone = not (look.left.task or look.left.next) and bool(known["task"] or known["next"])
        if is_new or is_git_alone or self.streams or not any(fields.values()):
            return
        self.page = edits.ensure_section(self.page, "left", self.form)
        values: dict[str, str] = {key: field.text for key, field in fields.items() if field}
        self.page = edits.set_left_off(self.page, values)
        lines = read_facts(self.page)["left_lines"]
        for key, field in fields.items():
            if field and key in lines:
                self.note(page.strip_line_end(self.page.lines[lines[key] - 1]), field.source, field.sure)

    def listed(self, name: str, shape: str, rows: list[Statement]) -> None:
        items = self.facts["active"] if name == "active" else self.facts["blockers"]
        known = {statements.wording(row["text"]) for row in items}
        new = [row for row in rows if statements.wording(row.text) not in known]
        self.append(name, [self.note(shape.format(row.text), row.source, row.sure) for row in new])

    def decisions(self, look: Survey) -> None:
        known = {statements.wording(str(row["decision"])) for row in self.facts["decisions"]}
        for values, source, sure in reversed(recorded_decisions.list_decisions(look)):
            if statements.wording(values["decision"]) not in known:
                self.row("decisions", values, source, sure)

    def row(self, name: str, values: dict[str, str], source: str, sure: str) -> None:
        """Put a row after a table's last one and note where it comes from."""
        before = len(self.page.lines)
        self.page = table_cells.put_row(edits.ensure_section(self.page, name, self.form), name, values)
        section = self.page.section(name)
        if section and len(self.page.lines) > before:
            names = edits.table_columns(self.page, section)
            at = edits.find_table_end(self.page, section) if names else edits.find_content_end(self.page, section)
            self.note(page.strip_line_end(self.page.lines[at - 1]), source, sure)

    def drop(self, look: Survey) -> None:
        """Take out the rows of files that are gone; called first, while lines are where the facts say."""
        for row in reversed(self.facts["files"]):
            at = row["line"] - 1
            if self.page.lines[at].lstrip().startswith("|") and not places.stands(look.project.root, row["path"]):
                self.gone.insert(0, {"line": row["line"], "path": quotes.line(row["path"])})
                self.page = edits.replace_lines(self.page, at, at + 1, [])

    def files(self, look: Survey) -> None:
        known = {row["path"] for row in self.facts["files"]}
        for path, count in places.key_files(look.project.root, look.changes, look.tracked):
            if path not in known:
                self._file(look, path, count)

    def _file(self, look: Survey, path: str, count: int) -> None:
        why, told_by = places.purpose(look.project.root, path)
        purpose = why or f"changed in {count} of the last {len(look.touched)} commits"
        dates = [commit.date for commit in look.commits if path in look.touched.get(commit.sha, ())]
        values = {"file": f"`{path}`", "purpose": purpose, "changed": max(dates, default="")}
        source = f"git log: {plain_text.count(count, 'change')}" + (f", {told_by}" if why else "")
        self.row("files", values, source, "medium" if why else "low")

    def architecture(self, look: Survey) -> None:
        if self.is_filled("architecture"):
            return
        written = {path: count for path, count in look.changes.items() if places.is_written(path)}
        rows = [row for row in places.folders(written, look.tracked, 6) if row.changes]
        named = ", ".join(f"`{row.path}/` ({row.files} file{'s' * (row.files != 1)})" for row in rows)
        lines = [self.note(f"- Most work happens in {named}", "git ls-files, git log", "medium")] if named else []
        folder = look.records[0].path.rpartition("/")[0] if look.records else ""
        if folder:
            line = f"- Decision records are in `{folder}/` ({len(look.records)})"
            lines.append(self.note(line, folder, "high"))
        self.append("architecture", lines)

    def external(self, look: Survey) -> None:
        name, keys = look.keys
        if keys and not any(name in row["text"] for row in self.facts["external"]):
            line = f"- Environment variables (`{name}`): {', '.join(keys)}"
            self.append("external", [self.note(line, name, "high")])

    def session(self, moment: Moment, evidence: Callable[[Facts], Evidence]) -> None:
        values = {
            "session": str(self.number),
            "date": moment.date,
            "summary": "Rebuilt from code (`belay rebuild`)",
        }
        if not self.streams:
            self.row("log", values, "belay rebuild", "high")
        self._headed(moment, 1)  # the line must be there before all lines are scored
        self._verify()
        known_facts = read_facts(self.page)
        self._headed(moment, health_score.score_memory(known_facts, evidence(known_facts))["score"])

    def _headed(self, moment: Moment, score: int) -> None:
        self.page = edits.set_header(self.page, moment.date, self.number, moment.branch, score)

    def _verify(self) -> None:
        if not any(page.strip_line_end(line) == VERIFY for line in self.page.lines):
            lines = edits.find_header_lines(self.page)
            after = [
                at
                for at in lines
                if page.strip_line_end(self.page.lines[at]).startswith(("Last updated:", "Memory health:"))
            ]
            self.page = edits.insert_lines(self.page, max(after, default=self.page.body) + 1, ["", VERIFY])
        self.note(VERIFY, "belay rebuild", "high")
