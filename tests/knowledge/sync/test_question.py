"""A question to the shared memory: what of it leaves the machine, and which filters it names."""

import json
import os

import pytest
import wordpieces

from belay.core.errors import BadCall
from belay.knowledge.sync import points, question
from belay.knowledge.sync.question import Wanted
from belay.knowledge.vectors import encoding


def ask(text, **more):
    return question.make_question(Wanted(text, **more), os.environ)


def test_words_go_as_numbers_and_the_text_stays_here():
    body = ask("proxy timeouts", most=5)
    (branch,) = body["prefetch"]
    indices, values = points.count_words("proxy timeouts")
    assert (branch["using"], branch["query"]) == ("words", {"indices": indices, "values": values})
    assert (branch["limit"], body["limit"], body["query"]) == (20, 5, {"fusion": "rrf"})
    assert "proxy" not in json.dumps(body)


def test_word_pieces_are_compared_only_with_vectors_of_the_same_table(tmp_path):
    wordpieces.install(tmp_path)
    words, pieces = ask("an automobile", types=["note"])["prefetch"]
    identity = encoding.load_encoder(os.environ).table.identity
    of_type = {"key": "type", "match": {"any": ["note"]}}
    assert words["filter"] == {"must": [of_type]}
    assert pieces["filter"] == {"must": [of_type, {"key": "table", "match": {"value": identity}}]}
    assert (pieces["using"], len(pieces["query"]), pieces["score_threshold"] > 0) == ("pieces", encoding.DIMS, True)


def test_a_text_without_a_word_is_not_asked(tmp_path):
    assert (ask("the"), ask("…"), ask("")) == ({}, {}, {})


def test_a_secret_in_a_question_does_not_leave():
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (branch,) = ask(f"proxy {secret}")["prefetch"]
    assert set(points.count_words(secret)[0]).isdisjoint(branch["query"]["indices"])


def test_filters_are_conditions_that_must_all_hold():
    wanted = Wanted("x", projects=["Team/API", "web"], types=["gotcha"], persons=["Ana  Li"], since="2026-05")
    assert question.make_conditions(wanted) == [
        {"key": "projects", "match": {"any": ["team/api", "web"]}},
        {"key": "type", "match": {"any": ["gotcha"]}},
        {"key": "persons", "match": {"any": ["ana li"]}},
        {"key": "time", "range": {"gte": "2026-05-01T00:00:00Z"}},
    ]


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("2026", "2026-01-01"),
        ("2026-05", "2026-05-01"),
        ("2026-05-31", "2026-05-31"),
        ("2026-05-31T10:00", "2026-05-31"),
    ],
)
def test_a_date_begins_with_its_first_moment(given, moment):
    assert question.complete_date(given) == f"{moment}T00:00:00Z"


@pytest.mark.parametrize("given", ["2026-", "20", "soon", "2026-xx-01"])
def test_a_date_that_is_none_is_said(given):
    with pytest.raises(BadCall, match="is not a date"):
        question.complete_date(given)


def test_nobody_asks_for_more_than_a_page():
    assert (ask("x1", most=10_000)["limit"], ask("x1", most=0)["limit"]) == (question.MOST, 1)
