"""A task lives across prompts, compactions, /clear and sessions until it is done; every surface names the same one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from doors import call, kinds, log, run, said
from environment import until
from repos import git
from sessions import DOCUMENT, parsed

from belay.core import paths
from belay.memory.wrapup import saving
from belay.safety import trust
from belay.session import continuation_files
from belay.session.session import Session

TASK = "Mend the parser of the config files"
STEP = "split the lexer in src/parser.py"
SESSIONS = [f"{number}{number}{number}{number}1111-2222-4333-8444-555555555555" for number in range(1, 8)]
CLIENT = """
import json, sys
sys.path[0:0] = json.loads(sys.argv[1])
from doors import run, said
for event, fields in json.loads(sys.argv[2]):
    done = run(event, sys.argv[3], session=sys.argv[4], **fields)
    print(json.dumps(said(done) if done.stdout[:1] == b"{" else [done.stdout.decode(), ""]), flush=True)
"""


def lived(repo, session, *events):
    """Play events in a client of its own that then dies without an end; return what Claude and the person got."""
    folders = json.dumps([str(Path(__file__).resolve().parents[1]), paths.resource("lib")])
    command = [sys.executable, "-c", CLIENT, folders, json.dumps(events), str(repo), session]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def started(source="startup"):
    return ("session_start", {"source": source})


def asked(text):
    return ("user_prompt_submit", {"prompt": text})


def answered(text):
    return ("stop", {"last_assistant_message": text})


def edited(repo, text):
    (repo / "file.txt").write_text(text)
    done = call("Edit", "updated", file_path=str(repo / "file.txt"), old_string="one", new_string=text)
    return ("post_tool_batch", {"tool_calls": [done]})


def committed(repo, subject):
    git(repo, "commit", "-qam", subject)
    done = call("Bash", f"[main 1a2b3c4] {subject}", command=f"git commit -am '{subject}'")
    return ("post_tool_batch", {"tool_calls": [done]})


def ended(project, repo, session, reason="prompt_input_exit"):
    said(run("session_end", repo, session=session, reason=reason))
    until(lambda: "folded" in kinds(project, session))


def begin(repo, session, source="startup"):
    """Return what Claude and the person get at a start, by a client that goes on living."""
    return said(run("session_start", repo, session=session, source=source))


def test_a_task_survives_sessions_that_die_and_that_only_open(project, repo):
    one, two, three, four, five, six = SESSIONS[:6]
    lived(repo, one, started(), asked(TASK), edited(repo, "1\n"), answered(f"It reads.\n\nNext: {STEP}"))

    [(told, person), _] = lived(repo, two, started(), asked("continue"))  # and dies without an edit
    assert f"# Continue: {TASK}" in told
    assert f"## Immediate Next Action\n{STEP}" in told
    assert STEP in person

    told, person = begin(repo, three)  # opened, and closed without a prompt
    assert f"# Continue: {TASK}" in told
    assert STEP in told.split("## Immediate Next Action")[1]
    assert STEP in person
    assert "cut off" in person
    ended(project, repo, three)

    told, person = begin(repo, four)
    assert f"# Continue: {TASK}" in told
    assert STEP in told.split("## Immediate Next Action")[1]
    assert STEP in person
    said(run("user_prompt_submit", repo, session=four, prompt="go on please"))
    said(run("stop", repo, session=four, last_assistant_message="I need a name.\n\nShall I call it lex()?"))
    ended(project, repo, four, "clear")

    told, person = begin(repo, five, "clear")
    assert f"# Continue: {TASK}" in told
    assert "Claude asked the user: “Shall I call it lex()?”" in told
    assert "Shall I call it lex()?" in person
    said(run("user_prompt_submit", repo, session=five, prompt="yes"))
    assert run("pre_compact", repo, session=five, trigger="auto").returncode == 0
    assert Path(project.continuation).read_text().startswith(f"# Continue: {TASK}")
    compacted, _ = begin(repo, five, "compact")
    assert TASK in compacted
    event, fields = committed(repo, "Split the lexer")
    said(run(event, repo, session=five, **fields))
    said(run("stop", repo, session=five, last_assistant_message="Split and committed.\n\nDone: the lexer is split."))
    ended(project, repo, five)

    told, person = begin(repo, six)
    assert "# Continue" not in told
    assert STEP not in told + person
    assert continuation_files.find_waiting(project) is None
    assert log() == ""


def test_a_session_that_dies_before_its_first_answer_leaves_its_prompt(project, repo):
    lived(repo, SESSIONS[0], started(), asked(TASK))
    told, person = begin(repo, SESSIONS[1])
    assert f"# Continue: {TASK}" in told
    assert f"Finish the last request: “{TASK}”" in told
    assert "cut off before it finished" in person


def test_user_and_claude_get_one_next_step(project, repo):
    Path(project.memory_md).write_text(
        "# Project Memory\n\n## Where We Left Off\n- **Current task:** old\n- **Next immediate step:** call the vendor\n"
    )
    trust.record(os.environ, project.root, "MEMORY.md", Path(project.memory_md).read_bytes())
    lived(repo, SESSIONS[0], started(), asked(TASK), edited(repo, "1\n"), answered(f"It reads.\n\nNext: {STEP}"))
    told, person = begin(repo, SESSIONS[1])
    assert STEP in told.split("## Immediate Next Action")[1]
    assert person.count("Next:") == 1
    assert STEP in person
    assert "call the vendor" not in person


def test_a_commit_settles_the_work_and_leaves_no_continuation(project, repo):
    rows = [started(), asked(TASK), edited(repo, "1\n")]
    lived(repo, SESSIONS[0], *rows, committed(repo, "Mend the parser"), answered("The parser reads empty files."))
    told, _ = begin(repo, SESSIONS[1])
    assert "# Continue" not in told


def test_every_surface_names_the_same_task_and_step(project, repo):
    rows = [started(), asked(TASK), edited(repo, "1\n"), asked("no, use tabs"), answered(f"Tabs now.\n\nNext: {STEP}")]
    lived(repo, SESSIONS[0], *rows)
    began = [begin(repo, SESSIONS[1]), said(run("user_prompt_submit", repo, session=SESSIONS[1], prompt="continue"))]
    state = Session(project, SESSIONS[1], os.environ).state
    assert run("pre_compact", repo, session=SESSIONS[1], trigger="manual").returncode == 0
    buffer = Path(project.buffer).read_text()
    note = Path(project.continuation).read_text()
    assert state["task"] == TASK
    for text in (began[0][0], buffer, note):
        assert TASK in text
        assert STEP in text


@pytest.mark.parametrize("chore", ["commit this", "thanks"])
def test_a_task_stays_done_after_a_chore(project, repo, chore):
    rows = [started(), asked(TASK), edited(repo, "1\n"), answered("It reads empty files.")]
    after = [asked(chore), committed(repo, "Mend the parser"), answered("Committed.")]
    lived(repo, SESSIONS[0], *rows, *after)
    assert "# Continue" not in begin(repo, SESSIONS[1])[0]


def test_a_continuation_stays_used_where_another_session_worked_meanwhile(project, repo):
    one, two, three, four = SESSIONS[:4]
    lived(repo, one, started(), asked(TASK), edited(repo, "1\n"), answered(f"It reads.\n\nNext: {STEP}"))
    assert "# Continue" in begin(repo, two)[0]
    lived(repo, three, started(), asked(f"Please {STEP}"), committed(repo, "Split the lexer"), answered("Split."))
    ended(project, repo, two)
    assert "# Continue" not in begin(repo, four)[0]


def test_after_a_compaction_a_session_that_ends_leaves_its_work_again(project, repo):
    lived(
        repo, SESSIONS[0], started(), asked(TASK), edited(repo, "1\n"), answered(f"It reads.\n\nNext: {STEP}"),
        ("pre_compact", {"trigger": "auto"}), started("compact"),
    )  # fmt: skip
    told, _ = begin(repo, SESSIONS[1])
    assert STEP in told.split("## Immediate Next Action")[1]


def test_a_wrap_up_outranks_the_continuation_written_seconds_before(project, repo):
    one, two = SESSIONS[:2]
    said(run("session_start", repo, session=one, source="startup"))
    said(run("user_prompt_submit", repo, session=one, prompt=TASK))
    assert run("pre_compact", repo, session=one, trigger="manual").returncode == 0
    assert "Finish the last request" in Path(project.continuation).read_text()
    saving.save_wrapup(Session(project, one, os.environ), parsed(DOCUMENT))
    ended(project, repo, one)
    told, person = begin(repo, two)
    assert "add the TTL in file.txt:1" in told
    assert "Finish the last request" not in told + person
    assert "Next: add the TTL in file.txt:1" in person


def test_a_greeting_in_a_new_session_loses_nothing(project, repo):
    one, two, three = SESSIONS[:3]
    lived(repo, one, started(), asked(TASK), edited(repo, "1\n"), answered(f"It reads.\n\nNext: {STEP}"))
    lived(repo, two, started(), asked("hello"), answered("Hello! How can I help you today?"))
    told, _ = begin(repo, three)
    assert f"# Continue: {TASK}" in told
    assert STEP in told.split("## Immediate Next Action")[1]
