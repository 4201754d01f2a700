"""When a check of the memory files is offered."""

import os

import pytest

from belay.context.start import offers
from belay.core import clock
from belay.places.checks import reminder


def begin(project, sessions, days=0.0):
    """Write journals of so many sessions, the oldest of them so many days ago."""
    os.makedirs(project.journals, exist_ok=True)
    for number in range(sessions):
        path = project.journal(f"00000000-0000-4000-8000-{number:012}")
        with open(path, "w") as handle:
            handle.write("{}\n")
        moment = os.stat(path).st_mtime - (days * clock.DAY if number == 0 else 60)
        os.utime(path, (moment, moment))


@pytest.fixture
def memory(repo):
    (repo / "CLAUDE.md").write_text("# Memory\n")


def offered(project):
    return offers._check(project, os.environ)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("sessions", "days", "is_due"), [(9, 1, False), (10, 1, True), (2, 13.5, False), (2, 14.5, True)]
)
def test_ten_sessions_or_fourteen_days(project, sessions, days, is_due):
    begin(project, sessions, days)

    assert bool(reminder.describe_due(project, os.environ)) is is_due


@pytest.mark.usefixtures("memory")
def test_it_is_offered_once_until_somebody_checks(project):
    begin(project, 12)

    assert offered(project) == ["the CLAUDE.md files were never checked in 12 sessions: `belay memory check`"]
    assert offered(project) == []
    reminder.record_check(project, os.environ)
    assert offered(project) == []


@pytest.mark.usefixtures("memory")
def test_a_check_begins_the_count_again(project):
    begin(project, 12)
    reminder.record_check(project, os.environ)

    assert reminder.describe_due(project, os.environ) == ""


def test_without_a_claude_md_there_is_nothing_to_look_at(project):
    begin(project, 12)

    assert offered(project) == []


@pytest.mark.usefixtures("memory")
def test_a_broken_mark_counts_as_never(project, home):
    begin(project, 12)
    reminder.record_check(project, os.environ)
    for path in home.rglob("checked/*"):
        path.write_bytes(b"\xff\xfe nonsense")

    assert "never checked" in reminder.describe_due(project, os.environ)
