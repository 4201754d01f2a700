"""Tests with the real client, on its oldest and its newest supported version."""

import sys
from pathlib import Path

import pytest
from host.client import ROOT, VERSIONS, Client

HERE = Path(__file__).resolve().parent


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.host)


@pytest.fixture(params=VERSIONS)
def version(request):
    """A version of the client; the test runs once with each."""
    return request.param


@pytest.fixture
def client(version, home, repo):
    """Return a maker of clients: client(api) has this plugin, the test's home and its repository."""

    def make(api, plugins=(ROOT,), cwd=repo, **more):
        return Client(version, home, cwd, api, plugins, **more)

    return make


@pytest.fixture
def shop(repo, home):
    """A repository with one source file, and a command line whose environment is the tests' own."""
    data = home / ".local" / "share" / "belay"
    data.mkdir(parents=True)
    (data / "env").write_text(f"{sys.executable}\n0\n0\n")
    (repo / "pay.py").write_text("def refund(order):\n    return order\n")
    return repo
