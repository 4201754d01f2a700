"""The decisions a project's records and commits state, as rows of the decision table (seed 003)."""

from __future__ import annotations

from belay.memory.document.template_sections import NOT_RECORDED
from belay.memory.project_survey import Survey
from belay.repository.survey import quotes

RECORDS = 15
_CELL = 160
_ROW = {"date": "", "decision": "", "reason": NOT_RECORDED, "affects": ""}

Row = tuple[dict[str, str], str, str]


def list_decisions(look: Survey) -> list[Row]:
    """Return (date, decision, reason, affects), source and confidence of what still holds, the newest first."""
    found = [*_record_rows(look), *_commit_rows(look)]
    return sorted(found, key=lambda row: row[0]["date"], reverse=True)


def _record_rows(look: Survey) -> list[Row]:
    found = []
    dates = {one.sha: one.date for one in look.commits}
    first = {path: dates[sha] for sha, paths in look.touched.items() if sha in dates for path in paths}
    for one in [one for one in look.records if one.holds][:RECORDS]:
        text = quotes.line(one.decision or one.title, _CELL)
        reason = quotes.line(one.reason.rstrip(": "), _CELL) or NOT_RECORDED
        sure = "medium" if one.status.startswith(("proposed", "draft")) or not one.status else "high"
        found.append(
            (
                {**_ROW, "date": one.date or first.get(one.path, ""), "decision": text, "reason": reason},
                one.path,
                sure,
            )
        )
    return found


def _commit_rows(look: Survey) -> list[Row]:
    found = []
    for made in look.decisions:
        row = {
            "date": made.date,
            "decision": quotes.line(made.text, _CELL),
            "affects": quotes.line(made.affects, 40),
        }
        reason = quotes.line(made.reason, _CELL) or NOT_RECORDED
        found.append(({**row, "reason": reason}, f"commit {made.sha[:9]}", made.sure))
    return found
