"""A branch's memory over the base's: what is on top wins by key, nothing below is erased."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.document import layers
from belay.memory.document.facts import read_facts
from belay.memory.document.page import parse

BASE = """# Project Memory
Last updated: 2026-03-01 | Session 9 | Branch: main
Memory health: 8/10

## Project Overview
A shop in Python.

## Where We Left Off
- **Current task:** the cart
- **Status:** done
- **Next immediate step:** the till

## Active Work
- [ ] the till
- [ ] the door
  - [ ] its key

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-02-01 | SQLite | one file | store |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `cart.py` | the cart | session 3 |

## Architecture Notes
The shop talks to the cart over a queue.

## User Preferences
- tabs
"""
OVERLAY = """<!-- belay: overlay tip - start - patch - -->
# Branch Memory
Last updated: 2026-03-04 | Session 3 | Branch: feature/tax

## Where We Left Off
- **Current task:** the tax
- **Next immediate step:** `rate()` in tax.py

## Active Work
- [x] the till
- [ ] rates by country
  - [ ] of Malta

## Blockers
- the list of rates

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-03-02 | Decimal | cents | tax.py |
| 2026-03-03 | SQLite | it is small | tax.py |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `cart.py` | the cart and its tax | session 3 |
| `tax.py` | rates | session 3 |

## Architecture Notes
Rates are cached.

## Risks
> of the tax office
"""


def told(base=BASE, overlay=OVERLAY):
    return read_facts(parse(layers.merge_overlay(parse(base), parse(overlay))))


def test_the_top_wins_row_by_row_and_erases_nothing():
    found = told()

    assert found["left"] == {
        "task": "the tax", "status": "done", "next": "`rate()` in tax.py", "question": "",
    }  # fmt: skip
    assert [(row["text"], row["done"]) for row in found["active"]] == [
        ("the till", True), ("the door", False), ("its key", False),
        ("rates by country", False), ("of Malta", False),
    ]  # fmt: skip
    assert [row["text"] for row in found["blockers"]] == ["the list of rates"]
    assert [(row["decision"], row["reason"]) for row in found["decisions"]] == [
        ("SQLite", "one file"), ("SQLite", "it is small"), ("Decimal", "cents"),
    ]  # fmt: skip
    assert [(row["path"], row["purpose"]) for row in found["files"]] == [
        ("cart.py", "the cart and its tax"), ("tax.py", "rates"),
    ]  # fmt: skip
    assert [row["text"] for row in found["architecture"]] == [
        "The shop talks to the cart over a queue.",
        "Rates are cached.",
    ]
    assert found["overview"] == "A shop in Python."
    assert found["header"]["branch"] == "feature/tax"
    assert found["header"]["health"] == 8


def test_the_text_reads_well():
    text = layers.merge_overlay(parse(BASE), parse(OVERLAY))

    assert "belay: overlay" not in text
    assert "- [ ] the door\n  - [ ] its key\n- [ ] rates by country\n  - [ ] of Malta\n\n## Key Decisions" in text
    assert text.endswith("- tabs\n\n## Blockers\n- the list of rates\n\n## Risks\n> of the tax office\n")
    assert text.count("| Date | Decision |") == 1


def test_an_older_header_does_not_win():
    assert told(overlay=OVERLAY.replace("2026-03-04", "2026-02-04"))["header"]["branch"] == "main"


def test_an_overview_on_top_takes_the_place_of_the_one_below():
    found = layers.merge_overlay(parse(BASE), parse("## Project Overview\nA shop with tax.\n"))

    assert "A shop with tax." in found
    assert "A shop in Python." not in found


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_the_bases_line_ends_are_taken(end):
    text = layers.merge_overlay(parse(BASE.replace("\n", end)), parse(OVERLAY))

    assert text.replace(end, "\n") == layers.merge_overlay(parse(BASE), parse(OVERLAY))


def test_placeholders_of_a_template_win_over_nothing():
    overlay = "## Where We Left Off\n- **Status:** [done | in progress]\n\n## Blockers\n- [blocker]\n- None\n"

    assert layers.merge_overlay(parse(BASE), parse(overlay)) == BASE


def test_rows_in_other_columns_are_put_into_the_bases():
    overlay = "## Decision Log\n| Decision | Rationale | Date |\n|---|---|---|\n| Decimal | cents | 2026-03-02 |\n"

    assert "| 2026-03-02 | Decimal | cents |  |" in layers.merge_overlay(parse(BASE), parse(overlay))


def test_a_table_over_a_list_keeps_its_head():
    base = "# M\n\n## Key Decisions\n- 2026-01-01 SQLite: one file\n"
    text = layers.merge_overlay(parse(base), parse(OVERLAY))

    assert "one file\n\n| Date | Decision | Reasoning | Affects |\n|---" in text
    assert [row["decision"] for row in read_facts(parse(text))["decisions"]][1:] == ["Decimal", "SQLite"]


def test_a_nearer_memory_lies_over_the_roots():
    near = "# Web\n\n## Project Overview\nThe web part.\n\n## Key Files\n| File | Purpose |\n|---|---|\n| web.py | serves |\n"
    found = told(overlay=near)

    assert found["overview"] == "The web part."
    assert [row["path"] for row in found["files"]] == ["cart.py", "web.py"]


ROWS = st.lists(
    st.one_of(
        st.sampled_from(["## Active Work", "## Key Decisions", "## Own", "### Sub", ""]),
        st.sampled_from("abcdef").map(lambda letter: f"- [ ] {letter}"),
        st.sampled_from("abcdef").map(lambda letter: f"| 2026-01-01 | {letter} | why |"),
        st.sampled_from(["| Date | Decision | Reasoning |\n|---|---|---|", "text", "  - nested", "1. one"]),
    ),
    max_size=14,
).map(lambda rows: "\n".join(rows) + "\n")


@settings(max_examples=150, deadline=None)
@given(ROWS, ROWS)
def test_any_overlay_leaves_every_decision_and_is_there_itself(base, overlay):
    text = layers.merge_overlay(parse(base), parse(overlay))
    after = read_facts(parse(text))

    for row in read_facts(parse(base))["decisions"]:
        assert row["decision"] in [one["decision"] for one in after["decisions"]]
    for row in read_facts(parse(overlay))["active"]:
        assert row["text"] in " ".join(text.split())


@settings(max_examples=80, deadline=None)
@given(ROWS)
def test_an_empty_overlay_changes_no_byte(base):
    assert layers.merge_overlay(parse(base), parse("")) == base


TABLE = """# M

## Key Decisions
| Date | Decision | Reasoning | Affects |
|---|---|---|---|
| 2026-01-01 | Redis | fast | queue |
| 2026-01-02 | Webp | small | img |
"""


def rows(text, name="decisions"):
    return read_facts(parse(text))[name]


def test_an_item_beside_a_row_does_not_cut_the_table():
    merged = layers.merge_overlay(parse(TABLE), parse("# B\n\n## Decisions\n- Redis\n"))
    assert [row["decision"] for row in rows(merged)] == ["Redis", "Webp", "Redis"]
    notes = "# M\n\n## Blockers\n| Blocker |\n|---|\n| the key |\n| the font |\n"
    merged = layers.merge_overlay(parse(notes), parse("# B\n\n## Blockers\n- the key\n"))
    assert merged == "# M\n\n## Blockers\n| Blocker |\n|---|\n| the font |\n\n- the key\n"


def test_a_new_section_parts_no_section_from_its_own():
    base = TABLE + "\n### Decision Log\n- cents\n"
    merged = layers.merge_overlay(parse(base), parse("# Key Decisions\n\n## Active Work\n- [ ] till\n"))
    assert [row["decision"] for row in rows(merged)] == ["Redis", "Webp", "cents"]
