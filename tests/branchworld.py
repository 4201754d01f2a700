"""Repositories with a branch that has a memory of its own."""

import os

from repos import git

from belay.memory import memory_files
from belay.memory.branches import overlay
from belay.repository import projects

BASE = """# Project Memory
Last updated: 2026-03-01 | Session 9 | Branch: main

## Active Work
- [ ] the till

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-02-01 | SQLite | one file | store |
"""
OVERLAY = """# Branch Memory: `{branch}`
Last updated: 2026-03-04 | Session 3 | Branch: {branch}

## Where We Left Off
- **Status:** done

## Active Work
- [x] the table of rates
- [ ] rates by country

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-03-02 | Decimal | cents | tax.py |
"""
DECIDED = "| 2026-03-02 | Decimal | cents | tax.py |"


def project(root):
    return projects.find(str(root), os.environ)


def commit(root, name, text, message="change"):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)
    return git(root, "rev-parse", "HEAD")


def remember(root, branch="feature/tax", text=OVERLAY, path=""):
    """Write an overlay as Belay does; return its path."""
    here = project(root)
    path = path or overlay.settle_name(here, os.environ, branch)
    assert (
        memory_files.write_file(here, os.environ, path, overlay.stamp_overlay(here, branch, text.format(branch=branch)))
        == ""
    )
    return path


def world(root, branch="feature/tax", *, tracked=False):
    """Give a repository a MEMORY.md and a branch with work and an overlay; main is checked out again."""
    assert memory_files.write_file(project(root), os.environ, str(root / "MEMORY.md"), BASE) == ""
    git(root, "add", "-A")
    git(root, "commit", "-qm", "memory")
    git(root, "switch", "-qc", branch)
    commit(root, "tax.py", "rate = 1\n", "tax")
    commit(root, "rates.csv", "a,b\n", "rates")
    remember(root, branch)
    if tracked:
        git(root, "add", "-A")
        git(root, "commit", "-qm", "its memory")
    else:
        with open(root / ".git" / "info" / "exclude", "a") as file:
            file.write(".memory/\n.claude/\n")
    git(root, "switch", "-q", "main")


def squash(root, branch="feature/tax"):
    git(root, "merge", "-q", "--squash", branch)
    git(root, "commit", "-qm", "Tax (#7)")


def merge(root, branch="feature/tax"):
    git(root, "merge", "-q", "--no-ff", "-m", "tax", branch)
