"""Projects in which commands are killed: each function prepares one and returns how to run the command there."""

import os
from pathlib import Path

from repos import git
from sessions import DOCUMENT, NAME, start

from belay.memory.branches import overlay as branches_overlay
from belay.repository import projects
from belay.safety import trust
from belay.session.session import Session

MEMORY = """# Project Memory
Last updated: 2026-10-09 | Session 9 | Branch: main
Memory health: 7/10

## Project Overview
A shop.

## Where We Left Off
- **Current task:** rotate the tokens
- **Next immediate step:** go on in `file.txt`

## Completed
{done}
## Active Work
- [ ] refund handler

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-10-01 | Postgres | known | db |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| `file.txt` | one line | session 3 |

## Session Log
| Session | Date | Summary |
|---------|------|---------|
{rows}
## User Preferences
- short answers
"""
ROWS = "".join(f"| {at} | 2026-10-{at:02d} | did {at} |\n" for at in range(3, 10))


LONG = 175
"""Completed items of a memory that is over 200 lines."""


def memory(project, done=3):
    """Write a trusted memory file with so many completed items."""
    items = "".join(f"- 2026-09-{1 + at % 28:02d} item number {at}\n" for at in range(done))
    write(project, "MEMORY.md", MEMORY.format(done=items, rows=ROWS))


def write(project, name, text):
    path = Path(project.at(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    trust.record(os.environ, project.root, name, text.encode())


def wrap_up(project):
    memory(project)
    start(project)
    return {"argv": ["wrap-up", "--apply"], "stdin": DOCUMENT}


def wrap_up_on_a_branch(project):
    memory(project)
    git(project.root, "switch", "-qc", "feature/tokens")
    start(project)
    return {"argv": ["wrap-up", "--apply"], "stdin": DOCUMENT}


def wrap_up_that_compresses(project):
    memory(project, LONG)
    start(project)
    return {"argv": ["wrap-up", "--apply"], "stdin": DOCUMENT}


CONSOLIDATE = """
import os
from belay.consolidate import session as consolidate; from belay.core import paths; from belay.repository import projects
consolidate.run(projects.find(os.getcwd(), os.environ), os.environ, ending=True)
"""


def session_end(project):
    memory(project, LONG)
    session = start(project)
    session.log("capture", id="C-BBBBBB", classes={"decision": 1.0}, text="pnpm only", origin="hand", branch="main")
    session.log("end", reason="other")
    return {"code": CONSOLIDATE}


def remember(project):
    memory(project)
    return {"argv": ["remember", "--as", "decision", "Zod for validation because it infers types"]}


def remember_done(project):
    memory(project)
    return {"argv": ["remember", "--as", "done", "refund handler"]}


def memory_set(project):
    memory(project)
    return {"argv": ["memory", "set", "MEMORY.md", "Project Overview"], "stdin": "A shop for bread.\n"}


def compress(project):
    memory(project, LONG)
    return {"argv": ["compress"]}


def branch_fold(project):
    memory(project)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "memory")
    git(project.root, "switch", "-qc", "side")
    overlay = project.relative(branches_overlay.overlay_path(project, "side"))
    write(
        project,
        overlay,
        "# Branch Memory: `side`\nBranch: side\n\n## Active Work\n- [ ] side work\n\n## Blockers\n- key\n",
    )
    Path(project.at("side.txt")).write_text("side\n")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "side")
    git(project.root, "switch", "-q", "main")
    git(project.root, "merge", "-q", "--no-ff", "-m", "merge", "side")
    return {"argv": ["branch", "fold", "side", "--yes"]}


def rebuild(project):
    Path(project.at("README.md")).write_text("# Shop\nA shop for bread.\n")
    memory(project)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "Decide on Postgres")
    return {"argv": ["rebuild", "--yes"]}


def handoff(project):
    memory(project)
    return {"argv": ["handoff"]}


def diff_repair(project):
    memory(project)
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "memory")
    git(project.root, "mv", "file.txt", "moved.txt")
    git(project.root, "commit", "-qm", "move")
    return {"argv": ["diff", "--repair"]}


def promote(project):
    memory(project)
    return {"argv": ["promote", "Conventional commits everywhere", "--yes"]}


PLACES = {
    one.__name__: one
    for one in (
        wrap_up, wrap_up_on_a_branch, wrap_up_that_compresses, session_end, remember, remember_done, memory_set,
        compress, branch_fold, rebuild, handoff, diff_repair, promote,
    )
}  # fmt: skip


def session(project):
    """Return the session in whose name commands run."""
    return Session(project, NAME, os.environ)


def found(repo):
    return projects.find(str(repo), os.environ)
