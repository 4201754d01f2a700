"""One table of kinds: documentation, trigger model, commands and tool schemas agree with it."""

import json
import os
import typing
from pathlib import Path

import pytest
from click import Choice
from click.testing import CliRunner

from belay.cli.main import COMMANDS, belay
from belay.core import kinds
from belay.core.errors import BadInput
from belay.knowledge.exchange import export
from belay.knowledge.store.store import NewEntry, Store
from belay.mcp import tools
from belay.memory.remember import notes
from belay.session import captures, working_buffer
from belay.session.session import Session
from belay.triggers import model, rules

ROOT = Path(__file__).resolve().parents[2]


def table(heading):
    """Return the rows of the table below a heading of docs/kinds.md, without its head."""
    text = (ROOT / "docs" / "kinds.md").read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    lines = text.partition("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return rows[2:]


def choices(command, option):
    found = belay.get_command(belay.make_context("belay", [command, "--help"], resilient_parsing=True), command)
    (param,) = [param for param in found.params if option in param.opts]
    assert isinstance(param.type, Choice)
    return tuple(param.type.choices)


def test_documentation_has_the_tables():
    assert table("Captures") == [
        [name, heading, "" if head < 0 else str(head), note, entry]
        for name, (heading, head, note, entry) in kinds.CAPTURES.items()
    ]
    assert table("Entries of the knowledge base") == [
        [name, letter, title, heading, "yes" if closable else ""]
        for name, (letter, title, heading, closable) in kinds.ENTRIES.items()
    ]
    assert table("States of an entry") == [[name, meaning] for name, meaning in kinds.STATUSES.items()]
    assert table("Notes in a memory file") == [
        [name, ", ".join(kinds.MEMORY_SECTIONS[section] for section in sections), label]
        for name, (sections, label) in kinds.NOTES.items()
    ]


def test_mappings_name_only_known_kinds():
    assert set(kinds.CLASS_NOTES.values()) <= set(kinds.NOTES)
    assert set(kinds.CLASS_ENTRIES.values()) | set(kinds.RULES) <= set(kinds.ENTRIES)
    assert {label for _, label in kinds.NOTES.values()} <= set(kinds.CAPTURES)
    assert {name for names in kinds.NOTE_SECTIONS.values() for name in names} <= set(kinds.MEMORY_SECTIONS)
    assert set(kinds.CAPTURES) - set(kinds.CLASS_ENTRIES) == {kinds.CORRECTION}


def test_types_for_the_type_checker_are_the_tables():
    source = (ROOT / "lib" / "belay" / "core" / "kinds.py").read_text(encoding="utf-8")
    space = {}
    exec(compile(source.replace("TYPE_CHECKING = False", "TYPE_CHECKING = True"), "kinds", "exec"), space)

    for name, rows in (("CaptureClass", "CAPTURES"), ("EntryType", "ENTRIES"), ("NoteKind", "NOTES")):
        assert typing.get_args(space[name]) == tuple(space[rows])


def test_trigger_model_and_rules_have_the_labels():
    assert [kinds.CAPTURES[label][1] for label in kinds.TRIGGER_LABELS] == list(range(len(kinds.TRIGGER_LABELS)))
    assert len(model.load().heads) == len(kinds.TRIGGER_LABELS)
    assert {row[1] for row in rules.TABLE} == set(kinds.TRIGGER_LABELS)


def test_commands_offer_the_kinds():
    assert choices("capture", "--as") == kinds.CAPTURE_CLASSES
    assert choices("remember", "--as") == (*kinds.NOTE_KINDS, "contact")
    assert choices("review", "--as") == kinds.ENTRY_TYPES
    assert [name for name in COMMANDS if name in kinds.ENTRIES] == list(kinds.ENTRY_TYPES)


def test_tool_schemas_offer_the_types():
    schemas = {tool["name"]: tool["inputSchema"]["properties"] for tool in tools.TOOLS}

    assert schemas["memory_record"]["type"]["enum"] == list(kinds.ENTRY_TYPES)
    assert schemas["memory_search"]["type"]["enum"] == [*kinds.ENTRY_TYPES, "document", "session"]


def test_an_unknown_kind_is_an_error_that_names_the_accepted_ones(project):
    with Store(project.workshop, os.environ, create=True) as store:
        with pytest.raises(BadInput, match=r"“hunch”: is not a type of entry; use one of: decision, gotcha, .*deadend"):
            store.add("hunch", "It may be the cache")
        with pytest.raises(BadInput, match="hunch"):
            store.add_many([NewEntry("note", "A fact", {}), NewEntry("hunch", "It may be the cache", {})])
        assert export.load_rows(store) == {}
    with pytest.raises(BadInput, match="“hunch”: is not a kind of note; use one of: decision, blocker"):
        notes.build_note("hunch", "It may be the cache", "2026-01-02")
    session = Session(project, "s1", os.environ)
    with pytest.raises(BadInput, match="“hunch”: is not a class of captures; use one of: correction, decision"):
        captures.record_captures(
            session, [{"classes": {"hunch": 1.0}, "text": "It may be the cache", "origin": "typed"}]
        )


@pytest.fixture
def newer(project):
    """A project in which a newer Belay recorded a capture and an entry of kinds that this one does not know."""
    session = Session(project, "s1", os.environ)
    session.log(
        "capture",
        id="C-ABCDEF",
        branch="main",
        classes={"hunch": 0.9},
        text="It may be the cache",
        origin="hand",
    )
    session.save()
    with Store(project.workshop, os.environ, create=True) as store:
        store.append({"kind": "entry", "id": "K-ABCDEF", "type": "hunch", "content": "It may be the cache"})
    return project


def test_a_class_of_a_newer_belay_is_shown_under_its_own_name(newer):
    session = Session(newer, "s1", os.environ)

    assert "### Hunch" in working_buffer.render(session.state)
    assert working_buffer.main_class(session.state["captures"]["C-ABCDEF"]) == "hunch"


def run(project, *args):
    done = CliRunner().invoke(belay, list(args), catch_exceptions=False)
    return done.exit_code, done.output


def test_a_capture_of_a_newer_belay_waits_until_somebody_names_its_type(newer, monkeypatch):
    monkeypatch.chdir(newer.root)
    assert "C-ABCDEF hunch" in run(newer, "review", "--list")[1]

    code, text = run(newer, "review", "--accept", "C-ABCDEF")
    assert (code, "use one of: decision" in text) == (1, True)
    assert run(newer, "review", "--accept", "C-ABCDEF", "--as", "finding")[0] == 0


def test_an_entry_of_a_newer_belay_is_listed_shown_and_exported(newer, monkeypatch):
    monkeypatch.chdir(newer.root)
    rows = json.loads(run(newer, "read", "--json")[1])["entries"]

    assert [(row["id"], row["type"]) for row in rows] == [("K-ABCDEF", "hunch")]
    assert "hunch" in run(newer, "show", "K-ABCDEF")[1]
    assert "K-ABCDEF hunch" in run(newer, "search", "cache")[1]
    with Store(newer.workshop, os.environ) as store:
        assert export.load_rows(store)["K-ABCDEF"]["type"] == "hunch"
        assert "## Hunch" in export.render_markdown(store)
