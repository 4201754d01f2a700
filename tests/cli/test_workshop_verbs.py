"""Every verb and option of claude-workshop 2.8, on a database that its own package made: docs/workshop.md is right."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from commandline import answer, belay
from schemas import check

from belay.cli.main import belay as program
from belay.core import paths

PAGE = Path(paths.PLUGIN_ROOT, "docs", "workshop.md")
CALLS = """
decision "Use SQLite for storage" -r "one file, no server" -t db -f lib/db.py
note "The VPN is needed for staging" -t net
note "Ports begin at 5433"
gotcha "Never call the refund twice" -t money
antipattern "No inline styles" -f web/app.css
preference "short functions" -c code_style
preference "tests first" -c testing
goal add "ship the beta"
goal add "rename the module"
goal done rename
next add "ask the lawyer"
next add "book the room"
next done room
"""
"""What the earlier tool is told, so that its database holds something of every kind."""
LIST = """
import json
from src.cli import main
import click
def walk(command, name):
    options = [o.opts + o.secondary_opts for o in command.params if o.param_type_name == "option"]
    if not isinstance(command, click.Group) or not name:
        yield name or "workshop", options
    for below in getattr(command, "commands", {}):
        yield from walk(command.commands[below], f"{name} {below}".strip())
print(json.dumps(dict(walk(main, ""))))
"""
PLAY = """
import json, sys
from src.cli import main
for args in json.load(sys.stdin):
    main(args, standalone_mode=False)
"""


def upstream(code, folder, given=""):
    """Run Python code in which `src` is the earlier tool's package; return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def verbs(tmp_path_factory):
    """Return the earlier tool's {verb: [names of an option]}."""
    return json.loads(upstream(LIST, tmp_path_factory.mktemp("verbs")))


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Return a database that the earlier tool wrote."""
    folder = tmp_path_factory.mktemp("made")
    (folder / ".git").mkdir()
    calls = [shlex.split(row) for row in CALLS.strip().splitlines()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("WORKSHOP_AUTO_INIT", "1")
        upstream(PLAY, folder, json.dumps(calls))
    return folder / ".workshop" / "workshop.db"


@pytest.fixture
def shop(repo, made, monkeypatch):
    """A project whose database was taken over from the earlier tool."""
    (repo / ".workshop").mkdir()
    shutil.copy(made, repo / ".workshop" / "workshop.db")
    monkeypatch.chdir(repo)
    assert call("init").exit_code == 0
    return repo


def call(*args, given=None):
    return CliRunner().invoke(program, args, prog_name="workshop", input=given)


def table():
    """Return the page's {verb: (it works, options that work, options that are named only)}."""
    part = PAGE.read_text(encoding="utf-8").partition("## Workshop 2, verb by verb")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in row.strip("|").split(" | ")] for row in part.splitlines() if row.startswith("| `")
    ]
    found = {}
    for first, works, *here in rows:
        verb = re.sub(r" \[?[A-Z]+\]?", "", first.strip("`"))
        taken = options(works)
        other = options(" ".join(here))
        found[verb] = (works != "no", taken, other - taken)
    return found


def options(cell):
    return {word for span in re.findall(r"`([^`]*)`", cell) for word in span.split() if re.match(r"--?[a-z]", word)}


def test_the_page_names_every_verb_with_every_option(verbs):
    page = table()

    assert sorted(page) == sorted(verbs)
    for verb, listed in verbs.items():
        names = {name for option in listed for name in option} - {"--no-debug"}
        _, taken, other = page[verb]
        assert taken <= names, verb
        assert names <= taken | other, verb


EXAMPLES = [
    ("workshop --version", "workshop, version "),
    ("workshop --workspace .claude/memory recent", "Use SQLite for storage"),
    ('antipattern "No tabs" -t style -f web/', "Recorded: antipattern"),
    ('antipattern "No eval" --tags style --files web/', "Tied to web/"),
    ("browse pool -n 2 -t user -c 1", "Nothing was said about “pool”"),
    ("browse pool --limit 2 --type assistant --context 1", "Nothing was said about “pool”"),
    ("clean -t note -d 7", "Nothing was forgotten"),
    ("clean --type decision --days 30", "Use SQLite for storage"),
    ("clear 2020-01-01", "There is no entry from before 2020-01-01"),
    ('clear "30 days ago" -t note', "There is no note from before"),
    ("clear 2020-01-01 --type gotcha", "There is no gotcha"),
    ("context", "Goal: ship the beta"),
    ("context -d 7", "Use SQLite for storage. Why: one file, no server"),
    ("context --days 3", "Next steps:"),
    ('decision "Use Redis" -r "a queue" -t db -f lib/q.py', "Recorded: decision"),
    ('decision "Use Nats" --reasoning "a bus" --tags db --files lib/q.py', "Recorded: decision"),
    ("delete D-", "is no entry"),
    ("export --full", "Use SQLite for storage. Why: one file, no server"),
    ("export --recent", "## Gotchas"),
    ("export --context", "- [ ] ship the beta"),
    ("export -o out.md", "Wrote "),
    ("export --full --output out.md", "Wrote "),
    ('goal add "write the page"', "Recorded: goal"),
    ("goal clean --yes", "Forgotten: goal"),
    ("goal clear --yes", "ship the beta"),
    ("goal done beta", "Done: goal"),
    ("goal list", "ship the beta"),
    ('gotcha "The cache lies" -t cache -f lib/', "Recorded: gotcha"),
    ('gotcha "The clock lies" --tags cache --files lib/', "Recorded: gotcha"),
    ("import", "There is nothing new to import"),
    ("import --execute", "There is nothing new to import"),
    ("import --since 2025-01-01", "There is nothing new to import"),
    ("import-status", "This project has 0 transcripts"),
    ("info", "Goals       1 open"),
    ("init", "is ready"),
    ("init --local --auto", "is ready"),
    ('next add "call the printer"', "Recorded: goal"),
    ("next clean --yes", "book the room"),
    ("next done lawyer", "Done: goal"),
    ('note "The lift is slow" -t house -f docs/', "Recorded: note"),
    ('note "The door is slow" --tags house --files docs/', "Recorded: note"),
    ('preference "plain words" -c communication', "Recorded: preference"),
    ('preference "few libraries" --category libraries', "Recorded: preference"),
    ("preferences", "Code style:\n"),
    ("read", "Use SQLite for storage. Why: one file, no server"),
    ("read -t decision -n 1 --full", "reason    one file, no server"),
    ("read --type note --tags net --limit 3", "The VPN is needed"),
    ("recent -n 50", "ask the lawyer"),
    ("recent --limit 50", "ask the lawyer"),
    ("search sqlite", "for storage"),
    ("search -n 1 -t decision -f full sqlite", "reason    one file, no server"),
    ("search --limit 1 --type next --format compact lawyer", "ask the "),
    ("state", "Next steps:\n"),
    ("summary", "The newest:"),
    ("summary -d 3", "of the last 3 days"),
    ("summary --days 1", "of the last 1 day"),
    ("why sqlite", "reason  one file, no server"),
    ("why -n 1 sqlite", "Use SQLite"),
    ("why --limit 1 sqlite", "Use SQLite"),
    ("session", "No session is kept yet"),
    ("session last", "No session is kept yet"),
    ("sessions -n 3", "No session is kept yet"),
    ("sessions --limit 3", "No session is kept yet"),
]
INSTEAD = [
    "browse x -i",
    "browse x --interactive",
    "debug",
    "import -i",
    "import --interactive",
    "import --force",
    "import --llm",
    "import --llm-local",
    "import --llm-endpoint http://localhost:1",
    "import --store-raw-messages",
    "init --global",
    "web --host 127.0.0.1 -p 5000",
    "web --port 5000 --debug",
]
FAILING = {"delete D-": 1}


def verb_of(example):
    words = example.split()
    two = " ".join(words[:2])
    return two if two in table() else words[0]


@pytest.mark.parametrize(("example", "said"), EXAMPLES)
def test_what_the_page_says_works_does(shop, example, said):
    verb = verb_of(example)
    args = shlex.split(example)
    done = call(*(args[1:] if verb == "workshop" else args))

    assert (done.exit_code, said in done.output) == (FAILING.get(example, 0), True), done.output
    works, taken, _ = table()[verb]
    assert works
    assert {word for word in args if word.startswith("-")} - {"--yes"} <= taken


@pytest.mark.parametrize("example", INSTEAD)
def test_what_is_not_there_names_in_one_line_what_to_call(shop, example):
    done = call(*shlex.split(example))
    verb = verb_of(example)

    assert done.exit_code == 2
    assert re.fullmatch(rf"workshop: (?:workshop {verb}|--[a-z-]+): is not in Belay; [^\n]+\n", done.output)
    works, _, other = table()[verb]
    assert not works or other.intersection(example.split())


def test_every_verb_and_option_is_tried(verbs):
    tried = [*(example for example, _ in EXAMPLES), *INSTEAD]
    names = {(verb, name) for verb, listed in verbs.items() for option in listed for name in option}
    seen = {(verb_of(one), word) for one in tried for word in shlex.split(one) if word.startswith("-")}

    assert {verb_of(one) for one in tried} == set(verbs)
    assert names - seen - {("web", "--no-debug")} == set()


def test_goal_clean_is_no_goal(repo):
    for args in (("goal", "clean"), ("goal", "clear"), ("next", "clean"), ("goal", "add"), ("goal", "done")):
        belay(repo, "note", "there is a base")
        belay(repo, *args)
        assert answer(repo, "read", "goals")["entries"] == []
    assert answer(repo, "goal", "clean the kitchen")["content"] == "clean the kitchen"


def test_a_goal_is_done_by_its_words_only_where_they_name_one(repo):
    first, second = (answer(repo, "goal", text)["id"] for text in ("Ship the beta", "Ship the beta page"))
    both = belay(repo, "goal", "done", "beta")
    assert (both.returncode, first in both.stderr, second in both.stderr) == (1, True, True)
    assert len(answer(repo, "read", "goals")["entries"]) == 2

    assert f"Done: goal {first}" in belay(repo, "goal", "done", "ship the beta").stdout
    assert f"Done: goal {second}" in belay(repo, "goal", "done", "page").stdout
    none = belay(repo, "goal", "done", "the moon")
    assert (none.returncode, "is in no open goal" in none.stderr) == (1, True)


def test_what_goes_together_comes_back_together_as_it_was(repo):
    done = answer(repo, "goal", "Rename the module")["id"]
    kept = answer(repo, "note", "The lift is slow")["id"]
    belay(repo, "resolve", done)
    belay(repo, "forget", answer(repo, "note", "The door is slow")["id"])
    assert "Forgotten: goal" in belay(repo, "goal", "clean", "--yes").stdout
    belay(repo, "clear", "2999-01-01", "--yes")
    assert answer(repo, "recent")["entries"] == []

    assert [one["id"] for one in answer(repo, "forget", "--undo", "last")["changed"]] == [kept]
    (goal,) = answer(repo, "forget", "--undo", "last")["changed"]
    assert (goal["id"], goal["status"]) == (done, "done")
    assert [one["content"] for one in answer(repo, "forget", "--undo", "last")["changed"]] == ["The door is slow"]
    again = belay(repo, "forget", "--undo", "last")
    assert (again.returncode, "no entry is forgotten" in again.stderr) == (1, True)


def test_no_answer_is_a_no_and_nothing_goes(repo):
    belay(repo, "note", "The lift is slow")
    belay(repo, "resolve", answer(repo, "goal", "Rename the module")["id"])
    for args in (("delete", "last"), ("clear", "2999-01-01"), ("goal", "clean"), ("clear", "2999-01-01", "--json")):
        done = belay(repo, *args)
        assert (done.returncode, "y/N" in done.stderr) == (1, True)
    assert belay(repo, "clear", "2999-01-01", stdin="n\n").returncode == 1
    assert len(answer(repo, "read", "--all")["entries"]) == 2
    assert "Forgotten: goal" in belay(repo, "goal", "clean", stdin="y\n").stdout


def test_delete_takes_an_id_or_the_newest(repo):
    first = answer(repo, "note", "The lift is slow")["id"]
    answer(repo, "note", "The door is slow")

    assert "The door is slow" in belay(repo, "delete", "last", stdin="y\n").stdout
    told = belay(repo, "delete", first).stdout
    assert (f"Forgotten: note {first}" in told, f"forget --undo {first}" in told) == (True, True)
    assert belay(repo, "delete", "last").stderr == "belay: last: names nothing; no entry is recorded\n"


def test_clean_forgets_what_was_said_yes_to_though_the_questions_end_early(repo):
    for text in ("The lift is slow", "The door is slow", "The roof leaks"):
        answer(repo, "note", text)
    told = belay(repo, "clean", stdin="n\ny\n")

    assert [row for row in told.stdout.splitlines() if row.startswith("Forgotten")] == [
        row for row in told.stdout.splitlines() if "The door is slow" in row
    ]
    assert [one["content"] for one in answer(repo, "recent")["entries"]] == ["The roof leaks", "The lift is slow"]


def test_rules_of_a_file_are_not_cleared_with_the_entries(repo):
    (repo / "CLAUDE.md").write_text("# Shop\n\n## Gotchas\n\n- ❌ Never edit dist/ by hand\n")
    belay(repo, "index")
    rule = answer(repo, "read", "antipatterns")["entries"]
    assert [one["id"][:2] for one in rule] == ["I-"]

    assert "There is no entry" in belay(repo, "clear", "2999-01-01", "--yes").stdout
    assert belay(repo, "delete", "last", "--yes").returncode == 1
    assert answer(repo, "read", "antipatterns")["entries"] == rule


@pytest.mark.parametrize("date", ["soon", "2026-02-31", "2026", "x days ago", "2026-01", "99999 weeks ago"])
def test_a_date_that_is_none_clears_nothing(repo, date):
    belay(repo, "note", "The lift is slow")
    done = belay(repo, "clear", date, "--yes")

    assert (done.returncode, "is not a date" in done.stderr) == (2, True)
    assert len(answer(repo, "recent")["entries"]) == 1


def test_the_views_have_schemas(repo):
    belay(repo, "note", "No licence yet", "-t", "blocker")
    belay(repo, "preference", "tests first", "-c", "testing")
    for name in ("preferences", "state", "summary", "info", "import-status"):
        answer(repo, name)
    assert [one["content"] for one in answer(repo, "state")["blockers"]] == ["No licence yet"]
    assert answer(repo, "summary")["types"] == {"note": 1, "preference": 1}
    assert answer(repo, "preferences")["entries"][0]["tags"] == ["testing"]
    check("forget", json.loads(belay(repo, "clear", "2999-01-01", "--yes", "--json").stdout))
    assert "No licence yet" not in belay(repo, "state").stdout


def test_only_workshop_lists_the_old_names():
    helps = {name: CliRunner().invoke(program, ["--help"], prog_name=name).output for name in ("belay", "workshop")}

    assert "import-status" in helps["workshop"].partition("As in Workshop 2:")[2]
    assert "import-status" not in helps["belay"]
    assert [row for row in helps["workshop"].splitlines()[1:] if row.endswith("...")] == []


def test_an_older_day_is_no_part_of_a_summary(repo, monkeypatch):
    monkeypatch.setenv("BELAY_TEST", "1")
    monkeypatch.setenv("BELAY_NOW", "2026-01-01T10:00:00Z")
    old = answer(repo, "decision", "Use SQLite", "-r", "one file")["id"]
    monkeypatch.setenv("BELAY_NOW", "2026-03-01T10:00:00Z")
    belay(repo, "edit", old, "-t", "db")  # changed since, made before
    belay(repo, "note", "The lift is slow")

    assert answer(repo, "summary")["total"] == 1
    assert answer(repo, "summary", "-d", "90")["total"] == 2
    assert "Use SQLite" not in belay(repo, "export", "--recent").stdout
    assert belay(repo, "clear", "30 days ago", "--yes").stdout.startswith(f"Forgotten: decision {old}")
    assert os.path.exists(repo / ".claude" / "memory" / "workshop.db")
