"""Where learnings belong, on the seed's own examples and on three invented projects."""

import json
from pathlib import Path

import pytest
from repos import git

from belay.places import hierarchy
from belay.places.placing import placing

DATA = json.loads((Path(__file__).parents[1] / "data" / "places" / "placing.json").read_text(encoding="utf-8"))
LEAST_RIGHT = 50


def build(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return hierarchy.read(str(root))


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    return {name: build(folder / name, files) for name, files in DATA["trees"].items() if not (folder / name).mkdir()}


def test_sixty_statements_go_where_they_belong(trees):
    placed = [(row, placing.place(trees[row["tree"]], row["text"])) for row in DATA["statements"]]
    wrong = [f"{row['text']}: {found.choice.file}" for row, found in placed if found.choice.file not in row["files"]]

    assert len(placed) == 60
    assert len(placed) - len(wrong) >= LEAST_RIGHT, "\n".join(wrong)


def test_each_choice_has_a_reason_of_its_own(trees):
    whys = [placing.place(trees[row["tree"]], row["text"]).choice.why for row in DATA["statements"]]

    assert all(whys)
    assert len(set(whys)) > len(whys) / 2


def test_the_reason_quotes_what_is_there(trees):
    choice = placing.place(trees["python"], "find_free_slots skips lunch breaks").choice

    assert choice.why.startswith("names `find_free_slots`, which src/clinic/appointments/slots.py:1 defines")
    assert (choice.file, choice.exists) == ("src/clinic/appointments/CLAUDE.md", False)


def test_a_state_of_the_work_outweighs_the_feature_it_names(trees):
    found = placing.place(trees["go"], "✅ services/payouts/internal/ledger/ledger.go is append-only now")

    assert found.choice.file == ".orchestre/CLAUDE.md"
    assert found.others[0].file == "services/payouts/CLAUDE.md"


def test_the_heading_that_fits_is_named(trees):
    found = placing.place(trees["seed"], "useAuth returns twice: a known issue").choice

    assert (found.file, found.heading) == ("src/features/auth/CLAUDE.md", "Known Issues & Solutions")
    lines = DATA["trees"]["seed"][found.file].splitlines()
    assert lines[found.line - 1] == "## Known Issues & Solutions"


def test_a_name_that_many_folders_define_belongs_to_none(tmp_path):
    files = {f"services/s{number}/main.go": "package main\n\nfunc runAll() {}\n" for number in range(6)}
    found = placing.place(build(tmp_path, files), "runAll starts the workers")

    assert found.choice.file == "CLAUDE.md"


def test_the_root_is_the_file_that_the_project_has(tmp_path):
    found = placing.place(build(tmp_path, {".claude/CLAUDE.md": "# Memory\n"}), "We agreed to squash pull requests")

    assert found.choice.file == ".claude/CLAUDE.md"
    assert "agreement" in found.choice.why


@pytest.mark.parametrize(
    "text", ["`$(touch x)`; rm -rf /", "-e --open-files-in-pager=sh", "[[[ (((", "\\", "a" * 10000]
)
def test_hostile_text_is_only_text(trees, text):
    assert placing.place(trees["seed"], text).choice.file
