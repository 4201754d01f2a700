import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.repository.manifests import dependencies

NAMES = ["package.json", "pyproject.toml", "requirements.txt", "go.mod", "Cargo.toml", "Gemfile"]
NAMES += ["composer.json", "pom.xml"]

PYPROJECT = """
[project]
dependencies = ["Flask[async]>=3, <4", "pydantic == 2.7 ; python_version > '3.8'", "own @ git+https://u:pw@host/x"]
[project.optional-dependencies]
fast = ["uvloop"]
[dependency-groups]
dev = ["pytest>=8", {include-group = "lint"}]
[tool.poetry.dependencies]
python = "^3.11"
Typing_Extensions = "^4"
sqlalchemy = {version = "^2.0", extras = ["asyncio"]}
[tool.poetry.group.docs.dependencies]
mkdocs = "*"
"""
CARGO = """
[dependencies]
axum = "0.7"
tokio = { version = "1", features = ["full"] }
[dev-dependencies]
insta = { git = "https://host/insta" }
[target.'cfg(unix)'.dependencies]
nix = "0.29"
[workspace.dependencies]
serde = "1"
"""
GO = """module example.org/shop

go 1.22

require github.com/spf13/cobra v1.8.0
require (
	github.com/gin-gonic/gin v1.10.0 // the server
	golang.org/x/sys v0.20.0 // indirect
)
replace example.org/a => ../a
"""
POM = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId>
    <version>3.3.0</version></parent>
  <properties><pg.version>42.7</pg.version></properties>
  <dependencies>
    <dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId>
      <version>${pg.version}</version>
      <exclusions><exclusion><groupId>a</groupId><artifactId>b</artifactId></exclusion></exclusions></dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>no</artifactId></plugin></plugins></build>
</project>"""
REQUIREMENTS = """# what runs
-r base.txt
Django==5.0.4 \\
    --hash=sha256:00
celery[redis]>=5.4  # the queue
-e git+https://host/mine.git#egg=mine
https://host/wheel.whl
zope.interface ; python_version < "3.12"
"""
GEMS = """source "https://host"
gem "rails", "~> 7.1", ">= 7.1.3"
  gem 'puma'
# gem "none"
gem "own", path: "../own"
"""


def test_package_json_has_four_groups():
    text = json.dumps(
        {
            "dependencies": {"express": "^4.19.0", "broken": 3},
            "devDependencies": {"vitest": "1.6.0"},
            "peerDependencies": {"express": ">=4", "react": "18"},
            "optionalDependencies": {"fsevents": "2"},
        }
    )

    assert dependencies.dependencies("web/package.json", text) == {
        "express": "^4.19.0",
        "broken": "",
        "vitest": "1.6.0",
        "fsevents": "2",
        "react": "18",
    }


def test_pyproject_in_every_form():
    assert dependencies.dependencies("pyproject.toml", PYPROJECT) == {
        "flask": ">=3, <4",
        "pydantic": "== 2.7",
        "own": "@ git+https://host/x",
        "uvloop": "",
        "pytest": ">=8",
        "typing-extensions": "^4",
        "sqlalchemy": "^2.0",
        "mkdocs": "*",
    }


@pytest.mark.parametrize("path", ["requirements.txt", "requirements-dev.txt", "requirements/base.txt"])
def test_requirements(path):
    assert dependencies.dependencies(path, REQUIREMENTS) == {
        "django": "==5.0.4",
        "celery": ">=5.4",
        "mine": "",
        "zope-interface": "",
    }


def test_go_mod_counts_what_is_chosen():
    found = dependencies.dependencies("go.mod", GO)

    assert found == {"github.com/spf13/cobra": "v1.8.0", "github.com/gin-gonic/gin": "v1.10.0"}


def test_cargo_with_targets_and_workspace():
    assert dependencies.dependencies("Cargo.toml", CARGO) == {
        "axum": "0.7",
        "tokio": "1",
        "insta": "https://host/insta",
        "nix": "0.29",
        "serde": "1",
    }


def test_gemfile():
    assert dependencies.dependencies("Gemfile", GEMS) == {"rails": "~> 7.1, >= 7.1.3", "puma": "", "own": ""}


def test_composer_without_the_platform():
    text = json.dumps({"require": {"php": ">=8.2", "ext-pdo": "*", "laravel/framework": "^11"}})

    assert dependencies.dependencies("composer.json", text) == {"laravel/framework": "^11"}


def test_pom_fills_in_properties():
    assert dependencies.dependencies("pom.xml", POM) == {
        "org.springframework.boot:spring-boot-starter-parent": "3.3.0",
        "org.postgresql:postgresql": "42.7",
    }


def test_what_is_no_manifest_has_none():
    assert dependencies.dependencies("README.md", "express 4") == {}
    assert not dependencies.is_manifest("notes.txt")


def test_changes():
    old, new = {"express": "4", "zod": "3", "pg": "8"}, {"fastify": "5", "zod": "4", "pg": "8"}

    assert dependencies.changes(old, new) == {
        "added": {"fastify": "5"},
        "removed": {"express": "4"},
        "changed": {"zod": ["3", "4"]},
    }


BOMB = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><project><name>&y;</name></project>'
HOSTILE = {
    "entities": ("pom.xml", BOMB),
    "no end": ("pom.xml", "<project>" * 10_000),
    "deep elements": ("pom.xml", "<a>" * 100_000 + "</a>" * 100_000),
    "long names": ("pom.xml", "<project>" + ("<" + "n" * 100_000 + "/>") * 5 + "</project>"),
    "many properties": (
        "pom.xml",
        POM.replace("${pg.version}", "${pg.version}" * 30_000).replace("42.7", "4" * 200_000),
    ),
    "deep lists": ("package.json", "[" * 200_000),
    "deep objects": ("package.json", '{"dependencies":' * 50_000),
    "a list": ("package.json", "[1]"),
    "wrong types": ("package.json", '{"dependencies": ["a"], "devDependencies": 7}'),
    "toml of wrong types": ("pyproject.toml", "project = 3\ntool = [1]\n[dependency-groups]\na = 'b'\n"),
    "a long key": ("Cargo.toml", "a" + ".a" * 100_000 + " = 1"),
    "a long header": ("Cargo.toml", "[a" + ".a" * 100_000 + "]"),
    "keys in a row": ("Cargo.toml", "x = { a" + ".a" * 100_000 + " = 1 }"),
    "deep toml": ("pyproject.toml", "a = " + "[" * 100_000),
    "empty lines": ("Gemfile", "\n" * 1_000_000),
    "blanks": ("Gemfile", 'gem "a"' + " " * 900_000),
    "slashes": ("requirements.txt", "a @ " + "/" * 900_000),
    "a long word": ("go.mod", "require " + "a/" * 400_000),
    "too long": ("requirements.txt", "flask\n" * 300_000),
    "nothing": ("Cargo.toml", "\0"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_text_is_no_crash_and_gives_little(case):
    path, text = HOSTILE[case]

    found = dependencies.dependencies(path, text)

    assert sum(len(name) + len(value) for name, value in found.items()) < 10_000


@given(st.sampled_from(NAMES), st.text())
def test_any_text_gives_names_and_strings(path, text):
    found = dependencies.dependencies(path, text)

    assert all(isinstance(part, str) for pair in found.items() for part in pair)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["dependencies", "require", "a/b"]), inner),
)


@given(JSON)
def test_any_json_gives_names_and_strings(data):
    for path in ("package.json", "composer.json"):
        found = dependencies.dependencies(path, json.dumps(data))

        assert all(isinstance(part, str) for pair in found.items() for part in pair)


def test_toml_can_be_read_here():
    from belay.repository.manifests import toml

    assert toml.readable()
    assert toml.loads("a = 1") == {"a": 1}
    assert ("tomllib" if sys.version_info >= (3, 11) else "tomli") in sys.modules


def test_no_login_or_query_of_an_address_is_kept():
    text = '{"dependencies": {"a": "https://u:p@ss@host/a.tgz?token=abc&key=d#v1", "b": "^1.0"}}'

    assert dependencies.dependencies("package.json", text) == {"a": "https://host/a.tgz#v1", "b": "^1.0"}


def test_a_project_that_asks_for_its_own_extras_does_not_depend_on_itself():
    text = '[project]\nname = "My_Lib"\n[dependency-groups]\ntest = ["my-lib[socks]", "pytest>=8"]\n'

    assert dependencies.dependencies("pyproject.toml", text) == {"pytest": ">=8"}
