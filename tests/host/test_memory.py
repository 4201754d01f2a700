"""Project memory in the real client: the greeting of a scripted history, then remembering, switching, folding."""

import os
from pathlib import Path

import pytest
import story
from context.test_story import DRIFT, MEMORY, OVERLAY, PERSON
from host.api import Api, Turn, tool
from host.terminal import Terminal


@pytest.fixture
def shop(tmp_path):
    """The story's repository, and an environment that both the hooks and the command line find."""
    story.environment(os.environ)
    return Path(story.tell(tmp_path / "shop"))


def bash(command):
    return tool("Bash", command=command)


def bare(text):
    """Return a text's letters and digits: a terminal wraps lines and styles what stands in ticks."""
    return "".join(char for char in text if char.isalnum())


def test_the_start_tells_the_story_to_claude(client, shop):
    with Api([Turn("Hello.")]) as api:
        run = client(api, cwd=shop).run("hello there")

    assert run.code == 0, run.stderr
    assert MEMORY in api.main[0].text
    assert DRIFT in api.main[0].text


def test_a_branch_is_greeted_with_its_overlay(client, shop):
    story.git(shop, "checkout", "-q", story.BRANCH)
    with Api([Turn("Hello.")]) as api:
        run = client(api, cwd=shop).run("hello there")

    assert run.code == 0, run.stderr
    assert OVERLAY in api.main[0].text


def test_the_person_sees_score_drift_and_next_step(client, shop):
    with Api([Turn("Hello.")]) as api, Terminal(client(api, cwd=shop)) as terminal:
        terminal.wait_for("Memory health: 7/10")
        shown = bare(terminal.screen)

    assert bare(PERSON.splitlines()[0]) in shown
    assert bare(PERSON.splitlines()[1]) in shown


def test_claude_remembers_and_folds_by_the_command_line(client, shop):
    turns = [
        Turn(
            "Saving.",
            [bash('belay remember "Refunds go through Stripe, because the bank asks for it" --as decision')],
        ),
        Turn("Folding.", [bash("belay branch fold feature/search --yes")]),
        Turn("Repairing.", [bash("belay diff --repair")]),
        Turn("Done."),
    ]
    with Api(turns) as api:
        run = client(api, cwd=shop).run("Please note it down, fold what was merged, and repair the paths.")

    assert run.code == 0, run.stderr
    memory = (shop / "MEMORY.md").read_text()
    assert "| Refunds go through Stripe | the bank asks for it |" in memory
    assert "Trigram index for search" in memory
    assert "`src/components/ProfileImage.js` | round picture of a user" in memory
    assert not (shop / ".memory" / "branches" / "feature-search.md").exists()


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("/health", "Memory health: 7/10"),
        (f"/switch {story.BRANCH}", "Avatars as WebP"),
        ("/compress", "nothing to take out"),
        ("/rebuild", "Reconstructed from code"),
        ("/handoff", "# Project Handoff: bakery"),
    ],
    ids=lambda value: value.partition(" ")[0],
)
def test_slash_commands_show_what_the_command_line_says(client, shop, command, expected):
    with Api([Turn("Here it is.")]) as api:
        run = client(api, cwd=shop).run(command)

    assert run.code == 0, run.stderr
    assert expected in api.main[0].text


def test_remember_files_what_the_person_typed(client, shop):
    turns = [
        Turn("Saving.", [bash('belay remember "Deploys happen on Tuesdays" --as preference')]),
        Turn("Saved."),
    ]
    with Api(turns) as api:
        run = client(api, cwd=shop).run("/remember deploys happen on Tuesdays")

    assert run.code == 0, run.stderr
    assert "- Deploys happen on Tuesdays" in (shop / "MEMORY.md").read_text()
