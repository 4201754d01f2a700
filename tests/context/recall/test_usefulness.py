"""What recalls came to: exact counts from journals, one record a session, however often it is looked at."""

import os

import pytest

from belay.context.recall import term_index, usefulness
from belay.knowledge.entries.entries import Entry
from belay.knowledge.store.store import Store
from belay.session import journal
from belay.session.session import Session

GOTCHA = Entry("K-AAAAAA", "gotcha", "handleRefund rounds the Norwegian tax down", files=("src/pay.py", "src/ui/"))
TOLD = {"kind": "recalled", "rows": [], "entries": {"K-AAAAAA": 20}}


def edit(path):
    return {"kind": "edit", "files": [{"path": path, "line": 1}]}


def correction(text="No, that is wrong."):
    return {"kind": "capture", "classes": {"correction": 0.9}, "text": text}


def counted(*records):
    found = usefulness.count_recalls(list(records), {"K-AAAAAA": GOTCHA}).get("K-AAAAAA", {})
    return tuple(found.get(key, 0) for key in ("recalled", "used", "helpful", "harmful", "tokens"))


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([edit("src/pay.py")], (0, 0, 0, 0, 0)),
        ([TOLD], (1, 0, 0, 0, 20)),
        ([edit("src/pay.py"), TOLD], (1, 0, 0, 0, 20)),
        ([TOLD, edit("src/pay.py")], (1, 1, 1, 0, 20)),
        ([TOLD, edit("src/ui/list/row.py")], (1, 1, 1, 0, 20)),
        ([TOLD, edit("src/payment.py")], (1, 0, 0, 0, 20)),
        ([TOLD, {"kind": "intent", "tool": "Bash", "command": "grep -rn handleRefund ."}], (1, 1, 1, 0, 20)),
        ([TOLD, {"kind": "prompt", "text": "is the Norwegian rounding right now?"}], (1, 0, 0, 0, 20)),
        ([TOLD, {"kind": "prompt", "text": "is Norwegian tax right now?"}], (1, 1, 1, 0, 20)),
        ([TOLD, {"kind": "prompt", "text": "tax the goats"}], (1, 0, 0, 0, 20)),
        ([TOLD, edit("src/pay.py"), correction()], (1, 1, 0, 1, 20)),
        ([TOLD, edit("other.py"), correction()], (1, 0, 0, 0, 20)),
        ([TOLD, correction("No, handleRefund must round up.")], (1, 0, 0, 1, 20)),
        ([correction(), TOLD, edit("src/pay.py")], (1, 1, 1, 0, 20)),
        ([TOLD, edit("src/pay.py"), TOLD], (1, 1, 1, 0, 40)),
        ([{**TOLD, "start": True}], (0, 0, 0, 0, 20)),
        ([{**TOLD, "start": True}, TOLD], (1, 0, 0, 0, 40)),
        ([{**TOLD, "start": True}, edit("src/pay.py")], (1, 1, 1, 0, 20)),
    ],
)
def test_counts_are_exact(records, expected):
    assert counted(*records) == expected


@pytest.fixture
def worked(project):
    """A function that journals a session's records, after an entry was made: worked(name, *records) → its session."""

    def work(name, *records):
        session = Session(project, name, os.environ)
        for record in records:
            fields = {key: value for key, value in record.items() if key != "kind"}
            session.log(record["kind"], **fields)
        return session

    return work


def standing(project, name):
    with Store(project.workshop, os.environ) as store:
        entry = store.get(name)
    return (entry.recalled, entry.used, entry.helpful, entry.harmful, entry.tokens)


def records_of(project):
    return [row for row in journal.read(project.ledger)[0] if row["kind"] == "entry-count"]


def test_sessions_add_up_and_are_counted_once(project, worked):
    with Store(project.workshop, os.environ, create=True) as store:
        name = store.add("gotcha", GOTCHA.content, files=list(GOTCHA.files)).id
    told = {**TOLD, "entries": {name: 20}}
    first = worked("s-1", told, edit("src/pay.py"))
    second = worked("s-2", told, edit("src/pay.py"), correction())
    third = worked("s-3", edit("src/pay.py"))
    sessions = [first, second, third]

    assert usefulness.count_as_step(project, os.environ, sessions) == 2
    assert usefulness.count_as_step(project, os.environ, sessions) == 0
    assert standing(project, name) == (2, 2, 1, 1, 40)

    os.unlink(os.path.join(project.states, usefulness.LOOKED))
    assert usefulness.count_as_step(project, os.environ, sessions) == 0
    worked("s-1", correction())
    assert (
        usefulness.count_as_step(project, os.environ, [Session(project, one.name, os.environ) for one in sessions]) == 1
    )
    assert standing(project, name) == (2, 2, 0, 2, 40)
    assert [row["of"] for row in records_of(project)] == ["s-1", "s-2", "s-1"]


def test_another_users_records_and_unknown_entries_count_nothing(project, worked):
    with Store(project.workshop, os.environ, create=True) as store:
        name = store.add("gotcha", GOTCHA.content).id
    session = worked("s-1", {**TOLD, "entries": {"K-ZZZZZZ": 20}})
    journal.append(project.journal("s-1"), {"kind": "recalled", "mark": "forged", "entries": {name: 20}})
    assert usefulness.count_as_step(project, os.environ, [session]) == 0
    assert standing(project, name) == (0, 0, 0, 0, 0)


def test_without_a_base_there_is_nothing_to_count(project, worked):
    assert usefulness.count_as_step(project, os.environ, [worked("s-1", TOLD)]) == 0


def test_what_was_told_in_vain_five_times_leaves_the_index_of_prompts(project, worked):
    with Store(project.workshop, os.environ, create=True) as store:
        name = store.add("gotcha", GOTCHA.content).id
    sessions = [worked(f"s-{number}", {**TOLD, "entries": {name: 20}}) for number in range(5)]
    term_index.update_as_step(project, os.environ, [])
    with open(term_index.index_path(project), "rb") as file:
        before = file.read()
    usefulness.count_as_step(project, os.environ, sessions)
    term_index.update_as_step(project, os.environ, [])
    with open(term_index.index_path(project), "rb") as file:
        after = file.read()
    assert standing(project, name)[:2] == (5, 0)
    assert (before.split()[3], after.split()[3]) == (b"4", b"0")
