"""A handoff does not repeat what the diff knows to be false."""

import os

import pytest
from dated import commit
from repos import git

from belay.memory import project_survey
from belay.memory.handoff import document, own_memory
from belay.memory.handoff.document import Signed
from belay.repository import projects
from belay.safety import trust

MEMORY = """# Project Memory
Last updated: 2026-03-01 | Session 7 | Branch: main

## Project Overview
Tills for bakeries, with mails by `nodemailer`.

## Where We Left Off
- **Current task:** receipts
- **Status:** in review
- **Next immediate step:** write `docs/receipts.md`

## Active Work
- [ ] Remove `src/tax.ts`
- [ ] Offline mode

## Blockers
- Blocked until the 1.4 release is out
- Waiting for the vendor's contract

## Key Decisions
| Date | Decision | Reasoning | Affects |
|------|----------|-----------|---------|
| 2026-02-02 | `nodemailer` for mails | known \\| simple | src |
| 2026-02-03 | Prices in cents | rounding | `src/tax.ts` |

## Architecture Notes
- Totals are computed in `src/total.ts`

## Known Issues
- `src/tax.ts` rounds down
"""


@pytest.fixture
def bakery(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    package = '{"name": "bakery", "dependencies": {%s}}'
    code = {
        "src/tax.ts": "tax\n" * 9,
        "src/total.ts": "total\n",
        "README.md": "# Bakery\n\nBakery runs the tills of shops.\n",
    }
    commit(tmp_path, "begin", "2026-02-20T10:00:00Z", files={**code, "package.json": package % '"nodemailer": "6"'})
    commit(tmp_path, "remember", "2026-03-01T18:00:00Z", files={"MEMORY.md": MEMORY})
    trust.record(os.environ, str(tmp_path), "MEMORY.md", MEMORY.encode())
    return tmp_path


def later(folder):
    files = {"src/tax.ts": None, "package.json": '{"name": "bakery"}', "docs/receipts.md": "# Receipts\n"}
    sha = commit(folder, "Clean up", "2026-03-10T10:00:00Z", files=files)
    git(folder, "tag", "v1.4")
    return sha[:9]


def handoff(folder):
    project = projects.find(str(folder), os.environ)
    memory = own_memory.read_memory(project, os.environ)
    look = project_survey.survey_project(project, os.environ, "", memory.written)
    return document.render_handoff(look, memory, {}, Signed("2026-03-12", "Ada", "bakery"))


def test_nothing_is_flagged_while_nothing_changed(bakery):
    text = handoff(bakery)

    assert not any(word in text for word in ("perhaps", "outdated", "As of"))
    assert "Tills for bakeries, with mails by `nodemailer`." in text


def test_what_the_project_contradicts_is_flagged_on_its_line(bakery):
    sha = later(bakery)

    lines = handoff(bakery).split("\n")

    assert lines[3] == "Bakery runs the tills of shops. TypeScript (npm)."
    for line in (
        "- **As of:** recorded 2026-03-01 in MEMORY.md, 1 commit ago",
        "- **Next:** write `docs/receipts.md` (perhaps done: docs/receipts.md: added since)",
        f"- [ ] Remove `src/tax.ts` (perhaps done: src/tax.ts: deleted in {sha})",
        "- [ ] Offline mode",
        "- Blocked: until the 1.4 release is out (perhaps over: tag v1.4: is there)",
        "- Blocked: Waiting for the vendor's contract",
        "| 2026-02-02 | `nodemailer` for mails (outdated: package.json: nodemailer was removed since)"
        " | known \\| simple | MEMORY.md |",
        "| 2026-02-03 | Prices in cents | rounding | MEMORY.md |",
        "- Totals are computed in `src/total.ts`",
        f"- `src/tax.ts` rounds down (outdated: deleted in {sha})",
    ):
        assert line in lines, line
