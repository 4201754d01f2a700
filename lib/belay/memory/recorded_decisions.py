"""List the decisions of a project's records and commits as rows of the decision table (seed 003)."""

from __future__ import annotations

from belay.memory.project_survey import Survey
from belay.repository.survey import quotes

RECORDS = 15
_CELL = 160
_ROW = {"date": "", "decision": "", "reason": "", "affects": ""}

Row = tuple[dict[str, str], str, str]


def list_decisions(look: Survey) -> list[Row]:
    """Return (date, decision, reason, affects), source and confidence of what still holds, the newest first."""
    rows = [*_record_rows(look), *_commit_rows(look)]
    return sorted(rows, key=lambda row: row[0]["date"], reverse=True)


def _record_rows(look: Survey) -> list[Row]:
    rows = []
    dates = {record.sha: record.date for record in look.commits}
    first = {path: dates[sha] for sha, paths in look.touched.items() if sha in dates for path in paths}
    for record in [record for record in look.records if record.holds][:RECORDS]:
        text = quotes.line(record.decision or record.title, _CELL)
        reason = quotes.line(record.reason.rstrip(": "), _CELL)
        sure = "medium" if record.status.startswith(("proposed", "draft")) or not record.status else "high"
        rows.append(
            (
                {
                    **_ROW,
                    "date": record.date or first.get(record.path, ""),
                    "decision": text,
                    "reason": reason,
                },
                record.path,
                sure,
            )
        )
    return rows


def _commit_rows(look: Survey) -> list[Row]:
    rows = []
    for decision in look.decisions:
        row = {
            "date": decision.date,
            "decision": quotes.line(decision.text, _CELL),
            "affects": quotes.line(decision.affects, 40),
        }
        reason = quotes.line(decision.reason, _CELL)
        rows.append(({**row, "reason": reason}, f"commit {decision.sha[:9]}", decision.sure))
    return rows
