"""Fit the trigger model: `python bench/train.py TRAIN.jsonl [MORE.jsonl...] --out lib/belay/triggers/weights.bin`.

A development tool (needs numpy, scipy, scikit-learn). Each file holds {"text", "labels", "source",
"part"} a line. Lines and thresholds are chosen on the cross-validated scores of TRAIN, folds split by
source, so that no repository is in both halves; MORE and the written examples only ever teach, and a
fold leaves out the rows of MORE whose source it is tried on. Deterministic: same input, same bytes.
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
from belay.client import prompt_text
from belay.core import kinds
from belay.triggers import model

FOLDS = 10
C = 0.6
WRITTEN_WEIGHT = 0.6  # of one example written for this project, against one prompt of TRAIN
MORE_WEIGHT = 0.7  # of one prompt of MORE
FALSE_PER_100 = 6.0  # of ordinary prompts, on the cross-validated scores
NEAR_PER_100 = 12.0
CODES = dict(zip("CDAPVF", kinds.TRIGGER_LABELS, strict=True))
WRITTEN = Path(__file__).resolve().parent / "data"


def load(path: str) -> list[dict]:
    """Read JSON lines."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def matrix(texts: list[str]) -> sp.csr_matrix:
    """Hash prompts into a sparse matrix, (prompts, features.SLOTS)."""
    data, columns, rows = [], [], [0]
    for text in texts:
        found = model.slots(model.Prompt(prompt_text.extract_prose(text)))
        columns.extend(found)
        data.extend(found.values())
        rows.append(len(columns))
    return sp.csr_matrix((data, columns, rows), shape=(len(texts), model.SLOTS))


def written() -> list[dict]:
    """Read the examples written for this project: codes of labels (`-`: none), a blank, the text."""
    lines = [line for path in sorted(WRITTEN.glob("written-*.txt")) for line in path.read_text().splitlines()]
    pairs = [line.split(" ", 1) for line in lines if line]
    return [{"labels": [CODES[code] for code in codes if code in CODES], "text": text} for codes, text in pairs]


def targets(items: list[dict]) -> np.ndarray:
    """Give the truth, (prompts, labels)."""
    truth = [[label in item["labels"] for label in kinds.TRIGGER_LABELS] for item in items]
    return np.array(truth, bool).reshape(-1, len(kinds.TRIGGER_LABELS))


class Examples:
    """Features, truth and weights of prompts."""

    def __init__(self, x: sp.csr_matrix, y: np.ndarray, weights: np.ndarray) -> None:
        self.x, self.y, self.weights = x, y, weights

    @classmethod
    def of(cls, items: list[dict], weight: float) -> Examples:
        """Hash labelled prompts."""
        return cls(matrix([item["text"] for item in items]), targets(items), np.full(len(items), weight))

    def take(self, rows: np.ndarray) -> Examples:
        """Give some of them."""
        return Examples(self.x[rows], self.y[rows], self.weights[rows])

    def plus(self, other: Examples) -> Examples:
        """Join two sets."""
        x = sp.vstack([self.x, other.x]).tocsr()
        return Examples(x, np.vstack([self.y, other.y]), np.r_[self.weights, other.weights])


def fit(examples: Examples, head: int) -> LogisticRegression:
    """Fit one label against prompts that carry nothing."""
    rows = np.flatnonzero(examples.y[:, head] | ~examples.y.any(1))
    some = examples.take(rows)
    machine = LogisticRegression(C=C, solver="liblinear", random_state=0)
    return machine.fit(some.x, some.y[:, head], sample_weight=some.weights)


class Sentences:
    """The sentences of prompts that have several: features, and which prompt owns each."""

    def __init__(self, texts: list[str]) -> None:
        parts = [model.parts_of(model.Prompt(prompt_text.extract_prose(text))) for text in texts]
        self.x = matrix([part.text for some in parts for part in some])
        self.owner = np.array([number for number, some in enumerate(parts) for _ in some])

    def strongest(self, machine: LogisticRegression, whole: np.ndarray) -> np.ndarray:
        """Give the strongest sentence's score of each prompt (its own score where it is one sentence)."""
        found = np.full(len(whole), -np.inf)
        np.maximum.at(found, self.owner, machine.decision_function(self.x))
        return np.where(np.isinf(found), whole, found)


def cross_validate(
    real: Examples, sentences: Sentences, extra: Examples, groups: np.ndarray, extra_groups: np.ndarray
) -> np.ndarray:
    """Score every prompt of TRAIN, as the hook does, by models that never saw its source."""
    scores = np.zeros(real.y.shape)
    for train, test in GroupKFold(FOLDS).split(real.x, groups=groups):
        unseen = np.flatnonzero(~np.isin(extra_groups, groups[test]))
        examples = real.take(train).plus(extra.take(unseen))
        for head in range(len(kinds.TRIGGER_LABELS)):
            machine = fit(examples, head)
            whole = machine.decision_function(real.x)
            joined = (1 - model.SHARE) * whole + model.SHARE * sentences.strongest(machine, whole)
            scores[test, head] = joined[test]
    return scores


def anything(scores: np.ndarray) -> np.ndarray:
    """Join the heads as the hook does."""
    return np.array([model.soft_maximum(list(row)) for row in scores])


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
    """Choose lines and Platt scaling: row 0 for "anything", then one a head."""
    facts = np.zeros((len(kinds.TRIGGER_LABELS) + 1, model.FLOATS), "<f4")
    joined, truth = anything(scores), y.any(1)
    facts[0, model.LINE] = line_at(joined, ordinary, FALSE_PER_100)
    facts[0, model.NEAR] = line_at(joined, ordinary, NEAR_PER_100)
    for row in range(len(kinds.TRIGGER_LABELS) + 1):
        own, wanted = (scores[:, row - 1], y[:, row - 1]) if row else (joined, truth)
        if row:
            facts[row, model.LINE] = facts[row, model.NEAR] = best_line(own, wanted)
        platt = LogisticRegression(C=1e6).fit(own[:, None], wanted)
        facts[row, model.SLOPE], facts[row, model.OFFSET] = platt.coef_[0, 0], platt.intercept_[0]
    return facts


def pack(examples: Examples, facts: np.ndarray) -> bytes:
    """Fit all heads on everything and quantise their weights to int16."""
    blocks = []
    for head in range(len(kinds.TRIGGER_LABELS)):
        machine = fit(examples, head)
        weights = machine.coef_[0]
        scale = np.abs(weights).max() / 32767
        facts[head + 1, model.SCALE], facts[head + 1, model.BIAS] = scale, machine.intercept_[0]
        blocks.append(np.round(weights / scale).astype("<i2").tobytes())
    return facts.tobytes() + b"".join(blocks)


def report(scores: np.ndarray, y: np.ndarray, ordinary: np.ndarray) -> None:
    """Print precision, recall and F1 of "anything" at several rates of false captures."""
    joined, truth = anything(scores), y.any(1)
    for per_100 in (2, 3, 4, 5, 6, 6.5, 7, 8, 10, 15):
        got = joined > line_at(joined, ordinary, per_100)
        right = (got & truth).sum()
        precision, recall = right / max(got.sum(), 1), right / truth.sum()
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        print(f"{per_100:4} false/100: P {precision:.3f} R {recall:.3f} F1 {f1:.3f}")
    for head, label in enumerate(kinds.TRIGGER_LABELS):
        got = scores[:, head] >= best_line(scores[:, head], y[:, head])
        right = (got & y[:, head]).sum()
        print(f"{label:13s} best F1 {2 * right / (got.sum() + y[:, head].sum()):.3f}")


def main(argv: list[str] | None = None) -> int:
    """Train, print the cross-validated figures, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train")
    parser.add_argument("more", nargs="*")
    parser.add_argument("--out")
    options = parser.parse_args(argv)
    items, more = load(options.train), [item for path in options.more for item in load(path)]
    real = Examples.of(items, 1.0)
    extra = Examples.of(more, MORE_WEIGHT).plus(Examples.of(written(), WRITTEN_WEIGHT))
    groups = np.array([item["source"] for item in items])
    extra_groups = np.array([item["source"] for item in more] + [""] * (len(extra.y) - len(more)))
    ordinary = np.array([item["part"] == "random" for item in items]) & ~real.y.any(1)
    sentences = Sentences([item["text"] for item in items])
    scores = cross_validate(real, sentences, extra, groups, extra_groups)
    report(scores, real.y, ordinary)
    if options.out:
        Path(options.out).write_bytes(pack(real.plus(extra), facts_of(scores, real.y, ordinary)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
