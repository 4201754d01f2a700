"""What a session's state, buffer and continuation become, record by record, is as it was: tests/data/answers."""

import json
import time

import pytest
from keptanswers import answer

from belay.client import prompt_text
from belay.core import plain_text
from belay.session import continuation_text, state, working_buffer
from belay.session.work import answer as work_answer
from belay.session.work import steps, todo
from belay.triggers import tasks

STORY = [
    ("start", {"branch": "main", "head": "a1", "root": "/p", "client": "2.1", "folder": ""}),
    ("prompt", {"task": "mend the parser", "branch": "main", "head": "a1"}),
    ("said", {"text": "I read it first. Then I split the lexer.", "intent": "split the lexer"}),
    ("intent", {"tool": "Edit", "file": "src/parser.py", "line": 7}),
    ("edit", {"files": [{"path": "src/parser.py", "line": 12}]}),
    ("edit", {"files": [{"path": "src/parser.py"}, {"path": "src/lexer.py", "line": 3}]}),
    ("intent", {"tool": "Bash", "command": "make test"}),
    ("command", {"command": "make test", "ok": False, "output": "2 failed"}),
    ("prompt", {"branch": "main", "head": "a2"}),
    ("capture", {"id": "C-AAAAAA", "classes": {"decision": 0.9}, "text": "SQLite for storage", "origin": "typed", "branch": "main"}),
    ("capture", {"id": "C-BBBBBB", "classes": {"value": 0.8, "correction": 0.6}, "text": "No, port 5433", "file": "file.txt"}),
    ("capture", {"id": "C-CCCCCC", "classes": {"preference": 0.7}, "text": "always run the linter", "origin": "asked"}),
    ("near", {"sentences": ["Maybe tabs?"]}),
    ("filed", {"ids": ["C-AAAAAA", "C-ZZZZZZ"], "file": "MEMORY.md"}),
    ("close", {"ids": ["C-BBBBBB", "C-ZZZZZZ"]}),
    ("todos", {"items": [
        {"id": "1", "text": "split the lexer", "status": "completed"},
        {"id": "2", "text": "name the tokens", "status": "in_progress"},
        {"id": "3", "text": "write the tests", "status": "pending"},
    ]}),
    ("milestone", {"what": "tests pass"}),
    ("budget", {"thresholds": [60, 50]}),
    ("budget", {"thresholds": [50, 70]}),
    ("recalled", {"rows": ["r1"], "entries": ["K-1"]}),
    ("lesson", {"failed": "make test", "files": ["src/lexer.py"], "passed": "make test"}),
    ("command", {"command": "make test", "ok": True, "output": ""}),
    ("continued", {}),
    ("compacted", {}),
    ("prompt", {"task": "remember the port", "branch": "side", "head": "a3"}),
    ("aside", {"task": "remember the port"}),
    ("aside", {"task": "another"}),
    ("prompt", {"task": "use tabs from now on", "branch": "side"}),
    ("capture", {"id": "C-DDDDDD", "classes": {"preference": 0.9}, "text": "use tabs from now on, please", "branch": "side"}),
    ("said", {"text": "x" * 700}),
    ("wrap-up-document", {"written": True, "folder": "web"}),
    ("wrap-up", {"ids": ["C-AAAAAA"], "task": "the parser", "next": "run `make test`", "status": "blocked"}),
    ("edit", {"files": [{"path": "README.md", "line": 1}]}),
    ("kept", {"upto": "2026-03-05T10:00:09.000000Z"}),
    ("unknown kind", {"text": "?"}),
    ("end", {"reason": "other"}),
    ("folded", {}),
    ("start", {"branch": "main", "root": "/p"}),
    ("end", {"reason": "lost"}),
    ("wrap-up", {"next": "", "status": ""}),
    ("delivered", {"of": "22222222-bbbb", "how": "startup"}),
    ("prompt", {"asks": "plan", "task": "Split the lexer", "path": "/p/.claude/plans/lexer.md", "request": "Split the lexer"}),
    ("plan", {"title": "Split the lexer in two", "status": "proposed"}),
    ("plan", {"title": "Split the lexer in two", "status": "rejected"}),
    ("prompt", {"asks": "objection", "request": "no, in three"}),
    ("plan", {"title": "Split the lexer in three", "status": "approved"}),
    ("asked", {}),
    ("said", {"text": "Half of it is done. Shall I go on?", "answer": {"declared": "", "kind": "", "question": "Shall I go on?", "steps": [], "announced": ""}}),
    ("prompt", {"asks": "go-on", "request": "go on please"}),
    ("commit", {"sha": "1a2b3c4", "subject": "Split the lexer"}),
    ("said", {"text": "Next: write the docs", "answer": {"declared": "write the docs", "kind": "next", "question": "", "steps": [], "announced": ""}}),
    ("prompt", {"asks": "thanks", "request": "thanks"}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def utc(monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def told():
    """Yield (step, state) after each record of the story."""
    now = state.empty_state("11111111-aaaa")
    for number, (kind, fields) in enumerate(STORY):
        record = {
            "kind": kind,
            "session": "11111111-aaaa",
            "time": f"2026-03-05T10:00:{number:02}.000000Z",
            **fields,
        }
        yield f"{number:02} {kind}", state.fold(now, record)


def test_the_state_after_each_record():
    found, before = {}, state.empty_state("11111111-aaaa")
    for step, now in told():
        found[step] = {key: now[key] for key in now if now[key] != before[key]}
        before = json.loads(json.dumps(now))
    answer("states", json.loads(json.dumps(found)))


def test_what_is_read_of_the_state():
    found = {}
    for step, now in told():
        found[step] = {
            "buffer": working_buffer.render(now),
            "short": working_buffer.render(now, 6),
            "status": steps.describe_status(now),
            "open": continuation_text.has_open_work(now, continuation_text.Facts("main", "", ["src/parser.py"])),
            "cursor": state.find_cursor(now),
            "expired": [
                state.find_expired(now["captures"], day) for day in ("2026-03-06T00:00:00Z", "2026-03-30T00:00:00Z")
            ],
        }
    answer("buffers", json.loads(json.dumps(found)))


def test_the_continuation_after_each_record():
    found = {}
    for step, now in told():
        for name, facts in (
            ("bare", continuation_text.Facts("main")),
            (
                "full",
                continuation_text.Facts("side", "def parse", ["src/parser.py", *(f"f{n}.py" for n in range(9))]),
            ),
        ):
            rows = continuation_text.build(now, facts).split("\n")
            found[f"{step}, {name}"] = [row for row in rows if row and not row.startswith("Written ")]
    answer("continuations", found)


SAID = [
    "I'll start with the lexer. Then I will split the parser. Done!",
    "Next, I'm going to rename `a.b()` to c. What do you think?",
    "Let me look at v1.2.3 of x.py first... Now I will run the tests",
    "All tests pass.",
    "",
    "- I will do A\n- Then B\n\n```\nI will not\n```\nNext step: write docs",
    "Fixed. I'll wait for your answer.",
    "I should mention e.g. the cache; next I'd test it",
]
PROMPTS = [
    "Mend the parser of the config files, please. Thanks!",
    "please could you add a test for the lexer?",
    "yes",
    "go on",
    "No, use port 5433",
    "/compact",
    "Fix this:\n```\nTraceback\n```\nand then update the docs",
    "Hi! I have a question. Why does make fail? Look into it.",
    "x" * 400,
]
BOXES = "# Todo\n- [ ] write the parser\n  * [ ] nested one\n- [x] done\n1. [ ] numbered\n-[ ] none\n- [ ]\n- [ ] Write docs\r\n"


def test_what_is_read_of_words():
    found = {
        f"said {number}": [work_answer.read_answer(text), plain_text.split_sentences(text)]
        for number, text in enumerate(SAID)
    }
    asked = [tasks.read_request(text, prompt_text.extract_prose(text)) for text in PROMPTS]
    found |= {f"prompt {number}": [one.kind, one.task, one.text, one.path] for number, one in enumerate(asked)}
    found["boxes"] = todo.find_open_boxes(BOXES)
    found |= {
        f"tick {done}": todo.tick(BOXES, done) for done in ("Write the parser.", "docs", "nested one", "done", "")
    }
    answer("words", found)
