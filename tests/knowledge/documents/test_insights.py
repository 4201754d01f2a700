"""Which lines of a CLAUDE.md are rules, and what they are tied to."""

import pytest

from belay.knowledge.documents.insights import find_rules, rule_folder

TEXT = """# Shop

- ❌ no rule: no heading calls it one

## Status
- ✅ Login done

## Technical Insights
- ❌ Don't import the client in server components
* ✅ Use the money type
- ✅ Use the money type
1. plain
❌ **Never** commit .env
### Prices
- ✅️ Round last

```
- ❌ Avoid: only an example
```

## Next
- ✅ Search page
"""


def test_rules_stand_below_a_heading_that_calls_them_so():
    assert [tuple(one) for one in find_rules(TEXT)] == [
        (9, "antipattern", "Don't import the client in server components"),
        (10, "preference", "Use the money type"),
        (13, "antipattern", "**Never** commit .env"),
        (15, "preference", "Round last"),
    ]


@pytest.mark.parametrize(
    "heading", ["Lessons learned", "Gotchas", "Do's and don'ts", "Coding conventions", "Anti-patterns"]
)
def test_other_headings_of_rules_count(heading):
    assert len(find_rules(f"# X\n\n## {heading}\n- ❌ Polling\n")) == 1


@pytest.mark.parametrize(
    ("path", "tied"),
    [
        ("CLAUDE.md", "./"),
        ("shop/cart/CLAUDE.md", "shop/cart/"),
        (".claude/CLAUDE.md", "./"),
        ("shop/.orchestre/CLAUDE.md", "shop/"),
        ("docs/rules.md", ""),
    ],
)
def test_a_rule_is_tied_to_the_folder_its_file_speaks_of(path, tied):
    assert rule_folder(path) == tied
