"""Rules: what happened, how often they held, and those that are broken come first."""

import os

import pytest

from belay.knowledge.entries import standards
from belay.knowledge.store.store import Store


@pytest.fixture
def store(tmp_path, home):
    with Store(str(tmp_path / "workshop.db"), os.environ, create=True) as store:
        yield store


def test_rules_are_listed_with_what_happened(store):
    first = store.add("antipattern", "Never edit file.txt", what_happened="it broke", files=["file.txt"])
    second = store.add("preference", "Use pnpm for all packages", what_happened="npm was used")
    store.add("preference", "Short answers")
    store.append({"kind": "standard-count", "id": second.id, "of": "s-1", "held": 1, "broken": 0})
    store.append({"kind": "standard-count", "id": first.id, "of": "s-1", "held": 0, "broken": 2})

    rows = standards.list_standards(store.connection)
    assert [(one.id, one.held, one.broken) for one in rows] == [(first.id, 0, 2), (second.id, 1, 0)]
    assert (rows[0].files, rows[0].type) == (("file.txt",), "antipattern")
    assert rows[0].line == "Never edit file.txt (held 0×, broken 2×; it broke)"
    assert [one.id for one in standards.list_standards(store.connection, 1)] == [first.id]


def test_a_rule_reads_as_its_entry_and_goes_with_it(store):
    entry = store.add("preference", "Use pnpm for all packages", what_happened="npm was used")
    store.change(entry.id, content="Use pnpm 9 for all packages")
    assert [one.rule for one in standards.list_standards(store.connection)] == ["Use pnpm 9 for all packages"]
    store.change(entry.id, status="forgotten")
    assert standards.list_standards(store.connection) == []


def test_a_preference_that_is_then_corrected_is_a_rule_once(store):
    entry = store.add("preference", "Use pnpm for all packages")
    for what in ("npm was used", "yarn was used"):
        store.add("preference", "use pnpm for all packages", what_happened=what)

    (rule,) = standards.list_standards(store.connection)
    assert (rule.id, rule.what_happened) == (entry.id, "npm was used")
