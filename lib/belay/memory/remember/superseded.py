"""Decisions that a later one contradicts: they stay in the table, struck through, with their successor.

Only what is sure counts: a later decision says so ("Postgres instead of SQLite", "no longer Redis"), or it is the same
sentence with another number or another technology. Two decisions that may both hold stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.plain_text import cut, words
from belay.core.text import corrections, duplicates, statements, word_forms
from belay.memory.document import edits, facts, table_cells
from belay.memory.document.page import strip_line_end
from belay.memory.remember.sentences import strip_request
from belay.triggers.rules import TECH

if TYPE_CHECKING:
    from collections.abc import Collection

    from belay.core.text.statements import Statement
    from belay.memory.document.page import Page
    from belay.memory.memory_facts import DecisionRow

SUCCESSOR_CHARS = 100
_LEAVING = (
    ("instead", "of"), ("rather", "than"), ("no", "longer"), ("away", "from"), ("stop", "using"), ("move", "from"),
    ("moved", "from"), ("switch", "from"), ("switched", "from"), ("migrate", "from"), ("migrated", "from"),
    ("drop",), ("dropped",), ("replace",), ("replaced",), ("remove",), ("removed",), ("replaces",),
)  # fmt: skip
"""Words before what a decision leaves."""
_HOLDING = frozenset(("use", "need", "want", "have", "our"))
"""Words between "no longer" and the name of what is left."""
_FOLLOWING = frozenset(
    ("for", "to", "with", "by", "in", "on", "as", "because", "and", "from", "now", "here", "entirely")
)
"""Words behind the name of what is left, where the name ends there."""
_TECHNOLOGIES = frozenset(word_forms.root(word) for word in TECH)


def mark_superseded(page: Page, date: str, texts: list[str]) -> Page:
    """Return the page with every decision struck through that one of the new decisions (`texts`) contradicts."""
    for text in texts:
        for row in reversed(find_superseded(facts.read_facts(page)["decisions"], text, texts)):
            page = _mark_row(page, row, date, text)
    return page


def find_superseded(rows: list[DecisionRow], text: str, beside: Collection[str] = ()) -> list[DecisionRow]:
    """Return the rows that a new decision contradicts; those said `beside` it hold together with it."""
    earlier = [
        row
        for row in rows
        if not facts.is_resolved(row["decision"]) and not any(duplicates.same(row["decision"], new) for new in beside)
    ]
    contradicted = [row for row in earlier if contradicts(text, row["decision"])]
    left = [row for row in earlier if row not in contradicted and _leaves(text, row["decision"])]
    return contradicted + (left if len(left) == 1 else [])


def contradicts(new: str, old: str) -> bool:
    """Whether a decision takes back another: it says so, or only a number or a technology of it is another."""
    new, old = strip_request(new), strip_request(old)
    if duplicates.same(new, old):
        return False
    if corrections.fit(new, old) or _answers_anew(new, old):
        return True
    mine, theirs = statements.read(new), statements.read(old)
    brought, gone, shared = mine.keys - theirs.keys, theirs.keys - mine.keys, mine.keys & theirs.keys
    if _negations(mine) != _negations(theirs):
        return bool(shared) and not brought and not gone
    if not shared or not brought or not gone:
        return False
    if all(key[:1].isdigit() for key in (*brought, *gone)):
        return corrections.fit(f"No, {new}", old) > 0
    return len(brought) == len(gone) == 1 and brought | gone <= _TECHNOLOGIES


def _answers_anew(new: str, old: str) -> bool:
    """Whether two answers of one question differ; "this" may mean something else each time."""
    (asked, _, answer), (before, _, earlier) = new.rpartition("→"), old.rpartition("→")
    is_pointing = not {"this", "that", "these", "those", "it"}.isdisjoint(words(asked).split())
    return bool(words(asked)) and not is_pointing and words(asked) == words(before) and words(answer) != words(earlier)


def _negations(told: Statement) -> set[str]:
    return {*told.turns} & word_forms.NEGATED


def _leaves(new: str, old: str) -> bool:
    """Whether a decision names what it leaves, and the older one was the choice of that."""
    said, chosen = words(new).split(), _find_choice(old)
    if not chosen or chosen not in said or words(new) == words(old):
        return False
    at = said.index(chosen)
    before = [word for word in said[:at] if word not in word_forms.ARTICLES and word not in _HOLDING]
    if said[at + 1 : at + 2] and said[at + 1] not in _FOLLOWING:
        return False  # "remove the Redis health check" leaves no Redis
    over = before[-1:] == ["over"] and before[-2:-1] and {before[-2], chosen} <= TECH
    return bool(over) or any(tuple(before[-len(lead) :]) == lead for lead in _LEAVING)


def _find_choice(text: str) -> str:
    """Return the first telling word of a decision ("sqlite" of "Let's go with SQLite for storage"), "" for none."""
    small = word_forms.FILLER | word_forms.ARTICLES | word_forms.CHOOSING | {"with", "to", "for", "s", "stay", "keep"}
    return next((word for word in words(text).split() if word not in small), "")


def _mark_row(page: Page, row: DecisionRow, date: str, successor: str) -> Page:
    by = f"superseded {date} by “{cut(' '.join(successor.split()), SUCCESSOR_CHARS)}”"
    text = f"~~{row['decision']}~~ ({by})"
    record = table_cells.find_record(page, row["line"] - 1)
    if record is None:
        return page
    if record.kind == "row":
        return table_cells.put_row(page, "decisions", {"decision": text}, record)
    line = strip_line_end(page.lines[record.start])
    if record.end - record.start != 1 or row["decision"] not in line:
        return page
    return edits.replace_lines(page, record.start, record.end, [line.replace(row["decision"], text, 1)])
