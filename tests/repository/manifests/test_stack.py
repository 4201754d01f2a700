import json
import os

from belay.repository.manifests import known_packages, stack


def write(root, files):
    for name, body in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body if isinstance(body, str) else json.dumps(body))
    return str(root)


def test_a_web_project_with_workspaces(tmp_path):
    root = write(
        tmp_path,
        {
            "package.json": {
                "name": "shop",
                "description": "Sells\nbread",
                "packageManager": "pnpm@9.1.0",
                "workspaces": ["packages/*"],
                "scripts": {"dev": "next dev", "bad name": "x"},
                "dependencies": {"next": "14", "@prisma/client": "5"},
                "devDependencies": {"typescript": "5", "vitest": "1"},
            },
            "packages/api/package.json": {"dependencies": {"fastify": "4"}},
            "node_modules/react/package.json": {"dependencies": {"no": "1"}},
            "Makefile": ".PHONY: test\nCC := gcc\ntest lint: build\n\tdo: it\nbuild:\n\tnpm run build\ndev:\n",
        },
    )

    found = stack.stack(root)

    assert found["name"] == "shop"
    assert found["description"] == "Sells bread"
    assert found["languages"] == ["TypeScript"]
    assert found["frameworks"] == ["Next.js", "Prisma", "TypeScript", "Vitest", "Fastify"]
    assert found["manager"] == "pnpm"
    assert found["scripts"] == {
        "dev": "pnpm run dev", "test": "make test", "lint": "make lint", "build": "make build",
    }  # fmt: skip
    assert found["manifests"] == ["package.json", "packages/api/package.json"]
    assert found["dependencies"]["packages/api/package.json"] == {"fastify": "4"}


def test_a_python_project(tmp_path):
    root = write(
        tmp_path,
        {
            "pyproject.toml": '[project]\nname = "desk"\ndependencies = ["flask"]\n[project.scripts]\ndesk = "desk:main"\n',
            "uv.lock": "",
            "justfile": "set shell := ['sh']\nserve port='80':\n  flask run\n",
            "requirements/dev.txt": "pytest",
        },
    )

    found = stack.stack(root)

    assert (found["name"], found["manager"], found["languages"]) == ("desk", "uv", ["Python"])
    assert found["scripts"] == {"desk": "uv run desk", "serve": "just serve"}
    assert found["manifests"] == ["pyproject.toml", "requirements/dev.txt"]


def test_an_empty_folder_says_its_name_only(tmp_path):
    folder = tmp_path / "bare"
    folder.mkdir()

    assert stack.stack(str(folder)) == {
        "name": "bare", "description": "", "languages": [], "frameworks": [], "manager": "", "scripts": {},
        "manifests": [], "dependencies": {},
    }  # fmt: skip


def test_each_manifest_tells_its_manager(tmp_path):
    managers = {
        "go.mod": "go",
        "Cargo.toml": "cargo",
        "Gemfile": "bundler",
        "composer.json": "composer",
        "pom.xml": "maven",
    }
    found = {}
    for name in managers:
        found[name] = stack.stack(write(tmp_path / name.replace(".", "-"), {name: "module example.org/a/shop\n"}))

    assert {name: row["manager"] for name, row in found.items()} == managers
    assert found["go.mod"]["name"] == "shop"


def test_nothing_outside_of_the_project_is_read(tmp_path):
    write(tmp_path, {"secret/package.json": {"name": "stolen"}})
    root = tmp_path / "project"
    write(root, {"pnpm-workspace.yaml": "packages:\n  - '../secret'\n  - '../*'\n"})
    os.symlink(tmp_path / "secret" / "package.json", root / "package.json")
    os.symlink(tmp_path / "secret", root / "inner")
    os.mkfifo(root / "Makefile")

    found = stack.stack(str(root))

    assert found["name"] == "project"
    assert found["manifests"] == ["package.json"]
    assert found["dependencies"] == {"package.json": {}}


def test_every_known_package_has_a_name():
    assert all(name and "=" not in name for name, _ in known_packages.packages().values())
    assert known_packages.called("github.com/gofiber/fiber/v2") == "Fiber"
    assert sorted(known_packages.families()["js web server"]) == [
        "Express",
        "Fastify",
        "Hono",
        "Koa",
        "NestJS",
        "Restify",
        "hapi",
    ]


def test_tasks_of_mise_are_scripts(tmp_path):
    (tmp_path / "mise.toml").write_text(
        '[tools]\ngo = "1.25"\n\n[tasks.build]\nrun = "go build"\n\n[tasks."test:ci"]\nrun = "x"\n'
    )
    (tmp_path / "Makefile").write_text("build:\n\ttrue\n")

    assert stack.stack(str(tmp_path))["scripts"] == {"build": "make build", "test:ci": "mise run test:ci"}

    (tmp_path / "mise.toml").write_text("[tasks\n")
    assert stack.stack(str(tmp_path))["scripts"] == {"build": "make build"}
