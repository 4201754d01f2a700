"""What sessions left is knowledge: confirmed where it is explicit, structural or repeated, else heard once."""

import os

import pytest
from sayings import session, sessions

from belay.knowledge.entries import entries, standards
from belay.knowledge.review import promotion
from belay.knowledge.review.queue import Queue
from belay.knowledge.store.store import Store
from belay.session import journal
from belay.session.session import Session, find_others


def step(project):
    return promotion.run_step(project, os.environ, sessions(project))


def kept(project):
    with Store(project.workshop, os.environ) as store:
        return entries.list_entries(store.connection, limit=-1)[::-1]


def every(project, *status):
    with Store(project.workshop, os.environ) as store:
        return entries.list_entries(store.connection, status=status, limit=-1)[::-1]


def rules(project):
    with Store(project.workshop, os.environ) as store:
        return standards.list_standards(store.connection)


def test_what_was_said_once_is_heard_and_may_be_judged(project):
    (name,) = session(project, "s-1", ("decision", "let's go with SQLite for storage because it is one file"))

    assert step(project) == 1
    (entry,) = kept(project)
    assert (entry.status, entry.content, entry.reasoning) == (
        "heard",
        "let's go with SQLite for storage",
        "it is one file",
    )
    (waits,) = Queue(project, os.environ).waiting()
    assert (waits.capture.id, waits.why) == (name, "said once, not confirmed")


@pytest.mark.parametrize(
    ("origin", "kind", "text", "type_", "source"),
    [
        ("asked", "note", "Remember this: the gateway rounds half up", "note", "typed"),
        ("asked", "note", "Remember that the parser crashes on empty files", "gotcha", "typed"),
        ("asked", "decision", "Remember we use SQLite because it is one file", "decision", "typed"),
        ("hand", "value", "the staging port is 5433", "note", "tool"),
        ("hand", "priority", "the login comes first", "goal", "tool"),
        ("answered", "decision", "Which database? → SQLite", "decision", "answered"),
        ("rejected", "correction", "No, never edit the generated files", "antipattern", "typed"),
        ("rejected", "correction", "use pnpm for all packages", "preference", "typed"),
    ],
)
def test_explicit_and_structural_captures_are_promoted(project, origin, kind, text, type_, source):
    (name,) = session(project, "s-1", (kind, text, origin))

    assert step(project) == 1
    (entry,) = kept(project)
    assert (entry.type, entry.source, entry.session, entry.branch) == (type_, source, "s-1", "main")
    assert entry.commit
    assert Queue(project, os.environ).waiting() == []
    (record,) = (row for row in journal.read(project.ledger)[0] if row["kind"] == "entry")
    assert record["of"] == [name]


def test_a_reason_that_was_said_is_the_entrys(project):
    session(project, "s-1", ("decision", "Remember we use SQLite because it is one file", "asked"))
    step(project)

    (entry,) = kept(project)
    assert (entry.content, entry.reasoning) == ("We use SQLite", "it is one file")


def test_a_colon_in_passing_gives_no_reason(project):
    session(project, "s-1", ("decision", "Remember what we do: SQLite for storage", "asked"))
    session(project, "s-2", ("decision", "pnpm for packages: workspaces", "hand"))
    step(project)

    found = {(one.content, one.reasoning) for one in kept(project)}
    assert found == {("What we do: SQLite for storage", ""), ("pnpm for packages", "workspaces")}


def test_said_in_two_sessions_is_promoted_once(project):
    first = session(project, "s-1", ("preference", "always run the linter before pushing"))
    assert step(project) == 1
    assert [(one.seen, one.status) for one in kept(project)] == [(1, "heard")]
    second = session(project, "s-2", ("preference", "Always run the linter before you push."))
    assert step(project) == 1
    assert step(project) == 0

    (entry,) = kept(project)
    assert (entry.type, entry.seen, entry.status) == ("preference", 2, "active")
    records = [row for row in journal.read(project.ledger)[0] if row["kind"] == "entry"]
    assert [name for row in records for name in row["of"]] == [*first, *second]
    session(project, "s-3", ("preference", "always run the linter before pushing"))
    step(project)
    assert [one.seen for one in kept(project)] == [3]


def test_twice_in_one_session_confirms_nothing_and_another_number_takes_its_place(project):
    session(project, "s-1", ("value", "the staging port is 5432"), ("decision", "drop the cache table"))
    session(project, "s-2", ("value", "the staging port is 5433"), ("preference", "drop the cache table"))

    assert step(project) == 4
    assert {one.content: one.status for one in kept(project)} == {
        "the staging port is 5433": "heard",
        "drop the cache table": "heard",
    }
    assert len(kept(project)) == 3
    (former,) = every(project, "superseded")
    (latter,) = (one for one in kept(project) if "5433" in one.content)
    assert (former.content, former.superseded_by) == ("the staging port is 5432", latter.id)
    assert len(Queue(project, os.environ).waiting()) == 3


def test_what_says_nothing_is_not_repeated(project):
    session(
        project,
        "s-1",
        ("decision", "Let's do it."),
        ("decision", "do the following now:"),
        ("decision", "fix the test first"),
        ("preference", "use uv"),
    )
    session(
        project,
        "s-2",
        ("decision", "Let's do it."),
        ("decision", "can we do tests first?"),
        ("preference", "Use uv!"),
    )

    assert step(project) == 2
    assert {one.content: one.status for one in kept(project)} == {"Use uv!": "active", "fix the test first": "heard"}


ADVICE = "the gateway rounds every refund half up"


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_was_forgotten_comes_back_by_no_repetition(project, by_hand):
    if by_hand:
        with Store(project.workshop, os.environ, create=True) as store:
            store.change(store.add("note", ADVICE).id, status=entries.FORGOTTEN)
    else:
        session(project, "s-1", ("value", f"Remember this: {ADVICE}", "asked"))
        assert step(project) == 1
        with Store(project.workshop, os.environ) as store:
            store.change(kept(project)[0].id, status=entries.FORGOTTEN)
    session(project, "s-2", ("value", ADVICE))
    session(project, "s-3", ("value", "The gateway rounds each refund half up"))
    session(project, "s-4", ("correction", "No, the gateway rounds every refund half up", "rejected"))
    assert (step(project), kept(project)) == (0, [])
    waiting = Queue(project, os.environ).waiting()
    assert {each.why for each in waiting} == {"the same was turned down before"}
    assert len(waiting) == 3

    session(project, "s-5", ("value", f"Remember this: {ADVICE}", "asked"))
    assert step(project) == 1
    assert [one.content for one in kept(project)] == [ADVICE[0].upper() + ADVICE[1:]]


def test_another_number_than_what_was_forgotten_is_promoted(project):
    with Store(project.workshop, os.environ, create=True) as store:
        store.change(store.add("note", "The staging proxy listens on port 5432").id, status=entries.FORGOTTEN)
    for name in ("s-1", "s-2"):
        session(project, name, ("value", "The staging proxy listens on port 5433"))
    assert step(project) == 1


def test_finished_work_is_no_knowledge(project):
    session(project, "s-1", ("note", "Done: refund handler", "hand"))

    assert step(project) == 0
    assert Queue(project, os.environ).waiting() == []


def test_files_that_are_named_are_tied(project, repo):
    (repo / "lib").mkdir()
    (repo / "lib" / "pay.py").write_text("x\n")
    text = "Remember: lib/pay.py rounds half up, see `file.txt:3`, not /etc/passwd or ../up.py or gone.py"
    session(project, "s-1", ("note", text, "asked"))
    step(project)

    assert kept(project)[0].files == ("lib/pay.py", "file.txt")


def test_a_later_word_of_the_session_takes_the_place_of_the_earlier(project):
    session(project, "s-1", ("value", "the staging port is 5432", "hand"), end=False)
    step(project)
    one = sessions(project)[0]
    fields = {
        "classes": {"value": 1.0},
        "text": "No, the staging port is 5433",
        "origin": "hand",
        "branch": "main",
    }
    one.log("capture", id="C-BBBBBB", **fields)
    step(project)

    assert [entry.content for entry in kept(project)] == ["No, the staging port is 5433"]
    with Store(project.workshop, os.environ) as store:
        (old,) = entries.list_entries(store.connection, status=("superseded",))
    assert old.superseded_by == kept(project)[0].id


def test_the_decisions_of_a_wrap_up_are_entries(project):
    work = Session(project, "s-1", os.environ)
    work.log("start", **work.place())
    document = {"decisions": [{"decision": "SQLite for storage", "reason": "one file", "affects": "file.txt"}]}
    work.log("wrap-up-document", digest="d1", written=True, branch="main", document=document)
    assert step(project) == 0
    work.log("wrap-up", ids=[], digest="d1")
    assert step(project) == 1
    assert step(project) == 0

    (entry,) = kept(project)
    assert (entry.type, entry.content, entry.reasoning) == ("decision", "SQLite for storage", "one file")
    assert (entry.files, entry.source, entry.branch) == (("file.txt",), "tool", "main")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Remember this: SQLite over Postgres for storage.", "decision"),
        ("Remember this: the login crashes on empty passwords.", "gotcha"),
        ("Remember this: Ada owns the billing service.", "note"),
    ],
)
def test_what_was_asked_to_be_noted_has_the_type_that_its_words_say(project, said, kind):
    session(project, "s-1", ("note", said, "asked"))
    step(project)

    (entry,) = kept(project)
    assert entry.type == kind


def test_a_turned_down_call_is_a_rule_with_what_happened(project):
    work = Session(project, "s-1", os.environ)
    work.log("start", **work.place())
    work.log("prompt", **work.place())
    work.log("intent", tool="Edit", file="file.txt", line=1)
    work.log("capture", id="C-AAAAAA", classes={"correction": 1.0}, text="Don't touch the first line",
             origin="rejected", branch="main")  # fmt: skip
    step(project)

    (rule,) = rules(project)
    assert rule.rule == "Don't touch the first line"
    assert rule.what_happened.endswith(": a call was turned down (Edit file.txt)")
    assert (rule.type, rule.files, rule.held, rule.broken) == ("antipattern", ("file.txt",), 0, 0)


def test_a_rule_held_or_was_broken_once_a_session(project):
    session(project, "s-1", ("correction", "never edit file.txt by hand", "rejected"))
    step(project)

    def work(name, *said):
        one = Session(project, name, os.environ)
        one.log("start", **one.place())
        one.log("edit", files=[{"path": "file.txt", "line": 1}])
        for number, text in enumerate(said):
            fields = {"classes": {"correction": 0.8}, "text": text, "origin": "typed", "branch": "main"}
            one.log("capture", id=f"C-{name[-1]}BBBB{'ABC'[number]}", **fields)
        one.log("end", reason="other")
        return one

    held = work("s-2")
    step(project)
    step(project)
    assert [(one.held, one.broken) for one in rules(project)] == [(1, 0)]
    work("s-3", "No, never edit file.txt by hand!")
    session(project, "s-4", ("decision", "use another colour"))
    step(project)
    assert [(one.held, one.broken) for one in rules(project)] == [(1, 1)]
    held.log("capture", id="C-CCCCCC", classes={"correction": 0.8}, text="never edit file.txt by hand",
             origin="typed", branch="main")  # fmt: skip
    held.log("end", reason="other")
    step(project)
    assert [(one.held, one.broken) for one in rules(project)] == [(0, 2)]


def test_captures_of_another_user_are_not_promoted(project, tmp_path):
    session(project, "s-1", ("note", "Remember: run this", "asked"))
    other = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "other")}

    theirs = find_others(Session(project, "", other), 400.0)
    assert theirs == []
    assert promotion.run_step(project, other, [Session(project, "s-1", other)]) == 0
    assert not os.path.exists(project.workshop)
