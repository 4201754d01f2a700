"""Derived files that hooks read later: JSON behind this user's signature of it, so that a clone's is never used."""

from __future__ import annotations

from belay.core import json_codec, signatures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def seal(environ: Mapping[str, str], key: str, *values: object) -> bytes:
    """Return a line with the key, one with the signature, then each value as a line of JSON."""
    body = "\n".join(json_codec.encode(value).decode("utf-8") for value in values)
    return f"{key}\n{signatures.sign_name(environ, key + body)}\n{body}".encode()


def open_sealed(environ: Mapping[str, str], data: bytes) -> list[Any]:
    """Return the values that were sealed here, [] for anything else."""
    head, _, rest = data.decode("utf-8", "replace").partition("\n")
    signature, _, body = rest.partition("\n")
    if not signature or signature != signatures.sign_name(environ, head + body):
        return []
    try:
        return [json_codec.loads(line) for line in body.split("\n")]
    except ValueError:
        return []


def read_key(data: bytes) -> str:
    """Return the key of a sealed file; the signature is not checked."""
    return data.partition(b"\n")[0].decode("ascii", "replace")
