"""Captures in the real client: the queue behind /captures; rules and playbooks count what sessions came to, exactly."""

import os
import sys
import time

import pytest
from host.api import Api, Turn, tool

from belay.consolidate import session
from belay.knowledge.entries import entries, standards
from belay.knowledge.playbooks import page, playbook_files
from belay.knowledge.review.queue import Queue
from belay.knowledge.store.store import Store
from belay.repository import projects
from belay.safety import trust

DECIDED = "Let's go with SQLite for the storage of all orders."
RULE = "No, never use the word void in pay.py"
CHECK = "python3 -m unittest discover -q -s checks"
FAILING = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.fail('no')\n"


@pytest.fixture
def shop(repo, home):
    """A shop whose CLAUDE.md names a pattern of pay.py, with a playbook for it; bin/belay has this environment."""
    data = home / ".local" / "share" / "belay"
    data.mkdir(parents=True)
    (data / "env").write_text(f"{sys.executable}\n0\n0\n")
    (repo / "pay.py").write_text("def refund(order):\n    return 1\n")
    rules = "# Shop\n\n- Round half up in `pay.py`\n"
    (repo / "CLAUDE.md").write_text(rules)
    trust.record(os.environ, str(repo), "CLAUDE.md", rules.encode())
    (repo / "checks").mkdir()
    (repo / "checks" / "test_it.py").write_text(FAILING.replace("self.fail('no')", "self.assertTrue(True)"))
    playbook_files.create_playbook(projects.find(str(repo), os.environ), os.environ, "rounding", "round half up")
    return repo


def play(client, repo, turns, *prompts):
    with Api([*turns, Turn("Done.")]) as api:
        run = client(api, cwd=repo).run(*prompts)
    assert run.code == 0, run.stderr
    end = time.monotonic() + 30
    while session.run(projects.find(str(repo), os.environ), os.environ)["busy"]:
        assert time.monotonic() < end
        time.sleep(0.1)
    return api.main


def edit(repo, old, new):
    return tool("Edit", file_path=str(repo / "pay.py"), old_string=old, new_string=new)


def numbers(repo):
    book = playbook_files.load_playbook(projects.find(str(repo), os.environ), "rounding").playbook
    return book.count(page.HELPFUL), book.count(page.HARMFUL)


def test_what_waits_is_shown_by_captures_and_kept_on_the_users_word(client, shop):
    play(client, shop, [], DECIDED)
    project = projects.find(str(shop), os.environ)
    (waits,) = Queue(project, os.environ).waiting()
    name = waits.capture.id
    keep = Turn("Keeping it.", [tool("Bash", command=f"belay review --accept {name}")])
    requests = play(client, shop, [Turn("Keep it?"), keep], "/captures", "yes, keep it")

    assert f"1. {name} decision, today: {DECIDED}" in requests[0].text
    assert "Kept: D-" in requests[-1].texts[-1]
    with Store(project.workshop, os.environ) as store:
        (entry,) = entries.list_entries(store.connection, ["decision"])
    assert (entry.content, entry.source) == (DECIDED, "typed")
    assert name not in [each.capture.id for each in Queue(project, os.environ).waiting()]


def test_a_week_moves_the_playbook_and_the_rule_to_exact_values(client, shop):
    check = Turn("Checking.", [tool("Bash", command=CHECK)])
    one = [Turn("Editing.", [edit(shop, "return 1", "return 2")]), check]
    play(client, shop, one, "round better please")
    assert numbers(shop) == (1, 0)
    play(client, shop, [], "please list the open files")
    assert numbers(shop) == (1, 0)

    (shop / "checks" / "test_it.py").write_text(FAILING)
    two = [Turn("Editing.", [edit(shop, "return 2", "return 3")]), check, Turn("It fails.")]
    play(client, shop, two, "round better please", RULE)
    assert numbers(shop) == (1, 1)

    three = [Turn("Editing.", [edit(shop, "return 3", "return 4")]), Turn("Done.")]
    play(client, shop, three, "round better please", RULE)
    assert numbers(shop) == (1, 2)
    project = projects.find(str(shop), os.environ)
    with Store(project.workshop, os.environ) as store:
        (rule,) = standards.list_standards(store.connection)
    assert (rule.type, rule.files, rule.held, rule.broken) == (
        "antipattern",
        ("pay.py",),
        0,
        1,
    )  # a rule since session two

    (shop / "checks" / "test_it.py").write_text(FAILING.replace("self.fail('no')", "self.assertTrue(True)"))
    four = [Turn("Editing.", [edit(shop, "return 4", "return 5")]), check]
    play(client, shop, four, "round better please")
    play(
        client,
        shop,
        [Turn("Editing.", [edit(shop, "return 5", "return 6")]), Turn("Done.")],
        "round it",
        RULE,
    )
    with Store(project.workshop, os.environ) as store:
        (rule,) = standards.list_standards(store.connection)
    assert (rule.held, rule.broken) == (1, 2)
    assert numbers(shop) == (2, 3)
    assert playbook_files.load_playbook(project, "rounding").playbook.fields["antipattern"].startswith("K-")
