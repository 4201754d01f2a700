"""Which file a section goes to, and what is verified when it is written."""

import os
from pathlib import Path

from repos import git
from sessions import DOCUMENT, NAME, again, parsed, start

from belay.core import files as core_files
from belay.memory.branches import overlay
from belay.memory.document import facts, page
from belay.memory.wrapup import layer_files, saving
from belay.safety import trust


def told(path):
    return facts.read_facts(page.parse(core_files.read(path).decode()))


def test_on_a_branch_its_work_goes_to_the_overlay_and_what_lasts_to_the_base(project):
    git(project.root, "switch", "-qc", "feature/tokens")
    report = saving.save_wrapup(start(project), parsed(DOCUMENT))
    base, above = told(project.memory_md), told(overlay.overlay_path(project, "feature/tokens"))

    assert [row.why for row in report.files if row.why] == []
    assert [row["decision"] for row in base["decisions"]] == ["SQLite for storage"]
    assert all(base[name] for name in ("files", "log", "preferences"))
    assert not any([*base["left"].values(), base["active"], base["blockers"], base["completed"]])
    assert above["left"]["next"] == "add the TTL in file.txt:1"
    assert all(above[name] for name in ("active", "completed", "blockers"))
    assert not any(above[name] for name in ("decisions", "log", "files", "preferences"))
    assert (base["header"]["session"], above["header"]["session"]) == (1, 1)
    assert above["header"]["branch"] == "feature/tokens"
    assert overlay.find_overlay(project, "feature/tokens") == overlay.overlay_path(project, "feature/tokens")
    assert trust.is_known(
        os.environ, project.root, project.relative(overlay.overlay_path(project, "feature/tokens")),
        core_files.read(overlay.overlay_path(project, "feature/tokens")),
    )  # fmt: skip


def test_the_same_document_twice_changes_no_layer(project):
    git(project.root, "switch", "-qc", "side")
    session = start(project)
    saving.save_wrapup(session, parsed(DOCUMENT))
    report = saving.save_wrapup(again(session), parsed(DOCUMENT))

    assert [row for row in report.files if row.what or row.why] == []


def test_sessions_of_a_branch_count_up_in_both_layers(project):
    git(project.root, "switch", "-qc", "side")
    saving.save_wrapup(start(project), parsed(DOCUMENT))
    saving.save_wrapup(start(project, "22222222-two"), parsed(DOCUMENT.replace("Rotated", "Renewed")))

    assert told(project.memory_md)["header"]["session"] == 2
    assert told(overlay.overlay_path(project, "side"))["header"]["session"] == 2


def test_detached_and_without_a_trunk_there_is_only_the_base(project):
    git(project.root, "checkout", "-q", "--detach")
    saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert told(project.memory_md)["left"]["next"] == "add the TTL in file.txt:1"
    assert not os.path.exists(project.overlays)


def test_a_form_that_is_not_layered_is_written_whole(project):
    git(project.root, "switch", "-qc", "side")
    Path(project.memory_md).write_text("# Mine\nfree words\n")
    saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert "- **Next immediate step:** add the TTL" in Path(project.memory_md).read_text()
    assert not os.path.exists(project.overlays)


def test_an_overlay_that_is_not_understood_is_left_alone_and_the_base_written(project):
    git(project.root, "switch", "-qc", "side")
    path = Path(overlay.overlay_path(project, "side"))
    path.parent.mkdir(parents=True)
    path.write_text("# Branch Memory: `side`\n```\nopen\n")
    report = saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert [row.why for row in report.files if row.why] == ["line 2 opens a code block that nothing closes"]
    assert path.read_text().endswith("```\nopen\n")
    assert told(project.memory_md)["decisions"]


def test_a_memory_that_is_not_understood_is_left_alone_and_the_rest_goes_on(project):
    text = "# Project Memory\n\n## Project Overview\nx\n\n~~~\nopen\n"
    Path(project.memory_md).write_text(text)
    session = start(project)
    found = layer_files.audit.gather_audit(session)
    report = saving.save_wrapup(session, parsed(DOCUMENT))

    assert "line 6 opens a code block" in layer_files.audit.format_audit(found)
    assert [row.why for row in report.files if row.why] == ["line 6 opens a code block that nothing closes"]
    assert Path(project.memory_md).read_text() == text
    assert os.path.exists(project.todo)


def test_key_files_follow_renames_and_missing_ones_are_told(project):
    files = "key files:\n  gone.py: was here\n"
    saving.save_wrapup(start(project), parsed(DOCUMENT.replace("key files:\n", files)))
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "all")
    git(project.root, "mv", "file.txt", "moved.txt")
    git(project.root, "commit", "-qm", "move")
    report = saving.save_wrapup(start(project, "22222222-two"), parsed("summary: t\nnext step: go on in moved.txt\n"))

    assert [row["path"] for row in told(project.memory_md)["files"]] == ["gone.py", "moved.txt"]
    assert report.notes == ["Key Files names what is not there: `gone.py`"]


def test_the_header_says_how_healthy_the_finished_memory_is(project):
    saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert 5 <= told(project.memory_md)["header"]["health"] <= 10


def test_the_session_that_touched_a_file_stands_in_its_row(project):
    saving.save_wrapup(start(project), parsed(DOCUMENT))
    saving.save_wrapup(start(project, "22222222-two"), parsed("summary: t\nnext step: file.txt\n"))
    (row,) = told(project.memory_md)["files"]

    assert (row["session"], row["purpose"]) == (2, "holds one line")
    assert NAME[:8] in Path(project.memory_md).read_text()
