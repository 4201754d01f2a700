"""Commands in a session's shell work on the session's project, wherever a cd led; a terminal's on its folder."""

import os
import subprocess

import commandline
import pytest
from doors import CORRECTION, run, said
from repos import git, repository

from belay.core import files, paths
from belay.repository import projects

NAME = "5e551011-aaaa-bbbb-cccc-000000000007"


@pytest.fixture
def other(tmp_path):
    return repository(tmp_path / "other")


@pytest.fixture
def shell(repo, tmp_path, monkeypatch):
    """A session in `repo`, and its shell's variables in this process."""
    return enter(repo, tmp_path / "env.sh", monkeypatch)


def enter(folder, file, monkeypatch):
    said(run("session_start", folder, source="startup", session=NAME, environ={"CLAUDE_ENV_FILE": str(file)}))
    said(run("user_prompt_submit", folder, prompt=CORRECTION, session=NAME))
    done = subprocess.run(["sh", "-c", f". '{file}'; env"], capture_output=True, text=True, check=True)
    rows = dict(line.partition("=")[::2] for line in done.stdout.splitlines() if line.startswith("BELAY_"))
    for name, value in rows.items():
        monkeypatch.setenv(name, value)
    return rows


def entries(folder):
    return files.read(projects.find(str(folder), os.environ).ledger).decode()


def test_the_sessions_project_comes_before_the_folder(repo, other, shell):
    status = commandline.answer(other, "status")

    assert (status["project"], status["session"]["id"]) == (str(repo), NAME)


def test_nothing_is_written_into_the_wrong_project_and_a_line_says_which(repo, other, shell):
    done = commandline.belay(other, "decision", "SQLite for storage, one file and no server")

    assert done.returncode == 0, done.stderr
    assert "SQLite" in entries(repo)
    assert not (other / ".claude").exists()
    assert done.stderr.count("belay: ") == 1
    assert f"this session's project is {repo}, so not in {other}; for that: belay -C {other} …" in done.stderr


def test_a_folder_that_is_named_wins(repo, other, shell, tmp_path):
    done = commandline.belay(tmp_path, "-C", str(other), "decision", "SQLite for storage, one file and no server")

    assert (done.returncode, done.stderr) == (0, "")
    assert "SQLite" in entries(other)
    assert "SQLite" not in entries(repo)


def test_a_folder_that_is_not_there_is_a_wrong_call(repo):
    done = commandline.belay(repo, "-C", str(repo / "none"), "status")

    assert done.returncode == 2
    assert "no such file or directory" in done.stderr


def test_inside_the_project_nothing_is_said(repo, shell):
    (repo / "src").mkdir()

    done = commandline.belay(repo / "src", "status")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("where", ["/", "home", "plain"])
def test_where_there_is_no_project_nothing_needs_to_be_said(repo, shell, home, tmp_path, where):
    (tmp_path / "plain").mkdir()

    done = commandline.belay({"/": "/", "home": home, "plain": tmp_path / "plain"}[where], "status")

    assert f"{repo} (main)" in done.stdout
    assert done.stderr == ""


def test_another_work_tree_of_the_project_is_itself(repo, shell, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))

    status = commandline.answer(tmp_path / "side", "status")

    assert (status["project"], status["branch"]) == (str(tmp_path / "side"), "side")


def test_a_session_of_a_work_tree_comes_back_to_it(repo, tmp_path, monkeypatch):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    rows = enter(tmp_path / "side", tmp_path / "env.sh", monkeypatch)

    status = commandline.answer(tmp_path, "status")

    assert rows["BELAY_PROJECT"] == str(repo)
    assert (status["project"], status["branch"]) == (str(tmp_path / "side"), "side")


def test_what_a_terminal_still_has_of_an_ended_session_does_not_count(repo, other, shell):
    run("session_end", repo, session=NAME, reason="other")

    done = commandline.belay(other, "decision", "SQLite for storage, one file and no server")

    assert (done.returncode, done.stderr) == (0, "")
    assert "SQLite" in entries(other)
    assert "SQLite" not in entries(repo)


@pytest.mark.parametrize("value", ["", "relative", "/nonexistent/project", "/"])
def test_a_variable_that_names_no_project_does_not_count(other, value, monkeypatch):
    monkeypatch.setenv("BELAY_PROJECT", value)

    assert commandline.answer(other, "status")["project"] == str(other)


def test_a_search_without_packages_finds_the_sessions_project_too(repo, other, shell):
    commandline.belay(repo, "decision", "SQLite for storage, one file and no server")

    done = subprocess.run(
        [paths.resource("bin", "belay"), "search", "SQLite storage"],
        cwd=other,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert ">>SQLite<< for >>storage<<" in done.stdout
    assert "this session's project is" in done.stderr


def test_the_users_folder_is_that_of_the_hooks(repo, home, monkeypatch):
    """A shell may have another XDG_DATA_HOME than the client; the key must be the same."""
    known = paths.data_home(os.environ)

    monkeypatch.setenv("BELAY_HOME", known)
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")

    assert paths.data_home(os.environ) == known
    monkeypatch.setenv("BELAY_HOME", "relative")
    assert paths.data_home(os.environ) == "/elsewhere/belay"
