"""Recall in the real client: the gotcha of a file comes when it is read or edited, once; a week of sessions counts exactly."""

import os
import time

import pytest
from host.api import Api, Turn, tool
from repos import git

from belay.consolidate import session
from belay.context.recall import term_index
from belay.context.start import knowledge_cache
from belay.core.text.tokens import estimate
from belay.knowledge.entries import recallable
from belay.knowledge.store.store import Store
from belay.repository import projects

GOTCHA = "refund() keeps the status until the bank has answered"
NOTE = "The marmalade fixture takes nine minutes to seed"
ASKS = "why does the marmalade fixture take so long?"
CORRECTION = "No, that is wrong: use the status 'refunded', never 'void'."
SOURCE = "def refund(order):\n    return order\n"


@pytest.fixture
def shop(repo):
    """A shop with a gotcha of its pay.py and a note of no file; both files changed long ago."""
    (repo / "pay.py").write_text(SOURCE)
    settled(repo)
    project = projects.find(str(repo), os.environ)
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("gotcha", GOTCHA, files=["pay.py"])
        store.add("note", NOTE)
        term_index.update_if_cheap(project, store)
    knowledge_cache.keep_ready(project, os.environ, [])
    return repo


def settled(repo):
    """Commit what there is, and so many commits after it that a start does not tell it as changed last."""
    git(repo, "add", "pay.py")
    git(repo, "commit", "-qm", "Work", "--allow-empty")
    for _ in range(20):
        git(repo, "commit", "-qm", "Nothing", "--allow-empty")


def edit(repo, old, new):
    return tool("Edit", file_path=str(repo / "pay.py"), old_string=old, new_string=new)


def play(client, repo, turns, *prompts):
    with Api([*turns, Turn("Done.")]) as api:
        run = client(api, cwd=repo).run(*prompts)
    assert run.code == 0, run.stderr
    return api.main


def consolidated(repo, seconds=30):
    project = projects.find(str(repo), os.environ)
    end = time.monotonic() + seconds
    while session.run(project, os.environ)["busy"]:
        assert time.monotonic() < end
        time.sleep(0.1)
    return project


def test_a_file_that_is_read_brings_its_gotcha_exactly_once(client, shop):
    turns = [
        Turn("Reading.", [tool("Read", file_path=str(shop / "pay.py"))]),
        Turn("Editing.", [edit(shop, "return order", "return order.id")]),
        Turn("Editing again.", [edit(shop, "order.id", "order.key")]),
    ]
    requests = play(client, shop, turns, "please return less here")

    assert [request.text.count(GOTCHA) for request in requests] == [0, 1, 1, 1]
    assert f"<belay>\nGotcha `pay.py`: {GOTCHA}\n</belay>" in requests[1].text


def test_two_edits_of_one_turn_bring_it_once(client, shop):
    both = [edit(shop, "return order", "return order.id"), edit(shop, "def refund", "def refunded")]
    requests = play(client, shop, [Turn("Editing.", both)], "please return less here")

    assert [request.text.count(GOTCHA) for request in requests] == [0, 1]


def test_a_prompt_brings_what_it_speaks_of_and_an_ordinary_one_nothing(client, shop):
    requests = play(client, shop, [Turn("Hm.")], "please list the open files", ASKS)

    assert [request.text.count(NOTE) for request in requests] == [0, 1]


def test_a_week_counts_exactly(client, shop):
    play(
        client,
        shop,
        [Turn("Editing.", [edit(shop, "return order", "return order.id")])],
        "shorten the return",
    )
    settled(shop)
    play(client, shop, [], ASKS)
    turns = [Turn("Editing.", [edit(shop, "order.id", "order.key")]), Turn("Done.")]
    play(client, shop, turns, "use the key please", CORRECTION)
    settled(shop)
    turns = [Turn("Looking.", [tool("Bash", command="echo seed the marmalade fixture")])]
    play(client, shop, turns, ASKS)
    play(client, shop, [], "please list the open files")
    project = consolidated(shop)

    with Store(project.workshop, os.environ) as store:
        found = store.connection.execute("SELECT id FROM entries WHERE content IN (?, ?)", (GOTCHA, NOTE))
        gotcha, note = sorted((store.get(row[0]) for row in found.fetchall()), key=lambda entry: entry.type)
    costs = [estimate(recallable.format_line(entry) + "\n") for entry in (gotcha, note)]
    assert gotcha[-7:-1] == (
        gotcha.seen,
        2,
        2,
        1,
        1,
        2 * costs[0],
    )  # recalled, used, helpful, harmful, tokens
    assert note[-7:-1] == (note.seen, 2, 1, 1, 0, 2 * costs[1])
