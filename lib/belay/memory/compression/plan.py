"""Plan what compression removes from a memory file, and what it only lists (seed 003, "Smart Compression").

Pure. Decisions, architecture, preferences, overview, where we left off, external context, unknown sections,
open blockers and the newest rows of the Session Log stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from belay.core import kinds
from belay.core.text.statements import wording
from belay.memory.compression import aging
from belay.memory.compression.aging import Past, Row
from belay.memory.document import entries, facts, path_references, session_log
from belay.memory.document.entries import Entry
from belay.memory.document.page import Page, find_problem, parse, strip_line_end
from belay.memory.memory_facts import Facts

FOLD_AFTER = 3
"""Completed items older than so many sessions fold into the Session Log (seed 003)."""
STALE_AFTER = 3
"""Active items without progress for so many sessions are flagged (seed 003)."""
OLD_AFTER = 5
"""Entries untouched for so many sessions are candidates for the archive (seed 003)."""
ARCHIVE_AFTER = 10
"""Past so many sessions the older rows of the Session Log move to the archive (seed 003)."""
LOG_ROWS = 6
"""Rows of the Session Log that stay then: enough to see that something is five sessions old."""
ROWS_KEPT = 3
"""The newest rows, which nothing is folded into."""
RESOLVING = ("blockers", "issues", "gaps")
"""Sections whose resolved entries are taken out."""


Told = dict[str, object]


class Plan(NamedTuple):
    """The new text, and lists of {section, line, text, why} of what was taken out, named only, or folded.

    `removed` holds every line that leaves the file, `folded` those of it whose substance stays in a row of the log
    (`session`), `rows` the log's rows that leave as {session, date, summary, text}. `why` says why nothing could be
    done.
    """

    text: str
    removed: list[Told]
    folded: list[Told]
    flagged: list[Told]
    candidates: list[Told]
    rows: list[Told]
    session: int = 0
    why: str = ""


class _Change(NamedTuple):
    start: int
    end: int
    lines: list[str]


class _Context(NamedTuple):
    """One look at a page: its sessions, when its lines were last touched, the rows that leave, and `all_ages`."""

    page: Page
    facts: Facts
    past: Past
    touched: Mapping[int, str]
    leaving: list[Row]
    all_ages: bool

    def session(self, entry: Entry) -> int:
        known = self.past.last_touched(entry.raw, self.touched.get(entry.start + 1, ""))
        return known or (self._twin(entry.text) if entry.ticked else 0)

    def _twin(self, text: str) -> int:
        """Return the session of the Completed item that says the same as a ticked one."""
        same = [row["date"] for row in self.facts["completed"] if wording(row["text"]) == wording(text)]
        return self.past.session(max(same)) if any(same) else 0


def plan_compression(
    page: Page,
    session: int = 0,
    touched: Mapping[int, str] | None = None,
    all_ages: bool = False,
    only: Sequence[str] = (),
) -> Plan:
    """Return what compression makes of a page; planning its result again changes nothing.

    `session` is the current one (else the header's), `touched` 1-based line → date of its last change where git
    knows it. `all_ages` also takes completed items of unknown age; `only` takes nothing but what is resolved
    in these sections.
    """
    known_facts = facts.read_facts(page)
    past = aging.read_past(known_facts, session)
    wrong = find_problem(page)
    if wrong:
        return Plan(page.text, [], [], [], [], [], past.now, f"line {wrong[0]} {wrong[1]}")
    look = _Context(page, known_facts, past, touched or {}, [] if only else _find_leaving_rows(page, past), all_ages)
    done = [] if only else _find_old_done_entries(look)
    resolved = [
        (name, entry) for name in only or RESOLVING for entry in entries.find_entries(page, name) if entry.is_resolved
    ]
    removed = [_entry_row(name, entry, f"completed {_format_session(number)}") for name, entry, number in done]
    removed += [_entry_row(name, entry, "resolved") for name, entry in resolved]
    removed += [_log_row(page, row) for row in look.leaving]
    gone = [entry for _, entry, _ in done] + [entry for _, entry in resolved]
    text, folded = _apply_changes(look, done, gone)
    if not _keeps_sections(page, parse(text)):
        return Plan(page.text, [], [], [], [], [], past.now, "taking lines out would change other sections")
    left = [{**row._asdict(), "text": strip_line_end(page.lines[row.line - 1])} for row in look.leaving]
    gone_lines = {entry.start for entry in gone}
    return Plan(
        text,
        removed,
        folded,
        _find_stalled_items(look),
        _find_archive_candidates(look, gone_lines),
        _add_folded_summaries(left, folded),
        past.now,
    )


def _find_leaving_rows(page: Page, past: Past) -> list[Row]:
    """Return the rows that leave the Session Log: past ten sessions, all but the newest."""
    if past.now <= ARCHIVE_AFTER:
        return []
    newest, table_lines = past.newest(LOG_ROWS), session_log.find_table_lines(page)
    old = [row for row in past.rows if row.session <= past.now - LOG_ROWS and row.line - 1 in table_lines]
    return sorted((row for row in old if row.line not in newest), key=lambda row: (row.session, row.line))


def _find_old_done_entries(look: _Context) -> list[tuple[str, Entry, int]]:
    """Return (section, entry, session) of the completed items and ticked boxes that are old enough to leave."""
    done = [("completed", entry) for entry in entries.find_entries(look.page, "completed") if entry.is_complete]
    done += [("active", entry) for entry in entries.find_entries(look.page, "active") if entry.is_resolved]
    aged = [(name, entry, look.session(entry)) for name, entry in done]
    return [(name, entry, number) for name, entry, number in aged if _is_old(look, number)]


def _is_old(look: _Context, number: int) -> bool:
    if not number:
        return look.all_ages
    row = look.past.row(number)
    return look.past.now - number > FOLD_AFTER and not (row and row.line in look.past.newest(ROWS_KEPT))


def _format_session(number: int) -> str:
    return f"in session {number}" if number else "in an unknown session"


def _entry_row(name: str, entry: Entry, why: str) -> Told:
    return {"section": kinds.MEMORY_SECTIONS[name], "line": entry.start + 1, "text": entry.raw, "why": why}


def _log_row(page: Page, row: Row) -> Told:
    line = strip_line_end(page.lines[row.line - 1])
    return {
        "section": kinds.MEMORY_SECTIONS["log"],
        "line": row.line,
        "text": line,
        "why": "an older session",
    }


def _apply_changes(look: _Context, done: list[tuple[str, Entry, int]], gone: list[Entry]) -> tuple[str, list[Told]]:
    """Return the new text, and what was folded into which session."""
    lines = list(look.page.lines)
    changes = [_cut_entry(lines, entry) for entry in gone]
    leaving = {row.line for row in look.leaving}
    changes += [_Change(line - 1, line, []) for line in leaving]
    folded: list[Told] = []
    rows: dict[Row, list[str]] = {}
    for name, entry, number in done:
        row = look.past.row(number) if number else None
        if row is None or session_log.find_summary_cell(look.page, row) < 0:
            continue
        summary = session_log.shorten_item(entry.text)
        folded.append(
            {
                **_entry_row(name, entry, f"folded into session {row.session}"),
                "session": row.session,
                "told": summary,
            }
        )
        if row.line not in leaving:
            rows.setdefault(row, []).append(summary)
    for row, texts in rows.items():
        new = session_log.extend_row(lines[row.line - 1], session_log.find_summary_cell(look.page, row), texts)
        changes.append(_Change(row.line - 1, row.line, [new]))
    for change in sorted(changes, key=lambda entry: -entry.start):
        lines[change.start : change.end] = change.lines
    return "".join(lines), folded


def _cut_entry(lines: list[str], entry: Entry) -> _Change:
    """Return the cut of an entry; of blank lines before and behind it one goes along."""
    end = entry.end
    if (
        entry.start
        and end < len(lines)
        and not strip_line_end(lines[entry.start - 1]).strip()
        and not strip_line_end(lines[end]).strip()
    ):
        end += 1
    return _Change(entry.start, end, [])


def _add_folded_summaries(rows: list[Told], folded: list[Told]) -> list[Told]:
    """Return the rows that leave, with what was folded into them."""
    for row in rows:
        done = [str(fold["told"]) for fold in folded if fold["session"] == row["session"]]
        row["summary"] = "; ".join([str(row["summary"]), *dict.fromkeys(done)])
    return rows


def _keeps_sections(before: Page, after: Page) -> bool:
    """Whether a text has the same sections as before and is still understood."""
    titles = [(section.title, section.level) for section in before.sections]
    return titles == [(section.title, section.level) for section in after.sections] and find_problem(after) is None


def _find_stalled_items(look: _Context) -> list[Told]:
    """Return the open items of the work list that nothing has moved for three sessions."""
    rows = []
    for entry in entries.find_entries(look.page, "active"):
        since = _last_session(look, entry)
        if since and look.past.now - since >= STALE_AFTER and not entry.is_resolved:
            rows.append({**_entry_row("active", entry, f"no progress since session {since}"), "since": since})
    return rows


def _last_session(look: _Context, entry: Entry) -> int:
    """Return the session that last moved an open entry, 0 if unknown: its words, an edit of it, or of its files.

    An edit is a change that git dates after the file's oldest line: a first commit moves no work.
    """
    known = look.session(entry)
    edited = max((look.touched.get(at + 1, "") for at in range(entry.start, entry.end)), default="")
    if known and edited > min(look.touched.values(), default=""):
        known = max(known, look.past.session(edited))
    return max(known, _last_file_session(look, entry)) if known else 0


def _last_file_session(look: _Context, entry: Entry) -> int:
    """Return the last session in which a file that an entry names was changed, as Key Files has it."""
    named = {ref.path for ref in path_references.find_paths_in_line(entry.raw)}
    return max((row["session"] for row in look.facts["files"] if row["path"] in named), default=0)


def _find_archive_candidates(look: _Context, gone: set[int]) -> list[Told]:
    """Return the entries untouched for five sessions, least recent first; they are only listed."""
    open_entries = [(name, entry) for name in ("active", *RESOLVING) for entry in entries.find_entries(look.page, name)]
    rows = [
        (_last_session(look, entry), _entry_row(name, entry, ""))
        for name, entry in open_entries
        if entry.start not in gone
    ]
    for row in look.facts["files"]:
        number = row["session"] or look.past.last_touched("", look.touched.get(row["line"], ""))
        line = strip_line_end(look.page.lines[row["line"] - 1])
        rows.append((number, {"section": kinds.MEMORY_SECTIONS["files"], "line": row["line"], "text": line}))
    old = [(number, values) for number, values in rows if number and look.past.now - number >= OLD_AFTER]
    return [
        {**values, "why": f"untouched since session {number}", "since": number}
        for number, values in sorted(old, key=lambda entry: entry[0])
    ]
