"""`belay discover` as a process."""

import seedtree
from commandline import answer, belay
from repos import git


def test_a_path_a_task_and_the_map(tmp_path):
    shop = seedtree.build(tmp_path / "shop")

    data = answer(shop, "discover", "src/features/auth/use-auth.ts")
    assert [*dict.fromkeys(row["level"] for row in data["results"])] == ["root", "orchestration", "feature"]
    assert data["tokens"] <= data["budget"]
    task = answer(shop, "discover", "--task", "let users change their subscription plan", "--budget", "400")
    assert task["features"][0]["path"] == "src/features/billing"
    assert task["tokens"] <= 400
    assert answer(shop, "discover", "--map")["results"][0]["path"] == "CLAUDE.md"


def test_what_is_known_of_a_task_comes_from_the_knowledge_base_too(tmp_path):
    shop = seedtree.build(tmp_path / "shop")
    belay(shop, "decision", "Subscriptions are billed by Stripe, not Paddle")

    rows = answer(shop, "discover", "--task", "change how subscriptions are billed")["results"]

    assert [row["text"] for row in rows if row["level"] == "entry"] == [
        "Subscriptions are billed by Stripe, not Paddle"
    ]


def test_it_says_what_was_left_out_and_how_to_see_it(tmp_path):
    shop = seedtree.build(tmp_path / "shop")
    done = belay(shop, "discover", "src/features/auth", "--budget", "80")

    assert "tokens; more: --budget" in done.stdout
    assert "src/features/auth/CLAUDE.md (memory of src/features/auth" in done.stdout


def test_a_path_outside_and_two_questions_at_once(tmp_path):
    shop = seedtree.build(tmp_path / "shop")

    assert "outside of the project" in belay(shop, "discover", "../other").stderr
    assert belay(shop, "discover", "src", "--task", "x").returncode == 2


def test_claude_is_not_shown_the_words_of_a_file_that_nobody_accepted(tmp_path, monkeypatch):
    shop = seedtree.build(tmp_path / "shop")
    git(tmp_path, "clone", "-q", str(shop), "clone")
    clone = tmp_path / "clone"
    belay(clone, "trust")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "11111111-2222-4333-8444-555555555555")

    rows = answer(clone, "discover", "src/features/auth/use-auth.ts")["results"]

    assert rows
    assert {row["text"] for row in rows if row["level"] != "document"} == {""}
    assert "Supabase" not in belay(clone, "discover", "src/features/auth").stdout
