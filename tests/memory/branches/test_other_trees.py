"""What only another branch's own tree holds: read at its tip, believed as in a work tree, listed with its place."""

import os
import subprocess

import pytest
from branchworld import BASE, DECIDED, OVERLAY, commit, project, remember, world
from repos import git

from belay.memory import memory_files
from belay.memory.branches import fold, other_trees, overlay, view
from belay.repository import vetting
from belay.safety import trust

PATH = ".memory/branches/feature-tax.md"


def memory(root, wanted):
    return view.find_memory(project(root), os.environ, wanted)


def keep(root, path, text):
    """Write a file as Belay does and commit it."""
    assert memory_files.write_file(project(root), os.environ, str(root / path), text) == ""
    git(root, "add", "-A")
    git(root, "commit", "-qm", "kept")


def mine(root, name, path, text, start="main"):
    """Commit a file that Belay wrote on a new branch; main is checked out again."""
    git(root, "switch", "-qc", name, start)
    keep(root, path, text)
    git(root, "switch", "-q", "main")


def test_a_tracked_overlay_is_read_at_its_branchs_tip(repo):
    world(repo, tracked=True)

    found = memory(repo, "feature/tax")

    assert not os.path.exists(project(repo).overlays)
    assert (found.branch, found.source, found.ref, found.why) == ("feature/tax", "tree", "feature/tax", "")
    assert found.file == project(repo).relative(overlay.overlay_path(project(repo), "feature/tax"))
    assert DECIDED in found.text
    assert memory(repo, "tax") == found
    assert memory(repo, "Feature Tax") == found
    assert git(repo, "branch", "--show-current") == "main"


def test_the_work_trees_overlay_goes_before_the_committed_one(repo):
    world(repo, tracked=True)
    here = remember(repo, text=OVERLAY + "\nnewer\n")

    found = memory(repo, "tax")

    assert (found.source, found.ref, found.place) == ("worktree", "", project(repo).relative(here))
    assert "newer" in found.text


def test_a_renamed_branch_keeps_the_overlay_of_its_tree(repo):
    world(repo, tracked=True)
    old = overlay.overlay_path(project(repo), "feature/tax")
    git(repo, "branch", "-m", "feature/tax", "feature/levy")

    assert memory(repo, "levy").file == project(repo).relative(old)
    git(repo, "branch", "feature/tax", "main")  # the name is another branch's now
    assert memory(repo, "feature/levy").overlay is False
    assert memory(repo, "feature/tax").source == "worktree"


def test_a_plain_name_counts_for_the_branch_that_its_header_names(repo):
    commit(repo, "MEMORY.md", BASE)
    mine(repo, "feature/tax", PATH, OVERLAY.format(branch="feature/tax"))
    mine(repo, "feature-tax", "other.txt", "x\n", "feature/tax")

    assert memory(repo, "feature/tax").file == PATH
    assert memory(repo, "feature-tax").overlay is False


def test_a_strangers_overlay_stays_unknown_until_it_is_accepted(repo, tmp_path):
    world(repo, tracked=True)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    vetting.read_trusted(project(clone), os.environ, [])

    found = memory(clone, "feature/tax")

    assert (found.text, found.why, found.ref) == ("", "came with the repository", "origin/feature/tax")
    told = view.describe_branch(project(clone), os.environ, "feature/tax")
    assert f"switch to that branch; read it, then: belay trust {found.file}" in told
    assert DECIDED not in told
    git(clone, "switch", "-q", "feature/tax")
    trust.accept(os.environ, str(clone), found.file, (clone / found.file).read_bytes())
    git(clone, "switch", "-q", "main")
    assert DECIDED in memory(clone, "feature/tax").text
    git(clone, "branch", "-qD", "feature/tax")
    assert memory(clone, "feature/tax").place.endswith("in branch origin/feature/tax's own tree")
    assert memory(clone, "origin/feature/tax") == memory(clone, "tax")


def test_what_was_committed_here_is_known_and_what_was_fetched_is_not(repo, tmp_path):
    commit(repo, "MEMORY.md", BASE)
    vetting.read_trusted(project(repo), os.environ, [])
    path = project(repo).relative(overlay.overlay_path(project(repo), "mine"))
    git(repo, "switch", "-qc", "mine")
    commit(repo, path, OVERLAY.format(branch="mine"))
    git(repo, "switch", "-q", "main")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    git(clone, "switch", "-qc", "theirs")
    other = project(repo).relative(overlay.overlay_path(project(repo), "theirs"))
    commit(clone, other, OVERLAY.format(branch="theirs"))
    git(repo, "fetch", "-q", str(clone), "theirs:theirs")

    assert DECIDED in memory(repo, "mine").text
    assert memory(repo, "theirs")[1:4] == (other, "", "came with the repository")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "has git conflict markers (line 1)"),
        ("caf\udce9\n", "is not UTF-8"),
        ("x" * (1 << 20) + "\n", "is over 1 MB"),
    ],
    ids=["conflict", "bytes", "size"],
)
def test_what_is_refused_in_a_work_tree_is_refused_in_a_tree(repo, text, why):
    git(repo, "switch", "-qc", "odd")
    path = overlay.overlay_path(project(repo), "odd")
    os.makedirs(os.path.dirname(path))
    data = text.encode("utf-8", "surrogateescape")
    with open(path, "wb") as file:
        file.write(data)
    trust.record(os.environ, str(repo), project(repo).relative(path), data)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "odd")
    git(repo, "switch", "-q", "main")

    assert (memory(repo, "odd").text, memory(repo, "odd").why) == ("", why)


@pytest.mark.parametrize("name", ["a;touch${IFS}x", "$(id)", "it's", "ä/ö", "-x" * 2 + "/é`"])
def test_names_that_a_shell_would_read_are_names(repo, name):
    name = name.lstrip("-")
    mine(
        repo,
        name,
        project(repo).relative(overlay.overlay_path(project(repo), name)),
        OVERLAY.format(branch=name),
    )

    assert memory(repo, name).branch == name
    assert memory(repo, name).source == "tree"
    assert DECIDED in memory(repo, name).text
    assert [*view.find_remote_overlays(project(repo))] == [name]


@pytest.mark.parametrize("wanted", ["../../x", "a\nb", "\0", "-d", "*", "refs/heads/main", "HEAD", " ", "x" * 5000])
def test_what_is_no_branchs_name_finds_nothing(repo, wanted):
    world(repo, tracked=True)

    assert memory(repo, wanted).file == ""
    assert view.describe_branch(project(repo), os.environ, wanted).startswith("Belay has no overlay for ")


def test_a_name_that_would_turn_the_line_round_is_left_out(repo):
    git(repo, "update-ref", "refs/heads/a\u202eb", "HEAD")

    assert [tip.name for tip in other_trees.list_tips(project(repo))] == ["main"]


def test_work_trees_of_a_bare_repository(repo, tmp_path):
    bare, main, side = tmp_path / "store.git", tmp_path / "main", tmp_path / "side"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    git(bare, "worktree", "add", "-q", str(main), "main")
    git(bare, "worktree", "add", "-q", "-b", "side", str(side), "main")
    keep(
        side,
        project(side).relative(overlay.overlay_path(project(side), "side")),
        OVERLAY.format(branch="side"),
    )

    assert memory(main, "side").source == "tree"
    assert DECIDED in memory(main, "side").text
    git(bare, "worktree", "remove", "--force", str(side))
    assert memory(main, "side").why == "came with the repository"


def test_a_linked_work_tree_trusts_what_its_main_checkout_wrote(repo, tmp_path):
    world(repo, tracked=True)
    side = tmp_path / "side"
    git(repo, "worktree", "add", "-q", "-b", "side", str(side), "main")

    assert DECIDED in memory(side, "feature/tax").text
    keep(
        side,
        project(side).relative(overlay.overlay_path(project(side), "side")),
        OVERLAY.format(branch="side"),
    )
    assert DECIDED in memory(repo, "side").text


def test_a_worktree_that_does_not_point_back_lends_no_trust(repo, tmp_path):
    mine(
        repo,
        "side",
        project(repo).relative(overlay.overlay_path(project(repo), "side")),
        OVERLAY.format(branch="side"),
    )
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    forged = clone / ".git" / "worktrees" / "x"
    forged.mkdir(parents=True)
    (forged / "gitdir").write_text(f"{repo}/.git\n")

    assert memory(clone, "side").why == "came with the repository"


def test_the_checked_out_branch_has_what_its_work_tree_has(repo):
    world(repo, tracked=True)
    git(repo, "switch", "-q", "feature/tax")
    os.unlink(overlay.overlay_path(project(repo), "feature/tax"))

    assert memory(repo, "feature/tax") == view.BranchMemory("feature/tax")
    assert view.find_remote_overlays(project(repo)) == {}


def test_without_an_overlay_the_branchs_memory_tells_where_it_stands(repo):
    commit(repo, "MEMORY.md", BASE)
    text = BASE.replace("the till", "the drawer sticks") + "\n## Blockers\n- a key\n"
    mine(repo, "till", "MEMORY.md", text)
    assert memory(repo, "till").why == "came with the repository"  # it was changed on text nobody had accepted
    trust.record(os.environ, str(repo), "MEMORY.md", text.encode())
    git(repo, "branch", "same")

    found = memory(repo, "till")

    assert (found.file, found.source, found.overlay) == ("MEMORY.md", "tree", False)
    assert found.text == "## Active Work\n- [ ] the drawer sticks\n## Blockers\n- a key"
    told = view.describe_branch(project(repo), os.environ, "till")
    assert told.startswith("Memory of till, from MEMORY.md in branch till's own tree (git was not switched):\n")
    assert "and its MEMORY.md is the one here" in view.describe_branch(project(repo), os.environ, "same")
    git(repo, "switch", "-q", "till")
    assert memory(repo, "main").why == "came with the repository"  # nobody here wrote that one


def test_state_is_read_by_headings_alone():
    text = (
        "\ufeff# Project Memory\nStatus\n## Where We Left Off\r\n- **Status:** open\r\n### Detail\nmore\n"
        "```sh\n# Key Decisions\n```\n<!-- note -->\n\n## Key Decisions\n- no\n### Blockers\n- yes\n#### Log\nin\n"
        "### Preferences\n- no\n## Next Steps\n- [ ] go\n"
    )
    assert view.extract_state(text).split("\n") == [
        "## Where We Left Off", "- **Status:** open", "### Detail", "more", "```sh", "# Key Decisions", "```",
        "### Blockers", "- yes", "#### Log", "in", "## Next Steps", "- [ ] go",
    ]  # fmt: skip
    assert view.extract_state("") == ""


def test_a_folded_overlay_is_not_listed_again(repo):
    world(repo, tracked=True)
    git(repo, "merge", "-q", "--no-ff", "-m", "tax", "feature/tax")
    assert view.find_remote_overlays(project(repo)).keys() == {"feature/tax"}
    fold.apply_fold(project(repo), os.environ, fold.plan_fold(project(repo), os.environ))

    assert view.find_remote_overlays(project(repo)) == {}
    assert DECIDED in memory(repo, "feature/tax").text


def test_of_many_branches_the_newest_are_looked_through_and_any_is_found_by_its_name(repo, monkeypatch):
    monkeypatch.setattr(other_trees, "MOST", 2)
    world(repo, tracked=True)
    for number in range(3):
        git(repo, "switch", "-qc", f"new-{number}")
        commit(repo, "new.txt", str(number))
    git(repo, "switch", "-q", "main")
    newest = "2099-01-01T00:00:00Z"
    for number in range(3):
        sha = subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit-tree", "-m", "x", f"new-{number}^{{tree}}"],
            cwd=repo, env={**os.environ, "GIT_COMMITTER_DATE": newest}, capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        git(repo, "update-ref", f"refs/heads/new-{number}", sha)

    assert len(other_trees.list_tips(project(repo))) == 2
    assert view.find_remote_overlays(project(repo)) == {}
    assert DECIDED in memory(repo, "feature/tax").text


def test_without_git_there_is_nothing_elsewhere(project):
    project.git_dir = project.common_dir = ""

    assert view.find_memory(project, os.environ, "feature/tax") == view.BranchMemory("feature/tax")
    assert view.find_remote_overlays(project) == {}
