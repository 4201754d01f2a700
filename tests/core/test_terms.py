"""Words that tell nothing are left out of what texts are compared and found by; what tells something stays."""

import pytest

from belay.core import terms


@pytest.mark.parametrize(
    "text",
    [
        "has it been done", "what is it doing that we did", "she got them what he gets", "it goes as it went",
        "who's making it", "let's, that's how", "there’s himself and ourselves",
    ],
)  # fmt: skip
def test_forms_of_words_that_tell_nothing_tell_nothing(text):
    assert terms.informative(text) == []


@pytest.mark.parametrize("text", ["GET", "Go", "must", "never", "without", "only_done", "undone"])
def test_what_tells_something_stays(text):
    assert terms.informative(text) == [terms.stem(text)]
