"""A prompt that asks for another branch gets its memory, through the real hook; git stays where it is."""

import subprocess
import sys

import doors
import pytest
from branchworld import BASE, DECIDED, remember, world
from repos import git

from belay.core import paths


def asked(root, prompt):
    return doors.said(doors.run("user_prompt_submit", root, prompt=prompt, prompt_id="p-1"))[0]


def test_switch_to_a_branch_shows_its_memory(repo):
    world(repo)

    told = asked(repo, "Switch to feature/tax please.")

    assert "Memory of feature/tax, from .memory/branches/feature-tax-" in told
    assert DECIDED in told
    assert "git was not switched" in told
    assert git(repo, "branch", "--show-current") == "main"
    assert doors.log() == ""


def test_a_tracked_overlay_comes_from_its_branchs_own_tree(repo):
    world(repo, tracked=True)

    told = asked(repo, "Switch to feature/tax please.")

    assert "in branch feature/tax's own tree (git was not switched):" in told
    assert DECIDED in told
    assert doors.log() == ""


def test_the_slash_command_brings_it_along(repo):
    world(repo, tracked=True)

    assert DECIDED in asked(repo, "/switch feature/tax")
    assert DECIDED in asked(repo, "/belay:switch 'tax'")
    assert "no overlay for $(touch x)" in asked(repo, "/switch $(touch x)")
    assert asked(repo, "/switch") == asked(repo, "/switcher tax") == ""
    assert not (repo / "x").exists()
    assert doors.log() == ""


def test_context_for_a_feature_without_an_overlay_says_so(repo):
    world(repo)

    assert "Belay has no overlay for payments" in asked(repo, "Give me the context for the payments feature.")


@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("wanted", ["tax", "till"])
def test_the_hook_loads_no_parser_for_it(repo, tracked, wanted):
    world(repo, tracked=tracked)
    git(repo, "switch", "-qc", "till")
    remember(repo, text=BASE.replace("the till", "the drawer"), path=str(repo / "MEMORY.md"))
    git(repo, "commit", "-qam", "its memory")
    git(repo, "switch", "-q", "main")
    code = (
        "import sys, os; sys.path.insert(0, sys.argv[1]); from belay.core import paths; from belay.repository import projects; from belay.memory.branches import view as show; "
        "print(show.describe_branch(projects.find(sys.argv[2], os.environ), os.environ, sys.argv[3])[:9]); "
        "print(sorted({'markdown_it', 'click', 'filelock', 'git', 'yaml'} & {m.split('.')[0] for m in sys.modules}))"
    )
    args = [sys.executable, "-S", "-E", "-c", code, paths.resource("lib"), str(repo), wanted]
    done = subprocess.run(args, capture_output=True, text=True, check=False)

    assert done.stdout == "Memory of\n[]\n", done.stderr
