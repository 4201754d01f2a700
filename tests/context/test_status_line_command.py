"""The status line: its text, its mirror, its door."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.budget import measurement
from belay.client.status_input import parse_status
from belay.context import status_line, status_line_command
from belay.core import paths
from belay.memory.health import cached_score

ROOT = Path(__file__).resolve().parents[2]


def status(cwd, tokens=410_000, window=1_000_000, model="claude-opus-4-6[1m]"):
    usage = {"input_tokens": 10_000, "cache_read_input_tokens": tokens - 10_000, "output_tokens": 5}
    return {
        "session_id": "s1",
        "model": {"id": model},
        "workspace": {"current_dir": str(cwd)},
        "context_window": {"context_window_size": window, "current_usage": usage if tokens else None},
    }


def printed(data):
    return status_line_command.answer(json.dumps(data).encode(), os.environ).decode()


def test_bar_and_branch(repo):
    assert printed(status(repo)) == "belay ████░░░░░░ 41 % of 1M · main\n"


def test_the_bar_is_of_the_limit_not_of_the_window(repo):
    assert "81 % of 167k" in printed(status(repo, 135_270, 200_000, "claude-opus-4-5"))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"captures_open": 3}, "3 open"),
        ({"captures": {"c1": {}, "c2": {}}}, "2 open"),
    ],
)
def test_captures_from_the_saved_state(repo, project, state, said):
    os.makedirs(project.states)
    Path(project.state("s1")).write_text(json.dumps(state))

    assert printed(status(repo)).rstrip().endswith("· " + said)


def test_health_from_the_last_score(repo, project):
    os.makedirs(project.states)
    cached_score.save_score(project, 8, "some hash")

    assert printed(status(repo)).rstrip().endswith("· memory health 8/10")


def test_without_usage_repository_or_sense_there_is_still_a_line(tmp_path, repo):
    assert printed(status(repo, 0)) == "belay · main\n"
    assert printed(status(tmp_path / "none", 0)) == "belay\n"
    assert status_line_command.answer(b"\xff{", os.environ) == b"belay\n"


def test_a_hostile_branch_cannot_steer_the_terminal():
    known = dict.fromkeys(("percent", "used", "limit", "captures_open", "health"))

    assert status_line.render_line({**known, "branch": "a\x1b[31m\u202eb" + "x" * 90}) == "belay · ab" + "x" * 37 + "…"


def test_the_mirror_is_what_the_hooks_read(repo):
    printed(status(repo))
    told = measurement.read_mirror(os.environ, "s1")

    assert (told.tokens, told.window, told.model) == (410_000, 1_000_000, "claude-opus-4-6[1m]")


def test_old_mirrors_are_swept_when_a_session_begins(repo):
    old = Path(paths.mirror(os.environ, "old"))
    old.parent.mkdir(parents=True)
    old.write_text("{}")
    os.utime(old, (1, 1))
    printed(status(repo))

    assert [path.name for path in old.parent.iterdir()] == ["s1.json"]


def test_a_home_that_cannot_be_written_still_has_a_line(home, repo):
    (home / ".local").write_text("a file where the folder would be")

    assert "41 %" in printed(status(repo))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = ("session_id", "model", "workspace", "context_window", "cwd")


@given(data=st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, values)))
def test_any_json_gives_one_line(data):
    read = parse_status(json.dumps(data).encode())

    assert status_line.render_line(status_line.gather_fields(read, os.environ)).count("\n") == 0


def test_the_door_loads_none_of_the_command_lines_packages(repo):
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-X", "importtime", ROOT / "lib" / "statusline.py"],
        input=json.dumps(status(repo)).encode(), capture_output=True, cwd=repo, timeout=30,
    )  # fmt: skip
    loaded = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}

    assert done.stdout.decode() == "belay ████░░░░░░ 41 % of 1M · main\n"
    assert loaded & {"json", "re", "click", "rich", "typing", "subprocess", "pathlib"} == set()


def test_the_script_finds_an_interpreter_and_a_detached_head(repo):
    git(repo, "checkout", "-q", "--detach")
    done = subprocess.run(
        [ROOT / "bin" / "belay-statusline"],
        input=json.dumps(status(repo)).encode(),
        capture_output=True,
        timeout=30,
    )

    assert (done.stdout.decode(), done.stderr) == ("belay ████░░░░░░ 41 % of 1M\n", b"")
