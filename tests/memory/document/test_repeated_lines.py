"""The same fact is found again; a number, a path, a "not" or the order of names makes another one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.document import page, repeated_lines


def found(**texts):
    return repeated_lines.pairs({name: page.parse(text) for name, text in texts.items()})


SAME = [
    ("- Payments go through Stripe webhooks, never polling", "Payments go through Stripe webhooks, never polling.", "exact"),
    ("| 2026-01-02 | Payments go through Stripe webhooks |", "- payments **go** through Stripe `webhooks`", "exact"),
    ("- [x] 2026-01-02 Deploys run from the main branch nightly", "* Deploys run from the main branch nightly", "exact"),
    ("- All database access goes through the Prisma client in `src/db.ts`",
     "- All of the database access goes through one Prisma client, in `src/db.ts`", "near"),
]  # fmt: skip
OTHER = [
    ("- Prices are stored as integer cents with 2 decimals", "- Prices are stored as integer cents with 3 decimals"),
    ("- Database access goes through the client in `src/db.ts`", "- Database access goes through the client in `src/dc.ts`"),
    ("- Sessions are stored in the Redis cluster cache", "- Sessions are not stored in the Redis cluster cache"),
    ("- We chose Prisma over Drizzle for database type inference", "- We chose Drizzle over Prisma for database type inference"),
    ("- Templates have category based organization for images", "- Templates have category based filtering for images"),
    ("- Run the tests", "- Run the tests"),
    ("- None", "- None"),
    ("```\nconst client = new Stripe(key, options)\n```", "```\nconst client = new Stripe(key, options)\n```"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "how"), SAME)
def test_the_same_fact_is_found(one, other, how):
    head = "| Date | Decision |\n|--|--|\n" if one.startswith("|") else ""
    (pair,) = found(a="# T\n" + head + one + "\n", b=other + "\n")

    assert (pair.how, pair.a.file, pair.b.file, pair.b.line) == (how, "a", "b", 1)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_fact_is_none(one, other):
    assert found(a=one + "\n", b=other + "\n") == []


def test_a_fact_in_two_sections_of_one_file_is_found_with_its_lines():
    text = "# T\n## A\nIntro stands here.\nThe queue keeps failed jobs for review.\n## B\n- the queue keeps failed jobs for review\n"

    (pair,) = found(M=text)

    assert (pair.a, pair.b) == (repeated_lines.Place("M", 4, 1), repeated_lines.Place("M", 6, 2))


@given(st.text(max_size=300))
@settings(deadline=None)
def test_any_text_is_looked_through(text):
    lines = page.split_lines(text)
    told = [
        place for pair in repeated_lines.pairs({"a": page.parse(text), "b": page.parse(text)}) for place in pair[:2]
    ]

    assert all(1 <= place.line <= len(lines) for place in told)
