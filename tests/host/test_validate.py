"""The package passes the client's own validation, on both versions, and the plugin directory's."""

import json
import shutil

import pytest
from host.api import Api
from host.client import ROOT, VERSIONS

PARTS = (".claude-plugin", "bin", "commands", "hooks", "lib", "skills", "templates")
FILES = ("LICENSE", "README.md", "plugin.json")


@pytest.fixture
def copy(tmp_path):
    """The plugin without what a working copy holds besides."""
    folder = tmp_path / "belay"
    folder.mkdir()
    for name in PARTS:
        if (ROOT / name).exists():
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=ignore)
    for name in FILES:
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    return folder


def validate(client, *args):
    with Api() as api:
        done = client(api, plugins=()).plugin("validate", *args)
    assert done.returncode == 0, done.stdout
    assert "Validation passed" in done.stdout
    return done.stdout


def test_plugin_and_its_marketplace_are_valid(client, copy):
    assert "marketplace" in validate(client, "--strict", copy)


def test_plugin_alone_is_valid(client, copy):
    # 2.1.240 looks at the marketplace only where both manifests stand (HOST §2.3).
    (copy / ".claude-plugin" / "marketplace.json").unlink()

    assert "plugin manifest" in validate(client, "--strict", copy)


@pytest.mark.parametrize("version", VERSIONS[-1:])  # the profile is unknown to older clients
def test_plugin_directory_would_take_it(client, copy):
    assert "found nothing to report" in validate(client, "--strict", "--profile", "directory", copy)


def test_marketplace_installs(client, copy):
    with Api() as api:
        one = client(api, plugins=())
        added = one.plugin("marketplace", "add", copy)
        installed = one.plugin("install", "belay@belay")
        listed = one.plugin("list", "--json")

    assert added.returncode == 0, added.stdout
    assert installed.returncode == 0, installed.stdout
    assert "belay@belay" in [plugin["id"] for plugin in json.loads(listed.stdout)]
