"""A week of ordinary git work on a memory, much of it while no session runs: nothing of one's own is held back."""

import os

import pytest
import trustworld
from repos import git
from trustworld import World

from belay.repository import vetting

NAME = "MEMORY.md"


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


class Week:
    """The user's week: edits of the memory in an editor, and how often Belay looked and held something back."""

    def __init__(self, world):
        self.world, self.root = world, world.mine
        self.looks, self.rows = 0, 0
        self.alarms = []

    def edit(self, root=None, name=NAME):
        """Add a row to the memory, as an editor does that knows nothing of hooks."""
        path = (root or self.root) / name
        self.rows += 1
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text() if path.exists() else "# Notes\n"
        path.write_text(text + f"| `file{self.rows}.py` | own row {self.rows} |\n")
        return path

    def commit(self, root=None, message="own work"):
        self.edit(root)
        git(root or self.root, "commit", "-qam", message)

    def look(self, step, root=None):
        """Look as a session's start does; note what is held back."""
        root = root or self.root
        project = trustworld.project(root)
        names = vetting.candidates(project)
        known, unknown = vetting.read_trusted(project, os.environ, names)
        self.looks += 1
        self.alarms += [f"{step}: {name}" for name in unknown]
        assert NAME in [*known, *unknown], step


def push_of_a_teammate(world, name="code.py", text="rate = 2\n"):
    """Let the teammate push work that touches no memory."""
    git(world.theirs, "switch", "-q", "main")
    git(world.theirs, "pull", "-q", "--rebase")
    trustworld.foreign_commit(world.theirs, name, text)
    git(world.theirs, "push", "-q", "origin", "main")


STEPS = {}


def step(function):
    STEPS[function.__name__.replace("_", " ")] = function
    return function


@step
def edit_in_an_editor(week):
    week.edit()


@step
def edit_and_stage(week):
    week.edit()
    git(week.root, "add", NAME)


@step
def stage_and_unstage(week):
    week.edit()
    git(week.root, "add", NAME)
    git(week.root, "reset", "-q")


@step
def commits(week):
    week.commit()
    week.commit()


@step
def amend(week):
    week.commit()
    week.edit()
    git(week.root, "commit", "-qa", "--amend", "--no-edit")


@step
def pull_rebase(week):
    week.commit()
    push_of_a_teammate(week.world)
    git(week.root, "pull", "-q", "--rebase", "origin", "main")


@step
def pull_with_autostash(week):
    week.edit()
    push_of_a_teammate(week.world, text="rate = 3\n")
    git(week.root, "pull", "-q", "--rebase", "--autostash", "origin", "main")


@step
def pull_with_merge(week):
    week.commit()
    push_of_a_teammate(week.world, text="rate = 4\n")
    git(week.root, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")


@step
def push(week):
    week.commit()
    git(week.root, "push", "-q", "origin", "HEAD:main")
    git(week.root, "fetch", "-q")
    week.commit()


@step
def push_and_pull_what_a_teammate_put_on_top(week):
    week.commit()
    git(week.root, "push", "-q", "origin", "HEAD:main")
    push_of_a_teammate(week.world, text="rate = 5\n")
    git(week.root, "pull", "-q", "--ff-only", "origin", "main")


@step
def merge_of_an_own_branch(week):
    git(week.root, "switch", "-qc", "feature")
    week.commit()
    git(week.root, "switch", "-q", "-")
    git(week.root, "merge", "-q", "--no-ff", "--no-edit", "feature")
    git(week.root, "branch", "-qd", "feature")


@step
def merge_of_two_own_changes(week):
    git(week.root, "switch", "-qc", "other")
    path = week.root / NAME
    path.write_text(path.read_text().replace("# Project Memory\n", f"# Project Memory\nOwn line {week.rows}\n"))
    git(week.root, "commit", "-qam", "head of the file")
    git(week.root, "switch", "-q", "-")
    week.commit()
    git(week.root, "merge", "-q", "--no-edit", "other")
    git(week.root, "branch", "-qd", "other")


@step
def squash_of_an_own_branch(week):
    git(week.root, "switch", "-qc", "squashed")
    week.commit()
    week.commit()
    git(week.root, "switch", "-q", "-")
    git(week.root, "merge", "-q", "--squash", "squashed")
    git(week.root, "commit", "-qm", "all in one")
    git(week.root, "branch", "-qD", "squashed")


@step
def conflict_between_own_branches(week):
    git(week.root, "switch", "-qc", "left")
    week.commit()
    git(week.root, "switch", "-q", "-")
    week.commit()
    text = (week.root / NAME).read_text() + f"| `file{week.rows - 1}.py` | own row {week.rows - 1} |\n"
    with pytest.raises(Exception, match="merge"):
        git(week.root, "merge", "-q", "left")
    (week.root / NAME).write_text(text + f"| `both{week.rows}.py` | put right by hand |\n")
    git(week.root, "commit", "-qam", "both")


def stash(week, *, way="pop", between=lambda: None):
    """Put a change away, let something happen, and take the change out again."""
    week.edit()
    git(week.root, "stash", "-q")
    between()
    git(week.root, "stash", way, "-q")


@step
def stash_and_pop(week):
    stash(week)


@step
def stash_around_a_pull(week):
    def pull():
        push_of_a_teammate(week.world, text="rate = 6\n")
        git(week.root, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")

    stash(week, between=pull)


@step
def stash_that_stays(week):
    stash(week, way="apply")


@step
def worktree(week):
    tree = week.world.folder / f"tree{week.rows}"
    git(week.root, "worktree", "add", "-q", "-b", "tree", str(tree))
    week.commit(tree)
    week.look("in the worktree", tree)
    week.commit(tree)
    git(week.root, "merge", "-q", "--no-edit", "tree")
    git(week.root, "worktree", "remove", "--force", str(tree))
    git(week.root, "branch", "-qD", "tree")


@step
def worktree_that_no_session_saw(week):
    tree = week.world.folder / f"unseen{week.rows}"
    git(week.root, "worktree", "add", "-q", "-b", "unseen", str(tree))
    week.commit(tree)
    git(week.root, "merge", "-q", "--no-edit", "unseen")
    git(week.root, "worktree", "remove", "--force", str(tree))
    git(week.root, "branch", "-qD", "unseen")


@step
def rebase_interactive(week):
    week.commit()
    week.commit(message="fixup! own work")
    week.commit()
    editors = ("-c", "sequence.editor=true", "-c", "core.editor=true")
    git(week.root, *editors, "rebase", "-q", "-i", "--autosquash", "HEAD~3")


@step
def rebase_with_a_reworded_commit(week):
    week.commit()
    week.commit()
    editors = ("-c", "sequence.editor=sed -i 1s/pick/reword/", "-c", "core.editor=true")
    git(week.root, *editors, "rebase", "-q", "-i", "HEAD~2")


@step
def cherry_pick_of_an_own_commit(week):
    git(week.root, "switch", "-qc", "picked")
    week.commit()
    git(week.root, "switch", "-q", "-")
    git(week.root, "cherry-pick", "picked")
    git(week.root, "branch", "-qD", "picked")


@step
def revert(week):
    week.commit()
    git(week.root, "revert", "--no-edit", "HEAD")
    git(week.root, "revert", "--no-edit", "HEAD")


@step
def reset_soft(week):
    week.commit()
    week.commit()
    git(week.root, "reset", "-q", "--soft", "HEAD~2")
    git(week.root, "commit", "-qm", "both")


@step
def checkout_of_an_own_older_text(week):
    week.commit()
    week.edit()
    git(week.root, "checkout", "-q", "HEAD~1", "--", NAME)
    git(week.root, "commit", "-qam", "as before")


@step
def switch_between_own_branches(week):
    git(week.root, "switch", "-qc", "long")
    week.commit()
    week.look("on the branch")
    git(week.root, "switch", "-q", "-")
    week.commit()
    week.look("back")
    git(week.root, "switch", "-q", "long")
    week.look("on the branch again")
    git(week.root, "switch", "-q", "-")
    git(week.root, "branch", "-qD", "long")


@step
def garbage_collection(week):
    week.commit()
    git(week.root, "gc", "-q", "--prune=now")
    week.commit()


@step
def new_lesson(week):
    week.edit(name="tasks/lessons.md")
    week.edit(name="tasks/todo.md")


def run_week(week, *, looks_between):
    git(week.root, "branch", "-q", "--set-upstream-to", "origin/main")
    for name, do in STEPS.items():
        do(week)
        if looks_between:
            week.look(f"{name}, not committed")
        if git(week.root, "status", "--porcelain", "-uno"):
            git(week.root, "commit", "-qam", "the rest")
        if looks_between:
            week.look(name)
    week.look("the end")


@pytest.mark.parametrize("looks_between", [True, False], ids=["a session after each step", "one session at the end"])
def test_a_week_of_own_work_is_never_held_back(world, looks_between):
    week = Week(world)
    run_week(week, looks_between=looks_between)

    print(f"{len(STEPS)} steps, {week.rows} own rows, {week.looks} looks, {len(week.alarms)} false alarms")
    assert week.alarms == []
    assert week.rows > len(STEPS)


def test_what_a_week_of_own_work_wrote_is_injected(world):
    week = Week(world)
    commits(week)
    pull_rebase(week)
    printed = world.start()

    assert trustworld.OWN in printed
