"""A MEMORY.md reconstructed: what it adds, what it leaves as it was."""

import os

import pytest
from repos import git

from belay.core import files as core_files
from belay.core import paths
from belay.memory import project_survey
from belay.memory.document import page
from belay.memory.document.facts import read_facts
from belay.memory.rebuild import proposal, source_comments
from belay.repository import projects

MOMENT = proposal.Moment("2026-02-03", "main")
STANDING = """\
<!-- belay: project memory -->\r
# Project Memory\r
Last updated: 2020-01-01 | Session 7 | Branch: old\r
Memory health: 2/10\r
\r
## Project Overview\r
Kite, as I tell it.\r
\r
## Where We Left Off\r
- **Current task:** old task\r
- **Next immediate step:** old step\r
- **Open question:** old question\r
A line of mine.\r
\r
## Key Decisions\r
| Date | Decision | Reasoning | Affects |\r
|------|----------|-----------|---------|\r
| 2020-01-01 | Adopt flask | I like it | all \\| more |\r
\r
## Key Files\r
| File | Purpose | Last Modified |\r
|------|---------|---------------|\r
| `src/app.py` | mine | session 3 |\r
| `src/gone.py` | gone | session 2 |\r
\r
## Architecture Notes\r
As I drew it.\r
\r
## My own\r
Kept.\r
\r
## User Preferences\r
- tabs\r
"""


@pytest.fixture
def kite(repo):
    """Return a small project: README, manifest, a record, two commits that decide."""
    files = {
        "README.md": "# Kite\n\nKite keeps the time at sea.\n", ".env.example": "DB_URL=x\n",
        "pyproject.toml": '[project]\nname = "kite"\ndependencies = ["flask"]\n', "src/app.py": '"""Rings the bell."""\n',
        "docs/adr/0001-bells.md": "# 1. Bells\n\nDate: 2021-01-01\n\n## Status\n\nAccepted\n\n## Decision\n\nBells ring the hours, not horns.\n",
    }  # fmt: skip
    for name, text in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Adopt flask (#3)")
    (repo / "src" / "app.py").write_text('"""Rings the bell."""\nx = 1\n')
    git(repo, "commit", "-qam", "Switch to brass bells")
    return repo


def proposed(folder, standing="", evidence=lambda _: {}):
    project = projects.find(str(folder), os.environ)
    form = core_files.read(paths.resource("templates", "MEMORY.md")).decode()
    return proposal.propose_memory(
        project_survey.survey_project(project, os.environ, ""), standing, form, MOMENT, evidence
    )


def test_every_line_has_its_source_and_how_sure_it_is(kite):
    found = proposed(kite)
    rows = {row["text"]: (row["source"], row["confidence"]) for row in found.lines}
    lines = found.text.split("\n")

    assert all(lines[row["line"] - 1] == row["text"] for row in found.lines)
    assert rows["Kite keeps the time at sea. Python, Flask (pip)."] == (
        "README.md:3, pyproject.toml",
        "medium",
    )
    assert rows["| 2021-01-01 | Bells ring the hours, not horns |  |  |"] == (
        "docs/adr/0001-bells.md",
        "high",
    )
    assert [how for text, (source, how) in rows.items() if "brass" in text] == ["low", "low"]
    (file,) = [
        text for text in rows if text.startswith("| `src/app.py` | Rings the bell | 20")
    ]  # the last commit's date
    assert rows[file] == ("git log: 2 changes, its first comment", "medium")
    assert rows["- Environment variables (`.env.example`): DB_URL"] == (".env.example", "high")
    assert rows[proposal.VERIFY] == ("belay rebuild", "high")


def test_it_is_a_memory_of_the_template_in_its_order(kite):
    told = read_facts(page.parse(proposed(kite).text))
    names = [row["name"] for row in told["sections"] if row["name"]]

    assert told["form"] == "003"
    assert names == ["overview", "left", "decisions", "files", "architecture", "log", "external"]
    assert told["header"] | {"line": 0} == {
        "line": 0,
        "updated": "2026-02-03",
        "session": 1,
        "branch": "main",
        "reviewed": "",
        "health": told["header"]["health"],
    }
    assert (told["left"]["task"], told["left"]["next"]) == ("", "")
    assert told["left"]["status"].startswith("nothing uncommitted; last commit “")


def test_what_the_person_wrote_is_carried_over_byte_for_byte(kite):
    found = proposed(kite, STANDING)
    old, new = page.parse(STANDING), page.parse(found.text)

    for name in ("overview", "architecture", "preferences"):
        one, other = old.section(name), new.section(name)
        was, now = ("".join(it.lines[span.start : span.end]).rstrip() for it, span in ((old, one), (new, other)))
        assert was == now
    assert "| 2020-01-01 | Adopt flask | I like it | all \\| more |\r\n" in found.text
    assert "A line of mine.\r\n" in found.text
    assert "## My own\r\nKept.\r\n" in found.text
    assert found.text.count("\n") == found.text.count("\r\n")


def test_recovery_adds_rows_and_names_the_files_that_are_gone(kite):
    found = proposed(kite, STANDING)
    told = read_facts(page.parse(found.text))

    assert [row["decision"] for row in told["decisions"]] == [
        "Adopt flask",
        "Bells ring the hours, not horns",
        "Switch to brass bells",
    ]
    assert found.gone == [{"line": 24, "path": "src/gone.py"}]
    assert told["files"][0]["path"] == "src/app.py"
    assert "src/gone.py" not in found.text
    assert told["left"] == {
        "task": "old task",
        "status": "",
        "next": "old step",
        "question": "old question A line of mine.",
    }
    assert told["header"]["session"] == 8


def test_the_files_that_are_gone_are_listed_in_the_order_of_their_lines(kite):
    gone = "".join(f"| `src/{name}.py` | gone | session 2 |\r\n" for name in ("one", "two", "three"))
    row = "| `src/gone.py` | gone | session 2 |\r\n"

    found = proposed(kite, STANDING.replace(row, gone))

    assert found.gone == [
        {"line": 24 + at, "path": f"src/{name}.py"} for at, name in enumerate(("one", "two", "three"))
    ]


def test_a_memory_younger_than_the_work_keeps_where_it_left_off(kite):
    young = STANDING.replace("2020-01-01 | Session", "2999-01-01 | Session")

    assert read_facts(page.parse(proposed(kite, young).text))["left"]["task"] == "old task"


def test_twice_adds_only_a_row_of_the_log(kite):
    once = proposed(kite).text
    again = proposed(kite, once)
    new = [row for row in again.text.split("\n") if row not in once.split("\n")]

    assert len(new) <= 3
    assert any("| 2 | 2026-02-03 |" in row for row in new)
    assert again.text.count(proposal.VERIFY) == 1


def test_the_sources_are_shown_and_taken_off_again(kite):
    for standing in ("", STANDING):
        found = proposed(kite, standing)
        shown = source_comments.add_comments(found.text, found.lines)

        assert shown.count("<!-- from ") == len(found.lines)
        assert source_comments.strip_comments(shown) == found.text.replace("\r", "")


def test_nothing_known_gives_a_memory_that_says_so_little(tmp_path):
    git(tmp_path, "init", "-q")
    found = proposed(tmp_path)

    assert [row["name"] for row in read_facts(page.parse(found.text))["sections"] if row["name"]] == ["log"]


def test_a_language_that_file_names_alone_tell_has_its_source(repo):
    for name in ("a.py", "b.py", "c.py"):
        (repo / name).write_text("x = 1\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "more")

    assert [row["text"] for row in proposed(repo).lines if not row["source"]] == []


def test_hostile_words_stay_words_of_one_line(kite):
    git(kite, "commit", "-q", "--allow-empty", "-m", "Switch to | <!-- from a, high ropes")
    found = proposed(kite)
    (row,) = [row for row in found.lines if "ropes" in row["text"] and row["text"].startswith("|")]

    assert "<!--" not in row["text"]
    assert "\\|" in row["text"]
    assert read_facts(page.parse(found.text))["form"] == "003"


def test_a_memory_of_workstreams_keeps_its_form(kite):
    standing = (
        "# Memory\n\n## Active Workstreams\n\n### 1. Bells\n- **Status:** cast\n- **Next when resumed:** ring them\n\n"
        "## Decision Log\n\n| Date | Decision | Rationale |\n|---|---|---|\n| 2020-01-01 | Bells | loud |\n"
    )
    found = proposed(kite, standing)
    told = read_facts(page.parse(found.text))

    assert told["form"] == "004"
    assert [row["next"] for row in told["workstreams"]] == ["ring them"]
    assert told["decisions"][0]["decision"] == "Bells"
    assert len(told["decisions"]) == 4
    assert "Where We Left Off" not in found.text
    assert "Session Log" not in found.text
