"""`belay doctor`: each thing that can break, broken for real."""

import json
import os
import shutil
import sqlite3
import time
from contextlib import closing

import pytest
from click.testing import CliRunner
from schemas import check

from belay.cli.main import belay
from belay.cli.setup import doctor
from belay.core import environment, lock, paths
from belay.knowledge.store.store import Store
from belay.session.session import Session


def call():
    done = CliRunner().invoke(belay, ["doctor", "--json"])
    data = check("doctor", json.loads(done.output))
    assert done.exit_code == int(data["broken"])
    return {check["name"]: check for check in data["checks"]}


@pytest.fixture
def ready(repo, project, monkeypatch, tmp_path):
    """A project with one session, on a machine whose environment stands."""
    monkeypatch.chdir(repo)
    python = os.path.join(environment.venv(os.environ), "bin", "python")
    env = environment.Env(python, environment.crc(), environment.version())
    os.makedirs(os.path.dirname(python))
    os.symlink(environment.base_python(), python)
    os.makedirs(env.packages)
    with open(environment.env_file(os.environ), "w") as file:
        file.write(f"{env.python}\n{env.crc}\n{env.version}\n")
    own = Session(project, "abc", os.environ)
    own.log("start", **own.place())
    own.log("prompt", text="hello")
    return repo


def transcript(home, repo, version, age=0):
    slug = "".join(c if c.isalnum() else "-" for c in str(repo))
    path = home / ".claude" / "projects" / slug / "abc.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"type": "user", "version": version}, separators=(",", ":")) + "\n")
    os.utime(path, (time.time() + age, time.time() + age))


def test_all_is_well(ready, home):
    transcript(home, ready, "2.1.329")
    checks = call()

    assert {check["level"] for name, check in checks.items() if name != "switch"} <= {"ok", "note"}
    assert checks["set-up"]["level"] == "ok"
    assert checks["client"]["found"] == "Claude Code 2.1.329"
    assert checks["hooks"]["found"].startswith("SessionStart ")
    assert "UserPromptSubmit" in checks["hooks"]["found"]
    assert checks["switch"]["mend"] == "unset BELAY_SETUP"
    assert CliRunner().invoke(belay, ["doctor"]).exit_code == 0


def test_no_environment_is_broken(ready):
    shutil.rmtree(environment.venv(os.environ))

    assert call()["set-up"] == {
        "name": "set-up",
        "level": "broken",
        "found": "absent",
        "mend": "run: belay setup",
    }


def test_hooks_that_do_not_fire(ready, home):
    transcript(home, ready, "2.1.329", age=3600)

    assert call()["hooks"]["level"] == "broken"


def test_an_old_client(ready, home):
    transcript(home, ready, "2.1.98")

    assert call()["client"]["mend"] == "claude update"


def test_a_held_lock_left_overs_and_open_permissions(ready, project):
    with open(project.store + "/state.json.123.tmp", "w"):
        pass
    from belay.safety import trust

    trust.record(os.environ, "/p", "a", b"x")
    os.chmod(paths.trust_file(os.environ), 0o644)
    with lock.hold(project.lock):
        checks = call()

    assert checks["lock"]["level"] == "broken"
    assert checks["left-overs"]["found"].startswith("1 temporary file of")
    assert checks["trust"]["mend"].startswith("chmod 600")


def test_missing_git_is_a_note(ready, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    checks = call()

    assert (checks["git"]["level"], checks["git"]["mend"]) == ("note", "install git")


def test_a_folder_that_cannot_be_made(ready, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    checks = call()

    assert checks["own folder"]["level"] == "broken"
    assert checks["set-up"]["level"] == "broken"


def test_outside_a_project(home, monkeypatch):
    monkeypatch.chdir(home)

    assert "hooks" not in call()


def test_a_setting_that_is_left_out_is_named(ready, project):
    os.makedirs(os.path.dirname(project.settings), exist_ok=True)
    with open(project.settings, "w") as file:
        file.write("threshold: [50]\n")
    checks = call()

    assert checks["settings"]["level"] == "note"
    assert "threshold is not a setting" in checks["settings"]["found"]


def test_the_rule_that_found_the_knowledge_base_is_told(project):
    from commandline import answer, belay

    def told():
        return next(row for row in answer(project.root, "doctor", code=1)["checks"] if row["name"] == "knowledge")

    assert "none yet" in told()["found"]
    belay(project.root, "init")
    assert told()["found"] == f"{project.workshop} (rule 3: found in .claude/memory/)"


def test_what_is_wrong_with_the_knowledge_base_is_told(project):
    from commandline import answer
    from legacy import workshop

    workshop(project.workshop, {"1": "a"})
    told = [row for row in answer(project.root, "doctor", code=1)["checks"] if row["name"] == "knowledge"]

    assert [(row["level"], "init" in row["mend"]) for row in told] == [("note", True), ("note", True)]
    assert "left alone" in told[1]["found"]


def test_a_wrecked_text_index_is_told_and_healed_by_the_next_command(ready, project):
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("note", "The kettle is slow")
    with closing(sqlite3.connect(project.workshop)) as connection:
        connection.execute("UPDATE memory_fts_data SET block = zeroblob(length(block))")
        connection.commit()
    assert (call()["knowledge"]["level"], call()["knowledge"]["mend"][:16]) == ("broken", "`belay rebuild d")
    assert "kettle" in CliRunner().invoke(belay, ["search", "kettle"]).output
    assert call()["knowledge"]["level"] == "ok"


def test_a_path_is_told_on_one_line(ready, monkeypatch):
    monkeypatch.setattr(doctor, "_MACHINE", (lambda _: [doctor.Check("own folder", "ok", "/a\n/b\x1b[1m")],))
    assert "own folder    /a /b [1m\n" in CliRunner().invoke(belay, ["doctor"]).output
