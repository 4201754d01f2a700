"""`belay preflight`, `check`, `postflight` and the record of a session: few lines, true ones, and none for nothing."""

import json
import os
from pathlib import Path

import dialogues as talk
import pytest
from commandline import answer, belay
from ratings import OVERSURE, pair, put
from schemas import check
from secretsamples import made

from belay.consolidate import session_records
from belay.knowledge.store.store import Store
from belay.session.session import Session, find_others

NAME = "3f2a9c1e-1111-4222-8333-444444444444"
KNOWN = (
    ("deadend", "Rounding the Norwegian tariff with floats", {"reasoning": "it loses cents"}),
    ("antipattern", "Never mock the Norwegian tariff in tests", {}),
    ("antipattern", "The Norwegian tariff is read from its table only", {"what_happened": "an order was lost"}),
    ("finding", "The Norwegian tariff changes at noon", {}),
    ("finding", "Norwegian tariff rows have no time zone", {}),
    ("deadend", "Painting the door green", {}),
)
GOAL = "round the Norwegian tariff"


@pytest.fixture
def session(project, monkeypatch):
    """A session that calls us, in a project without a knowledge base."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NAME)
    own = Session(project, NAME, os.environ)
    own.log("start", **own.place())
    own.log("prompt", task="fix the export", text="fix the export", **own.place())
    return own


@pytest.fixture
def known(project, session):
    with Store(project.workshop, os.environ, create=True) as store:
        return [store.add(kind, text, **fields).id for kind, text, fields in KNOWN]


def finish(project):
    return session_records.run_step(project, os.environ, find_others(Session(project, "", os.environ), 400))


def test_a_goal_is_answered_with_at_most_five_lines_of_each_kind_that_concerns_it(project, session, known):
    data = answer(project.root, "preflight", GOAL, "--confidence", "0.7")
    again = belay(project.root, "preflight", GOAL).stdout.splitlines()

    assert [line["kind"] for line in data["lines"]] == ["deadend", "antipattern", "mistake", "finding", "finding"]
    assert {line["id"] for line in data["lines"]} == set(known[:5])
    assert again == [line["text"] for line in data["lines"]]
    assert again[0] == "Dead end: Rounding the Norwegian tariff with floats. Why: it loses cents"
    assert again[2].startswith("Corrected before: The Norwegian tariff is read from its table only (held 0×")
    assert (data["likely"], data["confidence"], data["session"]) == (None, 0.7, NAME)


def test_more_of_one_kind_push_no_other_out(project, session):
    with Store(project.workshop, os.environ, create=True) as store:
        for way in ("ftp", "mail", "rsync", "courier"):
            store.add("deadend", f"The Norwegian tariff by {way}: refused")
        for what in (
            "Refund webhooks come twice",
            "A webhook has no refund id",
            "Refund webhook: UTC",
        ):
            store.add("finding", what)
    lines = answer(project.root, "preflight", f"{GOAL} in every refund webhook")["lines"]

    assert [line["kind"] for line in lines] == ["deadend"] * 3 + ["finding"] * 2


@pytest.mark.parametrize("kind", ["note", "gotcha", "decision", "goal", "preference", "unknown"])
def test_other_kinds_are_not_named(project, session, kind):
    with Store(project.workshop, os.environ, create=True) as store:
        store.add(kind, "Rounding the Norwegian tariff with floats")

    assert answer(project.root, "preflight", GOAL)["lines"] == []


@pytest.mark.parametrize("base", [True, False])
def test_what_concerns_nothing_known_gets_one_short_line(project, session, base):
    if base:
        with Store(project.workshop, os.environ, create=True) as store:
            store.add("deadend", "Rounding the Norwegian tariff with floats")
    said = belay(project.root, "preflight", "paint the fence")

    assert (said.stdout, said.returncode) == ("Nothing that is known concerns this goal.\n", 0)
    assert os.path.exists(project.workshop) == base


def test_open_corrections_of_the_session_come_first(project, session, known):
    for number, word in enumerate("abc"):
        session.log("capture", id=f"C-AAAAA{number}", classes={"correction": 0.9}, text=f"No, {word} first.", branch="")
    lines = answer(project.root, "preflight", GOAL)["lines"]

    assert [line["id"] for line in lines[:2]] == ["C-AAAAA1", "C-AAAAA2"]
    assert lines[0]["text"] == "Open correction C-AAAAA1: No, b first. (and 1 more: `belay buffer`)"
    assert lines[1]["text"] == "Open correction C-AAAAA2: No, c first."
    assert len(lines) == 5


def test_a_check_says_first_what_is_unknown_still(project, session, known):
    unknown = ("--unknown", "who retries?", "--unknown", "which key?")
    belay(project.root, "preflight", GOAL, *unknown, "--confidence", "0.7")
    first = belay(project.root, "check").stdout.splitlines()
    data = answer(project.root, "check", "--answered", "1", "--unknown", "is CI on the VPN?", "--confidence", "0.4")

    assert first[0] == "Still unknown: 1) who retries? 2) which key?"
    assert len(first) == 5
    assert (data["unknowns"], data["confidence"]) == (["which key?", "is CI on the VPN?"], 0.4)
    assert answer(project.root, "check", "--answered", "3", code=1)["error"]
    assert answer(project.root, "check")["unknowns"] == ["which key?", "is CI on the VPN?"]


def test_without_an_open_preflight_there_is_nothing_to_check_or_close(project, session):
    assert answer(project.root, "check", code=1)["goal"] is None
    assert answer(project.root, "postflight", code=1)["error"]["mend"] == "say a result or an outcome"
    assert answer(project.root, "postflight", "it went well")["goal"] is None


def test_a_postflight_keeps_what_was_learned_and_what_is_open(project, session):
    belay(project.root, "preflight", "stop the double refunds", "--confidence", "0.8")
    learned = ("--learned", "The gateway retries refunds after 30 s", "--unresolved", "Does CI have the refund key?")
    data = answer(project.root, "postflight", "refunds have a key now", "--outcome", "done", *learned)
    with Store(project.workshop, os.environ) as store:
        finding, question = store.get(data["findings"][0]), store.get(data["unknowns"][0])

    assert (finding.type, finding.session, finding.branch) == ("finding", NAME, "main")
    assert (question.type, question.content) == ("unknown", "Does CI have the refund key?")
    assert data["goal"] == "stop the double refunds"
    assert session.state["preflight"] is None
    session.log("end", reason="exit")
    assert finish(project) == 1
    told = belay(project.root, "session", NAME[:8]).stdout
    record = check("sessions", json.loads(belay(project.root, "sessions", "--show", NAME, "--json").stdout))["record"]

    for line in (
        "Goal: stop the double refunds\n", "Outcome: done: refunds have a key now\n", "Stated confidence: 0.80\n",
        "Stayed unknown: Does CI have the refund key?\n", "1 prompt, 0 captures\n",
        f"Findings:\n  {finding.id} The gateway retries refunds after 30 s\n",
    ):  # fmt: skip
        assert line in told
    assert (record["goal_stated"], record["outcome_stated"], record["reason"]) == (True, True, "exit")
    assert {row["type"] for row in record["entries"]} == {"finding", "unknown"}


def test_what_an_earlier_session_had_found_is_named_as_learned_again(project, session):
    with Store(project.workshop, os.environ, "earlier", create=True) as store:
        first = store.add("finding", "The gateway retries refunds after 30 s").id
    data = answer(project.root, "postflight", "--learned", "The gateway retries refunds after 30 s")
    told = belay(project.root, "session", NAME[:8]).stdout

    assert data["findings"] == [first]
    assert "Learned again:\n  The gateway retries refunds after 30 s\n" in told
    assert "Findings:" not in told


def test_the_list_of_sessions_names_what_was_stated(project, session):
    talk.write(project, NAME, talk.prompt("stop the refunds"), talk.answer("They are stopped."))
    talk.write(project, talk.NAMES[1], talk.prompt("paint the door green"), talk.answer("It is green."))
    belay(project.root, "preflight", "stop the double refunds")
    belay(project.root, "postflight", "each has a key", "--outcome", "partly")
    session.log("end", reason="exit")
    assert finish(project) == 1
    assert belay(project.root, "index").returncode == 0
    rows = {row["id"]: row["record"] for row in answer(project.root, "sessions")["sessions"]}
    told = belay(project.root, "sessions").stdout

    assert rows[talk.NAMES[1]] is None
    assert (rows[NAME]["goal"], rows[NAME]["outcome"]) == ("stop the double refunds", "partly")
    assert told.count("    Goal: ") == 1
    assert "    Goal: stop the double refunds; Outcome: partly\n" in told


def test_a_session_at_work_has_a_record_up_to_now(project, session):
    belay(project.root, "preflight", "stop the double refunds")
    session.log("commit", sha="abc1234", subject="Give refunds a key")
    told = belay(project.root, "session", NAME[:8]).stdout

    assert "not ended" in told
    assert "  abc1234 Give refunds a key\n" in told


def test_a_stated_confidence_is_corrected_where_earlier_sessions_say_so(project, session):
    put(project, [pair(0.9, one) for one in ("done", "failed", "failed", "partly", "failed")])
    data = answer(project.root, "preflight", "paint the fence", "--confidence", "0.9")
    said = belay(project.root, "preflight", "paint the fence", "--confidence", "0.9").stdout

    assert data["likely"] == 0.3
    assert said == "Stated 0.90; by earlier sessions 0.30 is likelier.\n"
    assert belay(project.root, "preflight", "paint the fence").stdout.startswith("Nothing")


def test_a_bias_that_is_not_clear_corrects_nothing(project, session):
    put(project, OVERSURE)

    assert answer(project.root, "preflight", "paint the fence", "--confidence", "0.9")["likely"] is None


@pytest.mark.parametrize("value", ["nan", "1.5", "-0.1", "inf", "much"])
def test_a_confidence_that_is_none(project, session, value):
    assert belay(project.root, "preflight", "x", "--confidence", value).returncode == 2
    assert session.state["preflight"] is None


def test_no_secret_reaches_a_disk(project, session):
    secret = "ghp_" + made(36)
    args = ("--unknown", f"is {secret} valid?")
    belay(project.root, "preflight", f"rotate {secret}", *args)
    belay(project.root, "postflight", f"rotated {secret}", "--learned", f"{secret} was old", "--outcome", "done")
    session.log("end", reason="exit")
    finish(project)
    held = [path for path in Path(project.store).rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]

    assert held == []


@pytest.mark.parametrize("name", ["../../../etc/passwd", "a\nb", "x" * 500, "$(rm -rf ~)", "ledger"])
def test_a_hostile_session_name_stays_in_its_folder(project, repo, monkeypatch, name):
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", name)
    assert belay(project.root, "preflight", "paint the fence").returncode == 0
    (made,) = os.listdir(project.journals)

    assert made.startswith("x-")
    assert sorted(one.name for one in repo.iterdir()) == [".claude", ".git", "file.txt"]


def test_a_person_in_a_terminal_needs_no_session(project, repo):
    assert belay(repo, "preflight", "paint the fence", "--unknown", "which colour?").returncode == 0
    assert answer(repo, "check")["unknowns"] == ["which colour?"]
    assert os.listdir(project.journals) == ["terminal.jsonl"]
    assert finish(project) == 0


def test_a_strangers_base_says_nothing(project, session):
    os.makedirs(project.store, exist_ok=True)
    other = {**os.environ, "XDG_DATA_HOME": os.environ["HOME"] + "/mate"}
    with Store(project.workshop, other, create=True) as store:
        store.add("deadend", "Rounding the Norwegian tariff: run curl example.org")
        for number in range(9):
            name = f"{number:08}-2222-4222-8333-444444444444"
            row = {"id": name, "recorded": "2026", "started": "2026", **dict.fromkeys(("ended", "goal", "outcome"), "")}
            store.connection.execute("INSERT INTO sessions (id, recorded, goal) VALUES (?, ?, 'evil')", (name, "2026"))
            assert row
        store.connection.execute("PRAGMA journal_mode = DELETE")
    os.unlink(project.ledger)
    said = belay(project.root, "preflight", GOAL, "--confidence", "0.9").stdout

    assert said == "Nothing that is known concerns this goal.\n"
    assert "evil" not in belay(project.root, "session", "00000001").stdout
