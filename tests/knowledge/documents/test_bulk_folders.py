"""A folder that a program filled and nothing refers to stays out; one sign that people read or write it keeps it in."""

import json
import os
import subprocess

import pytest
from commandline import answer, belay
from repos import git

from belay.knowledge.documents import bulk_folders

MANY = 520


def fill(repo, folder, name="run-{:04}.md", text="# Run {}\n\nIt took {} seconds.\n", number=MANY):
    place = repo / folder
    for at in range(number):
        path = place / name.format(at)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(at, at))


def commit(repo, message="More"):
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", message)


def left_out(repo, *args):
    return answer(repo, "index", *args)["bulk"]


NAMES = {
    "numbered": "run-{:04}.md",
    "a folder each": "case-{}/answer.txt",
    "timed": "2026-03-01T12{:04}-session.md",
    "hashed": "{:08x}-9f3c-4b2a-output.md",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_hundreds_of_files_of_a_program_stay_out(repo, name):
    fill(repo, "eval/runs", name)
    (repo / "eval" / "notes.md").write_text("# Notes\n\nWhat the numbers mean.\n")
    commit(repo)
    found = answer(repo, "index")

    assert found["bulk"] == {"eval/runs/": MANY}
    assert found["indexed"] == 2  # file.txt of the fixture and the notes
    assert belay(repo, "search", "seconds").stdout.startswith("Nothing found")
    assert "eval/notes.md" in belay(repo, "search", "numbers mean").stdout


def test_one_line_says_how_to_take_it_in_and_then_it_stays_in(repo):
    fill(repo, "my runs")
    told = belay(repo, "index").stdout
    assert told.splitlines()[-1] == (
        "Left out: my runs/ (520 files that a program made and nothing refers to); `belay index 'my runs'` takes them in."
    )
    noted = [one for one in answer(repo, "doctor", code=1)["checks"] if one["name"] == "documents"]
    assert ("my runs/ is not indexed" in noted[0]["found"], "belay index 'my runs/'" in noted[0]["mend"]) == (
        True,
        True,
    )
    (repo / "deep").mkdir()
    assert "`belay index '../my runs'`" in belay(repo / "deep", "index").stdout

    assert answer(repo, "index", "my runs")["indexed"] == MANY
    again = answer(repo, "index")
    assert (again["bulk"], again["removed"]) == ({}, 0)
    assert left_out(repo, "--all") == {}


def test_what_was_indexed_before_it_grew_goes(repo):
    fill(repo, "runs", number=bulk_folders.LEAST - 10)
    assert answer(repo, "index")["bulk"] == {}
    fill(repo, "runs")
    found = answer(repo, "index")

    assert (found["bulk"], found["removed"]) == ({"runs/": MANY}, bulk_folders.LEAST - 10)


def mention(repo):
    (repo / "README.md").write_text("# Shop\n\nThe results are in `eval/runs/`.\n")


def link_from_beside(repo):
    (repo / "eval" / "README.md").write_text("# Results\n\nSee [all](runs/run-0001.md).\n")


def read_by_a_program(repo):
    (repo / "codes.py").write_text("".join(f'LOADED.append("run-{at:04}.md")\n' for at in range(MANY)))


def link_to_each_other(repo):
    fill(repo, "eval/runs", text="# Run {}\n\nAs in [the one before](run-{:04}.md).\n")


def come_one_by_one(repo):
    for at in range(0, MANY, 10):
        (repo / "eval" / "runs" / f"run-{at:04}.md").write_text(f"# Run {at}\n\nChanged by hand.\n")
        commit(repo)


SIGNS = (mention, link_from_beside, read_by_a_program, link_to_each_other, come_one_by_one)


@pytest.mark.parametrize("sign", SIGNS, ids=lambda one: one.__name__)
def test_one_sign_of_people_keeps_a_folder_in(repo, sign):
    fill(repo, "eval/runs")
    commit(repo)
    sign(repo)

    assert left_out(repo) == {}


@pytest.mark.parametrize(
    "name",
    [
        "2025-{0:02}-{0:02}.md",
        "2025/{0:02}/{0:02}.md",
        "2025-W{0:02}.md",
        "{:04}-" + "a" * 3 + f"{7:d}" + "-title.md",
    ],
)
def test_days_are_a_journal(name):
    names = [f"journal/{name.format(at)}" for at in range(MANY)]

    assert bulk_folders.find_candidates(names) == ({} if "title" not in name else {"journal/": names})


def test_words_are_names_of_people():
    words = ("intro", "setup", "usage", "notes", "design", "limits", "errors", "faq")
    names = [
        f"docs/{one}/{two}-{three}/v{at}.md" for one in words for two in words for three in words for at in range(3)
    ]

    assert len(names) > MANY
    assert bulk_folders.find_candidates(names) == {}


def test_the_whole_folder_is_never_a_candidate():
    assert bulk_folders.find_candidates([f"run-{at:04}.md" for at in range(MANY)]) == {}


def test_a_folder_that_a_person_named_for_a_database_of_its_own_is_indexed(tmp_path):
    fill(tmp_path, "notes/runs")
    done = belay(tmp_path, "--db", "x.db", "index", "notes", "--json")

    assert json.loads(done.stdout)["indexed"] == MANY


def test_git_is_asked_once(repo, monkeypatch):
    from belay.knowledge.documents import walk
    from belay.knowledge.store.store import Store

    fill(repo, "runs")
    left_out(repo)
    monkeypatch.setattr(walk, "find_mentions", None)
    names, _ = walk.list_files(str(repo))
    with Store(str(repo / ".claude" / "memory" / "workshop.db"), os.environ) as store:
        assert bulk_folders.leave_out(store, str(repo), names, "")[1] == {"runs/": MANY}


def test_where_git_does_not_answer_the_folder_stays_in(repo, monkeypatch):
    from belay.core.errors import BelayError
    from belay.knowledge.documents import walk

    def fail(*_, **__):
        raise BelayError("git", "took over 60 s")

    monkeypatch.setattr(walk, "find_mentions", fail)
    names = [f"runs/run-{at:04}.md" for at in range(MANY)]
    assert bulk_folders._judge(str(repo), "runs/", names, "", []) == [0, "in"]
    monkeypatch.undo()
    subprocess.run(["git", "init", "-q", "."], cwd=repo, check=True)
    assert bulk_folders._judge(str(repo), "runs/", names, "", [0, "in"])[1] == "out"
