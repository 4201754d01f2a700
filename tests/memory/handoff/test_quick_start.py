"""The steps of the quick start come from files, or do not come."""

import os

import pytest
from repos import git

from belay.memory import project_survey
from belay.memory.handoff import quick_start
from belay.repository import projects


def steps(folder, **files):
    for name, text in files.items():
        (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "more", "--allow-empty")
    return quick_start.list_steps(project_survey.survey_project(projects.find(str(folder), os.environ), os.environ, ""))


def test_all_four_steps(repo):
    git(repo, "remote", "add", "origin", "https://ada:pw@example.org/kite.git")
    package = '{"name": "kite", "engines": {"node": ">=20"}, "scripts": {"dev": "vite", "test": "vitest", "zip": "x"}}'
    compose = "services:\n  db:\n    image: postgres:16\n  web:\n    build: .\n  cache:\n    image: 'redis'\nvolumes:\n  x:\n    image: mysql\n"
    found = steps(
        repo,
        **{
            "package.json": package,
            "pnpm-lock.yaml": "",
            ".env.example": "URL=secret\nKEY=\n",
            "compose.yaml": compose,
        },
    )

    assert found == [
        "1. Clone: `git clone https://example.org/kite.git`",
        "2. Install: `pnpm install` (needs Node >=20)",
        "3. Setup: copy `.env.example` to `.env` and fill in `URL`, `KEY`; `db` (postgres:16), `cache` (redis)"
        " by `docker compose -f compose.yaml up -d db cache`",
        "4. Run: `pnpm run dev`",
        "",
        "Also: test `pnpm run test`",
    ]


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"pyproject.toml": '[project]\nname = "k"\nrequires-python = ">=3.10"\n', "uv.lock": ""}, "Install: `uv sync` (needs Python >=3.10)"),
        ({"requirements.txt": "flask\n"}, "Install: `pip install -r requirements.txt`"),
        ({"pyproject.toml": '[project]\nname = "k"\n'}, "Install: `pip install -e .`"),
        ({"go.mod": "module e.org/k\n\ngo 1.22\n", "main.go": "package main\n"}, "Install: `go mod download` (needs Go 1.22)"),
        ({"Makefile": "setup:\n\ttrue\nrun:\n\ttrue\n"}, "Install: `make setup`"),
        ({"README.md": "# K\n\n## Install\n\n```sh\n./configure\nmake\n```\n"}, "Install: `./configure`, `make` (README.md:6)"),
    ],
)  # fmt: skip
def test_how_it_is_installed(repo, files, wanted):
    assert f"1. {wanted}" in steps(repo, **files)


def test_where_nothing_tells_nothing_is_invented(repo):
    assert steps(repo) == []
    assert steps(repo, **{"README.md": "# Kite\n\nKite keeps the time.\n"}) == [
        "1. Run: nothing here says how; see `README.md`"
    ]


def test_a_foreign_manager_installs_nothing(repo):
    for at in range(20):
        (repo / f"m{at}.c").write_text("int x;\n")

    assert steps(repo, **{"Cargo.toml": '[package]\nname = "k"\n'}) == []


@pytest.mark.parametrize("url", ["https://e.org/a;rm", "https://e.org/$(x)", "https://e.org/a b", "--upload-pack=x"])
def test_an_address_that_a_shell_would_run_is_no_step(repo, url):
    git(repo, "config", "remote.origin.url", url)

    assert steps(repo) == []


def test_a_command_stays_one_line_of_code(repo):
    found = steps(repo, **{"package.json": '{"scripts": {"dev`\\nx": "y", "start": "a"}}'})

    assert all("\n" not in line for line in found)


def test_a_compose_file_of_any_size_is_read_line_by_line():
    text = "services:\n" + "".join(f"  s{at}:\n    image: postgres\n" for at in range(50_000))

    assert len(quick_start.find_databases(text)) == 6
    assert quick_start.find_databases("a: &a [x]\nb: *a\n") == []


def test_the_compose_file_for_developing_is_found_below_the_top(repo):
    for name, image in (
        ("docker/production/compose.yml", "mysql"),
        ("docker/development/compose.yml", "postgres:16"),
    ):
        (repo / name).parent.mkdir(parents=True)
        (repo / name).write_text(f"services:\n  database:\n    image: {image}\n")

    assert steps(repo) == [
        "1. Setup: `database` (postgres:16) by `docker compose -f docker/development/compose.yml up -d database`"
    ]


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"go.mod": "module e.org/k\n", "main.go": "package main\n"}, ""),
        ({"go.mod": "module e.org/k\n", "k_test.go": "package main\n"}, "`go test ./...`"),
        ({"Cargo.toml": '[package]\nname = "k"\n'}, "`cargo test`"),
    ],
    ids=["go without tests", "go", "rust has its tests in any file"],
)
def test_how_the_tests_run_where_no_script_says_it(repo, files, wanted):
    found = [line for line in steps(repo, **files) if "go test" in line or "cargo test" in line]

    assert [wanted in line for line in found] == [True] * bool(wanted)
