import json
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belay.memory.document import facts, page
from belay.memory.drift import repairs, report, session_diff
from belay.memory.health import evidence
from belay.repository import projects

LINES = [
    "Last updated: 2026-03-01 | Session 3 | Branch: main", "Last updated: 9999-99-99 | Session 999999 |",
    "Last updated: 0000-00-00", "## Project Overview", "## Active Work", "## Blockers", "## Key Decisions", "## Key Files",
    "## Session Log", "| File | Purpose | Last Modified |", "|---|---|---|", "| src/a.ts | x | session 2 |",
    "| Session | Date | Summary |", "| 12 | 2026-03-01 | x |", "Using Express and `flask` over Koa", "- [ ] `run()` in `a/b.py`",
    "- waiting for API key, `x/y.ts` and #4 until 2.1 release", "- **Status:** blocked on `../../etc/x.py`", "`\x00/a.py` `a\udcff/b.py`",
    "```", "---", "",
]  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LINES) | st.text(max_size=40), max_size=25))
def test_any_memory_gives_a_diff_that_json_holds(tmp_path, lines):
    text = "\n".join(lines)
    (tmp_path / "package.json").write_text('{"dependencies": {"fastify": "5"}}')
    (tmp_path / ".env").write_text("API_KEY=x\n")
    project = projects.find(str(tmp_path), os.environ)
    known = facts.read_facts(page.parse(text))

    found = session_diff.gather_diff(project, known, os.environ)

    assert json.dumps([found, evidence.gather_evidence(project, known, found)])
    assert all(row.isprintable() for row in report.format_report(found))
    assert len(page.split_lines(repairs.apply_repairs(text, repairs.list_repairs(found, ticks=True)))) == len(
        page.split_lines(text)
    )
