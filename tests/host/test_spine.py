"""The spine in the real client: written down before Claude acts, warned, carried over."""

import json
import os
import re
import time

import pytest
from host.api import Api, Turn, tool
from host.terminal import Terminal

from belay.repository import projects
from belay.session import journal

CORRECTION = "No, use the status 'refunded', not 'void'."
NAP = "python3 -c 'import time; time.sleep(60)'"
SOURCE = 'def refund(order):\n    """Give it back."""\n    raise NotImplementedError\n\n\ndef pay(order):\n    return order\n'


@pytest.fixture
def shop(repo):
    """The repository with one source file, committed."""
    from repos import git

    (repo / "pay.py").write_text(SOURCE)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "A shop")
    return repo


def records(repo):
    """Return the records of every session of the project, in order of time."""
    project = projects.find(str(repo), os.environ)
    found = [row for name in journal.list_sessions(project.journals) for row in journal.read(project.journal(name))[0]]
    return sorted(found, key=lambda row: row["time"])


def of(rows, kind):
    return [row for row in rows if row["kind"] == kind]


def edit(repo, old="    raise NotImplementedError", new='    order.status = "refunded"\n    return order'):
    return tool("Edit", file_path=str(repo / "pay.py"), old_string=old, new_string=new)


def read(repo):
    return tool("Read", file_path=str(repo / "pay.py"))


def test_correction_is_on_disk_before_the_first_tool_call(client, shop):
    turns = [Turn("Reading.", [read(shop)]), Turn("Editing.", [edit(shop)]), Turn("Done."), Turn("Two.")]
    with Api(turns) as api:
        run = client(api, cwd=shop).run(CORRECTION, "thanks, what is next?")

    assert run.code == 0, run.stderr
    rows = records(shop)
    (capture,) = of(rows, "capture")
    prompt, intent = of(rows, "prompt")[0], of(rows, "intent")[0]
    assert prompt["text"] == CORRECTION
    assert "correction" in capture["classes"]
    assert prompt["time"] < capture["time"] < intent["time"]
    assert (intent["tool"], intent["file"], intent["line"]) == ("Edit", "pay.py", 3)
    buffer = (shop / "memory" / "working-buffer.md").read_text()
    assert capture["id"] in buffer
    assert CORRECTION.split(",")[1] in buffer
    told = f"Recorded {capture['id']} "
    assert told in api.main[0].text
    assert of(rows, "edit")[0]["files"][0] == {"path": "pay.py", "line": 3}
    assert of(rows, "end")


def test_each_threshold_is_announced_once(client, shop):
    used = [0.41, 0.42, 0.61, 0.62, 0.81, 0.82, 0.83]
    turns = [Turn(f"Turn {n}. Next I'll do part {n + 1}.", used=int(share * 167_000)) for n, share in enumerate(used)]
    with Api(turns) as api:
        run = client(api, cwd=shop).run("please begin", *(f"go on with part {n} of the work" for n in range(1, 7)))

    assert run.code == 0, run.stderr
    rows = of(records(shop), "budget")
    assert [row["thresholds"] for row in rows] == [[40], [60], [80]]
    assert [int(share) // 10 for share in re.findall(r"Context: (\d\d) % used", api.main[-1].text)] == [
        4,
        6,
        8,
    ]
    assert (shop / "CONTINUATION.md").read_text().startswith("# Continue: ")


def test_compaction_leads_to_reinjection(client, shop):
    turns = [Turn("Editing.", [edit(shop)], used=90_000), Turn("Done.", used=91_000), Turn("Two.")]
    with Api(turns, summary="nothing is kept here") as api:
        run = client(api, cwd=shop).run(CORRECTION, "/compact", "go on with the next thing")

    assert run.code == 0, run.stderr
    (capture,) = of(records(shop), "capture")
    assert capture["id"] in api.of("summary")[0].text.split("Additional Instructions:")[1]
    after = api.main[-1].text
    assert "nothing is kept here" in after
    assert capture["id"] in after.split("nothing is kept here")[1]
    assert of(records(shop), "compacted")
    assert of(records(shop), "delivered")[0]["how"] == "compaction"


def test_headless_runs_are_shown_the_continuation_and_leave_it(client, shop):
    with Api([Turn("Editing.", [edit(shop)]), Turn("Done. Next I'll test it.")]) as api:
        client(api, cwd=shop).run(CORRECTION)
    wait_for(shop / "CONTINUATION.md")
    for _ in range(2):
        with Api([Turn("Hello.")]) as api:
            client(api, cwd=shop).run("hello again")
        assert "# Continue: " in api.main[0].text
        assert "pay.py:3" in api.main[0].text
    assert (shop / "CONTINUATION.md").exists()


def wait_for(path, seconds=20):
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} was not written"
        time.sleep(0.05)


def test_killed_in_mid_turn_nothing_is_lost(client, shop):
    turns = [Turn("Editing.", [edit(shop)]), Turn("About to run.", [tool("Bash", command=NAP)])]
    with Api(turns) as api, client(api, cwd=shop).start() as session:
        session.send(CORRECTION)
        api.wait_for(2)
        end = time.monotonic() + 30
        while len(of(records(shop), "intent")) < 2:
            assert time.monotonic() < end
            time.sleep(0.05)
        session.kill()

    before = records(shop)
    assert not of(before, "end")
    with Api([Turn("Hello.")]) as api:
        client(api, cwd=shop).run("hello again")
    text = api.main[0].text
    assert of(before, "capture")[0]["id"] in text
    assert "Resume from: `pay.py:3`" in text
    assert "in def refund" in text
    assert f"Interrupted in Bash: {NAP}" in text
    assert of(records(shop), "end")[0]["reason"] == "lost"


def test_terminal_sessions_hand_over_until_something_is_done(client, shop):
    with Api([Turn("Editing.", [edit(shop)]), Turn("Done. Next I'll test it.")]) as api:
        one = client(api, cwd=shop)
        with Terminal(one) as terminal:
            terminal.say(CORRECTION)
            terminal.wait_for("Done. Next")
            terminal.leave()
    wait_for(shop / "CONTINUATION.md")
    seen = []
    for _ in range(2):
        with Api([Turn("Good morning.")]) as api:
            with Terminal(client(api, cwd=shop)) as terminal:
                terminal.say("good morning")
                terminal.wait_for("Good morning.")
                terminal.leave()
            seen.append(api.main[0].text.count("# Continue: "))
    assert seen == [1, 1]  # a greeting does nothing of what was announced
    wait_for(shop / "CONTINUATION.md")
    archive = shop / ".claude" / "memory" / "continuations"
    assert list(archive.glob("*.md"))
    deliveries = (archive / "delivered.jsonl").read_text().splitlines()
    assert {json.loads(row)["how"] for row in deliveries} == {"startup"}


def test_clear_carries_over(client, shop):
    turns = [Turn("Editing.", [edit(shop)]), Turn("Done. Next I'll test it."), Turn("Here.")]
    with Api(turns) as api, Terminal(client(api, cwd=shop)) as terminal:
        terminal.say(CORRECTION)
        terminal.wait_for("Done. Next")
        terminal.say("/clear")
        time.sleep(2)
        terminal.say("hello after clear")
        terminal.wait_for("Here.")
        terminal.leave()
    assert "# Continue: " in api.main[-1].text
    assert "pay.py:3" in api.main[-1].text
