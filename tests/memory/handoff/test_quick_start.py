"""The steps of the quick start come from files, or do not come."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.memory import project_survey
from belay.memory.handoff import own_commands, quick_start, surroundings
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
        "1. Clone: `git clone https://example.org/kite.git`, `cd kite`",
        "2. Install: `pnpm install`; needs Node >=20, pnpm",
        "3. Environment: `cp .env.example .env`, fill in `KEY`",
        "4. Services: `docker compose -f compose.yaml up -d db cache` starts `db` (postgres:16), `cache` (redis)",
        "5. Run: `pnpm run dev`",
        "",
        "Also: test `pnpm run test`",
    ]


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"pyproject.toml": '[project]\nname = "k"\nrequires-python = ">=3.10"\n', "uv.lock": ""}, "Install: `uv sync`; needs Python >=3.10, uv"),
        ({"requirements.txt": "flask\n"}, "Install: `pip install -r requirements.txt`"),
        ({"pyproject.toml": '[project]\nname = "k"\n'}, "Install: `pip install -e .`"),
        ({"go.mod": "module e.org/k\n\ngo 1.22\n", "main.go": "package main\n"}, "Install: `go mod download`; needs Go 1.22"),
        ({"Makefile": "setup:\n\ttrue\nrun:\n\ttrue\n"}, "Install: `make setup`"),
        ({"README.md": "# K\n\n## Install\n\n```sh\n./configure\nmake\n```\n"}, "Install: `./configure`, `make` (README.md:6)"),
    ],
)  # fmt: skip
def test_how_it_is_installed(repo, files, wanted):
    assert f"1. {wanted}" in steps(repo, **files)


def test_the_way_of_a_monorepo(repo):
    for name, text in {
        "apps/api/package.json": '{"name": "@kite/api", "scripts": {"migration:run": "typeorm", "test": "jest"}}',
        "apps/api/.env.example": "PORT=3000\nJWT_SECRET=\n# OTHER=\n",
        "apps/web/.env.example": "API=http://localhost\n",
        "tests/e2e/.env.example": "TOKEN=\n",
        "docker/compose.yml": "services:\n  db:\n    image: postgres:16\n  node:\n    image: ipfs/kubo\n",
    }.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)

    found = steps(repo, **{"package.json": '{"workspaces": ["apps/*"]}', "package-lock.json": "{}"})

    assert found == [
        "1. Install: `npm install`",
        "2. Environment: `cp apps/api/.env.example apps/api/.env`, fill in `JWT_SECRET`;"
        " `cp apps/web/.env.example apps/web/.env`, check its values",
        "3. Services: `docker compose -f docker/compose.yml up -d db node` starts `db` (postgres:16)",
        "4. Database: `npm run migration:run -w @kite/api`",
    ]


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("manage.py", "", "`python manage.py migrate`"),
        ("alembic.ini", "", "`alembic upgrade head`"),
        ("package.json", '{"scripts": {"db:migrate": "x"}}', "`npm run db:migrate`"),
    ],
)
def test_how_tables_are_made(repo, name, text, wanted):
    assert any(line.endswith(f"Database: {wanted}") for line in steps(repo, **{name: text}))


def test_programs_of_go(repo):
    (repo / "cmd" / "kite").mkdir(parents=True)
    (repo / "cmd" / "kite" / "main.go").write_text("package main\n")

    assert "2. Run: `go run ./cmd/kite`" in steps(repo, **{"go.mod": "module e.org/kite\n"})

    (repo / "cmd" / "bench").mkdir()
    (repo / "cmd" / "bench" / "main.go").write_text("package main\n")

    assert "2. Run: `go run ./cmd/kite`" in steps(repo)
    assert "2. Run: `go run ./cmd/kite`" not in steps(repo, **{"go.mod": "module e.org/other\n"})


README = """# Kite

## Install

```sh
brew install kite
npm install -g kite
```

## Development

### Set up

```console
$ git clone https://example.org/kite.git
$ cd kite
$ pnpm install   # this takes a while
added 300 packages
```

### Database

```
cp .env.example .env
docker compose up -d
FOO=1 pnpm db:migrate \\
  --all
cd /home/ada/kite
export TOKEN=<your token>
```

### Run

```
pnpm dev
```

## Release

```
pnpm publish
```
"""


def test_the_readmes_own_commands_come_in_their_order(repo):
    package = '{"scripts": {"dev": "vite", "db:migrate": "x"}}'
    found = steps(repo, **{"README.md": README, "package.json": package, "pnpm-lock.yaml": "", ".env.example": "A=\n"})

    assert found == [
        "1. Install: `pnpm install`, `cp .env.example .env`, `docker compose up -d`, `FOO=1 pnpm db:migrate --all`,"
        " `pnpm dev` (README.md:15); needs docker, pnpm",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "## Install\n\n```\nbrew install kite\n```\n",
        "## Install\n\n```\npip install kite\n```\n",
        "## Getting started\n\n```\nnpm install -g kite\nkite init\n```\n",
        "## Quick start\n\n```python\nimport kite\n```\n",
        "## API\n\n```\ngit clone x\nnpm install\n```\n",
        "## Set up\n\n```\ngit clone x\nmake setup\n./bootstrap.sh\nnpm run dev\ncp .env.sample .env\n```\n",
    ],
)
def test_a_users_installation_is_no_set_up(repo, text):
    (repo / "README.md").write_text("# Kite\n\n" + text)

    assert own_commands.find_set_up(str(repo)).commands == []


@given(st.text(alphabet="#` \n$%>\\abcdefghgit clone npm install/home<>&|;", max_size=400))
def test_any_readme_has_commands_of_one_line(tmp_path_factory, text):
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    (folder / "README.md").write_text(text)

    found = own_commands.find_set_up(str(folder))

    assert all("\n" not in command and "/home/" not in command for command in found.commands)
    assert bool(found.commands) == bool(found.source)


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

    assert len(surroundings.list_services(text)) == 12
    assert surroundings.list_services("a: &a [x]\nb: *a\n") == []


def test_the_compose_file_for_developing_is_found_below_the_top(repo):
    for name, image in (
        ("docker/production/compose.yml", "mysql"),
        ("docker/development/compose.yml", "postgres:16"),
    ):
        (repo / name).parent.mkdir(parents=True)
        (repo / name).write_text(f"services:\n  database:\n    image: {image}\n")

    assert steps(repo) == [
        "1. Services: `docker compose -f docker/development/compose.yml up -d database` starts `database` (postgres:16)"
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
