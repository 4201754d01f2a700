import json
import os
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from sessions import DOCUMENT, NAME, again, start, tree

from belay.core import clock, files, paths
from belay.memory.health import cached_score
from belay.safety import trust
from belay.session import captures, continuation_files

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "json" / "wrap-up.json").read_text())


@pytest.fixture
def run(project, monkeypatch):
    """Return a function that calls `belay wrap-up` in the project; JSON answers are held against the schema."""
    from belay.cli.session.wrap_up import command

    monkeypatch.chdir(project.root)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NAME)

    def call(*args, text=""):
        done = CliRunner().invoke(command, [*args], input=text)
        if "--json" in args:
            jsonschema.validate(json.loads(done.stdout), SCHEMA)
        return done

    return call


def test_it_shows_audit_and_form(project, run):
    start(project)
    done = run()

    assert done.exit_code == 0
    assert "- C-AAAAAA decision: let's go with SQLite storage\n" in done.stdout
    assert "MEMORY.md is absent and will be created.\n" in done.stdout
    assert "next step: " in done.stdout
    assert json.loads(run("--json").stdout)["audit"]["session"] == NAME


BLOCKS = """
summary: Rotated the tokens
status: done
overview: A shop for bread, Python and SQLite, in use
architecture:
  - orders go through `file.txt`
known issues:
  - the clock of file.txt drifts
external context:
  - staging listens on port 5433
"""


def test_the_form_is_block_yaml_without_a_brace(project, run):
    start(project)
    form = json.loads(run("--json").stdout)["form"]

    assert set(form) & set('{}[]"') == set()
    assert yaml.safe_load(form).keys() >= {"summary", "next step", "decisions", "overview", "external context"}
    page = (ROOT / "commands" / "wrap-up.md").read_text()
    assert set(page.partition("<<'YAML'\n")[2].partition("\nYAML")[0]) & set("{}[]") == set()


def test_it_asks_once_for_what_memory_lacks(project, run):
    start(project)
    asked = run().stdout
    assert "MEMORY.md lacks the last 4 sections" in asked
    assert "\noverview: " in asked
    run("--apply", text=BLOCKS.replace("overview", "#"))
    memory = Path(project.memory_md).read_text()

    assert "\n## Known Issues\n- the clock of file.txt drifts\n" in memory
    assert "\n## External Context\n- staging listens on port 5433\n" in memory
    assert "\n## Architecture Notes\n- orders go through `file.txt`\n" in memory
    assert "\noverview: " not in run().stdout


def test_a_form_that_was_not_saved_asks_again(project, run):
    start(project)
    run()
    assert "\noverview: " in run().stdout
    run("--apply", text=BLOCKS)
    memory = Path(project.memory_md).read_text()
    assert "\n## Project Overview\nA shop for bread, Python and SQLite, in use\n" in memory

    run("--apply", "--force", text=BLOCKS.replace("A shop", "A mill").replace("the clock", "The Clock"))
    assert Path(project.memory_md).read_text().count("A shop") == 1
    assert "A mill" not in Path(project.memory_md).read_text()
    assert Path(project.memory_md).read_text().lower().count("the clock of file.txt drifts") == 1


@pytest.mark.parametrize(
    "given", ["", "  \n", "summary:\nnext step:\ncompleted:\n  -\ndecisions:\n  - decision:\n    reason:\n"]
)
def test_an_empty_form_saves_nothing_and_says_so(project, run, given):
    start(project)
    before = tree(project.root)
    done = run("--apply", text=given)

    assert (done.exit_code, tree(project.root)) == (1, before)
    assert done.stderr.startswith("Nothing was saved: the form is empty.")
    assert json.loads(run("--apply", "--json", text=given).stdout)["error"]["what"] == "is empty"


def test_it_saves_and_says_what(project, run):
    start(project)
    done = run("--apply", text=DOCUMENT)

    assert done.exit_code == 0, done.output
    assert "- tasks/todo.md: 1 added\n" in done.stdout
    assert "- MEMORY.md: created, next step, 1 completed, 1 active, 1 blocker, 1 decision, 1 key file\n" in done.stdout
    assert "Captures settled: C-AAAAAA\n" in done.stdout
    assert "- ruff everywhere\n" in done.stdout
    assert not os.path.exists(paths.global_memory(os.environ))
    assert run("--apply", text=DOCUMENT).stdout.startswith("Everything was saved before")
    assert json.loads(run("--apply", "--json", text=DOCUMENT).stdout)["saved"] == []


def test_global_is_saved_on_word(project, run):
    start(project)
    done = run("--apply", "--global", "--json", text=DOCUMENT)

    assert json.loads(done.stdout)["offered"] == []
    assert re.findall(r"(?m)^- [\d-]+ (.*)$", files.read(paths.global_memory(os.environ)).decode()) == [
        "short answers",
        "ruff everywhere",
    ]


def test_what_must_be_mended_is_named_by_line_and_nothing_is_saved(project, run):
    start(project)
    before = tree(project.root)
    bad = "summary: s\nnext step: go on with it\ndecisions:\n  - decision: d\nfoo: x\n"
    done = run("--apply", text=bad)

    assert done.exit_code == 1
    assert [row.split(":")[0] for row in done.stderr.splitlines()[1:]] == ["line 2", "line 4", "line 5"]
    assert tree(project.root) == before
    assert [row["line"] for row in json.loads(run("--apply", "--json", text=bad).stdout)["problems"]] == [
        2,
        4,
        5,
    ]


def test_force_keeps_flagged_what_may_be_forced_and_no_more(project, run):
    start(project)
    bad = "summary: s\nnext step: go on with it\ndecisions:\n  - decision: d\n"
    assert run("--apply", "--force", text=bad + "foo: x\n").exit_code == 1
    done = run("--apply", "--force", text=bad)

    assert done.exit_code == 0
    assert "Kept by --force: line 2: `next step` names no existing file" in done.stdout
    memory = files.read(project.memory_md)
    assert b"go on with it (names no existing file, symbol or command)\n" in memory
    assert b"| d |  |" in memory


def test_without_a_document_the_audit_is_saved(project, run):
    start(project)
    for _ in range(2):
        assert run("--mechanical").exit_code == 0
    memory = files.read(project.memory_md)

    assert b"| Rotate the refresh tokens: edited `file.txt` <!-- " in memory
    assert b"C-AAAAAA" in files.read(project.buffer)
    assert memory.count(b"Rotate the refresh tokens: ") == 1


def test_after_a_written_wrap_up_the_audit_adds_nothing(project, run):
    start(project)
    run("--apply", text=DOCUMENT)
    done = run("--mechanical", "--json")

    assert json.loads(done.stdout)["saved"] == []
    assert b"Rotated the refresh tokens" in files.read(project.memory_md)


def test_nothing_is_made_where_nothing_happened(project, run):
    assert run("--mechanical").stdout.startswith("Nothing to save")
    assert not os.path.exists(project.memory_md)


FULL = DOCUMENT.replace("status: in progress", "status: in progress\noverview: a shop")


def private(root):
    """Return every file of a project but what keeps Belay's own files out of git, and its undo records."""
    skipped = (".claude/memory/undo", ".claude/memory/.gitignore")
    return {name: data for name, data in tree(root).items() if not name.startswith(skipped)}


def test_undo_brings_every_file_back_byte_for_byte(project, run):
    session = start(project)
    session.log("todos", items=[{"id": "1", "text": "go on", "status": "pending"}])
    continuation_files.refresh(session)
    captures.update_buffer(session)
    memory = (
        "# Project Memory\r\n\r\n## Where We Left Off\r\n- **Current task:** old\r\n\r\n## Blockers\r\n- ~~key~~ DONE"
    )
    for name, text in (
        ("MEMORY.md", memory),
        ("tasks/todo.md", "- [ ] Add the refund handler"),
        ("memory/x.md", "mine"),
    ):
        Path(project.at(name)).parent.mkdir(exist_ok=True)
        Path(project.at(name)).write_bytes(text.encode())
        trust.record(os.environ, project.root, name, text.encode())
    run()
    before, open_captures = private(project.root), session.state["captures"]
    assert run("--apply", text=FULL).exit_code == 0
    changed = private(project.root)
    assert changed["CONTINUATION.md"] != before["CONTINUATION.md"]
    assert {"MEMORY-ARCHIVE.md", "tasks/lessons.md"} <= changed.keys()

    done = run("--undo")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("The last wrap-up was undone:\n")
    assert private(project.root) == before
    assert again(session).state["captures"] == open_captures
    assert trust.is_known(os.environ, project.root, "MEMORY.md", memory.encode())


def test_after_an_undo_the_same_form_is_saved_again(project, run):
    session = start(project)
    run()
    run("--apply", text=FULL)
    saved = private(project.root)
    run("--undo")
    assert (again(session).state["wrapped"], again(session).state["next"]) == ("", "")
    assert run("--apply", text=FULL).exit_code == 0

    assert private(project.root) == saved
    assert again(session).state["captures"] == {}
    assert again(session).state["next"] == "add the TTL in file.txt:1"


@pytest.mark.parametrize("name", ["MEMORY.md", "tasks/todo.md", "tasks/lessons.md"])
def test_undo_refuses_in_one_line_where_somebody_edited_since(project, run, name):
    start(project)
    run("--apply", text=FULL)
    with open(project.at(name), "a") as file:
        file.write("mine\n")
    before = private(project.root)
    done = run("--undo")

    assert done.exit_code == 1
    assert done.stderr.startswith(f"belay: {name}: was changed since")
    assert done.stderr.count("\n") == 1
    assert private(project.root) == before


def test_undo_keeps_what_came_later_into_log_and_buffer(project, run):
    session = start(project)
    run("--apply", text=FULL)
    records = captures.record_captures(
        again(session), [{"classes": {"correction": 1.0}, "text": "Use tabs, not spaces", "origin": "typed"}]
    )
    assert run("--undo").exit_code == 0
    log = Path(project.daily(clock.local_date())).read_text()

    assert "Rotated the refresh tokens" not in log
    assert "Use tabs, not spaces" in log
    assert set(again(session).state["captures"]) == {"C-AAAAAA", records[0]["id"]}
    assert "C-AAAAAA" in Path(project.buffer).read_text()


def test_wrap_ups_are_undone_one_after_the_other(project, run):
    start(project)
    empty = private(project.root)
    run("--apply", text=FULL)
    first = private(project.root)
    run()
    run("--apply", text=FULL.replace("Rotated", "Renewed"))
    run("--undo")
    assert private(project.root)["MEMORY.md"] == first["MEMORY.md"]
    run("--undo")
    assert private(project.root).keys() == empty.keys()
    assert "there is nothing to undo" in run("--undo").stderr


def test_undo_with_global_takes_the_users_memory_back_too(project, run):
    start(project)
    run("--apply", "--global", text=FULL)
    assert run("--undo", "--global").exit_code == 0
    assert b"short answers" not in files.read(paths.global_memory(os.environ))


def test_undo_goes_alone(run):
    assert run("--undo", "--apply").exit_code == 2


def test_no_hole_of_a_template_reaches_a_memory_file(project, run):
    start(project)
    run("--apply", text=DOCUMENT)
    run("--mechanical")
    text = b"".join(tree(project.root).values()).decode()

    assert re.findall(r"\[[A-Z]{1,12}\]|\{\{", text) == []


def test_a_skipped_file_makes_the_exit_code_1(project, run):
    start(project)
    Path(project.memory_md).mkdir()
    done = run("--apply", "--json", text=DOCUMENT)

    assert done.exit_code == 1
    assert json.loads(done.stdout)["skipped"] == [{"file": "MEMORY.md", "why": "is not a file"}]


def test_it_works_from_a_folder_below_and_refuses_home(project, home):
    start(project)
    below = Path(project.root) / "src" / "deep"
    below.mkdir(parents=True)
    start_up = "import sys; sys.path.insert(0, sys.argv.pop(1)); from belay.cli.main import main; main()"
    call = [sys.executable, "-c", start_up, str(ROOT / "lib"), "wrap-up"]
    done = subprocess.run(call, cwd=below, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split("\n")[0]) == (
        0,
        "Audit of session 5e551011 on main, made by code:",
    )

    refused = subprocess.run(call, cwd=home, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "cd into a project" in refused.stderr


def test_a_long_memory_is_named_and_a_longer_one_compressed(project, run):
    start(project)
    run("--apply", text=DOCUMENT)
    path = Path(project.memory_md)
    notes = "".join(f"- fact {at}\n" for at in range(150))
    grown = path.read_text() + f"\n## Architecture Notes\n{notes}"
    path.write_text(grown)
    trust.record(os.environ, project.root, "MEMORY.md", grown.encode())
    done = run("--apply", "--force", text=DOCUMENT.replace("Rotated", "Renewed"))
    long = f"MEMORY.md has {len(grown.splitlines())} lines:"
    assert f"{long} nothing can be folded or taken out; longest: Architecture Notes 15" in done.stdout
    grown = path.read_text() + "\n## Known Gaps\n- ~~no oven~~ FIXED 2026-02-01\n"
    path.write_text(grown)
    trust.record(os.environ, project.root, "MEMORY.md", grown.encode())
    done = run("--apply", "--force", text=DOCUMENT.replace("Rotated", "Changed"))
    assert f"MEMORY.md has {len(grown.splitlines())} lines: `belay compress --dry-run` shows" in done.stdout

    old = "".join(f"- 2026-01-02 did {at}\n" for at in range(220))
    rows = "".join(f"| {at} | 2026-02-{at:02d} | s{at} |\n" for at in range(3, 10))
    grown = (
        "# Project Memory\nLast updated: 2026-02-09 | Session 9 | Branch: main\n\n## Where We Left Off\n\n"
        f"## Completed\n{old}\n## Session Log\n| Session | Date | Summary |\n|--|--|--|\n{rows}"
    )
    path.write_text(grown)
    trust.record(os.environ, project.root, "MEMORY.md", grown.encode())
    run()
    done = run("--apply", "--json", text=DOCUMENT)
    saved = [row["what"] for row in json.loads(done.stdout)["saved"] if row["file"] == "MEMORY.md"]

    assert saved[-1].startswith("compressed from 2")
    assert os.path.exists(project.at("MEMORY-ARCHIVE.md"))
    assert run("--apply", text=DOCUMENT.replace("Rotated", "Renewed again")).exit_code == 0


def test_resolved_blockers_leave_for_the_archive(project, run):
    start(project)
    run("--apply", text=DOCUMENT)
    path = Path(project.memory_md)
    kept = "- key missing\n\n## Known Issues\n- ~~slow~~ FIXED 2026-02-01\n"
    lines = f"\n## Blockers\n- ~~waiting for Bob~~ RESOLVED 2026-02-01\n{kept}"
    parts = path.read_text().split("\n## Blockers\n")
    grown = parts[0] + "\n" + lines
    path.write_text(grown)
    trust.record(os.environ, project.root, "MEMORY.md", grown.encode())
    run()
    done = run("--apply", text=DOCUMENT.replace("Rotated", "Renewed"))

    assert "MEMORY.md: 1 resolved taken out" in done.stdout
    assert "waiting for Bob" not in path.read_text()
    assert all(line in path.read_text() for line in ("- key missing\n", "- ~~slow~~ FIXED 2026-02-01\n"))
    assert "- ~~waiting for Bob~~ RESOLVED 2026-02-01\n" in Path(project.at("MEMORY-ARCHIVE.md")).read_text()
    assert "resolved taken out" not in run("--apply", text=DOCUMENT.replace("Rotated", "Again")).stdout


def test_the_score_is_where_the_status_line_looks(project, run):
    start(project)
    run("--apply", text=DOCUMENT)

    assert f"Memory health: {cached_score.read_score(project)}/10\n" in Path(project.memory_md).read_text()
