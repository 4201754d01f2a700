"""belay playbook: begun for a line of CLAUDE.md, counted by hand, shown with its evidence."""

import os

import pytest
from commandline import answer, belay

from belay.safety import trust


@pytest.fixture
def shop(repo):
    text = "# Shop\n- ✅ Parse dates with the shared parser\n- Keep handlers small\n"
    (repo / "CLAUDE.md").write_text(text)
    trust.record(os.environ, str(repo), "CLAUDE.md", text.encode())
    return repo


def test_begun_counted_and_shown(shop):
    made = belay(shop, "playbook", "new", "dates", "--pattern", "parse dates with the shared parser")
    assert made.stdout.startswith(
        "Made .claude/memory/playbooks/dates.md; delete it to undo.\ndates (candidate: 0 help"
    )

    answer(shop, "playbook", "helpful", "dates")
    for number in range(3):
        answer(shop, "playbook", "harmful", "dates", "--evidence", f"lost the zone {number}")
    (row,) = answer(shop, "playbook")["playbooks"]
    assert (row["status"], row["helpful"], row["harmful"], row["line"]) == ("harmful", 1, 3, 2)
    assert row["antipattern"].startswith("K-")
    shown = belay(shop, "playbook", "show", "dates").stdout
    assert "dates (harmful: 1 helpful, 3 harmful): ✅ Parse dates with the shared parser (CLAUDE.md:2)" in shown
    assert "by hand: lost the zone 2" in shown
    assert f"It became the antipattern {row['antipattern']}." in shown


def test_nothing_stands_and_nothing_is_made(repo):
    assert belay(repo, "playbook").stdout == "There is no playbook here.\n"
    assert "is no playbook" in belay(repo, "playbook", "harmful", "dates").stderr
    assert "CLAUDE.md: is not there" in belay(repo, "playbook", "new", "dates", "--pattern", "parse dates").stderr
    assert belay(repo, "playbook", "show").returncode == 2
    assert belay(repo, "playbook", "new", "dates").returncode == 2
    assert not (repo / ".claude").exists()


def test_it_says_which_text_is_to_be_accepted_first(shop):
    belay(shop, "playbook", "new", "dates", "--pattern", "parse dates")
    trust.revoke(os.environ, str(shop), "CLAUDE.md")
    for _ in range(3):
        answer(shop, "playbook", "harmful", "dates")

    assert (
        "once its text is accepted; read it, then: belay trust CLAUDE.md\n"
        in belay(shop, "playbook", "show", "dates").stdout
    )
    assert belay(shop, "trust", "CLAUDE.md").returncode == 0
    assert answer(shop, "playbook", "harmful", "dates")["playbooks"][0]["antipattern"].startswith("K-")


def test_a_secret_in_the_evidence_is_not_written(shop):
    belay(shop, "playbook", "new", "dates", "--pattern", "parse dates")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    belay(shop, "playbook", "harmful", "dates", "--evidence", f"used {secret}")

    text = (shop / ".claude/memory/playbooks/dates.md").read_text()
    assert "harmful: 1" in text
    assert secret not in text
