"""Past sessions in the client's own folder: what they hold is told, taken once, and nobody else's noise comes with it."""

import json
import os

import pytest
import transcripts as lines

from belay.client import conversation, transcript_folders
from belay.core import paths
from belay.knowledge.entries import entries
from belay.knowledge.exchange import transcripts
from belay.knowledge.store import ledger
from belay.knowledge.store.store import Store

ASKED = "Please remember that the staging database is reset every Monday."
RULE = "From now on always run the linter before you commit."
FENCED = "<belay>\nRecorded C-ABCDEF (decision): use Redis\n</belay>"


def said(text, time="2026-03-01T10:00:00.500Z", **fields):
    common = {"gitBranch": "feature/login", "sessionId": "s", "uuid": "u"}
    return lines.entry("user", message={"role": "user", "content": text}, time=time, **common, **fields)


@pytest.fixture
def client(project, home):
    """The client's own folder of the project."""
    folder = home / ".claude" / "projects" / os.path.basename(paths.client_project(os.environ, project.home))
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def told(project, client):
    """Write a session's transcript, which says where it worked."""

    def write(name, *rows, where=None, end="\n"):
        path = client / f"{name}.jsonl"
        lines.write(path, [{"type": "mode", "cwd": where or project.root}, *rows], end)
        return path

    return write


def look(project):
    return transcripts.read_new(project, os.environ, project.ledger)


def taken(project):
    with Store(project.workshop, os.environ, create=True) as store:
        transcripts.save_sessions(store, look(project))
        return entries.list_entries(store.connection, limit=-1)


def test_what_was_asked_answered_and_rejected_becomes_entries(project, told):
    answers = {"questions": [{"question": "Which database?"}], "answers": {"Which database?": "SQLite"}}
    refused = (
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
        "No, never touch the generated files by hand."
    )
    block = {"type": "tool_result", "tool_use_id": "t2", "content": refused, "is_error": True}
    told("one", said(ASKED), lines.result("t1", answers, gitBranch="main"), said([block]))
    rows = {(row.type, row.content, row.source, row.session) for row in taken(project)}
    assert rows == {
        ("note", "The staging database is reset every Monday.", "imported", "one"),
        ("decision", "Which database? → SQLite", "imported", "one"),
        ("antipattern", "Never touch the generated files by hand.", "imported", "one"),
    }
    with Store(project.workshop, os.environ) as store:
        (asked,) = entries.list_entries(store.connection, ["note"])
    assert (asked.branch, asked.created) == ("feature/login", "2026-03-01T10:00:00.500000Z")


def test_what_one_session_says_waits_until_another_says_it(project, told):
    told("one", said(RULE), said("please fix the failing test"))
    found = look(project)
    assert (found.new, found.turns, found.chosen, found.waiting) == (1, 2, [], 1)
    assert taken(project) == []
    told("two", said(RULE.replace("you commit", "you commit"), time="2026-03-02T10:00:00.500Z"))
    (row,) = taken(project)
    assert (row.type, row.seen, row.session, row.created[:10]) == ("preference", 2, "two", "2026-03-02")
    assert look(project).new == 0


def test_what_says_nothing_is_no_entry_however_many_sessions_say_it(project, told):
    for number, name in enumerate(("one", "two", "three")):
        told(name, said("Let's do it.", time=f"2026-03-0{number + 1}T10:00:00.500Z"))
    found = look(project)
    assert (found.turns, found.chosen) == (3, [])


def test_only_what_an_import_added_is_reported(project, told):
    told("one", said(ASKED))
    with Store(project.workshop, os.environ, create=True) as store:
        ledger.append(store.ledger, os.environ, "entry", id="K-ABCDEF", type="note", content="Of another process")
        assert transcripts.save_sessions(store, look(project)) == 1
        assert len(entries.list_entries(store.connection, limit=-1)) == 2


def test_nothing_is_read_twice_and_what_came_since_is(project, told):
    path = told("one", said(ASKED))
    assert len(taken(project)) == 1
    again = look(project)
    assert (again.sessions, again.new, again.chosen) == (1, 0, [])
    with open(path, "a") as file:
        file.write(json.dumps(said("Remember that the VPN is needed for deploys.", time="2026-03-03T10:00:00Z")) + "\n")
    found = look(project)
    assert [one.text for one, _, _ in found.chosen] == ["Remember that the VPN is needed for deploys."]
    assert [row.seen for row in taken(project)] == [1, 1]


def test_a_torn_end_is_read_once_and_again_when_it_is_whole(project, told):
    path = told("one", said(ASKED), end="")
    assert look(project).new == 1
    assert taken(project) == []
    assert look(project).new == 0
    with open(path, "a") as file:
        file.write("\n")
    assert (look(project).new, len(taken(project)), look(project).new) == (1, 1, 0)


def test_a_transcript_that_was_written_anew_gives_only_what_is_newer(project, told):
    told("one", *[said("please look at this file") for _ in range(20)], said(ASKED))
    taken(project)
    told("one", said(ASKED), said("Remember that the VPN is needed.", time="2026-03-04T10:00:00Z"))
    assert [one.text for one, _, _ in look(project).chosen] == ["Remember that the VPN is needed."]


def test_a_session_of_belays_own_journal_is_left_to_it(project, told):
    told("one", said(ASKED))
    os.makedirs(project.journals)
    with open(project.journal("one"), "w") as file:
        file.write("")
    found = look(project)
    assert (found.sessions, found.own, found.new, found.chosen) == (1, 1, 0, [])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (said(ASKED, isMeta=True), "the client's own"),
        (said(ASKED, isCompactSummary=True), "compaction summaries"),
        (said(ASKED, origin={"kind": "task-notification"}), "the client's own"),
        (said(ASKED, sidechain=True), "subagents"),
        (said(f"<system-reminder>{ASKED}</system-reminder>"), "system reminder"),
        (said("<command-name>/remember</command-name>"), "slash command"),
        (said(f"{FENCED}\n{ASKED}"), "own injection"),
        (said(f"look: {FENCED} {ASKED}"), "Belay's own"),
        (said(f"{ASKED} {'word ' * 500}"), "pastes"),
        (said(f"```\n{ASKED}\n```"), "no prose"),
    ],
)
def test_noise_is_counted_and_left_out(project, told, row, reason):
    told("one", row)
    found = look(project)
    assert (found.turns, found.chosen, dict(found.left_out)) == (0, [], {reason: 1})


def test_pasted_logs_and_code_leave_what_was_said_around_them(project, told):
    log = "\n".join(
        ["Traceback (most recent call last):", '  File "a.py", line 1', "ValueError: we decided to use Redis"]
    )
    told("one", said(f"{log}\n```\nremember that x = 1\n```\n{ASKED}"))
    assert [one.text for one, _, _ in look(project).chosen] == [ASKED]


def test_huge_torn_and_strange_lines_cost_only_themselves(project, told):
    huge = json.dumps(said("x" * 9_000_000)).encode()
    strange = [
        b"{",
        b"[1]",
        b'{"type":"user"}',
        b'{"type":"user","message":{"content":[7,{"type":"text"}]}}',
        b"\xff\xfe",
    ]
    told("one", huge, *strange, said(ASKED), b'{"type":"user","message":{"content":"torn', end="")
    found = look(project)
    assert ([one.text for one, _, _ in found.chosen], found.left_out["huge lines"]) == ([ASKED], 1)


def test_a_torn_end_is_read_when_it_is_whole(project, told):
    whole = json.dumps(said(ASKED)).encode()
    path = told("one", said("please go on", time="2026-03-01T09:00:00Z"), whole[:40], end="")
    assert taken(project) == []
    with open(path, "ab") as file:
        file.write(whole[40:] + b"\n")
    assert len(taken(project)) == 1


def test_secrets_are_taken_out(project, told):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    told("one", said(f"Remember that the deploy token is {secret}"))
    (row,) = taken(project)
    assert secret not in row.content
    with open(project.ledger) as file:
        assert secret not in file.read()


def test_a_folder_that_two_projects_share_gives_only_ours(project, told, home):
    told("mine", said(ASKED))
    told("theirs", said("Remember that theirs is another."), where=project.root.replace("repo", "re-po"))
    assert [one.name for one in transcript_folders.find_transcripts(project, os.environ)] == ["mine"]


def test_sessions_of_worktrees_and_inner_folders_belong_to_the_project(project, repo, told, home):
    from repos import git

    git(repo, "worktree", "add", "-q", "-b", "side", str(repo.parent / "side"))
    top = home / ".claude" / "projects"
    for place in (repo.parent / "side", repo / "lib" / "web"):
        slug = paths.client_project(os.environ, str(place))
        os.makedirs(slug)
        lines.write(top / os.path.basename(slug) / "x.jsonl", [{"type": "mode", "cwd": str(place)}, said(ASKED)])
    assert len(transcript_folders.find_transcripts(project, os.environ)) == 2


def test_no_folder_of_the_client_is_no_session(project):
    assert look(project)[:2] == (0, 0)


def test_a_scan_ends_behind_the_last_whole_line(tmp_path):
    path = tmp_path / "t.jsonl"
    lines.write(path, [said(ASKED)], end="\n{torn")
    assert conversation.scan_transcript(str(path)).end == path.stat().st_size - len("{torn")


def test_a_branch_is_redacted_and_bounded_as_any_other_text(project, told):
    secret = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"
    told(
        "a",
        {**said(ASKED), "gitBranch": secret + "/x" * 5000},
        {**said(RULE, time="2026-03-01T11:00:00Z"), "gitBranch": secret},
    )
    taken(project)
    with open(project.ledger, encoding="utf-8") as file:
        text = file.read()
    assert secret not in text
    assert "/x" * 200 not in text
