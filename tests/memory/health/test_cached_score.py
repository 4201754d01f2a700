import json
import os
from pathlib import Path

import pytest

from belay.client.event import session_name
from belay.memory.health import cached_score


def test_a_score_is_found_again(project):
    os.makedirs(project.states)

    assert cached_score.save_score(project, 7, "ab12")
    assert cached_score.read_score(project) == 7
    assert json.loads(Path(cached_score.score_path(project)).read_text()) == {"score": 7, "sha": "ab12"}


def test_nothing_is_made_for_it(project):
    assert not cached_score.save_score(project, 7, "ab12")
    assert not os.path.exists(project.store)
    assert cached_score.read_score(project) == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"score": 11}', '{"score": "7"}', '{"score": true}', "\xff"])
def test_anything_else_is_no_score(project, text):
    os.makedirs(project.states)
    Path(cached_score.score_path(project)).write_text(text, encoding="latin-1")

    assert cached_score.read_score(project) == 0


def test_no_session_can_be_called_like_the_file():
    assert session_name("health") != "health"
