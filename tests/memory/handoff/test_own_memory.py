"""What a handoff knows of a branch: the base, and over it the branch's own memory."""

import os

import story

from belay.memory.handoff import own_memory
from belay.repository import projects


def test_the_branchs_own_memory_counts(tmp_path):
    shop = story.tell(tmp_path / "shop")
    on_main = own_memory.read_memory(projects.find(shop, os.environ), os.environ).facts
    story.git(shop, "checkout", "-q", story.BRANCH)

    on_branch = own_memory.read_memory(projects.find(shop, os.environ), os.environ).facts

    assert on_main["left"]["task"] == "Refunds in `src/refunds.js`"
    assert on_branch["left"]["task"] == "Avatar upload in `src/profiles.js`"
    told = [row["decision"] for row in on_branch["decisions"]]
    assert told == ["Prisma over Drizzle", "Prices in cents", "Avatars as WebP"]
