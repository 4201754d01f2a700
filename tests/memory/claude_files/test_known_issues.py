"""Which lines of a memory file are issues."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from belay.memory.claude_files.known_issues import list_issues
from belay.memory.document import page

TEXT = """# Auth
## Known Issues & Solutions
1. **Issue**: OAuth redirect URLs in development
   **Solution**: Use separate projects for dev and prod
2. The session list is slow
   - over 1000 rows
   - on every page
- [x] Ticked off
- ~~Struck out~~
- ✅ Done with this one
- None yet
- [issue, severity, and workaround if any]

### Later
- Tokens are never rotated

## Technical Insights
- ❌ Don't use dynamic imports in Server Components
- ✅ Use next/dynamic only for Client Components
- Policies need an order

## Notes
- ❌ Never call the old client
- An ordinary note

```
- ❌ not in code
```

## Known Issues
| Issue | Since |
|---|---|
| Search skips drafts | May |
"""


def rows(text):
    return [(row.line, row.end, row.kind, row.has_workaround) for row in list_issues("CLAUDE.md", page.parse(text))]


def test_issues_come_with_what_belongs_to_them_and_without_what_is_over():
    assert rows(TEXT) == [
        (3, 4, "issue", True),
        (5, 7, "issue", False),
        (15, 15, "issue", False),
        (18, 18, "avoid", False),
        (19, 19, "prefer", False),
        (20, 20, "insight", False),
        (23, 23, "avoid", False),
        (33, 33, "issue", False),
    ]


def test_a_file_without_telling_headings_has_none():
    assert rows("# Shop\n\n## Rules\n- The issue tracker is on GitHub\n- Known issues go there\n") == []


@given(st.lists(st.sampled_from(TEXT.splitlines(keepends=True)), max_size=30).map("".join))
def test_issues_do_not_overlap_and_lie_in_the_file(text):
    found = rows(text)

    assert all(first[1] < second[0] for first, second in pairwise(found))
    assert all(1 <= line <= end <= len(text.splitlines()) for line, end, _, _ in found)
