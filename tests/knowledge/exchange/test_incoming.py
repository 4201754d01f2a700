"""knowledge.jsonl: what was written is read back as it was, and merged with what stands."""

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belay.core import kinds
from belay.core.errors import BadInput
from belay.knowledge.entries import entries, standards
from belay.knowledge.exchange import export, incoming
from belay.knowledge.store.store import NewEntry, Store

STATES = export.STATES
LINES = st.lists(
    st.tuples(
        st.sampled_from(kinds.ENTRY_TYPES),
        st.text("abc déf 12\n\t\"\\<>/", min_size=1, max_size=30).filter(str.strip),
        st.fixed_dictionaries(
            {}, optional={"reasoning": st.text(max_size=10), "tags": st.lists(st.sampled_from("xyz"), max_size=2),
                          "files": st.lists(st.sampled_from(["a.py", "lib/"]), max_size=2), "branch": st.just("main"),
                          "priority": st.just("high"), "confidence": st.just(0.5)},
        ),
    ),
    max_size=6,
)  # fmt: skip


@pytest.fixture
def stores(tmp_path, home):
    """Two bases: this clone's and another's."""
    with (
        Store(str(tmp_path / "one" / "workshop.db"), os.environ, create=True) as one,
        Store(str(tmp_path / "other" / "workshop.db"), os.environ, create=True) as other,
    ):
        yield one, other


def told(store):
    listed = entries.list_entries(store.connection, status=STATES, limit=-1)
    return {entry.id: entry._replace(num=0) for entry in listed}


def taken(store, data):
    found = incoming.plan_import(store, "knowledge.jsonl", data)
    incoming.apply_plan(store, found)
    return found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
@given(rows=LINES)
def test_an_export_is_read_back_as_it_was(tmp_path_factory, home, rows):
    folder = tmp_path_factory.mktemp("bases")
    with Store(str(folder / "a" / "workshop.db"), os.environ, create=True) as one:
        for row in rows:
            one.add(row[0], row[1], **row[2])
        data, before = export.render_lines(one), told(one)
    with Store(str(folder / "b" / "workshop.db"), os.environ, create=True) as other:
        taken(other, data)
        assert (told(other), export.render_lines(other)) == (before, data)
        assert taken(other, data)[:2] == ([], [])


def test_replaced_edited_counted_and_forgotten_entries_come_back_so(stores):
    one, other = stores
    old, new = one.add("decision", "MySQL for storage"), one.add("decision", "SQLite for storage")
    one.supersede(old.id, new.id)
    one.change(new.id, content="SQLite for storage, in WAL mode")
    one.append({"kind": "entry-count", "of": "s-1", "counts": {new.id: {"recalled": 2, "used": 1, "tokens": 30}}})
    gone = one.add("note", "the old address of the office")
    one.change(gone.id, status=entries.FORGOTTEN)
    data = export.render_lines(one)
    assert b"office" not in data
    taken(other, data)
    assert {name: told(other)[name] for name in (old.id, new.id)} == {
        name: told(one)[name] for name in (old.id, new.id)
    }
    assert (told(other)[old.id].superseded_by, gone.id in told(other)) == (new.id, False)


def test_the_newer_change_wins_and_counters_are_not_summed(stores):
    one, other = stores
    entry = one.add("gotcha", "The proxy cuts requests at 60 seconds")
    taken(other, export.render_lines(one))
    other.append({"kind": "entry-count", "of": "s-1", "counts": {entry.id: {"recalled": 3}}})
    one.append({"kind": "entry-count", "of": "s-2", "counts": {entry.id: {"recalled": 2}}})
    other.change(entry.id, content="The proxy cuts requests at 30 seconds")
    for _ in range(2):
        taken(one, export.render_lines(other))
        taken(other, export.render_lines(one))
    found = told(one)[entry.id]
    assert (found.content, found.recalled) == ("The proxy cuts requests at 30 seconds", 3)
    assert told(one) == told(other)


def test_two_edits_of_one_entry_are_both_kept(stores):
    one, other = stores
    entry = one.add("note", "Staging is reset on Monday")
    taken(other, export.render_lines(one))
    one.change(entry.id, content="Staging is reset on Tuesday")
    other.change(entry.id, content="Staging is reset on Friday")
    found = taken(one, export.render_lines(other))
    assert [own for _, own in found.both] == [entry.id]
    taken(other, export.render_lines(one))
    assert told(one) == told(other)
    assert sorted(row.content for row in told(one).values()) == [
        "Staging is reset on Friday", "Staging is reset on Tuesday",
    ]  # fmt: skip


def test_two_reasons_of_one_decision_are_both_kept(stores):
    one, other = stores
    entry = one.add("decision", "SQLite for storage", reasoning="no server to run")
    other.add("decision", "SQLite for storage", reasoning="one file to copy")
    taken(one, export.render_lines(other))
    taken(other, export.render_lines(one))
    assert told(one)[entry.id].reasoning == "no server to run; one file to copy"
    assert told(one) == told(other)
    assert taken(one, export.render_lines(other))[:2] == ([], [])
    other.change(entry.id, reasoning="one file")
    taken(one, export.render_lines(other))
    assert told(one)[entry.id].reasoning == "one file"


def test_a_reason_that_was_said_and_not_kept_here_comes_with_another_base(stores):
    one, other = stores
    entry = one.add("decision", "SQLite for storage", reasoning="no server to run")
    one.add("decision", "SQLite for storage", reasoning="one file to copy")
    other.add("decision", "SQLite for storage", reasoning="one file to copy")
    taken(one, export.render_lines(other))
    assert set(told(one)[entry.id].reasoning.split("; ")) == {"no server to run", "one file to copy"}


def test_what_was_forgotten_later_is_forgotten_here(stores):
    one, other = stores
    entry = one.add("note", "The demo account is called mira")
    taken(other, export.render_lines(one))
    one.change(entry.id, status=entries.FORGOTTEN)
    taken(other, export.render_lines(one))
    assert told(other)[entry.id].status == entries.FORGOTTEN


def test_a_rule_comes_with_what_happened(stores):
    one, other = stores
    one.add("preference", "Run the linter first", what_happened="a commit broke the build")
    taken(other, export.render_lines(one))
    (rule,) = standards.list_standards(other.connection)
    assert (rule.rule, rule.what_happened) == ("Run the linter first", "a commit broke the build")
    assert taken(one, export.render_lines(other))[:2] == ([], [])


def test_what_another_told_is_marked_as_imported(stores):
    one, other = stores
    entry = one.add("note", "Deploys need the VPN", source="answered")
    taken(other, export.render_lines(one))
    marked = "SELECT source, metadata FROM entries WHERE id = ?"
    assert other.connection.execute(marked, (entry.id,)).fetchone() == ("answered", '{"imported": true}')
    taken(one, export.render_lines(other))
    assert one.connection.execute(marked, (entry.id,)).fetchone() == ("answered", "{}")


def test_the_base_is_the_same_when_it_is_written_again_from_the_ledger(stores, tmp_path):
    one, other = stores
    one.add_many([NewEntry("note", f"Service {name} is slow", {}) for name in "abcdef"])
    taken(other, export.render_lines(one))
    before = told(other)
    other.close()
    os.unlink(other.path)
    with Store(other.path, os.environ, create=True) as again:
        assert told(again) == before


def test_lines_that_are_no_entries_are_named_and_the_rest_is_read(stores):
    one, _ = stores
    good = {"id": "K-AAAAAA", "type": "note", "content": "kept", "updated": "2099-01-01T00:00:00Z"}
    bad = [b"{torn", b"[1]", b'{"id":"x"}', b'{"id":"K-AAAAAB","type":"spell","content":"x"}', b'{"id":"K-AAAAAC"}',
           b'{"id":"K-AAAAAD","type":"note","content":"' + b"x" * 5000 + b'"}', b"x" * 70_000]  # fmt: skip
    found = taken(one, b"\n".join([*bad, json.dumps(good).encode()]))
    assert [line for line, _ in found.refused] == [1, 2, 3, 4, 5, 6, 7]
    assert told(one)["K-AAAAAA"].updated < "2099"


def test_a_conflict_of_git_is_named_with_its_line(stores):
    one, _ = stores
    with pytest.raises(BadInput, match=r"knowledge.jsonl:2: holds a git conflict"):
        incoming.plan_import(one, "knowledge.jsonl", b'{"id":"K-AAAAAA"}\n<<<<<<< HEAD\n')


def test_secrets_do_not_come_in(stores):
    one, _ = stores
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    line = json.dumps({"id": "K-AAAAAA", "type": "note", "content": f"the token is {secret}"}).encode()
    taken(one, line)
    assert secret not in told(one)["K-AAAAAA"].content
    with open(one.ledger) as file:
        assert secret not in file.read()
