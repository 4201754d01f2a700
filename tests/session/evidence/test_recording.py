"""A check's result and the end of its output, written by the hook's own door."""

import json
import os
import stat
import time
from pathlib import Path

import commandline
import pytest
from doors import SESSION, call, log, records, run, said
from hypothesis import given
from hypothesis import strategies as st
from repos import git, repository

from belay.core import clock
from belay.repository import projects
from belay.session.evidence import current_checks, gates, output_files

SECRET = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
FAILED = "Exit code 1\n" + "FAILED tests/test_pay.py::test_refund - assert 1 == 2\n1 failed, 3 passed in 0.12s"


@pytest.fixture
def at_work(repo):
    said(run("session_start", repo, source="startup"))
    said(run("user_prompt_submit", repo, prompt="fix the refund"))
    return repo


def check(folder, command="pytest -q", response=FAILED, **options):
    return said(run("post_tool_batch", folder, tool_calls=[call("Bash", response, command=command)], **options))


def folder(project, name):
    return Path(project.orchestration, name)


def names(project, name):
    return sorted(os.listdir(folder(project, name))) if folder(project, name).is_dir() else []


def results(project):
    return gates.load_gates(project, os.environ)


def text(project):
    (name,) = names(project, "evidence")
    return (folder(project, "evidence") / name).read_text()


def test_a_failed_check_leaves_its_output_and_its_result(at_work, project):
    head = git(at_work, "rev-parse", "HEAD")
    check(at_work)

    (gate,) = results(project)
    (name,) = names(project, "evidence")
    assert gate["time"] <= clock.now()
    assert gate | {"time": ""} == {
        "kind": "test", "command": "pytest -q", "result": "failed", "exit": 1, "counts": {"failed": 1, "passed": 3},
        "time": "", "commit": head, "branch": "main", "edited": [], "root": str(at_work), "session": SESSION,
        "evidence": name,
    }  # fmt: skip
    assert text(project).splitlines() == [
        "$ pytest -q", "failed: exit status 1; 1 failed, 3 passed",
        f"{gate['time'][:19]}Z, main at {head[:12]}, session {SESSION}", "",
        "FAILED tests/test_pay.py::test_refund - assert 1 == 2", "1 failed, 3 passed in 0.12s",
    ]  # fmt: skip
    assert [row["evidence"] for row in records(project) if row["kind"] == "command"] == [name]
    assert log() == ""


def test_a_check_that_passes_changes_only_its_result(at_work, project):
    check(at_work)
    check(at_work, response="4 passed in 0.1s")

    (gate,) = results(project)
    assert (gate["result"], gate["exit"], gate["counts"], gate["evidence"]) == ("passed", 0, {"passed": 4}, "")
    assert len(names(project, "evidence")) == 1
    assert gates.find_failing(results(project)) == []


def test_each_check_has_a_result_of_its_own(at_work, project):
    check(at_work, "ruff check . && mypy lib", "All checks passed!\nSuccess: no issues found in 3 files")
    check(at_work, "pytest tests/a.py")
    check(at_work, "cd web && npm test")

    kinds = sorted((gate["kind"], gate["command"], gate["result"]) for gate in results(project))
    assert kinds == [
        ("lint", "ruff check .", "passed"), ("test", "cd web && npm test", "failed"),
        ("test", "pytest tests/a.py", "failed"), ("types", "mypy lib", "passed"),
    ]  # fmt: skip


def test_of_several_checks_of_which_one_failed_nothing_more_is_claimed(at_work, project):
    check(at_work, "ruff check . && pytest -q")

    (gate,) = results(project)
    assert (gate["kind"], gate["command"]) == ("lint+test", "ruff check . && pytest -q")


def test_a_wider_check_that_passes_makes_up_for_the_one_that_failed(at_work, project):
    check(at_work, "pytest tests/test_pay.py -k refund")
    assert [gate["command"] for gate in gates.find_failing(results(project))] == ["pytest tests/test_pay.py -k refund"]

    check(at_work, "pytest", "9 passed in 0.2s")

    assert gates.find_failing(results(project)) == []


def test_a_failure_behind_a_pipe_has_no_exit_status(at_work, project):
    check(at_work, "pytest -q | tail -3", "1 failed, 3 passed in 0.12s")

    assert results(project)[0]["exit"] is None
    assert "failed: exit status unknown, a pipe hides it; 1 failed, 3 passed" in text(project)


@pytest.mark.parametrize(
    ("command", "response"),
    [
        ("ls nowhere", "Exit code 2\nls: cannot access 'nowhere'"),
        ("pytest -q", "Exit code 127\nbash: pytest: command not found"),
        ("npm ci && npm test", "Exit code 1\nnpm ERR! network"),
        ("pytest -q | cat", "collected"),
        ("belay status", "Exit code 1\nerror"),
    ],
)
def test_what_is_no_check_or_tells_nothing_leaves_nothing(at_work, project, command, response):
    check(at_work, command, response)

    assert not os.path.exists(project.orchestration)


def test_no_secret_reaches_the_files(at_work, project):
    half = len(SECRET) // 2
    printed = f"Exit code 1\ntoken {SECRET}\n\x1b[31m{SECRET[:half]}\x1b[0m{SECRET[half:]}\npassword=Zq9wertyuiop7\n1 failed in 1s"
    check(at_work, f"TOKEN={SECRET} pytest -q -k {SECRET}", printed)

    held = "".join(path.read_text() for path in Path(project.orchestration).rglob("*") if path.is_file())
    assert SECRET not in held + "".join(names(project, "evidence") + names(project, "verification"))
    assert "Zq9wertyuiop7" not in held
    assert "1 failed in 1s" in held


def test_a_terminal_is_told_nothing(at_work, project):
    check(at_work, response="Exit code 1\n\x1b]0;evil\x07\x1b[2J\x9b31mred\x00\tTab\r\n1 failed in 1s")

    assert not {char for char in text(project) if ord(char) < 32 or 127 <= ord(char) < 160} - {"\n", "\t"}


def test_only_the_end_of_a_long_output_is_kept(at_work, project):
    lines = [f"line {number} " + "žluťoučký kůň " * 8 for number in range(3000)]
    check(at_work, response="Exit code 1\n" + "\n".join(lines) + "\n1 failed in 1s")

    data = text(project).encode()
    assert 60 * 1024 < len(data) <= output_files.BYTES
    assert "(only the end is kept)\nline " in text(project)
    assert text(project).endswith(lines[-1] + "\n1 failed in 1s\n")


@pytest.mark.parametrize(
    "command",
    [
        "pytest ../../../../etc/passwd", "pytest 'a\nb' -k '$(touch evil)'", "pytest " + "x" * 5000, "pytest /dev/null\0",
        'pytest "; rm -rf ~"', "make 'test/../../x'", "npm run 'test:../../../evil'", "pytest 'žluťoučký 🐎'",
    ],
)  # fmt: skip
def test_a_hostile_command_gets_a_plain_name(at_work, project, command):
    check(at_work, command)

    for name in ("evidence", "verification"):
        assert all(output_files.is_own_file(one, name) and len(one) < 100 for one in names(project, name))
    assert not list(at_work.rglob("evil*"))
    assert len(names(project, "evidence")) <= 1
    assert log() == ""


@given(st.text(max_size=60), st.text(max_size=200), st.integers(0, 2**32 - 1))
def test_any_command_gets_a_name_that_is_known_again(kind, runner, number):
    name = output_files.make_name(kind, runner, number)

    assert output_files.is_own_file(f"20261125T034430Z-{name}.txt", "evidence") or not name.rpartition("-")[0]
    assert os.sep not in name


def test_git_sees_nothing_of_it(at_work, project):
    check(at_work)

    assert git(at_work, "status", "--porcelain") == ""
    assert (folder(project, "evidence").parent / ".gitignore").read_text().count("/evidence/") == 1


def test_at_most_fifty_files_and_those_of_others_stay(at_work, project):
    top = folder(project, "evidence")
    check(at_work)
    (first,) = names(project, "evidence")
    theirs = [top / "run 1", top / "notes.txt", top / "20260101T000000Z-notes.txt", top / "zz.md"]
    for path in theirs:
        path.write_text("mine")
    old = [top / f"20260101T0000{number:02}Z-test-pytest-0000000a.txt" for number in range(55)]
    for path in old:
        path.write_text("old")

    check(at_work)

    assert len(output_files.list_own(project, "evidence")) == output_files.MOST
    assert all(path.exists() for path in theirs)
    assert (top / first).exists()
    assert not old[0].exists()
    assert old[-1].exists()


def test_after_thirty_days_they_go_at_a_sessions_end(at_work, project):
    from belay.consolidate import session as consolidate_session

    check(at_work)
    check(at_work, "mypy lib", "Success: no issues found in 3 files")
    (old,) = names(project, "evidence")
    os.utime(folder(project, "evidence") / old, (time.time() - 31 * clock.DAY,) * 2)
    clock_file = Path(project.states) / "clock"
    clock_file.write_text(f"{time.time() - 60:.0f} {time.time() - 30 * clock.DAY:.0f}")

    consolidate_session.run(project, os.environ)

    assert names(project, "evidence") == []
    assert len(results(project)) == 2


def test_the_setting_switches_it_off_and_takes_what_was_kept(at_work, project, home):
    from belay.consolidate import session as consolidate_session

    check(at_work)
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "belay.yaml").write_text("evidence: false\n")
    kept = folder(project, "evidence") / "mine.txt"
    kept.write_text("mine")

    consolidate_session.run(project, os.environ)
    check(at_work, "pytest -q tests")

    assert names(project, "evidence") == ["mine.txt"]
    assert names(project, "verification") == []
    assert [row["check"] for row in records(project) if row["kind"] == "command"] == ["failed", "failed"]


@pytest.mark.parametrize("place", [".claude/orchestration", ".claude/orchestration/evidence"])
@pytest.mark.parametrize("inside", [True, False])
def test_nothing_is_written_through_a_link(at_work, project, tmp_path, place, inside):
    target = (at_work / "src") if inside else (tmp_path / "elsewhere")
    target.mkdir()
    (at_work / ".claude" / "orchestration").parent.mkdir(exist_ok=True)
    if place.endswith("evidence"):
        (at_work / ".claude" / "orchestration").mkdir()
    (at_work / place).symlink_to(target)

    check(at_work)

    assert list(target.iterdir()) == []
    assert [row["check"] for row in records(project) if row["kind"] == "command"] == ["failed"]
    assert log() == ""


def test_a_full_or_closed_disk_costs_no_record(at_work, project):
    (at_work / ".claude" / "orchestration").write_text("a file")

    check(at_work)

    assert [row.get("evidence") for row in records(project) if row["kind"] == "command"] == [""]
    assert log() == ""


def test_a_result_that_came_with_a_clone_is_not_believed(at_work, project):
    check(at_work)
    (name,) = names(project, "verification")
    path = folder(project, "verification") / name
    gate = json.loads(path.read_text())
    other = folder(project, "verification") / "test-evil-00000001.json"
    other.write_text(json.dumps({**gate, "command": "rm -rf /"}))

    assert [row["command"] for row in results(project)] == ["pytest -q"]
    assert stat.S_ISREG(path.stat().st_mode)


def test_a_linked_worktree_has_results_of_its_own_in_the_main_checkout(at_work, project, tmp_path):
    git(at_work, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    check(at_work)
    check(tmp_path / "side", response="4 passed in 0.1s")

    assert {(gate["root"], gate["branch"], gate["result"]) for gate in results(project)} == {
        (str(at_work), "main", "failed"), (str(tmp_path / "side"), "side", "passed"),
    }  # fmt: skip
    assert len(gates.find_failing(results(project))) == 1
    side = projects.find(str(tmp_path / "side"), os.environ)
    shown = output_files.find_output(side, names(project, "evidence")[0])
    assert (tmp_path / "side" / shown).resolve().is_file()
    assert not (tmp_path / "side" / ".claude").exists()


def test_a_check_in_a_folder_is_one_of_that_folder(at_work, project):
    (at_work / "web app").mkdir()
    check(at_work / "web app", "npm test", "Exit code 1\nTests: 1 failed, 2 passed, 3 total")
    check(at_work, "npm test", "Tests: 3 passed, 3 total")

    assert {(gate["command"], gate["result"]) for gate in results(project)} == {
        ("cd 'web app' && npm test", "failed"), ("npm test", "passed"),
    }  # fmt: skip


def test_a_check_of_another_project_is_none_of_this_one(at_work, project, tmp_path):
    other = repository(tmp_path / "other")
    check(at_work)

    check(other, response="4 passed in 0.1s")
    check(other, "mypy lib")

    assert [(gate["command"], gate["result"]) for gate in results(project)] == [("pytest -q", "failed")]
    assert not (other / ".claude").exists()


def test_what_was_edited_since_the_commit_is_named(at_work, project):
    edit = call("Edit", "updated", file_path=str(at_work / "file.txt"), old_string="one", new_string="two")
    said(run("post_tool_batch", at_work, tool_calls=[edit]))
    check(at_work, response="4 passed in 0.1s")
    assert results(project)[0]["edited"] == ["file.txt"]

    made = call("Bash", "[main 60331fc] Change it\n 1 file changed", command="git commit -am 'Change it'")
    said(run("post_tool_batch", at_work, tool_calls=[made]))
    check(at_work, response="4 passed in 0.1s")

    assert results(project)[0]["edited"] == []


def test_a_project_without_git_keeps_them_too(tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    said(run("session_start", plain, source="startup"))
    said(run("user_prompt_submit", plain, prompt="fix the refund"))

    check(plain)

    project = projects.find(str(plain), os.environ)
    assert (results(project)[0]["commit"], results(project)[0]["branch"]) == ("", "")
    assert "no git" in text(project)


def continuation(repo):
    from belay.session import continuation_files
    from belay.session.session import Session

    session = Session(projects.find(str(repo), os.environ), SESSION, os.environ)
    assert continuation_files.refresh(session) == ""
    return (repo / "CONTINUATION.md").read_text()


def test_the_continuation_links_the_output_while_it_is_there(at_work, project):
    check(at_work)
    (name,) = names(project, "evidence")
    line = f"- All that it printed: `.claude/orchestration/evidence/{name}`"

    assert line in continuation(at_work).splitlines()

    (folder(project, "evidence") / name).unlink()
    assert "All that it printed" not in continuation(at_work)

    check(at_work, response="4 passed in 0.1s")
    assert "evidence" not in continuation(at_work)


def test_the_audit_of_a_wrap_up_links_it(at_work, project, monkeypatch):
    check(at_work)
    (name,) = names(project, "evidence")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    shown = f".claude/orchestration/evidence/{name}"

    data = commandline.answer(at_work, "wrap-up")

    assert data["audit"]["failing"]["evidence"] == shown
    assert f"All that it printed: {shown}" in commandline.belay(at_work, "wrap-up").stdout.splitlines()


def test_a_handoff_links_it_and_says_that_it_is_here_only(at_work, project):
    check(at_work)
    (name,) = names(project, "evidence")

    assert commandline.belay(at_work, "handoff").returncode == 0
    assert (
        f"- **What they printed:** `.claude/orchestration/evidence/{name}`, only on this machine"
        in (at_work / "HANDOFF.md").read_text().splitlines()
    )

    check(at_work, response="4 passed in 0.1s")
    commandline.belay(at_work, "handoff")
    assert "What they printed" not in (at_work / "HANDOFF.md").read_text()


def test_status_names_the_checks_that_fail_and_whether_the_tree_has_changed_since(at_work, project):
    check(at_work)
    (name,) = names(project, "evidence")
    row = commandline.answer(at_work, "status")["checks"][0]
    assert (row["command"], row["counts"], row["changed"]) == ("pytest -q", {"failed": 1, "passed": 3}, False)
    assert row["evidence"] == f".claude/orchestration/evidence/{name}"
    assert "`pytest -q` failed " in commandline.belay(at_work, "status").stdout

    (at_work / "file.txt").write_text("two\n")
    assert "(1 failed, 3 passed), before the last changes" in " ".join(
        commandline.belay(at_work, "status").stdout.split()
    )
    git(at_work, "checkout", "-q", "file.txt")
    assert commandline.answer(at_work, "status")["checks"][0]["changed"] is False

    git(at_work, "commit", "-q", "--allow-empty", "-m", "next")
    assert commandline.answer(at_work, "status")["checks"][0]["changed"] is True

    check(at_work, response="4 passed in 0.1s")
    assert commandline.answer(at_work, "status")["checks"] == []


@pytest.mark.parametrize("change", ["delete", "untracked", "folder"])
def test_any_later_change_of_the_tree_counts(at_work, project, change):
    check(at_work)
    if change == "delete":
        (at_work / "file.txt").unlink()
    elif change == "untracked":
        (at_work / "new.py").write_text("x")
    else:
        (at_work / "src" / "deep").mkdir(parents=True)
        (at_work / "src" / "deep" / "new.py").write_text("x")

    assert [row.changed for row in current_checks.list_failing(project, os.environ)] == [True]


def test_what_was_there_before_the_check_is_no_later_change(at_work, project):
    (at_work / "src").mkdir()
    (at_work / "src" / "new.py").write_text("x")
    time.sleep(0.02)

    check(at_work)

    assert [row.changed for row in current_checks.list_failing(project, os.environ)] == [False]


def test_tiers_and_uninstall_know_the_folders(at_work, project):
    check(at_work)
    (name,) = names(project, "evidence")
    rows = {row["path"]: row["what"] for row in commandline.answer(at_work, "tiers")["tiers"][3]["items"]}
    kept = [str(folder(project, name)) for name in ("evidence", "verification")]
    assert {rows[path] for path in rows if path.endswith(("/evidence", "/verification"))} == {
        "what failed checks printed", "last results of checks",
    }  # fmt: skip

    assert set(kept) <= set(commandline.answer(at_work, "uninstall", "--memory")["goes"])
    theirs = folder(project, "evidence") / "mine.md"
    theirs.write_text("mine")
    goes = commandline.answer(at_work, "uninstall", "--memory")["goes"]
    assert kept[0] not in goes
    assert str(folder(project, "evidence") / name) in goes

    assert commandline.belay(at_work, "uninstall", "--memory", "--yes").returncode == 0
    assert [path.name for path in folder(project, "evidence").iterdir()] == ["mine.md"]
    assert not folder(project, "verification").exists()
