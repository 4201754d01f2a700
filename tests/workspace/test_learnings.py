"""The learnings of all projects: GLOBAL-MEMORY.md is the truth, and workspace.db only follows it."""

import json
import os

from belay.core import paths
from belay.memory import global_memory, promotion
from belay.workspace import learnings, registry


def texts():
    return [(one.line, one.day, one.text) for one in learnings.list_learnings(os.environ)]


def test_nothing_is_made_by_looking():
    assert texts() == []
    assert not os.path.exists(registry.find_file(os.environ))


def test_the_file_is_the_truth_and_the_index_follows_it():
    promotion.save_learnings(os.environ, ["Never log card numbers", "Use UTC everywhere"])
    (first, day, _), (second, _, _) = texts()
    assert [text for _, _, text in texts()] == ["Never log card numbers", "Use UTC everywhere"]
    assert (len(day), second) == (10, first + 1)
    path = paths.global_memory(os.environ)
    with open(path, "a") as file:
        file.write("\n<!-- a comment -->\n## Mine\n* By hand, without a date\n")
    assert texts()[2][1:] == ("", "By hand, without a date")
    assert len(texts()) == 3
    os.unlink(registry.find_file(os.environ))
    assert len(texts()) == 3
    os.unlink(path)
    assert texts() == []


def test_the_projects_that_say_it_too_are_named(tmp_path):
    row = {"kind": "lesson", "text": "Use UTC everywhere", "key": "use utc everywhere", "file": "x", "line": 1}
    index = {"projects": {str(tmp_path): [row]}, "dismissed": []}
    path = global_memory.index_path(os.environ)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(index, file)
    promotion.save_learnings(os.environ, ["Use UTC everywhere", "Never log card numbers"])
    assert [one.homes for one in learnings.list_learnings(os.environ)] == [[str(tmp_path)], []]
