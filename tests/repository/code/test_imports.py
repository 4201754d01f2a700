"""Which file imports which, and the picture of it."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.memory import project_survey
from belay.memory.handoff import diagram
from belay.repository import projects
from belay.repository.code import path_aliases
from belay.repository.code.imports import ImportTree

PYTHON = [
    "src/kite/__init__.py",
    "src/kite/bell.py",
    "src/kite/deck/__init__.py",
    "src/kite/deck/rope.py",
    "tool.py",
]
SCRIPT = ["app/main.ts", "app/bell.tsx", "app/deck/index.js", "packages/rope/src/index.ts", "src/knot.ts"]
RUST = ["src/main.rs", "src/bell.rs", "src/deck/mod.rs"]


@pytest.mark.parametrize(
    ("paths", "path", "text", "found"),
    [
        (PYTHON, "src/kite/bell.py", "from .deck import rope", {"src/kite/deck/rope.py"}),
        (PYTHON, "src/kite/bell.py", "from kite.deck.rope import knot", {"src/kite/deck/rope.py"}),
        (PYTHON, "src/kite/deck/rope.py", "from ..bell import ring\nimport os, sys", {"src/kite/bell.py"}),
        (PYTHON, "src/kite/__init__.py", "from . import bell", {"src/kite/bell.py"}),
        (PYTHON, "tool.py", "import kite.bell as b, json", {"src/kite/bell.py"}),
        (PYTHON, "tool.py", "def f():\n    from kite import (bell,\n        deck)", {"src/kite/bell.py"}),
        (PYTHON, "tool.py", "import kite.bell\nfrom kite.deck import rope", {"src/kite/bell.py", "src/kite/deck/rope.py"}),
        (["code/kite/__init__.py", "code/kite/bell.py", "tool.py"], "tool.py", "import kite.bell", {"code/kite/bell.py"}),
        (PYTHON, "tool.py", "from .... import x\nfrom .nothing import y", set()),
        (SCRIPT, "app/main.ts", "import { a } from './bell'\nexport * from \"./deck\"", {"app/bell.tsx", "app/deck/index.js"}),
        (SCRIPT, "app/main.ts", "import {\n a,\n b } from './bell.js'\nconst x = require('react')", {"app/bell.tsx"}),
        (SCRIPT, "app/main.ts", "const x = await import('@/knot'); import '@kite/rope/src/index'", {"src/knot.ts", "packages/rope/src/index.ts"}),
        (SCRIPT, "app/main.ts", "import r from '@kite/rope'; import '../../../out'", {"packages/rope/"}),
        (["main.go", "deck/a.go"], "main.go", 'import (\n\t"fmt"\n\td "e.org/kite/deck"\n)', {"deck/"}),
        (RUST, "src/main.rs", "mod bell;\npub(crate) mod deck;\nuse std::io;", {"src/bell.rs", "src/deck/mod.rs"}),
        (RUST, "src/deck/mod.rs", "use crate::bell::Ring;", {"src/bell.rs"}),
    ],
)  # fmt: skip
def test_imports_inside_the_project(paths, path, text, found):
    assert ImportTree(paths, {"@kite/rope": "packages/rope"}, "e.org/kite").imports(path, text) == found


@given(
    st.text(alphabet="import from.exqu('\")\n\t,*as{}@/ \\", max_size=300),
    st.sampled_from(["a.py", "b.ts", "c.go", "d.rs"]),
)
def test_any_text_has_imports(text, path):
    assert ImportTree([path, "x/y.py"], {}, "m").imports(path, text) <= {
        "x/y.py",
        "a.py",
        "b.ts",
        "c.go",
        "d.rs",
        "x/",
    }


def drawn(folder):
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "more")
    return diagram.draw_diagram(
        project_survey.survey_project(projects.find(str(folder), os.environ), os.environ, "")
    ).split("\n")


def test_the_picture_names_modules_importers_first(repo):
    for name, text in {
        "src/kite/__init__.py": "", "src/kite/cli.py": "from kite import bell, deck", "src/kite/bell.py": "from kite import rope",
        "src/kite/deck.py": "from kite import rope", "src/kite/rope.py": "import os", "tests/test_a.py": "import kite",
    }.items():  # fmt: skip
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text + "\n")

    lines = drawn(repo)

    assert lines[0] == "in src/kite/:"
    assert lines[1] == "cli  ──▶ bell, deck"
    assert "bell  ──▶ rope" in lines[2:]


def test_a_project_of_three_modules_has_its_picture(repo):
    for name, text in {
        "src/web/app.ts": "import { api } from '../api';", "src/api/index.ts": "import { q } from '../db/client';",
        "src/db/client.ts": "export const q = 1;",
    }.items():  # fmt: skip
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text + "\n")

    assert drawn(repo) == ["in src/:", "web  ──▶ api", "api  ──▶ db", "db"]


def test_no_picture_where_there_is_little_to_see(repo):
    (repo / "one.py").write_text("x = 1\n")
    for at in range(9):
        (repo / f"m{at}.c").write_text("int x;\n")

    assert drawn(repo) == [""]


def test_a_hostile_path_is_not_drawn(repo):
    for name in ("a.py", "b.py", "c.py", "x\n```\nignore.py"):
        (repo / name).write_text("import a\n")

    assert "```" not in "\n".join(drawn(repo))


@pytest.mark.parametrize(
    ("config", "path", "name", "found"),
    [
        (
            '{"compilerOptions": {\n// "paths": {"x/*": ["y/*"]},\n"paths": {"@src/*": ["./src/*"], "@kit": ["src/kit.ts"]}}}',
            "src/a.ts",
            "@src/lib/b",
            "src/lib/b.ts",
        ),
        ('{"compilerOptions": {"paths": {"@kit": ["src/kit.ts"]}}}', "src/a.ts", "@kit", "src/kit.ts"),
        ('{"compilerOptions": {"baseUrl": "./src"}}', "src/a.ts", "lib/b", "src/lib/b.ts"),
        ('{"compilerOptions": {"baseUrl": ".", "paths": {"~/*": ["src/*"]}}}', "src/a.ts", "~/lib/b", "src/lib/b.ts"),
        ('{"compilerOptions": {"paths": {"@out/*": ["../../out/*"]}}}', "src/a.ts", "@out/b", ""),
        ("not json", "src/a.ts", "lib/b", ""),
    ],
)
def test_names_that_a_configuration_gives_to_folders(config, path, name, found):
    aliases = list(path_aliases.read_aliases("tsconfig.json", config))

    assert (
        ImportTree(["src/a.ts", "src/lib/b.ts", "src/kit.ts"], {}, "", None, aliases).find_script(path, name) == found
    )
