"""belay remember, as a person, a script or Claude calls it."""

import json
import os

import pytest
from commandline import answer, belay
from repos import git

from belay.core import files


def memory(repo):
    return (repo / "MEMORY.md").read_text()


def test_a_decision_with_reason_and_reach_is_confirmed_with_its_line(repo):
    done = belay(
        repo,
        "remember",
        "--as",
        "decision",
        "--reason",
        "one file",
        "--affects",
        "src/db.py",
        "SQLite for storage",
    )

    assert done.returncode == 0, done.stderr
    rows = memory(repo).splitlines()
    (line,) = [at for at, row in enumerate(rows, 1) if "SQLite" in row]
    assert rows[line - 1].endswith("| SQLite for storage | one file | src/db.py |")
    assert done.stdout == f"Saved: decision “SQLite for storage” in MEMORY.md, Key Decisions (line {line})\n"


def test_the_kind_is_told_from_the_words_and_said(repo):
    data = answer(repo, "remember", "blocked on the staging key")

    assert (data["kind"], data["told"], data["sections"]) == ("blocker", True, ["Blockers"])
    assert "Filed as note because of its words" in belay(repo, "remember", "the gateway rounds half up").stdout


def test_said_twice_is_written_once(repo):
    first = answer(repo, "remember", "--as", "note", "ids are ULIDs")
    before = memory(repo)
    again = answer(repo, "remember", "--as", "note", "Ids are ULIDs.")

    assert (again["saved"], again["line"], memory(repo)) == (False, first["line"], before)


def test_what_another_file_says_already_is_told(repo):
    (repo / "CLAUDE.md").write_text("# Shop\n\n- The staging database listens on port 5433, never 5432.\n")
    data = answer(repo, "remember", "--as", "note", "the staging database listens on port 5433, never 5432")

    assert (data["saved"], data["also"]) == (True, "CLAUDE.md line 3 says so already")
    assert answer(repo, "remember", "--as", "note", "ids are ULIDs of the gateway")["also"] == ""


def test_a_capture_is_filed_by_its_name(repo):
    name = answer(repo, "capture", "--as", "blocker", "legal has to agree")["captured"][0]["id"]
    data = answer(repo, "remember", name.lower())

    assert (data["kind"], data["capture"], data["saved"]) == ("blocker", name, True)
    assert answer(repo, "buffer")["open"] == [f"blocker {name}: legal has to agree"]
    assert "is no open capture" in belay(repo, "remember", "C-AAAAAA").stderr


def test_a_secret_is_refused_before_anything_is_written(repo):
    secret = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"
    done = belay(repo, "remember", "--as", "value", f"the token is {secret}")

    assert done.returncode == 1
    assert done.stderr == "belay: the text: holds a secret; name the variable in .env instead\n"
    assert sorted(os.listdir(repo)) == [".git", "file.txt"]


def test_a_file_from_elsewhere_stays_and_the_capture_stands(repo):
    (repo / "MEMORY.md").write_text("# Theirs\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "memory")
    data = answer(repo, "remember", "--as", "note", "ids are ULIDs", code=1)

    assert "belay trust MEMORY.md" in data["why"]
    assert memory(repo) == "# Theirs\n"
    assert answer(repo, "buffer")["open"] == [f"note {data['capture']}: ids are ULIDs"]
    belay(repo, "trust", "MEMORY.md")
    assert answer(repo, "remember", data["capture"])["saved"]
    assert memory(repo) == "# Theirs\n\n## Architecture Notes\n- ids are ULIDs\n"


def test_bytes_that_are_not_its_own_stay(repo):
    old = b"# M\r\n\r\n## Notes\r\n* one\r\n\r\n## Mine\r\n\tkeep\x0c \r\nlast"
    files.write(str(repo / "MEMORY.md"), old)
    belay(repo, "buffer")
    belay(repo, "trust", "MEMORY.md")
    answer(repo, "remember", "--as", "note", "two")

    assert (repo / "MEMORY.md").read_bytes() == old.replace(b"* one\r\n", b"* one\r\n* two\r\n")


@pytest.mark.parametrize("args", [(), ("--as", "nonsense", "x"), ("  ",), ("x" * 400,)])
def test_wrong_calls_say_what_is_right(repo, args):
    done = belay(repo, "remember", *args)

    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert not (repo / "MEMORY.md").exists()


def test_a_json_error_keeps_its_schema(repo):
    done = belay(repo, "remember", "C-AAAAAA", "--json")

    assert json.loads(done.stdout)["error"]["mend"] == "belay buffer lists them"
