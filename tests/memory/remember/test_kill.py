"""Killed before any change to the disk: a memory file is old or new as a whole, and the same call again does the rest."""

import os

import pytest
from legacy import killed
from repos import git

from belay.core import paths
from belay.memory import distillation, promotion
from belay.memory.branches import overlay
from belay.memory.remember import filing, notes
from belay.safety import trust
from belay.session.session import Session

MEMORY = """\
# Project Memory
## Where We Left Off
- **Current task:** refund handler

## Active Work
- [ ] refund handler

## Blockers
"""
STEPS = 60


def written(project, name, text):
    path = project.at(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    trust.record(os.environ, project.root, name, text.encode())


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


def at_every_step(doing, path, reset):
    """Kill a doing before each of its changes; return the texts the file had afterwards and after another run, and the last one."""
    seen = set()
    for number in range(STEPS):
        reset()
        if not killed(doing, number):
            break
        seen.add(read(path))
        doing()
        seen.add(read(path))
    else:
        pytest.fail("it never came to its end")
    return seen, read(path)


@pytest.mark.parametrize(("kind", "branch"), [("done", ""), ("blocker", ""), ("blocker", "feature/refunds")])
def test_remember_leaves_the_old_or_the_new_file(project, repo, kind, branch):
    written(project, "MEMORY.md", MEMORY)
    if branch:
        git(repo, "checkout", "-qb", branch)
    path = overlay.overlay_path(project, branch) if branch else project.memory_md
    old = read(path)

    def doing():
        session = Session(project, "s-1", os.environ)
        note = notes.build_note(kind, "refund handler", "2026-03-04")
        filing.file_note(session, note, [filing.record_capture(session, kind, "refund handler")])

    def reset():
        written(project, "MEMORY.md", MEMORY)
        if branch and os.path.exists(path):
            os.unlink(path)

    seen, new = at_every_step(doing, path, reset)
    assert seen == {old, new}
    assert new != old


def test_distill_leaves_the_old_or_the_new_file(project):
    written(project, "memory/2026-03-05.md", "- Decision: pnpm over npm\n- Lesson: CI runs in UTC\n")

    def doing():
        distillation.write_proposals(project, os.environ, distillation.find_proposals(project, os.environ), "")

    seen, new = at_every_step(doing, project.memory_md, lambda: written(project, "MEMORY.md", MEMORY))
    assert seen == {MEMORY, new}
    assert "pnpm over npm" in new


def test_promote_leaves_the_old_or_the_new_file(home):
    path = paths.global_memory(os.environ)

    def reset():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write("# Mine\n- one\n")

    seen, new = at_every_step(lambda: promotion.save_learnings(os.environ, ["two"]), path, reset)
    assert seen == {"# Mine\n- one\n", new}
    assert new.endswith(" two\n")
