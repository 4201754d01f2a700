"""Paths as command lines write them, joined and compared by their words; no file is looked at."""

from __future__ import annotations


def join(folder: str, path: str) -> str:
    """Return a path from where a command line starts, for one from a folder; "" is that place itself."""
    if path[:1] not in ("/", "~", "$") and folder:
        path = f"{folder}/{path}"
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in (".", ""):
            parts.append(part)
    return ("/" if path[:1] == "/" else "") + "/".join(parts)


def is_same(one: str, other: str) -> bool:
    """Whether two paths are one place: equal, or one of them the end of the other (a package's name, a full path)."""
    if one == other:
        return True
    return bool(one and other) and (f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}"))


def is_below(inner: str, outer: str) -> bool:
    """Whether a path lies below a folder, or names a part of a file: `tests/a.py::test_b`, `a_spec.rb:12`."""
    return not outer or inner.startswith((f"{outer}/", f"{outer}:"))
