"""belay stats and belay context."""

import os

from commandline import answer, belay

from belay.knowledge.store.store import Store


def counted(repo, **counts):
    with Store(str(repo / ".claude" / "memory" / "workshop.db"), os.environ) as store:
        store.append({"kind": "entry-count", "of": "s-1", "counts": counts})


def test_what_is_known_is_counted_by_kind_and_state(repo):
    first = answer(repo, "goal", "Ship the export")["id"]
    belay(repo, "goal", "Print on paper")
    belay(repo, "decision", "Use Supabase for auth")
    belay(repo, "resolve", first)
    data = answer(repo, "stats")

    assert data["types"] == {"decision": {"active": 1}, "goal": {"active": 1, "done": 1}}
    assert (data["active"], data["never"], data["documents"]) == (2, 2, 0)
    assert data["space"]["database"] >= os.path.getsize(data["path"])
    assert data["space"]["ledger"] == os.path.getsize(repo / ".claude/memory/journal/ledger.jsonl")
    told = belay(repo, "stats").stdout
    assert "  goal      1, 1 done\n" in told
    assert "none indexed (`belay index` does it)" in told


def test_what_helped_what_cost_and_what_never_came_up_is_named(repo):
    useful, idle, costly = (answer(repo, "note", f"{word} stands alone")["id"] for word in ("alpha", "beta", "gamma"))
    counted(repo, **{useful: {"recalled": 3, "used": 2, "helpful": 1, "tokens": 40},
                     costly: {"recalled": 9, "harmful": 1, "tokens": 400}})  # fmt: skip
    data = answer(repo, "stats")

    assert [[one["id"] for one in data[name]] for name in ("useful", "unused", "costly", "oldest_never")] == [
        [useful],
        [costly],
        [costly, useful],
        [idle],
    ]
    assert (data["never"], data["tokens"]) == (1, 440)
    told = belay(repo, "stats").stdout
    assert "Recalled   2 of 3, 440 tokens spent\n" in told
    assert f"  {useful}  recalled 3  used 2  helpful 1  40 tokens  alpha stands alone\n" in told


def test_indexed_documents_are_counted(repo):
    (repo / "README.md").write_text("# Shop\n\nSells tea.\n\n## Hours\n\nNine to five.\n")
    (repo / "bad.md").write_bytes(b"\0\1\2 not a text \0")
    belay(repo, "init")
    belay(repo, "index")
    data = answer(repo, "stats")

    assert (data["documents"] >= 1, data["sections"] >= 1, data["indexed"] != "") == (True, True, True)
    assert f"{data['documents']} in " in belay(repo, "stats").stdout


def test_context_prints_what_a_start_loads(repo):
    belay(repo, "goal", "Add dark mode support", "-p", "high")
    belay(repo, "unknown", "Who renews the certificate?")
    data = answer(repo, "context")

    assert "Goal (high): Add dark mode support" in data["lines"]
    assert belay(repo, "context").stdout == "\n".join(data["lines"]) + "\n"


def test_context_of_a_base_elsewhere_is_that_base_s(repo, tmp_path):
    base = str(tmp_path / "notes.db")
    belay(repo, "--db", base, "goal", "Ship the export")

    assert "Goal: Ship the export\n" in belay(repo, "--db", base, "context").stdout
    assert belay(tmp_path, "--db", base, "context").returncode == 0
