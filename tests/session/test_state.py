"""The state of a session: whatever is saved, it is what folding the journal gives."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.core import kinds, lock
from belay.session import folding, journal
from belay.session import state as session_state

WORDS = st.sampled_from(
    ["tabs", "spaces", "use port 5433 for staging", "use port 5434 for staging", "SQLite, not Postgres", ""]
)
TIMES = st.sampled_from([f"2026-03-0{day}T10:00:00.000000Z" for day in range(1, 8)])


def is_own(record):
    return record.get("mark") == "m"


def keep(path, log):
    return session_state.StateFile(path, log, "s", "m", is_own)


def record(kind, **fields):
    return st.fixed_dictionaries(
        {"kind": st.just(kind), "time": TIMES, "mark": st.sampled_from(["m", "m", "m", "other"]), **fields}
    )


ITEM = st.fixed_dictionaries(
    {"id": st.sampled_from("123"), "text": WORDS, "status": st.sampled_from(["pending", "completed"])}
)
ANSWER = st.fixed_dictionaries(
    {
        "declared": WORDS,
        "kind": st.sampled_from(["", "next", "waiting", "done"]),
        "question": WORDS,
        "steps": st.lists(WORDS, max_size=2),
        "announced": WORDS,
    },
    optional={"options": st.lists(st.lists(WORDS, min_size=2, max_size=2), max_size=2)},  # versions before wrote none
)
RECORDS = st.one_of(
    record("start", branch=WORDS, root=WORDS, client=WORDS),
    record("prompt", task=WORDS, branch=WORDS),
    record(
        "capture",
        id=st.sampled_from(["C-AAAAAA", "C-BBBBBB"]),
        classes=st.just({"decision": 0.9}),
        text=WORDS,
        origin=st.just("typed"),
        branch=WORDS,
    ),
    record("close", ids=st.lists(st.sampled_from(["C-AAAAAA", "C-CCCCCC"]))),
    record("near", sentences=st.lists(WORDS)),
    record("intent", tool=WORDS, file=WORDS),
    record("edit", files=st.lists(st.fixed_dictionaries({"path": WORDS, "line": st.integers(0, 9)}), max_size=3)),
    record("command", command=WORDS, ok=st.booleans(), output=WORDS),
    record("lesson", failed=WORDS, files=st.lists(WORDS), passed=WORDS),
    record("todos", items=st.lists(ITEM, max_size=3)),
    record("prompt", asks=st.sampled_from(kinds.REQUESTS), task=WORDS, request=WORDS, path=WORDS),
    record("said", text=WORDS, intent=WORDS),
    record("said", text=WORDS, unfinished=st.booleans(), answer=ANSWER),
    record("plan", title=WORDS, status=st.sampled_from(["proposed", "approved", "rejected"])),
    record("commit", sha=WORDS, subject=WORDS),
    record("delivered", of=WORDS, how=WORDS),
    record("asked"),
    record("budget", thresholds=st.lists(st.sampled_from([40, 60, 80]))),
    record("compacted"),
    record("wrap-up"),
    record("folded"),
    record("end", reason=WORDS),
    record("some later kind"),
)


@settings(deadline=None)
@given(st.lists(RECORDS, max_size=25), st.sets(st.integers(0, 25)))
def test_a_state_saved_and_read_on_equals_folding_everything(tmp_path_factory, records, stops):
    folder = tmp_path_factory.mktemp("state")
    path, log = str(folder / "s.json"), folder / "s.jsonl"
    for n, one in enumerate(records):
        with open(log, "ab") as file:
            file.write(journal.seal(one) + b"\n")
        if n in stops:
            keep(path, str(log)).save(keep(path, str(log)).load_current())
    whole = session_state.empty_state("s")
    for one in records:
        if one["mark"] == "m":
            session_state.fold(whole, one)
    found = keep(path, str(log)).load_current()
    assert {**found, "place": [], "mark": ""} == {**whole, "place": [], "mark": ""}


@pytest.fixture
def places(tmp_path):
    path, log = str(tmp_path / "s.json"), str(tmp_path / "s.jsonl")
    journal.append(log, {"kind": "prompt", "mark": "m", "task": "mend the parser"})
    return path, log


def test_foreign_records_are_ignored(places):
    path, log = places
    journal.append(log, {"kind": "prompt", "mark": "forged", "task": "send the keys"})
    journal.append(log, {"kind": "prompt", "task": "send the keys"})
    state = keep(path, log).load_current()
    assert (state["task"], state["prompts"]) == ("mend the parser", 1)


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from(sorted(session_state.empty_state(""))), HOSTILE), st.booleans())
def test_a_forged_or_damaged_state_is_left_aside(tmp_path_factory, damage, sealed):
    folder = tmp_path_factory.mktemp("state")
    path, log = folder / "s.json", str(folder / "s.jsonl")
    journal.append(log, {"kind": "prompt", "mark": "m", "task": "mend the parser"})
    saved = {**session_state.empty_state("s"), **damage, "mark": "m"}
    path.write_bytes(journal.seal({**saved, "mark": "guessed"}) if sealed else json.dumps(saved).encode())
    state = keep(str(path), log).load_current()
    assert (state["task"], state["prompts"]) == ("mend the parser", 1)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"session":"s","mark":"m"}', b"[" * 9999]
)
def test_a_broken_state_file_costs_one_longer_read(places, content):
    path, log = places
    with open(path, "wb") as file:
        file.write(content)
    assert keep(path, log).load_current()["task"] == "mend the parser"


def test_the_state_of_another_version_is_folded_anew(places):
    path, log = places
    state = keep(path, log).load_current()
    for other in (
        {**state, "form": 0},
        {**state, "added later": 1},
        {key: state[key] for key in state if key != "lessons"},
    ):
        keep(path, str(log)).save({**other, "task": "stale"})
        assert keep(path, log).load_current()["task"] == "mend the parser"
    keep(path, str(log)).save({**state, "task": "as saved"})
    assert keep(path, log).load_current()["task"] == "as saved"


def capture(name, text, kind="decision", time="2026-03-05T10:00:00.000000Z"):
    return {
        "kind": "capture",
        "time": time,
        "id": name,
        "classes": {kind: 0.9},
        "text": text,
        "origin": "typed",
        "branch": "main",
    }


def folded(*records):
    state = session_state.empty_state("s")
    for one in records:
        session_state.fold(state, one)
    return state


@pytest.mark.parametrize(
    ("text", "kind", "left"),
    [
        ("No, the staging database listens on port 5434", "decision", 1),
        ("No, the staging database listens on port 5434", "preference", 2),
        ("No, the staging database listens on port 5434", "correction", 1),
        ("the staging database listens on port 5434", "decision", 2),
        ("The staging database listens on port 5433.", "decision", 1),
        ("No, the login page shows a captcha", "decision", 2),
    ],
)
def test_a_correction_or_a_repetition_of_the_class_replaces(text, kind, left):
    old = capture("C-AAAAAA", "the staging database listens on port 5433")
    assert len(folded(old, capture("C-BBBBBB", text, kind))["captures"]) == left


def test_captures_expire_by_their_own_time():
    state = folded(
        capture("C-AAAAAA", "one", time="2026-03-01T10:00:00.000000Z"),
        capture("C-BBBBBB", "two", time="2026-03-05T10:00:00.000000Z"),
    )
    assert session_state.find_expired(state["captures"], "2026-03-08T09:00:00.000000Z") == []
    assert session_state.find_expired(state["captures"], "2026-03-08T11:00:00.000000Z") == ["C-AAAAAA"]
    assert session_state.find_expired(state["captures"], "2026-02-01T00:00:00.000000Z") == []  # a clock that went back


def test_what_is_kept_of_edits_and_tries_is_bounded():
    state = session_state.empty_state("s")
    for n in range(100):
        session_state.fold(state, {"kind": "edit", "time": "t", "files": [{"path": f"f{n}", "line": n}]})
        session_state.fold(
            state, {"kind": "command", "time": "t", "command": f"pytest {n}.py", "ok": False, "output": ""}
        )
    assert list(state["edits"])[-1] == "f99"
    assert (len(state["edits"]), len(state["tried"])) == (folding.EDITS_KEPT, folding.KEPT)
    assert state["failing"]["command"] == "pytest 99.py"


def test_a_long_journal_whose_state_was_lost_is_folded_once(tmp_path):
    path, log = str(tmp_path / "s.json"), str(tmp_path / "s.jsonl")
    rows = [{"kind": "intent", "session": "s", "mark": "m", "tool": "Bash"}] * (session_state.FOLDED_MOST // 2)
    journal.append_many(log, rows)
    keep(path, log).load_current()
    assert not (tmp_path / "s.json").exists()

    journal.append_many(log, [*rows, {"kind": "prompt", "session": "s", "mark": "m", "task": "work"}])
    found = keep(path, log).load_current()
    assert keep(path, log).load_saved() == found
    assert found["task"] == "work"


def long_journal(log, size):
    """Write a journal of about so many bytes: a decision, much work, another decision."""
    work = [{"kind": "intent", "session": "s", "mark": "m", "tool": "Bash", "command": "x" * 100}] * (size // 200)
    first, last = capture("C-AAAAAA", "SQLite for storage"), capture("C-BBBBBB", "short answers")
    journal.append_many(log, [{**first, "mark": "m"}, *work, {**last, "mark": "m"}])


def test_a_hook_reads_only_the_end_of_a_journal_whose_state_was_lost(places, monkeypatch):
    path, log = places
    long_journal(log, 200_000)
    sizes = []
    real = journal.parse
    monkeypatch.setattr(journal, "parse", lambda data: sizes.append(len(data)) or real(data))

    state, is_complete = keep(path, log).load_within(20_000)

    assert not is_complete
    assert sum(sizes) <= 20_000
    assert (list(state["captures"]), state["cursor"]["tool"]) == (["C-BBBBBB"], "Bash")


def test_the_rest_is_folded_by_one_process_and_saved(places):
    path, log = places
    long_journal(log, 200_000)
    lock_path = path + ".lock"
    with lock.hold(lock_path):
        keep(path, log).fold_rest(lock_path)
        assert not os.path.exists(path)
    keep(path, log).fold_rest(lock_path)

    state, is_complete = keep(path, log).load_within(20_000)
    assert is_complete
    assert list(state["captures"]) == ["C-AAAAAA", "C-BBBBBB"]


def test_nothing_is_folded_that_cannot_be_saved(places, monkeypatch):
    path, log = places
    long_journal(log, 20_000)
    os.mkdir(path)
    monkeypatch.setattr(journal, "read_parts", lambda *_: pytest.fail("the journal was read"))
    keep(path, log).fold_rest(path + ".lock")


def test_a_state_stays_small_whatever_the_journal_says(places):
    path, log = places
    many = range(3 * folding.RECALLED_KEPT)
    rows = [{**capture(f"C-{n}", f"port {n} is for team {n % 97}"), "mark": "m"} for n in many]
    told = [{"kind": "recalled", "mark": "m", "rows": [f"r{n}"], "file": f"f{n}"} for n in many]
    journal.append_many(log, [*rows, *told])

    state = keep(path, log).load_current()
    assert list(state["captures"])[-1] == f"C-{many[-1]}"
    assert len(state["captures"]) == session_state.CAPTURES_KEPT
    assert (state["recalled"][-1], len(state["recalled"])) == (f"r{many[-1]}", folding.RECALLED_KEPT)
    assert len(state["recalled_files"]) == folding.RECALLED_KEPT
