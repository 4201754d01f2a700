"""`belay triggers`: lines in, lines out; and why."""

import json

from schemas import check

from belay.cli.session import triggers


def answers(*lines):
    found = [json.loads(line) for line in triggers.run_lines(lines)]
    assert [check("triggers", answer) for answer in found if "error" not in answer] or found
    return found


def test_lines_keep_their_order_and_number():
    items = [{"id": number, "text": text} for number, text in enumerate(["use pnpm, not npm", "thanks", "", "hi"])]
    got = answers(*map(json.dumps, items))
    assert [answer["id"] for answer in got] == [0, 1, 2, 3]
    assert "correction" in got[0]["labels"]
    assert [answer["labels"] for answer in got[1:]] == [[], [], []]
    assert all(0 <= answer["confidence"] <= 1 for answer in got)


def test_a_bad_line_gives_an_error_in_its_place():
    got = answers("no json", '{"id": 1}', "[]", "", '{"id": "x", "text": "always run the linter"}')
    assert [answer["id"] for answer in got] == [None, None, None, None, "x"]
    assert all(answer["error"] for answer in got[:4])
    assert "preference" in got[4]["labels"]


def test_machine_turns_give_no_label():
    got = answers(json.dumps({"id": 1, "text": "<task-notification>use x, not y</task-notification>"}))
    assert got == [{"id": 1, "labels": [], "confidence": 0.0}]


def test_a_line_with_a_surrogate_is_answered():
    assert answers('{"id": "\\ud800", "text": "\\ud800 use tabs, not spaces"}')[0]["labels"]


def test_explain_names_the_rule_and_the_request():
    result = triggers.explain("Use pnpm, not npm. Save progress.")
    assert "captured: correction" in result.text
    assert "rule C" in result.text
    assert result.data["requests"] == [{"action": "wrap-up", "name": "", "sentence": "Save progress."}]
    assert "not looked at: slash command" in triggers.explain("/wrap-up").text


def test_what_is_asked_to_be_remembered_counts_as_the_hook_captures_it():
    (got,) = answers(json.dumps({"id": 1, "text": "Remember this: the lab is in room 12."}))
    assert got["labels"]
    assert got["confidence"] == 1.0


def test_explain_follows_its_schema():
    check("triggers", triggers.explain("Use pnpm, not npm. Remember this: port 5433.").data)
