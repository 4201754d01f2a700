"""The sections of a handoff, each as lines: what the memory says first, then code, history and journal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from belay.core import plain_text
from belay.core.text import duplicates, statements
from belay.memory import recorded_decisions
from belay.memory.document.edits import format_table_row
from belay.memory.document.template_sections import NOT_RECORDED
from belay.memory.handoff import diagram, quick_start
from belay.memory.handoff.own_memory import OwnMemory
from belay.memory.project_survey import Survey
from belay.repository.git import owners
from belay.repository.survey import code_owners, files, places, prose, quotes
from belay.session.last_work import Statement, is_substantial

DECISIONS = 15
PEOPLE = 8
RULES = 12
LISTED = 12
_DOCUMENTS = ("CONTRIBUTING.md", "CONTRIBUTING.rst", "ARCHITECTURE.md", "DEVELOPMENT.md", "HACKING.md", "SECURITY.md",
              "SUPPORT.md", "CLAUDE.md", "AGENTS.md", "docs", "doc", "dev-docs")  # fmt: skip
_TROUBLE = re.compile(
    r"\b(?:troubleshooting|known (?:issues|limitations|problems)|gotchas?|caveats|limitations|pitfalls|faq)\b",
    re.I,
)
_LABELLED = re.compile(r"\s+\([^\s()]+\)$")
_BLOCKED = re.compile(r"\bblocked\b", re.I)


def current_state(look: Survey, known: OwnMemory) -> list[str]:
    """Where the project is: task, status, tests, release, activity."""
    remembered, left = known.facts["left"], look.left
    rows = [
        ("As of", known.age if any(remembered.values()) else ""),
        ("Working on", _choose_newest(left.task, remembered["task"])),
        ("Status", _choose_newest(left.status, remembered["status"])),
        ("Open question", _clean_line(remembered["question"])),
        ("Tests", left.tests.text if left.tests else ""),
        ("What they printed", f"`{left.evidence}`, only on this machine" if left.evidence else ""),
        ("Last release", _format_release(look)),
        ("Activity", _format_activity(look)),
    ]
    return _format_fields(rows)


def _choose_newest(recorded: Statement | None, remembered: str) -> str:
    """Return what the journal says, else the memory, else git where more than the last commit speaks for it."""
    if recorded and recorded.sure == "high":
        return recorded.text
    return _clean_line(remembered) or (recorded.text if recorded and recorded.sure == "medium" else "")


def _format_fields(rows: list[tuple[str, str]]) -> list[str]:
    return [f"- **{label}:** {text}" for label, text in rows if text]


def _format_release(look: Survey) -> str:
    name, date = owners.find_last_tag(look.project.root) if look.project.git_dir else ("", "")
    since = sum(1 for commit in look.commits if commit.date > date)
    more = f", {'over ' * (since == len(look.commits))}{plain_text.count(since, 'commit')} since" if since else ""
    return f"{_clean_line(name)} ({date}){more}" if name and _clean_line(name) else ""


def _format_activity(look: Survey) -> str:
    people = look.people
    last = next(filter(is_substantial, look.commits), None)
    if not last:
        return ""
    count = sum(person.commits for person in people)
    authors = (
        f"{plain_text.count(count, 'commit')} by {plain_text.count(len(people), 'person', 'people')}"
        if count
        else "no commits"
    )
    return f"{authors} in twelve months; last: {_clean_line(last.subject)} ({last.date})"


def architecture(look: Survey, known: OwnMemory) -> list[str]:
    """Notes of the memory, the diagram, the files to read first, where decision records are."""
    notes = [f"- {_clean_line(row['text'].lstrip('-* '))}" for row in known.facts["architecture"][:LISTED]]
    drawn = diagram.draw_diagram(look)
    picture = (
        [
            "Top modules and what they import (by scan; importers first):",
            "",
            "```text",
            *drawn.split("\n"),
            "```",
        ]
        if drawn
        else _format_folders(look)
    )
    return _join_blocks(notes, picture, _format_first_files(look, known))


def _format_folders(look: Survey) -> list[str]:
    written = {path: count for path, count in look.changes.items() if places.is_written(path)}
    rows = [row for row in places.folders(written, look.tracked, 8) if row.changes]
    lines = [f"- `{row.path}/`: {plain_text.count(row.files, 'file')}" for row in rows]
    return ["Folders by recent work:", "", *lines] if lines else []


def _format_first_files(look: Survey, known: OwnMemory) -> list[str]:
    root = look.project.root
    rows = [
        (row["path"], _clean_line(row["purpose"])) for row in known.facts["files"] if places.stands(root, row["path"])
    ]
    named = {path for path, _ in rows}
    key_files = places.key_files(root, look.changes, look.tracked)
    rows += [(path, places.purpose(root, path)[0]) for path, _ in key_files if path not in named]
    shown = [f"- `{path}`" + (f": {why}" if why else "") for path, why in rows[:LISTED] if quotes.path(path)]
    return ["Where to look first:", "", *shown] if shown else []


def active_work(look: Survey, known: OwnMemory) -> list[str]:
    """What is in progress, next and blocked, and the branches with recent commits."""
    facts = known.facts
    rows = [_clean_line(row["text"]) for row in facts["active"] if not row["done"]]
    rows += [_clean_line(f"{row['title']}: {row['status']}") for row in facts["workstreams"] if not row["done"]]
    rows += [row.text for row in look.left.active]
    step = _choose_newest(look.left.next, facts["left"]["next"])
    blocked = [_clean_line(row["text"]) for row in facts["blockers"] if not row["resolved"]]
    blocked += [row.text for row in look.left.blockers]
    branches = [
        branch
        for branch in look.branches
        if not owners.is_bot(branch.author) and branch.name not in ("main", "master", "HEAD")
    ]
    named = [
        f"- `{_clean_line(branch.name)}` ({branch.time[:10]}, {_clean_line(branch.author)})" for branch in branches[:8]
    ]
    return _join_blocks(
        _format_fields([("Next", step)]),
        [f"- [ ] {text}" for text in _drop_labelled_copies(_remove_duplicates(rows))[:LISTED]],
        [
            f"- Blocked: {_BLOCKED.sub('', text, count=1).strip(' :') or text}"
            for text in _remove_duplicates(blocked)[:LISTED]
        ],
        ["Branches with commits in the last 30 days:", "", *named] if named else [],
    )


def decisions(look: Survey, known: OwnMemory) -> list[str]:
    """The memory's decisions, then those of records and commits; the ones with a reason first when there are many."""
    rows = [(row["date"], row["decision"], row["reason"], "MEMORY.md") for row in known.facts["decisions"]]
    rows += [
        (row["date"], row["decision"], row["reason"], source)
        for row, source, _ in recorded_decisions.list_decisions(look)
    ]
    unique = duplicates.distinct(rows, lambda row: row[1])
    reasoned = [row for row in unique if row[2] and row[2] != NOT_RECORDED]
    chosen = (reasoned + [row for row in unique if row not in reasoned])[:DECISIONS]
    chosen.sort(key=lambda row: row[0], reverse=True)
    table = [
        format_table_row(*(_clean_line(cell) for cell in (date, what, why or NOT_RECORDED, where)))
        for date, what, why, where in chosen
    ]
    folder = look.records[0].path.rpartition("/")[0] if look.records else ""
    head = ["| Date | Decision | Why | Source |", "|------|----------|-----|--------|"] if table else []
    return _join_blocks([*head, *table], [f"All decision records: `{folder}/`"] if quotes.path(folder) else [])


def gotchas(look: Survey, known: OwnMemory) -> list[str]:
    """Known issues, lessons, and where the documents warn."""
    rows = [_clean_line(row["text"]) for row in known.facts["issues"] if not row["resolved"]]
    rows += known.lessons
    name, text = files.readme(look.project.root)
    heads = (
        [block for block in prose.blocks(text) if block.kind == "heading" and _TROUBLE.search(block.text)]
        if text
        else []
    )
    rows += [f'{name}:{block.line} has a section "{_clean_line(block.text)}"' for block in heads[:3]]
    return [f"- {text}" for text in _remove_duplicates(rows)[: LISTED * 2]]


def who_to_ask(look: Survey, named: Sequence[str] = ()) -> list[str]:
    """Whom the user named, CODEOWNERS, who committed in twelve months and where, documents for newcomers."""
    given = [f"- {_clean_line(text)}" for text in named[:LISTED]]
    rules = _format_code_owners(look)
    table = ["| Where | Owners (CODEOWNERS) |", "|-------|----------------------|", *rules] if rules else []
    where = _find_main_folders(look)
    people = [
        _format_person(person, where.get(person.name, "")) for person in look.people[:PEOPLE]
    ] or _format_earlier_people(look)
    here = {name.lower(): name for name in files.names(look.project.root)}
    documents = [f"`{here[name.lower()]}`" for name in _DOCUMENTS if name.lower() in here]
    return _join_blocks(given, table, people, [f"Documents: {', '.join(documents)}"] if documents else [])


def _format_earlier_people(look: Survey) -> list[str]:
    """Return who wrote the last commits of a project that has rested for a year."""
    names = Counter(commit.author for commit in look.commits if not owners.is_bot(commit.author))
    rows = [
        f"- {_clean_line(name)}: {plain_text.count(count, 'commit')} before that"
        for name, count in names.most_common(PEOPLE)
    ]
    return ["Nobody committed in twelve months.", "", *rows] if rows else []


def _format_person(person: owners.Person, folder: str) -> str:
    mostly = f"; mostly `{folder}/`" if folder else ""
    commits = plain_text.count(person.commits, "commit")
    return f"- {_clean_line(person.name)}: {commits} in twelve months, last {person.last}{mostly}"


def _format_code_owners(look: Survey) -> list[str]:
    name, rules = code_owners.read_code_owners(look.project.root)
    rows = [(quotes.path(pattern), owner) for pattern, owner in rules]
    shown = [format_table_row(f"`{pattern}`", _clean_line(", ".join(who))) for pattern, who in rows if pattern]
    more = [format_table_row(f"… {len(shown) - RULES} more", f"see `{name}`")] if len(shown) > RULES else []
    return [*shown[:RULES], *more]


def _find_main_folders(look: Survey) -> dict[str, str]:
    """Return author → the folder most of their recent changes are in."""
    authors = {commit.sha: commit.author for commit in look.commits}
    folders: dict[str, Counter[str]] = {}
    for sha, paths in look.touched.items():
        if sha in authors:
            count = folders.setdefault(authors[sha], Counter())
            count.update("/".join(path.split("/")[:-1][:2]) for path in paths if "/" in path)
    tops = {name: count.most_common(1)[0][0] for name, count in folders.items() if count}
    return {name: quotes.path(folder) for name, folder in tops.items()}


def quick_start_steps(look: Survey) -> list[str]:
    """The numbered steps of the quick start."""
    return quick_start.list_steps(look)


def _clean_line(text: str) -> str:
    return quotes.line(text, 240)


def _remove_duplicates(rows: list[str]) -> list[str]:
    return duplicates.distinct(filter(None, rows), str)


def _drop_labelled_copies(rows: list[str]) -> list[str]:
    """Return the tasks without those that only add the name of a branch to another one: "X (feature/limits)", "X"."""
    known = set(map(statements.wording, rows))
    return [
        row for row in rows if statements.wording(_LABELLED.sub("", row, 1)) not in known or not _LABELLED.search(row)
    ]


def _join_blocks(*blocks: list[str]) -> list[str]:
    """Return blocks of lines with a blank one between them."""
    lines: list[str] = []
    for block in blocks:
        lines += [*([""] if lines and block else []), *block]
    return lines
