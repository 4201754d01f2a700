"""Which commits decide something, and which only sound so."""

import pytest

from belay.repository.git.owners import Change
from belay.repository.survey import commit_decisions


def change(subject, body="", sha="a" * 40, parents=1):
    return Change(sha, "2026-01-02T00:00:00Z", "Ada", parents, subject, body)


@pytest.mark.parametrize(
    ("subject", "body", "paths", "text", "reason", "affects", "sure"),
    [
        ("Switch to hemp ropes (#12)", "", [], "Switch to hemp ropes", "", "", "low"),
        ("migrate from oars to sails", "Because oars tire the crew.\nx", [], "Migrate from oars to sails", "oars tire the crew", "", "medium"),
        ("Switch to hemp because of its strength", "", [], "Switch to hemp", "its strength", "", "medium"),
        ("Drop support for Python 3.7", "", [], "Drop support for Python 3.7", "", "", "low"),
        ("Use ropes instead of chains", "", ["pyproject.toml"], "Use ropes instead of chains", "", "", "low"),
        ("Replace chains with ropes", "", ["sub/package.json"], "Replace chains with ropes", "", "", "low"),
        ("feat(deck)!: require boots", "BREAKING CHANGE: bare feet are\nnot allowed.", [], "Require boots", "breaking change: bare feet are not allowed.", "deck", "medium"),
    ],
)  # fmt: skip
def test_a_commit_that_decides(subject, body, paths, text, reason, affects, sure):
    found = commit_decisions.parse_decision(change(subject, body), paths)

    assert (found.text, found.reason, found.affects, found.sure) == (text, reason, affects, sure)


@pytest.mark.parametrize(
    "subject",
    [
        "Replace tabs with spaces",
        "Use fast_path() instead of slow_path()",
        "Use ropes instead of chains",
        "Move the knot to utils",
        "Drop unused imports",
        "Bump rope from 1.2 to 2.0",
        "chore(deps)!: rope 2.0",
        "test: switch to hemp",
        "Switch the order of the words",
        "Fix a typo",
        "Merge branch 'x'",
        "",
    ],
)
def test_a_commit_that_only_sounds_so(subject):
    assert commit_decisions.parse_decision(change(subject), ["lib/rope.py"]) is None


def test_what_was_reverted_is_no_decision():
    rows = [
        change('Revert "Switch to hemp ropes"'),
        change("Switch to hemp ropes"),
        change("Switch to steel ropes"),
    ]

    assert [one.text for one in commit_decisions.decisions(rows, {})] == ["Switch to steel ropes"]
