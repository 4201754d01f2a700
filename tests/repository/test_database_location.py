"""Where the knowledge base lies: every combination of places against the seven rules, written down as one flat list."""

import itertools
import os
from pathlib import Path

import pytest
from repos import git, repository

from belay.core.errors import ForeignText, NotAProject
from belay.repository import database_location, projects

OURS, WORK, OLD = ".claude/memory", ".claude-work/memory", ".workshop"
ORDER = (
    (3, "pkg/deep/.claude/memory"), (3, "pkg/.claude/memory"), (3, ".claude/memory"),
    (4, "pkg/deep/.claude-work/memory"), (4, ".claude-work/memory"),
    (5, "pkg/deep/.workshop"), (5, ".workshop"),
    (6, "tools/.claude/memory"), (6, "tools/.claude-work/memory"), (6, "tools/.workshop"),
)  # fmt: skip
"""Rules 3 to 6 for a session in pkg/deep and a program tools/bin/w, each place by its rule, the first one wins."""
NAMED = ("", "inside", "outside", "accepted")


@pytest.fixture
def world(tmp_path, home):
    """A repository below a folder that has databases of its own, and a HOME that has some too: never to be found."""
    root = repository(tmp_path / "above" / "repo")
    for trap in (tmp_path / "above", home):
        for folder in (OURS, WORK, OLD):
            stand(trap / folder)
    (root / "pkg" / "deep").mkdir(parents=True)
    (root / "tools" / "bin").mkdir(parents=True)
    (root / "tools" / "bin" / "w").write_text("")
    return root


def stand(folder, there=True):
    path = Path(folder, "workshop.db")
    if there:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    else:
        path.unlink()
    return str(path)


def gray(bits):
    """Yield (bit that changes, its new state) so that every combination of the bits comes up once."""
    state = [False] * bits
    for number in range(1, 1 << bits):
        bit = (number & -number).bit_length() - 1
        state[bit] = not state[bit]
        yield bit, tuple(state)


def look(root, **named):
    environ = {**os.environ, **{key: value for key, value in named.items() if value}}
    return database_location.find(str(root / "pkg" / "deep"), environ, str(root / "tools" / "bin" / "w"))


def test_every_combination_of_places(world):
    expected = look(world)
    assert (expected.rule, expected.path) == (7, str(world / OURS / "workshop.db"))
    seen = set()
    for bit, state in gray(len(ORDER)):
        stand(world / ORDER[bit][1], state[bit])
        rule, folder = next((place for place, there in zip(ORDER, state, strict=True) if there), (7, OURS))

        found = look(world)

        assert (found.rule, found.path) == (rule, str(world / folder / "workshop.db")), state
        seen.add((rule, folder))
    assert len(seen) == len(ORDER)


@pytest.mark.parametrize("database", NAMED)
@pytest.mark.parametrize("root", NAMED)
def test_every_combination_of_variables(world, tmp_path, database, root):
    out, folders = tmp_path / "elsewhere", (OURS, WORK, OLD)
    given = {"inside": world / "pkg", "outside": out / "no", "accepted": out / "yes"}
    values = {
        "WORKSHOP_DB": str(given[database] / "own.db") if database else "",
        "WORKSHOP_ROOT": str(given[root]) if root else "",
    }
    project = projects.find(str(world), os.environ)
    for name, kind in (("WORKSHOP_DB", database), ("WORKSHOP_ROOT", root)):
        if kind == "accepted":
            assert database_location.accept(project, {**os.environ, name: values[name]}, name)
    for present in itertools.product((False, True), repeat=3):
        for folder, there in zip(folders, present, strict=True):
            if there != (world / folder / "workshop.db").exists():
                stand(world / folder, there)
        first = next((kind for kind in (database, root) if kind), "")
        if first == "outside":
            with pytest.raises(ForeignText, match="belay trust WORKSHOP_"):
                look(world, **values)
            continue
        found = look(world, **values)
        if database:
            assert (found.rule, found.path) == (1, values["WORKSHOP_DB"])
        elif root:
            assert (found.rule, found.path) == (2, os.path.join(values["WORKSHOP_ROOT"], OURS, "workshop.db"))
        else:
            assert found.rule == next((3 + at for at, there in enumerate(present) if there), 7)


def test_a_program_outside_of_the_project_finds_nothing(world, tmp_path):
    tools = tmp_path / "above" / "tools"
    stand(tools / OURS)

    assert database_location.find(str(world), os.environ, str(tools / "w")).rule == 7


def test_a_linked_worktree_goes_on_at_the_main_checkout(world, tmp_path):
    git(world, "worktree", "add", "-q", str(tmp_path / "side"))
    there = str(tmp_path / "side")
    stand(tmp_path / "side" / OLD)
    stand(world / WORK)
    assert database_location.find(there, os.environ).rule == 5
    main = stand(world / OURS)
    assert (
        database_location.find(there, os.environ).rule,
        database_location.find(there, os.environ).path,
    ) == (3, main)
    own = stand(tmp_path / "side" / OURS)
    assert database_location.find(there, os.environ).path == own


def test_a_link_that_leads_out_is_passed_over(world, tmp_path):
    theirs = stand(tmp_path / "victim")
    (world / OLD).mkdir()
    (world / OLD / "workshop.db").symlink_to(theirs)
    assert database_location.find(str(world), os.environ).rule == 7
    (world / OURS).mkdir(parents=True)
    (world / OURS / "workshop.db").symlink_to(theirs)
    with pytest.raises(ForeignText, match="link out of this project"):
        database_location.find(str(world), os.environ)


def test_relative_names_count_from_the_root_and_a_link_is_followed_before_it_is_believed(world, tmp_path):
    inside = look(world, WORKSHOP_DB="pkg/own.db")
    (world / "way").symlink_to(tmp_path)

    assert inside.path == str(world / "pkg" / "own.db")
    with pytest.raises(ForeignText):
        look(world, WORKSHOP_DB="way/own.db")
    with pytest.raises(ForeignText):
        look(world, WORKSHOP_ROOT="..")


def test_an_accepted_place_is_accepted_for_itself_alone(world, tmp_path):
    project = projects.find(str(world), os.environ)
    one = {**os.environ, "WORKSHOP_DB": str(tmp_path / "one.db")}
    database_location.accept(project, one, "WORKSHOP_DB")

    assert database_location.find(str(world), one).rule == 1
    assert database_location.waiting(project, {**one, "WORKSHOP_DB": str(tmp_path / "two.db")}) == ["WORKSHOP_DB"]


def test_home_is_no_project_but_a_variable_may_name_a_database_there(home):
    with pytest.raises(NotAProject):
        database_location.find(str(home), os.environ)
    assert database_location.find(str(home), {**os.environ, "WORKSHOP_DB": str(home / "own.db")}).rule == 1


def test_folders_and_pipes_are_no_database(world):
    (world / OURS / "workshop.db").mkdir(parents=True)
    (world / WORK).mkdir(parents=True)
    os.mkfifo(world / WORK / "workshop.db")

    assert database_location.find(str(world), os.environ).rule == 7
