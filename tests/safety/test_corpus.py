"""Every vendor's token in every context a session meets: nothing of it is left; ordinary lines stay."""

import ordinarylines
import pytest
import secretcorpus

from belay.safety.redaction import redact

SEEDS = 20


def test_no_token_is_left_in_any_context():
    """A quarter of the corpus: every format, every context, not each with each."""
    left = [
        (row, context, piece)
        for number, (row, token, context, text) in enumerate(secretcorpus.cases(seed=11))
        if number % 4 == number // len(secretcorpus.CONTEXTS) % 4 and (piece := secretcorpus.leaked(text, row, token))
    ]

    assert left == []


def test_no_ordinary_line_is_touched():
    lines = ordinarylines.lines(1200, seed=5)

    assert len(set(lines)) == 1200
    assert [(line, clean) for line in lines if (clean := redact(line)) != line] == []


@pytest.mark.campaign
def test_the_corpus(capsys):
    """Every format in every context, of many seeds; prints what was left."""
    number, left = 0, []
    for seed in range(SEEDS):
        for row, token, context, text in secretcorpus.cases(seed * 7919):
            number += 1
            if piece := secretcorpus.leaked(text, row, token):
                left.append((seed, row, context, piece))
    ordinary = ordinarylines.lines(30_000, seed=99)
    touched = [line for line in ordinary if redact(line) != line]
    with capsys.disabled():
        print(f"\nsecrets corpus: {number} tokens in {len(secretcorpus.CONTEXTS)} contexts, {len(left)} left")
        print(f"ordinary lines: {len(ordinary)}, {len(touched)} touched")
    assert left == []
    assert len(touched) * 1000 <= len(ordinary)
