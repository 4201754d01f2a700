"""The knowledge base's commands in the real client: what Claude records is known as Claude's, and /why leads to it."""

import json
import os
import sys

from host.api import Api, Turn, tool

from belay.knowledge.store.store import Store


def test_claude_records_a_fact_and_why_finds_it(client, repo, home):
    data = home / ".local" / "share" / "belay"
    data.mkdir(parents=True)
    (data / "env").write_text(f"{sys.executable}\n0\n0\n")
    record = 'workshop decision "SQLite for the ledger" -r "one file is enough" -f file.txt --json'
    turns = [
        Turn("Recording.", [tool("Bash", command=record)]),
        Turn("Recorded."),
        Turn("Looking.", [tool("Bash", command="belay why ledger")]),
        Turn("One file is enough."),
    ]
    with Api(turns) as api:
        run = client(api, cwd=repo).run("Please keep that in mind for us", "/why the ledger is SQLite")
    assert run.code == 0, run.stderr

    told = api.main[1].texts[-1]
    made = json.loads(told[told.index("{") : told.rindex("}") + 1])
    assert (made["source"], made["files"]) == ("tool", ["file.txt"])
    with Store(str(repo / ".claude" / "memory" / "workshop.db"), os.environ) as store:
        assert store.get(made["id"]).session == run.session_id
    assert "The user asks why: the ledger is SQLite" in api.main[2].text
    assert "reason  one file is enough" in api.main[3].texts[-1]
