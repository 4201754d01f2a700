"""Captures on their way: journal, buffer, daily log, and what is told of them."""

import os

from belay.core import clock, files
from belay.core.constants import BUFFER_LINES, CAPTURES_OPEN
from belay.session import captures, journal
from belay.session.session import Session


def session(project, name="s-1"):
    return Session(project, name, os.environ)


def found(text, kind="decision"):
    return {"classes": {kind: 0.9}, "text": text, "origin": "typed"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def own_lines(project):
    """Count Belay's own lines in the buffer: all but title, markers and blank lines."""
    rows = read(project.buffer).splitlines()
    return [row for row in rows[1:] if row and not row.startswith("<!--")]


def test_journal_first_then_buffer_and_log(project):
    (taken,) = captures.record_captures(session(project), [found("SQLite for storage")])

    (record,) = journal.read(project.journal("s-1"))[0]
    assert record == taken
    assert taken["id"] in read(project.buffer)
    (log,) = [name for name in os.listdir(project.logs) if name.startswith("20")]
    assert taken["id"] in read(os.path.join(project.logs, log))
    assert captures.format_receipt([taken]) == f"Recorded {taken['id']} (decision): SQLite for storage"


def test_what_is_told_is_two_lines_at_most(project):
    taken = captures.record_captures(session(project), [found(f"choice {n} of thing {n}") for n in range(5)])
    assert len(captures.format_receipt(taken).splitlines()) == 2
    assert "3 more" in captures.format_receipt(taken)


def test_buffer_keeps_its_size_whatever_the_sessions(project):
    for number in range(4):
        one = session(project, f"s-{number}")
        captures.record_captures(one, [found(f"word{number}x{n} alpha{n} beta{number}{n} gamma{n}") for n in range(60)])
        assert len(own_lines(project)) <= BUFFER_LINES
    text = read(project.buffer)
    assert "word3x59" in text
    assert len(session(project, "s-0").state["captures"]) == 60


def test_a_correction_replaces_an_earlier_capture_says_so_and_the_log_keeps_that(project):
    one = session(project)
    (old,) = captures.record_captures(one, [found("the staging database listens on port 5433", "value")])
    taken = captures.record_captures(one, [found("No, the staging database listens on port 5434", "correction")])
    (left,) = one.state["captures"].values()
    assert "5434" in left["text"]
    assert "5433" not in read(project.buffer)
    assert "5433" in read(project.daily(clock.local_date()))
    assert f"(correction); replaces {old['id']}: No, the staging" in captures.format_receipt(taken)
    assert "replaces" not in journal.read(project.journal("s-1"))[0][-1]


def test_two_facts_of_nearly_the_same_words_both_stay(project):
    one = session(project)
    for text in ("retry failed uploads 3 times in the worker", "retry failed uploads 5 times in the client"):
        taken = captures.record_captures(one, [found(text)])
        assert "replaces" not in captures.format_receipt(taken)
        assert text in read(project.buffer)
    assert len(one.state["captures"]) == 2


def test_busy_buffer_never_costs_the_record(project, monkeypatch):
    from belay.core import lock

    monkeypatch.setattr(lock.hold.__init__, "__defaults__", (0.05,))
    with lock.hold(project.lock):
        (taken,) = captures.record_captures(session(project), [found("kept anyway")])
    assert journal.read(project.journal("s-1"))[0] == [taken]
    assert not os.path.exists(project.buffer)
    assert captures.update_buffer(session(project))
    assert taken["id"] in read(project.buffer)


def test_a_buffer_that_is_not_ours_to_touch_stays(project):
    os.makedirs(project.logs)
    with open(project.buffer, "w", encoding="utf-8") as file:
        file.write("a\n<<<<<<< HEAD\n")
    captures.record_captures(session(project), [found("kept in the journal")])
    assert read(project.buffer) == "a\n<<<<<<< HEAD\n"
    assert "conflict" in files.explain_refusal(project.buffer)


def test_one_more_than_the_buffer_shows_closes_the_oldest_and_says_so(project):
    one = session(project)
    rows = [found(f"word{n} alpha{n} beta{n} gamma{n}") for n in range(CAPTURES_OPEN)]
    taken = captures.record_captures(one, rows)
    assert [row for row in taken if "closes" in row or "replaces" in row] == []
    assert read(project.buffer).count("`C-") == CAPTURES_OPEN  # none is left out without a word

    (last,) = captures.record_captures(one, [found("short answers", "preference")])
    assert last["closes"] == [taken[0]["id"]]
    assert f"; closes {taken[0]['id']}, the oldest" in captures.format_receipt([last])
    assert taken[0]["id"] not in read(project.buffer)
    assert taken[0]["id"] in read(project.daily(clock.local_date()))
    closed = journal.read(project.journal("s-1"))[0][-1]
    assert (closed["kind"], closed["ids"], closed["how"]) == ("close", [taken[0]["id"]], "full")


def test_a_replacement_behind_the_second_line_is_told_too(project):
    one = session(project)
    (old,) = captures.record_captures(one, [found("the staging database listens on port 5433", "value")])
    more = [found("short answers"), found("SQLite for storage"), found("No, the staging database listens on port 5434")]
    more[2]["classes"] = {"correction": 0.9}

    told = captures.format_receipt(captures.record_captures(one, more))
    assert f"(and 1 more, in the working buffer; replaces {old['id']})" in told
