"""belay workspace entities, contacts and learnings, and whom a handoff names."""

import os

import doors
import pytest
import repos
import sessions
from commandline import answer, belay

from belay.consolidate import session as consolidator
from belay.memory import promotion
from belay.repository import projects


def work_in(folder):
    """One session from start to end."""
    project = projects.find(str(folder), os.environ)
    session = sessions.start(project)
    session.log("end", reason="other")
    session.save()
    consolidator.run(project, os.environ, ending=True)


@pytest.fixture
def shop(tmp_path):
    folder = tmp_path / "shop"
    repos.repository(folder)
    (folder / "compose.yaml").write_text("services:\n  db:\n    image: postgres\n")
    (folder / "CODEOWNERS").write_text("docs/ @ana bo@example.org\n")
    repos.git(folder, "add", "-A")
    repos.git(
        folder, "-c", "user.name=Ana Li", "-c", "user.email=ana@example.org", "commit", "-q", "-m", "Add services"
    )
    work_in(folder)
    return folder


def test_the_end_of_a_session_reads_what_its_project_declares(shop):
    (found,) = answer(shop, "workspace", "entities")["entities"]
    (tie,) = found["projects"]
    assert (found["kind"], found["name"], tie["project"], tie["evidence"]) == (
        "service",
        "db",
        "shop",
        "compose.yaml:2",
    )
    assert belay(shop, "workspace", "entities").stdout.split() == "service db shop declares it (compose.yaml:2)".split()
    assert answer(shop, "workspace", "entities", "--kind", "api")["entities"] == []


def test_an_entity_that_no_file_declares_is_noted_and_taken_back(shop):
    assert answer(shop, "workspace", "entity", "api", "Orders", "--as", "v2 of it")["kept"]
    assert "you said: v2 of it" in belay(shop, "workspace", "entities", "-p", "shop").stdout
    assert not answer(shop, "workspace", "entity", "api", "Orders", "--remove")["kept"]
    done = belay(shop, "workspace", "entity", "service", "db", "--remove")
    assert (done.returncode, "is no service that you noted" in done.stderr) == (1, True)


def test_a_contact_is_remembered_for_the_handoff_and_in_no_memory_file(shop):
    told = answer(shop, "remember", "--as", "contact", "Ana Li: payments, ana@pay.example.org")
    assert told == {"contact": "Ana Li: payments, ana@pay.example.org", "kept": True}
    assert (
        "That was known" in belay(shop, "remember", "--as", "contact", "Ana Li: payments, ana@pay.example.org").stdout
    )
    rows = answer(shop, "workspace", "contacts")["contacts"]
    assert (rows[0]["name"], rows[0]["origin"]) == ("Ana Li: payments, ana@pay.example.org", "hand")
    assert ("@ana", "codeowners") in [(row["name"], row["origin"]) for row in rows]
    assert "bo@example.org" not in str(rows)
    assert repos.git(shop, "status", "--porcelain") == ""
    text = belay(shop, "handoff", "--dry-run").stdout
    who = text[text.index("## Who to Ask") :]
    assert who.splitlines()[1] == "- Ana Li: payments, ana@pay.example.org"
    assert not answer(shop, "workspace", "contact", "Ana Li", "--remove")["kept"]
    assert "ana@pay.example.org" not in belay(shop, "handoff", "--dry-run").stdout


def test_a_handoff_of_another_project_does_not_name_them(shop, tmp_path):
    repos.repository(tmp_path / "other")
    answer(shop, "workspace", "contact", "Zebulon", "for", "payments")
    assert "Zebulon" in belay(shop, "handoff", "--dry-run").stdout
    assert "Zebulon" not in belay(tmp_path / "other", "handoff", "--dry-run").stdout


def test_a_contact_takes_no_secret_and_no_project_that_is_kept_off_the_list(shop, tmp_path):
    done = belay(shop, "remember", "--as", "contact", "Ana, password=hunter2x9")
    assert (done.returncode, "holds a secret" in done.stderr) == (1, True)
    private = tmp_path / "private"
    repos.repository(private)
    (private / ".claude").mkdir()
    (private / ".claude" / "belay.yaml").write_text("workspace: false\n")
    assert belay(private, "trust", ".claude/belay.yaml").returncode == 0
    work_in(private)
    done = belay(private, "remember", "--as", "contact", "Ana")
    assert (done.returncode, "is kept off the list of projects" in done.stderr) == (1, True)
    assert "private" not in str(answer(shop, "workspace", "list"))


def test_what_all_projects_share_is_shown_with_its_line(shop):
    assert "Nothing was promoted yet" in belay(shop, "workspace", "learnings").stdout
    promotion.save_learnings(os.environ, ["Use UTC everywhere"])
    (row,) = answer(shop, "workspace", "learnings")["learnings"]
    assert (row["text"], row["homes"], row["line"] > 0) == ("Use UTC everywhere", [], True)


def test_no_entity_and_no_contact_is_one_line(repo):
    assert (
        belay(repo, "workspace", "entities").stdout == "No entity is known: the end of a session reads its project.\n"
    )
    assert "remember --as contact" in belay(repo, "workspace", "contacts").stdout


def test_nothing_of_another_project_reaches_a_start(shop, tmp_path):
    """What the workspace knows of one project is in no other one's context."""
    answer(shop, "workspace", "contact", "Zebulon", "for", "payments")
    answer(shop, "workspace", "entity", "service", "zebulonservice")
    other = tmp_path / "other"
    repos.repository(other)
    for event, fields in (("session_start", {"source": "startup"}), ("user_prompt_submit", {"prompt": "whom to ask"})):
        assert "ebulon" not in "".join(doors.said(doors.run(event, other, **fields)))
