import pytest

from belay.memory.document import path_references
from belay.memory.drift import finished_work
from belay.memory.drift.carried_out import Since
from belay.repository.git.history import Commit, File

NOTHING = Since({}, [], [])


class Looked:
    """What `done` asks of a look."""

    def __init__(self, text, commits):
        row = {"line": 7, "text": text, "done": False}
        self.facts = {
            "active": [row],
            "refs": [ref._asdict() for ref in path_references.find_paths_in_line(text, 7)],
        }
        self.commits = commits


def said(text, *subjects, path="src/api/refunds.ts"):
    commits = [Commit(f"{at:040x}", "", "", "", ("p",), one, (File("M", path),)) for at, one in enumerate(subjects)]
    return [row["quoted"] for row in finished_work.find_conflicts(Looked(text, commits), NOTHING)]


@pytest.mark.parametrize(
    ("item", "subject"),
    [
        ("handleRefund() in `src/api/refunds.ts`: needs implementation", "Implement handleRefund()"),
        ("`handleRefund()` — stubbed, needs implementation", "feat(refunds): finish handleRefund"),
        ("Refund webhook signature check in `src/api/refunds.ts`", "Check the signature of refund webhooks"),
        ("Integration tests for webhook endpoints", "Add integration tests for the webhook endpoints"),
        ("Rate limits in `src/api/`", "Limit the rate of refunds"),
    ],
)
def test_work_that_was_committed(item, subject):
    assert said(item, subject) == [subject]


@pytest.mark.parametrize(
    ("item", "subject"),
    [
        ("handleRefund() in `src/api/refunds.ts`", "Add tests for handleRefund()"),
        ("handleRefund() in `src/api/refunds.ts`", "Stub handleRefund()"),
        ("handleRefund() in `src/api/refunds.ts`", "Fix a typo in handleRefund()"),
        ("handleRefund() in `src/api/other.ts`", "Implement handleRefund()"),
        ("Refund webhook signature check in `src/api/refunds.ts`", "Retry refunds"),
        ("Refund webhook", "Refund webhook"),
        ("Add caching", "Add caching"),
        ("Make it fast", "Make it fast and small"),
        ("", "Implement handleRefund()"),
        ("Tests for the refund queue in `src/api/refunds.ts`", "Let the refund queue compile on Windows"),
        ("Document the refund queue in `src/api/refunds.ts`", "Speed up the refund queue"),
    ],
)
def test_work_that_may_not_be_done(item, subject):
    assert said(item, subject) == []


def test_what_was_reverted_is_not_done():
    assert said("handleRefund() needs work", 'Revert "Implement handleRefund()"', "Implement handleRefund()") == []


def test_a_tick_is_offered():
    (row,) = finished_work.find_conflicts(
        Looked("handleRefund()", [Commit("1" * 40, "", "", "", ("p",), "Implement handleRefund()", ())]), NOTHING
    )

    assert row["repair"] == {"kind": "tick", "lines": [7]}
