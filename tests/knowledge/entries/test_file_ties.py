"""Which files an entry is tied to."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.core import paths
from belay.core.errors import BadInput
from belay.knowledge.entries import file_ties


@pytest.fixture
def tree(project):
    os.makedirs(project.at("lib", ".hidden"))
    for name in ("lib/auth.py", "lib/.hidden/x", ".env.example"):
        with open(project.at(*name.split("/")), "w"):
            pass
    return project


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see lib/auth.py", ["lib/auth.py"]),
        ("see `lib/auth.py:12`, (lib/auth.py) and “file.txt”.", ["lib/auth.py", "file.txt"]),
        ("all of lib/ and ./lib/.hidden/x", ["lib/", "lib/.hidden/x"]),
        ("copy .env.example first", [".env.example"]),
        ("lib alone is a word, and so is auth", []),
        ("never / nor .. nor . nor ./ nor ~/x nor /etc/passwd", []),
        ("gone.py ../repo/file.txt\0 a\0b.c", []),
    ],
)
def test_files_that_a_text_names_and_that_stand(tree, text, names):
    assert file_ties.find_named(tree, text) == names


def test_a_link_that_leads_out_ties_nothing(tree):
    os.symlink("/etc", tree.at("lib", "out"))

    assert file_ties.find_named(tree, "lib/out/passwd and lib/out") == []
    with pytest.raises(BadInput):
        file_ties.make_relative(tree, tree.root, "lib/out/passwd")


def test_only_a_few_files_of_one_text(tree):
    for at in range(20):
        open(tree.at(f"f{at}.md"), "w").close()

    assert len(file_ties.find_named(tree, " ".join(f"f{at}.md" for at in range(20)))) == file_ties.MOST


@given(st.text(max_size=60))
def test_no_text_names_what_lies_outside(text):
    here = paths.Project(os.path.dirname(os.path.abspath(__file__)))

    assert [name for name in file_ties.find_named(here, text) if name.startswith(("/", ".."))] == []
