"""The slash commands in the real client: bare names resolve, and what they show is made by `bin/belay`."""

from host.api import Api, Turn, tool

FORM = """summary: "status is refunded"
next step: "write the test in pay.py"
decisions:
  - decision: "SQLite for the ledger"
    reason: "one file is enough"
    affects: "pay.py"
"""


def test_cleanup_shows_the_plan_and_changes_nothing(client, shop):
    (shop / ".workshop").mkdir()
    (shop / ".workshop" / "notes.md").write_text("old notes\n")
    with Api([Turn("Shall I?")]) as api:
        run = client(api, cwd=shop).run("/cleanup")
    assert run.code == 0, run.stderr
    text = api.main[0].text
    assert ".workshop/notes.md" in text
    assert ".claude/orchestration/" in text
    assert (shop / ".workshop" / "notes.md").exists()


def test_wrap_up_shows_the_audit_and_takes_the_form(client, shop):
    save = f"belay wrap-up --apply <<'YAML'\n{FORM}YAML"
    turns = [Turn("Noted."), Turn("Saving.", [tool("Bash", command=save)]), Turn("Saved.")]
    with Api(turns) as api:
        run = client(api, cwd=shop).run("Let's go with SQLite for the ledger, one file is enough.", "/wrap-up")
    assert run.code == 0, run.stderr
    audit = api.main[1].text
    assert "SQLite for the ledger" in audit.split("What code alone can say of this session")[1]
    assert "MEMORY.md" in api.main[2].texts[-1]
    memory = (shop / "MEMORY.md").read_text()
    assert "write the test in pay.py" in memory
    assert "SQLite for the ledger" in memory


def test_pickup_delivers_what_waits(client, shop):
    with Api([Turn("Done. Next I'll test it.")]) as api:
        client(api, cwd=shop).run("Please mend refund() in pay.py", "save state, please")
    assert (shop / "CONTINUATION.md").exists()
    with Api([Turn("You were mending refund().")]) as api:
        run = client(api, cwd=shop).run("/pickup")
    assert run.code == 0, run.stderr
    assert "Mend refund() in pay.py" in api.main[0].text.split("Where the last session ended")[1]
    assert not (shop / "CONTINUATION.md").exists()
