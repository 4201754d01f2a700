"""List what a reconstruction was read from: folders, commits, branches, pull requests."""

from __future__ import annotations

from typing import Any

from belay.core.plain_text import count
from belay.memory.project_survey import Survey
from belay.repository.survey import places, quotes

COMMITS = 20
"""Seed 003, "Recovery Mode": the last 20 commits."""
BRANCHES = 20
PULLS = 20

Evidence = dict[str, list[dict[str, Any]]]


def gather_evidence(look: Survey) -> Evidence:
    """Return {"directories", "commits", "branches", "pulls"}, JSON as it is, every text cleaned."""
    return {
        "directories": [row._asdict() for row in places.folders(look.changes, look.tracked)],
        "commits": [
            {
                "sha": row.sha[:9],
                "date": row.date,
                "author": _clean_line(row.author),
                "subject": _clean_line(row.subject),
            }
            for row in look.commits[:COMMITS]
        ],
        "branches": [
            {"name": _clean_line(row.name), "date": row.time[:10], "author": _clean_line(row.author)}
            for row in look.branches[:BRANCHES]
        ],
        "pulls": [
            {"number": row.number, "title": _clean_line(row.title), "date": row.date} for row in look.pulls[:PULLS]
        ],
    }


def format_evidence(evidence: Evidence) -> str:
    """Return the evidence for people; what is empty is left out."""
    hub = evidence.get("hub", [])
    parts = [
        _format_part("Folders by changes", _count_files(evidence["directories"]), "`{path}/` {files}, {changes}"),
        _format_part("Last commits", evidence["commits"], "{date} {sha} {author}: {subject}"),
        _format_part("Branches of the last 30 days", evidence["branches"], "{date} {name} ({author})"),
        _format_part("Pull requests in the log", evidence["pulls"], "{date} #{number} {title}"),
        _format_part("Pull requests by gh", hub, "#{number} {title} ({state}, {author})"),
    ]
    return "\n\n".join(part for part in parts if part)


def _count_files(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "files": count(row["files"], "file"), "changes": count(row["changes"], "change")} for row in rows]


def _format_part(title: str, rows: list[dict[str, Any]], shape: str) -> str:
    return "\n".join([f"{title}:", *("- " + shape.format(**row) for row in rows)]) if rows else ""


def _clean_line(text: str) -> str:
    return quotes.line(text, 120)
