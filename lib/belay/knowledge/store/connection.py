"""Connections to SQLite that take any text; hooks load this, so it does without the package's own code."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from typing import Any


def _load_engine() -> Any:
    """Return SQLite's module in C: the package's own code loads datetime and collections, 3 ms of a hook's 15.

    The one in C loads functools for `lru_cache` alone, and that loads collections again: 2 ms. So it gets a stand-in of
    that name, which is gone when it returns; where functools is loaded already there is nothing to save.
    """
    if "functools" in sys.modules:
        import _sqlite3

        return _sqlite3
    from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

    sys.modules["functools"] = type(sys)("functools")
    vars(sys.modules["functools"])["lru_cache"] = lambda size: lambda make: _lru_cache_wrapper(make, size, False, tuple)
    try:
        import _sqlite3
    finally:
        del sys.modules["functools"]
    return _sqlite3


if not TYPE_CHECKING:
    try:
        sqlite3 = _load_engine()
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
