"""Which sentences of an answer state what Claude found out, and which only look so."""

import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from belay.session import journal
from belay.session.session import Session
from belay.session.work import answer, findings


def find(text):
    return [finding["text"] for finding in findings.find_findings(answer.read_lines(text))]


@pytest.mark.parametrize(
    "text",
    [
        "The root cause: `acquire()` in pool.py never returns a connection that timed out.",
        "The pool test is flaky because `PoolTest.tearDown` closes the socket before the worker thread has read it.",
        "It turns out that `parse_row()` reads the header twice, so the first record is always lost.",
        "The bug was a missing `await` in `src/queue.ts:41`, and the promise was silently dropped.",
        "`Config.merge` never copies nested keys, so `timeout` falls back to the default in production.",
        "The upstream server rejects `PATCH` by design; only `PUT /v2/items` is supported.",
        "Die Ursache: `lock_timeout` steht in `db.yaml` auf 0, deshalb wartet jede Migration.",
    ],
)
def test_a_cause_or_a_constraint_that_names_code_is_a_finding(text):
    assert find(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass and the branch is pushed to `origin/main` because you asked for it?",
        "I'll check whether `pool.py` is the root cause of the failure.",
        "Let me look at why `acquire()` never returns.",
        "Want me to fix it because `pool.py` leaks a socket?",
        "Probably the root cause is in `pool.py`, but I suspect the kernel.",
        "If `pool.py` is missing from the list, the problem is elsewhere.",
        "Added `retry()` to `net.py` because the tests need it.",
        "You should not edit `generated.ts` because it is overwritten.",
        "The problem was that nobody had looked at the numbers, because they never arrived.",
        "This is because it never returns from `acquire()`.",
        "Done.",
        "",
    ],
)
def test_a_plan_a_guess_and_what_leans_on_nothing_is_no_finding(text):
    assert find(text) == []


def test_a_sentence_that_leans_takes_the_one_before_it_along():
    text = "The cache key has no tenant. That's why `load_user()` returned the wrong row after a switch."
    assert find(text) == [text]


def test_code_tables_quotations_and_headings_hold_none():
    cause = "The root cause is that `acquire()` never returns a connection."
    assert find(f"```\n{cause}\n```\n> {cause}\n| {cause} |\n# {cause}") == []


def test_a_label_that_is_a_heading_goes_and_emphasis_too():
    found = find("- **Queue**: The worker never sees `SIGTERM`, because `tini` is missing from the image.")
    assert found == ["The worker never sees `SIGTERM`, because `tini` is missing from the image."]


def test_an_answer_gives_its_three_best_in_their_order():
    rows = [f"The root cause of case {n}: `f{n}()` never returns, because `g{n}()` fails." for n in range(5)]
    weaker = "`Config.merge` never copies nested keys, so `timeout` falls back to the default."
    found = find("\n\n".join([weaker, *rows]))
    assert len(found) == findings.MOST
    assert weaker not in found


PIECES = st.sampled_from(
    [
        "The root cause is ",
        "`f()`",
        " because ",
        ". ",
        "? ",
        "\n",
        "- ",
        "**",
        ": ",
        "It ",
        "never ",
        "x" * 90,
        "1. ",
        "”",
        "é",
    ]
)


@example("0000000000000000000000_ BECAUSE 00000  0")
@given(st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=60).map("".join)))
def test_any_text_gives_short_lines(text):
    for found in findings.find_findings(answer.read_lines(text)):
        assert findings.LEAST_CHARS <= len(found["text"]) <= findings.FINDING_CHARS
        assert found["text"] == " ".join(found["text"].split())
        assert found["score"] >= findings.LEAST_SCORE


def test_the_journal_keeps_the_findings_of_an_answer_that_ended(project):
    session = Session(project, "s1", os.environ)
    cause = "The root cause: `acquire()` in pool.py never returns a connection that timed out."
    for said in (
        f"{cause}\n\nThe pool test passes now, three runs in a row, and nothing else changed.",
        f"{cause} Let me fix it:",
    ):
        answer.record_answer(session, said)
    records = [row for row in journal.read(project.journal("s1"))[0] if row["kind"] == "said"]
    assert [[finding["text"] for finding in row.get("findings", [])] for row in records] == [[cause], []]
