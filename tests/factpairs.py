"""Pairs of facts, labelled: the same fact said differently, or two facts that look alike."""

import json
from pathlib import Path

ROWS = [json.loads(line) for line in (Path(__file__).parent / "data" / "facts.jsonl").read_text("utf-8").splitlines()]


def rows(kind):
    return [(row["one"], row["other"]) for row in ROWS if row["kind"] == kind]
