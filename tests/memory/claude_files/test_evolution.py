"""A memory file's sections, compared from commit to commit in real repositories."""

from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.memory.claude_files import evolution
from belay.memory.claude_files.evolution import SectionChange, compare_sections
from belay.memory.document import page

OLD = "# Auth\n\nWho may do what.\n\n## Sessions\n- one week\n- in Redis\n\n## Roles\n- owner\n"


def test_sections_that_came_changed_and_went_are_told_apart():
    new = "# Auth\n\nWho may do what.\n\n## Sessions\n- one day\n- in Redis\n\n## Known Issues\n- slow\n\n### Older\n- none\n"

    assert compare_sections(OLD, new) == [
        SectionChange("changed", "Sessions", 1, 1),
        SectionChange("added", "Known Issues", 1, 0),
        SectionChange("added", "Known Issues › Older", 1, 0),
        SectionChange("removed", "Roles", 0, 1),
    ]


def test_a_renamed_heading_and_another_order_are_no_loss():
    new = OLD.replace("## Roles", "## Who").replace("- one week\n- in Redis", "- in Redis\n- one week")

    assert compare_sections(OLD, new) == [
        SectionChange("reordered", "Sessions", 0, 0),
        SectionChange("renamed", "Who", 0, 0, "Roles"),
    ]


def test_blanks_and_line_ends_are_no_change():
    assert compare_sections(OLD, OLD.replace("\n\n", "\n\n\n").replace("\n", "\r\n")) == []


@given(st.text("ab#- \n`", max_size=60), st.text("ab#- \n`", max_size=60))
def test_the_changes_account_for_every_line(before, after):
    changes = compare_sections(before, after)
    old = sum(map(len, evolution.split_sections(page.parse(before)).values()))
    new = sum(map(len, evolution.split_sections(page.parse(after)).values()))

    assert new - old == sum(change.more - change.fewer for change in changes)
    assert compare_sections(after, after) == []


def test_a_history_follows_the_file_through_its_names(project, repo):
    (repo / "CLAUDE.md").write_text(OLD)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Describe auth")
    (repo / "src").mkdir()
    git(repo, "mv", "CLAUDE.md", "src/CLAUDE.md")
    git(repo, "commit", "-qm", "Move it")
    (repo / "src" / "CLAUDE.md").write_text(OLD + "- admin\n")
    git(repo, "commit", "-qam", "Add a role, ghp_16C7e42F292c69" + "12E7710c838347Ae178B4a")

    rows, more = evolution.read_evolution(project, "src/CLAUDE.md", 20)

    assert [(row.path, row.old, [change.kind for change in row.changes]) for row in rows] == [
        ("src/CLAUDE.md", "", ["changed"]),
        ("src/CLAUDE.md", "CLAUDE.md", []),
        ("CLAUDE.md", "", ["added"] * 3),
    ]
    assert (more, "ghp_" in rows[0].subject) == (False, False)
    newest, more = evolution.read_evolution(project, "src/CLAUDE.md", 1)
    assert (newest, more) == (rows[:1], True)
