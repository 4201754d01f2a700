"""`belay diff` through the command line's own face."""

import json
import os
import time

import pytest
import story
from click.testing import CliRunner
from dated import commit
from repos import git
from schemas import check

from belay.cli.main import belay
from belay.safety import trust

MEMORY = """# Project Memory
Last updated: 2026-03-01 | Session 4 | Branch: main

## Project Overview
A shop. Using Express.

## Active Work
- [ ] handleRefund() needs implementation

## Key Files
| File | Purpose | Last Modified |
|------|---------|---------------|
| src/old.ts | all of it | session 2 |

## Session Log
| Session | Date | Summary |
|---------|------|---------|
| 6 | 2026-03-01 | begun |
"""
REPAIRED = MEMORY.replace("src/old.ts", "src/new.ts").replace("Session 4", "Session 6")


def call(*args):
    done = CliRunner().invoke(belay, ["diff", "--json", *args])
    return done.exit_code, check("diff", json.loads(done.output))


@pytest.fixture
def shop(tmp_path, monkeypatch):
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.email", "ada@example.org")
    body = "".join(f"line {at}\n" for at in range(20))
    express = json.dumps({"dependencies": {"express": "4"}})
    files = {"src/old.ts": body, "package.json": express, "MEMORY.md": MEMORY}
    commit(folder, "begin", "2026-03-01T10:00:00Z", files=files)
    git(folder, "mv", "src/old.ts", "src/new.ts")
    commit(folder, "Implement handleRefund()", "2026-03-02T10:00:00Z")
    fastify = json.dumps({"dependencies": {"fastify": "5"}})
    commit(folder, "Swap\x1b[2J the server", "2026-03-03T10:00:00Z", "Bob", {"package.json": fastify})
    monkeypatch.chdir(folder)
    return folder


def test_json_has_everything(shop):
    code, found = call()

    assert code == 0
    assert [row["kind"] for row in found["conflicts"]] == ["counter", "stack", "done", "renamed"]
    assert [row["mine"] for row in found["commits"]] == [False, True]


def test_the_report_for_people(shop):
    done = CliRunner().invoke(belay, ["diff"])

    assert done.exit_code == 0
    assert "2 commits: 1 by you, 1 by Bob." in done.output
    assert "`src/old.ts` was renamed to `src/new.ts`" in done.output
    assert "`package.json` (+fastify, -express)" in done.output
    assert "`belay diff --repair` corrects 2 of them" in done.output
    assert "also ticks 1 finished item." in done.output
    assert "\x1b" not in done.output


def test_a_dry_run_shows_and_writes_nothing(shop):
    code, found = call("--repair", "--dry-run")

    assert (code, found["written"]) == (0, False)
    assert "-| src/old.ts | all of it | session 2 |\n+| src/new.ts | all of it | session 2 |\n" in found["diff"]
    assert (shop / "MEMORY.md").read_text() == MEMORY


def test_repair_then_undo(shop):
    assert call("--repair")[1]["written"]
    assert (shop / "MEMORY.md").read_text() == REPAIRED
    assert call("--repair")[1]["written"] is False

    assert call("--undo") == (0, {"undone": ["MEMORY.md"]})
    assert (shop / "MEMORY.md").read_text() == MEMORY
    assert call("--undo")[0] == 1


def test_ticks_when_asked(shop):
    call("--repair", "--ticks")

    assert (shop / "MEMORY.md").read_text() == REPAIRED.replace("- [ ] handle", "- [x] handle")


def test_no_memory_and_one_that_is_left_alone(shop):
    os.unlink(shop / "MEMORY.md")
    assert call()[1]["error"]["what"] == "does not exist"

    (shop / "MEMORY.md").write_text("<<<<<<< ours\n" + MEMORY)
    code, found = call("--repair")

    assert (code, found["error"]["what"]) == (1, "has git conflict markers (line 1)")


def test_calls_that_make_no_sense(shop):
    for args in (["--ticks"], ["--dry-run"], ["--undo", "--repair"]):
        assert CliRunner().invoke(belay, ["diff", *args]).exit_code == 2


def test_without_a_repository(tmp_path, monkeypatch):
    (tmp_path / "MEMORY.md").write_text(MEMORY)
    monkeypatch.chdir(tmp_path)

    code, found = call()

    assert (code, found["commits"]) == (0, [])
    assert "there are no commits here to compare with" in CliRunner().invoke(belay, ["diff"]).output


def test_on_a_branch_its_overlay_is_compared_and_repaired_too(tmp_path, monkeypatch):
    shop = story.tell(tmp_path / "shop")
    monkeypatch.chdir(shop)
    git(shop, "checkout", "-q", story.BRANCH)
    git(shop, "mv", "src/profiles.js", "src/users.js")
    story.commit(shop, "Users", story.ADA, time.time())
    overlay = ".memory/branches/feature-user-profiles.md"

    _, found = call()
    moved = [row for row in found["conflicts"] if row["kind"] == "renamed"]

    assert found["days"] == 3
    assert [(row["file"], row["path"]) for row in moved] == [(overlay, "src/profiles.js")]
    _, done = call("--repair")
    assert done["written"]
    assert {row["file"] for row in done["repairs"]} == {overlay}
    text = (tmp_path / "shop" / overlay).read_text()
    assert "`saveAvatar()` in `src/users.js`" in text
    assert "| `src/profiles.js` |" in text  # what was decided is not rewritten
    assert call("--undo") == (0, {"undone": [overlay]})
    assert "src/users.js" not in (tmp_path / "shop" / overlay).read_text()


def test_in_a_package_its_memory_is_compared_and_repaired_too(shop, monkeypatch):
    (shop / "web").mkdir()
    near = shop / "web" / "MEMORY.md"
    near.write_text(MEMORY.replace("A shop. Using Express.", "Its pages."))
    trust.record(os.environ, str(shop), "web/MEMORY.md", near.read_bytes())
    before = near.read_text()
    _, root = call()
    assert not any("file" in row for row in root["conflicts"])

    monkeypatch.chdir(shop / "web")
    _, found = call()
    _, done = call("--repair")
    assert {row.get("file", "") for row in found["conflicts"]} == {"", "web/MEMORY.md"}
    assert done["written"]
    assert "src/new.ts" in near.read_text() != before
    assert (shop / "MEMORY.md").read_text() == REPAIRED
    assert set(call("--undo")[1]["undone"]) == {"MEMORY.md", "web/MEMORY.md"}
    assert near.read_text() == before
