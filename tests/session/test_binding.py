"""Which project a session belongs to: what its start says, whatever folder it works in later."""

import os
import shutil
import subprocess
import time

import doors
import pytest
from doors import CORRECTION, SESSION, call, kinds, run, said
from repos import git, repository

from belay.client.event import Event
from belay.repository import projects


@pytest.fixture
def other(tmp_path):
    return repository(tmp_path / "other")


def start(folder, source="startup", **fields):
    return said(run("session_start", folder, source=source, **fields))


def prompt(folder, text=CORRECTION, **fields):
    return said(run("user_prompt_submit", folder, prompt=text, **fields))


def journal(folder, session=SESSION):
    return projects.find(str(folder), os.environ).journal(session)


def recorded(folder, session=SESSION):
    return kinds(projects.find(str(folder), os.environ), session)


def test_a_cd_into_another_repository_moves_nothing(repo, other):
    prompt(other, session="an-older-one")
    start(repo)
    prompt(repo)

    prompt(other, "Always use pnpm here, never npm.")
    run("pre_tool_use", other, tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t")
    run("stop", other, last_assistant_message="Done.")
    run("session_end", other, reason="other")

    assert recorded(repo).count("prompt") == 2
    assert {"intent", "said", "end"} <= set(recorded(repo))
    assert not os.path.exists(journal(other))


@pytest.mark.parametrize("where", ["home", "/"])
def test_a_cd_out_of_every_project_loses_no_record(repo, home, where):
    start(repo)
    prompt(repo)

    prompt(home if where == "home" else where, "Always use pnpm here, never npm.")

    assert recorded(repo).count("prompt") == 2


def test_a_session_that_has_recorded_nothing_yet_stays_where_it_began(repo, other):
    start(repo)

    prompt(other)

    assert "prompt" in recorded(repo)
    assert not os.path.exists(journal(other))


def test_a_cd_into_a_submodule_moves_nothing(repo, other):
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendor/lib")
    start(repo)

    prompt(repo / "vendor" / "lib")

    assert "prompt" in recorded(repo)
    assert not (repo / "vendor" / "lib" / ".claude").exists()


def roots(folder, session=SESSION):
    found = doors.records(projects.find(str(folder), os.environ), session)
    return [row["root"] for row in found if row["kind"] == "prompt"]


def test_a_session_stays_at_its_work_tree_of_the_project(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    start(tmp_path / "side")

    prompt(tmp_path / "side")
    prompt(repo, "Always use pnpm here, never npm.")
    prompt("/", "Never push on a Friday, please.")

    assert recorded(repo).count("prompt") == 3
    assert roots(repo) == [str(tmp_path / "side")] * 3
    assert (tmp_path / "side" / "memory" / "working-buffer.md").exists()
    assert not (repo / "memory").exists()


def test_a_cd_into_another_work_tree_leaves_nothing_there(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    client = {"CLAUDE_PROJECT_DIR": str(repo)}
    start(repo, environ=client)
    prompt(repo, environ=client)

    prompt(tmp_path / "side", "Always use pnpm here, never npm.", environ=client)
    edit = call("Write", "written", file_path=str(repo / "file.txt"), content="two")
    run("post_tool_batch", tmp_path / "side", tool_calls=[edit], environ=client)

    assert roots(repo) == [str(repo)] * 2
    assert [
        row["files"][0]["path"] for row in doors.records(projects.find(str(repo), os.environ)) if row["kind"] == "edit"
    ] == ["file.txt"]
    assert not (tmp_path / "side" / "memory").exists()


def test_the_clients_own_tools_move_a_session_to_another_work_tree(repo, other, tmp_path):
    """Its branch, buffer and continuation are those of the work tree; the project is the same."""
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    client = {"CLAUDE_PROJECT_DIR": str(repo)}
    start(repo, environ=client)
    prompt(repo, environ=client)

    run("post_tool_batch", tmp_path / "side", tool_calls=[call("EnterWorktree", "done", path="side")], environ=client)
    prompt(tmp_path / "side", "Always use pnpm here, never npm.", environ=client)
    prompt("/", "Never push on a Friday, please.", environ=client)
    run("post_tool_batch", repo, tool_calls=[call("ExitWorktree", "done")], environ=client)
    prompt(tmp_path / "side", "Always squash before a merge.", environ=client)

    assert roots(repo) == [str(repo), str(tmp_path / "side"), str(tmp_path / "side"), str(repo)]

    run("post_tool_batch", other, tool_calls=[call("EnterWorktree", "done", path="side")], environ=client)
    prompt(other, "Never mock the clock, please.", environ=client)
    assert roots(repo)[-1] == str(repo)
    assert not os.path.exists(journal(other))


def test_a_work_tree_that_a_session_left_keeps_no_block_of_it(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    start(repo)
    prompt(repo)
    assert "port 5433" in (repo / "memory" / "working-buffer.md").read_text()

    run("post_tool_batch", tmp_path / "side", tool_calls=[call("EnterWorktree", "done", path="side")])
    prompt(tmp_path / "side", "Always use pnpm here, never npm.")

    assert SESSION[:8] not in (repo / "memory" / "working-buffer.md").read_text()
    assert "port 5433" in (tmp_path / "side" / "memory" / "working-buffer.md").read_text()


def test_two_worktrees_of_a_bare_repository_are_one_project(repo, tmp_path):
    git(repo, "clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    for name in ("one", "two"):
        git(tmp_path / "bare", "worktree", "add", "-q", "-b", name, str(tmp_path / name))
    start(tmp_path / "one")

    prompt(tmp_path / "one")
    prompt(tmp_path / "two", "Always use pnpm here, never npm.")

    assert recorded(tmp_path / "one").count("prompt") == 2


@pytest.mark.parametrize("source", ["startup", "clear", "fork"])
def test_a_start_binds_anew_from_its_folder_whatever_is_known(repo, other, source):
    start(repo)
    prompt(repo)
    before = recorded(repo)

    start(other, source)
    prompt(other)
    prompt(repo, "Always use pnpm here, never npm.")

    assert recorded(repo) == before
    assert recorded(other).count("prompt") == 2


def test_a_clear_in_another_folder_holds_when_the_shell_goes_back(repo, other):
    """The client's own folder stays that of its first start."""
    client = {"CLAUDE_PROJECT_DIR": str(repo)}
    start(repo, environ=client)
    prompt(repo, environ=client)

    start(other, "clear", session="after-clear", environ=client)
    prompt(repo, session="after-clear", environ=client)

    assert "prompt" in recorded(other, "after-clear")
    assert not os.path.exists(journal(repo, "after-clear"))


@pytest.mark.parametrize("source", ["resume", "compact"])
def test_a_session_that_goes_on_keeps_its_project(repo, other, source):
    start(repo)
    prompt(repo)
    run("session_end", repo, reason="other")

    start(other, source, environ={"CLAUDE_PROJECT_DIR": str(other)})
    prompt(other, environ={"CLAUDE_PROJECT_DIR": str(other)})

    assert recorded(repo).count("prompt") == 2
    assert "start" in recorded(repo)
    assert not os.path.exists(journal(other))


def test_a_resumed_session_whose_project_is_gone_is_bound_to_its_folder(repo, other, tmp_path):
    lost = repository(tmp_path / "lost")
    start(lost)
    prompt(lost)
    time.sleep(0.2)
    shutil.rmtree(lost)

    start(other, "resume")
    prompt(other)

    assert "prompt" in recorded(other)
    assert not lost.exists()


def test_a_subagent_in_a_worktree_of_its_own_moves_nothing(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "agent", str(tmp_path / "agent"))
    start(repo)
    prompt(repo)

    run("subagent_start", tmp_path / "agent", agent_id="a1", agent_type="general-purpose")
    run("pre_tool_use", tmp_path / "agent", agent_id="a1", tool_name="Bash", tool_input={"command": "make"})
    run("post_tool_batch", tmp_path / "agent", agent_id="a1", tool_calls=[call("Bash", "ok", command="make")])
    run("session_start", tmp_path / "agent", source="startup", agent_id="a1", agent_type="general-purpose")
    prompt(repo, "Always use pnpm here, never npm.")

    roots = {row["root"] for row in doors.records(projects.find(str(repo), os.environ)) if "root" in row}
    assert roots == {str(repo)}
    assert "intent" in recorded(repo)


def test_sessions_never_mix_though_their_folders_cross(repo, other):
    start(repo, session="one")
    start(other, session="two")

    prompt(other, session="one")
    prompt(repo, session="two")

    assert (os.path.exists(journal(repo, "one")), os.path.exists(journal(other, "one"))) == (True, False)
    assert (os.path.exists(journal(repo, "two")), os.path.exists(journal(other, "two"))) == (False, True)


def test_a_note_without_a_home_to_write_to_costs_nothing(repo, home, other):
    """Then the folder in which the client began counts, once the session has a journal there."""
    shutil.rmtree(home)
    home.write_text("no folder")
    client = {"CLAUDE_PROJECT_DIR": str(repo)}
    start(repo, environ=client)
    prompt(repo, environ=client)

    prompt(other, environ=client)

    assert recorded(repo).count("prompt") == 2


def test_an_idle_hook_where_the_session_began_reads_no_note(repo, monkeypatch):
    from belay.session import binding, session

    start(repo)
    prompt(repo)
    monkeypatch.setattr(binding, "find_bound", lambda *_: pytest.fail("looked"))
    monkeypatch.setattr(session.core_files, "read", lambda *_: pytest.fail("read"))

    event = Event({"session_id": SESSION, "cwd": str(repo)}, {**os.environ, "CLAUDE_PROJECT_DIR": str(repo)})

    assert session.Session.from_event(event).project.root == str(repo)


def test_the_shell_learns_project_session_and_home(repo, tmp_path, home):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "it's"))
    file = tmp_path / "env.sh"
    start(tmp_path / "it's", environ={"CLAUDE_ENV_FILE": str(file)})
    shown = 'printf \'%s\\n\' "$BELAY_PROJECT" "$BELAY_SESSION" "$BELAY_HOME"'

    done = subprocess.run(["sh", "-c", f". '{file}'; {shown}"], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == [str(repo), SESSION, str(home / ".local" / "share" / "belay")]
