"""What the notes of completeness and actionability say."""

import pytest

from belay.memory.health import content, expected_parts


def test_one_or_two_missing_parts_are_named_in_the_note():
    rows = [(name, "x") for name in expected_parts.FIRST_FORM]
    found = {"form": "003", "lines": 40, "header": {"session": 2}, "left": {"next": "go on"}}
    listed = [{"name": name, "title": name, "line": 1, "filled": True} for name, _ in rows if name != "log"]

    whole = content.score_completeness({**found, "sections": listed}, True)
    less = content.score_completeness({**found, "sections": listed[:-2]}, True)

    assert whole["note"] == "1 of 12 parts missing or empty: no Session Log"
    assert less["note"] == "3 of 12 parts missing or empty"


@pytest.mark.parametrize(
    ("sections", "where"),
    [([], "add a line"), ([{"name": "left", "title": "Where We Left Off", "line": 7}], "add below line 7")],
)
def test_a_missing_next_step_is_asked_for_where_it_belongs(sections, where):
    found = {"form": "", "lines": 40, "header": {}, "left": {}, "sections": sections}

    (reason,) = content.score_actionability(found, {}, False)["reasons"]

    assert reason["mend"] == f"{where}: `- **Next immediate step:** …` with a file, function or command"
