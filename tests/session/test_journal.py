"""The write-ahead log: what was acknowledged is there afterwards, whatever happened to the file."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.core import json_codec, paths
from belay.session import journal

RECORDS = [
    {"kind": "prompt", "text": text}
    for text in ('plain, "quoted"', "žlutý 🐎\u2028", '},"crc":"00000000"}', '{"time":"no"}')
]


def texts(records):
    return [record["text"] for record in records]


def written(path, records):
    for record in records:
        journal.append(str(path), record)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.jsonl"


@given(st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=20), min_size=1, max_size=5))
def test_a_sealed_record_comes_back_and_is_json_for_everybody(record):
    record.pop("crc", None)
    texts = {key: str(value) for key, value in record.items() if key in journal._TEXTS and value is not None}
    record = {"time": "t", **record, **texts}  # anything else in these would be no record
    line = journal.seal(record)
    back = journal.unseal(line + b"\n")
    assert back == json_codec.loads(json_codec.encode(record).decode())
    assert b"\n" not in line
    assert {key: value for key, value in json_codec.loads(line.decode()).items() if key != "crc"} == back


def test_append_is_one_write_of_one_record(path, monkeypatch):
    written(path, RECORDS[:1])
    calls = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: calls.append(bytes(data)) or real(handle, data))
    journal.append(str(path), RECORDS[1])
    assert len(calls) == 1
    assert journal.unseal(calls[0])["text"] == RECORDS[1]["text"]


def test_the_first_record_makes_the_folder_and_time_comes_first(tmp_path):
    path = tmp_path / "deep" / "s.jsonl"
    record = journal.append(str(path), {"kind": "prompt"})
    assert next(iter(record)) == "time"
    assert path.read_bytes().startswith(b'{"time":"20')
    assert journal.read(str(path)) == ([record], 0)


def test_after_a_cut_at_any_byte_the_whole_records_and_the_next_one_stand(path):
    data = written(path, RECORDS)
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for at in range(len(data) + 1):
        path.write_bytes(data[:at])
        journal.append(str(path), {"text": "new"})
        # a record whose newline alone is missing is whole
        whole = sum(end - 1 <= at for end in ends) if at else 0
        assert texts(journal.read(str(path))[0]) == [*texts(RECORDS[:whole]), "new"], at


def test_a_flipped_byte_costs_one_line_and_is_counted(path):
    data = written(path, RECORDS)
    for at in range(len(data)):
        for flip in (1, 0x20, 0x80, data[at] ^ 10):
            path.write_bytes(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
            records, damaged = journal.read(str(path))
            if flip and texts(records) != texts(RECORDS):
                assert len(records) == len(RECORDS) - 1, (at, flip)
                assert 1 <= damaged <= 2, (at, flip)
                assert set(texts(records)) < set(texts(RECORDS))


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_foreign_bytes_give_no_record_and_no_error(lines):
    records, damaged = journal.parse(b"\n".join(lines))
    assert records == []
    assert damaged == sum(bool(part.strip()) for line in lines for part in line.split(b"\n"))


def test_the_record_behind_a_torn_one_is_found(path):
    """Two writers at once, the first killed in the middle: the second had seen no torn tail yet."""
    first, second = (journal.seal({"time": "t", **record}) for record in RECORDS[:2])
    path.write_bytes(first[:30] + second + b"\n")
    records, damaged = journal.read(str(path))
    assert (texts(records), damaged) == ([RECORDS[1]["text"]], 1)


def test_one_hostile_line_is_read_in_no_time(path):
    path.write_bytes(b'{"time":"' * 1_000_000 + b"\n" + journal.seal({"time": "t", "text": "x"}) + b"\n")
    assert journal.read(str(path)) == ([{"time": "t", "text": "x"}], 1)


WRITER = """
import sys
sys.path[0:0] = [sys.argv[1]]
from belay.session import journal
journal.SEGMENT_BYTES = int(sys.argv[4])
for n in range(60):
    record = journal.append(sys.argv[2], {"kind": "prompt", "text": f"{sys.argv[3]}-{n}"})
    print(record["text"], flush=True)
"""


def write_at_once(path, size, kill=False):
    """Run writers together; return what they acknowledged."""
    command = [sys.executable, "-c", WRITER, paths.resource("lib"), str(path)]
    running = [subprocess.Popen([*command, str(n), str(size)], stdout=subprocess.PIPE, text=True) for n in range(4)]
    if kill:
        for writer in running[:2]:
            writer.stdout.readline()
            writer.kill()
    # the line read before a kill is acknowledged too
    return [line for writer in running for line in writer.communicate()[0].split()]


@pytest.mark.parametrize(("size", "kill"), [(1 << 24, False), (1 << 24, True), (700, False)])
def test_parallel_writers_lose_nothing(path, size, kill):
    acknowledged = write_at_once(path, size, kill)
    found = texts(journal.read(str(path))[0])
    assert set(acknowledged) <= set(found)
    assert len(found) == len(set(found))
    if not kill:
        assert len(found) == 240
    for writer in range(2, 4):
        mine = [int(text.split("-")[1]) for text in found if text.startswith(f"{writer}-")]
        assert sorted(mine) == list(range(60))
    assert (len(journal.list_segments(str(path))) > 5) == (size < 1000)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 2_000), max_size=6), st.integers(200, 900))
def test_reading_on_from_any_place_gives_what_a_full_read_gives(tmp_path_factory, cuts, size):
    path = tmp_path_factory.mktemp("journal") / "s.jsonl"
    before, journal.SEGMENT_BYTES = journal.SEGMENT_BYTES, size
    try:
        data = b"".join(journal.seal({"time": "t", "text": str(n)}) + b"\n" for n in range(40))
        place, found = [], []
        at = 0
        for cut in [*sorted(cuts), len(data)]:
            part, at = data[at:cut], max(at, cut)
            with open(journal.current_segment(str(path)), "ab") as file:
                file.write(part)
            records, place = journal.read_since(str(path), place)
            found += texts(records)
    finally:
        journal.SEGMENT_BYTES = before
    full, _ = journal.read(str(path))
    assert found == texts(full)


def test_a_late_record_in_a_full_segment_is_not_missed(path, monkeypatch):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 100)
    written(path, RECORDS)
    _, place = journal.read_since(str(path), [])
    with open(path, "ab") as late:
        late.write(journal.seal({"time": "t", "text": "late"}) + b"\n")
    records, after = journal.read_since(str(path), place)
    assert texts(records) == ["late"]
    assert journal.read_since(str(path), after) == ([], after)


def test_recent_reads_the_end_of_the_last_segment(path, monkeypatch):
    written(path, [{"text": str(n)} for n in range(50)])
    assert texts(journal.read_recent(str(path), 300))[-1] == "49"
    assert len(journal.read_recent(str(path), 300)) < 10
    assert journal.read_recent(str(path.with_name("absent.jsonl"))) == []


def test_recent_goes_back_into_the_segment_before(path, monkeypatch):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 1000)
    written(path, [{"text": str(n)} for n in range(60)])
    last = os.path.getsize(journal.list_segments(str(path))[-1])
    found = texts(journal.read_recent(str(path), last + 500))
    assert found == [str(n) for n in range(60)][-len(found) :]
    assert len(found) > len(journal.read_recent(str(path), last)) + 3


def test_a_long_journal_is_read_in_parts(path, monkeypatch):
    monkeypatch.setattr(journal, "PART_BYTES", 300)
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 2000)
    rows = [{"text": str(n) * (400 if n == 7 else 1)} for n in range(60)]  # one line is longer than a part
    written(path, rows)
    with open(journal.current_segment(str(path)), "ab") as file:
        file.write(b'{"time":"torn')
    parts = list(journal.read_parts(str(path), []))
    assert [text for records, _ in parts for text in texts(records)] == [row["text"] for row in rows]
    assert max(len(records) for records, _ in parts) < 10
    assert journal.count_unread(str(path), parts[-1][1]) == len(b'{"time":"torn')
    assert journal.count_unread(str(path), []) == sum(
        os.path.getsize(part) for part in journal.list_segments(str(path))
    )
    for number, (_, place) in enumerate(parts):  # from each place on it reads what is left
        rest = [text for records, _ in journal.read_parts(str(path), place) for text in texts(records)]
        assert rest == [text for records, _ in parts[number + 1 :] for text in texts(records)]


def test_sessions_are_listed_by_their_last_record_and_the_ledger_is_none(tmp_path):
    for n, name in enumerate(("b", "a", "c", "c.2", "ledger")):
        file = tmp_path / f"{name}.jsonl"
        file.write_text("x")
        os.utime(file, (1000 + n, 1000 + n))
    (tmp_path / "other.txt").write_text("x")
    assert journal.list_sessions(str(tmp_path)) == ["b", "a", "c"]
    assert journal.list_sessions(str(tmp_path), after=1001.5) == ["c"]
    assert journal.list_sessions(str(tmp_path / "absent")) == []


@pytest.mark.parametrize("field", ["time", "kind", "session", "mark", "id"])
@pytest.mark.parametrize("value", [["x"], {"a": 1}, 5, True])
def test_a_record_named_by_anything_but_texts_is_none_of_ours(field, value):
    record = {"time": "2026-01-01T00:00:00Z", "kind": "entry", "text": "x"}
    assert journal.unseal(journal.seal(record)) == record
    assert journal.unseal(journal.seal({**record, field: value})) is None
