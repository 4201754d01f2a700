"""How to accept foreign text is told to a person, never to Claude."""

from pathlib import Path

from belay.core.errors import mend_foreign, mend_foreign_database
from belay.core.paths import resource


def test_a_person_gets_the_command_and_claude_none(monkeypatch):
    monkeypatch.delenv("CLAUDECODE", raising=False)
    assert mend_foreign("MEMORY.md") == "read it, then: belay trust MEMORY.md"
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "belay" not in mend_foreign("MEMORY.md")
    assert mend_foreign("MEMORY.md", for_person=True) == "read it, then: belay trust MEMORY.md"


def test_what_a_database_holds_is_listed_for_a_person_alone(monkeypatch):
    monkeypatch.delenv("CLAUDECODE", raising=False)
    assert mend_foreign_database() == "`belay trust` lists what it holds"
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "belay" not in mend_foreign_database()
    assert mend_foreign_database(for_person=True) == "`belay trust` lists what it holds"


NAMING = {
    "core/errors.py": "the one place that decides",
    "cli/setup/trust.py": "its own help",
    "cli/setup/waiting_rows.py": "its own errors",
    "cli/setup/waiting_databases.py": "its own line",
    "cli/setup/waiting_notes.py": "what the command itself prints, and a line that Claude gets without it",
    "cli/exchange/init.py": "a docstring",
    "context/start/texts.py": "the person's line",
    "context/start/row_texts.py": "the person's line on rows",
    "client/permission/acceptance.py": "what is asked about",
}


def test_no_other_text_names_the_command():
    lib = Path(resource("lib", "belay"))
    found = {str(path.relative_to(lib)) for path in lib.rglob("*.py") if "belay trust" in path.read_text("utf-8")}
    root = Path(resource())
    texts = [*(root / "commands").glob("*.md"), *(root / "skills").rglob("*.md"), *(root / "templates").rglob("*")]

    assert found == set(NAMING)
    assert [str(path) for path in texts if path.is_file() and "belay trust" in path.read_text("utf-8", "replace")] == []
