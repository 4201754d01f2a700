"""Which rows the user was shown last, so that a number that he names means the row that he read.

Ids of rows alone, beside the known ones in the user's own data folder.
"""

from __future__ import annotations

from belay.core import files, json_codec
from belay.safety.labels import make_label
from belay.safety.rows import known_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

KEPT = 50
"""Paths of a project whose rows are remembered as shown."""


def find_shown(environ: Mapping[str, str], root: str, path: str) -> tuple[str, list[str]]:
    """Return (hash of the text, ids in order of their numbers) that were shown last; ("", []) for none."""
    return _shown(_load(environ, root), path)


def number(environ: Mapping[str, str], root: str, path: str, sha: str, ids: Iterable[str]) -> list[str]:
    """Return the ids of a text in order of their numbers, and remember them as shown.

    The numbers of one text (by its hash) never change: a row that was accepted since keeps its own.
    """
    shown = _load(environ, root)
    old_sha, old = _shown(shown, path)
    numbered = list(dict.fromkeys([*(old if old_sha == sha else []), *ids]))
    shown.pop(make_label(path), None)
    shown[make_label(path)] = {"text": sha, "ids": numbered}
    for oldest in list(shown)[:-KEPT]:
        del shown[oldest]
    target = _file(environ, root)
    if target:
        try:
            files.create(target)
            files.write(target, json_codec.encode(shown))
        except OSError:
            return numbered  # without the memory of it the next call counts again
    return numbered


def _shown(shown: dict[str, Any], path: str) -> tuple[str, list[str]]:
    about: Any = shown.get(make_label(path))
    if not isinstance(about, dict) or not isinstance(about.get("ids"), list):
        return "", []
    return str(about.get("text", "")), [*map(str, about["ids"])]


def _file(environ: Mapping[str, str], root: str) -> str:
    return known_rows.find_file(environ, root).replace(".json", ".shown")


def _load(environ: Mapping[str, str], root: str) -> dict[str, Any]:
    try:
        value = json_codec.loads(files.read(_file(environ, root)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
