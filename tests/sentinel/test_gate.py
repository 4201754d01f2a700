"""The sentinel's modes: what is said, refused or asked when acting starts, how often, and what is never touched."""

import os

import pytest
from commandline import belay
from doors import CORRECTION, SESSION, denied, log, records, run, said

from belay.context.recall import term_index
from belay.core import paths, settings
from belay.knowledge.store.store import Store
from belay.sentinel import gate
from belay.session.session import Session

OFF = "`sentinel: off` in ~/.claude/belay.yaml"


def set_mode(project, mode):
    file = paths.user_settings(os.environ)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as out:
        out.write(f"sentinel: {mode}\n")
    return settings.compile_settings(project, os.environ)


@pytest.fixture
def corrected(project, repo):
    """Return the id of a correction that the user made in the first prompt."""
    said(run("user_prompt_submit", repo, prompt=CORRECTION, prompt_id="p-1"))
    (name,) = Session(project, SESSION, os.environ).state["captures"]
    return name


def edit(repo, prompt="p-1", file="pay.py", **fields):
    given = {"file_path": str(repo / file), "old_string": "one", "new_string": "two"}
    return run("pre_tool_use", repo, tool_name="Edit", tool_input=given, tool_use_id="t-1", prompt_id=prompt, **fields)


def bash(repo, command, prompt="p-1", **fields):
    return run("pre_tool_use", repo, tool_name="Bash", tool_input={"command": command}, prompt_id=prompt, **fields)


def asked(done):
    return denied(done) if b'"ask"' in done.stdout else ""


def test_enforce_refuses_one_call_a_prompt_with_the_correction_as_its_reason(project, repo, corrected):
    set_mode(project, "enforce")

    first, again, other = denied(edit(repo)), denied(edit(repo)), denied(bash(repo, "make deploy"))
    later = denied(bash(repo, "make deploy", "p-2"))

    for reason in (first, later):
        assert CORRECTION in reason
        assert f"belay ack {corrected}" in reason
        assert OFF in reason
    assert (again, other) == ("", "")
    assert log() == ""


def test_enforce_says_nothing_once_the_correction_is_acknowledged(project, repo, corrected):
    set_mode(project, "enforce")
    Session(project, SESSION, os.environ).log("close", ids=[corrected], how="acknowledged")

    assert edit(repo).stdout == b""


@pytest.mark.parametrize("command", ["git status", "ls -la | head", f"belay ack {'C-ABCDEF'}", "pytest -q"])
def test_enforce_never_refuses_what_only_looks_or_is_belays(project, repo, corrected, command):
    set_mode(project, "enforce")

    assert bash(repo, command).stdout == b""


def test_enforce_lets_reads_plans_subagents_and_memory_files_through(project, repo, corrected):
    set_mode(project, "enforce")
    read = {"tool_name": "Read", "tool_input": {"file_path": str(repo / "pay.py")}, "prompt_id": "p-1"}

    assert run("pre_tool_use", repo, **read).stdout == b""
    assert edit(repo, permission_mode="plan").stdout == b""
    assert edit(repo, agent_id="a-1").stdout == b""
    assert edit(repo, file="MEMORY.md").stdout == b""
    assert denied(edit(repo)) != ""


def test_a_refused_call_is_not_the_one_that_runs(project, repo, corrected):
    set_mode(project, "enforce")

    edit(repo)

    assert Session(project, SESSION, os.environ).state["cursor"] is None
    assert records(project)[-1]["refused"] is True


def test_a_client_without_prompt_ids_is_refused_once_a_prompt_too(project, repo):
    set_mode(project, "enforce")
    said(run("user_prompt_submit", repo, prompt=CORRECTION))
    assert [bool(denied(edit(repo, ""))) for _ in range(3)] == [True, False, False]

    said(run("user_prompt_submit", repo, prompt="now mend the parser"))
    assert [bool(denied(edit(repo, ""))) for _ in range(2)] == [True, False]


def test_a_journal_that_cannot_be_written_locks_nobody_out(project, repo, corrected, monkeypatch):
    from belay.client.event import parse_event
    from belay.hooks import pre_tool_use
    from belay.session import journal

    set_mode(project, "enforce")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal, "append", full)
    raw = (
        f'{{"session_id": "{SESSION}", "cwd": "{repo}", "tool_name": "Write", "prompt_id": "p-1", '
        f'"tool_input": {{"file_path": "{repo}/a.py", "content": "x"}}}}'
    )
    assert pre_tool_use.handle(parse_event(raw.encode(), os.environ)) is None


def test_advise_tells_an_open_correction_once(project, repo, corrected):
    set_mode(project, "advise")

    told = said(edit(repo))[0]

    assert CORRECTION in told
    assert f"belay ack {corrected}" in told
    assert [said(edit(repo)), said(edit(repo, "p-2"))] == [("", ""), ("", "")]


def test_off_says_nothing_and_is_what_yaml_calls_false(project, repo, corrected):
    assert set_mode(project, "off") == []
    assert settings.load_settings(project, os.environ)["sentinel"] == "off"
    assert edit(repo).stdout == b""
    assert "told" not in records(project)[-1]


@pytest.mark.parametrize("mode", ["true", "sometimes", "[off]", "1"])
def test_a_mode_that_does_not_exist_is_named_and_off(project, repo, corrected, mode):
    assert "sentinel is not a setting" in set_mode(project, mode)[0]
    assert edit(repo).stdout == b""


def test_a_file_that_came_with_a_clone_switches_nothing_on(project, repo):
    (repo / ".claude").mkdir(exist_ok=True)
    (repo / ".claude" / "belay.yaml").write_text("sentinel: enforce\n")

    wrong = settings.compile_settings(project, os.environ, accepted=False)

    assert "sentinel came with the repository" in wrong[0]
    assert settings.load_settings(project, os.environ)["sentinel"] == "off"


@pytest.fixture
def warned(project, repo):
    """A knowledge base with an antipattern on pay.py."""
    said(run("user_prompt_submit", repo, prompt="mend the refunds", prompt_id="p-1"))
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("antipattern", "Rounding with int()", files=["pay.py"])
        term_index.update_if_cheap(project, store)


def test_enforce_asks_before_a_file_with_an_antipattern_changes_and_recall_is_silent(project, repo, warned):
    set_mode(project, "enforce")

    question = asked(edit(repo))

    assert "pay.py is about to be changed." in question
    assert "Rounding with int()" in question
    assert OFF in question
    assert edit(repo).stdout == b""
    assert asked(edit(repo, "p-2")) != ""
    assert edit(repo, file="other.py").stdout == b""
    assert log() == ""


def test_advise_leaves_antipatterns_to_recall(project, repo, warned):
    set_mode(project, "advise")

    assert "Rounding with int()" in said(edit(repo))[0]


def test_many_corrections_are_counted_and_the_newest_quoted():
    corrections = {f"C-{number}": f"use {number}" for number in range(5)}

    remark = gate.remark_on("enforce", corrections, {}, "p-1")

    assert remark.told == list(corrections)
    assert "5 open corrections of the user: C-3: “use 3” C-4: “use 4” (and 3 more: `belay buffer`)" in remark.deny
    assert "C-2" not in remark.deny


def test_a_long_correction_is_cut():
    remark = gate.remark_on("advise", {"C-1": "word " * 1000}, {}, "p-1")

    assert len(remark.text) < 500


def preflight(repo, *args):
    done = belay(repo, "preflight", *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def inside(monkeypatch):
    """Commands are called by the session, as its shell exports it."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)


def test_enforce_accepts_a_preflight_that_told_the_correction(project, repo, corrected, inside):
    set_mode(project, "enforce")
    told = preflight(repo, "move staging to the new port")

    assert told.startswith(f"Open correction {corrected}: {CORRECTION}")
    assert [denied(edit(repo, prompt)) for prompt in ("p-1", "p-2", "p-3")] == ["", "", ""]
    assert corrected in Session(project, SESSION, os.environ).state["captures"]


def test_a_preflight_from_before_a_correction_covers_it_not(project, repo, inside):
    set_mode(project, "enforce")
    said(run("user_prompt_submit", repo, prompt="move staging to another port", prompt_id="p-0"))
    preflight(repo, "move staging to another port")
    said(run("user_prompt_submit", repo, prompt=CORRECTION, prompt_id="p-1"))

    assert CORRECTION in denied(edit(repo))
    assert CORRECTION in belay(repo, "check").stdout
    assert denied(edit(repo, "p-2")) == ""


def test_a_preflight_that_was_closed_covers_nothing(project, repo, corrected, inside):
    set_mode(project, "enforce")
    preflight(repo, "move staging to the new port")
    assert belay(repo, "postflight", "moved", "--outcome", "done").returncode == 0

    assert CORRECTION in denied(edit(repo))


@pytest.mark.parametrize("mode", ["advise", "enforce"])
def test_acting_without_a_task_is_told_once_and_never_refused(project, repo, mode, inside):
    set_mode(project, mode)
    said(run("user_prompt_submit", repo, prompt="why does the pool test fail?", prompt_id="p-1"))
    look, first = said(bash(repo, "git log -3"))[0], said(edit(repo))[0]

    assert look == ""
    assert "belay preflight" in first
    assert OFF in first
    assert [said(edit(repo)), said(edit(repo, "p-2"))] == [("", ""), ("", "")]


def test_a_reminder_takes_no_refusal_away(project, repo, inside):
    set_mode(project, "enforce")
    said(run("user_prompt_submit", repo, prompt="why does the pool test fail?", prompt_id="p-1"))
    assert "No task is recorded" in said(edit(repo))[0]
    assert belay(repo, "capture", "--as", "correction", CORRECTION).returncode == 0

    assert CORRECTION in denied(edit(repo))
    assert denied(edit(repo)) == ""


@pytest.mark.parametrize("how", ["off", "task", "preflight", "correction", "plan", "subagent"])
def test_where_nothing_is_said_of_a_task(project, repo, how, inside):
    set_mode(project, "off" if how == "off" else "advise")
    prompt = "add a retry to the pool test" if how == "task" else "why does the pool test fail?"
    said(run("user_prompt_submit", repo, prompt=prompt, prompt_id="p-1"))
    if how == "preflight":
        preflight(repo, "find out why the pool test fails")
    if how == "correction":
        said(run("user_prompt_submit", repo, prompt=CORRECTION, prompt_id="p-1"))
    more = {"plan": {"permission_mode": "plan"}, "subagent": {"agent_id": "a1"}}.get(how, {})

    assert "No task is recorded" not in said(edit(repo, **more))[0]
