"""Fit the trigger model: `python bench/train.py TRAIN.jsonl --out lib/belay/triggers/weights.bin`.

A development tool (needs numpy, scipy, scikit-learn). TRAIN holds {"text", "labels", "source",
"part"} a line. Lines and thresholds are chosen on cross-validated scores, folds split by source, so
that no repository is in both halves. Deterministic: same input, same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))
from belay.triggers import features, model, rules, skip

FOLDS = 10
C_ANY, C_LABEL = 0.05, 0.03
FALSE_PER_100 = 5.0  # of ordinary prompts, on the cross-validated scores
NEAR_PER_100 = 12.0


def load(path: str) -> list[dict]:
    """Read JSON lines."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def matrix(texts: list[str]) -> sp.csr_matrix:
    """Hash prompts into a sparse matrix, (prompts, features.SLOTS)."""
    data, columns, rows = [], [], [0]
    for text in texts:
        found = features.slots(features.Prompt(skip.prose(text)))
        columns.extend(found)
        data.extend(found.values())
        rows.append(len(columns))
    return sp.csr_matrix((data, columns, rows), shape=(len(texts), features.SLOTS))


def targets(items: list[dict]) -> np.ndarray:
    """Give (prompts, 7) truth: anything, then each label."""
    found = [[bool(i["labels"]), *(label in i["labels"] for label in rules.LABELS)] for i in items]
    return np.array(found)


def fit(x: sp.csr_matrix, y: np.ndarray, c: float) -> LogisticRegression:
    """Fit one head."""
    machine = LogisticRegression(C=c, class_weight="balanced", solver="liblinear", random_state=0)
    return machine.fit(x, y)


def cross_validate(x: sp.csr_matrix, y: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Score every prompt by models that never saw its source."""
    scores = np.zeros(y.shape)
    for train, test in GroupKFold(FOLDS).split(x, y[:, 0], groups):
        for head in range(model.HEADS):
            machine = fit(x[train], y[train, head], C_LABEL if head else C_ANY)
            scores[test, head] = machine.decision_function(x[test])
    return scores


def line_at(scores: np.ndarray, ordinary: np.ndarray, per_100: float) -> float:
    """Give the score that at most `per_100` of 100 ordinary prompts exceed."""
    worst = np.sort(scores[ordinary])[::-1]
    return float(worst[int(len(worst) * per_100 / 100)])


def best_line(scores: np.ndarray, truth: np.ndarray) -> float:
    """Give the score with the best F1."""
    order = np.argsort(-scores)
    hits = np.cumsum(truth[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + truth.sum())
    return float(scores[order][int(np.argmax(f1))])


def facts_of(scores: np.ndarray, y: np.ndarray, ordinary: np.ndarray) -> np.ndarray:
    """Choose lines and Platt scaling for each head."""
    facts = np.zeros((model.HEADS, model.HEAD_FLOATS), "<f4")
    for head in range(model.HEADS):
        line = best_line(scores[:, head], y[:, head])
        near = line
        if head == 0:
            line = line_at(scores[:, 0], ordinary, FALSE_PER_100)
            near = line_at(scores[:, 0], ordinary, NEAR_PER_100)
        platt = LogisticRegression(C=1e6).fit(scores[:, head : head + 1], y[:, head])
        facts[head, model.LINE], facts[head, model.NEAR] = line, near
        facts[head, model.SLOPE], facts[head, model.OFFSET] = platt.coef_[0, 0], platt.intercept_[0]
    return facts


def pack(x: sp.csr_matrix, y: np.ndarray, facts: np.ndarray) -> bytes:
    """Fit all heads on everything and quantise their weights to int16."""
    blocks = []
    for head in range(model.HEADS):
        machine = fit(x, y[:, head], C_LABEL if head else C_ANY)
        weights = machine.coef_[0]
        scale = np.abs(weights).max() / 32767
        facts[head, model.SCALE], facts[head, model.BIAS] = scale, machine.intercept_[0]
        blocks.append(np.round(weights / scale).astype("<i2").tobytes())
    return facts.tobytes() + b"".join(blocks)


def report(scores: np.ndarray, y: np.ndarray, ordinary: np.ndarray) -> None:
    """Print F1 of "any" at several rates of false captures."""
    for per_100 in (2, 3, 4, 5, 6, 8, 10, 15):
        got = scores[:, 0] > line_at(scores[:, 0], ordinary, per_100)
        right = (got & y[:, 0]).sum()
        precision, recall = right / max(got.sum(), 1), right / y[:, 0].sum()
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        print(f"{per_100:3d} false/100: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}")


def main(argv: list[str] | None = None) -> int:
    """Train, print the cross-validated figures, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--out")
    options = parser.parse_args(argv)
    items = [item for path in options.train for item in load(path)]
    x, y = matrix([item["text"] for item in items]), targets(items)
    groups = np.array([item["source"] for item in items])
    ordinary = np.array([item["part"] == "random" for item in items]) & ~y[:, 0]
    scores = cross_validate(x, y, groups)
    report(scores, y, ordinary)
    if options.out:
        Path(options.out).write_bytes(pack(x, y, facts_of(scores, y, ordinary)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
