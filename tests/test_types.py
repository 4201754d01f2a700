"""A misspelt key of the central data fails the type check: one run of mypy over all rows."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

IMPORTS = """
from belay.budget.learned_limits import Row as LimitRow
from belay.cli.results import Compression, WaitingRow
from belay.cli.session.status import Status
from belay.client.event import CallFields, Event, HookFields
from belay.client.tool_results import CommandRun, TodoItem
from belay.core.settings import Settings
from belay.safety.trust import FileTrust
from belay.setup.cleanup.undo_record import Line
from belay.knowledge.exchange.json_rows import Row
from belay.knowledge.store.records import ReviewRecord, RuleRecord
from belay.knowledge.store.store import NewEntry, Store
from belay.mcp.arguments import SearchArguments
from belay.memory.drift.diff_types import Conflict
from belay.memory.health.health_types import Health
from belay.memory.memory_facts import Facts
from belay.memory.undo import UndoRecord
from belay.memory.wrapup.form import Document
from belay.session.records import Candidate, EditRecord
from belay.session.session import Session
from belay.session.state_types import Capture, State
"""
# What is tried, one statement a row → the misspelt word that mypy must name; "" for a row that must pass.
ROWS = {
    'def state_key(state: State) -> str: return state["task"]': "",
    'def misspelt_state_key(state: State) -> str: return state["taks"]': "taks",
    'def state_key_set(state: State) -> None: state["intnet"] = ""': "intnet",
    'def capture_key(capture: Capture) -> str: return capture["txet"]': "txet",
    'def record(session: Session) -> None: session.log("command", command="make", ok=True, output="")': "",
    'def record_field(session: Session) -> None: session.log("command", comand="make")': "comand",
    'def field_of_another_kind(session: Session) -> None: session.log("end", thresholds=[60])': "log",
    'def record_kind(session: Session) -> None: session.log("edti", files=[])': "log",
    'def record_read(record: EditRecord) -> object: return record["fiels"]': "fiels",
    'candidate: Candidate = {"classes": {}, "text": "", "orgin": "typed"}': "orgin",
    'def entry_field(store: Store) -> None: store.add("note", "text", reasoning="why")': "",
    'def misspelt_entry_field(store: Store) -> None: store.add("note", "text", reasonning="why")': "reasonning",
    'def entry_change(store: Store) -> None: store.change("K-ABCDEF", staus="done")': "staus",
    'entry = NewEntry("note", "text", {"tag": ["a"]})': "tag",
    'rule: RuleRecord = {"kind": "standard-count", "id": "K-ABCDEF", "hold": 1}': "hold",
    'def ledger_record(store: Store) -> None: store.append({"kind": "entry-mor", "id": "K-ABCDEF"})': "append",
    'review: ReviewRecord = {"kind": "review", "act": "acept"}': "act",
    'def exported_row(row: Row) -> object: return row["contnet"]': "contnet",
    'fields: HookFields = {"prompt": "", "promt_id": ""}': "promt_id",
    'def call_field(call: CallFields) -> object: return call["tool_inptu"]': "tool_inptu",
    "def event_property(event: Event) -> str: return event.promt": "promt",
    'def command_run(run: CommandRun) -> str: return run["comand"]': "comand",
    'todo: TodoItem = {"id": "1", "text": "", "stauts": ""}': "stauts",
    'def setting(settings: Settings) -> object: return settings["treshold"]': "treshold",
    'def trusted(entry: FileTrust) -> object: return entry["hashs"]': "hashs",
    'def limit_row(row: LimitRow) -> object: return row["limit"]': "limit",
    'line: Line = {"do": "move", "pair": []}': "pair",
    'def fact(facts: Facts) -> str: return facts["header"]["updated"]': "",
    'def misspelt_fact(facts: Facts) -> object: return facts["heder"]': "heder",
    'def fact_row(facts: Facts) -> object: return [row["resaon"] for row in facts["decisions"]]': "resaon",
    'def conflict(conflict: Conflict) -> str: return conflict["evidnce"]': "evidnce",
    'def health(health: Health) -> float: return health["freshnes"]["score"]': "freshnes",
    'def wrap_up_document(document: Document) -> str: return document["sumary"]': "sumary",
    'def undo_record(record: UndoRecord) -> object: return record["file"]': "file",
    'def status_key(status: Status) -> object: return status["wating"]': "wating",
    'def waiting_row(row: WaitingRow) -> object: return row["clas"]': "clas",
    'def compression(result: Compression) -> object: return result["removd"]': "removd",
    'def tool_argument(given: SearchArguments) -> object: return given["quary"]': "quary",
}


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """Return line number → what mypy says of it."""
    path = tmp_path_factory.mktemp("types") / "snippet.py"
    path.write_text(IMPORTS + "\n".join(ROWS) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=600)
    assert run.returncode == 1, run.stdout + run.stderr
    found = {}
    for line in run.stdout.splitlines():
        # mypy's cache may name the path of an earlier run
        where, _, text = line.partition(": error: ")
        if text and "snippet.py:" in where:
            number = int(where.rpartition(":")[2])
            found[number] = found.get(number, "") + text
    return found


@pytest.mark.parametrize("row", ROWS)
def test_a_misspelt_key_fails_the_type_check(errors, row):
    number = IMPORTS.count("\n") + list(ROWS).index(row) + 1

    assert ROWS[row] in errors.get(number, "") if ROWS[row] else number not in errors
