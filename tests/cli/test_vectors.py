"""`belay vectors` where the extra is not installed: it says so, and searches go on by words."""

import json

from commandline import answer, belay

from belay.knowledge.vectors import embedding


def test_without_vectors_searches_go_by_words(repo):
    belay(repo, "note", "Refunds are rounded")
    told = answer(repo, "vectors")
    assert (told["used"], told["model"], told["missing"]) == ("", embedding.DEFAULT, 1)
    assert json.loads(belay(repo, "search", "refunds", "--json").stdout)["used_vectors"] is False


def test_a_model_in_a_folder_is_named_by_its_whole_path(repo):
    belay(repo, "note", "Refunds are rounded")
    (repo / "model").mkdir()
    assert answer(repo, "vectors", "--model", "model")["model"] == str(repo / "model")


def test_the_setting_names_the_model(repo, project, home):
    import os

    from belay.core import settings

    belay(repo, "note", "Refunds are rounded")
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "belay.yaml").write_text("vectors: someone/small-model\n")
    assert settings.compile_settings(project, os.environ) == []
    assert answer(repo, "vectors")["model"] == "someone/small-model"


def test_building_without_the_packages_says_how_to_get_them(repo):
    told = "is not on this machine" if embedding.is_installed() else "pip install sentence-transformers sqlite-vec"
    belay(repo, "note", "Refunds are rounded")
    done = belay(repo, "vectors", "build", "--model", "no/such-model-anywhere")
    assert (done.returncode, told in done.stderr) == (1, True)
