"""belay read, recent and show: what the knowledge base holds, and the seed's own look into its file."""

import re
import shutil
import sqlite3
import subprocess
import sys

import pytest
from commandline import answer, belay
from repos import git

from belay.cli import terminal
from belay.cli.knowledge import rows
from belay.core import clock
from belay.core.kinds import PLURALS
from belay.knowledge.entries.entries import Entry


def test_nothing_to_read_says_so_with_the_mend(repo):
    for args in (("read", "decisions"), ("recent",), ("why", "x"), ("show", "D-ABCDEF"), ("context",), ("stats",),
                 ("resolve", "K-ABCDEF"), ("edit", "K-ABCDEF", "x"), ("forget", "K-ABCDEF")):  # fmt: skip
        done = belay(repo, *args)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(r"belay: .*workshop\.db: there is no knowledge base yet; .*\n", done.stderr)
    assert not (repo / ".claude").exists()


def test_a_kind_is_read_by_its_plural_or_its_name(repo):
    for kind in PLURALS:
        belay(repo, kind, f"the one {kind} of this test")

    for kind, plural in PLURALS.items():
        assert [one["type"] for one in answer(repo, "read", plural)["entries"]] == [kind]
    assert answer(repo, "read", "DECISION") == answer(repo, "read", "decisions")
    assert len(answer(repo, "read")["entries"]) == len(PLURALS)


def test_what_no_entry_is_called_is_a_wrong_call(repo):
    done = belay(repo, "read", "chocolate")

    assert done.returncode == 2
    assert "decisions, gotchas, goals" in done.stderr


def test_what_is_over_is_read_only_when_asked(repo):
    done = answer(repo, "goal", "Ship the export")["id"]
    old = answer(repo, "goal", "Print on paper")["id"]
    gone = answer(repo, "goal", "Send faxes")["id"]
    belay(repo, "resolve", done)
    belay(repo, "forget", gone)
    belay(repo, "supersede", old, "Print nothing")

    assert belay(repo, "read", "notes").stdout == "There are no notes yet.\n"
    assert "Print nothing" in belay(repo, "read", "goals").stdout
    assert len(answer(repo, "read", "goals")["entries"]) == 1
    told = belay(repo, "read", "goals", "--all").stdout
    assert "[done] Ship the export" in told
    assert "] Print on paper" in told
    assert "Send faxes" not in told
    belay(repo, "resolve", answer(repo, "read", "goals")["entries"][0]["id"])
    assert belay(repo, "read", "goals").stdout == "No active goals; --all shows 3.\n"


def test_the_newest_stand_first_and_only_as_many_as_wanted(repo):
    for word in ("alpha", "beta", "gamma"):
        belay(repo, "note", f"{word} ships on its own")

    assert [row.split()[3] for row in belay(repo, "recent").stdout.splitlines()] == ["gamma", "beta", "alpha"]
    assert [one["content"][:5] for one in answer(repo, "recent", "-n", "1")["entries"]] == ["gamma"]
    assert belay(repo, "recent", "-n", "0").returncode == 2


def test_standards_and_files_have_lists_of_their_own(repo):
    belay(repo, "note", "ids are ULIDs")

    assert belay(repo, "read", "standards").stdout == "There are no standards yet.\n"
    assert answer(repo, "read", "standards") == {"what": "standards", "standards": []}
    assert answer(repo, "read", "files") == {"what": "files", "files": []}
    (repo / "README.md").write_text("# Shop\n\nSells tea.\n")
    (repo / "bad.md").write_bytes(b"\0\1 no text")
    belay(repo, "index")
    (one,) = [row for row in answer(repo, "read", "files")["files"] if row["path"] == "README.md"]
    assert (one["sections"], one["why"]) == (1, "")
    assert re.search(r"^now  1 section  +4 words  +README.md$", belay(repo, "read", "files").stdout, re.M)
    assert re.search(r"^now  left out  +encoding  +bad.md$", belay(repo, "read", "files").stdout, re.M)


def test_one_entry_is_shown_whole_with_what_it_replaced(repo):
    (repo / "lib").mkdir()
    old = answer(repo, "decision", "SQLite for storage", "-r", "one file")["id"]
    new = answer(repo, "decision", "Postgres now", "-f", "lib/", "-t", "db", "--supersedes", old)["id"]
    rows_ = belay(repo, "show", new).stdout.splitlines()

    assert rows_[:3] == [f"{new}  decision  active", "", "Postgres now"]
    facts = {row.split()[0]: row.split(maxsplit=1)[1] for row in rows_[4:]}
    assert (facts["files"], facts["tags"], facts["counts"]) == ("lib/", "db", "said 1")
    assert facts["from"].endswith(
        f"{git(repo, 'branch', '--show-current')} {git(repo, 'rev-parse', 'HEAD')[:8]}, typed"
    )
    assert facts["before"].startswith(old)
    assert [one["id"] for one in answer(repo, "show", old)["history"]] == [new]
    assert belay(repo, "show", old).stdout.splitlines()[0] == f"{old}  decision  superseded by {new}"


def test_an_unknown_id_is_told_with_the_ones_that_are_close(repo):
    name = answer(repo, "note", "ids are ULIDs")["id"]
    wrong = name[:-1] + ("A" if name[-1] != "A" else "B")

    assert belay(repo, "show", wrong).stderr.endswith(f"is no entry of the knowledge base; did you mean {name}?\n")
    assert belay(repo, "show", "x" * 200).returncode == 1
    assert answer(repo, "show", name[2:].lower())["id"] == name


def test_another_branch_is_told_ones_own_is_not(repo):
    git(repo, "checkout", "-qb", "side")
    belay(repo, "note", "it rounds")
    assert belay(repo, "recent").stdout.endswith("  it rounds\n")
    git(repo, "checkout", "-q", "-")
    assert belay(repo, "recent").stdout.endswith("  [on side] it rounds\n")


@pytest.mark.parametrize(
    ("past", "told"),
    [(5, "now"), (130, "2m"), (7300, "2h"), (2 * clock.DAY, "2d"), (15 * clock.DAY, "2w"), (70 * clock.DAY, "2mo"),
     (800 * clock.DAY, "2y"), (-500, "now")],
)  # fmt: skip
def test_age_is_told_in_a_few_letters(past, told):
    assert rows.format_age(clock.shifted(clock.now(), -past)) == told
    assert rows.format_age("nonsense") == ""


def test_lines_are_cut_to_the_width_of_a_terminal(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    short = terminal.plain([rows.make_table([Entry("K-ABCDEF", "note", "word " * 40)])])
    wide = terminal.plain([rows.make_table([Entry("K-ABCDEF", "note", "記憶" * 40)])])

    assert (len(short), short[-1]) == (80, "…")
    assert (len(wide) < 60, wide[-1]) == (True, "…")
    monkeypatch.setenv("COLUMNS", "10")
    assert len(terminal.plain([rows.make_table([Entry("K-ABCDEF", "note", "word " * 40)])])) == terminal.NARROWEST


def seed(repo):
    belay(repo, "decision", "Use Supabase for auth", "-r", "Self-hosted requirement")
    belay(repo, "goal", "Add dark mode support", "-p", "high")
    return str(repo / ".claude" / "memory" / "workshop.db")


QUERIES = {
    "SELECT COUNT(*) FROM memory_fts;": [(2,)],
    "SELECT content, reasoning FROM decisions": [("Use Supabase for auth", "Self-hosted requirement")],
    "SELECT content, priority FROM goals": [("Add dark mode support", "high")],
    "SELECT COUNT(*) FROM gotchas": [(0,)],
    "SELECT COUNT(*) FROM notes": [(0,)],
    "SELECT COUNT(*) FROM antipatterns": [(0,)],
    "SELECT COUNT(*) FROM memory_files": [(0,)],
    "SELECT COUNT(*) FROM memory_vectors": [(0,)],
}


def test_python_reads_the_file_as_the_seed_does(repo):
    with sqlite3.connect(f"file:{seed(repo)}?mode=ro", uri=True) as base:
        assert {sql: base.execute(sql).fetchall() for sql in QUERIES} == QUERIES


def test_the_sqlite3_program_reads_it_too(repo):
    program = shutil.which("sqlite3")
    base = seed(repo)

    for sql, expected in QUERIES.items() if program else ():
        done = subprocess.run([program, base, sql], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == ["|".join(map(str, row)) for row in expected]
    assert answer(repo, "read", "goals")["entries"][0]["priority"] == "high"
