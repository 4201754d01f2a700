"""`belay place` as a process."""

import json

from commandline import answer, belay
from schemas import check


def write(repo):
    (repo / "src" / "features" / "billing").mkdir(parents=True)
    (repo / "src" / "features" / "billing" / "invoice.ts").write_text("export function sendInvoice() {}\n")


def test_one_learning_from_the_arguments(repo):
    write(repo)
    found = answer(repo, "place", "sendInvoice", "retries three times")

    assert found["file"] == "src/features/billing/CLAUDE.md"
    assert "src/features/billing/invoice.ts:1 defines" in found["why"]
    assert [row["file"] for row in found["others"]][-1:] == ["CLAUDE.md"]


def test_stdin_is_one_learning(repo):
    done = belay(repo, "place", "--json", stdin="We agreed that every commit\nhas a test.\n")
    found = check("place", json.loads(done.stdout))

    assert (found["file"], len(found["results"])) == ("CLAUDE.md", 1)
    assert found["results"][0]["text"] == "We agreed that every commit has a test."


def test_a_list_on_stdin_is_a_learning_an_item(repo):
    write(repo)
    done = belay(repo, "place", "--json", stdin="- ✅ invoices\n- sendInvoice retries\n\n- All dates are UTC\n")
    found = check("place", json.loads(done.stdout))

    assert [row["path"] for row in found["results"]] == [
        ".orchestre/CLAUDE.md", "src/features/billing/CLAUDE.md", "CLAUDE.md",
    ]  # fmt: skip


def test_it_says_what_is_not_there_yet_and_writes_nothing(repo):
    write(repo)
    done = belay(repo, "place", "sendInvoice retries three times")

    assert "which is not there yet: belay memory-init src/features/billing" in done.stdout
    assert not list(repo.rglob("CLAUDE.md"))


def test_nothing_is_no_learning(repo):
    assert belay(repo, "place", stdin=" \n").returncode == 2
