"""The signs of vectors in blocks: the best of many by bits, as plain arithmetic finds them."""

from hypothesis import given
from hypothesis import strategies as st

from belay.knowledge.vectors import signs

WIDTH = 16
VECTOR = st.lists(st.integers(-127, 127), min_size=WIDTH, max_size=WIDTH)
PLACES = st.dictionaries(st.integers(0, 2 * signs.BLOCK - 1), VECTOR, min_size=1, max_size=25)


def filled(rows):
    parts = {}
    for number, values in rows.items():
        place = bytes(value & 255 for value in values)
        parts.setdefault(number // signs.BLOCK, {})[number % signs.BLOCK] = place
    return [(number, signs.fill_block(b"", part)) for number, part in sorted(parts.items())]


def worth(asked, values):
    """Return what the signs of a vector count for a question, by the rule in words."""
    mean = sum(map(abs, asked)) / len(asked) or 1.0
    weights = [min(signs.MOST_WEIGHT, int(abs(value) / mean + 0.5)) for value in asked]
    return sum(
        weight for weight, question, value in zip(weights, asked, values, strict=True) if (question < 0) == (value < 0)
    )


@given(PLACES, VECTOR, st.integers(1, 30))
def test_the_best_are_found_and_nothing_that_is_not_there(rows, asked, most):
    best = signs.find_best(signs.load_planes(filled(rows)), asked, most)
    ranked = sorted((worth(asked, values) for values in rows.values()), reverse=True)
    assert sorted((worth(asked, rows[number]) for number in best), reverse=True) == ranked[:most]
    assert len(set(best)) == len(best)


@given(PLACES, PLACES)
def test_a_block_takes_new_signs_and_keeps_the_others(before, after):
    block = signs.fill_block(b"", {n % signs.BLOCK: bytes(v & 255 for v in row) for n, row in before.items()})
    both = {n % signs.BLOCK: row for n, row in before.items()} | {n % signs.BLOCK: row for n, row in after.items()}
    again = signs.fill_block(block, {n % signs.BLOCK: bytes(v & 255 for v in row) for n, row in after.items()})
    assert again == signs.fill_block(b"", {n: bytes(v & 255 for v in row) for n, row in both.items()})


def test_many_blocks_are_looked_through_together():
    rows = {number * 1000: [127 if number & 1 << at else -127 for at in range(WIDTH)] for number in range(60)}
    parts = signs.load_planes(filled(rows))
    assert len(parts) == 2
    assert signs.find_best(parts, rows[37_000], 1) == [37_000]
