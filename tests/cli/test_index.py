"""`workshop index`: any folder's documents, the project's without a name, what changed since."""

import json
import os
import pty
import subprocess
import sys

from commandline import RUN, answer, belay
from repos import git
from schemas import check

from belay.core import paths


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def index(folder, *args):
    return answer(folder, "index", *args)


def test_any_folder_is_indexed_into_a_database_of_its_own(tmp_path):
    write(tmp_path, "notes/pay.md", "# Payments\n\nRefunds go through the ledger.\n")
    done = belay(tmp_path, "--db", "x.db", "index", "notes", "--json")
    counts = check("index", json.loads(done.stdout))
    assert (done.returncode, counts["files"], counts["indexed"]) == (0, 1, 1)
    assert counts["folder"] == str((tmp_path / "notes").resolve())

    write(tmp_path, "notes/deep/port.md", "The staging port is 5433.\n")
    again = json.loads(belay(tmp_path, "--db", "x.db", "index", "--json").stdout)  # the folder is remembered
    assert (again["files"], again["indexed"]) == (2, 1)


def test_a_project_is_indexed_at_its_root(repo):
    write(repo, "docs/a.md", "# A\n\nText of a.\n")
    write(repo, "README.md", "# Shop\n\nWhat it is.\n")
    write(repo, "docs/sub/b.md", "# B\n\nText of b.\n")
    counts = index(repo / "docs")

    assert (counts["folder"], counts["indexed"]) == (str(repo), 4)  # file.txt of the fixture
    assert (repo / ".claude" / "memory" / "workshop.db").is_file()


def test_people_read_what_was_done_and_what_was_left_out(repo):
    write(repo, "a.md", "# A\n\nText.\n")
    write(repo, "b.md", "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n")
    done = belay(repo, "index")

    assert "2 files indexed in 2 sections; 0 as before, 0 removed." in done.stdout
    assert "Left out: 1 (conflict)" in done.stdout
    assert done.stderr == ""  # no progress bar where no terminal is


def test_what_is_no_folder_is_said_in_one_line(repo):
    done = belay(repo, "index", "missing")

    assert done.returncode == 1
    assert "is not a folder" in done.stderr


def test_a_terminal_sees_a_progress_bar(tmp_path):
    write(tmp_path, "notes/a.md", "# A\n\nText.\n")
    here, there = pty.openpty()
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib"), "TERM": "xterm"}
    command = [sys.executable, "-c", RUN, "--db", "x.db", "index", "notes"]
    done = subprocess.run(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=there, check=True)
    os.close(there)
    shown = os.read(here, 65536).decode()
    os.close(here)

    assert "Indexing" in shown
    assert "100%" in shown
    assert b"1 file indexed" in done.stdout


def test_nothing_to_index_is_said(tmp_path):
    (tmp_path / "empty").mkdir()

    assert belay(tmp_path, "--db", "x.db", "index", "empty").stdout == "No documents found.\n"


def test_a_file_that_is_no_database_is_told_in_one_line(tmp_path):
    write(tmp_path, "notes/a.md", "# A\n\nText.\n")
    belay(tmp_path, "--db", "x.db", "index", "notes")
    (tmp_path / "x.db").write_bytes(b"no database at all")
    done = belay(tmp_path, "--db", "x.db", "index", "notes")

    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1


def test_a_folder_of_the_project_is_a_part_of_its_index(repo):
    write(repo, "docs/a.md", "# A\n\nText of a.\n")
    write(repo, "b.md", "# B\n\nText of b.\n")
    counts = index(repo, "docs")
    assert (counts["folder"], counts["files"], counts["indexed"]) == (str(repo), 1, 1)
    assert index(repo)["indexed"] == 2  # b.md and file.txt

    (repo / "docs" / "a.md").unlink()
    (repo / "b.md").unlink()
    assert (index(repo, "docs")["removed"], index(repo)["removed"]) == (1, 1)


def test_a_folder_outside_of_the_project_needs_a_database_of_its_own(repo, tmp_path):
    write(tmp_path, "notes/a.md", "# A\n\nText.\n")
    done = belay(repo, "index", str(tmp_path / "notes"))
    assert (done.returncode, "--db FILE" in done.stderr) == (1, True)

    assert belay(repo, "--db", "../x.db", "index", str(tmp_path / "notes")).returncode == 0


def test_a_worktree_indexes_the_main_checkout(repo, tmp_path):
    write(repo, "docs/a.md", "# A\n\nText.\n")
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")

    assert index(tmp_path / "tree")["folder"] == str(repo)
