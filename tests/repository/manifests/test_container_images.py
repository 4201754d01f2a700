"""Versions that container files and version files pin."""

import pytest

from belay.repository.manifests import container_images


@pytest.fixture
def pinned(tmp_path):
    (tmp_path / "docker-compose.yml").write_text('services:\n  db:\n    image: "postgres:16.3-alpine"\n')
    (tmp_path / "Dockerfile").write_text("FROM docker.io/library/node:22-slim AS build\nFROM alpine:3\n")
    (tmp_path / ".python-version").write_text("3.12.4\n")
    names = {"docker-compose.yml", "Dockerfile", ".python-version", "src/compose.py"}
    return container_images.read_images(str(tmp_path), names)


def test_what_is_pinned(pinned):
    assert sorted((row.image, row.version) for row in pinned) == [
        ("node", "22"), ("postgres", "16.3"), ("python", "3.12.4"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("PostgreSQL 15 holds it", ["15"]),
        ("Postgres 16 holds it", []),
        ("Node 20, PostgreSQL 16.3", ["20"]),
        ("Node 20 or newer", []),
        ("at least Python 3.10", []),
        ("Python 3.11 runs it", ["3.11"]),
        ("Python 3.12 runs it", []),
        ("in PostgreSQL 12% of rows", []),
    ],
)
def test_versions_that_nothing_has(pinned, text, wrong):
    assert [row.written for row in container_images.find_wrong(text, pinned)] == wrong
