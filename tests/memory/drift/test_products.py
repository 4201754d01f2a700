"""Products that a memory names and that no file of the project has a trace of."""

import os

import pytest
from dated import commit
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.memory.document import facts, page
from belay.memory.drift import products
from belay.repository import projects

LIBRARY = {
    "pyproject.toml": '[project]\nname = "courier"\ndependencies = ["h11>=0.14", "pytest"]\n',
    "src/courier/client.py": "import h11\n\n\ndef get(url):\n    return h11.Request(url)\n",
    "README.md": "# Courier\n\nAn HTTP client. Works with Django and Flask; a MongoDB log handler is planned.\n",
    "docs/guide.rst": "Use it in React Native through a proxy.\n",
}


@pytest.fixture
def library(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "begin", "2026-03-01T10:00:00Z", files=LIBRARY)
    return tmp_path


def memory(overview="", notes="", decisions=""):
    return (
        f"# Project Memory\n\n## Project Overview\n{overview}\n\n## Architecture Notes\n{notes}\n\n"
        f"## Key Decisions\n{decisions}\n\n## Where We Left Off\n- **Next immediate step:** add Angular\n"
    )


def absent(folder, text):
    project = projects.find(str(folder), os.environ)
    return [row.name for row in products.find_absent_products(project, facts.read_facts(page.parse(text)))]


def used(sentence):
    return [product.name for product in products.find_used(sentence)]


def test_a_memory_of_another_project(library):
    text = memory("Bakery shop: Django + React + SQLite.", "- Rust service keeps orders in Elasticsearch")

    assert absent(library, text) == ["Django", "React", "SQLite", "Elasticsearch", "Rust"]


def test_what_the_project_uses_is_not_absent(library):
    (library / "web").mkdir()
    (library / "web" / "app.tsx").write_text("import { useState } from 'react'\n")  # not even added yet
    (library / "compose.yaml").write_text("services:\n  db:\n    image: postgres:16\n")

    assert absent(library, memory("Python service, a React frontend and a PostgreSQL database. TypeScript UI.")) == []


def test_the_name_of_a_file_is_a_trace(library):
    (library / "src" / "courier" / "mongo_log.py").write_text("")
    (library / "go").mkdir()
    (library / "go" / "go.mod").write_text("module x\n")

    assert absent(library, memory("Logs go into MongoDB, a Go service reads them.")) == []


def test_a_store_that_the_readme_names_may_be_in_use(library):
    assert absent(library, memory("Logs go into MongoDB; Django shows them.")) == ["Django"]


def test_a_lock_file_counts_by_what_it_installs(library):
    lock = "packages:\n  typeorm@0.3.20:\n    peerDependencies:\n      mysql2: ^3\n  better-sqlite3@9.0.0:\n"
    (library / "pnpm-lock.yaml").write_text(lock)

    assert absent(library, memory("Data in SQLite and MySQL.")) == ["MySQL"]


def test_nothing_is_absent_where_not_everything_is_seen(library):
    (library / ".gitmodules").write_text('[submodule "web"]\n\tpath = web\n')

    assert absent(library, memory("Django + React")) == []


def test_nothing_is_absent_before_there_is_code(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "begin", "2026-03-01T10:00:00Z", files={"README.md": "# Plan\n"})

    assert absent(tmp_path, memory("Django + React")) == []


def test_the_line_is_that_of_the_text(library):
    project = projects.find(str(library), os.environ)
    known = facts.read_facts(page.parse(memory("An HTTP client.", "- tests\n- Laravel admin")))

    assert [(row.name, row.line) for row in products.find_absent_products(project, known)] == [("Laravel", 8)]


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Bakery e-commerce. Next.js 14, Prisma, Stripe", ["Next.js", "Prisma"]),
        ("django + react + mongodb", ["Django", "MongoDB"]),
        ("A Flask app with Celery and Redis", ["Flask", "Celery", "Redis"]),
        ("Frontend (Next.js 15) → Backend (FastAPI) → PostgreSQL", ["FastAPI", "Next.js", "PostgreSQL"]),
        ("PostgreSQL over MongoDB", ["PostgreSQL"]),
        ("written in Go", ["Go"]),
        ("Redis-backed sessions", ["Redis"]),
    ],
)
def test_a_product_in_use(sentence, names):
    assert sorted(used(sentence)) == sorted(names)


@pytest.mark.parametrize(
    "sentence",
    [
        "moved from Django to our own server",
        "an ORM like Django's, inspired by Rails",
        "Django → nothing",
        "no MongoDB, no Redis",
        "skips Cassandra, DynamoDB or Redis for v1",
        "will move to PostgreSQL",
        "maybe SQLite later",
        "a Rails-like router",
        "for Django and Flask projects",
        "an exporter to MongoDB",
        "React to events; express delivery; go on; rust never sleeps; a swift answer",
        "React quickly to what Jest says",
        "see docs/Django.md and lib/mongodb",
        "Django was replaced",
        "not tested against MySQL",
        "works behind Django and Flask",
        "an open source Firestore alternative",
        "the app of another team is React Native with SQLite",
        "used by Rails",
    ],
)
def test_a_product_that_is_not_said_to_be_in_use(sentence):
    assert used(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "`WSGITransport` serves a Flask app, `ASGITransport` a Starlette or FastAPI one",
        "parse errors of Django templates are shown", "the plugin can be used with Django and Flask",
        "a bridge calls MongoDB", "splits PostgreSQL dumps",
    ],
)  # fmt: skip
def test_a_note_speaks_of_other_things_too(sentence):
    assert products.find_used(sentence, is_note=True) == []


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Django admin for orders", "Django"),
        ("Backend: FastAPI", "FastAPI"),
        ("orders are kept in MongoDB", "MongoDB"),
        ("jobs run on `Celery` workers", "Celery"),
        ("a Rails app", "Ruby on Rails"),
        ("uses Django and PostgreSQL", "PostgreSQL"),
    ],
)
def test_a_note_that_says_what_the_project_is_made_of(sentence, name):
    assert name in [product.name for product in products.find_used(sentence, is_note=True)]


@given(st.text(max_size=300))
def test_any_text_is_read(sentence):
    assert isinstance(products.find_used(sentence), list)
