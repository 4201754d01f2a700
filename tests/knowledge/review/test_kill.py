"""Killed before any change to the disk, the next run does the rest, and nothing twice."""

import os
import shutil
from collections import Counter

import pytest
from legacy import killed
from sayings import session, sessions

from belay.knowledge.entries import entries, standards
from belay.knowledge.review import promotion
from belay.knowledge.review.queue import Queue
from belay.knowledge.store.store import Store
from belay.repository import projects

STEPS = 120


def told(project):
    """Return what the knowledge base and the queue hold."""
    with Store(project.workshop, os.environ) as store:
        rows = [
            (one.type, one.content, one.seen, one.status) for one in entries.list_entries(store.connection, limit=-1)
        ]
        rules = [(one.rule, one.held, one.broken) for one in standards.list_standards(store.connection)]
    return sorted(rows), rules, [each.capture.id for each in Queue(project, os.environ).waiting()]


def at_every_step(project, repo, doing, again):
    """Kill a doing before each of its changes; return what stood after `again` each time."""
    spare = repo.parent / "spare"
    shutil.copytree(repo, spare)
    found = []
    for number in range(STEPS):
        shutil.rmtree(repo)
        shutil.copytree(spare, repo)
        if not killed(doing, number):
            break
        again()
        found.append(told(projects.find(str(repo), os.environ)))
    else:
        pytest.fail("it never came to its end")
    return found


def test_a_promotion_is_made_once(project, repo):
    session(
        project,
        "s-1",
        ("decision", "SQLite for storage", "hand"),
        ("preference", "always run the whole linter"),
    )
    session(
        project,
        "s-2",
        ("preference", "Always run the whole linter!"),
        ("correction", "never touch it", "rejected"),
    )
    session(project, "s-3", ("value", "the port is 5433"))

    def step():
        promotion.run_step(project, os.environ, sessions(project))

    found = at_every_step(project, repo, step, step)
    assert len(found) > 8
    assert {repr(one) for one in found} == {repr(told(project))}
    assert [seen for _, _, seen, _ in told(project)[0]] == [1, 1, 1, 2]


def test_what_is_contradicted_is_superseded_wherever_the_run_is_killed(project, repo):
    session(project, "s-1", ("decision", "use Fastify"), ("preference", "the upload limit is 200 MB"))
    promotion.run_step(project, os.environ, sessions(project))
    session(project, "s-2", ("decision", "Not Fastify, Express"), ("preference", "the upload limit is 500 MB"))

    def step():
        promotion.run_step(project, os.environ, sessions(project))

    found = at_every_step(project, repo, step, step)
    assert len(found) > 5
    assert {repr(one) for one in found} == {repr(told(project))}
    assert [row[1] for row in told(project)[0]] == ["Not Fastify, Express", "the upload limit is 500 MB"]


def test_a_decision_of_the_queue_holds_or_can_be_made_again(project, repo):
    (name,) = session(project, "s-1", ("decision", "drop the cache"))
    promotion.run_step(project, os.environ, sessions(project))

    def accept():
        Queue(project, os.environ).accept([name])

    def again():
        if name in told_waiting(project):
            accept()

    found = at_every_step(project, repo, accept, again)
    assert len(found) > 5
    assert Counter(map(repr, found)) == {repr(([("decision", "drop the cache", 1, "active")], [], [])): len(found)}


def told_waiting(project):
    return [each.capture.id for each in Queue(project, os.environ).waiting()]
