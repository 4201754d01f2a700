"""A first day in the real client: every surface says the same right thing about task and next step."""

import json
import subprocess
import sys
import time

import pytest
from host.api import Api, Turn, tool
from host.client import ROOT
from host.terminal import Terminal
from repos import git

TASK = "Add a setting for the line width to conf.py"
ANNOUNCED = "I have read conf.py. Next I will add wrap_width."
CORRECTION = "call it width, not wrap_width"
QUESTION = "How should a wrong width fail?\n\n1. Raise ValueError\n2. Fall back to 80\n\nWhich one would you like?"
STEP = "read the width from the environment in conf.py"
FORM = f"""summary: "width is a setting"
task: "Line width"
status: "in progress"
next step: "{STEP}"
"""
CHECK = "python3 -m unittest test_conf"


@pytest.fixture
def shop(repo, home):
    """A repository with a module and its failing test, on a branch; a command line with the tests' environment."""
    data = home / ".local" / "share" / "belay"
    data.mkdir(parents=True)
    (data / "env").write_text(f"{sys.executable}\n0\n0\n")
    (repo / "conf.py").write_text("WRAP = 0\n")
    (repo / "test_conf.py").write_text(
        "import unittest\nimport conf\n\n\nclass Test(unittest.TestCase):\n    def test_width(self):\n"
        "        self.assertEqual(conf.WIDTH, 80)\n"
    )
    (repo / "README.md").write_text("# A tool\n\nIt warps lines.\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Begin")
    git(repo, "checkout", "-qb", "feature/width")
    return repo


def bash(command):
    return tool("Bash", command=command)


def edit(repo, name, old, new):
    return tool("Edit", file_path=str(repo / name), old_string=old, new_string=new)


def read(repo, name):
    return tool("Read", file_path=str(repo / name))


def belay(client, repo, *words):
    done = subprocess.run(
        [ROOT / "bin" / "belay", *words], cwd=repo, env=client.env, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def settled(check, seconds=40):
    """Wait until the detached work after a session made a check true; return what it returned."""
    end = time.monotonic() + seconds
    while not (value := check()):
        assert time.monotonic() < end, "the end of the session was not consolidated"
        time.sleep(0.2)
    return value


def note(repo):
    path = repo / "CONTINUATION.md"
    return path.read_text() if path.exists() else ""


def injected(client, repo):
    """Return what a headless start tells Claude; such a start takes nothing away."""
    with Api([Turn("Hello.")]) as api:
        client(api, cwd=repo).run("hello")
    return api.main[0].text


def test_a_first_day(client, shop):
    # A correction after an announcement, and a kill before the answer.
    with Api([Turn(ANNOUNCED), Turn("I see.", hang=True)]) as api, client(api, cwd=shop).start() as session:
        session.ask(TASK)
        session.send(CORRECTION)
        api.wait_for(2)
        session.kill()
    text = injected(client, shop)
    assert f"# Continue: {TASK} (branch feature/width)" in text
    action = text.split("## Immediate Next Action")[1]
    assert f"Go on as the user corrected: “{CORRECTION}”" in action
    assert "add wrap_width" in action  # what Claude had announced, beside the correction

    # A check fails, then passes; Claude asks which way, and "option 2" chooses.
    turns = [
        Turn("Reading.", [read(shop, "conf.py"), read(shop, "README.md")]),
        Turn("Testing.", [bash(CHECK)]),
        Turn("Adding.", [edit(shop, "conf.py", "WRAP = 0", "WIDTH = 80")]),
        Turn("Again.", [bash(f"{CHECK} 2>&1")]),
        Turn(QUESTION),
        Turn("It falls back now."),
    ]
    with Api(turns) as api, client(api, cwd=shop).start() as session:
        session.ask("continue with the line width setting in conf.py")
        waiting = json.loads(belay(client(api, cwd=shop), shop, "status", "--json"))["session"]
        session.ask("option 2")
    assert waiting["task"] == "The line width setting in conf.py"
    assert waiting["status"] == "waiting for the user's answer"
    assert "Recorded C-" in api.main[-1].text
    assert "Which one would you like? → Fall back to 80" in api.main[-1].text
    text = settled(lambda: note(shop) if CORRECTION not in note(shop).split("## Immediate")[-1] else "")
    action = text.split("## Immediate Next Action")[1]
    assert "Commit the changes in `conf.py`" in action
    assert "unittest" not in text  # the check passed
    assert "Which one" not in action  # the question was answered

    # A commit, a wrap-up with a next step, then a typo that replaces nothing.
    turns = [
        Turn("Committing.", [bash('git add conf.py && git commit -qm "Add a setting for the line width"')]),
        Turn("Committed."),
        Turn("Saving.", [bash(f"belay wrap-up --apply <<'YAML'\n{FORM}YAML")]),
        Turn("Saved."),
        Turn("Reading.", [read(shop, "README.md")]),
        Turn("Correcting.", [edit(shop, "README.md", "warps", "wraps")]),
        Turn("The typo is corrected."),
    ]
    with Api(turns) as api:
        run = client(api, cwd=shop).run("commit this", "/wrap-up", "fix the typo in README.md")
    assert run.code == 0, run.stderr
    text = settled(lambda: note(shop) if "WIDTH" not in note(shop) and STEP in note(shop) else "")
    assert STEP in text.split("## Immediate Next Action")[1]
    assert STEP in (shop / "MEMORY.md").read_text() + "".join(
        path.read_text() for path in (shop / ".memory").rglob("*.md")
    )
    assert "typo" not in text.split("## Immediate Next Action")[1]

    # The next morning, in a terminal: the person and Claude get the same next step.
    git(shop, "commit", "-qam", "Correct a typo")
    with Api([Turn("Good morning.")]) as api:
        app = client(api, cwd=shop)
        with Terminal(app) as terminal:
            screen = terminal.wait_for("continuing")
            terminal.say("go on please")
            terminal.wait_for("Good morning.")
            terminal.leave()
    flat = "".join(screen.split())
    assert "".join(f"Next: {STEP}".split()) in flat
    assert flat.count("Next:") == 1
    assert STEP in api.main[0].text
    assert json.loads(belay(app, shop, "status", "--json"))["session"]["task"] != "go on please"

    # After the merge the step goes on with main's memory.
    git(shop, "checkout", "-q", "main")
    git(shop, "merge", "-q", "feature/width")
    belay(app, shop, "branch", "fold", "feature/width", "--yes")
    assert STEP in (shop / "MEMORY.md").read_text()
    assert "option 2" not in (shop / "MEMORY.md").read_text()
