"""`belay uninstall`: the plan, the deed, the backup."""

import json
import os
import stat
import subprocess
import tarfile

import pytest
from click.testing import CliRunner
from ratings import OVERSURE, put
from schemas import check

from belay.cli.main import belay
from belay.core import environment, paths
from belay.knowledge.session_records import breadcrumbs_file
from belay.repository import excludes
from belay.safety import trust
from belay.setup import removal


def call(*args):
    done = CliRunner().invoke(belay, ["uninstall", "--json", *args])
    return done.exit_code, check("uninstall", json.loads(done.output))


@pytest.fixture
def installed(repo, project, monkeypatch, tmp_path):
    """A machine with a built environment, a project with memory of every kind."""
    monkeypatch.chdir(repo)
    monkeypatch.setenv("CLAUDE_PLUGIN_DATA", str(tmp_path / "plugin"))
    for folder in (paths.plugin_data(os.environ), paths.data_home(os.environ)):
        os.makedirs(os.path.join(folder, "venv", "bin"))
        for name in ("venv/pyvenv.cfg", "venv/bin/python", "python", "setup.log"):
            with open(os.path.join(folder, name), "w"):
                pass
        with open(os.path.join(folder, "env"), "w") as file:
            file.write(f"{folder}/venv/bin/python\n0\n3.11\n")
    trust.record(os.environ, str(repo), "MEMORY.md", b"x")
    excludes.write_excludes(project, os.environ)
    for name in ("MEMORY.md", "CONTINUATION.md", "memory/working-buffer.md", ".claude/memory/journal/a.jsonl",
                 ".claude/memory/sessions/a.jsonl", ".claude/memory/playbooks/p.md"):  # fmt: skip
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(name)
    return repo


PRIVATE = ("CONTINUATION.md", ".claude/memory/journal/a.jsonl", ".claude/memory/sessions/a.jsonl")


def test_the_plan_changes_nothing(installed):
    before = sorted(str(path) for path in installed.rglob("*"))
    code, data = call()

    assert (code, data["done"], data["backup"]) == (0, False, None)
    assert environment.venv(os.environ) in data["goes"]
    assert str(installed / "MEMORY.md") in data["stays"]
    assert str(installed / ".claude" / "memory" / "journal") in data["stays"]
    assert paths.trust_file(os.environ) in data["stays"]
    assert data["blocks"] == []
    assert str(installed / ".git" / "info" / "exclude") in data["blocks_stay"]
    assert sorted(str(path) for path in installed.rglob("*")) == before
    assert os.path.exists(environment.venv(os.environ))
    assert "Would be removed" in CliRunner().invoke(belay, ["uninstall", "--dry-run", "--yes"]).output


def test_done_it_leaves_the_memory(installed):
    code, data = call("--yes")

    assert (code, data["failed"]) == (0, [])
    assert removal.list_removed(os.environ) == []
    assert not any(os.path.lexists(path) for path in data["goes"])
    assert all(os.path.lexists(path) for path in data["stays"])
    ignored = subprocess.run(["git", "check-ignore", *PRIVATE], cwd=installed, capture_output=True, text=True)
    assert ignored.stdout.split() == list(PRIVATE)
    assert call("--yes")[1]["goes"] == []


def test_what_goes_and_stays_is_all_there_is(installed):
    home, plugin = paths.data_home(os.environ), paths.plugin_data(os.environ)
    os.makedirs(os.path.join(home, "locks"))
    os.makedirs(os.path.join(home, "store-0a"))
    code, data = call("--yes")

    assert (code, data["failed"]) == (0, [])
    assert os.path.join(home, "locks") in data["goes"]
    assert data["goes"][-1] == plugin
    assert not os.path.exists(plugin)
    assert {os.path.join(home, name) for name in os.listdir(home)} <= set(data["stays"])


def test_a_folder_with_something_else_in_it_stays(installed):
    other = os.path.join(paths.plugin_data(os.environ), "mine")
    os.makedirs(other)
    code, data = call("--yes")

    assert (code, data["failed"]) == (0, [])
    assert other in data["stays"]
    assert os.path.isdir(other)


@pytest.mark.parametrize("memory", [[], ["--memory"]])
def test_the_calibration_goes_and_the_persons_lines_beside_it_stay(installed, project, memory):
    path = installed / ".breadcrumbs.yaml"
    path.write_text("mine: 1\n")
    breadcrumbs_file.update(project, os.environ, put(project, OVERSURE))
    code, plan = call(*memory)
    assert (code, str(path) in plan["blocks"], "belay:" in path.read_text()) == (0, True, True)
    code, done = call("--yes", *memory)

    assert (code, str(path) in done["blocks"]) == (0, True)
    assert path.read_text() == "mine: 1\n"
    assert str(path) not in call()[1]["blocks"]


def test_private_memory_goes_only_after_a_backup(installed):
    code, data = call("--yes", "--memory")

    assert code == 0
    assert not (installed / ".claude" / "memory" / "journal").exists()
    assert not (installed / "CONTINUATION.md").exists()
    assert b"belay" not in (installed / ".git" / "info" / "exclude").read_bytes()
    assert (installed / "MEMORY.md").exists()
    assert (installed / ".claude" / "memory" / "playbooks" / "p.md").exists()
    assert stat.S_IMODE(os.stat(data["backup"]).st_mode) == 0o600
    with tarfile.open(data["backup"]) as archive:
        assert "repo/.claude/memory/journal/a.jsonl" in archive.getnames()


def test_every_copy_of_the_knowledge_base_is_named_and_goes_with_it(installed):
    memory = installed / ".claude" / "memory"
    names = (
        "workshop.db",
        "workshop.db-wal",
        "workshop.db.damaged-20261121T104933Z",
        "workshop.after-cleanup.db",
    )
    copies = [memory / name for name in names] + [installed / ".claude" / "orchestration" / "session-context.md"]
    own = [memory / "knowledge.jsonl", memory / "playbooks"]
    copies[-1].parent.mkdir(exist_ok=True)
    for path in (*copies, own[0]):
        path.write_text("x")

    assert {*map(str, copies), *map(str, own)} <= set(call()[1]["stays"])
    data = call("--yes", "--memory")[1]
    assert set(map(str, copies)) <= set(data["goes"])
    assert set(map(str, own)) <= set(data["stays"])
    assert [path.exists() for path in (*copies, *own)] == [False] * len(copies) + [True] * len(own)


def test_logs_that_stay_are_seen_by_git_again_and_that_is_said(installed):
    def is_hidden():
        return subprocess.run(["git", "check-ignore", "-q", "memory/working-buffer.md"], cwd=installed).returncode == 0

    assert is_hidden()
    done = CliRunner().invoke(belay, ["uninstall", "--yes", "--memory"]).output
    assert "git shows memory/ and tasks/lessons.md" in done
    assert not is_hidden()


def test_without_a_backup_nothing_goes(installed):
    with open(os.path.join(paths.data_home(os.environ), "backups"), "w"):
        pass
    code, data = call("--yes", "--memory")

    assert (code, "nothing was removed" in data["error"]["what"]) == (1, True)
    assert (installed / "CONTINUATION.md").exists()
    assert os.path.exists(environment.venv(os.environ))


def test_a_pointer_that_leads_elsewhere_is_not_followed(installed, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "env").write_text("mine")
    with open(environment.pointer(os.environ), "w") as file:
        file.write(f"{tmp_path}/other/bin/python3\n0\n3.11\n")

    assert str(tmp_path / "env") not in removal.list_removed(os.environ)


def test_outside_a_project(installed, home, monkeypatch):
    monkeypatch.chdir(home)
    code, data = call("--yes", "--memory")

    assert (code, data["backup"], data["blocks"]) == (0, None, [])
    assert (installed / "CONTINUATION.md").exists()


def test_a_status_line_that_still_runs_ours_is_named(installed, home):
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "settings.json").write_text(
        '{"statusLine": {"type": "command", "command": "/x/belay statusline"}}'
    )

    assert call()[1]["statusline"] is True


def test_a_section_in_claude_md_is_named_with_the_way_out(installed, home):
    (installed / "CLAUDE.md").write_text("# Shop\n")
    CliRunner().invoke(belay, ["integrate", "--yes"])
    CliRunner().invoke(belay, ["integrate", "--user", "--yes"])
    own = os.path.join(paths.client_dir(os.environ), "CLAUDE.md")

    assert call()[1]["sections"] == [str(installed / "CLAUDE.md"), own]
    said = CliRunner().invoke(belay, ["uninstall"]).output
    assert f"Belay's section in {own}; before you remove Belay, `belay integrate --user --undo` takes it out" in said
    CliRunner().invoke(belay, ["integrate", "--undo"])
    assert call()[1]["sections"] == [own]
