"""Decisions that a later one contradicts, and those that only look alike."""

import pytest

from belay.memory.document import facts
from belay.memory.document.page import parse
from belay.memory.remember import insertion, notes, superseded

TABLE = """# Project Memory

## Where We Left Off
- **Current task:** none

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-10-01 | SQLite for storage | one file | db |
| 2026-10-02 | Redis for the cache | fast | api |
"""


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Postgres for storage", "SQLite for storage"),
        ("Use Postgres instead of SQLite for storage", "SQLite for storage"),
        ("Postgres instead of SQLite", "Let's go with SQLite for storage"),
        ("Switch from SQLite to Postgres", "SQLite for storage"),
        ("We no longer use Redis", "Use Redis for the cache"),
        ("Drop Redis", "Redis for the cache"),
        ("Don't commit the lock file", "Commit the lock file"),
        ("Commit the lock file", "Don't commit the lock file"),
        ("Session timeout is 30 minutes", "Session timeout is 60 minutes"),
        ("Logs go to stderr, not stdout", "Logs go to stdout"),
        ("REST over GraphQL", "GraphQL for the API"),
        ("Which storage? → Postgres", "Which storage? → SQLite"),
    ],
)
def test_a_later_decision_that_contradicts_is_the_successor(new, old):
    rows = [{"line": 1, "date": "", "decision": old, "reason": "", "affects": ""}]
    assert superseded.find_superseded(rows, new) == rows


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("SQLite for storage", "SQLite for storage"),
        ("SQLite for storage, one file a shop", "SQLite for storage"),
        ("Use Zod for validation", "Use Zod for forms"),
        ("Store invoices in S3", "Store sessions in S3"),
        ("Invoices in cents", "Salaries in cents"),
        ("Retry failed webhooks 3 times", "Retry failed emails 5 times"),
        ("Remove the Redis health check", "Redis for the cache"),
        ("Send it over HTTP", "HTTP for the API"),
        ("Add Postgres support", "SQLite for storage"),
        ("Which storage? → Postgres", "Which cache? → SQLite"),
        ("Where does this belong? → core", "Where does this belong? → client"),
        ("Postgres for storage", "~~SQLite for storage~~ (superseded)"),
    ],
)
def test_what_may_hold_beside_it_stays(new, old):
    assert (
        superseded.find_superseded([{"line": 1, "date": "", "decision": old, "reason": "", "affects": ""}], new) == []
    )


def test_two_that_could_be_meant_both_stay():
    rows = [
        {"line": at, "date": "", "decision": f"Redis for {what}", "reason": ""} for at, what in ((1, "a"), (2, "b"))
    ]
    assert superseded.find_superseded(rows, "Drop Redis") == []


def test_a_remembered_decision_marks_the_old_one_with_its_successor():
    page = insertion.insert_note(
        parse(TABLE), notes.build_note("decision", "Postgres for storage: two writers", "2026-11-22"), parse(TABLE)
    )
    rows = facts.read_facts(page)["decisions"]

    assert (
        "| 2026-10-01 | ~~SQLite for storage~~ (superseded 2026-11-22 by “Postgres for storage”) | one file | db |"
        in (page.text)
    )
    assert [facts.is_resolved(row["decision"]) for row in rows] == [True, False, False]
    assert superseded.mark_superseded(page, "2026-11-23", ["Postgres for storage"]).text == page.text


def test_an_item_is_marked_too():
    page = parse("# M\n\n## Key Decisions\n- 2026-10-01 SQLite for storage\n- other\n")
    marked = superseded.mark_superseded(page, "2026-11-22", ["Postgres instead of SQLite"]).text

    assert (
        "- 2026-10-01 ~~SQLite for storage~~ (superseded 2026-11-22 by “Postgres instead of SQLite”)\n- other" in marked
    )


def test_decisions_of_one_form_hold_together():
    both = ["Timeout is 30 seconds", "Timeout is 60 seconds"]
    page = parse(TABLE.replace("SQLite for storage", "Timeout is 60 seconds"))

    assert superseded.mark_superseded(page, "2026-11-22", both).text == page.text
