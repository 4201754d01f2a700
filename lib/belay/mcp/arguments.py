"""The arguments of a call, checked against its tool's schema: one line says to the model what to fix."""

from __future__ import annotations

from belay.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    from typing_extensions import Required

    Schema = dict[str, Any]  # JSON schema
    Foreign = dict[str, Any]  # arguments as the model gave them

    class SearchArguments(TypedDict, total=False):
        """What memory_search is given."""

        query: Required[str]
        type: str
        file: str
        branch: str
        since: str
        k: int

    class ReadArguments(TypedDict, total=False):
        """What memory_read is given."""

        id: str
        path: str
        start: int
        end: int

    class RecordArguments(TypedDict, total=False):
        """What memory_record is given."""

        type: Required[str]
        content: Required[str]
        reasoning: str
        files: list[str]
        tags: list[str]
        priority: str

    class TimelineArguments(TypedDict, total=False):
        """What memory_timeline is given."""

        around: str
        days: int
        k: int


TEXT, NAME, LIST, MOST = 4000, 300, 20, 1_000_000
"""Characters of a text, of any other value, items of a list, the largest number."""
WHOLE = ("content", "reasoning", "query")


def check_arguments(schema: Schema, given: Foreign) -> Foreign:
    """Return the arguments as the schema has them; BadInput for what cannot be read so.

    A number as text and a single text for a list are taken; null means that nothing was given.
    """
    known = schema["properties"]
    unknown = [key for key in given if key not in known]
    if unknown:
        raise BadInput(f"`{_quote(unknown[0])}`", "is not known here", f"give {', '.join(known)}")
    arguments = {key: _check_value(key, known[key], value) for key, value in given.items() if value is not None}
    for key in schema.get("required", ()):
        if not arguments.get(key):
            raise BadInput(f"`{key}`", "is missing or empty", "give it")
    return arguments


def _check_value(key: str, schema: Schema, value: Any) -> Any:
    if schema["type"] == "integer":
        return _check_number(key, value)
    if schema["type"] == "array":
        values = value if isinstance(value, list) else [value]
        if len(values) > LIST:
            raise BadInput(f"`{key}`", f"has over {LIST} items", "give fewer")
        return [_check_text(key, schema["items"], item) for item in values]
    return _check_text(key, schema, value)


def _check_number(key: str, value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 9:
        value = int(value)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value <= MOST
    if not is_number or value != int(value):
        raise BadInput(f"`{key}`", "cannot be used", "give a whole number from 1 on")
    return int(value)


def _check_text(key: str, schema: Schema, value: Any) -> str:
    if not isinstance(value, str):
        raise BadInput(f"`{key}`", "is no text", "give a text")
    text = value.replace("\0", "").encode("utf-8", "replace").decode("utf-8").strip()
    most = TEXT if key in WHOLE else NAME
    if len(text) > most:
        raise BadInput(f"`{key}`", f"is over {most} characters", "say it shorter")
    allowed = schema.get("enum")
    if allowed and text and text.lower() not in allowed:
        raise BadInput(f"`{key}`", f"cannot be “{_quote(text)}”", f"one of {', '.join(allowed)}")
    return text.lower() if allowed else text


def _quote(text: str) -> str:
    from belay.core.plain_text import shown

    return shown(text.encode("utf-8", "replace").decode("utf-8"), 40)
