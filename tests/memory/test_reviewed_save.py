import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.memory import reviewed_save
from belay.memory.document import facts, page

AUTOMATIC = " <!-- 5e551011, not reviewed -->"


def memory(updated, *rows):
    log = "".join(f"| {at} | {date} | {text} |\n" for at, (date, text) in enumerate(rows, 1))
    return (
        f"# Project Memory\nLast updated: {updated} | Session {len(rows)} | Branch: main\n\n## Project Overview\nA shop.\n"
        f"\n## Session Log\n| Session | Date | Summary |\n|---------|------|---------|\n{log}"
    )


@pytest.mark.parametrize(
    ("updated", "rows", "date"),
    [
        ("2026-03-01", [], "2026-03-01"),
        ("2026-03-01", [("2026-03-01", "tax")], "2026-03-01"),
        ("2026-03-04", [("2026-03-01", "tax"), ("2026-03-04", "cake" + AUTOMATIC)], "2026-03-01"),
        ("2026-03-06", [("2026-03-01", "tax"), ("2026-03-04", "cake" + AUTOMATIC)], "2026-03-06"),
        ("2026-03-04", [("2026-03-02", "tax" + AUTOMATIC), ("2026-03-04", "cake" + AUTOMATIC)], "2026-03-02"),
        ("2026-03-05", [("2026-03-04", "tax" + AUTOMATIC), ("2026-03-05", "cake")], "2026-03-05"),
    ],
)
def test_the_day_of_the_last_save_that_somebody_reviewed(updated, rows, date):
    text = memory(updated, *rows)

    assert reviewed_save.find_review_date(facts.read_facts(page.parse(text))) == date
    assert reviewed_save.read_review_date(text) == date


dates = st.sampled_from(["2026-03-01", "2026-03-02", "2026-03-03", ""])
rows = st.tuples(dates, st.sampled_from(["tax", "cake" + AUTOMATIC]))


@given(dates.filter(bool), st.lists(rows, max_size=5))
def test_text_and_facts_agree(updated, found):
    text = memory(updated, *found)

    assert reviewed_save.read_review_date(text) == reviewed_save.find_review_date(facts.read_facts(page.parse(text)))
