"""When a memory was last reviewed: saved by a wrap-up or changed by hand, not saved by Belay alone."""

import json
import os
from pathlib import Path

import pytest
from dated import commit
from repos import git

from belay.core import paths
from belay.memory import reviews
from belay.memory.document import edits, facts, page
from belay.memory.wrapup import sections
from belay.repository import projects
from belay.safety import trust

HEADED = "# Project Memory\nLast updated: 2026-03-01 | Session 4 | Branch: main\n\n## Project Overview\nA till.\n"
UNDATED = "# Till\n\nA till.\n\n## Active Workstreams\n\n### 1. Scanner\n**Status:** begun\n"


@pytest.fixture
def till(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "begin", "2026-02-07T10:00:00Z", files={"MEMORY.md": UNDATED, "till.py": "x = 1\n"})
    return tmp_path


def last_review(folder, text, name="MEMORY.md"):
    project = projects.find(str(folder), os.environ)
    known = facts.read_facts(page.parse(text))
    return reviews.find_last_review(project, os.environ, known, str(folder / name))


def entry(date, written):
    document = {"task": "scanner", "status": "in progress", "next": "read `till.py`", "question": "", "completed": [],
                "active": [], "blockers": [], "preferences": [], "decisions": [], "files": [], "summary": "x"}  # fmt: skip
    return sections.Entry(document, date, "10:00", "abcd1234", "main", "", written, ())


def save(text, date, written):
    made = sections.apply_entry(page.parse(text), entry(date, written), page.parse(HEADED), ("left", "header"), 5)
    return made.text


def test_what_belay_saves_alone_is_no_review(till):
    alone = save(HEADED, "2026-03-09", written=False)
    again = save(alone, "2026-03-12", written=False)

    assert "Last updated: 2026-03-09 | Session 5 | Branch: main | Reviewed: 2026-03-01\n" in alone
    assert [last_review(till, text) for text in (HEADED, alone, again)] == ["2026-03-01"] * 3
    assert facts.read_facts(page.parse(again))["header"]["updated"] == "2026-03-12"


def test_a_wrap_up_is_one(till):
    text = save(save(HEADED, "2026-03-09", written=False), "2026-03-10", written=True)

    assert "Last updated: 2026-03-10 | Session 5 | Branch: main\n" in text
    assert last_review(till, text) == "2026-03-10"


def test_another_header_keeps_the_review():
    text = save(HEADED, "2026-03-09", written=False)
    scored = edits.set_header(page.parse(text), "2026-03-09", 5, "main", 7).text

    assert "| Reviewed: 2026-03-01\nMemory health: 7/10\n" in scored


def test_a_change_by_hand_after_a_save_of_belay_is_one(till):
    project = projects.find(str(till), os.environ)
    for text, how in ((HEADED, "changed"), (HEADED + "a", "written"), (HEADED + "b", "changed")):
        trust.record(os.environ, project.root, "MEMORY.md", text.encode(), how)
    kept = Path(paths.trust_file(os.environ))
    store = json.loads(kept.read_text())
    hashes = store["projects"][project.root]["files"]["MEMORY.md"]["hashes"]
    for sha, when in zip(hashes, ("2026-02-01", "2026-03-02", "2026-03-20"), strict=True):
        hashes[sha] = f"{hashes[sha].partition(' ')[0]} {when}T12:00:00Z"
    kept.write_text(json.dumps(store))

    assert last_review(till, HEADED) == "2026-03-01"  # as git has it from February: a checkout is no change by hand
    (till / "MEMORY.md").write_text(HEADED + "b")
    os.utime(till / "MEMORY.md", (1773748800, 1773748800))
    assert last_review(till, HEADED) == "2026-03-17"
    commit(till, "by hand", "2026-03-19T10:00:00Z")
    assert last_review(till, HEADED) == "2026-03-19"


def test_a_file_without_a_date_has_that_of_its_last_commit(till):
    assert last_review(till, UNDATED) == "2026-02-07"
    commit(till, "code only", "2026-03-08T10:00:00Z", files={"till.py": "x = 2\n"})
    assert last_review(till, UNDATED) == "2026-02-07"

    (till / "MEMORY.md").write_text(UNDATED + "more\n")
    os.utime(till / "MEMORY.md", (1773748800, 1773748800))
    assert last_review(till, UNDATED) == "2026-03-17"


def test_a_form_with_a_date_line_needs_one(till):
    assert last_review(till, HEADED.replace("2026-03-01", "soon")) == ""
    filled = "# Project Memory\n\n## Project Overview\nA till.\n\n## Where We Left Off\n- **Current task:** x\n"
    assert last_review(till, filled) == ""
