"""Tests with the real client, on its oldest and its newest supported version."""

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
