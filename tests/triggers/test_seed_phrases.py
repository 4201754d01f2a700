"""Every phrase that seeds 003 and 004 quote, in three natural sentences and three that must not fire."""

import json
from pathlib import Path

import pytest

from belay.triggers import classifier, requests

DATA = Path(__file__).parents[1] / "data" / "seed-phrases.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def heard(row):
    if row["kind"] == "action":
        return [request.action for request in requests.find_requests(row["text"])]
    return classifier.classify(row["text"]).labels


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['phrase']}: {row['text']}" for row in ROWS])
def test_a_seed_phrase_gives_its_class_or_action(row):
    assert (row["expect"] in heard(row)) is row["fires"]


def test_every_phrase_stands_in_three_sentences_and_three_negatives():
    counts = {}
    for row in ROWS:
        counts.setdefault((row["phrase"], row["fires"]), []).append(row["text"])
    assert {len(set(texts)) for texts in counts.values()} == {3}
    assert len(counts) == 2 * len({row["phrase"] for row in ROWS})
