"""Without a current environment a command runs on what is installed; one that lacks a library says which."""

import io
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from belay.cli import plain_help
from belay.cli.command_table import COMMANDS
from belay.cli.knowledge.search import command as search_command
from belay.core import environment as core_environment
from belay.core import paths
from belay.setup import launcher

BELAY = paths.resource("bin", "belay")
CLOSED = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0", "PIP_TIMEOUT": "2"}


@pytest.fixture(scope="module")
def outdated(tmp_path_factory):
    """A machine without a network, whose environment was built for an earlier lock file and holds click alone."""
    home = tmp_path_factory.mktemp("home")
    tools = home / "tools"
    tools.mkdir()
    for name in ("sh", "git"):
        os.symlink(shutil.which(name), tools / name)
    os.symlink(os.path.realpath(core_environment.base_python()), tools / "python3")
    environ = {**CLOSED, "HOME": str(home), "PATH": str(tools), "PIP_CONFIG_FILE": os.devnull}
    folder = core_environment.venv(environ)
    subprocess.run([tools / "python3", "-m", "venv", folder], check=True, env=environ)
    env = core_environment.Env(os.path.join(folder, "bin", "python"), "00000000", core_environment.version())
    shutil.copytree(Path(click.__file__).parent, Path(env.packages) / "click")
    Path(core_environment.env_file(environ)).write_text(f"{env.python}\n{env.crc}\n{env.version}\n")
    project = home / "project"
    project.mkdir()
    return environ, project


def run(machine, *args):
    environ, project = machine
    return subprocess.run(
        [BELAY, *args], env=environ, cwd=project, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_offline_a_command_runs_on_what_is_installed_and_says_so_once(outdated):
    first = run(outdated, "gotcha", "the users table has no index")

    assert (first.returncode, first.stdout.startswith("Recorded")) == (0, True)
    offline = "belay: set-up: offline: the package index cannot be reached; go online, then run: belay setup."
    assert first.stderr.splitlines()[-1] == f"{offline} Going on with the packages that are installed."
    begun = time.monotonic()
    second = run(outdated, "recent")
    assert (second.returncode, second.stderr) == (0, "")
    assert "users table" in second.stdout
    assert time.monotonic() - begun < 20


def test_a_command_that_lacks_a_library_names_it_in_one_line(outdated):
    run(outdated, "status")
    (outdated[1] / "MEMORY.md").write_text("# Memory\n")
    needs = {"health": "markdown-it-py", "wrap-up": "pyyaml"}
    for name, distribution in needs.items():
        done = run(outdated, name)
        line = f"belay: {distribution}: is not installed, and this command needs it; run: belay setup\n"
        assert (done.returncode, done.stderr, done.stdout) == (1, line, "")
        error = json.loads(run(outdated, name, "--json").stdout)["error"]
        assert (error["where"], error["mend"]) == (distribution, "run: belay setup")


def test_set_up_itself_still_fails(outdated):
    done = run(outdated, "setup")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("belay: set-up: offline")


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"], ["search", "--help"], ["gotcha", "-h"]])
def test_help_on_a_fresh_machine_builds_and_writes_nothing(tmp_path, args):
    home = tmp_path / "home"
    home.mkdir()
    environ = {**CLOSED, "HOME": str(home), "PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull}
    python = os.path.realpath(core_environment.base_python())
    without_click = [python, "-s", "-E", "-c", NO_CLICK, paths.resource("lib"), *args]
    for command in ([BELAY, *args], without_click):
        done = subprocess.run(command, env=environ, cwd=home, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        said = done.stdout or done.stderr  # click prints the help that nobody asked for as an error
        assert said.startswith("Usage: belay")
        assert "setting up" not in said
        assert list(home.iterdir()) == []


NO_CLICK = """
import runpy, sys
sys.modules["click"] = None
sys.argv = sys.argv[1:]
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "click" else found(name)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_the_short_help_names_every_command_with_its_words_and_options():
    text = plain_help.render([])
    rows = [line.split(None, 1) for line in text.splitlines() if line.startswith("  ")]

    assert {row[0]: len(row) for row in rows} == dict.fromkeys(COMMANDS, 2)
    search = plain_help.render(["search", "--help"])
    options = {option for param in search_command.params for option in param.opts if option.startswith("-")}
    assert {option for option in options - {"--db"} if option not in search} == set()  # every command may get --db
    assert "belay search refund rounding" in search
    assert not plain_help.is_asked(["decision", "--", "-h"])


BARE_PYTHON = """
import os, sys
sys.path.insert(0, sys.argv[1])
sys.modules["click"] = None
from belay.setup.launcher import enter
enter(["status", "--json"], os.environ)
"""


def test_without_click_a_command_says_why_there_is_no_command_line(tmp_path):
    environ = {**os.environ, **CLOSED, "HOME": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    python = os.path.realpath(core_environment.base_python())
    command = [python, "-c", BARE_PYTHON, paths.resource("lib")]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, cwd=tmp_path)

    assert done.returncode == 1
    error = json.loads(done.stdout)["error"]
    assert error["what"] == "offline: the package index cannot be reached"
    assert "Going on" not in done.stderr


BLOCKED = """
import sys
for name in {names}:
    sys.modules[name] = None
from belay.cli.main import main
main()
"""


def blocked(folder, *args):
    """Run the command line where only click is installed."""
    names = [name for name in core_environment.LIBRARIES if name != "click"]
    return subprocess.run(
        [sys.executable, "-c", BLOCKED.format(names=names), *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths.resource("lib")},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


BARE = """--help|--version|init|status|budget|buffer|capture always use tabs|journal|triggers|branch list
gotcha the users table has no index|search index|recent|context|stats|review|continue|trust|cleanup|export|index|doctor
statusline|setup --help|uninstall"""


def test_commands_that_need_no_library_run_without_any(repo):
    calls = BARE.replace("\n", "|").split("|")
    done = {call: blocked(repo, *call.split()) for call in calls}

    assert {call: run.stderr for call, run in done.items() if run.stderr or run.returncode > 1} == {}


def test_help_names_what_is_not_available(repo):
    assert "Not available: pyyaml is not installed." in blocked(repo, "--help").stdout


def test_a_fault_of_our_own_is_no_missing_library(monkeypatch):
    from belay.cli import output

    with pytest.raises(ModuleNotFoundError):
        output.make_unavailable("x", ModuleNotFoundError("no", name="belay.nowhere"))


def test_a_reader_of_the_progress_who_leaves_does_not_end_the_build(monkeypatch):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb", buffering=0) as raw:
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(raw, write_through=True))
        monkeypatch.delenv("CLAUDECODE", raising=False)
        bar = launcher._Bar()
        bar.show(0.5, "asking the package index")
        bar.close()
        sys.stderr.detach()

    assert bar.mute
