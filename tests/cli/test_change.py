"""belay resolve, supersede, edit and forget, each with its way back."""

import pytest
from commandline import answer, belay

from belay.session import journal


def add(repo, kind, text, *args):
    return answer(repo, kind, text, *args)["id"]


def entry(repo, name):
    return answer(repo, "show", name)


@pytest.mark.parametrize("kind", ["goal", "unknown", "gotcha", "note", "finding", "deadend"])
def test_what_can_be_over_is_closed_and_opened_again(repo, kind):
    name = add(repo, kind, "Who renews the certificate?", "-r", "it expires in May")

    assert belay(repo, "resolve", name, "ops", "does").stdout == f"Done: {kind} {name} “Who renews the certificate?”\n"
    closed = entry(repo, name)
    assert (closed["status"], closed["reasoning"]) == ("done", "it expires in May; ops does")
    (opened,) = answer(repo, "resolve", "--undo", name)["changed"]
    assert (opened["status"], opened["reasoning"]) == ("active", "it expires in May")


def test_an_opened_question_keeps_the_reason_that_it_was_given_since(repo):
    name = add(repo, "unknown", "Who renews the certificate?")
    belay(repo, "resolve", name, "ops does")
    belay(repo, "edit", name, "-r", "asked by the auditor")
    assert answer(repo, "resolve", "--undo", name)["changed"][0]["reasoning"] == "asked by the auditor"

    belay(repo, "resolve", name)
    assert answer(repo, "resolve", "--undo", name)["changed"][0]["reasoning"] == "asked by the auditor"


@pytest.mark.parametrize(("kind", "word"), [("decision", "supersede"), ("preference", "forget")])
def test_what_holds_until_further_notice_is_not_closed(repo, kind, word):
    name = add(repo, kind, "Tables before prose")
    done = belay(repo, "resolve", name)

    assert done.returncode == 1
    assert f"is a {kind}, which cannot be closed; `belay {word} {name}` ends it" in done.stderr


def test_an_entry_replaces_another_by_id_and_back(repo):
    old, new = add(repo, "decision", "SQLite for storage"), add(repo, "decision", "Postgres for writers")
    said = belay(repo, "supersede", old, new.lower()).stdout

    assert said == f"{old} “SQLite for storage” is replaced by {new} “Postgres for writers”.\n"
    assert (entry(repo, old)["status"], entry(repo, old)["superseded_by"]) == ("superseded", new)
    back = belay(repo, "supersede", "--undo", old).stdout
    assert f"{new} “Postgres for writers” is active too; `belay forget {new}` removes it.\n" in back
    assert (entry(repo, old)["status"], entry(repo, old)["superseded_by"]) == ("active", "")


def test_an_entry_is_replaced_by_words(repo):
    old = add(repo, "gotcha", "Port 5432 is taken")
    changed = answer(repo, "supersede", old, "Port 6432", "is taken", "-r", "moved")["changed"]

    assert [(one["type"], one["status"]) for one in changed] == [
        ("gotcha", "superseded"),
        ("gotcha", "active"),
    ]
    assert (changed[1]["content"], changed[1]["reasoning"]) == ("Port 6432 is taken", "moved")


def test_replacing_back_turns_it_round(repo):
    old, new = add(repo, "decision", "SQLite for storage"), add(repo, "decision", "Postgres for writers")
    belay(repo, "supersede", old, new)
    belay(repo, "supersede", new, old)

    assert [one["id"] for one in answer(repo, "read", "decisions")["entries"]] == [old]
    assert entry(repo, new)["superseded_by"] == old


@pytest.mark.parametrize("args", [("OLD",), ("--undo", "OLD", "words"), ("OLD", " ")])
def test_half_a_replacement_is_a_wrong_call(repo, args):
    old = add(repo, "decision", "SQLite for storage")

    assert belay(repo, "supersede", *[old if arg == "OLD" else arg for arg in args]).returncode == 2


def test_nothing_replaces_itself_or_what_is_unknown(repo):
    old = add(repo, "decision", "SQLite for storage")

    assert "cannot replace itself" in belay(repo, "supersede", old, old).stderr
    assert "cannot replace itself" in belay(repo, "supersede", old, "SQLite for storage").stderr
    assert "is no entry" in belay(repo, "supersede", old, "D-AAAAAA").stderr
    assert "is active, not superseded" in belay(repo, "supersede", "--undo", old).stderr
    assert entry(repo, old)["status"] == "active"


def test_every_field_is_edited_and_what_it_was_is_told(repo):
    name = add(repo, "goal", "Ship it", "-r", "soon", "-t", "a", "-f", "file.txt", "-p", "low")
    told = belay(repo, "edit", name, "Ship the export", "-r", "in May", "-t", "b", "-f", "new/", "-p", "high").stdout

    assert told.splitlines() == [
        f"Changed: goal {name} “Ship the export”",
        "Old text: Ship it",
        "Old reason: soon",
        "Old tags: a",
        "Old files: file.txt",
        "Old priority: low",
    ]
    now = entry(repo, name)
    assert (now["content"], now["reasoning"], now["tags"], now["files"], now["priority"]) == (
        "Ship the export",
        "in May",
        ["b"],
        ["new/"],
        "high",
    )


def test_an_empty_value_takes_tags_files_and_reason_away(repo):
    name = add(repo, "note", "it rounds", "-r", "soon", "-t", "a", "-f", "file.txt")
    data = answer(repo, "edit", name, "-r", "", "-t", "", "-f", "")

    assert [data["changed"][0][key] for key in ("reasoning", "tags", "files")] == ["", [], []]
    assert data["before"]["tags"] == ["a"]
    assert belay(repo, "edit", name).returncode == 2


def test_an_edit_is_found_by_its_new_words_and_keeps_no_secret(repo):
    secret = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"
    name = add(repo, "decision", "Supabase for auth")
    belay(repo, "edit", name, f"Keycloak for auth {secret}")

    assert name in belay(repo, "why", "keycloak").stdout
    assert secret.encode() not in (repo / ".claude/memory/journal/ledger.jsonl").read_bytes()
    assert belay(repo, "edit", name, "x" * 5000).returncode == 1


def test_what_is_forgotten_is_found_no_more_until_it_is_taken_back(repo):
    one, other = add(repo, "note", "ids are ULIDs"), add(repo, "gotcha", "the gateway rounds")
    told = belay(repo, "forget", one, other).stdout

    assert told.splitlines()[0] == f"Forgotten: note {one} “ids are ULIDs”"
    assert told.splitlines()[2].startswith("The ledger keeps the record")
    assert answer(repo, "read", "--all")["entries"] == []
    assert belay(repo, "why", "ULIDs").returncode == 1
    assert answer(repo, "forget", "--undo", one)["changed"][0]["status"] == "active"
    assert belay(repo, "why", "ULIDs").returncode == 0
    assert "is active, not forgotten" in belay(repo, "forget", "--undo", one).stderr


def test_what_was_replaced_before_it_was_forgotten_is_that_again(repo):
    old = add(repo, "decision", "SQLite for storage")
    new = add(repo, "decision", "Postgres for writers", "--supersedes", old)
    belay(repo, "forget", old)
    belay(repo, "forget", "--undo", old)

    assert (entry(repo, old)["status"], entry(repo, old)["superseded_by"]) == ("superseded", new)
    belay(repo, "forget", old)
    assert old not in belay(repo, "show", new).stdout
    assert "is forgotten, not superseded; `belay show" in belay(repo, "supersede", "--undo", old).stderr


def test_one_unknown_id_among_several_changes_nothing(repo):
    name = add(repo, "note", "ids are ULIDs")

    assert belay(repo, "forget", name, "K-AAAAAA").returncode == 1
    assert entry(repo, name)["status"] == "active"


def test_every_change_stands_in_the_ledger(repo):
    name = add(repo, "goal", "Ship it")
    for args in (
        ("resolve", name),
        ("resolve", "--undo", name),
        ("edit", name, "-p", "low"),
        ("forget", name),
    ):
        belay(repo, *args)
    records, _ = journal.read_since(str(repo / ".claude/memory/journal/ledger.jsonl"), [])

    assert [record["kind"] for record in records] == ["entry", *["entry-set"] * 4]


def test_a_url_given_as_a_file_keeps_no_secret(repo):
    belay(repo, "note", "The store moves in May", "-f", "postgres://admin:s3cr3tPw9xQ@db.example.org/a")
    assert "s3cr3tPw9xQ" not in (repo / ".claude/memory/journal/ledger.jsonl").read_text(encoding="utf-8")
