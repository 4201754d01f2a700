"""The rules table, row by row."""

import pytest

from belay.core import kinds
from belay.triggers import rules


@pytest.mark.parametrize("row", rules.TABLE, ids=[row[0] for row in rules.TABLE])
def test_a_rule_meets_its_own_example(row):
    _, label, pattern, example, _ = row
    patterns = rules.Patterns([pattern])
    assert label in kinds.TRIGGER_LABELS
    assert any(patterns.hits(rules.tokens(sentence)) for sentence in rules.sentences(example))


@pytest.mark.parametrize("row", rules.TABLE, ids=[row[0] for row in rules.TABLE])
def test_a_rule_is_silent_on_plain_talk(row):
    patterns = rules.Patterns([row[2]])
    for text in ("thanks", "hello there", "run tests", "hmm"):
        assert not patterns.hits(rules.tokens(text))


def test_rules_have_names_of_their_own():
    names = [row[0] for row in rules.TABLE]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("pattern", "text", "meets"),
    [
        ("use _ not", "use tabs not spaces", True),
        ("use _ not", "use not", False),
        ("^ no", "no way", True),
        ("^ no", "oh no", False),
        ("done $", "we are done", True),
        ("done $", "done it", False),
        ("do *2 first", "do the tests first", True),
        ("do *2 first", "do all the tests first", False),
        ("on <tech>", "on redis", True),
        ("on <tech>", "on monday", False),
        ("a|b c", "b c", True),
    ],
)
def test_the_pattern_language(pattern, text, meets):
    assert bool(rules.Patterns([pattern]).hits(rules.tokens(text))) is meets


@pytest.mark.parametrize("pattern", ["", "use *3", "_ first"])
def test_a_pattern_that_cannot_work_is_refused(pattern):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is the pattern
        rules.compile_pattern(pattern)
    assert str(error.value) == pattern


@pytest.mark.parametrize(
    ("pattern", "steps"),
    [
        ("use", [(0, {"use"})]),
        ("use *2 , not|nor", [(0, {"use"}), (2, {","}), (0, {"not", "nor"})]),
        ("use _ *12 tabs", [(0, {"use"}), (0, set()), (12, {"tabs"})]),
        ("use * tabs", [(0, {"use"}), (0, {"*"}), (0, {"tabs"})]),
    ],
)
def test_a_pattern_is_steps_of_gaps_and_words(pattern, steps):
    assert [(gap, set(words)) for gap, words in rules.compile_pattern(pattern)] == steps
