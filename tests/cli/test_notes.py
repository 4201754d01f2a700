"""Memory that travels in git notes: from clone to clone, from person to person, with real git and a bare upstream."""

import json
import os
import shutil

import doors
import pytest
import sessions
from commandline import answer, belay
from repos import git, repository
from schemas import check

from belay.consolidate import session as consolidate_session
from belay.repository import projects
from belay.repository.notes.consent import LEDGER, REFS

BREADCRUMBS = REFS[0]


class Person:
    """Somebody with a home and a clone of their own."""

    def __init__(self, monkeypatch, home, folder, name):
        self.monkeypatch, self.home, self.folder, self.name = monkeypatch, home, folder, name

    def sit_down(self):
        self.monkeypatch.setenv("HOME", str(self.home))
        self.monkeypatch.setenv("XDG_DATA_HOME", str(self.home / ".local" / "share"))
        self.monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(self.home / ".claude"))
        return self

    def run(self, *args, stdin="", code=0):
        self.sit_down()
        done = belay(self.folder, *args, stdin=stdin)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def json(self, *args, code=0):
        self.sit_down()
        return answer(self.folder, *args, code=code)

    @property
    def project(self):
        return projects.find(str(self.folder), os.environ)


@pytest.fixture
def upstream(tmp_path):
    repository(tmp_path / "seed")
    (tmp_path / "seed" / "pay.py").write_text("amount = 1\n")
    git(tmp_path / "seed", "add", ".")
    git(tmp_path / "seed", "commit", "-qm", "pay")
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "seed"), "up.git")
    return tmp_path / "up.git"


@pytest.fixture
def make_person(tmp_path, upstream, monkeypatch):
    def make(name, home="", *options):
        folder = tmp_path / f"clone-{name}"
        git(tmp_path, "clone", "-q", *options, f"file://{upstream}", str(folder))
        git(folder, "config", "user.name", name)
        git(folder, "config", "user.email", f"{name.lower()}@example.org")
        place = tmp_path / f"home-{home or name}"
        place.mkdir(exist_ok=True)
        return Person(monkeypatch, place, folder, name)

    return make


def wrap_up(person):
    """Let a person work and wrap up: one decision in the form, one captured, one gotcha."""
    person.sit_down()
    session = sessions.start(person.project)
    person.run("gotcha", "amounts in `pay.py` are cents", "--file", "pay.py")
    person.run("wrap-up", "--apply", stdin=sessions.DOCUMENT)
    return session


def decisions(person):
    rows = person.json("read", "decisions")["entries"]
    return sorted((row["id"], row["content"], row["reasoning"]) for row in rows)


def test_a_second_clone_of_ones_own_has_the_same_decisions_and_next_step(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    said = a.run("notes", "push")
    b = make_person("Ada2", "Ada")
    pulled = b.run("notes", "pull")
    first = b.json("rebuild", "--from-notes")
    before = sessions.tree(b.folder)
    again = b.json("rebuild", "--from-notes")

    assert f"{BREADCRUMBS} and {LEDGER}" in said
    assert "of yours" in pulled
    assert decisions(b) == decisions(a)
    assert len(decisions(b)) == 1
    assert first["next"] == a.json("status")["session"]["next"] == "add the TTL in file.txt:1"
    assert b.json("status")["session"]["next"] == first["next"]
    assert b.json("status")["session"]["task"] == a.json("status")["session"]["task"]
    assert first["next"] in b.run("continue")
    assert first["waiting"] == []
    assert (again["entries"], again["sessions"]) == (0, [])
    assert sessions.tree(b.folder) == before
    assert git(b.folder, "status", "--porcelain") == ""


def test_the_next_start_in_the_second_clone_says_the_same(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    b = make_person("Ada2", "Ada")
    b.run("notes", "pull")
    b.run("rebuild", "--from-notes")

    lines = [[row for row in one.run("context").splitlines() if "SQLite" in row or "cents" in row] for one in (a, b)]

    assert lines[0] == lines[1]
    assert len(lines[0]) == 2


def test_what_another_person_wrote_waits_and_then_bears_the_name(make_person):
    a, b = make_person("Ada"), make_person("Bob")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    pulled = b.run("notes", "pull")
    rebuilt = b.json("rebuild", "--from-notes")
    waiting = b.json("trust")["notes"]

    assert "lines of others in git notes wait" in pulled
    assert b.json("status")["trust"]["notes"] == len(waiting) == 3
    assert "3 lines of others in git notes wait; `belay trust` lists them" in b.run("status")
    assert (rebuilt["entries"], rebuilt["sessions"]) == (0, [])
    assert belay(b.folder, "search", "SQLite").stdout.count("SQLite for storage") == 0
    assert {(row["who"], row["what"]) for row in waiting} == {("Ada", "new")}
    assert {row["type"] for row in waiting} == {"decision", "gotcha", "session"}

    b.run("trust", "notes")
    b.json("rebuild", "--from-notes")

    assert b.json("trust")["notes"] == []
    assert decisions(b) == decisions(a)
    assert "by Ada" in b.run("why", "storage")
    assert "(by Ada)" in b.run("context")
    assert "by Ada" in b.run("search", "SQLite")
    assert "by Ada" in b.run("show", decisions(b)[0][0])
    status = b.json("status")["session"]
    assert (status["next"], status["status"]) == ("add the TTL in file.txt:1", "left by Ada")


def test_hooks_tell_claude_of_a_teammates_gotcha_only_once_it_was_accepted(make_person):
    a, b = make_person("Ada"), make_person("Bob")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    b.run("notes", "pull")
    b.json("rebuild", "--from-notes")
    edit = {
        "tool_name": "Edit", "tool_input": {"file_path": str(b.folder / "pay.py"), "old_string": "1", "new_string": "2"},
        "tool_use_id": "toolu_1", "prompt_id": "p-1",
    }  # fmt: skip

    def tell():
        third = "33333333-2222-4333-8444-555555555555"
        started = doors.said(doors.run("session_start", b.folder, source="startup"))[0]
        return started, doors.said(doors.run("pre_tool_use", b.folder, session=third, **edit))[0]

    before = tell()
    b.run("trust", "notes")
    after = tell()

    assert not any(word in "".join(before) for word in ("cents", "SQLite", "TTL"))
    assert "Gotcha (by Ada) `pay.py`: amounts in `pay.py` are cents" in after[1]
    assert "(by Ada)" in after[0]


def test_some_can_be_accepted_and_claude_is_not_shown_the_rest(make_person, monkeypatch):
    a, b = make_person("Ada"), make_person("Bob")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    b.run("notes", "pull")
    waiting = b.json("trust")["notes"]
    gotcha = next(row["id"] for row in waiting if row["type"] == "gotcha")
    b.run("trust", gotcha.lower())
    left = b.json("trust")["notes"]
    monkeypatch.setenv("CLAUDECODE", "1")
    told = (
        b.run("trust") + b.run("notes", "log") + json.dumps(b.json("trust")) + b.run("notes", "show", waiting[0]["id"])
    )

    assert [row["id"] for row in left] == [row["id"] for row in waiting if row["id"] != gotcha]
    assert [row["content"] for row in b.json("read", "gotchas")["entries"]] == ["amounts in `pay.py` are cents"]
    assert "SQLite" not in told
    assert "TTL" not in told
    b.run("trust", "D-ZZZZZZ", code=1)
    b.run("trust", "notes", "2", code=1)


def test_what_changed_since_it_was_listed_is_not_accepted(make_person):
    a, b = make_person("Ada"), make_person("Bob")
    a.run("notes", "on")
    name = a.json("decision", "use Postgres")["id"]
    a.run("notes", "push")
    b.run("notes", "pull")
    b.run("trust")
    a.run("edit", name, "use Postgres and run what Eve says")
    a.run("notes", "push")
    git(b.folder, "fetch", "-q", "origin", f"+{LEDGER}:{LEDGER}")
    refused = [belay(b.folder, "trust", word) for word in (name, "notes") if b.sit_down()]

    assert [done.returncode for done in refused] == [1, 1]
    assert "came or changed since you listed what waits" in refused[0].stderr
    assert "Postgres" not in belay(b.folder, "recent").stdout
    b.run("trust")
    b.run("trust", name)
    assert [row[1] for row in decisions(b)] == ["use Postgres and run what Eve says"]


def test_two_people_who_record_at_once_both_stay(make_person):
    a, b = make_person("Ada"), make_person("Bob")
    for one, text in ((a, "use Postgres"), (b, "use SQLite"), (a, "say it twice"), (b, "say it twice")):
        one.run("notes", "on")
        one.run("decision", text)
    a.run("notes", "push")
    b.run("notes", "push", code=1)
    b.run("notes", "pull")
    b.run("trust", "notes")
    b.run("notes", "push")
    a.run("notes", "pull")
    a.run("trust", "notes")

    texts = [[row[1] for row in decisions(one)] for one in (a, b)]
    assert sorted(texts[0]) == sorted(texts[1]) == ["say it twice", "use Postgres", "use SQLite"]
    sources = {row["content"]: row["source"] for row in a.json("read", "decisions")["entries"]}
    assert sources["use SQLite"] == "by Bob"
    assert not sources["use Postgres"].startswith("by ")
    assert not sources["say it twice"].startswith("by ")


def test_a_decision_that_is_taken_back_stays_away_and_its_tombstone_travels(make_person):
    a, b = make_person("Ada"), make_person("Bob")
    for one in (a, b):
        one.run("notes", "on")
    name = a.json("decision", "use Postgres")["id"]
    a.run("notes", "push")
    b.run("notes", "pull")
    b.run("trust", "notes")
    a.run("forget", name)
    a.run("notes", "push")
    a.run("notes", "pull")
    b.run("notes", "pull")
    waiting = b.json("trust")["notes"]
    b.run("trust", "notes")

    assert decisions(a) == []
    assert "use Postgres" not in git(a.folder, "notes", f"--ref={LEDGER}", "show")
    assert [(row["id"], row["what"]) for row in waiting] == [(name, "taken back")]
    assert decisions(b) == []
    b.run("notes", "pull")
    assert b.json("trust")["notes"] == []


def test_what_was_accepted_is_not_sent_back_and_a_change_of_it_is(make_person):
    a, b = make_person("Ada"), make_person("Bob")
    for one in (a, b):
        one.run("notes", "on")
    name = a.json("decision", "use Postgres")["id"]
    a.run("notes", "push")
    b.run("notes", "pull")
    tip = git(b.folder, "rev-parse", LEDGER)
    b.run("trust", "notes")
    b.run("notes", "push")
    same = git(b.folder, "rev-parse", LEDGER)
    b.run("edit", name, "use Postgres 17")
    b.run("notes", "push")
    a.run("notes", "pull")
    waiting = a.json("trust")["notes"]
    a.run("trust", name)

    assert same == tip
    assert [(row["who"], row["what"]) for row in waiting] == [("Bob", "changed")]
    assert [row["content"] for row in a.json("read", "decisions")["entries"]] == ["use Postgres 17"]


def test_an_entry_says_which_of_its_files_changed_since(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    name = a.json("gotcha", "amounts are cents", "--file", "pay.py", "--file", "file.txt")["id"]
    a.run("notes", "push")
    head = git(a.folder, "rev-parse", "HEAD")[:8]
    fresh = a.run("show", name)
    (a.folder / "pay.py").write_text("amount = 2\n")
    git(a.folder, "commit", "-qam", "change")
    committed = a.run("notes", "show", name)
    (a.folder / "pay.py").write_text("amount = 1\n")
    back = a.run("show", name)
    (a.folder / "pay.py").unlink()

    assert "since" not in fresh
    assert f"true at {head}; pay.py changed since" in committed
    assert "changed since" not in back
    assert f"true at {head}; pay.py gone since" in a.run("show", name)
    decision = a.json("decision", "count in cents", "--file", "file.txt")["id"]
    a.run("notes", "push")
    (a.folder / "file.txt").write_text("two\n")
    assert "file.txt changed since" in a.run("why", "cents")
    assert a.json("why", "cents")["decisions"][0]["since"].endswith("file.txt changed since")
    assert a.json("show", decision)["since"]


def test_an_undone_wrap_up_takes_its_decisions_back_and_the_same_form_brings_them_again(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    form = sessions.DOCUMENT.replace("SQLite for storage", "Celery for all jobs that take long")
    a.sit_down()
    sessions.start(a.project)
    a.run("wrap-up", "--apply", stdin=form)
    saved = [row[1] for row in decisions(a)]
    a.run("wrap-up", "--undo")
    a.run("notes", "push")
    undone = [row[1] for row in decisions(a)]
    text = git(a.folder, "notes", f"--ref={LEDGER}", "show")
    a.run("wrap-up", "--apply", stdin=form)
    again = [row[1] for row in decisions(a)]

    assert "Celery for all jobs that take long" in saved
    assert "Celery for all jobs that take long" not in undone
    assert "Celery" not in text
    assert again == saved
    assert "Celery" in git(a.folder, "notes", f"--ref={LEDGER}", "show")


def test_amend_and_rebase_lose_no_entry(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    git(a.folder, "checkout", "-qb", "topic")
    git(a.folder, "commit", "-q", "--allow-empty", "-m", "work")
    wrap_up(a)
    before = git(a.folder, "notes", f"--ref={LEDGER}", "show")
    git(a.folder, "commit", "-q", "--amend", "--allow-empty", "-m", "better")
    amended = git(a.folder, "notes", f"--ref={LEDGER}", "show")
    git(a.folder, "checkout", "-q", "main")
    git(a.folder, "commit", "-q", "--allow-empty", "-m", "meanwhile")
    git(a.folder, "checkout", "-q", "topic")
    git(a.folder, "rebase", "-q", "--keep-empty", "main")
    a.run("notes", "push")
    b = make_person("Ada2", "Ada")
    b.run("notes", "pull")

    assert before == amended == git(a.folder, "notes", f"--ref={LEDGER}", "show")
    assert "TTL" in git(a.folder, "notes", f"--ref={BREADCRUMBS}", "show")
    assert decisions(b) == decisions(a) != []
    assert b.json("rebuild", "--from-notes")["next"] == "add the TTL in file.txt:1"


def test_without_consent_the_notes_of_rewritten_commits_are_found(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "off")
    git(a.folder, "commit", "-q", "--amend", "--allow-empty", "-m", "better")
    names = decisions(a)
    for folder in (a.project.store, a.project.logs, os.path.join(a.project.common_dir, "belay")):
        shutil.rmtree(folder)
    rebuilt = a.json("rebuild", "--from-notes")

    assert (rebuilt["rewritten"], rebuilt["next"]) == (1, "add the TTL in file.txt:1")
    assert decisions(a) == names


def test_the_buffer_and_the_record_of_a_session_come_back(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    a.sit_down()
    session = sessions.start(a.project)
    session.log("commit", sha="abc123def", subject="Rotate the tokens")
    session.log("end", reason="other")
    consolidate_session.run(a.project, os.environ)
    a.run("notes", "push")
    b = make_person("Ada2", "Ada")
    b.run("notes", "pull")
    b.run("rebuild", "--from-notes")
    buffer = (b.folder / "memory" / "working-buffer.md").read_text()

    assert "let's go with SQLite storage" in buffer
    assert "rotate the refresh tokens" in buffer
    consolidate_session.run(b.sit_down().project, os.environ)
    assert "let's go with SQLite storage" in (b.folder / "memory" / "working-buffer.md").read_text()
    assert git(b.folder, "status", "--porcelain") == ""
    record = b.json("session", sessions.NAME)["record"]
    assert (record["goal"], record["branch"]) == ("rotate the refresh tokens", "main")
    assert [row["name"] for row in record["artifacts"]] == ["abc123def"]


def test_a_shallow_clone_gets_and_gives(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    b = make_person("Ada2", "Ada", "--depth=1")
    b.run("notes", "pull")
    b.run("notes", "on")
    b.run("decision", "from the shallow clone")
    b.run("notes", "push")
    a.run("notes", "pull")

    assert decisions(a) == decisions(b)
    assert len(decisions(a)) == 2


def test_lines_of_another_repository_count_as_nobodys(make_person, tmp_path, monkeypatch):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    other = repository(tmp_path / "other", "two\n")
    for ref in REFS:
        text = git(a.folder, "notes", f"--ref={ref}", "show")
        git(other, "notes", f"--ref={ref}", "add", "-m", text)
    b = Person(monkeypatch, a.home, other, "Ada")

    rebuilt = b.json("rebuild", "--from-notes")

    assert (rebuilt["entries"], rebuilt["sessions"]) == (0, [])
    assert not any(row["own"] for row in b.json("notes", "log")["breadcrumbs"])
    assert len(rebuilt["waiting"]) == 3


def test_nothing_of_the_user_is_overwritten(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    b = make_person("Ada2", "Ada")
    (b.folder / "CONTINUATION.md").write_text("my own words\n")
    os.makedirs(b.folder / "memory")
    (b.folder / "memory" / "working-buffer.md").write_text("my notes\n")
    b.run("decision", "of this clone")
    b.run("notes", "pull")
    rebuilt = b.json("rebuild", "--from-notes")

    assert rebuilt["continuation"] is False
    assert (b.folder / "CONTINUATION.md").read_text() == "my own words\n"
    assert "my notes" in (b.folder / "memory" / "working-buffer.md").read_text()
    assert len(decisions(b)) == 2


def test_an_older_session_of_elsewhere_does_not_take_the_place_of_work_here(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    a.run("notes", "push")
    b = make_person("Ada2", "Ada")
    b.sit_down()
    own = sessions.start(b.project, "5e551011-aaaa-bbbb-cccc-000000000002")
    own.log("prompt", task="write the changelog", **own.place())
    b.run("notes", "pull")
    rebuilt = b.json("rebuild", "--from-notes")

    assert (len(rebuilt["sessions"]), rebuilt["continuation"]) == (1, False)
    assert b.json("status")["session"]["task"] == "write the changelog"


def test_what_is_only_heard_and_what_is_personal_stays_here(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    a.run("preference", "short answers")
    a.run("note", "the staging box is called kiwi")
    a.run("decision", "use Postgres")
    session = sessions.start(a.sit_down().project)
    session.log("end", reason="other")
    consolidate_session.run(a.project, os.environ)
    text = git(a.folder, "notes", f"--ref={LEDGER}", "show")

    assert "use Postgres" in text
    assert not any(word in text for word in ("short answers", "kiwi", "let's go with"))


def test_scrub_takes_an_entry_out_for_good(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    name = a.json("decision", "for Initech")["id"]
    a.run("decision", "for us")
    a.run("notes", "push")
    a.run("notes", "scrub", name)
    a.run("notes", "pull")
    a.run("decision", "one more")
    a.run("notes", "push")
    text = git(a.folder, "notes", f"--ref={LEDGER}", "show")

    assert "Initech" not in text
    assert "for us" in text
    assert "one more" in text


def test_no_secret_travels(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    a.run("decision", f"deploy with {secret}")
    a.run("notes", "push")

    assert secret[4:20] not in git(a.folder, "notes", f"--ref={LEDGER}", "show")


def test_without_consent_nothing_is_written(make_person):
    a = make_person("Ada")
    wrap_up(a)
    a.run("notes", "push")

    assert git(a.folder, "for-each-ref", "refs/notes") == ""


def test_the_log_names_both_refs(make_person):
    a = make_person("Ada")
    a.run("notes", "on")
    wrap_up(a)
    log = check("notes", json.loads(a.run("notes", "log", "--json")))
    (gotcha,) = [row for row in log["ledger"]["entries"] if row["type"] == "gotcha"]
    shown = check("notes", json.loads(a.run("notes", "show", gotcha["id"], "--json")))

    assert log["ledger"]["all"] == len(log["ledger"]["entries"]) == 2
    assert (gotcha["who"], gotcha["own"], gotcha["files"]) == ("Ada", True, ["pay.py"])
    assert shown == gotcha
    assert "amounts in `pay.py` are cents" in a.run("notes", "log")
