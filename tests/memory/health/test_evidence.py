import os

import pytest
from dated import commit
from repos import git

from belay.memory.document import facts, page
from belay.memory.health.evidence import gather_evidence
from belay.repository import projects
from belay.repository.git import status

TEXT = """Last updated: 2026-03-01 | Session 1 | Branch: main

## Where We Left Off
- **Next immediate step:** go on in `src/cart.py`

## Key Files
| File | Purpose |
|------|---------|
| src/cart.py | cart |
| src/auth/session_store.py | moved without git's word |
| src/old.py | renamed |
| `cart.py` | written short |
| src/never.py | not there |
| helper.md | beside the memory |
"""


@pytest.fixture
def shop(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    body = "".join(f"line {at}\n" for at in range(20))
    files = {
        "src/cart.py": "cart = 1\n",
        "src/old.py": body,
        "lib/session_store.py": "x\n",
        "docs/helper.md": "h\n",
    }
    commit(tmp_path, "begin", "2026-03-01T10:00:00Z", files={**files, "docs/NOTES.md": TEXT})
    git(tmp_path, "mv", "src/old.py", "src/new.py")
    commit(tmp_path, "rename", "2026-03-02T10:00:00Z")
    commit(tmp_path, "memory", "2026-03-02T11:00:00Z", files={".memory/branches/x.md": "x\n"})
    return tmp_path


def of(folder, text, path=""):
    project = projects.find(str(folder), os.environ)
    return gather_evidence(project, facts.read_facts(page.parse(text)), path=path)


def test_a_memory_anywhere_in_a_project(shop):
    found = of(shop, TEXT, str(shop / "docs" / "NOTES.md"))

    assert (found["repo"], found["commits"], found["anchored"]) == (True, 1, True)
    assert [(row["path"], row["renamed"]) for row in found["missing"]] == [
        ("src/auth/session_store.py", "lib/session_store.py"),
        ("src/old.py", "src/new.py"),
        ("src/never.py", ""),
    ]


def test_a_folder_without_a_repository(tmp_path):
    found = of(tmp_path, TEXT)

    assert [found[key] for key in ("repo", "commits", "checked", "missing", "anchored")] == [
        False,
        0,
        0,
        [],
        False,
    ]


def test_no_project_at_all():
    found = gather_evidence(None, facts.read_facts(page.parse(TEXT)))

    assert (found["repo"], found["anchored"]) == (False, False)


def test_a_diff_at_hand_is_believed(shop):
    project = projects.find(str(shop), os.environ)

    assert (
        gather_evidence(project, facts.read_facts(page.parse(TEXT)), {"commits": [1, 2, 3], "conflicts": []})["commits"]
        == 3
    )


def test_what_git_ignores_comes_and_goes(shop):
    (shop / ".gitignore").write_text("build/\n*.local.md\n/only-here.txt\n")
    text = "# A\n`build/` `build/out.html` `deep/x.local.md` `.git/config.txt` `only-here.txt` `src/only-here.txt`\n"
    found = of(shop, text)

    assert [row["path"] for row in found["missing"]] == ["src/only-here.txt"]
    assert found["checked"] == 1


def test_a_folder_written_short_is_there(shop):
    commit(shop, "deeper", "2026-03-03T10:00:00Z", files={"src/web/pages/a.py": "x\n"})
    found = of(shop, "# A\n`web/pages/` `pages/` `ages/`\n")

    assert [row["path"] for row in found["missing"]] == ["ages/"]


def test_names_that_git_would_take_for_something_else_are_only_missing(shop):
    assert status.find_ignored(str(shop), ["", ":(top)x", ":/", "/etc/x", "a\nb", "a\0b", "é.md"]) == set()
