"""The whole file: headings of the seed, facts of the project, a seal."""

import os
from pathlib import Path

import pytest
from repos import git
from secretsamples import made

from belay.core import clock
from belay.memory import memory_files, project_survey
from belay.memory.handoff import document, own_memory
from belay.repository import projects
from belay.session.session import Session

MEMORY = """\
# Project Memory
Last updated: 2026-01-01 | Session 3 | Branch: main

## Project Overview
Kite, a clock for ships.

## Where We Left Off
- **Current task:** bells
- **Next immediate step:** ring `file.txt`
- **Open question:** how loud?

## Active Work
- [ ] polish the brass
- [x] done thing

## Blockers
- blocked on timber

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2025-01-01 | Brass bells | they carry far | all |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `file.txt` | holds one line | session 1 |
| `gone.txt` | gone | session 1 |

## Architecture Notes
- Bells hang in the bow.

## Known Issues
- rings twice at noon
- ~~rings at night~~
"""
HEADINGS = [
    "## Quick Start",
    "## Current State",
    "## Architecture",
    "## Active Work",
    "## Key Decisions & Why",
    "## Gotchas",
    "## Who to Ask",
]


def rendered(folder, prose=None):
    project = projects.find(str(folder), os.environ)
    memory = own_memory.read_memory(project, os.environ)
    found = project_survey.survey_project(project, os.environ, "", memory.written)
    return document.render_handoff(found, memory, prose or {}, document.Signed("2026-02-03", "Ada", "kite"))


def section(text, title):
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0].strip()


def test_the_headings_of_the_seed_in_its_order(repo):
    text = rendered(repo)

    assert text.startswith("# Project Handoff: kite\nGenerated: 2026-02-03 | By: Ada via Claude Code\n")
    assert [line for line in text.split("\n") if line.startswith("#")][1:] == HEADINGS


def test_the_memory_of_this_user_is_told(project, repo):
    memory_files.write_file(project, os.environ, project.memory_md, MEMORY)
    text = rendered(repo)

    assert "\nKite, a clock for ships.\n" in text
    assert "- **Working on:** bells" in section(text, "Current State")
    assert "- **Open question:** how loud?" in section(text, "Current State")
    assert section(text, "Active Work").startswith(
        "- **Next:** ring `file.txt`\n\n- [ ] polish the brass\n\n- Blocked: on timber"
    )
    assert "| 2025-01-01 | Brass bells | they carry far | MEMORY.md |" in section(text, "Key Decisions & Why")
    assert "- Bells hang in the bow." in section(text, "Architecture")
    assert "- `file.txt`: holds one line" in section(text, "Architecture")
    assert "gone.txt" not in text
    assert section(text, "Gotchas") == "- rings twice at noon"


def test_a_strangers_memory_is_left_out_and_that_is_said(project, repo):
    (repo / "MEMORY.md").write_text(MEMORY)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "theirs")
    memory = own_memory.read_memory(project, os.environ)

    assert "belay trust MEMORY.md" in memory.left_out
    assert "brass" not in rendered(repo)


def test_the_journal_tells_of_tests_and_not_of_what_was_fixed(project, repo):
    session = Session(project, "5e551011-aaaa-bbbb-cccc-000000000001", os.environ)
    session.log("start", **session.place())
    session.log("prompt", task="mend the mast", **session.place())
    session.log("command", command="make test", ok=True)
    session.log("lesson", failed="make", files=["a.c"], passed="make")
    text = rendered(repo)

    assert "- **Working on:** mend the mast" in section(text, "Current State")
    assert "- **Tests:** `make test` passed on " in section(text, "Current State")
    assert "make" not in section(text, "Gotchas")


def test_the_memory_wins_until_work_goes_on(project, repo):
    session = Session(project, "5e551011-aaaa-bbbb-cccc-000000000001", os.environ)
    session.log("start", **session.place())
    session.log("prompt", task="mend the mast", **session.place())
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    today = f"Last updated: {clock.local_date()}"
    memory_files.write_file(project, os.environ, project.memory_md, MEMORY.replace("Last updated: 2026-01-01", today))
    session.log("prompt", task="write the handoff", **session.place())
    before = section(rendered(repo), "Current State")
    session.log("edit", files=[{"path": "file.txt", "line": 2}])
    after = section(rendered(repo), "Current State")

    assert before.startswith("- **Working on:** bells\n")
    assert after.startswith("- **Working on:** write the handoff\n")


def test_a_task_stands_once_with_and_without_its_branch(project, repo):
    rows = "- [ ] polish the brass (feature/brass)\n- [ ] ring (feature/a)\n- [ ] ring (feature/b)\n"
    text = MEMORY.replace("- [ ] polish the brass\n", rows)
    memory_files.write_file(project, os.environ, project.memory_md, text)
    memory_files.write_file(project, os.environ, project.todo, "- [ ] Polish the brass\n")
    boxes = [row for row in section(rendered(repo), "Active Work").split("\n") if row.startswith("- [ ]")]

    assert boxes == ["- [ ] ring (feature/a)", "- [ ] ring (feature/b)", "- [ ] Polish the brass"]


def test_owners_and_people(repo):
    (repo / "CODEOWNERS").write_text("* @ada\n/deck/ @grace deck@example.org # ring\n")
    (repo / "deck").mkdir()
    (repo / "deck" / "rope.py").write_text("x\n")
    (repo / "CONTRIBUTING.md").write_text("x\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "ropes")
    text = section(rendered(repo), "Who to Ask")

    assert "| `/deck/` | @grace, deck@example.org |" in text
    assert "- Ada: 2 commits in twelve months, last 20" in text
    assert "; mostly `deck/`" in text
    assert "Documents: `CONTRIBUTING.md`" in text


def test_prose_stands_first_and_facts_stay(repo):
    text = rendered(repo, {"": ["A clock."], "Gotchas": ["- mind the boom"], "Current State": ["It runs."]})

    assert "\nA clock.\n\n## Quick Start" in text
    assert section(text, "Gotchas") == "- mind the boom"
    assert section(text, "Current State").startswith("It runs.\n\n- **Activity:** 1 commit by 1 person")


def test_secrets_and_markup_of_strangers_stay_out(repo):
    token = "ghp_" + made(36)
    (repo / "README.md").write_text(f"# K\n\nKite keeps {token} the time. More.\n")
    (repo / "CODEOWNERS").write_text(f"/x @{token}\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", f"Switch to {token} | ## Head --> x")
    text = rendered(repo)

    assert token not in text
    assert "-->" not in text.partition("<!-- belay: handoff")[0]


def test_the_seal_tells_an_edit_and_not_a_line_end():
    text = document.add_seal("# A\n\nb\n")

    assert document.is_unedited(text)
    assert document.is_unedited(text.replace("\n", "\r\n"))
    for other in (text.replace("b", "c"), text + "more\n", "# A\n", "", "x" + text):
        assert not document.is_unedited(other)


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        ("https://e.org/ada/kite.git", "kite"),
        ("git@e.org:ada/kite", "kite"),
        ("https://e.org/kite/v2", "kite"),
        ("", "repo"),
    ],
)
def test_what_a_project_is_called(repo, remote, name):
    found = project_survey.survey_project(projects.find(str(repo), os.environ), os.environ, "")

    assert document.find_name(found, remote) == name


def test_nothing_is_nothing(tmp_path):
    git(tmp_path, "init", "-q")
    project = projects.find(str(tmp_path), os.environ)

    assert document.has_nothing(
        project_survey.survey_project(project, os.environ, ""), own_memory.read_memory(project, os.environ)
    )


def test_hostile_trees_are_bounded(repo):
    (repo / "README.md").write_bytes(b"\0" * 5_000_000)
    (repo / "CODEOWNERS").write_text("".join(f"/p{at} @{'x' * 90}{at}\n" for at in range(60_000)))
    (repo / "package.json").write_text('{"name": ' + "[" * 100_000)
    (repo / ".env.example").write_text("A" * 2_000_000)
    (repo / "compose.yml").write_text("services:\n" + "  a: &a [*a]\n" * 100_000)
    os.symlink("/etc/passwd", repo / "CLAUDE.md")
    (repo / "docs").mkdir()
    os.symlink("/etc", repo / "docs" / "adr")
    for at in range(300):
        (repo / f"m{at}.py").write_text("import " * 30_000)
    Path(repo / "m.ts").write_text("import {" * 40_000)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "x" * 100_000)
    text = rendered(repo)

    assert len(text) < 20_000
    assert "root:" not in text
