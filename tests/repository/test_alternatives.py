"""Products that do one job: found in a text by their names, each with the others of its job."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.repository.manifests import alternatives
from belay.repository.manifests.alternatives import find_products, list_others


@pytest.mark.parametrize(
    ("text", "products"),
    [
        ("why not postgres?", ["PostgreSQL"]),
        ("Let's use “GitHub Actions”, not Jenkins.", ["Jenkins", "GitHub Actions"]),
        ("Express or Fastify", ["Express", "Fastify"]),
        ("the express lane, a react to rest", []),
        ("SQLite, sqlite3 and SQLite", ["SQLite"]),
        ("", []),
    ],
)
def test_products_are_found_by_their_names(text, products):
    assert [one.product for one in find_products(text)] == products


def test_the_others_of_a_job_do_not_hold_the_product_itself():
    (sqlite,) = find_products("SQLite")
    others = list_others(sqlite)

    assert {"postgres", "mysql"} <= set(others)
    assert {"sqlite", "sqlite3", "redis"}.isdisjoint(others)


def test_no_product_does_two_jobs():
    names = [name for line in alternatives._TABLE.replace("\n+", "").strip().split("\n")
             for product in line.partition(":")[2].split(",") for name in product.split()]  # fmt: skip
    assert len(names) == len({name.rstrip("?").casefold() for name in names}) + 1  # Postgresql is PostgreSQL


@given(st.text(max_size=80))
def test_any_text_is_read(text):
    assert len(find_products(text)) == len(set(find_products(text)))


def test_rivals_are_the_products_of_one_job_by_single_plain_words():
    rivals = alternatives.list_rivals("Let's go with SQLite")
    assert {"sqlite", "postgres", "mongodb", "duckdb"} <= {*rivals}
    assert not {"redis", "sql server", "kafka"} & {*rivals}
    assert alternatives.list_rivals("Prices in cents") == []
    assert not {"react", "angular"} & {*alternatives.list_rivals("Vue for the pages")}  # words of everyday language
