"""The name that git gives a text, computed without git."""

import subprocess

import pytest

from belay.repository.git import versions


@pytest.mark.parametrize("data", [b"", b"- one row\n", b"\0\xff" * 4096])
@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_blob_has_the_name_that_git_gives_it(repo, data, algorithm):
    subprocess.run(["git", "init", "-q", f"--object-format={algorithm}", "other"], cwd=repo, check=True)
    done = subprocess.run(
        ["git", "hash-object", "--stdin", "-w"], cwd=repo / "other", input=data, capture_output=True, check=True
    )
    name = done.stdout.decode().strip()

    assert versions.find_text(str(repo / "other"), data, name) == name
    assert versions.find_text(str(repo / "other"), data + b"more", name) == ""
