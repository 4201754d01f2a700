"""Find what wastes tokens in a memory file (anti-patterns of seed 003): line, rule, text, and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from belay.core.text import tokens
from belay.memory.compression.plan import RESOLVING
from belay.memory.document import edits, entries, facts, path_references, repeated_lines
from belay.memory.document.page import Page, Record, strip_line_end

LISTED_WORDS = 12
"""Words of a paragraph where the form has a table or a list (seed 003's example of prose has 21)."""
LISTED_PATHS = 3
"""Paths in one paragraph that a table would hold in half the tokens (seed 003)."""
PROSE_WORDS = 90
"""Words of a paragraph anywhere else."""
OVERVIEW_SENTENCES = 2
SENTENCE_WORDS = 5
"""Words of a sentence; "Bakery shop. Next.js, Prisma. Launching April." are phrases (seed 003's good example)."""
COMPLETED_CHARS = 300
CODE_LINES = 2
COMMITS = 2
"""Items in a row that begin with a commit's id."""

_ADVICE = {
    "decisions": "make it a row of the table: date, decision, reasoning, affects",
    "files": "make it a row of the table: file, purpose",
    "active": "make it a checklist: `- [ ] task with file or function`",
    "blockers": "make it one item a blocker",
    "completed": "make it one line an item: date and summary",
    "log": "make it a row of the table: session, date, summary",
    "references": "make it a row of the table: what, where",
}
_MAY_REPEAT = {"left", "log"}
"""Sections that repeat others by their nature: the current state, and what happened."""
_SHELL = {
    "bash",
    "sh",
    "shell",
    "zsh",
    "console",
    "fish",
    "powershell",
    "ps1",
    "cmd",
    "text",
    "txt",
    "mermaid",
    "markdown",
    "md",
}
_CODE = re.compile(
    r"[;{}]\s*$|=>|^\s*(?:def|class|function|const|let|var|import|from|return|export|public|private|fn|func|async|if)\b",
    re.MULTILINE,
)
_DIFF = re.compile(
    r"^(?:diff --git |@@ -\d|index [0-9a-f]{7,}\.\.)|^\^?[0-9a-f]{7,40} \(.*\d{4}-\d\d-\d\d", re.MULTILINE
)
_HASH = re.compile(r"^\W{0,3}(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DECIDED = re.compile(
    r"^we (?:made the decision|decided|have decided|chose)\b.*\b(?:because|since|as it)\b", re.I | re.S
)
_THING = r"(?:the|this|our) (?:project|app|application|system|codebase|code base|repo|repository)"
_FILLER = re.compile(
    rf"^(?:{_THING} is (?:essentially|basically|actually|simply|just|really)\b"
    r"|(?:it|this) is (?:important|worth|essential) (?:to note|noting|to mention|mentioning|to remember)\b"
    r"|(?:please )?note that\b|as (?:mentioned|noted|stated|described) (?:above|before|earlier|previously)\b"
    r"|(?:basically|essentially|generally speaking|in other words|needless to say|as you (?:can see|know))\b"
    r"|this (?:section|document|file|page) (?:describes|contains|provides|explains|covers|outlines|lists|serves)\b"
    r"|we are currently (?:working|in the process)\b|we made the decision to\b)[^.\n]*",
    re.IGNORECASE,
)  # fmt: skip


class Finding(NamedTuple):
    """One piece of waste: 1-based line, rule (docs/compression.md), its text, what to do, the tokens it takes."""

    line: int
    rule: str
    text: str
    mend: str
    tokens: int


class _Context(NamedTuple):
    page: Page
    name: str
    others: Mapping[str, Page]
    is_memory: bool

    def title(self, row: Record) -> str:
        """Return the canonical name of the section that a record is in directly."""
        return self.page.sections[row.section].name if row.section >= 0 else ""


def find_waste(
    page: Page, name: str = "MEMORY.md", others: Mapping[str, Page] | None = None, is_memory: bool = True
) -> list[Finding]:
    """Return the waste of a page in the order of its lines, each line once a rule.

    `others` are pages that Claude reads anyway (README, CLAUDE.md, auto memory): what they say is not needed twice.
    Of a file that is no memory only prose, fillers, repetitions and what git tracks count.
    """
    look = _Context(page, name, others or {}, is_memory)
    by_place = {(finding.line, finding.rule): finding for rule in _RULES for finding in rule(look)}
    return sorted(by_place.values(), key=lambda finding: (finding.line, finding.rule))


def _build_finding(line: int, rule: str, text: str, mend: str) -> Finding:
    return Finding(line, rule, text, mend, tokens.estimate(text))


def _find_prose(look: _Context) -> Iterator[Finding]:
    for row in look.page.records:
        words = len(row.text.split())
        if row.kind not in ("text", "item") or _is_labelled(row):
            continue
        mend = _ADVICE.get(look.title(row), "") if look.is_memory else ""
        if row.kind == "text" and mend and words > LISTED_WORDS and not row.text.startswith("|"):
            yield _build_finding(row.start + 1, "prose", row.text, mend)
        elif row.kind == "text" and look.is_memory and words > LISTED_WORDS and _count_paths(row) >= LISTED_PATHS:
            yield _build_finding(row.start + 1, "prose", row.text, f"{_ADVICE['files']} (Key Files)")
        elif look.is_memory and _DECIDED.match(row.text) and look.title(row) != "decisions":
            yield _build_finding(row.start + 1, "prose", row.text, f"{_ADVICE['decisions']} (Key Decisions)")
        elif row.kind == "text" and words > PROSE_WORDS:
            yield _build_finding(row.start + 1, "prose", row.text, "one line, one fact: make it a list or a table")


def _count_paths(row: Record) -> int:
    return len({ref.path for ref in path_references.find_paths_in_line(row.text)})


def _is_labelled(row: Record) -> bool:
    """Whether every line of a record is a field, as a workstream's are."""
    return all(edits.split_label(line)[0] for line in row.text.split("\n"))


def _find_repetitions(look: _Context) -> Iterator[Finding]:
    texts = {f"\0{name}": page for name, page in look.others.items()} | {look.name: look.page}
    for pair in repeated_lines.pairs(texts):
        if pair.b.file != look.name:
            continue
        if pair.a.file != look.name and _section_name(look.page, pair.b.section) != "overview":
            where = f"{pair.a.file[1:]} line {pair.a.line}"
            yield _build_finding(pair.b.line, "elsewhere", pair.text, f"take it out: {where} says so already")
        elif pair.a.file == look.name and _is_waste(look, pair):
            mend = f"take one out: line {pair.a.line} says the same"
            yield _build_finding(pair.b.line, "repeated", pair.text, mend)


def _is_waste(look: _Context, pair: repeated_lines.Pair) -> bool:
    first, second = (_section_name(look.page, place.section) for place in (pair.a, pair.b))
    may_repeat = {first, second} & _MAY_REPEAT or {first, second} == {"active", "completed"}
    return pair.a.section != pair.b.section and not may_repeat


def _section_name(page: Page, section: int) -> str:
    return page.sections[section].name if section >= 0 else ""


def _find_code(look: _Context) -> Iterator[Finding]:
    for row in look.page.records if look.is_memory else ():
        if row.kind == "code" and not _DIFF.search(row.text) and is_snippet(look.page, row):
            yield _build_finding(
                row.start + 1, "code", row.text.strip("\n"), "name file:line instead; the code is in the file"
            )


def is_snippet(page: Page, row: Record) -> bool:
    """Whether a block of code is of the project's language: no shell commands, no tree, no plain text."""
    lines = [line for line in row.text.split("\n") if line.strip()]
    language = strip_line_end(page.lines[row.start]).strip().lstrip("`~").strip().partition(" ")[0].lower()
    fenced = strip_line_end(page.lines[row.start]).lstrip()[:3] in ("```", "~~~")
    labelled = fenced and bool(language)
    if len(lines) < CODE_LINES or (labelled and language in _SHELL | {"diff"}):
        return False
    return labelled or bool(_CODE.search(row.text))


def _find_long_completed(look: _Context) -> Iterator[Finding]:
    for entry in entries.find_entries(look.page, "completed"):
        if "\n" in entry.raw or len(entry.raw) > COMPLETED_CHARS:
            yield _build_finding(entry.start + 1, "long-completed", entry.raw, "keep one line: date, what, key files")


def _find_resolved(look: _Context) -> Iterator[Finding]:
    for name in RESOLVING:
        for entry in entries.find_entries(look.page, name):
            if entry.is_resolved:
                yield _build_finding(entry.start + 1, "resolved", entry.raw, "take it out; `belay compress` does")


def _find_git_output(look: _Context) -> Iterator[Finding]:
    mend = "take it out: `git log`, `git diff` and `git blame` have it"
    for row in look.page.records:
        if row.kind == "code" and (_DIFF.search(row.text) or _count_commits(row.text.split("\n")) >= COMMITS):
            yield _build_finding(row.start + 1, "git", row.text.strip("\n"), mend)
    for rows in _find_runs(look.page, lambda row: row.kind in ("item", "row", "text") and bool(_HASH.match(row.text))):
        if sum(max(1, _count_commits(row.text.split("\n"))) for row in rows) >= COMMITS:
            yield _build_finding(rows[0].start + 1, "git", "\n".join(row.text for row in rows), mend)


def _count_commits(lines: list[str]) -> int:
    return sum(bool(_HASH.match(line)) for line in lines)


def _find_runs(page: Page, wanted: Callable[[Record], bool]) -> Iterator[list[Record]]:
    """Yield the runs of records that are wanted, blank lines between left out."""
    run: list[Record] = []
    for row in page.records:
        if wanted(row):
            run.append(row)
        elif run and row.kind != "blank":
            yield run
            run = []
    if run:
        yield run


def _find_long_overview(look: _Context) -> Iterator[Finding]:
    rows = [row for row in look.page.records if row.kind == "text" and look.title(row) == "overview"]
    for row in rows if look.is_memory else ():
        sentences = [part for part in _SENTENCE.split(row.text) if len(part.split()) >= SENTENCE_WORDS]
        if len(sentences) > OVERVIEW_SENTENCES and not facts.is_placeholder(row.text):
            mend = "keep one or two sentences: what it is, what stack, what stage"
            yield _build_finding(row.start + 1, "overview", row.text, mend)


def _find_fillers(look: _Context) -> Iterator[Finding]:
    for row in look.page.records:
        if row.kind in ("text", "item", "quote", "row"):
            text = row.text.lstrip("*_> ")
            filler = _FILLER.match(text)
            if filler:
                yield _build_finding(row.start + 1, "filler", filler.group(), "begin with the fact itself")


_RULES = (
    _find_prose,
    _find_repetitions,
    _find_code,
    _find_long_completed,
    _find_resolved,
    _find_git_output,
    _find_long_overview,
    _find_fillers,
)
RULES = ("prose", "repeated", "elsewhere", "code", "long-completed", "resolved", "git", "overview", "filler")
