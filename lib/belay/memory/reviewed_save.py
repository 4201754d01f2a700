"""When a memory was last saved by somebody who read it: a wrap-up, or a hand that dated it.

What Belay saves by itself at a session's end moves the header's date too; its row in the Session Log carries a mark.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.memory_facts import Facts

UNREVIEWED = ", not reviewed -->"
"""The end of the comment in a log row that was saved without anybody's word."""

Row = tuple[str, bool]
"""(date YYYY-MM-DD or "", whether somebody reviewed that save)"""


def find_review_date(facts: Facts) -> str:
    """Return the local date YYYY-MM-DD of the last reviewed save, "" for a memory without a date."""
    rows = [(row["date"], UNREVIEWED not in row["summary"]) for row in facts.get("log") or []]
    return _choose_date(str(facts["header"]["updated"]), rows)


def read_review_date(*texts: str) -> str:
    """Return the same date from the texts of a memory's layers: a start of a session asks before these are parsed."""
    updated = max((_read_date(text.partition("Last updated:")[2][:24].strip(" *")) for text in texts), default="")
    return _choose_date(updated, [row for text in texts if UNREVIEWED in text for row in _read_rows(text)])


def _choose_date(updated: str, rows: list[Row]) -> str:
    unreviewed = [date for date, reviewed in rows if date and not reviewed]
    if not unreviewed or updated > max(unreviewed):
        return updated
    return max((date for date, reviewed in rows if date and reviewed), default=min(unreviewed))


def _read_rows(text: str) -> list[Row]:
    """Return the rows of the Session Log."""
    rows: list[Row] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith("#"):
            inside = "session log" in line.lower()
        elif inside and line.lstrip().startswith("|"):
            dates = filter(None, map(_read_date, map(str.strip, line.split("|"))))
            rows.append((next(dates, ""), UNREVIEWED not in line))
    return rows


def _read_date(text: str) -> str:
    """Return the date YYYY-MM-DD with which a text begins, "" for none."""
    date = text[:10]
    return date if len(date) == 10 and date[4] == date[7] == "-" and date.replace("-", "").isdigit() else ""
