"""SQL scripts, statement by statement: inside a transaction of our own, and on an SQLite without full text search."""

from __future__ import annotations

import os
import re
import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "schema.sql")
MIGRATIONS = os.path.join(HERE, "migrations")
_LACKING = ("no such module", "no such tokenizer")
_NAMED = re.compile(r"^CREATE (?:VIRTUAL TABLE|TABLE|VIEW) (\w+)", re.M)
_VIRTUAL = re.compile(r"CREATE VIRTUAL TABLE (\w+) USING \w+ ?\((.*)\)\s*;", re.S)


def list_migrations(folder: str = MIGRATIONS) -> list[tuple[int, str]]:
    """Return (number, path) of the migrations in a folder, in order: NNNN-name.sql."""
    names = [name for name in sorted(os.listdir(folder)) if name[:4].isdigit() and name.endswith(".sql")]
    return [(int(name[:4]), os.path.join(folder, name)) for name in names]


def list_names(path: str) -> set[str]:
    """Return the tables and views that a script makes."""
    with open(path, encoding="utf-8") as file:
        return set(_NAMED.findall(file.read()))


def run_script(connection: sqlite3.Connection, path: str) -> None:
    """Run a script's statements; the caller holds the transaction (`executescript` would end it)."""
    with open(path, encoding="utf-8") as file:
        script = file.read()
    for statement in split_statements(script):
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if not str(error).startswith(_LACKING):
                raise
            connection.execute(replace_text_index(statement))


def split_statements(script: str) -> Iterator[str]:
    """Yield the statements of a script; SQLite itself says where one ends."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement.strip()
            statement = ""
    if statement.strip():
        yield statement.strip()


def replace_text_index(statement: str) -> str:
    """Return an ordinary table in place of a text index: searched by LIKE, but complete."""
    match = _VIRTUAL.search(statement)
    if not match:
        return statement
    columns = [part.strip() for part in match[2].split(",") if "=" not in part]
    names = ", ".join(column.split()[0] for column in columns)
    return f"CREATE TABLE {match[1]} ({names})"
