"""The environment: built for real, once; found, finished after a kill, and refused with the mend."""

import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time

import pytest
from schemas import check

from belay.core import environment as core_environment
from belay.core import files, lock, paths
from belay.core.errors import LockTimeout
from belay.knowledge.vectors import piece_table
from belay.setup import build, build_errors, start

BELAY = paths.resource("bin", "belay")
REAL = os.path.realpath(core_environment.base_python())
CLOSED = "http://127.0.0.1:9/simple"


def environment(home, **more):
    """Return an environment as bare as a fresh machine's: a home and a PATH of sh, git and python3 only."""
    tools = home / "tools"
    if not tools.exists():
        tools.mkdir(parents=True)
        for name in ("sh", "git"):
            os.symlink(shutil.which(name), tools / name)
        os.symlink(REAL, tools / "python3")
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name.endswith("_proxy")}
    return {**kept, "HOME": str(home), "PATH": str(tools), **more}


def offline(home, **more):
    """Return an environment whose package index is a closed port."""
    alone = {"PIP_INDEX_URL": CLOSED, "PIP_RETRIES": "0", "PIP_TIMEOUT": "2", "PIP_CONFIG_FILE": os.devnull}
    bare = {name: value for name, value in environment(home).items() if not name.startswith("PIP_")}
    return {**bare, **alone, **more}


def silent(done, what):
    assert 0 <= done <= 1, what


def complete(environ, crc):
    """Put up an environment that looks complete, without building one."""
    python = os.path.join(core_environment.venv(environ), "bin", "python")
    os.makedirs(os.path.dirname(python))
    os.symlink(REAL, python)
    env = core_environment.Env(python, crc, core_environment.version())
    os.makedirs(env.packages)
    build._publish(environ, env)
    return env


def until(check, seconds=60.0):
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def test_the_real_lock_file_builds_and_the_command_line_runs(tmp_path):
    environ = environment(tmp_path)
    heard = []

    env = build.build(environ, lambda done, what: heard.append((done, what)))
    assert core_environment.current(environ).python == env.python
    assert heard == sorted(heard, key=lambda pair: pair[0])
    assert heard[-1] == (1.0, "ready")
    assert 20_000 < len(piece_table.load_table(environ)) < 32_000
    version = subprocess.run([BELAY, "--version"], env=environ, capture_output=True, text=True, check=True)
    assert version.stdout.startswith("belay, version")
    told = subprocess.run([BELAY, "setup", "--json"], env=environ, capture_output=True, text=True, check=True)
    assert check("setup", json.loads(told.stdout))["python"] == env.python

    heard.clear()
    assert build.build(environ, lambda done, what: heard.append((done, what))).python == env.python
    assert heard == [(1.0, "ready")]

    # A lock file that has changed is installed into what stands; a Python that is gone is replaced.
    with open(core_environment.env_file(environ), "w") as file:
        file.write(f"{env.python}\n00000000\n{env.version}\n")
    assert not core_environment.is_current(environ)
    shutil.rmtree(os.path.join(env.packages, "click"))
    os.unlink(env.python)
    os.symlink(tmp_path / "gone", env.python)
    assert build.build(environ, silent).stands(core_environment.crc())
    assert os.path.isdir(os.path.join(env.packages, "click"))


@pytest.fixture
def tiny(tmp_path):
    """A lock file that needs nothing, so that only the virtual environment is built."""
    path = tmp_path / "tiny.lock"
    path.write_text("# nothing is needed\n")
    return str(path)


def test_many_builders_build_once(tmp_path, tiny):
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from belay.setup import build\n"
        "build.build(os.environ, lambda done, what: what.startswith('making') and print(what), 60.0, sys.argv[2])"
    )
    command = [REAL, "-S", "-c", code, paths.resource("lib"), tiny]
    environ = environment(tmp_path)
    running = [subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) for _ in range(4)]

    said = [child.communicate(timeout=100)[0] for child in running]
    assert [child.returncode for child in running] == [0, 0, 0, 0]
    assert "".join(said).count("making") == 1


def test_a_killed_builder_leaves_nothing_in_the_way(tmp_path, tiny):
    environ = environment(tmp_path)
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from belay.setup import build\n"
        "build.build(os.environ, lambda done, what: None, 60.0, sys.argv[2])"
    )
    child = subprocess.Popen([REAL, "-S", "-c", code, paths.resource("lib"), tiny], env=environ, start_new_session=True)
    until(lambda: os.path.exists(os.path.join(core_environment.venv(environ), "pyvenv.cfg")))
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()

    assert not core_environment.is_current(environ)
    assert build.build(environ, silent, 0.0, tiny).stands(core_environment.crc(tiny))


def test_a_second_builder_in_a_hook_does_not_wait(tmp_path, tiny):
    environ = environment(tmp_path)

    with lock.hold(core_environment.guard(environ)):
        assert start.state(environ).kind == "building"
        assert not start.start_detached(environ)
        with pytest.raises(LockTimeout):
            build.build(environ, silent, 0.0, tiny)
    assert start.state(environ).kind == "absent"


def test_an_environment_is_current_only_as_it_was_built(tmp_path):
    environ = environment(tmp_path)
    assert not core_environment.is_current(environ)
    env = complete(environ, core_environment.crc())

    assert core_environment.is_current(environ)
    assert core_environment.packages(environ) == env.packages
    client = {**environ, "CLAUDE_PLUGIN_DATA": str(tmp_path / "plugin")}
    assert core_environment.current(client).python == env.python, "the terminal's serves the plugin too"
    os.rename(env.packages, env.packages + ".other")
    assert not core_environment.is_current(environ), "another Python has other packages"
    os.rename(env.packages + ".other", env.packages)
    os.unlink(env.python)
    assert not core_environment.is_current(environ), "its Python is gone"


@pytest.mark.parametrize("text", ["", "/bin/sh\n", "\0\n\n\n", "x\n" * 9])
def test_a_damaged_env_file_counts_as_none(tmp_path, text):
    environ = environment(tmp_path)
    os.makedirs(paths.plugin_data(environ))
    with open(core_environment.env_file(environ), "w") as file:
        file.write(text)

    assert not core_environment.is_current(environ)


def test_offline_says_so_once_and_is_not_tried_again_at_once(tmp_path):
    environ = offline(tmp_path)
    said = [start.ensure(environ)]
    until(lambda: start.state(environ).kind == "failed")

    said += [start.ensure(environ), start.ensure(environ)]
    assert "setting itself up" in said[0]
    assert "offline: the package index cannot be reached; go online, then run: belay setup" in said[1]
    assert said[2] == ""
    assert not start.start_detached(environ)
    command = subprocess.run([BELAY, "setup"], env=environ, capture_output=True, text=True, check=False)
    assert command.returncode == 1
    assert "belay: set-up: offline" in command.stderr.splitlines()[-1]
    as_json = subprocess.run([BELAY, "setup", "--json"], env=environ, capture_output=True, text=True, check=False)
    assert check("setup", json.loads(as_json.stdout))["error"]["mend"] == "go online, then run: belay setup"


def test_a_wrong_hash_is_named(tmp_path):
    wheel = tmp_path / "index" / "tiny-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"not the pinned bytes")
    pins = tmp_path / "bad.lock"
    pins.write_text(f"tiny==1.0 --hash=sha256:{'0' * 64}\n")
    environ = offline(tmp_path / "home", PIP_FIND_LINKS=str(wheel.parent), PIP_NO_INDEX="1")

    with pytest.raises(build_errors.SetupFailed, match="not the pinned one"):
        build.build(environ, silent, 0.0, str(pins))


def test_an_index_without_a_wheel_is_named_and_no_source_is_built(tmp_path):
    index, built = tmp_path / "index", tmp_path / "built"
    index.mkdir()
    with tarfile.open(index / "tiny-1.0.tar.gz", "w:gz") as archive:
        for name, text in {
            "setup.py": f"open({str(built)!r}, 'w').close()\nimport setuptools\nsetuptools.setup(name='tiny')\n",
            "PKG-INFO": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        }.items():
            row = tarfile.TarInfo(f"tiny-1.0/{name}")
            row.size = len(text)
            archive.addfile(row, io.BytesIO(text.encode()))
    digest = hashlib.sha256((index / "tiny-1.0.tar.gz").read_bytes()).hexdigest()
    pins = tmp_path / "source.lock"
    pins.write_text(f"tiny==1.0 --hash=sha256:{digest}\n")
    environ = offline(tmp_path / "home", PIP_FIND_LINKS=str(index), PIP_NO_INDEX="1")

    with pytest.raises(build_errors.SetupFailed, match=r"no wheel of tiny==1\.0 .* builds no source archive"):
        build.build(environ, silent, 0.0, str(pins))
    assert not built.exists()


def test_a_home_that_cannot_be_written_is_named(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    environ = environment(tmp_path / "home", XDG_DATA_HOME=str(blocked))

    assert start.state(environ).kind == "failed"
    assert not start.start_detached(environ)
    assert "cannot be written; make it writable" in start.notice(environ)
    with pytest.raises(build_errors.SetupFailed, match="cannot be written"):
        build.build(environ, silent, 0.0)


def test_a_python_without_venv_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "__file__", str(tmp_path / "os.py"))

    failed = build_errors.check_ahead(str(tmp_path))
    assert "has no venv" in failed.what
    assert "apt install python3-venv" in failed.mend


@pytest.mark.parametrize(
    ("said", "what"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk is full",
        ),
        ("OSError: [Errno 30] Read-only file system: '/x'", "cannot be written"),
        (
            "The virtual environment was not created successfully because ensurepip is not\navailable.",
            "no venv",
        ),
        (
            "WARNING: Retrying: NewConnectionError('x: Temporary failure in name resolution')\nERROR: No match",
            "offline",
        ),
        ("SSLError(SSLCertVerificationError(1, 'CERTIFICATE_VERIFY_FAILED'))", "certificate"),
        ("ERROR: No matching distribution found for click==9", "no wheel of click==9 for Python"),
        ("ERROR: something that nobody knew", "something that nobody knew"),
        ("", "no output"),
    ],
)
def test_reasons_are_read_from_what_pip_says(said, what):
    failed = build_errors.from_output(said, "/log")

    assert what in failed.what
    assert "belay setup" in failed.mend


def test_switched_off_nothing_starts_and_nothing_is_said(tmp_path):
    environ = offline(tmp_path, BELAY_SETUP="off")

    assert start.ensure(environ) == ""
    assert not start.start_detached(environ)
    assert not os.path.exists(core_environment.venv(environ))


def test_a_command_builds_what_hooks_were_kept_from_building(tmp_path):
    environ = offline(tmp_path, BELAY_SETUP="off")

    done = subprocess.run([BELAY, "status"], env=environ, capture_output=True, text=True, check=False)
    has_click = subprocess.run([REAL, "-c", "import click"], env=environ, capture_output=True).returncode == 0
    assert done.returncode == (0 if has_click else 1)
    assert "making a virtual environment" in done.stderr
    assert "belay setup" in done.stderr.splitlines()[-1]


def test_the_door_is_found_through_links_and_from_anywhere(tmp_path):
    environ = offline(tmp_path, BELAY_SETUP="off")
    environ["PATH"] += ":/usr/bin:/bin"
    os.symlink(BELAY, tmp_path / "first")
    os.symlink("first", tmp_path / "second")

    done = subprocess.run(
        [str(tmp_path / "second"), "x"], env=environ, cwd="/", capture_output=True, text=True, check=False
    )
    assert "run: belay setup" in done.stderr
    nothing = {"HOME": str(tmp_path), "PATH": str(tmp_path)}
    done = subprocess.run(["/bin/sh", BELAY], env=nothing, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no Python 3.10 or newer" in done.stderr


def test_hooks_learn_the_real_interpreter(tmp_path):
    environ = environment(tmp_path)
    core_environment.remember_python(environ)
    named = files.read(core_environment.hook_python(environ)).decode().strip()

    assert os.access(named, os.X_OK)
    assert named == core_environment.base_python()
    with open(core_environment.hook_python(environ), "w") as file:
        file.write("/gone/python\n")
    core_environment.remember_python(environ)
    assert files.read(core_environment.hook_python(environ)).decode().strip() == core_environment.base_python()
    assert sys.version_info >= (3, 10)
