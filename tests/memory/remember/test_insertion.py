"""Written notes: only the sections of their kind change; the same words are written once."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.core import kinds, plain_text
from belay.memory.document import facts, page
from belay.memory.remember import insertion, notes

DAY = "2026-03-04"
TEMPLATE = (Path(__file__).parents[3] / "templates" / "MEMORY.md").read_text()
SAMPLES = sorted((Path(__file__).parents[2] / "data" / "memory" / "samples").glob("*.md"))
WORK = """\
# Project Memory
Last updated: 2026-03-01 | Session 4 | Branch: main

## Where We Left Off
- **Current task:** refund handler in `src/refund.ts`
- **Status:** in progress
- **Next immediate step:** write the refund handler

## Active Work
- [ ] refund handler in `src/refund.ts`
- [ ] docs
  - [ ] the page on refunds
- [ ] invoice export

## Blockers
None

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| [DATE] | [what was decided] | [why] | [files] |

## Architecture Notes
Events go through one queue.
"""
STREAMS = """\
# Memory
## Active Workstreams
### 1. Live Preview — paused
**Status:** design complete
**Next when resumed:** the POC script

## Quick Reference
| What | Where |
|---|---|
| Overview | `ARCHITECTURE.md` |
"""


def put(text, kind, said, **more):
    note = notes.build_note(kind, said, DAY, **more)
    return insertion.insert_note(page.parse(text), note, page.parse(TEMPLATE))


def changes(text, kind, said, **more):
    return notes.find_changed_titles(page.parse(text), put(text, kind, said, **more))


def test_a_decision_takes_the_row_of_a_placeholder():
    new = put(WORK, "decision", "SQLite for storage: one file", affects="src/db.ts")

    assert new.text == WORK.replace(
        "| [DATE] | [what was decided] | [why] | [files] |",
        f"| {DAY} | SQLite for storage | one file | src/db.ts |",
    )


def test_a_task_that_is_done_moves_and_so_does_where_we_left_off():
    told = facts.read_facts(put(WORK, "done", "Done: refund handler"))

    assert [row["text"] for row in told["active"]] == ["docs", "the page on refunds", "invoice export"]
    assert [(row["date"], row["text"]) for row in told["completed"]] == [(DAY, "refund handler in `src/refund.ts`")]
    assert (told["left"]["status"], told["left"]["next"]) == ("done", "docs")
    assert changes(WORK, "done", "refund handler") == ["Where We Left Off", "Completed", "Active Work"]


def test_a_task_with_tasks_below_it_is_ticked_in_its_place():
    told = facts.read_facts(put(WORK.replace("- [ ] docs", "- [ ] docs pages"), "done", "docs pages"))

    assert [(row["text"], row["done"]) for row in told["active"]][1:3] == [
        ("docs pages", True),
        ("the page on refunds", False),
    ]


def test_a_name_that_fits_two_tasks_takes_none():
    text = WORK.replace("- [ ] invoice export", "- [ ] refund handler in `src/other.ts`")
    told = facts.read_facts(put(text, "done", "refund handler"))

    assert len(told["active"]) == 4
    assert told["completed"][0]["text"] == "refund handler"


def test_done_again_changes_nothing():
    once = put(WORK, "done", "refund handler in src/refund.ts").text

    assert put(once, "done", "refund handler in src/refund.ts").text == once


def test_a_blocker_replaces_none_and_a_note_follows_prose():
    assert "## Blockers\n- staging key\n" in put(WORK, "blocker", "staging key").text
    assert put(WORK, "note", "Ids are ULIDs").text.endswith("one queue.\n\n- Ids are ULIDs\n")


@pytest.mark.parametrize(
    ("kind", "said", "title"),
    [
        ("decision", "SQLite", "Key Decisions"),
        ("blocker", "staging key", "Blockers"),
        ("note", "ids are ULIDs", "Architecture Notes"),
        ("note", "the retry test is flaky", "Known Issues"),
        ("preference", "short answers", "User Preferences"),
        ("value", "staging runs on port 5433", "External Context"),
    ],
)
def test_each_kind_changes_its_section_alone(kind, said, title):
    assert changes(WORK, kind, said) == [title]


@pytest.mark.parametrize("kind", kinds.NOTE_KINDS)
def test_the_same_words_are_found_where_they_stand(kind):
    note = notes.build_note(kind, "Keep **one** queue: order matters", DAY)
    new = insertion.insert_note(page.parse(WORK), note, page.parse(TEMPLATE))
    line = notes.find_line(new, note)

    assert "one** queue" in new.lines[line - 1]
    assert insertion.insert_note(new, note, page.parse(TEMPLATE)).text == new.text


def test_the_second_form_gets_its_own_decision_table_before_the_references():
    new = put(STREAMS, "decision", "SQLite because it is one file", affects="db")

    assert (
        f"| Date | Decision | Rationale |\n|------|----------|-----------|\n| {DAY} | SQLite (affects db) | it is one file |"
        in new.text
    )
    assert facts.read_facts(new)["decisions"][0]["reason"] == "it is one file"
    assert put(new.text, "decision", "SQLite because it is one file", affects="db").text == new.text


def test_a_decision_that_stands_in_a_list_is_known_with_and_without_its_reason():
    new = put("# M\n## Decisions\n- one\n", "decision", "SQLite: one file", affects="db")

    assert new.lines[3] == f"- {DAY} SQLite: one file; db\n"
    assert put(new.text, "decision", "SQLite").text == new.text


def test_a_workstream_that_is_done_says_so_in_its_status():
    new = put(STREAMS, "done", "live preview")

    assert new.text == STREAMS.replace("design complete", f"Done ({DAY})")
    assert put(new.text, "done", "live preview").text == new.text


def test_a_new_file_holds_just_the_note():
    new = insertion.create_memory(TEMPLATE, notes.build_note("decision", "SQLite: one file", DAY))

    assert [one.title for one in new.sections] == ["Project Memory", "Key Decisions"]
    assert facts.read_facts(new)["decisions"][0]["decision"] == "SQLite"


said = st.text(min_size=1, max_size=60).map(plain_text.one_line).filter(bool)


@settings(max_examples=60, deadline=None)
@given(sample=st.sampled_from([path.name for path in SAMPLES]), kind=st.sampled_from(kinds.NOTE_KINDS), text=said)
def test_any_note_leaves_every_other_section_as_it_was(sample, kind, text):
    data = (
        (Path(__file__).parents[2] / "data" / "memory" / "samples" / sample)
        .read_bytes()
        .decode("utf-8", "surrogateescape")
    )
    old, note = page.parse(data), notes.build_note(kind, text, DAY)
    new = insertion.insert_note(old, note, page.parse(TEMPLATE))

    assert page.find_problem(new) == page.find_problem(old)
    before, after = _bodies(old), _bodies(new)
    mine = {"completed", "active", "left", "workstreams", notes.find_section_name(new, note.kind)}
    assert {k: v for k, v in after.items() if k[1] not in mine} == {k: v for k, v in before.items() if k[1] not in mine}


def _bodies(shown):
    """Return each section's own lines, blank lines and line ends at its end aside."""
    found = {}
    for number, one in enumerate(shown.sections):
        inner = [two.start for two in shown.sections if one.body <= two.start < one.end]
        lines = "".join(shown.lines[one.body : min(inner, default=one.end)]).rstrip()
        key = (
            one.title,
            one.name or ("workstreams" if one.level > 2 else ""),
            [two.title for two in shown.sections[:number]].count(one.title),
        )
        found[key] = lines
    return found
