"""Derived files that a hook believes later: JSON behind this user's mark of it, so that no clone's is believed."""

from __future__ import annotations

from belay.core import json_codec, signatures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def seal(environ: Mapping[str, str], key: str, *values: object) -> bytes:
    """Return a line with the key, one with the mark of all that follows, then each value as a line of JSON."""
    body = "\n".join(json_codec.encode(value).decode("utf-8") for value in values)
    return f"{key}\n{signatures.sign_name(environ, key + body)}\n{body}".encode()


def opened(environ: Mapping[str, str], data: bytes) -> list[Any]:
    """Return the values that were sealed here, [] for anything else."""
    head, _, rest = data.decode("utf-8", "replace").partition("\n")
    told, _, body = rest.partition("\n")
    if not told or told != signatures.sign_name(environ, head + body):
        return []
    try:
        return [json_codec.loads(line) for line in body.split("\n")]
    except ValueError:
        return []


def key(data: bytes) -> str:
    """Return the key that a sealed file names, unproved."""
    return data.partition(b"\n")[0].decode("ascii", "replace")
