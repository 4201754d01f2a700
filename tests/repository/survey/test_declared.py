"""Services and APIs that files declare, each with its line; other people's files say nothing of the project."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.repository.survey import declared
from belay.repository.survey.declared import Declared

COMPOSE = """# services: none of these
x-common: &common
  restart: always
services:
  web:
    <<: *common
    build: .
    environment:
      db: postgres
  "db":
    image: postgres:16
  cache: {image: "redis:7"}
volumes:
  data: {}
"""
OPENAPI = """openapi: "3.1.0"
info:
  description: x
  title: 'Orders API'
paths:
  /orders:
    get:
      title: not this
"""


def find(root, *paths):
    return declared.find_declared(str(root), paths)


def test_the_services_of_a_compose_file_with_their_lines(tmp_path):
    (tmp_path / "compose.yaml").write_text(COMPOSE)
    assert find(tmp_path, "compose.yaml") == [
        Declared("service", "web", "compose.yaml:5"),
        Declared("service", "db", "compose.yaml:10"),
        Declared("service", "cache", "compose.yaml:12"),
    ]


@pytest.mark.parametrize("name", ["docker-compose.yml", "compose.dev.yaml", "deploy/docker-compose.prod.yml"])
def test_compose_files_have_several_names(tmp_path, name):
    (tmp_path / "deploy").mkdir()
    (tmp_path / name).write_text("services:\n  web:\n    image: x\n")
    assert find(tmp_path, name) == [Declared("service", "web", f"{name}:2")]


@pytest.mark.parametrize("text", [OPENAPI, OPENAPI.replace("\n", "\r\n")])
def test_an_openapi_file_is_an_api(tmp_path, text):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "shop-openapi.yaml").write_text(text)
    assert find(tmp_path, "docs/shop-openapi.yaml") == [
        Declared("api", "Orders API", "docs/shop-openapi.yaml:1 (OpenAPI 3.1.0)")
    ]


def test_an_openapi_file_may_be_json(tmp_path):
    (tmp_path / "swagger.json").write_text(json.dumps({"swagger": "2.0", "info": {"title": "Old API"}}))
    assert find(tmp_path, "swagger.json") == [Declared("api", "Old API", "swagger.json:1 (OpenAPI 2.0)")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("openapi.yaml", "title: x\n"),
        ("openapi.yaml", "openapi: 3.1.0\n"),
        ("openapi.json", "[]"),
        ("openapi.json", "{"),
        ("openapi.json", '{"openapi": 3, "info": {"title": "x"}}'),
        ("openapi.json", "[" * 100_000),
        ("compose.yaml", "web:\n  image: x\n"),
        ("compose.yaml", "services: {}\n"),
        ("compose.yaml", ""),
    ],
)
def test_what_declares_nothing_says_nothing(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert find(tmp_path, name) == []


@pytest.mark.parametrize("folder", ["node_modules/x", "tests", "examples/shop", "vendor", "src/fixtures"])
def test_what_is_not_the_projects_own_does_not_count(tmp_path, folder):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "compose.yaml").write_text(COMPOSE)
    assert find(tmp_path, f"{folder}/compose.yaml") == []


def test_a_link_out_of_the_project_is_not_read(tmp_path):
    (tmp_path / "secret.yaml").write_text(COMPOSE)
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "compose.yaml").symlink_to(tmp_path / "secret.yaml")
    assert find(tmp_path / "repo", "compose.yaml") == []


def test_the_same_service_in_two_files_is_one_and_the_nearest_file_says_so(tmp_path):
    (tmp_path / "ops").mkdir()
    for name in ("compose.yaml", "ops/compose.yaml"):
        (tmp_path / name).write_text("services:\n  web:\n    image: x\n")
    assert find(tmp_path, "ops/compose.yaml", "compose.yaml") == [Declared("service", "web", "compose.yaml:2")]


def test_a_secret_in_a_title_is_hidden(tmp_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (tmp_path / "openapi.yaml").write_text(f"openapi: 3.0.0\ninfo:\n  title: API {secret}\n")
    (found,) = find(tmp_path, "openapi.yaml")
    assert secret not in found.name


@given(st.text())
def test_any_text_is_read_without_an_error(tmp_path_factory, text):
    root = tmp_path_factory.mktemp("any")
    for name in ("compose.yaml", "openapi.yaml", "openapi.json"):
        (root / name).write_bytes(f"services:\n openapi: 1\ninfo:\n  title: {text}".encode("utf-8", "surrogatepass"))
    for one in find(root, "compose.yaml", "openapi.yaml", "openapi.json"):
        assert one.name
        assert "\n" not in one.name
        assert len(one.name) <= declared.NAME_CHARS
