"""Compression writes the archive first; nothing is lost wherever it is killed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repos import git

from belay.core import paths, settings
from belay.core.errors import BadInput
from belay.memory import undo
from belay.memory.compression import compression
from belay.repository import projects
from belay.safety import trust


def memory(now=14):
    log = [f"| {n} | 2026-01-{n:02d} | part {n} |" for n in range(1, now + 1)]
    return "\n".join(
        [
            "# Project Memory", f"Last updated: 2026-01-{now:02d} | Session {now} | Branch: main", "",
            "## Completed", "- 2026-01-02 Scaffold", f"- 2026-01-{now:02d} Login", "",
            "## Active Work", "- [ ] Refund", "", "## Blockers", "- [x] key", "- open one", "",
            "## Session Log", "| Session | Date | Summary |", "|---|---|---|", *log, "",
        ]
    )  # fmt: skip


def write(project, text, name="MEMORY.md"):
    path = project.at(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    trust.record(os.environ, project.root, name, text.encode())


def read(project, name="MEMORY.md"):
    return Path(project.at(name)).read_text(encoding="utf-8")


def run(project, **more):
    return compression.compress_file(project, os.environ, **more)


def test_what_leaves_stands_in_the_archive(project):
    write(project, memory())

    report = run(project)

    assert report.written
    kept = read(project) + read(project, "MEMORY-ARCHIVE.md")
    assert [line for line in memory().split("\n") if line not in kept] == []
    assert "## Sessions 1-8 Summary" in kept
    assert report.tokens[1] < report.tokens[0]
    assert trust.is_known(os.environ, project.root, "MEMORY.md", read(project).encode())


def test_a_second_run_changes_nothing(project):
    write(project, memory())
    run(project)
    before = read(project), read(project, "MEMORY-ARCHIVE.md")

    again = run(project)

    assert (again.written, again.archive, again.why) == (False, {}, "")
    assert (read(project), read(project, "MEMORY-ARCHIVE.md")) == before


def test_a_dry_run_changes_nothing(project):
    write(project, memory())

    report = run(project, dry=True)

    assert report.plan.removed
    assert sorted(os.listdir(project.root)) == [".git", "MEMORY.md", "file.txt"]


def test_undo_brings_both_files_back(project):
    write(project, memory())
    run(project)

    files = undo.undo_last_change(project, os.environ, compression.COMMAND)

    assert files == ["MEMORY-ARCHIVE.md", "MEMORY.md"]
    assert read(project) == memory()
    assert not os.path.exists(project.at("MEMORY-ARCHIVE.md"))


def test_git_tells_the_age_of_undated_items(project):
    text = memory(8).replace("- 2026-01-02 Scaffold", "- Scaffold").replace("- [ ] Refund", "- [ ] Refund\n- [ ] New")
    write(project, text.replace("- [ ] New\n", ""))
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "one", "--date", "2026-01-02T12:00:00")
    write(project, text)

    plan = run(project, dry=True).plan

    assert [row["text"] for row in plan.folded] == ["- Scaffold"]
    assert [row["text"] for row in plan.flagged] == ["- [ ] Refund"]


def test_tags_and_finished_workstreams_are_milestones(project):
    git(project.root, "tag", "v1.0")
    done = "## Active Workstreams\n### 1. Seat map — COMPLETE\n**Status:** Done (2026-01-03)\n\n"
    write(project, memory().replace("## Session Log", done + "## Session Log"))

    run(project)

    text = read(project, "MEMORY-ARCHIVE.md")
    assert "## Key Milestones\n- Session 14: v1.0 tagged\n- Session 3: Seat map complete\n" in text


@pytest.mark.parametrize(("session", "written"), [(10, False), (11, True)])
def test_milestones_begin_after_the_tenth_session(project, session, written):
    git(project.root, "tag", "v1.0")
    write(project, memory(session))

    run(project)

    assert ("v1.0 tagged" in read(project, "MEMORY-ARCHIVE.md")) is written


def test_a_secret_does_not_reach_the_archive(project):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    write(project, memory().replace("- [x] key", f"- [x] key {token}"))

    run(project)

    assert token not in read(project, "MEMORY-ARCHIVE.md")
    assert "[redacted:" in read(project, "MEMORY-ARCHIVE.md")


def test_a_strangers_memory_is_left_alone_unless_a_person_asks(project):
    text = memory()
    Path(project.at("MEMORY.md")).write_text(text)
    git(project.root, "add", ".")
    subprocess.run(
        ["git", "-c", "user.name=Eve", "-c", "user.email=eve@example.org", "commit", "-qm", "x"],
        cwd=project.root, check=True,
    )  # fmt: skip
    git(project.root, "clone", "-q", ".", project.at("..", "clone"))
    other = projects.find(project.at("..", "clone"), os.environ)

    assert "not accepted" in run(other).why
    assert read(other) == text
    report = run(other, asked=True)

    assert report.written
    for name in ("MEMORY.md", "MEMORY-ARCHIVE.md"):
        assert not trust.is_known(os.environ, other.root, name, read(other, name).encode())


def test_a_branchs_overlay_is_compressed_into_the_same_archive(project):
    name = ".memory/branches/feature-x.md"
    write(project, "# Overlay\n## Blockers\n- [x] key\n- open\n", name)

    assert run(project, path=project.at(name)).written
    assert read(project, name) == "# Overlay\n## Blockers\n- open\n"
    assert f" of {name}\n- [x] key\n" in read(project, "MEMORY-ARCHIVE.md")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda path: os.unlink(path), "does not exist"),
        (lambda path: Path(path).write_text("# M\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n"), "conflict"),
        (lambda path: Path(path).write_text("# M\n```\n"), "line 2 opens a code block"),
        (lambda path: (os.unlink(path), os.symlink("/etc/hosts", path)), "link"),
    ],
)
def test_what_is_not_to_be_touched_is_said(project, spoil, why):
    write(project, memory())
    spoil(project.memory_md)

    assert why in run(project, asked=True).why


def test_an_archive_that_cannot_be_used_keeps_everything(project):
    write(project, memory())
    os.symlink("file.txt", project.at("MEMORY-ARCHIVE.md"))

    assert "MEMORY-ARCHIVE.md" in run(project).why
    assert read(project) == memory()


def test_when_it_is_due_is_a_setting():
    assert [compression.check_length(lines, settings.DEFAULTS) for lines in (150, 151, 200, 201)] == [
        "", "suggest", "suggest", "now",
    ]  # fmt: skip
    assert compression.check_length(60, {"memory_suggest": 20, "memory_compress": 50}) == "now"


def test_a_written_summary_replaces_the_made_one(project):
    write(project, memory())
    run(project)

    saved = compression.rewrite_archive(
        project, os.environ, *compression.parse_document(b"summary: We\n  began.\nmilestones: [one]\n")
    )

    assert saved.what
    assert "## Sessions 1-8 Summary\nWe began.\n\n## Removed" in read(project, "MEMORY-ARCHIVE.md")
    undo.undo_last_change(project, os.environ, compression.COMMAND)
    assert "Session 1 (2026-01-01): part 1." in read(project, "MEMORY-ARCHIVE.md")


@pytest.mark.parametrize("data", [b"[a]", b"summary: [a]", b"milestones: x", b"a: [", b"x" * 70000])
def test_a_document_of_another_shape_is_refused(data):
    with pytest.raises(BadInput):
        compression.parse_document(data)


DYING = """
import os, sys
sys.path.insert(0, sys.argv[2])
from belay.core import files as atomic; from belay.memory.compression import compression as compress; from belay.core import paths; from belay.repository import projects
from belay.repository.git import blame
count, left = 0, int(sys.argv[1])
def dying(name):
    real = getattr(os, name)
    def call(*args, **more):
        global count
        count += 1
        if count > left:
            os._exit(9)
        return real(*args, **more)
    setattr(os, name, call)
for name in ("replace", "unlink", "makedirs"):
    dying(name)
compress.compress_file(projects.find(os.getcwd(), os.environ), os.environ)
"""


def test_killed_at_any_write_no_line_is_lost_and_the_next_run_ends_it(project, tmp_path):
    write(project, memory())
    left = 0
    while True:
        copy = tmp_path / f"copy-{left}"
        shutil.copytree(project.root, copy)
        other = projects.find(str(copy), os.environ)
        trust.record(os.environ, other.root, "MEMORY.md", memory().encode())
        call = [sys.executable, "-c", DYING, str(left), paths.resource("lib")]
        code = subprocess.run(call, cwd=copy, check=False).returncode
        assert code in (0, 9)
        whole = "".join(read(other, name) for name in sorted(os.listdir(copy)) if name.endswith(".md"))
        assert [line for line in memory().split("\n") if line not in whole] == []
        assert read(other) in (memory(), run(other, dry=True).plan.text)
        run(other)
        archive = read(other, "MEMORY-ARCHIVE.md")
        assert [archive.count(text) for text in ("| 3 | 2026-01-03", "- [x] key\n", "Summary")] == [1, 1, 1]
        assert run(other, dry=True).plan.removed == []
        if code == 0:
            break
        left += 1

    assert left > 3, "it never came so far"
