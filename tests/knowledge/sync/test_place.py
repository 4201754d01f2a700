"""Where the shared memory is, and under which names a project and a person are in it."""

import os

import pytest
from repos import git

from belay.core import settings as core_settings
from belay.core.errors import BadInput
from belay.knowledge.sync import place, question, shared_search

SERVER = "https://q.example.org:6333"


def configure(project, home, **fields):
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "belay.yaml").write_text("".join(f"{key}: {value}\n" for key, value in fields.items()))
    core_settings.compile_settings(project, os.environ)


def find(project, *given):
    return place.find_place(project, os.environ, *given)


def test_a_project_has_the_name_of_its_remote_in_every_clone(project, repo):
    assert find(project, SERVER) == (SERVER, "repo", "Ada")
    git(repo, "remote", "add", "origin", "git@git.example.org:Team/API.git")
    assert find(project, SERVER).project == "git.example.org/team/api"
    git(repo, "remote", "set-url", "origin", "https://me:s3cretPassw0rd@git.example.org/team/api?token=abc")
    assert find(project, SERVER).project == "git.example.org/team/api"


def test_a_call_and_the_settings_name_it_otherwise(project, home):
    configure(project, home, qdrant=SERVER, qdrant_project="shop", qdrant_person="Ana Li")
    assert find(project) == (SERVER, "shop", "Ana Li")
    assert find(project, "https://other.example.org", "web").project == "web"
    assert find(project, "https://other.example.org").where == "https://other.example.org"


def test_a_place_without_a_project_is_the_one_that_is_named():
    assert find(None, SERVER, "shop") == (SERVER, "shop", "")
    with pytest.raises(BadInput, match="is not known"):
        find(None)


def test_a_name_is_one_harmless_line(project):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert find(project, SERVER, "a\x1b[2J\nb").project == "a [2J b"
    assert secret not in find(project, SERVER, f"x {secret}").project
    assert find(project, SERVER, "///").project == "project"


def test_an_address_is_shown_without_its_password(project):
    assert find(project, "https://me:s3cretPassw0rd@q.example.org:6333/x").shown == "https://q.example.org:6333/x"


def test_a_question_without_a_word_asks_nobody(project, home):
    configure(project, home, qdrant="http://127.0.0.1:9")
    search = shared_search.begin(project, os.environ, question.Wanted("the"))
    assert search.asking is None
    assert "there is no word in the query" in shared_search.finish(search).note
