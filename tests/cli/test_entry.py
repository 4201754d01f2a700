"""The commands that record one fact, as a person or Claude calls them."""

import json
import os

import pytest
from commandline import answer, belay
from repos import git, repository

from belay.core.kinds import ENTRY_TYPES as TYPES

SECRET = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"


def test_the_lines_of_seed_001_work_as_they_stand(repo):
    for args in (
        ("decision", "Use Supabase for auth", "-r", "Self-hosted requirement"),
        ("gotcha", "iOS Simulator needs Xcode 15.4+ on macOS 15"),
        ("goal", "Add dark mode support", "-p", "high"),
        ("note", "API rate limit is 100 req/min"),
        ("antipattern", "Don't use inline styles", "-r", "Use design system classes only"),
    ):
        done = belay(repo, *args)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"Recorded: {args[0]} ")

    assert "Use Supabase for auth. Why: Self-hosted requirement" in belay(repo, "read", "decisions").stdout
    assert "iOS Simulator needs Xcode 15.4+" in belay(repo, "read", "gotchas").stdout
    context = belay(repo, "context").stdout
    assert "Goal (high): Add dark mode support" in context
    assert "Use Supabase for auth. Why: Self-hosted requirement" in context


@pytest.mark.parametrize("kind", TYPES)
def test_every_kind_is_kept_with_where_and_by_whom_it_was_said(repo, kind):
    git(repo, "checkout", "-qb", "feature/x")
    data = answer(repo, kind, "The gateway rounds half up", "-r", "measured", "-t", "money,#api", "-t", "tax")

    assert (data["type"], data["content"], data["reasoning"]) == (
        kind,
        "The gateway rounds half up",
        "measured",
    )
    assert (data["branch"], data["commit"]) == ("feature/x", git(repo, "rev-parse", "HEAD"))
    assert (data["tags"], data["source"], data["session"]) == (["money", "api", "tax"], "typed", "terminal")
    assert data["id"].startswith("D-" if kind == "decision" else "K-")
    assert (data["merged"], data["supersedes"], data["redacted"]) == (False, "", False)


def test_a_tool_of_a_session_is_told_from_a_person(repo, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-2222-4333-8444-555555555555")
    data = answer(repo, "note", "ids are ULIDs")

    assert (data["source"], data["session"]) == ("tool", "11111111-2222-4333-8444-555555555555")
    assert answer(repo, "show", data["id"])["session"] == data["session"]


def test_files_that_the_text_names_and_that_stand_are_tied(repo):
    (repo / "lib").mkdir()
    (repo / "lib" / "auth.py").write_text("")
    said = "Sessions end in lib/auth.py:12, not in `file.txt`, lib/none.py, ../x or lib/."

    assert answer(repo, "gotcha", said)["files"] == ["lib/auth.py", "file.txt", "lib/"]
    assert "Tied to file.txt.\n" in belay(repo, "note", "file.txt is for show").stdout
    assert answer(repo, "note", "the lib of auth, and so on...")["files"] == []


def test_files_are_kept_from_the_root_a_folder_with_its_slash(repo):
    (repo / "lib" / "deep").mkdir(parents=True)
    (repo / "lib" / "a.py").write_text("")
    named = ("-f", "a.py", "-f", "deep", "-f", "lib/a.py", "-f", "../file.txt", "-f", "new.py", "-f", "gone/")
    data = answer(repo / "lib", "note", "it rounds", *named)

    assert "(not there: new.py)." in belay(repo, "note", "it is new", "-f", "new.py").stdout
    assert data["files"] == ["lib/a.py", "lib/deep/", "file.txt", "lib/new.py", "lib/gone/"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../elsewhere.txt", "", "."])
def test_a_file_outside_of_the_project_is_refused_and_nothing_is_kept(repo, path):
    done = belay(repo, "note", "x", "-f", path)

    assert done.returncode == 1
    assert done.stderr.startswith("belay: ")
    assert not (repo / ".claude" / "memory" / "journal").exists()


def test_said_again_is_counted_and_told(repo):
    first = answer(repo, "decision", "Use Postgres for storage", "-r", "two writers")
    done = belay(repo, "decision", "We use Postgres for the storage", "-r", "fashion", "-t", "db")

    assert done.stdout.splitlines() == [
        f"Known already: decision {first['id']} “Use Postgres for storage”, said 2 times",
        f"Its reason stays; `belay edit {first['id']} -r …` changes it.",
    ]
    shown = answer(repo, "show", first["id"])
    assert (shown["seen"], shown["reasoning"], shown["tags"]) == (2, "two writers", ["db"])


def test_two_facts_of_nearly_the_same_words_are_both_kept(repo):
    first = answer(repo, "gotcha", "Users table has no index on email")
    done = belay(repo, "gotcha", "Orders table has no index on email").stdout

    assert "Known already" not in done
    assert f"Close to {first['id']}" in done
    texts = [entry["content"] for entry in answer(repo, "recent")["entries"]]
    assert sorted(texts) == ["Orders table has no index on email", "Users table has no index on email"]


def test_the_words_that_give_the_reason_stay(repo):
    first = answer(repo, "gotcha", "Use tabs in Makefiles")
    assert answer(repo, "gotcha", "use tabs in Makefiles because make needs them")["id"] == first["id"]
    assert answer(repo, "gotcha", "use tabs in Makefiles")["id"] == first["id"]

    shown = answer(repo, "show", first["id"])
    assert (shown["content"], shown["seen"]) == ("use tabs in Makefiles because make needs them", 3)


def test_what_is_close_to_it_is_named(repo):
    first = answer(repo, "gotcha", "Connections must not be shared between threads, use the pool")
    done = belay(repo, "gotcha", "Connections must never be shared between threads, use the pool").stdout
    new = answer(repo, "recent", "-n", "1")["entries"][0]["id"]

    assert done.splitlines()[1] == (
        f"Close to {first['id']} “Connections must not be shared between threads, use the pool”: "
        f"`belay supersede {first['id']} {new}` if it takes its place."
    )
    assert "Close to" not in belay(repo, "gotcha", "Threads of the pool end at midnight").stdout
    assert "Close to" not in belay(repo, "note", "Connections must not be shared between threads").stdout


def test_a_goal_that_was_reached_and_is_set_again_is_open_again(repo):
    first = answer(repo, "goal", "Add dark mode")
    belay(repo, "resolve", first["id"])
    told = belay(repo, "goal", "Add dark mode", "-p", "high").stdout.splitlines()
    again = answer(repo, "show", first["id"])

    assert told[1:] == ["Its priority is high now.", "It is open again."]
    assert (again["status"], again["priority"], again["seen"]) == ("active", "high", 2)


def test_a_decision_replaces_another(repo):
    old = answer(repo, "decision", "SQLite for storage")
    new = answer(repo, "decision", "Postgres for two writers", "--supersedes", old["id"].lower())

    assert new["supersedes"] == old["id"]
    assert answer(repo, "show", old["id"])["superseded_by"] == new["id"]
    assert [one["id"] for one in answer(repo, "read", "decisions")["entries"]] == [new["id"]]


def test_a_decision_that_is_taken_again_holds_again(repo):
    old = answer(repo, "decision", "SQLite for storage")
    new = answer(repo, "decision", "Postgres for two writers", "--supersedes", old["id"])
    told = belay(repo, "decision", "SQLite for storage").stdout
    back = answer(repo, "decision", "SQLite for storage", "--supersedes", new["id"])

    assert f"It was replaced by {new['id']}; `belay supersede {new['id']} {old['id']}` changes that." in told
    assert (back["id"], back["status"], back["superseded_by"]) == (old["id"], "active", "")
    assert answer(repo, "show", new["id"])["superseded_by"] == old["id"]


def test_what_is_to_be_replaced_must_stand(repo):
    done = belay(repo, "decision", "Postgres", "--supersedes", "D-ABCDEF")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("belay: D-ABCDEF: is no entry of the knowledge base; ")
    assert answer(repo, "read")["entries"] == []


def test_a_secret_never_reaches_the_disk(repo):
    done = belay(repo, "note", f"the token is {SECRET}", "-r", f"from {SECRET}", "-t", SECRET)
    found = [path for path in repo.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]

    assert done.stdout.endswith("A secret in it was replaced.\n")
    assert found == []


def test_the_words_of_an_earlier_tool_do_the_same(repo):
    goal = answer(repo, "goal", "add", "Ship the export")
    step = json.loads(belay(repo, "next", "add", "Write the release notes", "--json").stdout)

    assert (goal["content"], step["content"], step["type"], step["tags"]) == (
        "Ship the export",
        "Write the release notes",
        "goal",
        ["next"],
    )
    assert answer(repo, "goal", "add", "more", "tests")["content"] == "add more tests"
    assert answer(repo, "goal", "done", goal["id"], "in 2.0")["changed"][0]["reasoning"] == "in 2.0"
    assert goal["id"] not in belay(repo, "goal", "list").stdout
    assert step["id"] in belay(repo, "next", "list").stdout


def test_a_wrong_priority_or_no_text_is_a_wrong_call(repo):
    assert belay(repo, "goal", "x", "-p", "urgent").returncode == 2
    assert belay(repo, "note").returncode == 2
    empty = belay(repo, "note", "  ")
    assert (empty.returncode, 'the text is empty: belay note "what to keep"' in empty.stderr) == (2, True)
    assert belay(repo, "note", "x" * 5000).returncode == 1
    assert sorted(os.listdir(repo)) == [".git", "file.txt"]


def test_the_first_entry_makes_a_base_that_git_does_not_see(repo):
    belay(repo, "note", "ids are ULIDs")

    assert (repo / ".claude" / "memory" / "workshop.db").is_file()
    assert git(repo, "status", "--porcelain") == ""


def test_home_is_no_project(home):
    done = belay(home, "note", "x")

    assert (done.returncode, "is your home or the root, not a project" in done.stderr) == (1, True)
    assert os.listdir(home) == []


def test_any_file_serves_as_a_base_before_or_after_the_command(home, tmp_path):
    base = str(tmp_path / "notes.db")
    first = json.loads(belay(home, "--db", base, "note", "ids are ULIDs", "-f", "a/b.py", "--json").stdout)
    told = belay(home, "recent", "--db", base).stdout

    assert first["files"] == ["a/b.py"]
    assert first["id"] in told
    assert (tmp_path / "notes.ledger.jsonl").is_file()
    assert belay(home, "recent", f"--db={base}").stdout == told


def test_what_a_terminal_would_obey_is_not_printed(repo):
    told = belay(repo, "note", "a\x1b[31mb\nc\u202ed").stdout
    listed = belay(repo, "recent").stdout

    assert "“a [31mb c d”" in told
    assert listed.endswith("a [31mb c d\n")
    assert "\x1b" not in belay(repo, "show", listed[:8]).stdout


def test_without_git_an_entry_has_no_branch(tmp_path):
    (tmp_path / ".claude" / "memory").mkdir(parents=True)
    data = answer(tmp_path, "note", "ids are ULIDs")

    assert (data["branch"], data["commit"]) == ("", "")


def test_a_linked_worktree_writes_to_the_same_base(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    data = answer(tmp_path / "side", "note", "ids are ULIDs")

    assert data["branch"] == "side"
    assert f"[on side] {data['content']}" in belay(repo, "recent").stdout
    assert data["content"] in belay(repository(tmp_path / "side" / "sub"), "recent", "--db",
                                    str(repo / ".claude/memory/workshop.db")).stdout  # fmt: skip
