"""The server's process: it stands whatever is there, answers line by line, and leaves when its client does."""

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest
from mcpserver import START, Server, files
from test_house import ALLOWED, trace

from belay.core import paths
from belay.mcp.server import LINE_BYTES

PING = b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n'
PONG = {"jsonrpc": "2.0", "id": "p", "result": {}}


def run(data, folder, **environ):
    """Feed the server all of its input at once; return the finished process."""
    env = {**os.environ, **environ}
    return subprocess.run([START], input=data, capture_output=True, cwd=folder, env=env, timeout=60, check=False)


def answers(done):
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("folder", ["/", "home", "repo"])
def test_it_stands_anywhere_and_writes_nothing(folder, home, repo):
    where = {"home": home, "repo": repo}.get(folder, folder)
    before = files(home)
    with Server(where) as server:
        assert server.about["capabilities"] == {"tools": {}}
        assert len(server.ask("tools/list")["result"]["tools"]) == 4
        assert server.end() == (0, b"", b"")

    assert files(home) == before
    assert files(repo) == ["file.txt"]


def test_it_stands_in_a_folder_that_is_gone(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f"cd {folder} && rmdir {folder} && exec {START}"
    done = subprocess.run(["sh", "-c", command], input=PING, capture_output=True, timeout=60, check=False)

    assert (done.returncode, json.loads(done.stdout)) == (0, PONG)  # the shell itself complains of the folder


def test_it_stands_without_a_home(repo):
    env = {"PATH": os.environ["PATH"]}
    done = subprocess.run([START], input=PING, capture_output=True, cwd=repo, env=env, timeout=60, check=False)

    assert answers(done) == [PONG]


def test_it_is_started_through_a_link_and_from_a_folder_with_a_blank(tmp_path, repo):
    plugin = tmp_path / "a plugin"
    plugin.symlink_to(paths.PLUGIN_ROOT)
    done = subprocess.run([plugin / "bin" / "belay-mcp"], input=PING, capture_output=True, cwd=repo, check=False)

    assert answers(done) == [PONG]


def test_an_interpreter_that_the_pointer_names_comes_first(tmp_path, repo):
    data = tmp_path / "data"
    data.mkdir()
    named = tmp_path / "python"
    named.write_text(f'#!/bin/sh\necho named >> "{tmp_path}/used"\nexec "{sys.executable}" "$@"\n')
    named.chmod(0o755)
    (data / "python").write_text(f"{named}\n")

    assert answers(run(PING, repo, CLAUDE_PLUGIN_DATA=str(data))) == [PONG]
    assert (tmp_path / "used").read_text() == "named\n"


def test_without_a_python_it_says_what_is_missing(tmp_path, repo):
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", START],
        input=PING,
        capture_output=True,
        cwd=repo,
        env={"PATH": str(tmp_path)},
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"needs Python 3.10 or newer" in done.stderr


def test_a_start_loads_next_to_nothing(repo):
    door = paths.resource("lib", "belay", "mcp", "__main__.py")
    beyond = trace(repo, [door], {}) - trace(repo, ["-c", "pass"], {})
    own = {name for name in beyond if name.partition(".")[0] == "belay"}

    assert beyond - own <= ALLOWED
    assert own <= {
        "belay",
        "belay.core",
        "belay.core.json_codec",
        "belay.core.constants",
        "belay.core.errors",
        "belay.core.kinds",
        *(name for name in own if ".mcp" in name),
    }


def test_switched_off_it_stands_without_tools(repo):
    with Server(repo, environ={"BELAY": "off"}) as server:
        assert "instructions" not in server.about
        assert server.ask("tools/list")["result"]["tools"] == []
        assert server.ask("tools/call", name="memory_search")["error"]["code"] == -32602


def test_the_last_line_needs_no_end(repo):
    assert answers(run(PING + PING.rstrip(), repo)) == [PONG, PONG]


def test_an_empty_input_is_left_at_once(repo):
    assert answers(run(b"", repo)) == []


def test_a_closed_input_is_left_at_once(repo):
    done = subprocess.run(["sh", "-c", f"exec {START} <&-"], capture_output=True, cwd=repo, timeout=60, check=False)

    assert answers(done) == []


def test_a_far_too_long_line_is_passed_over(repo):
    long = b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (3 * LINE_BYTES) + b'"}\n'
    first, second = answers(run(long + PING, repo))

    assert first["error"]["code"] == -32600
    assert second == PONG


def test_garbage_between_lines_is_answered_and_passed_over(repo):
    garbage = [b"\xff\xfe\x00", b"{", b"Content-Length: 12", b"", b"\r", b"null", b"[" * 5000]
    told = answers(run(b"".join(line + b"\n" + PING for line in garbage), repo))

    assert [one for one in told if one == PONG] == [PONG] * len(garbage)
    assert {one["error"]["code"] for one in told if one != PONG} <= {-32700, -32600}


def test_a_client_that_does_not_listen_is_left_quietly(repo, tmp_path):
    errors = tmp_path / "errors"
    command = f"({START}; echo $? >&2) 2> {errors} | true"
    subprocess.run(["sh", "-c", command], input=PING * 10_000, cwd=repo, timeout=60, check=False)

    assert errors.read_text() == "0\n"


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_and_quietly(repo, sign):
    with Server(repo) as server:
        server.process.send_signal(sign)
        begun = time.monotonic()
        status, out, err = server.end()

    assert time.monotonic() - begun < 5
    assert (status in (0, -sign), out, err) == (True, b"", b"")


def test_our_own_break_is_answered_and_logged(repo, tmp_path):
    """A plugin whose tool lost its module, as in the middle of an update, goes on answering."""
    import shutil

    shutil.copytree(paths.resource("lib"), tmp_path / "p" / "lib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(paths.resource("bin"), tmp_path / "p" / "bin")
    (tmp_path / "p" / "lib" / "belay" / "mcp" / "search.py").write_text("raise ValueError('torn')\n")
    call = (
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"a"}}}\n'
    )
    done = subprocess.run(
        [tmp_path / "p" / "bin" / "belay-mcp"], input=call + PING, capture_output=True, cwd=repo, check=False
    )
    first, second = answers(done)

    assert (first["id"], first["error"]["code"]) == (7, -32603)
    assert second == PONG
    with open(paths.log_file(os.environ), encoding="utf-8") as log:
        assert "torn" in log.read()


def test_the_start_script_can_be_executed():
    assert os.stat(START).st_mode & stat.S_IXUSR
