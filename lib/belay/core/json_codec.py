"""JSON in and out without the json package, whose import costs as much as a bare interpreter (HOST §2.3)."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LINE_BYTES = 1024 * 1024  # a longer line is not even searched: no answer of a model is that long
_SPACE = " \t\n\r"


class _Scanner:
    """The options that CPython's C scanner reads from its context."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        raise ValueError(f"{name} is not JSON")


def _native() -> tuple[Any, Any, Any] | None:
    # The C halves of the json package are private names, but the same since 3.1; without them json itself serves.
    try:
        import _json

        return (
            _json.make_scanner(_Scanner()),  # type: ignore[arg-type]
            _json.make_encoder(None, _refuse, _json.encode_basestring, None, ":", ",", False, False, False),
            _json.make_encoder(None, _refuse, _json.encode_basestring, None, ": ", ", ", False, False, False),
        )
    except (ImportError, AttributeError, TypeError):
        return None


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not JSON")


_NATIVE = _native()


def loads(text: str) -> Any:
    """Return the value of a JSON text; ValueError when it is not one (nesting too deep included)."""
    try:
        return _loads(text)
    except (StopIteration, RecursionError, IndexError, SystemError) as error:
        # SystemError: the scanner takes its exception from json.decoder, and gives none where that is not loaded.
        raise ValueError("not JSON") from error


def _loads(text: str) -> Any:
    if _NATIVE is None:
        import json

        return json.loads(text, strict=False, parse_constant=_Scanner.parse_constant)
    start = len(text) - len(text.lstrip(_SPACE))
    value, end = _NATIVE[0](text, start)
    if text[end:].strip(_SPACE):
        raise ValueError("text after the JSON value")
    return value


def dumps(value: object, *, spaced: bool = False) -> str:
    """Return the value as one line of JSON, non-ASCII kept; TypeError or ValueError for what JSON cannot hold.

    `spaced`: a blank behind colons and commas, as commands print it.
    """
    if _NATIVE is None:
        import json

        return json.dumps(
            value, ensure_ascii=False, allow_nan=False, check_circular=False,
            separators=(", ", ": ") if spaced else (",", ":"),
        )  # fmt: skip
    return "".join(_NATIVE[2 if spaced else 1](value, 0))


def encode(value: object) -> bytes:
    """Return the value as UTF-8 JSON; lone surrogates become '?'."""
    return dumps(value).encode("utf-8", "replace")


def as_path(text: str) -> str:
    """Return a text of JSON as the path of a file that may exist: a lone surrogate, which no name holds, as "?"."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def load_line(line: bytes, *marks: bytes) -> Any:
    """Return the object of a line that holds every literal, else None; other lines cost one search each."""
    if len(line) > LINE_BYTES or not all(mark in line for mark in marks):
        return None
    try:
        value = loads(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def first_text(fields: Mapping[str, object], *names: str) -> str:
    """Return the first of the fields that is a string, "" when none is."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str):
            return value
    return ""


def text_or_empty(value: object) -> str:
    """Return a value that is a string, "" for any other."""
    return value if isinstance(value, str) else ""


def fields_of(value: object) -> Any:
    """Return a value that is a JSON object, {} for any other."""
    return value if isinstance(value, dict) else {}


def rows_of(value: object) -> list[Any]:
    """Return the objects of a list, [] for what is no list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
