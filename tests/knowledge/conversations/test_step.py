"""What becomes of kept conversations: their limits, the setting, what is forgotten, new rules, a damaged database."""

import os
from pathlib import Path

import dialogues as talk
import pytest
import wordpieces
from commandline import belay
from repos import git

from belay.consolidate import session as consolidate_session
from belay.core import settings
from belay.knowledge.conversations import finding, hiding, index, step
from belay.knowledge.entries import entries
from belay.knowledge.store import rebuild
from belay.knowledge.store.store import Store
from belay.safety import redaction
from belay.session.session import Session

ONE, TWO = talk.NAMES
WORDS = "the pool test is flaky because two workers share one port"


def tell(project, name, words, date="2026-03-01"):
    talk.write(
        project, name, talk.prompt(f"say {words}", time=f"{date}T10:00:00.500Z"),
        talk.answer("Understood.", time=f"{date}T10:01:00.500Z"),
    )  # fmt: skip


def found(project, words):
    kept = talk.kept(project)
    return [hit.id for hit in finding.find(kept, words, k=10).hits] if os.path.exists(kept.index) else []


def on_disk(project, words):
    """Return the files below the conversations that hold some words, the database's own included."""
    files = [path for path in Path(project.sessions).rglob("*") if path.is_file()]
    return [path.name for path in files if words.encode() in path.read_bytes()]


def test_the_consolidator_makes_a_session_searchable(project):
    session = Session(project, "s-1", os.environ)
    session.log("start", **session.place())
    session.log("end", reason="other")
    tell(project, ONE, WORDS)
    consolidate_session.run(project, os.environ)

    assert found(project, "flaky pool") == [ONE]


def test_the_oldest_sessions_go_when_there_is_no_room(project):
    for at in range(9):
        tell(project, f"session-{at}", "kettle " * 100, f"2026-03-0{at + 1}")
    kept = talk.run(project)
    size = os.path.getsize(kept.path("session-0"))
    dropped = step.keep_limits(kept, most=size * 4 + size // 2)
    index.update(kept)

    assert dropped == 5
    assert sorted(found(project, "kettle")) == [f"session-{at}" for at in range(5, 9)]
    talk.run(project)  # their transcripts are still there
    assert sorted(found(project, "kettle")) == [f"session-{at}" for at in range(5, 9)]


def test_sessions_that_are_too_old_go(project, monkeypatch):
    monkeypatch.setenv("BELAY_TEST", "1")
    monkeypatch.setenv("BELAY_NOW", "2026-04-01T00:00:00Z")
    tell(project, ONE, WORDS, "2025-03-01")
    tell(project, TWO, WORDS, "2026-03-01")
    kept = talk.run(project)
    assert len(found(project, "flaky pool")) == 2
    assert step.keep_limits(kept, days=360) == 1
    index.update(kept)

    assert found(project, "flaky pool") == [TWO]
    assert step.keep_limits(kept, days=360) == 0


def test_the_setting_switches_it_off_and_removes_what_was_kept(project):
    tell(project, ONE, WORDS)
    talk.run(project)
    Path(project.settings).write_text("search_sessions: false\n")
    settings.compile_settings(project, os.environ)

    assert step.run(project, os.environ) is None
    assert not os.path.exists(project.sessions)


def test_what_an_entry_said_goes_with_it(project):
    with Store(project.workshop, os.environ, create=True) as store:
        entry = store.add("gotcha", "The pool test is flaky, because two workers share one port.")
    tell(project, ONE, "that the pool test\nis flaky – because two workers share one port, always")
    tell(project, TWO, "nothing of that kind")
    talk.run(project)
    assert found(project, "workers share") == [ONE]
    done = belay(project.root, "forget", entry.id)
    assert done.returncode == 0, done.stderr

    assert found(project, "workers share") == []
    assert sorted(on_disk(project, "workers share")) == [
        f"{ONE}.jsonl",
        "hidden.json",
    ]  # as the ledger does, for --undo
    assert found(project, "nothing kind") == [TWO]
    assert f"say that {hiding.FORGOTTEN}" in talk.text(project)


def test_what_is_brought_back_is_shown_again(project):
    with Store(project.workshop, os.environ, create=True) as store:
        entry = store.add("gotcha", WORDS)
    tell(project, ONE, WORDS)
    talk.run(project)
    before = talk.text(project)
    for options, shown in (((), []), (("--undo",), [ONE]), ((), []), (("--undo", "last"), [ONE])):
        name = () if "last" in options else (entry.id,)
        assert belay(project.root, "forget", *options, *name).returncode == 0
        assert found(project, "workers share") == shown

    assert talk.text(project) == before


def test_only_files_that_hold_the_words_are_read_again(project):
    tell(project, ONE, WORDS)
    tell(project, TWO, "we walk across the street later")
    kept = talk.run(project)
    kept.hide(["nothing that was said", "Across the street"])

    assert index.update(kept).sessions == 1
    assert WORDS in talk.text(project)
    assert f"say we walk {hiding.FORGOTTEN} later" in talk.text(project, TWO)
    kept.hide(["Across the street"])
    assert index.update(kept).sessions == 0


def test_what_was_forgotten_does_not_come_back(project):
    with Store(project.workshop, os.environ, create=True) as store:
        entry = store.add("gotcha", WORDS)
        store.change(entry.id, status=entries.FORGOTTEN)
    tell(project, ONE, WORDS)
    talk.run(project)

    assert found(project, "workers share") == []
    assert hiding.FORGOTTEN in talk.text(project)


def test_lines_stay_where_they_are_when_text_is_removed(project):
    words = "one two three\nfour five six"
    tell(project, ONE, f"{words}\nlast line of it")
    talk.run(project)
    before = talk.text(project).split("\n")
    talk.kept(project).hide([words])
    after = talk.text(project).split("\n")

    assert len(after) == len(before)
    assert after[-4:] == before[-4:]
    assert hiding.FORGOTTEN in after[1]


@pytest.mark.parametrize(
    ("texts", "said", "left"),
    [
        (["Use Redis for it"], "please use  redis, for IT now", "please [forgotten] now"),
        (["Use Redis for it"], "we used Redis for items", "we used Redis for items"),
        (["ÜBER die Straße"], "geht über die Straße.", "geht [forgotten]."),
        (["ok"], "ok, that is ok", "ok, that is ok"),
        (["a.b*(c) defgh+e"], "so a.b*(c) defgh+e it is", "so [forgotten] it is"),
        ([""], "some text", "some text"),
    ],
)
def test_only_what_is_said_in_the_same_words_is_removed(texts, said, left):
    assert hiding.make_remover(texts)(said) == left


def test_a_new_rule_reaches_what_was_kept_before(project, monkeypatch):
    secret = "zz-" + "k9" * 12
    tell(project, ONE, f"the key {secret} is here")
    talk.run(project)
    assert on_disk(project, secret)
    monkeypatch.setattr(redaction, "redact", lambda text: text.replace(secret, "[redacted:x, keep it in .env]"))
    monkeypatch.setattr(redaction, "fingerprint", lambda: "other")
    talk.run(project)

    assert [name for name in on_disk(project, secret) if name.endswith(".jsonl")] == []
    assert found(project, secret) == []


def test_the_rules_have_a_fingerprint_that_stays():
    assert redaction.fingerprint() == redaction.fingerprint()
    assert len(redaction.fingerprint()) == 8


def test_a_damaged_database_is_made_again(project):
    tell(project, ONE, WORDS)
    kept = talk.run(project)
    Path(kept.index).write_bytes(b"SQLite format 3\0" + b"x" * 4096)
    assert finding.find_behind(kept, "flaky pool", 3) == []
    Path(kept.index).unlink()
    for path in Path(project.sessions).glob("index.db-*"):
        path.unlink()
    talk.run(project)

    assert found(project, "flaky pool") == [ONE]


def test_conversations_outlive_transcripts_and_a_rebuild_of_the_base(project):
    tell(project, ONE, WORDS)
    talk.run(project)
    Path(talk.write(project, ONE)).unlink()
    with Store(project.workshop, os.environ, create=True) as store:
        rebuild.rewrite_base(store)
    for path in Path(project.sessions).glob("index.db*"):
        path.unlink()
    talk.run(project)

    assert found(project, "flaky pool") == [ONE]


def test_two_at_once_write_nothing_twice(project):
    tell(project, ONE, WORDS)
    children = []
    for _ in range(3):
        child = os.fork()
        if not child:
            step.run(project, os.environ)
            os._exit(0)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    talk.run(project)

    assert [turn.prompt for turn in talk.read(project).turns] == [f"say {WORDS}"]


def test_git_does_not_see_conversations(project):
    tell(project, ONE, WORDS)
    talk.run(project)

    assert "sessions" not in git(project.root, "status", "--porcelain", "-uall", "--ignored=no")


def test_sections_are_ranked_by_meaning_too_once_there_is_a_table(project, tmp_path):
    tell(project, ONE, "that the automobile runs")
    tell(project, TWO, "that the gateway runs", "2026-03-02")
    talk.run(project)
    assert found(project, "what vehicle runs") == [TWO, ONE]  # by words alone the newer comes first
    wordpieces.install(tmp_path)
    talk.run(project)

    assert found(project, "what vehicle runs") == [ONE, TWO]
