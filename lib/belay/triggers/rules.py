"""The rules table, `rules.txt`: a tab-separated row a rule (id, class, pattern, example, sure).

The pattern language stands in `match.py`. A row that is `sure` captures by itself, unless its
sentence asks a question: those are the phrases of seeds 003 and 004. So does a row that is `told`
("for the record"), but the model names the label. All others are evidence that the model weighs.
`tests/triggers/test_rules.py` tries every row on its own example.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[str, str, str, str, str]

LABELS = ("correction", "decision", "architecture", "priority", "value", "preference")
_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.txt")


def read(path: str = _PATH) -> tuple[Row, ...]:
    """Read the table; comment lines begin with `#`."""
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return tuple(
        (cells[0], cells[1], cells[2], cells[3], cells[4] if len(cells) > 4 else "") for cells in lines
    )


TABLE = read()
