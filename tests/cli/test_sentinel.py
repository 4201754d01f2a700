"""belay sentinel classify: JSON lines in, JSON lines out."""

import json

from commandline import belay
from schemas import check


def rows(done):
    return [check("sentinel", json.loads(line)) for line in done.stdout.splitlines()]


def test_each_line_gets_its_answer(tmp_path):
    calls = [
        {"id": "a", "tool_name": "Read", "tool_input": {"file_path": "x"}},
        {"id": 2, "tool_name": "Bash", "tool_input": {"command": "ls | tee out"}},
        {"tool_name": "Bash", "tool_input": {"command": "git log -1"}},
    ]
    done = belay(tmp_path, "sentinel", "classify", stdin="\n".join(map(json.dumps, calls)) + "\n\n")

    assert (done.returncode, done.stderr) == (0, "")
    assert [(row["id"], row["class"]) for row in rows(done)] == [("a", "noetic"), (2, "praxic"), (None, "noetic")]
    assert rows(done)[1]["why"] == "tee writes out"
    assert all(set(row) == {"id", "class", "why"} for row in rows(done))


def test_a_wrong_line_is_named_and_the_others_are_answered(tmp_path):
    lines = ["nonsense", '{"id": 1, "tool_name": "Read"}', "[]", '{"id": 3}', "[" * 100_000]
    done = belay(tmp_path, "sentinel", "classify", stdin="\n".join(lines))

    assert done.returncode == 1
    assert [row["id"] for row in rows(done)] == [1]
    assert [line.split(":")[1].strip() for line in done.stderr.splitlines()] == ["line 1", "line 3", "line 4", "line 5"]


def test_hostile_text_is_shown_harmless(tmp_path):
    hidden = "rm\u202e\u2066 x\ud800\x1b[31m"
    row = {"id": hidden, "tool_name": "Bash", "tool_input": {"command": hidden}}
    done = belay(tmp_path, "sentinel", "classify", stdin=json.dumps(row))

    assert done.returncode == 0
    assert rows(done)[0]["class"] == "praxic"
    assert not set("\u202e\u2066\x1b") & set(done.stdout)


def test_nothing_in_is_nothing_out(tmp_path):
    done = belay(tmp_path, "sentinel", "classify")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
