"""Entries as lines of notes: read as written, merged in any order to the same, and hostile lines do no harm."""

import json
import os

from hypothesis import given
from hypothesis import strategies as st

from belay.core import json_codec
from belay.knowledge.entries.entries import make_id
from belay.knowledge.notes import arrivals, entry_lines
from belay.repository.notes import placing

COMMIT, BLOB, ROOT = "a" * 40, "b" * 40, "c" * 40
TEXTS = st.text(min_size=1, max_size=40)
TIMES = st.integers(1, 28).map(lambda day: f"2026-01-{day:02}T10:00:00.000000Z")


def make_row(text="use Postgres", time="2026-01-02T10:00:00.000000Z", **fields):
    return {"id": make_id("decision", text), "type": "decision", "content": text, "source": "typed",
            "updated": time, "created": time, **fields}  # fmt: skip


def make_line(row, who="Ada", blobs=None):
    return entry_lines.make_line(os.environ, row, who, COMMIT, ROOT, blobs or {})


def parse(raw):
    return entry_lines.parse_line(os.environ, COMMIT, raw)


def as_foreign(raw):
    """Return a line as another person's Belay would have written it."""
    return json_codec.dumps({**json.loads(raw), "mark": "0" * 16}).encode()


OWN = st.builds(
    lambda text, time, status, reason: make_line(make_row(text, time, status=status, reasoning=reason)),
    st.sampled_from(["use Postgres", "use SQLite", "say it twice"]), TIMES,
    st.sampled_from(["active", "superseded", "forgotten"]), st.sampled_from(["", "one file", "no server"]),
)  # fmt: skip
ONE_ID = st.builds(
    lambda text, time, reason: make_line({**make_row(text, time, reasoning=reason), "id": "D-ABCDEF"}),
    st.sampled_from(["tabs", "spaces"]), TIMES, st.sampled_from(["", "short"]),
)  # fmt: skip
HOSTILE = st.one_of(
    st.binary(max_size=60),
    st.recursive(st.none() | st.booleans() | st.integers() | TEXTS, lambda part: st.lists(part) | st.dictionaries(TEXTS, part), max_leaves=8).map(lambda value: json.dumps({"id": "D-ABCDEF", "updated": value, "content": value, "blobs": value, "who": value}).encode()),
    OWN.map(lambda raw: raw[:-3]),
)  # fmt: skip
LINES = st.one_of(
    OWN, OWN.map(as_foreign), ONE_ID.map(as_foreign), ONE_ID, HOSTILE.map(lambda raw: raw.replace(b"\n", b" "))
)
NOTES = st.frozensets(LINES, max_size=8)


def look(note):
    """Return what a note comes to: the newest line of each entry, and what waits for somebody who has nothing."""
    lines = [line for raw in note if (line := parse(raw))]
    latest = {name: line.raw for name, line in entry_lines.find_latest(lines).items()}
    waiting = arrivals.find_waiting({}, [line._replace(own=False) for line in lines])
    return latest, [one.row for one in waiting]


@given(NOTES, NOTES, NOTES)
def test_notes_are_joined_in_any_order_to_the_same(one, two, three):
    assert look(one | two) == look(two | one)
    assert look((one | two) | three) == look(one | (two | three))
    assert look(one | one) == look(one)


@given(NOTES)
def test_what_was_accepted_does_not_wait_again(note):
    lines = [line._replace(own=False) for raw in note if (line := parse(raw))]
    waiting = arrivals.find_waiting({}, lines)
    mine = {str(one.row["id"]): one.row for one in waiting}

    assert arrivals.find_waiting(mine, lines) == []


@given(TEXTS, TEXTS, TIMES)
def test_a_line_is_read_as_it_was_written(text, who, time):
    raw = make_line(make_row(text, time), who)
    line = parse(raw) if raw else None

    assert (raw == b"") == (not text.strip())
    if line:
        assert line.own
        assert (line.row["updated"], line.at, line.root) == (time, COMMIT, ROOT)
        assert not parse(as_foreign(raw)).own
        assert entry_lines.make_line(os.environ, line.row, line.who, line.at, line.root, line.blobs) == raw


def test_a_changed_word_makes_a_line_somebody_elses():
    raw = make_line(make_row())

    assert parse(raw).own
    assert not parse(raw.replace(b"Postgres", b"MongoDB ")).own
    assert not parse(raw.replace(b"Ada", b"Eve")).own
    assert not parse(raw.replace(COMMIT.encode(), b"d" * 40)).own


def test_what_came_from_elsewhere_is_cut_and_bounded():
    row = make_row(files=["/etc/passwd", "../x", "pay.py"], used=99, seen=50, source="by \x1b[2JEve\nsays: obey")
    raw = as_foreign(make_line(row, "E\x1b[2Jve\n" + "x" * 90, {"pay.py": "no hash", "/etc/passwd": BLOB}))
    line = parse(json_codec.dumps({**json.loads(raw), "used": 99, "updated": "2999-01-01T00:00:00.000000Z"}).encode())

    assert line.row["files"] == ["pay.py"]
    assert line.blobs == {}
    assert "used" not in line.row
    assert line.row["updated"] < "2999"
    assert len(line.who) <= 40
    assert not {"\x1b", "\n"} & {*line.who, *line.row["source"]}


def test_a_flood_of_lines_of_others_hides_none_of_ones_own(repo, project, monkeypatch):
    monkeypatch.setattr(entry_lines, "FOREIGN_MOST", 5)
    own = make_line(make_row("mine", "2026-01-01T10:00:00.000000Z"))
    flood = [as_foreign(make_line(make_row(f"theirs {at}", "2026-02-01T10:00:00.000000Z"))) for at in range(9)]
    placing.place(project, [own, *flood, b"{broken"])

    found = entry_lines.read_lines(project, os.environ)

    assert (len(found.found), found.broken, found.over) == (6, 1, 4)
    assert own in [line.raw for line in found.found]
    assert [line.raw for line in entry_lines.read_lines(project, os.environ, [make_id("decision", "mine")]).found] == [
        own
    ]


def test_a_text_that_is_too_long_makes_no_line():
    text = "\U0001f600" * 3900

    assert make_line(make_row(text, reasoning=text)) != b""
    assert make_line(make_row(text, reasoning=text, what_happened=text)) == b""
    assert parse(b'{"id":"D-ABCDEF","updated":"' + b"x" * 40_000 + b'"}') is None


def test_a_forgotten_entry_leaves_only_its_id_and_time():
    raw = make_line(make_row(status="forgotten", reasoning="secret plan"))

    assert b"Postgres" not in raw
    assert b"secret plan" not in raw
    assert parse(raw).own
