"""A project folder that commit 808ee61 wrote: its journal, state, buffer, database and trust are read and continued."""

import json
import sqlite3
import tarfile
import zlib
from pathlib import Path

import pytest
from commandline import answer, belay
from doors import log, run, said

PACKED = Path(__file__).parent / "data" / "written-808ee61.tar.xz"
WRITTEN_AT = "/home/ada/shop"
DEAD, SECOND = "11111111-2222-4333-8444-555555555555", "99999999-2222-4333-8444-555555555555"
CORRECTION = "always use integer cents, never floats"


@pytest.fixture
def shop(tmp_path, home):
    """The folder as it was, at a path of this test: each place that holds the path is written anew."""
    with tarfile.open(PACKED) as packed:
        packed.extractall(tmp_path, filter="data")
    data = home / ".local" / "share" / "belay"
    data.parent.mkdir(parents=True)
    (tmp_path / "belay").rename(data)
    root = tmp_path / "shop"
    trust = data / "trust.json"
    trust.write_text(trust.read_text().replace(WRITTEN_AT, str(root)))
    memory = root / ".claude" / "memory"
    for path in [*memory.glob("journal/*.jsonl"), *memory.glob("state/*-*.json")]:
        path.write_bytes(b"".join(_moved(line, root) for line in path.read_bytes().splitlines(keepends=True)))
    with sqlite3.connect(memory / "workshop.db") as database:
        database.execute("UPDATE meta SET value = ? WHERE key = 'index_folder'", [str(root)])
    database.close()
    return root


def _moved(line, root):
    body, crc, rest = line.rpartition(b',"crc":"')
    assert rest[:8] == b"%08x" % zlib.crc32(body)
    body = body.replace(WRITTEN_AT.encode(), str(root).encode())
    return body + crc + b"%08x" % zlib.crc32(body) + rest[8:]


def test_a_start_knows_what_was_open(shop):
    told, user = said(run("session_start", shop, session="33333333-2222-4333-8444-555555555555", source="startup"))

    assert CORRECTION in told
    assert "src/pay.py" in told
    assert "came with the repository" not in told + user
    assert log() == ""


def test_a_session_goes_on_in_its_journal(shop):
    said(
        run(
            "user_prompt_submit",
            shop,
            session=SECOND,
            prompt="No, use Decimal for the tax rates.",
            prompt_id="p9",
        )
    )
    records = answer(shop, "journal")
    state = json.loads((shop / ".claude/memory/state" / f"{SECOND}.json").read_text().rpartition(',"crc"')[0] + "}")

    assert records["damaged"] == 0
    assert state["prompts"] == 2
    assert [capture["text"] for capture in state["captures"].values()] == ["No, use Decimal for the tax rates."]
    buffer = (shop / "memory" / "working-buffer.md").read_text()
    assert CORRECTION in buffer
    assert "Decimal for the tax rates" in buffer


def test_the_knowledge_base_answers_and_grows(shop):
    before = (shop / ".claude/memory/journal/ledger.jsonl").read_bytes()
    why = belay(shop, "why", "integer cents").stdout
    found = answer(shop, "search", "card that paid")
    belay(shop, "gotcha", "Chargebacks arrive up to 120 days later")
    listed = belay(shop, "recent").stdout

    assert "floats lose cents" in why
    assert [row["path"] for row in found["results"]][:1] == ["docs.md"]
    assert all(text in listed for text in ("Chargebacks", "sandbox rejects refunds over 500", "Release refunds"))
    assert (shop / ".claude/memory/journal/ledger.jsonl").read_bytes().startswith(before)


def test_what_was_accepted_stays_accepted(shop):
    shown = belay(shop, "status").stdout

    assert "came with" not in shown
    assert str(shop) in shown
    assert "1 open" in shown
