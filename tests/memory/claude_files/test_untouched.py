"""What nobody touched in a memory file, and the code that it names."""

import os

import pytest
from repos import git

from belay.memory.claude_files import untouched
from belay.memory.claude_files.code_names import CodeReader, list_symbols
from belay.memory.document import page


@pytest.fixture
def shop(repo):
    """A feature with its memory, and code that went on without it."""
    folder = repo / "src" / "auth"
    folder.mkdir(parents=True)
    (folder / "session.ts").write_text("export function rotateToken(id) {\n  return id\n}\n")
    (folder / "old.ts").write_text("export const LEGACY_LIMIT = 3\nexport const other = 'a long enough file'\n")
    (folder / "CLAUDE.md").write_text(
        "# Auth\n\n- `rotateToken()` keeps a session alive\n- Limits are in `old.ts`\n- Roles: owner, admin\n"
    )
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Auth", "--date", "2026-01-02T12:00:00")
    (folder / "session.ts").write_text("// tokens\nexport function rotateToken(id) {\n  return id\n}\n")
    git(repo, "commit", "-qam", "Comment")
    git(repo, "mv", "src/auth/old.ts", "src/auth/limits.ts")
    (folder / "CLAUDE.md").write_text((folder / "CLAUDE.md").read_text().replace("owner, admin", "owner, admin, guest"))
    git(repo, "commit", "-qam", "Rename, and a role")
    return repo


def look(project, name="src/auth/CLAUDE.md"):
    with open(project.at(name), encoding="utf-8") as file:
        return untouched.find_untouched(project, name, page.parse(file.read()))


def test_a_statement_is_untouched_until_a_commit_changes_its_words(project, shop):
    rows, cut = look(project)
    by_line = {row.statement.line: row for row in rows}

    assert (sorted(by_line), cut) == ([3, 4, 5], False)
    assert [by_line[line].commit == by_line[5].commit for line in (3, 4)] == [False, False]
    assert (by_line[3].date, by_line[3].days > 300) == ("2026-01-02", True)


def test_the_code_that_it_names_comes_with_what_happened_since(project, shop):
    rows, _ = look(project)
    (moved,), (symbol,), nothing = (row.code for row in rows)

    assert (moved.code.name, moved.code.state, moved.code.path) == ("old.ts", "moved", "src/auth/limits.ts")
    assert moved.code.commit == git(shop, "rev-parse", "HEAD")
    assert (symbol.code.name, symbol.code.path, symbol.code.line) == ("rotateToken", "src/auth/session.ts", 2)
    assert (symbol.commits, symbol.last.commit) == (1, git(shop, "rev-parse", "HEAD~1"))
    assert nothing == []


def test_blanks_moves_and_uncommitted_lines(project, shop):
    path = shop / "src" / "auth" / "CLAUDE.md"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], "- new", lines[3], "", lines[2]]) + "\n")

    rows, _ = look(project)

    assert sorted(row.statement.line for row in rows) == [4, 6]


def test_names_of_libraries_and_unknown_paths_are_left_out(project, shop):
    texts = ["`useMemo()` of `react.ts`, `Zod`, and `../../etc/passwd`, `/etc/hosts`, `fetch`"]

    assert CodeReader(project).read([("src/auth", text) for text in texts]) == [[]]
    assert list_symbols("`fetch` `rotateToken()` `Auth.signIn` `src/a.ts` `a b` `if`") == ["rotateToken", "Auth.signIn"]


def test_a_definition_below_the_folder_wins_and_a_test_comes_last(project, shop):
    for name in ("a/helper.py", "src/auth/tests/test_helper.py", "src/auth/zz.py"):
        os.makedirs(os.path.dirname(project.at(name)), exist_ok=True)
        with open(project.at(name), "w", encoding="utf-8") as file:
            file.write("def find_owner(Other):\n    pass\n")

    ((near,), (far,)) = CodeReader(project).read([("src/auth", "`find_owner`"), ("", "`find_owner()`")])

    assert (near.path, far.path) == ("src/auth/zz.py", "a/helper.py")
    assert CodeReader(project).read([("", "`Other`")]) == [[]]


def test_words_of_languages_comments_and_build_output_are_no_code_of_the_project(project, shop):
    (shop / "src" / "auth" / "log.py").write_text("def print(x):\n    pass\ndef refresh(x):\n    pass\n")
    (shop / "view.ts").write_text("// the class Board draws it\nimport type Shelf from './x'\n")
    (shop / "dist").mkdir()
    (shop / "dist" / "app.js").write_text("x\n")
    git(shop, "add", ".")
    git(shop, "commit", "-qm", "Build")
    git(shop, "rm", "-rq", "dist")
    (shop / ".gitignore").write_text("dist/\n")
    texts = ["`print()` and `refresh()`", "`Board` and `Shelf`", "`dist/` is large, `dist/app.js` too"]

    found = CodeReader(project).read([("src/auth", text) for text in texts])

    assert [[name.name for name in row] for row in found] == [["refresh"], [], []]
    assert CodeReader(project).read([("", "`refresh()`")]) == [[]]
