"""Edits one top-level member of a JSON text and leaves every other character as it was; for the CLI only."""

from __future__ import annotations

import json
from json.decoder import scanstring  # type: ignore[attr-defined]

from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPACE = " \t\r\n\ufeff"


class Member(NamedTuple):
    """The place of a member in the text: from its key's quote to the end of its value."""

    key: str
    start: int
    value: int
    end: int


def get(text: str, key: str) -> Any:
    """Return a member's value, None where there is none; ValueError where the text is no JSON object."""
    found = _find(text, key)
    return json.loads(text[found.value : found.end]) if found else None


def put(text: str, key: str, value: Any) -> str:
    """Return the text with the member set, appended last if it was not there; no text becomes an object."""
    if not text.strip(_SPACE):
        return json.dumps({key: value}, indent=2, ensure_ascii=False) + "\n"
    members = _members(text)
    indent = _indent(text, members)
    written = _written(value, indent)
    found = _find(text, key)
    if found:
        return text[: found.value] + written + text[found.end :]
    member = f"{json.dumps(key)}: {written}"
    if not members:
        at = text.index("{") + 1
        return f"{text[:at]}\n{indent}{member}\n{text[at:].lstrip()}"
    end = members[-1].end
    return f"{text[:end]},{_gap(text, members)}{member}{text[end:]}"


def put_back(text: str, key: str, before: str) -> str:
    """Return the text with the member as another text has it, character for character, or without it."""
    found, old = _find(text, key), _find(before, key) if before.strip(_SPACE) else None
    if not found:
        return text
    if old:
        return text[: found.value] + before[old.value : old.end] + text[found.end :]
    return _without(text, found)


def _without(text: str, found: Member) -> str:
    members = _members(text)
    at = members.index(found)
    if at:
        return text[: members[at - 1].end] + text[found.end :]
    if len(members) > 1:
        return text[: found.start] + text[members[1].start :]
    return text[: found.start].rstrip() + text[found.end :].lstrip()


def _find(text: str, key: str) -> Member | None:
    # Where a key occurs twice the last one counts, as for every JSON reader.
    return next((member for member in reversed(_members(text)) if member.key == key), None)


def _members(text: str) -> list[Member]:
    """Return the members of the text's object in order; ValueError where it is none."""
    if not isinstance(json.loads(text.strip(_SPACE)), dict):
        raise ValueError("not a JSON object")
    decoder, members = json.JSONDecoder(), []
    at = _skip(text, text.index("{") + 1)
    while text[at] == '"':
        key, past = scanstring(text, at + 1, True)
        value = _skip(text, _skip(text, past) + 1)
        _, end = decoder.raw_decode(text, value)
        members.append(Member(key, at, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return members


def _skip(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at


def _gap(text: str, members: list[Member]) -> str:
    """Return the white space before the last key, which the next one gets too."""
    start = members[-1].start
    return text[len(text[:start].rstrip(_SPACE)) : start]


def _indent(text: str, members: list[Member]) -> str:
    if not members:
        return "  "
    return _gap(text, members).rpartition("\n")[2] if "\n" in _gap(text, members) else ""


def _written(value: Any, indent: str) -> str:
    if not indent:
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", "\n" + indent)
