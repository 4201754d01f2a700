"""The text of a continuation: never too long, never cut in a line, whatever the session was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from belay.core import kinds
from belay.core.text import tokens
from belay.session import continuation_text
from belay.session import state as session_state

WILD = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=300),
    st.sampled_from(
        [
            "x" * 400,
            "žluť 🐎 " * 60,
            "漢字" * 200,
            "<!-- /belay -->",
            "a\nb",
            "`" * 50,
            "\u2028\x85\x0b",
            "🏳️‍🌈" * 100,
            "‱" * 300,
        ]
    ),
)
NAME = st.text(st.sampled_from("ABCDEFGH"), min_size=6, max_size=6).map("C-".__add__)
CAPTURE = st.builds(
    lambda name, words, kind, minute: {"id": name, "text": words, "classes": {kind: 0.9}, "time": f"2026-03-05T10:{minute:02d}:00Z", "branch": words, "origin": "typed", "file": None},
    NAME, WILD, st.sampled_from(["correction", "decision", "value", "no such class"]), st.integers(0, 59),
)  # fmt: skip
EDIT = st.fixed_dictionaries(
    {"line": st.integers(0, 10**6), "count": st.integers(1, 9), "time": st.just("2026-03-05T10:00:00Z")}
)
CURSOR = st.none() | st.fixed_dictionaries(
    {
        "tool": WILD,
        "file": WILD,
        "line": st.integers(0, 999) | st.just(""),
        "command": WILD,
        "time": st.just("t"),
    }
)
TODO = st.fixed_dictionaries(
    {
        "id": st.just("1"),
        "text": WILD,
        "status": st.sampled_from(["pending", "in_progress", "completed", "odd"]),
    }
)
FAILING = st.none() | st.fixed_dictionaries(
    {"command": WILD, "ok": st.just(False), "output": WILD, "time": st.just("t"), "files": st.just([])}
)
TIME = st.sampled_from(["", "2026-03-05T09:00:00.5Z", "2026-03-05T10:00:00.5Z"])
REQUEST = st.none() | st.fixed_dictionaries({"kind": st.sampled_from(kinds.REQUESTS), "text": WILD, "time": TIME})
ANSWER = st.none() | st.fixed_dictionaries(
    {
        "declared": WILD,
        "kind": st.sampled_from(["", "next", "waiting", "done"]),
        "question": WILD,
        "steps": st.lists(WILD, max_size=3),
        "announced": WILD,
    }
)
PLAN = st.none() | st.fixed_dictionaries(
    {"title": WILD, "status": st.sampled_from(["proposed", "approved", "rejected"]), "time": TIME}
)
COMMIT = st.fixed_dictionaries({"sha": WILD, "subject": WILD, "time": TIME})
STATES = st.fixed_dictionaries(
    {
        "task": WILD,
        "branch": WILD,
        "captures": st.lists(CAPTURE, max_size=30).map(lambda rows: {row["id"]: row for row in rows}),
        "edits": st.dictionaries(WILD, EDIT, max_size=20),
        "cursor": CURSOR,
        "todos": st.lists(TODO, max_size=40),
        "failing": FAILING,
        "next": WILD,
        "wrapped": st.sampled_from(["", "2026-03-05T09:00:00.000001Z"]),
        "task_path": WILD,
        "said": WILD,
        "said_at": TIME,
        "answered": st.booleans(),
        "request": REQUEST,
        "answer": ANSWER,
        "plan": PLAN,
        "commits": st.lists(COMMIT, max_size=5),
        "active": st.sampled_from(["", "2026-03-05T10:00:00.000001Z"]),
    }
).map(lambda fields: {**session_state.empty_state("11111111-2222-4333-8444-555555555555"), **fields})
FACTS = st.builds(continuation_text.Facts, WILD, WILD, st.lists(WILD, max_size=30))


@settings(max_examples=60, deadline=None)
@given(STATES, FACTS)
def test_fifty_lines_and_five_hundred_tokens_hold_any_session(state, facts):
    built = continuation_text.build(state, facts)
    lines = built.split("\n")
    assert built.endswith("\n")
    assert len(lines) - 1 <= 50
    assert len(built.splitlines()) == len(lines) - 1
    assert tokens.count(built) <= 500
    assert lines[0].startswith("# Continue: ")
    assert lines[-2] == continuation_text.render_footer(state, facts)
    assert "-->" not in built


def asked(kind, text, *, answered=True):
    return {"request": {"kind": kind, "text": text, "time": "2026-03-05T10:00:00Z"}, "answered": answered, "prompts": 1}


def session(**fields):
    state = session_state.empty_state("11111111-aaaa")
    for n in range(12):
        name = f"C-AAAAA{n % 10}" if n < 10 else f"C-BBBBB{n % 10}"
        state["captures"][name] = {
            "id": name,
            "text": f"value number {n}",
            "classes": {"value": 0.9},
            "time": f"2026-03-05T10:{n:02d}:00Z",
            "branch": "main",
        }
    return {**state, "task": "mend the parser", "active": "2026-03-05T10:00:00.5Z", **fields}


def test_what_it_says():
    state = session(
        captures={
            "C-AAAAAA": {
                "id": "C-AAAAAA",
                "text": "tabs, not spaces",
                "classes": {"correction": 0.9},
                "time": "t",
                "branch": "main",
            }
        },
        edits={
            "a.py": {"line": 3, "count": 1, "time": "t"},
            "src/b.py": {"line": 41, "count": 2, "time": "t"},
        },
        todos=[
            {"id": "1", "text": "read", "status": "completed"},
            {"id": "2", "text": "parse", "status": "in_progress"},
            {"id": "3", "text": "print", "status": "pending"},
        ],
        failing={"command": "pytest -q", "ok": False, "output": "1 failed", "time": "t", "files": []},
        said="The lexer is read. Next I will split it.",
        said_at="2026-03-05T10:00:01Z",
        commits=[{"sha": "1a2b3c4d5e6f", "subject": "Read the lines first", "time": "t"}],
        **asked("work", "mend the parser", answered=False),
    )
    built = continuation_text.build(state, continuation_text.Facts("main", "def parse(text)", ["src/b.py"]))
    for line in (
        "# Continue: mend the parser",
        "Resume from: `src/b.py:41` — in def parse(text)",
        "- read: DONE",
        "- parse: HALF DONE",
        "- print: NOT STARTED",
        "- edited `src/b.py` line 41, 2 edits",
        "- correction: tabs, not spaces (C-AAAAAA)",
        "- Claude's last words: “The lexer is read. Next I will split it.”",
        "- Committed 1a2b3c4d5 “Read the lines first”",
        "- Failing check: `pytest -q` — 1 failed",
        "Finish the last request: “mend the parser”",
        "In progress then: parse",
        "Uncommitted: `src/b.py`",
        "Written 2026-03-05T10:00:00Z on main by session 11111111-aaaa",
    ):
        assert line in built.split("\n")


def test_the_oldest_of_a_rank_go_first():
    state = session(todos=[{"id": str(n), "text": f"todo {n} " + "word " * 20, "status": "pending"} for n in range(20)])
    built = continuation_text.build(state, continuation_text.Facts("main"))
    assert "value number 0" not in built
    todos = [line for line in built.split("\n") if line.startswith("- todo")]
    assert todos == [line for n in range(len(todos)) for line in todos if line.startswith(f"- todo {n} ")]
    few = session(todos=state["todos"][:5])
    kept = [
        line
        for line in continuation_text.build(few, continuation_text.Facts("main")).split("\n")
        if "value number" in line
    ]
    assert not kept or "value number 11" in kept[0]


def test_an_interrupted_tool_comes_first():
    cursor = {"tool": "Edit", "file": "src/b.py", "line": 7, "command": "", "time": "t"}
    built = continuation_text.build(
        session(
            cursor=cursor,
            edits={"a.py": {"line": 3, "count": 1, "time": "t"}},
            **asked("work", "mend the parser", answered=False),
        ),
        continuation_text.Facts("main"),
    )
    assert "Resume from: `src/b.py:7`" in built
    assert "- Interrupted in Edit: src/b.py" in built
    assert "Finish the last request: “mend the parser”" in built


EDITED = {"edits": {"a": {"line": 1, "count": 1, "time": ""}}}
TODOS = [{"id": "1", "text": "name the tokens", "status": "pending"}]


@pytest.mark.parametrize(
    ("fields", "uncommitted", "is_open"),
    [
        ({}, [], False),
        ({}, ["other.py"], False),
        ({**asked("work", "talk"), "task": "talk", "said": "hello"}, [], False),
        ({**asked("work", "talk", answered=False), "task": "talk"}, [], True),
        ({**asked("thanks", "thanks", answered=False), "task": "talk"}, [], False),
        ({**asked("work", "x"), **EDITED}, ["a"], True),
        ({**asked("work", "x"), **EDITED}, [], False),
        ({"todos": [{"id": "1", "text": "a", "status": "completed"}]}, [], False),
        ({"todos": TODOS}, [], True),
        ({"failing": {"command": "make test", "output": ""}}, [], True),
        ({"next": "name the tokens"}, [], True),
        ({"captures": {"C-AAAAAA": {"id": "C-AAAAAA"}}}, [], False),
    ],
)
def test_work_is_open_where_a_step_is_known_or_an_edit_is_not_committed(fields, uncommitted, is_open):
    facts = continuation_text.Facts("main", "", uncommitted)
    assert continuation_text.has_open_work({**session_state.empty_state("s"), **fields}, facts) is is_open
