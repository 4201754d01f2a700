"""The rows of session records: a session, what was stated of its work, what it made, where it was at its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay.core import json_codec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from belay.knowledge.store.records import ArtifactRow, ReflexRow, SessionRecord, SessionRow, SnapshotRow

_FLAGS, _LISTS = ("goal_stated", "outcome_stated"), ("unknowns", "learned")
_TEXTS = (
    "id", "recorded", "started", "ended", "reason", "branch", "head_start", "head_end", "goal", "outcome", "result",
)  # fmt: skip
_NUMBERS = (*_FLAGS, "prompts", "captures")
_COLUMNS = (*_TEXTS, *_NUMBERS, "investigating", "acting", "tokens")
"""What a record of another version lacks is "", 0 or unknown."""
_REFLEX_TEXTS = ("phase", "time", "goal", "outcome", "result")
_REFLEX = (*_REFLEX_TEXTS, "stated", "confidence", *_LISTS)
_ARTIFACT = ("kind", "name", "about", "edits", "time")


def put_record(connection: sqlite3.Connection, record: SessionRecord) -> None:
    """Write what a ledger record says of a session in place of what the base had of it."""
    name = str(record.get("of", ""))
    row = {**dict.fromkeys(_TEXTS, ""), **dict.fromkeys(_NUMBERS, 0), **(record.get("row") or {}), "id": name}
    if not name:
        return
    for table in ("reflexes", "artifacts", "snapshots"):
        connection.execute(f"DELETE FROM {table} WHERE session = ?", (name,))
    _insert(connection, "sessions", _COLUMNS, [row], replace=True)
    reflexes = [_pack(reflex) for reflex in record.get("reflexes", [])]
    _insert(connection, "reflexes", ("session", "number", *_REFLEX), _number(name, reflexes))
    lacking = {"kind": "", "name": "", "about": "", "edits": 0, "time": ""}
    artifacts = ({**lacking, "session": name, **artifact} for artifact in record.get("artifacts", []))
    _insert(connection, "artifacts", ("session", *_ARTIFACT), artifacts, replace=True)
    snapshots = [
        {"event": "", "time": "", **one, "body": json_codec.dumps(one.get("body") or {})}
        for one in record.get("snapshots", [])
    ]
    _insert(connection, "snapshots", ("session", "number", "event", "time", "body"), _number(name, snapshots))


def _number(session: str, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [{"session": session, "number": number, **row} for number, row in enumerate(rows)]


def _pack(reflex: ReflexRow) -> Mapping[str, Any]:
    lists = {key: json_codec.dumps(reflex.get(key) or []) for key in _LISTS}
    return {**dict.fromkeys(_REFLEX_TEXTS, ""), "stated": True, **reflex, **lists}


def _insert(
    connection: sqlite3.Connection, table: str, columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]], *,
    replace: bool = False,
) -> None:  # fmt: skip
    marks, how = ", ".join("?" * len(columns)), "INSERT OR REPLACE" if replace else "INSERT"
    sql = f"{how} INTO {table} ({', '.join(columns)}) VALUES ({marks})"
    connection.executemany(sql, [[row.get(column) for column in columns] for row in rows])


def load_record(connection: sqlite3.Connection, name: str) -> SessionRecord | None:
    """Return what is recorded of a session, None where nothing is."""
    rows = list_sessions(connection, "WHERE id = ?", (name,))
    if not rows:
        return None
    return {
        "kind": "session", "of": name, "row": rows[0], "reflexes": _list_reflexes(connection, name),
        "artifacts": _list_artifacts(connection, name), "snapshots": _list_snapshots(connection, name),
    }  # fmt: skip


def list_sessions(
    connection: sqlite3.Connection, where: str = "ORDER BY started DESC, id", values: tuple[str, ...] = ()
) -> list[SessionRow]:
    """Return the rows of sessions, the latest first."""
    found = connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM sessions {where}", values)
    return [_make_row(dict(zip(_COLUMNS, row, strict=True))) for row in found]


def _make_row(row: dict[str, Any]) -> SessionRow:
    made: Any = row | {flag: bool(row[flag]) for flag in _FLAGS}
    return made  # type: ignore[no-any-return]


def find_names(connection: sqlite3.Connection, beginning: str) -> list[str]:
    """Return the recorded sessions whose name begins so."""
    sql = "SELECT id FROM sessions WHERE substr(id, 1, ?) = ? ORDER BY started DESC"
    return [str(row[0]) for row in connection.execute(sql, (len(beginning), beginning))]


def list_rated(connection: sqlite3.Connection) -> list[tuple[str, ReflexRow]]:
    """Return (session, reflex) of all that was stated, in the order in which it was."""
    sql = f"SELECT session, {', '.join(_REFLEX)} FROM reflexes WHERE stated ORDER BY session, number"
    return [(str(row[0]), _make_reflex(row[1:])) for row in connection.execute(sql)]


def _list_reflexes(connection: sqlite3.Connection, name: str) -> list[ReflexRow]:
    sql = f"SELECT {', '.join(_REFLEX)} FROM reflexes WHERE session = ? ORDER BY number"
    return [_make_reflex(row) for row in connection.execute(sql, (name,))]


def _make_reflex(values: Iterable[Any]) -> ReflexRow:
    row: Any = dict(zip(_REFLEX, values, strict=True))
    made: Any = row | {key: json_codec.loads(row[key]) for key in _LISTS} | {"stated": bool(row["stated"])}
    return made  # type: ignore[no-any-return]


def _list_artifacts(connection: sqlite3.Connection, name: str) -> list[ArtifactRow]:
    sql = f"SELECT {', '.join(_ARTIFACT)} FROM artifacts WHERE session = ? ORDER BY kind, time, name"
    rows: list[Any] = [dict(zip(_ARTIFACT, row, strict=True)) for row in connection.execute(sql, (name,))]
    return rows


def _list_snapshots(connection: sqlite3.Connection, name: str) -> list[SnapshotRow]:
    sql = "SELECT event, time, body FROM snapshots WHERE session = ? ORDER BY number"
    return [
        {"event": event, "time": time, "body": json_codec.loads(body)}
        for event, time, body in connection.execute(sql, (name,))
    ]


def list_entries_of(connection: sqlite3.Connection, name: str) -> list[tuple[str, str, str]]:
    """Return (type, id, content) of the entries of a session that hold; of a mistake, its rule, the type "mistake"."""
    rows = connection.execute(
        "SELECT CASE WHEN s.entry_id IS NULL THEN e.type ELSE 'mistake' END, e.id, e.content FROM entries AS e "
        "LEFT JOIN standards AS s ON s.entry_id = e.id "
        "WHERE e.session = ? AND e.status NOT IN ('forgotten', 'superseded') ORDER BY e.num",
        (name,),
    )
    return [(str(kind), str(entry), str(content)) for kind, entry, content in rows]
