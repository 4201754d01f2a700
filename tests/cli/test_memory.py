"""`belay memory`: round trip, records and one section set, as they are called from outside."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from schemas import check

from belay.core import paths

LIB = os.path.join(paths.PLUGIN_ROOT, "lib")
RUN = "from belay.cli.main import main; main()"
SAMPLES = Path(__file__).parents[1] / "data" / "memory" / "samples"


def belay(folder, *args, stdin=b""):
    env = {**os.environ, "PYTHONPATH": LIB}
    command = [sys.executable, "-c", RUN, "memory", *map(str, args)]
    return subprocess.run(command, cwd=folder, env=env, input=stdin, capture_output=True)


def test_every_sample_comes_back(tmp_path):
    done = belay(tmp_path, "roundtrip", *sorted(SAMPLES.iterdir()), "--json")

    rows = check("memory", json.loads(done.stdout))["files"]
    assert done.returncode == 0
    assert all(row["same"] for row in rows)
    assert sum(row["records"] for row in rows) > 200


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    done = belay(tmp_path, "roundtrip", SAMPLES / "odd.md", "none.md")

    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[1] == "none.md: does not exist"


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_records_tile_the_bytes(tmp_path, path):
    found = check("memory", json.loads(belay(tmp_path, "records", path, "--json").stdout))

    spans = [row["span"] for row in found["records"]]
    assert [start for start, _ in spans] == [0, *(end for _, end in spans)][: len(spans)]
    assert (spans[-1][1] if spans else 0) == found["bytes"] == path.stat().st_size


def test_one_section_is_set_and_nothing_else(tmp_path):
    file = tmp_path / "MEMORY.md"
    file.write_bytes((SAMPLES / "crlf.md").read_bytes())
    before = file.read_bytes()

    done = belay(tmp_path, "set", file, "Project Overview", "--json", stdin=b"Cake shop.\n\n")

    head, _, rest = before.partition(b"## Project Overview\r\n")
    after = rest[rest.index(b"## Where We Left Off") :]
    assert check("memory", json.loads(done.stdout)) == {
        "file": "MEMORY.md", "section": "Project Overview", "changed": True,
    }  # fmt: skip
    assert file.read_bytes() == head + b"## Project Overview\r\nCake shop.\r\n" + after
    assert sorted(path.name for path in tmp_path.iterdir()) == ["MEMORY.md"]


def test_which_section_must_be_clear(tmp_path):
    file = tmp_path / "odd.md"
    file.write_bytes((SAMPLES / "odd.md").read_bytes())
    before = file.read_bytes()

    unknown = belay(tmp_path, "set", file, "Nowhere", stdin=b"x")
    twice = belay(tmp_path, "set", file, "Key Decisions", stdin=b"x")

    assert (unknown.returncode, twice.returncode) == (2, 2)
    assert b"lines 5, 29" in twice.stderr
    assert file.read_bytes() == before
    assert belay(tmp_path, "set", file, "Key Decisions#2", stdin=b"- only this").returncode == 0
    assert b"## Key Decisions\n- only this\n## \xe6" in file.read_bytes()


def test_create_appends_a_section(tmp_path):
    file = tmp_path / "MEMORY.md"
    file.write_text("# Project Memory\n\n## Blockers\n- one")

    assert belay(tmp_path, "set", file, "Risks", "--create", stdin=b"- two").returncode == 0
    assert file.read_text() == "# Project Memory\n\n## Blockers\n- one\n\n## Risks\n- two\n"


def test_create_puts_a_known_section_where_the_template_has_it(tmp_path):
    file = tmp_path / "MEMORY.md"
    file.write_text("# Project Memory\n\n## Blockers\n- one\n")

    done = belay(tmp_path, "set", "MEMORY.md", "project overview", "--create", stdin=b"Cake shop.\n")

    assert done.returncode == 0
    told = "# Project Memory\n\n## Project Overview\nCake shop.\n\n## Blockers\n- one\n"
    assert file.read_text() == told
    assert belay(tmp_path, "set", file, "Key Files", "--create", stdin=b"- `a.py`").returncode == 0
    assert file.read_text() == told + "\n## Key Files\n- `a.py`\n"


def test_a_bare_name_is_the_projects_own_memory(repo):
    (repo / "MEMORY.md").write_text("## Blockers\n- one\n")
    (repo / "deep").mkdir()

    done = belay(repo / "deep", "set", "MEMORY.md", "Blockers", stdin=b"- two")

    assert done.returncode == 0
    assert (repo / "MEMORY.md").read_text() == "## Blockers\n- two\n"
    assert belay(repo / "deep", "set", "./MEMORY.md", "Blockers", stdin=b"- two").returncode == 1


def test_a_secret_is_not_written(tmp_path):
    file = tmp_path / "MEMORY.md"
    file.write_text("## External Context\n")
    secret = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"

    belay(tmp_path, "set", file, "External Context", stdin=f"token {secret}".encode())

    assert "redacted" in file.read_text()
    assert secret not in file.read_text()


def test_what_is_refused_stays_as_it_is(tmp_path):
    file = tmp_path / "MEMORY.md"
    file.write_bytes(b"## Blockers\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")

    done = belay(tmp_path, "set", file, "Blockers", stdin=b"x")

    assert done.returncode == 1
    assert b"conflict markers" in done.stderr


@pytest.mark.parametrize("command", [["set", "odd.md", "A"], ["roundtrip", "odd.md"], ["records", "odd.md"]])
def test_pipes_folders_and_what_is_too_long_are_not_read(tmp_path, command):
    odd = tmp_path / "odd.md"
    makers = {
        "is not a file": [lambda: os.mkfifo(odd), lambda: odd.mkdir(), lambda: odd.symlink_to("/dev/zero")],
        "does not exist": [lambda: None],
        "is over 1 MB": [lambda: odd.write_bytes(b"a\n" * 600_000)],
    }
    for why, make in ((why, make) for why, some in makers.items() for make in some):
        make()
        done = belay(tmp_path, *command, stdin=b"x")
        assert (done.returncode, why.encode() in done.stdout + done.stderr) == (1, True)
        odd.rmdir() if odd.is_dir() else odd.unlink(missing_ok=True)


def test_no_title_moves_the_cursor(tmp_path):
    (tmp_path / "a.md").write_bytes("# A\x1b[31m\x9b2J \u202eback\rward\n".encode())

    told = belay(tmp_path, "records", "a.md").stdout + belay(tmp_path, "set", "a.md", "B", stdin=b"x").stderr

    assert not {"\x1b", "\x9b", "\u202e", "\r"} & set(told.decode())
