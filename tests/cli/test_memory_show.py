"""`belay memory show`: sections and tiers as Claude is told them."""

import json
import os

import pytest
import story
from click.testing import CliRunner
from schemas import check

from belay.cli.main import belay
from belay.safety import trust


@pytest.fixture
def shop(tmp_path, monkeypatch):
    folder = story.tell(tmp_path / "shop")
    monkeypatch.chdir(folder)
    return folder


def show(*args):
    return CliRunner().invoke(belay, ["memory", "show", *args])


def test_tier_one_is_what_a_start_loads(shop):
    assert show().output.split("\n")[0] == "Next step: Finish `handleRefund()` in `src/refunds.js`"


def test_a_section_by_its_name_or_title_with_the_overlay(shop):
    story.git(shop, "checkout", "-q", story.BRANCH)
    for name in ("decisions", "Key Decisions", "ADL"):
        told = show(name).output
        assert "Prisma over Drizzle" in told
        assert "Avatars as WebP" in told


@pytest.mark.parametrize("tier", [1, 2, 3])
def test_a_tier_as_json(shop, tier):
    data = check("memory", json.loads(show("--tier", str(tier), "--json").output))
    assert data["layers"] == ["MEMORY.md"]
    assert data["tier"] == tier
    assert any(row["lines"] for row in data["sections"])


def test_gaps_are_issues(shop):
    assert show("gaps").output == show("issues").output != "issues is empty.\n"


def test_an_empty_section_says_so(shop):
    assert show("external").output == "external is empty.\n"


def test_what_cannot_be_shown_says_why(shop):
    assert show("nonsense").exit_code == 2
    assert show("left", "--tier", "2").exit_code == 2
    trust.revoke(os.environ, str(shop), "MEMORY.md")
    refused = show()
    assert refused.exit_code == 1
    assert "belay trust MEMORY.md" in refused.output
    os.unlink("MEMORY.md")
    assert "does not exist" in show().output
