"""Names without secrets that still tell one name from another: of branches, files, folders, tags.

A label is the name with a mark in the place of each secret: `[redacted:kind~hash]`. The hash is keyed with this user's
key (`core/signatures`), so two names that differ only in their secrets keep two labels, and nobody else can test a
guess. A name without a secret is its own label. Git allows no "[" in the name of a branch, so a label is never taken
for one.
"""

from __future__ import annotations

import os

from belay.core import signatures
from belay.core.signatures import is_plain_name
from belay.safety import redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    Value = TypeVar("Value")

HASH = 8
"""Hex digits of a secret's hash."""
_PASSES = 8


def make_label(name: str) -> str:
    """Return a name without its secrets; the label of a label is itself.

    A secret may reach over the parts of a path: then the mark stands for all of them. Where no key can be kept the
    marks have no hash.
    """
    if is_plain_name(name) or not redaction.find_secrets(name):
        return name
    for _ in range(_PASSES):
        marked = _put_marks(name)
        if marked == name:
            return name
        name = marked
    return redaction.redact(name)


def _put_marks(name: str) -> str:
    parts, last = [], 0
    for kind, start, end in redaction.find_secrets(name):
        parts += [name[last:start], _make_mark(kind, name[start:end])]
        last = end
    return "".join([*parts, name[last:]])


def label_texts(value: Value) -> Value:
    """Return a value of lists, tables and texts with the label of every text in it."""
    if isinstance(value, str):
        return make_label(value)  # type: ignore[return-value]
    if isinstance(value, list):
        return [label_texts(part) for part in value]  # type: ignore[return-value]
    if isinstance(value, dict):
        return {key: label_texts(part) for key, part in value.items()}  # type: ignore[return-value]
    return value


def is_label(name: str) -> bool:
    """Whether a name holds a mark, so that neither git nor the file system has it."""
    return redaction.OPEN in name


def find_name(label: str, names: Iterable[str]) -> str:
    """Return the one of these names that a label stands for, "" where none fits; any other name is itself."""
    if not is_label(label):
        return label
    return next((name for name in names if make_label(name) == label), "")


def _make_mark(kind: str, secret: str) -> str:
    digest = signatures.sign_name(os.environ, f"label {secret}")[:HASH]
    return f"{redaction.OPEN}{kind}{redaction.HASHED + digest if digest else ''}]"
