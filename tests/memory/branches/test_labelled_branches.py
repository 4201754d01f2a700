"""Branches whose names hold a secret: their memory is found again, and no file names the secret."""

import os
from pathlib import Path

import pytest
from branchworld import OVERLAY, commit, merge, project, remember
from repos import git
from secretsamples import made

from belay.memory.branches import fold, merge_status, offers, overlay, view
from belay.memory.branches.slug import branch_slug
from belay.repository import projects
from belay.repository.git import branches
from belay.safety.labels import make_label

NAMES = [f"feature/{kind}" for kind in ("gh" + "p_" + made(36), "AK" + "IAQ7Z2B4M5X6C8V9N3", "password=Hunter2x9")]
OTHER = "feature/gh" + "p_" + made(36, seed=2)


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


def bytes_of(root):
    kept = [path for path in Path(root).rglob("*") if path.is_file() and ".git" not in path.parts]
    return b"".join(str(path.relative_to(root)).encode() + path.read_bytes() for path in kept)


def secret(name):
    return name.rpartition("/")[2].rpartition("=")[2].encode()


def test_an_overlay_is_found_again_on_return(repo, name):
    _work(repo, name)
    git(repo, "switch", "-q", "main")
    git(repo, "switch", "-q", name)
    here = project(repo)
    label = overlay.current_branch(here)

    assert label == make_label(name) != name
    assert overlay.find_overlay(here, label) == overlay.overlay_path(here, label)
    assert overlay.read_overlay(here, os.environ, label)[1].count("rates by country") == 1
    assert projects.tip(here.common_dir, label) == git(repo, "rev-parse", "HEAD")
    git(repo, "pack-refs", "--all")
    assert projects.tip(here.common_dir, label) == git(repo, "rev-parse", "HEAD")


def test_no_file_holds_the_secret(repo, name):
    _work(repo, name)

    assert secret(name) not in bytes_of(repo)


def _work(repo, name):
    git(repo, "switch", "-qc", name)
    commit(repo, "tax.py", "rate = 1\n", "tax")
    remember(repo, overlay.current_branch(project(repo)))


def test_two_branches_that_differ_in_the_secret_have_two_overlays(repo):
    for branch in (NAMES[0], OTHER):
        git(repo, "switch", "-qc", branch, "main")
        remember(
            repo, make_label(branch), OVERLAY + f"\n## Blockers\n- {len(branch)} {branch_slug(make_label(branch))}\n"
        )

    paths = {overlay.find_overlay(project(repo), make_label(branch)) for branch in (NAMES[0], OTHER)}
    assert len(paths) == 2
    assert all(paths)


def test_it_is_folded_when_it_is_merged(repo, name):
    _work(repo, name)
    git(repo, "switch", "-q", "main")
    merge(repo, name)
    here, label = project(repo), make_label(name)

    assert fold.find_foldable(here) == {label: "merge"}
    assert [row["branch"] for row in offers.find_offers(here, os.environ)] == [label]
    assert fold.plan_fold(here, os.environ, name).branch == label
    git(repo, "branch", "-qd", name)
    assert branches.find_commit(here.common_dir, label) == ""
    assert branches.find_left_commit(here.git_dir, label)
    assert fold.find_foldable(here) == {label: "merge"}


def test_a_renamed_branch_keeps_its_overlay(repo, name):
    _work(repo, name)
    git(repo, "branch", "-m", "feature/plain")
    here = project(repo)

    assert overlay.list_names(here, "feature/plain") == ["feature/plain", make_label(name)]
    assert merge_status.find_owners(here) == {"feature/plain": overlay.overlay_path(here, make_label(name))}


def test_an_overlay_under_the_name_itself_gets_the_labels(repo, name):
    git(repo, "switch", "-qc", name)
    here = project(repo)
    old = remember(repo, path=overlay.overlay_path(here, name), text=OVERLAY.replace("{branch}", "x"))
    label = overlay.current_branch(here)

    assert overlay.find_overlay(here, label) == old
    assert overlay.settle_name(here, os.environ, label) == overlay.overlay_path(here, label)
    assert not os.path.exists(old)


def test_another_branchs_memory_is_shown_by_name_or_label(repo, name):
    git(repo, "switch", "-qc", name)
    remember(repo, name)  # as an older version wrote it
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "its memory")
    git(repo, "switch", "-q", "main")
    here = project(repo)
    for wanted in (name, make_label(name)):
        said = view.describe_branch(here, os.environ, wanted)
        assert "rates by country" in said
        assert secret(name).decode() not in said
