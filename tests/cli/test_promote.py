"""belay promote: shown first, written with --yes."""

import os

from commandline import answer, belay

from belay.core import paths


def test_nothing_is_written_without_yes(repo):
    path = paths.global_memory(os.environ)
    shown = belay(repo, "promote", "Conventional commits")

    assert shown.stdout == f"Nothing is written yet; --yes adds to {path}:\n- Conventional commits\n"
    assert not os.path.exists(path)
    assert answer(repo, "promote", "Conventional commits", "--yes")["written"]
    with open(path) as file:
        assert file.read().endswith(" Conventional commits\n")
    assert answer(repo, "promote", "--undo")["undone"] == [path]
    assert not os.path.exists(path)
    assert belay(repo, "promote", "--undo").returncode == 1


def test_wrong_names_are_told(repo):
    assert "is not offered" in belay(repo, "promote", "G-ABCDEF", "--yes").stderr
    assert belay(repo, "promote", "--dismiss").returncode == 2
    assert belay(repo, "promote", " ").stderr == 'belay: the text: is empty; say what to keep: belay promote "…"\n'
    assert answer(repo, "promote")["candidates"] == []


def test_a_file_that_is_a_link_is_left_alone(repo, tmp_path):
    path = paths.global_memory(os.environ)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(tmp_path / "elsewhere", path)

    assert answer(repo, "promote", "x y", "--yes", code=1)["why"] == "is a symbolic link"
