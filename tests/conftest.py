"""Every test has a home of its own; reaching for the real one fails it."""

import os
import pwd
import sys
import tempfile
from pathlib import Path

import measuring
import pytest
from hypothesis import HealthCheck, settings
from repos import git, repository

# How long an example takes says more of the machine than of us; bench/ holds what time matters.
settings.register_profile("belay", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("belay")

ROOT = Path(__file__).resolve().parents[1]
FOREIGN = ("ANTHROPIC", "BELAY", "CLAUDE", "GIT_", "XDG_")


class ReachedForTheRealHome(AssertionError):
    """A test wrote below the home of whoever runs it."""


def _guard(homes, spared):
    """Refuse writes below `homes` except below `spared`; return the list of what was refused.

    An audit hook cannot be removed, so one list serves the whole run. What a child process writes is not seen;
    children get the temporary HOME.
    """
    refused = []
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    events = {"os.mkdir": 1, "os.remove": 1, "os.rmdir": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2}

    def targets(event, args):
        if event == "open":
            return args[:1] if args[2] and args[2] & writing else ()
        return args[: events.get(event, 0)]

    def hook(event, args):
        if event != "open" and event not in events:
            return
        for path in targets(event, args):
            if not isinstance(path, (str, bytes, os.PathLike)):
                continue
            full = os.path.abspath(os.fsdecode(path))
            if full.startswith(homes) and not full.startswith(spared):
                refused.append(full)
                raise ReachedForTheRealHome(f"{event} of {full}; use the test's own HOME")

    sys.addaudithook(hook)
    return refused


def _folders(*paths):
    return tuple({os.path.join(form, "") for p in paths if p for form in (os.path.abspath(p), os.path.realpath(p))})


REFUSED = _guard(
    _folders(os.environ.get("HOME"), pwd.getpwuid(os.getuid()).pw_dir),
    _folders(ROOT, tempfile.gettempdir(), sys.prefix, sys.base_prefix, sys.pycache_prefix, "/dev"),
)


if measuring.BY_TEST in os.environ:

    def pytest_runtest_setup(item):
        measuring.name(item.nodeid.partition("[")[0])


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch):
    """A new HOME, data and client folder; no set-up in the background, no setting from outside."""
    folder = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(FOREIGN) and not name.startswith("CLAUDE_BIN"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / ".local" / "share"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder / ".claude"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("BELAY_SETUP", "off")
    # A version manager's shim costs each hook 60 ms and looks for its settings in HOME.
    own = os.path.dirname(os.path.realpath(sys.executable))
    monkeypatch.setenv("PATH", own + os.pathsep + os.environ.get("PATH", os.defpath))
    before = len(REFUSED)
    yield folder
    assert REFUSED[before:] == []


@pytest.fixture
def repo(tmp_path):
    """A git repository with one commit of file.txt, its user set locally."""
    folder = repository(tmp_path / "repo")
    git(folder, "config", "user.name", "Ada")
    git(folder, "config", "user.email", "ada@example.org")
    return folder


@pytest.fixture
def project(repo):
    """The repository as Belay sees it."""
    from belay.repository import projects

    return projects.find(str(repo), os.environ)
