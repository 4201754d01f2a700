"""What of an overlay goes where when its branch is merged."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from belay.memory.branches.fold_rows import fold_overlay
from belay.memory.document.facts import read_facts
from belay.memory.document.page import parse

TEMPLATE = (Path(__file__).parents[3] / "templates" / "MEMORY.md").read_text()
BASE = """# Project Memory
Last updated: 2026-03-01 | Session 9 | Branch: main
Memory health: 8/10

## Project Overview
A shop in Python.

## Where We Left Off
- **Current task:** the cart
- **Next immediate step:** the till

## Active Work
- [ ] the till
- [ ] the door

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-02-01 | SQLite | one file | store |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `cart.py` | the cart | session 8 |

## Session Log
| Session | Date | Summary |
|---------|------|---------|
| 9 | 2026-03-01 | the cart |
"""
OVERLAY = """<!-- belay: overlay tip - start - patch - -->
# Branch Memory
Last updated: 2026-03-04 | Session 3 | Branch: feature/tax

## Project Overview
Another shop.

## Where We Left Off
- **Current task:** the tax
- **Status:** in progress
- **Next immediate step:** `rate()` in tax.py
- **Open question:** which countries?

## Completed
- 2026-03-03 rates read

## Active Work
- [x] the till
- [x] the table of rates
- [ ] rates by country
  - [ ] of Malta

## Blockers
- the list of rates
- ~~the key~~ DONE 2026-03-02

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-03-02 | Decimal | cents | tax.py |
| 2026-03-03 | SQLite | it is small | tax.py |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `cart.py` | the cart of old | session 2 |
| `tax.py` | rates | session 3 |

## Known Issues
- rounding

## Risks
The tax office.
"""


def lifted(base=BASE, overlay=OVERLAY, branch="feature/tax"):
    return fold_overlay(base, overlay, branch, "2026-03-05", TEMPLATE)


def told(text):
    return read_facts(parse(text))


def test_each_section_goes_to_its_place():
    text, sections = lifted()
    found = told(text)

    assert [(row["decision"], row["reason"]) for row in found["decisions"]] == [
        ("SQLite", "one file"), ("SQLite (feature/tax)", "it is small"), ("Decimal", "cents"),
    ]  # fmt: skip
    assert [(row["path"], row["purpose"]) for row in found["files"]] == [
        ("cart.py", "the cart"),
        ("tax.py", "rates"),
    ]
    assert [(row["date"], row["text"]) for row in found["completed"]] == [
        ("2026-03-03", "rates read"), ("2026-03-04", "the till"), ("2026-03-04", "the table of rates"),
    ]  # fmt: skip
    assert [(row["text"], row["done"]) for row in found["active"]] == [
        ("the till", True), ("the door", False), ("rates by country (feature/tax)", False), ("of Malta", False),
        ("`rate()` in tax.py (feature/tax)", False), ("Open question: which countries? (feature/tax)", False),
    ]  # fmt: skip
    assert [row["text"] for row in found["blockers"]] == ["the list of rates (feature/tax)"]
    assert [row["text"] for row in found["issues"]] == ["rounding"]
    assert found["left"] == told(BASE)["left"]
    assert found["header"] == told(BASE)["header"]
    assert found["overview"] == "A shop in Python."
    assert "\n## Risks\nThe tax office.\n" in text
    assert sections == [
        "Completed",
        "Active Work",
        "Blockers",
        "Key Decisions",
        "Key Files",
        "Known Issues",
        "Risks",
    ]


def test_the_second_time_changes_nothing():
    text = lifted().text

    assert lifted(text) == (text, [])


def test_a_branch_that_was_left_done_leaves_no_open_step():
    overlay = OVERLAY.replace("in progress", "done, merged today").replace(
        "- [ ] rates by country\n  - [ ] of Malta\n", ""
    )

    assert [row["text"] for row in told(lifted(overlay=overlay).text)["active"]] == ["the till", "the door"]


def test_a_done_with_a_rest_is_not_done():
    overlay = OVERLAY.replace("in progress", "done except for Malta")

    assert "`rate()` in tax.py (feature/tax)" in lifted(overlay=overlay).text


def test_without_a_base_one_is_made():
    text, sections = lifted("")

    assert text.startswith("# Project Memory\n\n## Project Overview\nAnother shop.\n")
    assert (
        "## Key Decisions\n| Date | Decision | Reasoning | Affects |\n|------|----------|-----------|---------|\n| 2026-03-02"
        in text
    )
    assert "External Context" not in text
    assert lifted(text)[1] == []
    assert "Risks" in sections


def test_line_ends_of_the_base_are_kept():
    text = lifted(BASE.replace("\n", "\r\n")).text

    assert text.replace("\r\n", "\n") == lifted().text
    assert "\n" not in text.replace("\r\n", "")


def test_a_branch_name_breaks_no_table():
    text = lifted(branch="a|b").text

    assert "| 2026-03-03 | SQLite (a\\|b) | it is small | tax.py |" in text
    assert lifted(text, branch="a|b")[1] == []


NAMES = "abcdef"
PIECES = st.one_of(
    st.sampled_from(NAMES).map(lambda one: ("Active Work", f"- [ ] task {one}")),
    st.sampled_from(NAMES).map(lambda one: ("Active Work", f"- [x] task {one}")),
    st.sampled_from(NAMES).map(lambda one: ("Blockers", f"- block {one}")),
    st.sampled_from(NAMES).map(lambda one: ("Architecture Notes", f"- note {one}")),
    st.sampled_from(NAMES).map(lambda one: ("Architecture Notes", f"Prose {one}\nof two lines.\n")),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).map(
        lambda pair: ("Key Decisions", f"| 2026-01-01 | use {pair[0]} | why {pair[1]} | x |")
    ),
    st.sampled_from(NAMES).map(lambda one: ("Key Files", f"| `{one}.py` | file {one} | session 2 |")),
)


def written(pieces):
    found = {}
    for section, line in pieces:
        found.setdefault(section, []).append(line)
    heads = {"Key Decisions": "| Date | Decision | Reasoning | Affects |\n|---|---|---|---|\n",
             "Key Files": "| File | Purpose | Last Modified |\n|---|---|---|\n"}  # fmt: skip
    parts = [f"## {name}\n{heads.get(name, '')}" + "\n".join(lines) + "\n" for name, lines in found.items()]
    return "# Project Memory\n\n" + "\n".join(parts)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=8), st.lists(PIECES, max_size=8))
def test_nothing_is_lost_and_nothing_twice(base, overlay):
    text = lifted(written(base), written(overlay)).text
    before, top, after = told(written(base)), told(written(overlay)), told(text)

    decided = {(row["decision"].removesuffix(" (feature/tax)"), row["reason"]) for row in after["decisions"]}
    for row in before["decisions"] + top["decisions"]:
        assert (row["decision"], row["reason"]) in decided
    for row in before["decisions"]:
        assert (row["decision"], row["reason"]) in [(one["decision"], one["reason"]) for one in after["decisions"]]
    for name, field in (("architecture", "text"), ("files", "path")):
        for row in before[name] + top[name]:
            assert row[field] in " ".join(text.split())
    for row in top["active"] + top["blockers"]:
        assert row["text"] in text
    assert lifted(text, written(overlay)) == (text, [])
