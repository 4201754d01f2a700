"""A memory of three weeks ago, eleven facts of which are wrong by now, and as many that still hold."""

import json
import os

import pytest
from dated import commit, run
from repos import git

from belay.memory.document import facts, page
from belay.memory.drift import session_diff
from belay.repository import projects

MEMORY = """# Project Memory
Last updated: 2026-03-01 | Session 7 | Branch: main
Memory health: 9/10

## Project Overview
Tills for bakeries. Node server with Fastify and Prisma, mails by `nodemailer`.

## Where We Left Off
- **Current task:** receipts
- **Status:** waiting for review
- **Next immediate step:** bump Prisma to 6 and rerun the migrations

## Active Work
- [ ] Print receipts with tax in `src/receipts/print.ts`
- [ ] Remove the old tax table `src/tax/table.ts`
- [ ] Offline mode for tills
- [ ] Tests for the till queue in `src/till/queue.ts`

## Blockers
- Waiting for Zod 4: error maps
- Blocked until the 1.4 release is out
- Waiting for the terminal vendor's contract

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-02-02 | Fastify over Express | speed | src/server.ts |
| 2026-02-10 | Card payments through Adyen | fees | src/pay |
| 2026-02-12 | Prices are integers, in cents | rounding | src/till |

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| src/server.ts | HTTP | session 5 |
| src/till/drawer.ts | cash drawer | session 6 |
| src/till/queue.ts | orders | session 7 |

## Architecture Notes
- `loyalty` counts the stamps of customers
- `src/till` knows nothing of HTTP
- Orders live in Elasticsearch
- Prisma 5 is the only way to the database

## Known Issues
- the drawer opens twice on some tills
"""
BEFORE = {"fastify": "^5.1.0", "prisma": "^5.20.0", "nodemailer": "^6.9.0", "zod": "^3.23.0"}
AFTER = {"fastify": "^5.2.0", "prisma": "^6.1.0", "zod": "^4.0.1", "resend": "^4.0.0"}


def source(name):
    return "".join(f"export const {name}{at} = {at}\n" for at in range(20))


@pytest.fixture
def bakery(tmp_path):
    folder = tmp_path / "bakery"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    names = ("server", "till/drawer", "till/queue", "tax/table", "receipts/list", "loyalty/stamps", "pay/adyenClient")
    files = {f"src/{name}.ts": source(name.replace("/", "_")) for name in names}
    commit(folder, "begin", "2026-02-20T10:00:00Z", files={**files, "package.json": package(BEFORE)})
    commit(folder, "remember", "2026-03-01T18:00:00Z", files={"MEMORY.md": MEMORY})
    git(folder, "tag", "v1.3")
    three_weeks(folder)
    return folder


def package(dependencies):
    return json.dumps({"name": "bakery", "dependencies": dependencies}, indent=1)


def three_weeks(folder):
    commit(
        folder,
        "Update packages, send mails with Resend",
        "2026-03-03T10:00:00Z",
        files={"package.json": package(AFTER)},
    )
    (folder / "src" / "cash").mkdir()
    git(folder, "mv", "src/till/drawer.ts", "src/cash/drawer.ts")
    commit(folder, "Give the cash drawer its own folder", "2026-03-05T10:00:00Z")
    receipts = {"src/receipts/print.ts": source("print"), "src/till/queue.ts": source("queue") + "// faster\n"}
    commit(folder, "Print receipts with tax", "2026-03-08T10:00:00Z", "Bob", receipts)
    commit(folder, "Drop what nobody uses", "2026-03-10T10:00:00Z", files={"src/tax/table.ts": None})
    gone = {"src/loyalty/stamps.ts": None, "src/pay/adyenClient.ts": None, "src/pay/terminal.ts": source("terminal")}
    commit(folder, "Pay at the terminal", "2026-03-12T10:00:00Z", files=gone)
    commit(folder, "Let the till queue compile on Windows", "2026-03-14T10:00:00Z", files={"src/till/queue.ts": "1\n"})
    git(folder, "tag", "v1.4")
    squash = {"MEMORY.md": MEMORY.replace("on some tills", "on old tills"), "src/server.ts": source("server") + "//\n"}
    commit(folder, "Squash of a branch (#12)", "2026-03-20T10:00:00Z", files=squash)
    run(folder, "2026-03-21T10:00:00Z", "commit", "-q", "--allow-empty", "-m", "Trigger the build")


PLANTED = {
    ("absent", "Elasticsearch"): "a product that no file has a trace of",
    ("architecture", "loyalty"): "a removed module",
    ("decision", "Adyen"): "the client of a product, removed",
    ("done", "Print receipts with tax in `src/receipts/print.ts`"): "a finished item",
    ("done", "Remove the old tax table `src/tax/table.ts`"): "a finished removal",
    ("done", "bump Prisma to 6 and rerun the migrations"): "a finished next step",
    ("version", "Prisma 5"): "a version that changed",
    ("renamed", "src/till/drawer.ts"): "a path that moved",
    ("stack", "nodemailer"): "a package that was replaced",
    ("unblocked", "Blocked until the 1.4 release is out"): "a release that was waited for",
    ("unblocked", "Waiting for Zod 4: error maps"): "a version that was waited for",
}


def test_planted_drifts_are_found_and_nothing_else(bakery):
    project = projects.find(str(bakery), os.environ)
    known = facts.read_facts(page.parse((bakery / "MEMORY.md").read_text()))
    found = session_diff.gather_diff(project, known, os.environ, "2026-03-22T12:00:00Z", thorough=True)

    assert {(row["kind"], row["claim"]) for row in found["conflicts"]} == set(PLANTED)
    assert (found["since"], found["days"]) == ("2026-03-01T18:00:00Z", 21)
    assert all(row["evidence"] and row["ask"] for row in found["conflicts"])
