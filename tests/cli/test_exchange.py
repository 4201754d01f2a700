"""`workshop import` and `workshop export` as a person or a script calls them."""

import json
import os
import pty
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
import transcripts as lines
from commandline import RUN, answer, belay

from belay.core import paths

ASKED = "Please remember that the staging database is reset every Monday."


@pytest.fixture
def past(project, home):
    """One past session of the project in the client's own folder."""
    folder = home / ".claude" / "projects" / os.path.basename(paths.client_project(os.environ, project.home))
    folder.mkdir(parents=True)
    row = lines.entry("user", message={"role": "user", "content": ASKED}, cwd=project.root, gitBranch="main")
    lines.write(folder / "one.jsonl", [row])
    return folder


def test_past_sessions_are_told_first_and_written_on_yes(repo, project, past):
    told = answer(repo, "import", "--transcripts")
    assert (told["written"], told["unread"], told["found"], told["entries"][0]["text"]) == (
        False,
        1,
        1,
        ASKED,
    )
    assert not os.path.exists(project.workshop)
    text = belay(repo, "import", "--transcripts").stdout
    assert "1 past session to read, 2026-03-01 to 2026-03-01" in text
    assert "Nothing was written. --yes imports this." in text
    done = answer(repo, "import", "--transcripts", "--yes")
    assert (done["written"], done["new"]) == (True, 1)
    assert answer(repo, "import", "--transcripts", "--yes")["unread"] == 0


def test_a_transcript_that_is_elsewhere_is_named(repo, project, past, tmp_path):
    rows = [lines.entry("user", message={"role": "user", "content": f"Please remember: {what}."}, cwd="/elsewhere")
            for what in ("the backup runs at noon", "the cache is never warm")]  # fmt: skip
    files = [str(tmp_path / "old" / f"{name}.jsonl") for name in ("a", "b")]
    (tmp_path / "old").mkdir()
    for file, row in zip(files, rows, strict=True):
        lines.write(Path(file), [row])
    preview = answer(repo, "import", *files)
    assert (preview["written"], preview["found"], preview["sessions"]) == (False, 2, 2)

    assert answer(repo, "import", files[0], "--execute")["new"] == 1
    assert answer(repo, "import", *files, "--yes")["new"] == 1
    assert belay(repo, "import", *files).stdout == "There is nothing new to import in 2 transcripts you named.\n"
    assert answer(repo, "import-status")["left"] == 1  # the project's own


def test_only_what_was_said_since_comes_in(repo, project, past):
    assert answer(repo, "import", "--since", "2026-03-02")["found"] == 0
    assert answer(repo, "import", "--since", "2026-03-01")["found"] == 1
    assert answer(repo, "import", "--since", "last-import")["found"] == 1
    os.utime(past / "one.jsonl", (0, 1.7e9))
    told = answer(repo, "import", "--since", "2026-03-01", "--execute")
    assert (told["unread"], told["written"]) == (0, False)
    status = answer(repo, "import-status")
    assert (status["sessions"], status["imported"], status["left"]) == (1, 0, 1)
    answer(repo, "import", "--execute")
    status = answer(repo, "import-status")
    assert (status["imported"], status["left"], status["until"][:10]) == (1, 0, "2026-03-01")
    assert "Imported: 1, up to 2026-03-01." in belay(repo, "import-status").stdout


def test_a_dry_run_writes_nothing_even_with_yes(repo, project, past):
    assert answer(repo, "import", "--transcripts", "--yes", "--dry-run")["written"] is False
    assert not os.path.exists(project.workshop)


@pytest.mark.parametrize(("key", "written"), [(b"y\n", True), (b"n\n", False)])
def test_in_a_terminal_it_asks(repo, project, past, key, written):
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(repo)
        os.environ["PYTHONPATH"] = os.path.join(paths.PLUGIN_ROOT, "lib")
        os.execv(sys.executable, [sys.executable, "-c", RUN, "import", "--transcripts"])
    os.write(terminal, key)
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"Import this? [y/N]" in shown
    assert (os.path.exists(project.workshop), b": 1 new entry" in shown) == (written, written)


def test_an_export_is_a_file_that_git_may_track(repo, project):
    belay(repo, "decision", "SQLite for storage", "-r", "no server")
    told = answer(repo, "export")
    assert told["file"] == os.path.join(project.store, "knowledge.jsonl")
    with open(told["file"]) as file:
        (row,) = map(json.loads, file)
    assert (row["type"], row["content"], row["reasoning"]) == ("decision", "SQLite for storage", "no server")
    from repos import git

    assert ".claude/memory/knowledge.jsonl" in git(repo, "status", "--porcelain", "-uall")
    printed = belay(repo, "export", "--to", "-").stdout
    assert json.loads(printed) == row


def test_what_others_exported_is_merged(repo, project, tmp_path):
    row = {
        "id": "K-AAAAAA",
        "type": "note",
        "content": "Deploys need the VPN",
        "updated": "2026-01-01T00:00:00Z",
    }
    (tmp_path / "k.jsonl").write_text(json.dumps(row) + "\nbroken\n")
    dry = answer(repo, "import", str(tmp_path / "k.jsonl"), "--dry-run")
    assert (dry["new"], dry["written"], dry["refused"][0]["line"]) == (1, False, 2)
    assert answer(repo, "import", str(tmp_path / "k.jsonl"))["new"] == 1
    assert answer(repo, "import", str(tmp_path / "k.jsonl"))["same"] == 1
    assert "Deploys need the VPN" in belay(repo, "read", "notes").stdout


def test_markdown_is_for_people(repo, tmp_path):
    belay(repo, "gotcha", "The proxy cuts at 60 s", "-t", "ops")
    text = belay(repo, "export", "--markdown").stdout
    assert "## Gotchas\n\n- The proxy cuts at 60 s (K-" in text
    assert "#ops" in text
    belay(repo, "decision", "Use the proxy", "-r", "fewer hosts")
    text = belay(repo, "export", "--markdown").stdout
    assert "- Use the proxy. Why: fewer hosts (D-" in text
    told = answer(repo, "export", "--markdown", str(tmp_path / "notes.md"))
    assert (told["format"], (tmp_path / "notes.md").read_text()) == ("markdown", text)


def test_a_database_that_is_named_is_exported_and_imported(repo, tmp_path):
    other = str(tmp_path / "other.db")
    belay(repo, "--db", other, "init")
    belay(repo, "--db", other, "note", "Elsewhere")
    assert answer(repo, "export", "--db", other)["file"] == str(tmp_path / "knowledge.jsonl")
    assert answer(repo, "import", str(tmp_path / "knowledge.jsonl"))["new"] == 1


def test_another_belays_database_is_merged_by_id(repo, tmp_path, home):
    other = str(tmp_path / "other.db")
    belay(repo, "--db", other, "init")
    belay(repo, "--db", other, "decision", "Elsewhere too", "-r", "because", "-t", "ops")
    (home / ".local" / "share" / "belay" / "key").unlink()  # made by somebody else's Belay
    assert answer(repo, "import", other)["new"] == 1
    assert answer(repo, "import", other)["same"] == 1
    with open(answer(repo, "export")["file"]) as file:
        (row,) = map(json.loads, file)
    assert (row["content"], row["reasoning"], row["tags"]) == ("Elsewhere too", "because", ["ops"])


def test_the_rules_of_another_belays_files_stay_with_its_files(repo, tmp_path):
    other = str(tmp_path / "other.db")
    belay(repo, "--db", other, "init")
    belay(repo, "--db", other, "note", "Elsewhere")
    with closing(sqlite3.connect(other)) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(entries)") if row[1] not in ("num", "id")]
        names = ", ".join(columns)
        connection.execute(f"INSERT INTO entries (id, {names}) SELECT 'I-ABCDEF', {names} FROM entries")
        connection.commit()
    told = answer(repo, "import", other)
    assert (told["new"], told["refused"]) == (1, [])


@pytest.mark.parametrize(("args", "code", "words"), [
    (["import", "file.txt", "--transcripts"], 2, "name a file, or --transcripts"),
    (["import", "none.jsonl"], 1, "none.jsonl: is not a file"),
    (["import", "file.txt"], 1, "is no JSON object"),
    (["export", "--markdown", "a", "--to", "b"], 2, "--to is for JSON lines"),
    (["export"], 1, "there is no knowledge base yet"),
])  # fmt: skip
def test_a_wrong_call_is_said_in_one_line(repo, args, code, words):
    done = belay(repo, *args)
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
