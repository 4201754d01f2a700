"""Health: a table of memories with the figures they must get, and what holds for any facts at all."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.memory.document import facts, next_step, page
from belay.memory.health import line_numbers, points, score
from belay.memory.health.points import split_total
from belay.memory.health.words import (
    DECISION_WORDS,
    NEXT_WORDS,
    OVERVIEW_WORDS,
    find_headed_section,
    is_vague,
    says_nothing,
)

FOLDER = Path(__file__).parents[2] / "data" / "memory" / "health"
TODAY = "2026-11-21"

# memory | commits since | paths that are gone, or old=new | overall | freshness relevance completeness actionability
TABLE = """
01-fresh-and-whole              |   0 |                                            | 10 | 10.0 10.0 10.0 10.0
02-yesterday                    |   0 |                                            | 10 | 9.4 10.0 10.0 10.0
03-a-week-and-ten-commits       |  10 |                                            |  8 | 3.5 10.0 10.0 10.0
04-stale                        |   0 |                                            |  7 | 1.0 10.0 10.0 10.0
05-today-but-a-hundred-commits  | 100 |                                            |  9 | 5.0 10.0 10.0 10.0
06-never-dated                  |   0 |                                            |  7 | 1.0 10.0 10.0 10.0
07-no-such-date                 |   0 |                                            |  7 | 1.0 10.0 10.0 10.0
08-from-the-future              |   0 |                                            |  7 | 1.0 10.0 10.0 10.0
09-one-renamed                  |   3 | internal/store/store.go=internal/db/db.go  |  9 | 9.4 7.8 10.0 10.0
10-half-gone                    |   0 | internal/store/store.go docs/harbour.md    |  5 | 10.0 3.3 10.0 10.0
11-no-repository                |   0 | no repository                              |  9 | 10.0 5.5 10.0 10.0
12-vague-with-a-question        |   0 |                                            |  6 | 10.0 10.0 10.0 1.0
13-blocked                      |   0 |                                            |  9 | 10.0 10.0 10.0 7.0
14-no-next-step                 |   0 |                                            |  6 | 10.0 10.0 9.0 1.0
15-template-not-filled          |   0 |                                            |  3 | 1.0 5.5 4.0 1.0
16-minimal                      |   0 |                                            | 10 | 10.0 10.0 10.0 10.0
17-empty                        |   0 |                                            |  1 | 1.0 1.0 1.0 1.0
18-workstreams                  |   0 |                                            | 10 | 8.7 10.0 10.0 10.0
19-guidance-only                |   4 | src/gone.rs                                |  2 | 1.0 4.0 3.0 1.0
20-all-done                     |   0 | app/Gone.kt                                |  9 | 10.0 10.0 7.7 8.0
21-rebuilt                      |   0 |                                            |  7 | 10.0 10.0 10.0 7.0
"""


def known(name):
    data = (FOLDER / f"{name}.md").read_bytes()
    return facts.read_facts(page.parse(data.decode("utf-8", "surrogateescape")))


def evidence(found, commits, gone, repo=True):
    moved = {old: new for old, _, new in (word.partition("=") for word in gone)}
    missing = [{**row, "renamed": moved[row["path"]]} for row in found["refs"] if row["path"] in moved]
    step = next_step.find_next_step(found).text
    return {
        "repo": repo, "today": TODAY, "commits": commits, "checked": len(found["refs"]) if repo else 0,
        "missing": missing, "anchored": "`" in step,
    }  # fmt: skip


def rows():
    for line in TABLE.strip().splitlines():
        name, commits, gone, overall, scores = (cell.strip() for cell in line.split("|"))
        repo = gone != "no repository"
        yield pytest.param(name, int(commits), gone.split() if repo else [], repo, int(overall), scores, id=name[:2])


@pytest.mark.parametrize(("name", "commits", "gone", "repo", "overall", "scores"), list(rows()))
def test_the_table(name, commits, gone, repo, overall, scores):
    found = known(name)
    told = score.score_memory(found, evidence(found, commits, gone, repo))

    assert " ".join(f"{told[key]['score']:.1f}" for key in score.WEIGHTS) == scores
    assert told["score"] == overall


def test_every_memory_of_the_folder_is_in_the_table():
    names = [row.values[0] for row in rows()]

    assert names == [path.stem for path in sorted(FOLDER.glob("*.md"))]
    assert len(names) == 21


words = st.text(string.printable, max_size=40)
lines = st.integers(0, 40)
entry = st.fixed_dictionaries(
    {}, optional={"line": lines, "text": words, "done": st.booleans(), "resolved": st.booleans()}
)
rows_of = st.lists(entry, max_size=4)
ref = st.fixed_dictionaries({"line": lines, "path": words, "renamed": st.sampled_from(["", "new.py"])})
section = st.fixed_dictionaries(
    {"title": words, "name": st.sampled_from(["", "left", "overview", "decisions", "files"]), "line": lines},
    optional={"filled": st.booleans()},
)
stream = st.fixed_dictionaries({"line": lines}, optional={"status": words, "next": words, "done": st.booleans()})
any_facts = st.fixed_dictionaries(
    {},
    optional={
        "form": st.sampled_from(["003", "004", "other", "empty"]), "lines": st.integers(0, 400),
        "header": st.fixed_dictionaries({}, optional={"line": lines, "updated": words}),
        "sections": st.lists(section, max_size=5), "overview": words, "active": rows_of, "blockers": rows_of,
        "left": st.fixed_dictionaries({}, optional=dict.fromkeys(("task", "status", "next", "question"), words)),
        "completed": rows_of, "issues": rows_of, "workstreams": st.lists(stream, max_size=3),
        "refs": st.lists(ref, max_size=3),
    },
)  # fmt: skip
claim = st.fixed_dictionaries({"line": lines, "what": st.just("names X"), "mend": st.just("edit line 3: drop X")})
any_evidence = st.fixed_dictionaries(
    {},
    optional={
        "repo": st.booleans(), "today": st.sampled_from([TODAY, "", "x"]), "commits": st.integers(0, 9999),
        "checked": st.integers(0, 300), "missing": st.lists(ref, max_size=60), "anchored": st.booleans(),
        "false": st.lists(claim, max_size=20), "foreign": st.lists(st.sampled_from(["Django", "Rust"]), max_size=2),
        "reviewed": st.sampled_from(["", TODAY, "2026-01-01", "x"]),
    },
)  # fmt: skip


@given(any_facts, any_evidence, st.booleans())
def test_any_facts_get_a_score_and_every_lost_point_a_reason(found, known_of_it, own):
    told = score.score_memory(found, known_of_it, own)

    assert 1 <= told["score"] <= 10
    assert told["score"] == score.round_half_up(told["points"])
    assert told["points"] == min([told["points"], *(limit["points"] for limit in told["limits"])])
    for name in score.WEIGHTS:
        row = told[name]
        assert 1 <= row["score"] <= 10
        assert row["note"]
        assert round(sum(one["lost"] for one in row["reasons"]), 1) == round(10 - row["score"], 1)
        assert [one for one in row["reasons"] if not (one["what"] and one["mend"] and one["lost"] > 0)] == []


@given(st.integers(0, 90), st.lists(st.integers(1, 9), min_size=1, max_size=50))
def test_shares_add_up(total, weights):
    assert sum(split_total(total, weights)) == total


@given(st.integers(0, 60), st.integers(0, 200))
def test_neither_age_nor_commits_ever_raise_the_freshness(days, commits):
    def fresh(updated, count):
        header = {"header": {"line": 2, "updated": updated}}
        return score.score_memory(header, {"repo": True, "today": "2026-11-30", "commits": count})["freshness"]["score"]

    dates = [
        f"2026-11-{30 - days:02}" if days < 30 else f"2026-10-{31 - min(30, days - 30):02}",
        "2026-11-30",
    ]
    assert fresh(dates[0], commits) <= fresh(dates[1], commits) <= fresh(dates[1], 0)


@pytest.mark.parametrize(
    ("scores", "overall"),
    [
        ((9, 7, 8, 9), 8),
        ((10, 10, 10, 1), 8),
        ((10, 10, 10, 10), 10),
        ((1, 1, 1, 1), 1),
        ((5, 5, 5, 2.5), 5),
        ((5, 5, 5, 2.4), 4),
    ],
)
def test_the_whole_is_the_weighted_mean_rounded_half_up(scores, overall):
    assert score.round_half_up(score.mean_points(dict(zip(score.WEIGHTS, scores, strict=True)))) == overall


def test_what_is_gone_by_design_costs_nothing():
    told = score.score_memory(
        {"completed": [{"line": 4}]}, {"repo": True, "checked": 2, "missing": [{"line": 4, "path": "a.py"}]}
    )

    assert told["relevance"]["score"] == 10


def test_a_renamed_path_in_a_decision_is_the_users_to_mend():
    found = {"decisions": [{"line": 4}]}
    mends = []
    for line in (4, 9):
        gone = [{"line": line, "path": "a.py", "renamed": "b.py"}]
        told = score.score_memory(found, {"repo": True, "checked": 2, "missing": gone})
        mends.append(told["relevance"]["reasons"][0]["mend"])

    assert mends == ["edit line 4: write `b.py`", "belay diff --repair"]


def test_many_missing_paths_are_named_up_to_a_limit():
    gone = [{"line": at, "path": f"src/{at}.py"} for at in range(1, 61)]
    told = score.score_memory({}, {"repo": True, "checked": 61, "missing": gone})["relevance"]

    assert told["score"] == 1
    assert len(told["reasons"]) == 21
    assert told["reasons"][-1]["what"] == "40 more named paths missing or renamed"


def test_one_missing_path_of_a_thousand_still_shows():
    told = score.score_memory({}, {"repo": True, "checked": 1000, "missing": [{"line": 1, "path": "a.py"}]})

    assert told["relevance"]["score"] == 9.9


def test_foreign_text_in_a_reason_is_one_printable_line():
    path = "src/\x1b[31m\u202e" + "x" * 300 + ".py"
    told = score.score_memory({}, {"repo": True, "checked": 1, "missing": [{"line": 1, "path": path}]})
    what = told["relevance"]["reasons"][0]["what"]

    assert what.isprintable()
    assert len(what) < 120


@pytest.mark.parametrize(
    "text",
    [
        "TBD",
        "continue work",
        "Continue with the import",
        "keep going",
        "finish it",
        "next",
        "Improve error handling. Add tests.",
        "pick up where we left off",
        "keep improving the code and/or the docs",
    ],
)
def test_words_that_fit_any_project_are_vague(text):
    assert is_vague(text)


@pytest.mark.parametrize(
    "text",
    [
        "continue with `parse()`",
        "write the tide table's tests",
        "finish src/tide.go",
        "call the harbour about keys",
        "release 2.1",
        "decide with Anna whether refunds need approval",
        "继续导入时间表",
    ],
)
def test_words_of_this_project_are_not(text):
    assert not is_vague(text)


def test_a_field_that_says_nothing():
    assert [text for text in ("none", "None.", "-", "n/a", "No open questions") if not says_nothing(text)] == []
    assert not says_nothing("no quay is open in winter, which one do we take instead?")


def test_the_next_step_of_each_form():
    assert next_step.find_next_step(known("01-fresh-and-whole")).text.startswith("handle a missing quay")
    step = next_step.find_next_step(known("18-workstreams"))
    assert (step.text, step.line, step.over) == ("retry jammed jobs in `labels/queue.py`", 10, False)
    assert next_step.find_next_step(known("16-minimal")).text == "round the gusts in `gusts.sh`"
    assert next_step.find_next_step(known("20-all-done")).over
    assert (next_step.find_next_step({}).text, next_step.find_next_step({}).line) == ("", 0)


def test_a_paused_workstream_waits_behind_a_running_one():
    rows = [
        {"line": 1, "next": "later", "paused": True},
        {"line": 5, "status": "half done"},
        {"line": 9, "next": "now"},
        {"line": 12, "next": "over", "done": True},
    ]

    assert [row["line"] for row in next_step.list_open_workstreams({"workstreams": rows})] == [9, 5, 1]


@pytest.mark.parametrize(
    ("title", "words", "found"),
    [
        ("Next", NEXT_WORDS, True),
        ("🔄 Next steps (June)", NEXT_WORDS, True),
        ("Next.js app", NEXT_WORDS, False),
        ("TODOs", NEXT_WORDS, True),
        ("下一步计划", NEXT_WORDS, True),
        ("Coding conventions", DECISION_WORDS, True),
        ("Предпочтения", DECISION_WORDS, False),
        ("2. About this project", OVERVIEW_WORDS, True),
        ("Layout", OVERVIEW_WORDS, False),
    ],
)
def test_headings_are_known_by_their_words(title, words, found):
    assert bool(find_headed_section({"sections": [{"title": title, "filled": True}]}, words)) is found


def test_a_guide_with_some_titles_of_the_template_is_not_held_to_it():
    sections = [{"title": title, "name": name, "filled": True} for title, name in
                [("Project Overview", "overview"), ("Key Files", "files")]]  # fmt: skip
    told = score.score_memory({"form": "003", "lines": 80, "overview": "A kiln.", "sections": sections}, {})

    assert [row["what"] for row in told["completeness"]["reasons"]] == [
        "nothing says what comes next", "nothing says what was decided and why",
    ]  # fmt: skip


def test_a_layered_memory_names_the_line_of_the_right_file():
    base = page.parse("# A\n\n- `gone.py`\n- `gone.py` again\n")
    overlay = page.parse("\n- `left.py`\n")
    merged = page.parse("# A\n- `left.py`\n- `gone.py`\n- made of both\n- `gone.py` again\n")
    found = line_numbers.find_places(merged, base, {"over.md": overlay})
    missing = [{"line": line, "path": path} for line, path in [(2, "left.py"), (3, "gone.py"), (5, "gone.py")]]
    told = score.score_memory({}, {"repo": True, "checked": 9, "missing": missing})
    rows = line_numbers.place_reasons(told, found)["relevance"]["reasons"]

    assert found == [(1, ""), (2, "over.md"), (3, ""), (0, ""), (4, "")]
    assert [(row["line"], row.get("file"), row["what"], row["mend"].partition(":")[0]) for row in rows] == [
        (3, None, "`gone.py` does not exist (also line 4)", "edit line 3"),
        (2, "over.md", "`left.py` does not exist", "edit line 2 of over.md"),
    ]


def test_ten_is_shown_only_where_nothing_was_lost():
    assert [points.round_points(value) for value in (10.0, 9.9, 9.4, 8.5, 8.4, 1.0)] == [10, 9, 9, 9, 8, 1]


def test_an_open_question_is_mended_by_what_writes_that_field():
    told = score.score_memory(known("12-vague-with-a-question"), {"repo": True, "today": TODAY})
    (mend,) = [row["mend"] for row in told["actionability"]["reasons"] if "question is open" in row["what"]]

    assert mend == "belay wrap-up"


def test_a_rebuilt_memory_asks_to_be_checked():
    told = score.score_memory(known("21-rebuilt"), {"repo": True, "today": TODAY, "anchored": True})

    assert told["actionability"]["reasons"] == [
        {
            "lost": 3.0,
            "line": 5,
            "what": "it was reconstructed and nobody has checked it",
            "mend": "check it with the user, then take the line out",
        }
    ]


def test_a_wrap_up_is_named_only_where_it_writes_the_date():
    def mend(name, updated=""):
        found = known(name)
        found["header"] = {**found["header"], "updated": updated}
        (row,) = score.score_memory(found, {"repo": True, "today": TODAY})["freshness"]["reasons"]
        return row["mend"]

    assert mend("01-fresh-and-whole") == mend("01-fresh-and-whole", "2026-11-01") == "belay wrap-up"
    assert mend("18-workstreams", "2026-11-01") == "belay wrap-up"
    assert f"Last updated: {TODAY}" in mend("18-workstreams")
    assert f"Last updated: {TODAY}" in mend("16-minimal", "2026-11-01")
