"""Connections to SQLite that take any text; hooks load this, so it does without the package's own code."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from typing import Any
else:
    try:
        import _sqlite3 as sqlite3  # the package's own code loads datetime and collections: 3 ms of a hook's 15
    except ImportError:
        import sqlite3


class Connection(sqlite3.Connection):
    """A connection that takes any text: what UTF-8 cannot hold (a file name's stray bytes) is written `\\udce9`."""

    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        """Run a statement, once more with harmless values where SQLite refuses them."""
        try:
            return super().execute(sql, values)
        except UnicodeEncodeError:
            return super().execute(sql, _make_encodable(values))
        except UnicodeDecodeError as error:
            raise _name_damage(error) from None

    def executemany(self, sql: str, rows: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement for each row of values."""
        try:
            return super().executemany(sql, map(_make_encodable, rows))
        except UnicodeDecodeError as error:
            raise _name_damage(error) from None


def _name_damage(error: UnicodeDecodeError) -> sqlite3.DatabaseError:
    """Return an error of SQLite whose message quotes a damaged schema, which is no text."""
    return sqlite3.DatabaseError(error.object.decode("utf-8", "replace"))


def _make_encodable(values: Any) -> Any:
    """Return the values of a statement, lone surrogates written as escapes."""
    if isinstance(values, dict):
        return {name: _encodable(value) for name, value in values.items()}
    return [_encodable(value) for value in values]


def _encodable(value: Any) -> Any:
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "backslashreplace").decode()
