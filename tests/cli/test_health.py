"""`belay health`: any memory file, in a repository or not, read and never written."""

import json
import os
import time
from pathlib import Path

import pytest
import schemas
from click.testing import CliRunner
from repos import git

from belay.cli.main import belay
from belay.core import clock
from belay.core.constants import FILE_BYTES
from belay.memory.branches import overlay as branches_overlay
from belay.memory.health import cached_score
from belay.repository import projects, vetting
from belay.safety import trust

TODAY = time.strftime("%Y-%m-%d")
MEMORY = f"""# Project Memory
Last updated: {TODAY} | Session 2 | Branch: main

## Project Overview
Bus stop signs that show delays.

## Where We Left Off
- **Current task:** delays in `src/sign.py`
- **Status:** in progress
- **Next immediate step:** round the minutes in `src/sign.py`
- **Open question:** none

## Active Work
- [ ] delays

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `src/sign.py` | draws the sign | session 2 |
| `src/gone.py` | old sign | session 1 |
"""


def call(*args, code=0):
    done = CliRunner().invoke(belay, ["health", *map(str, args)])
    assert done.exit_code == code, done.output
    return done.output


def told(*args):
    return schemas.check("health", json.loads(call(*args, "--json")))


@pytest.fixture
def memory(repo, monkeypatch):
    (repo / "src").mkdir()
    (repo / "src" / "sign.py").write_text("def draw(): ...\n")
    (repo / "MEMORY.md").write_text(MEMORY)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "sign")
    trust.accept(os.environ, str(repo), "MEMORY.md", MEMORY.encode())
    vetting.read_trusted(projects.find(str(repo), os.environ), os.environ, ["MEMORY.md"])  # the first look
    monkeypatch.chdir(repo)
    return repo / "MEMORY.md"


def test_the_projects_memory_is_scored_in_the_seeds_words(memory):
    rows = call().splitlines()

    assert rows[0] == "Memory health: 8/10"
    assert [row.partition(":")[0] for row in rows[1:5]] == [
        "Freshness", "Relevance", "Completeness", "Actionability",
    ]  # fmt: skip
    assert rows[2] == "Relevance: 6/10 (1 path missing)"
    assert "  -4.5  line 20: `src/gone.py` does not exist" in rows
    assert rows[4] == "Actionability: 10/10 (the next step is clear)"


def test_as_json_with_weights_and_reasons(memory):
    data = told()

    assert (data["file"], data["score"], data["repo"], data["offers"]) == ("MEMORY.md", 8, True, [])
    assert [row["weight"] for row in data["dimensions"].values()] == [30, 30, 20, 20]
    for row in data["dimensions"].values():
        assert round(sum(one["lost"] for one in row["reasons"]), 1) == round(10 - row["score"], 1)


def test_nothing_is_written_but_the_score_where_belay_lives_already(memory, project):
    before = memory.read_bytes()
    call()
    assert not os.path.exists(project.store)

    os.makedirs(project.states)
    call()
    assert cached_score.read_score(project) == 8
    assert json.loads(Path(cached_score.score_path(project)).read_text())["sha"] == trust.digest(before)
    assert memory.read_bytes() == before


def test_another_files_score_is_not_the_projects(memory, project):
    os.makedirs(project.states)
    (memory.parent / "CLAUDE.md").write_text("# notes\n")
    call("CLAUDE.md")

    assert cached_score.read_score(project) == 0


def test_paths_may_start_at_the_files_own_folder(memory):
    (memory.parent / "src" / "CLAUDE.md").write_text("# Signs\nDraws.\n- `sign.py` and `src/sign.py`, `none.py`\n")
    reasons = told("src/CLAUDE.md")["dimensions"]["relevance"]["reasons"]

    assert [row["what"] for row in reasons] == ["`none.py` does not exist"]


def test_commits_since_count(memory):
    old = MEMORY.replace(TODAY, "2026-01-02")
    memory.write_text(old)
    data = told()["dimensions"]["freshness"]

    assert data["score"] == 1
    assert "`Last updated` is 2026-01-02" in data["reasons"][0]["what"]


def test_outside_a_repository_it_says_that_it_only_read_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MEMORY.md").write_text(MEMORY)
    data = told(tmp_path / "MEMORY.md")

    assert data["repo"] is False
    assert "from the file alone" in data["dimensions"]["freshness"]["note"]
    assert "could not be checked" in data["dimensions"]["relevance"]["reasons"][0]["what"]
    assert data["dimensions"]["actionability"]["score"] == 10


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"", ""),
        (b"\n\n", ""),
        (b"# caf\xe9\nnotes\n", "is not UTF-8"),
        (b"\0\1\2# x\n", "is not text"),
        (b"# A\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n", "has git conflict markers (line 2)"),
        ("\ufeff# A\r\n\r\nzwölf Zeilen\r\n".encode(), ""),
        (b"# A\rold line ends\r", ""),
    ],
)
def test_whatever_can_be_read_is_scored(tmp_path, content, note):
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(content)
    data = told(path)

    assert 1 <= data["score"] <= 10
    assert all(row["reasons"] or row["score"] == 10 for row in data["dimensions"].values())
    assert "".join(data["notes"]).startswith(note)
    assert bool(data["notes"]) == bool(note)
    assert path.read_bytes() == content


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "big.md").write_bytes(b"x" * (FILE_BYTES + 1))
    os.mkfifo(tmp_path / "pipe.md")
    lines = [call(*args, code=1) for args in [("big.md",), ("pipe.md",), (".",), ("none.md",), ()]]

    assert [line.count("\n") for line in lines] == [1] * 5
    assert "is over 1 MB" in lines[0]
    assert ["is not a file" in line for line in lines[1:3]] == [True, True]
    assert ["does not exist" in line for line in lines[3:]] == [True, True]
    assert "error" in json.loads(call("none.md", "--json", code=1))


def test_below_five_recovery_is_offered_for_a_memory_only(tmp_path):
    for name in ("MEMORY.md", "CLAUDE.md"):
        (tmp_path / name).write_text("# A\n")

    assert told(tmp_path / "MEMORY.md")["offers"] == ["belay rebuild"]
    assert "Below 5: `belay rebuild`" in call(tmp_path / "MEMORY.md")
    assert told(tmp_path / "CLAUDE.md")["offers"] == []


SHOP = """# Project Memory
Last updated: {date} | Session 3 | Branch: main

## Project Overview
Online shop of a bakery: Django + React + MongoDB.

## Where We Left Off
- **Current task:** delivery slots
- **Next immediate step:** read `file.py`
"""


def test_another_projects_memory_is_limited_and_says_why(repo, monkeypatch):
    (repo / "file.py").write_text("x = 1\n")
    git(repo, "add", "-A")
    (repo / "MEMORY.md").write_text(SHOP.format(date=clock.local_date()))
    monkeypatch.chdir(repo)
    data, rows = told(), call().splitlines()

    why = "the project does not use Django, React, MongoDB: is this another project's memory?"
    assert (data["score"], data["points"], data["limits"]) == (3, 3.0, [{"points": 3.0, "why": why}])
    assert rows[5] == f"At most 3: {why}"
    assert "  -3.0  line 5: names Django, of which the project's code and manifests have no trace" in rows
    assert rows[-1] == "Below 5: `belay rebuild` proposes a new one"


def test_a_figure_that_rounding_hides_is_given_with_the_offer(repo, monkeypatch):
    (repo / "file.py").write_text("x = 1\n")
    paths = ["file.py"] * 9 + [f"gone{at}.py" for at in range(7)]  # and one in the next step: 7 of 17 are missing
    text = SHOP.format(date=clock.local_date()).replace("Django + React + MongoDB", "orders")
    (repo / "MEMORY.md").write_text(text + "\n## Known Issues\n" + "".join(f"- slow: `{path}`\n" for path in paths))
    monkeypatch.chdir(repo)
    rows = call().splitlines()

    assert (rows[0], rows[5]) == ("Memory health: 5/10", "At most 4.6: parts of it are false")
    assert rows[-1] == "Below 5 (4.6): `belay rebuild` proposes a new one"


def test_many_reasons_are_cut_for_people_and_whole_in_json(memory):
    memory.write_text(MEMORY + "".join(f"| `src/{at}.py` | none | session 1 |\n" for at in range(9)))

    assert "and 5 more reasons (--json)" in call()
    assert len(told()["dimensions"]["relevance"]["reasons"]) == 10


def test_words_of_an_unknown_memory_stay_out_of_a_sessions_context(memory, tmp_path, monkeypatch):
    git(tmp_path, "clone", "-q", str(memory.parent), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert "src/gone.py" in call()

    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-2222-4333-8444-555555555555")
    said = call()
    assert said.startswith("Memory health: 8/10")
    assert "belay trust MEMORY.md" in said
    assert "src/gone.py" not in said


def test_on_a_branch_the_overlay_lies_over_the_base(memory, project):
    git(memory.parent, "switch", "-q", "-c", "feature/sound")
    overlay = (
        "# Branch memory\nBranch: feature/sound\n\n## Where We Left Off\n- **Next immediate step:** continue work\n"
    )
    path = Path(branches_overlay.overlay_path(project, "feature/sound"))
    path.parent.mkdir(parents=True)
    path.write_text(overlay)
    vetting.hold_back_new(project, os.environ, vetting.candidates(project))
    assert told()["dimensions"]["actionability"]["score"] == 10  # nobody accepted it

    trust.record(os.environ, project.root, project.relative(str(path)), path.read_bytes())
    reason = told()["dimensions"]["actionability"]["reasons"][0]
    assert (reason["line"], reason["file"]) == (5, project.relative(str(path)))
    assert f"line 5 of {reason['file']}: the next step says neither what nor where" in call()
    assert told("MEMORY.md")["dimensions"]["actionability"]["score"] == 10


def test_in_a_package_its_memory_lies_over_the_root_one(memory, monkeypatch):
    text = f"# Web\nLast updated: {TODAY} | Session 2 | Branch: main\n\n## Where We Left Off\n- **Next immediate step:** continue work\n"
    near = memory.parent / "src" / "MEMORY.md"
    near.write_text(text)
    trust.record(os.environ, str(memory.parent), "src/MEMORY.md", near.read_bytes())
    assert told()["dimensions"]["actionability"]["score"] == 10

    monkeypatch.chdir(near.parent)
    found = told()
    reason = found["dimensions"]["actionability"]["reasons"][0]
    assert (reason["line"], reason["file"]) == (5, "src/MEMORY.md")
    missing = [row for row in found["dimensions"]["relevance"]["reasons"] if "src/gone.py" in row["what"]]
    assert [("file" in row, row["line"]) for row in missing] == [(False, 20)]
