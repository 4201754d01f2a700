"""Measure the triggers on labelled prompts: `python bench/triggers.py PROMPTS.jsonl`.

A development tool (standard library only). PROMPTS holds {"text", "labels"} a line, and may hold
"disputed" (labels on which the labellers differed: they count neither for nor against) and "part"
("random" is a uniform draw, from which the false captures per 100 ordinary prompts are taken).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from belay.core import kinds
from belay.triggers import classifier

Z = 1.959964  # 95 %


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Give the Wilson 95 % interval of a share."""
    if not total:
        return 0.0, 1.0
    share, square = hits / total, Z * Z / total
    middle = share + square / 2
    spread = Z * (share * (1 - share) / total + square / (4 * total)) ** 0.5
    return (middle - spread) / (1 + square), (middle + spread) / (1 + square)


def load(path: str) -> list[dict]:
    """Read labelled prompts and what the triggers say of them (key "got")."""
    with open(path, encoding="utf-8") as file:
        items = [json.loads(line) for line in file if line.strip()]
    for item in items:
        item["got"] = set(classifier.classify(item["text"]).labels)
    return items


def counts(items: list[dict], label: str | None) -> tuple[int, int, int]:
    """Count (right, false, missed) of one label, or of any capture when label is None."""
    right = false = missed = 0
    for item in items:
        truth, disputed, got = set(item["labels"]), set(item.get("disputed", ())), item["got"]
        wanted, found = (bool(truth), bool(got)) if label is None else (label in truth, label in got)
        open_question = not wanted and (bool(disputed) if label is None else label in disputed)
        right += wanted and found
        missed += wanted and not found
        false += found and not wanted and not open_question
    return right, false, missed


def scores(right: int, false: int, missed: int) -> tuple[float, float, float]:
    """Give precision, recall and F1."""
    precision = right / (right + false) if right + false else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def ordinary(items: list[dict]) -> tuple[int, int]:
    """Count (false captures, ordinary prompts) of the random part: prompts that carry nothing."""
    plain = [i for i in items if i.get("part", "random") == "random" and not i["labels"] and not i.get("disputed")]
    return sum(bool(item["got"]) for item in plain), len(plain)


def report(items: list[dict]) -> str:
    """Write the table."""
    lines = ["| what | true | precision | recall | F1 |", "|---|---|---|---|---|"]
    for label in (None, *kinds.TRIGGER_LABELS):
        right, false, missed = counts(items, label)
        precision, recall, f1 = scores(right, false, missed)
        row = f"{label or 'any'} | {right + missed} | {precision:.2f} | {recall:.2f} | {f1:.2f}"
        lines.append(f"| {row} |")
    false, plain = ordinary(items)
    low, high = wilson(false, plain)
    rate = 100 * false / max(plain, 1)
    lines.append(f"\n{rate:.1f} false captures per 100 ordinary prompts (95 %: {100 * low:.1f} to {100 * high:.1f};")
    lines.append(f"{false} of {plain}); {len(items)} prompts.")
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    """Print the table for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompts", nargs="+")
    for path in parser.parse_args(argv).prompts:
        print(report(load(path)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
