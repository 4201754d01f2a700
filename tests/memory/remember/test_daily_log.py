"""Daily logs as data: captures, a wrap-up's lines, and what a person wrote."""

from hypothesis import given
from hypothesis import strategies as st

from belay.memory.remember import daily_log
from belay.memory.remember.daily_log import LogEntry

LOG = """\
# 2026-03-04

- 14:02 `C-ABCDEF` [main] decision, value: Let's go with SQLite: one file
- 14:03 `C-ABCDEG` [feature/x] architecture: We should use one queue for all events
- 14:04 `C-ABCDEH` [main] correction: No, port 5433
## Session 5e551011 (main): mend the parser
- did: edited `a.py`
- learned: `pytest -q` passed after edits of `a.py`
## Wrap-up 18:00, session 5e551011, branch main <!-- 5e551011 abc -->
- Summary: parser mended
- Decision: pnpm over npm, because workspaces (affects package.json)
- Lesson: the clock of CI is UTC
- Completed: parser

## Decisions
- 2026-03-04 keep Redis out
- ~~drop Postgres~~
- none
## Lessons learned
* never mock git
- **Gotcha:** dates are local
"""


def test_what_may_last_is_found_with_its_line():
    assert daily_log.read_entries(LOG) == [
        LogEntry("decision", "Let's go with SQLite: one file", 3, id="C-ABCDEF"),
        LogEntry("note", "We should use one queue for all events", 4, id="C-ABCDEG"),
        LogEntry("decision", "pnpm over npm", 11, "workspaces", "package.json"),
        LogEntry("lesson", "the clock of CI is UTC", 12),
        LogEntry("decision", "keep Redis out", 16),
        LogEntry("lesson", "never mock git", 20),
        LogEntry("lesson", "dates are local", 21),
    ]


@given(st.text())
def test_any_text_is_a_log(text):
    lines = text.count("\n") + text.count("\r") + 1

    assert all(1 <= one.line <= lines for one in daily_log.read_entries(text))
