"""What is told of a memory, in which order, and what is left out."""

from pathlib import Path

import pytest

from belay.memory.document import facts, page
from belay.memory.remember import tiers

SAMPLES = Path(__file__).parents[2] / "data" / "memory" / "samples"


def of(text):
    return facts.read_facts(page.parse(text))


def sample(name):
    return of((SAMPLES / f"{name}.md").read_text())


def test_tier_one_begins_with_the_next_step():
    assert tiers.format_lines(sample("template"), 1) == [
        "Next step: Finish `handleRefund()`",
        "Current task: Stripe refund in `src/api/stripe.ts:89`",
        "Status: in progress",
        "Project: Bakery shop. Next.js 14, Prisma, Stripe.",
    ]


def test_blockers_stand_before_the_overview_and_resolved_ones_are_left_out():
    text = "# M\n\n## Project Overview\nA shop.\n\n## Blockers\n- API key of Stripe\n- ~~Old one~~\n- Waiting for Ada\n"
    assert tiers.format_lines(of(text), 1) == [
        "Blocked: API key of Stripe",
        "Waiting for Ada",
        "Project: A shop.",
    ]


def test_an_overview_is_two_sentences():
    assert tiers.first_sentences("One is v1.2. Two is here. Three is too much.") == "One is v1.2. Two is here."
    assert len(tiers.first_sentences("word " * 100)) <= tiers.LINE_CHARS


def test_tier_two_and_three():
    told = tiers.format_lines(sample("template"), 2)
    assert "Decision: 2026-11-01 Prisma | Drizzle (types; All DB)" in told
    assert "File: src/api/stripe.ts: webhooks" in told
    assert tiers.format_lines(sample("template"), 3) == ["Session 4 (2026-11-16): x"]


def test_workstreams_that_are_not_done_say_what_comes_next():
    (line,) = tiers.format_lines(sample("workstreams"), "left")
    assert line == (
        "Workstream Refunds; status: model written, view missing; next when resumed: Write `RefundView` in "
        "`shop/views.py`; reference: `shop/refunds.py`"
    )
    assert any("; metric: 3 % of orders" in row for row in tiers.format_lines(sample("workstreams"), "workstreams"))


TWO = """# M

## Active Workstreams

### 1. Search page
**Status:** half
**Next when resumed:** Write the index
**Reference:** `src/search.py`

### 2. Refunds by mail
**Status:** begun
**Next when resumed:** Write `view()`
**Reference:** `src/refunds.py`
"""


@pytest.mark.parametrize(
    ("branch", "touched", "first"),
    [
        ("", [], "Search page"),
        ("feature/refunds-mail", [], "Refunds by mail"),
        ("main", ["src/refunds.py"], "Refunds by mail"),
        ("main", ["src/other.py"], "Search page"),
    ],
)
def test_the_touched_workstream_stands_first(branch, touched, first):
    assert tiers.format_lines(of(TWO), 1, branch, touched)[0].startswith(f"Workstream {first};")


def test_what_another_file_says_already_is_not_told_again():
    known = of("# M\n\n## Project Overview\nA shop.\n\n## Blockers\n- The key\n- The lock\n")
    assert tiers.format_lines({**known, "told": [4, 7]}, 1) == ["Blocked: The lock"]


def test_an_empty_memory_tells_nothing():
    for text in (
        "",
        "# Project Memory\n",
        "## Where We Left Off\n- **Current task:** none\n- **Status:** [done]\n",
    ):
        assert tiers.format_lines(of(text), 1) == []
        assert [tiers.format_lines(of(text), tier) for tier in (2, 3, 4)] == [[], [], []]
