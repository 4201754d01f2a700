"""belay why: decisions first, each line of supersession once."""

from commandline import answer, belay


def add(repo, kind, text, *args):
    return answer(repo, kind, text, *args)["id"]


def test_a_decision_is_told_with_its_reason_files_and_history(repo):
    first = add(repo, "decision", "Auth by sessions in files", "-r", "simple")
    second = add(repo, "decision", "Auth by Auth0", "--supersedes", first)
    third = add(repo, "decision", "Use Supabase for auth", "-r", "Self-hosted requirement", "-f", "file.txt",
                "--supersedes", second)  # fmt: skip
    gotcha = add(repo, "gotcha", "Tokens of auth live for 5 minutes")
    data = answer(repo, "why", "did", "we", "choose", "this", "auth?")

    (decision,) = data["decisions"]
    assert (decision["id"], decision["reasoning"]) == (third, "Self-hosted requirement")
    assert [one["id"] for one in decision["history"]] == [second, first]
    assert [one["id"] for one in data["beside"]] == [gotcha]


def test_it_reads_well(repo):
    old = add(repo, "decision", "SQLite for storage", "-r", "one file")
    new = add(repo, "decision", "Postgres for storage", "-r", "two writers", "-t", "db", "--supersedes", old)
    add(repo, "note", "storage takes 5 GB")
    rows = belay(repo, "why", "storage").stdout.splitlines()

    assert rows[:3] == [f"{new}  Postgres for storage", "  reason  two writers", "  tags    db"]
    assert rows[3].startswith("  from    ")
    assert rows[4].startswith(f"  before  {old}  ")
    assert rows[4].endswith("  SQLite for storage. Why: one file")
    assert rows[5:7] == ["", "Also known:"]


def test_the_old_words_lead_to_what_holds_now(repo):
    old = add(repo, "decision", "Redux for state")
    new = add(repo, "decision", "Signals in every component", "--supersedes", old)

    assert [one["id"] for one in answer(repo, "why", "redux")["decisions"]] == [new]


def test_a_circle_of_two_clones_is_followed_once(repo):
    one, other = add(repo, "decision", "Redux for state"), add(repo, "decision", "Signals for state")
    belay(repo, "supersede", one, other)
    belay(repo, "supersede", other, one)
    belay(repo, "supersede", one, other)

    assert len(answer(repo, "why", "state")["decisions"]) == 1


def test_only_as_many_decisions_as_wanted(repo):
    for name in ("Redux", "Signals", "Stores"):
        add(repo, "decision", f"{name} hold the state of {name} pages")

    assert len(answer(repo, "why", "state", "-n", "2")["decisions"]) == 2


def test_what_the_documents_say_stands_beside(repo):
    (repo / "docs").mkdir()
    (repo / "docs" / "adr.md").write_text("# Decisions\n\nText first.\n\n## Storage\n\nPostgres has two writers.\n")
    add(repo, "decision", "Postgres for storage")
    belay(repo, "index")
    (hit,) = answer(repo, "why", "postgres")["beside"]

    assert (hit["id"], hit["path"], hit["start"] >= 1) == ("", "docs/adr.md", True)
    assert f"  docs/adr.md:{hit['start']}  " in belay(repo, "why", "postgres").stdout


def test_what_is_no_decision_answers_first_where_search_finds_it_first(repo):
    name = add(repo, "gotcha", "Tokens of auth live for 5 minutes", "-r", "the proxy caches them")
    rows = belay(repo, "why", "auth").stdout.splitlines()
    assert rows[:2] == [f"{name}  gotcha  Tokens of auth live for 5 minutes", "  reason  the proxy caches them"]
    assert "Also known:" not in rows

    decided = add(repo, "decision", "Sessions of five hours for the pages of administrators")
    add(repo, "note", "the auth proxy is in Frankfurt")
    data = answer(repo, "why", "how long do tokens of auth live")
    assert (data["first"]["id"], data["beside"][0]["id"]) == (name, name)
    assert belay(repo, "why", "tokens of auth").stdout.startswith(f"{name}  gotcha  ")
    assert answer(repo, "why", "administrators")["first"] is None
    assert belay(repo, "why", "administrators").stdout.startswith(decided)


def test_the_decision_for_another_product_of_the_same_job_answers(repo):
    name = add(repo, "decision", "Let's go with SQLite", "-r", "one file, no server")
    add(repo, "decision", "Redis holds the sessions")

    for asked in ("Why not Postgres?", "mysql", "did we think of MongoDB?"):
        assert answer(repo, "why", asked)["decisions"][0]["id"] == name
    assert answer(repo, "why", "webpack", code=1)["decisions"] == []
    add(repo, "decision", "Postgres for the analytics")
    assert "analytics" in answer(repo, "why", "Why not Postgres?")["decisions"][0]["content"]


def test_nothing_known_is_a_negative_answer(repo):
    add(repo, "note", "ids are ULIDs")
    done = belay(repo, "why", "chocolate")

    assert (done.returncode, done.stdout) == (1, "Nothing is recorded about “chocolate”.\n")
    assert answer(repo, "why", "chocolate", code=1)["decisions"] == []
    assert belay(repo, "why", " ").returncode == 2


def test_a_query_is_never_a_syntax_error(repo):
    add(repo, "decision", 'Quote "all" of it: a*b, (c OR d) NEAR e')
    for query in ('"', "a*", "(", "NEAR(", "a AND", "-", "col:x", "^a", "'; DROP TABLE entries; --", "\\"):
        done = belay(repo, "why", "--", query)
        assert (done.returncode in (0, 1), done.stderr) == (True, "")


def test_a_section_of_the_memory_is_asked_for_in_two_words(repo):
    memory = "# Project Memory\nLast updated: 2026-03-01 | Session 2 | Branch: main\n\n## Project Overview\nA kite.\n"
    memory += (
        "\n## Known Issues\n- The line twists\n\n## Key Files\n| File | Purpose | Last Modified |\n|---|---|---|\n"
    )
    memory += "| file.txt | the line | session 1 |\n| gone.txt | the reel | session 1 |\n\n## Session Log\n"
    memory += "| Session | Date | Summary |\n|---|---|---|\n| 1 | 2026-02-28 | line |\n| 2 | 2026-03-01 | reel |\n"
    (repo / "MEMORY.md").write_text(memory)
    belay(repo, "trust", "MEMORY.md")

    def rows(*words):
        return answer(repo, "why", *words)["memory"]

    assert belay(repo, "why", "known kites").returncode == 1
    assert rows("known issues") == ["Known issue: The line twists"]
    assert rows("what", "are", "the", "key", "files?") == ["File: file.txt: the line"]
    sessions = rows("what did we do in the last sessions?")
    assert sessions == ["Session 2 (2026-03-01): reel", "Session 1 (2026-02-28): line"]
    assert belay(repo, "why", "known issues").stdout == "MEMORY.md:\n  Known issue: The line twists\n"

    add(repo, "decision", "Known issues are kept in MEMORY.md", "-r", "one place")
    (decision,) = answer(repo, "why", "known issues")["decisions"]
    assert decision["content"] == "Known issues are kept in MEMORY.md"
