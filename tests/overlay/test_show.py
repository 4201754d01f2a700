"""A prompt that asks for another branch gets its memory, through the real hook; git stays where it is."""

import subprocess
import sys

import doors
from branchworld import DECIDED, world
from repos import git

from belay import paths


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


def test_context_for_a_feature_without_an_overlay_says_so(repo):
    world(repo)

    assert "Belay has no overlay for payments" in asked(repo, "Give me the context for the payments feature.")


def test_the_hook_loads_no_parser_for_it(repo):
    world(repo)
    code = (
        "import sys, os; sys.path.insert(0, sys.argv[1]); from belay import paths; from belay.overlay import show; "
        "print(show.told(paths.find(sys.argv[2], os.environ), os.environ, 'tax')[:9]); "
        "print(sorted({'markdown_it', 'click', 'filelock', 'git', 'yaml'} & {m.split('.')[0] for m in sys.modules}))"
    )
    args = [sys.executable, "-S", "-E", "-c", code, paths.resource("lib"), str(repo)]
    done = subprocess.run(args, capture_output=True, text=True, check=False)

    assert done.stdout == "Memory of\n[]\n", done.stderr
