"""Rows of two clones made one: no order, no repetition and no conflict loses or doubles anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.knowledge.exchange import json_rows
from belay.knowledge.exchange.merge import merge_rows

TIMES = st.sampled_from([f"2026-01-0{n}T00:00:00.000000Z" for n in range(1, 6)])
TEXTS = ("tabs here", "spaces here", "four spaces here")
REASONS = ("quiet diffs", "the editor does it", "short; lines")
HASHES = [*map(json_rows.hash_text, TEXTS), *map(json_rows.hash_reason, REASONS)]
WAS = st.lists(st.sampled_from(HASHES), max_size=3, unique=True)
ENTRY = st.fixed_dictionaries(
    {"id": st.sampled_from(["K-AAAAAA", "K-BBBBBB"]), "type": st.just("note"), "content": st.sampled_from(TEXTS),
     "updated": TIMES, "created": TIMES},
    optional={"status": st.sampled_from(["heard", "done", "superseded", "forgotten"]), "seen": st.integers(1, 9), "was": WAS, "reasoning": st.sampled_from(REASONS),
              "used": st.integers(0, 3), "what_happened": st.sampled_from(["x", "y"]), "tags": st.lists(st.sampled_from("abc"), max_size=2, unique=True)},
)  # fmt: skip


def row(value):
    found = json_rows.check_row(value, "2027-01-01T00:00:00.000000Z")
    assert isinstance(found, dict)
    return found


SETS = st.lists(ENTRY.map(row), max_size=5)


def merged(*parts):
    found = {}
    for part in parts:
        found = merge_rows(found, part).rows
    return found


@given(SETS, SETS)
def test_it_does_not_matter_who_comes_first(one, other):
    mine, theirs = merged(one), merged(other)
    assert merge_rows(mine, theirs.values()).rows == merge_rows(theirs, mine.values()).rows


@given(SETS, SETS)
def test_merging_again_changes_nothing(one, other):
    theirs = merged(other)
    once = merge_rows(merged(one), theirs.values()).rows
    assert merge_rows(once, theirs.values()).rows == once
    assert merge_rows(once, once.values()).rows == once


@given(SETS)
def test_a_file_says_the_same_whatever_the_order_of_its_lines(one):
    assert merged(one) == merged(list(reversed(one)))


@given(SETS)
def test_rows_are_read_as_they_were_written(one):
    found = merged(one)
    data = json_rows.render_rows(found.values())
    read = json_rows.parse_rows("knowledge.jsonl", data, "2027-01-01T00:00:00.000000Z")
    assert ({one["id"]: one for one in read.rows}, read.refused) == (found, [])
    assert json_rows.render_rows(read.rows) == data


def reasoned(reason, day, *before):
    was = [json_rows.hash_reason(one) for one in before]
    time = f"2026-01-0{day}T00:00:00Z"
    return row(
        {
            "id": "K-AAAAAA",
            "type": "note",
            "content": TEXTS[0],
            "reasoning": reason,
            "updated": time,
            "was": was,
        }
    )


def reason_of(*parts):
    (found,) = merged(*([one] for one in parts)).values()
    return found.get("reasoning", "")


def test_what_one_clone_confirmed_or_replaced_is_not_merely_heard_after_all():
    heard = {"id": "D-AAAAAA", "type": "decision", "content": "use Fastify", "status": "heard"}
    confirmed = {**heard, "status": "active", "updated": "2026-01-02T00:00:00.000000Z"}
    replaced = {**confirmed, "status": "superseded", "superseded_by": "D-BBBBBB"}
    for time in ("2026-01-01T00:00:00.000000Z", "2026-01-02T00:00:00.000000Z", "2026-01-03T00:00:00.000000Z"):
        said_again = row({**heard, "updated": time})
        for other, status in ((confirmed, None), (replaced, "superseded")):
            (found,) = merged([row(other)], [said_again]).values()
            assert (found.get("status"), merged([said_again], [row(other)])) == (status, {"D-AAAAAA": found})


def test_two_reasons_of_one_text_are_both_kept():
    one, other = reasoned("quiet diffs", 1), reasoned("the editor does it", 2)
    assert reason_of(one, other) == reason_of(other, one) == "quiet diffs; the editor does it"
    assert reason_of(one, other, one, other) == "quiet diffs; the editor does it"
    third = reasoned("short lines", 3)
    assert reason_of(one, other, third, other, one) == "quiet diffs; the editor does it; short lines"


def test_an_edited_reason_is_not_doubled_by_its_older_version():
    assert reason_of(reasoned("quiet diff", 1), reasoned("quiet diffs", 2, "quiet diff")) == "quiet diffs"
    assert reason_of(reasoned("quiet diffs", 1, "quiet diff"), reasoned("quiet diff", 2)) == "quiet diffs"
    assert reason_of(reasoned("quiet diff", 1), reasoned("", 2, "quiet diff")) == ""
    assert reason_of(reasoned("quiet diff", 1), reasoned("", 2)) == "quiet diff"


def test_of_reasons_too_long_for_one_entry_the_newer_stays_and_the_other_is_told():
    one, other = reasoned("r" * 3000, 1), reasoned("s" * 3000, 2)
    found = merge_rows({one["id"]: one}, [other])
    assert (found.rows["K-AAAAAA"]["reasoning"], found.dropped) == ("s" * 3000, ["K-AAAAAA"])
    assert merge_rows(found.rows, [one, other]) == (found.rows, [], [])
    assert merge_rows({other["id"]: other}, [one]) == found


@pytest.mark.parametrize(("spare", "rows"), [(1, 1), (0, 1), (-1, 0)])
def test_a_line_may_be_as_long_as_the_limit_and_no_longer(monkeypatch, spare, rows):
    data = json_rows.render_rows([row({"id": "K-AAAAAA", "type": "note", "content": "tabs here"})])
    monkeypatch.setattr(json_rows, "LINE_BYTES", len(data.rstrip(b"\n")) + spare)

    found = json_rows.parse_rows("x.jsonl", data, "2027-01-01T00:00:00.000000Z")

    assert (len(found.rows), len(found.refused)) == (rows, 1 - rows)
