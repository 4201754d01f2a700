"""Routes that a file's place makes: Next.js (app and pages), SvelteKit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from belay.repository.code.facts import ROUTE, Fact
from belay.repository.code.routes.graph import ANY, METHODS
from belay.repository.code.source import Source
from belay.repository.code.tree import CodeTree, is_test

_APP = re.compile(r"^(?:.*/)?(?:src/)?app/((?:[^/]+/)*)route\.(?:[jt]sx?|mjs)$")
_PAGES = re.compile(r"^(?:.*/)?(?:src/)?pages/(api/.*)\.(?:[jt]sx?|mjs)$")
_SVELTE = re.compile(r"^(?:.*/)?src/routes/((?:[^/]+/)*)\+server\.[jt]s$")
_VERBS = "|".join(METHODS)
_HANDLER = re.compile(rf"^export\s+(?:async\s+)?(?:function\s*\*?\s*|const\s+|let\s+|var\s+)({_VERBS})\b", re.MULTILINE)
_BRACED = re.compile(r"^export\s+(?:(?:const|let|var)\s+)?(\{)", re.MULTILINE)
_BRACED_NAME = re.compile(rf"(?:[\w$]+\s+as\s+|[\w$]+\s*:\s*)?({_VERBS})\s*$")
_DEFAULT = re.compile(r"^export\s+default\b|^module\.exports\s*=|^export\s*\{[^}]*\bdefault\b", re.MULTILINE)
_ASKED = re.compile(r"""\.method\s*\??\.?(?:toUpperCase\(\))?\s*(===|==|!==|!=)\s*(["'])""")
_SWITCH = re.compile(r"\bswitch\s*\([^)]*\bmethod\b[^)]*\)+\s*(\{)")
_UNPACKED_SWITCH = re.compile(r"\bcase\s*([\"'])")
_CHAINED = re.compile(r"(?<![\w$])(?:[\w$]+|\))\s*\.(get|post|put|patch|delete)\s*\(\s*(?=[\w$(a])")
_CONNECT = ("next-connect", "createRouter", "nextConnect")


def find_routes(tree: CodeTree, paths: list[str]) -> list[Fact]:
    """Return the routes of the handlers among these files."""
    found: list[Fact] = []
    for path in paths:
        for pattern, read in ((_APP, _read_exported), (_SVELTE, _read_exported), (_PAGES, _read_page)):
            match = pattern.match(path)
            source = tree.read(path) if match and not is_test(path) else None
            address = _make_address(match[1], path) if match and source else None
            if source and address:
                rows = sorted(dict.fromkeys(read(source)), key=lambda row: row[1])
                found += [Fact(ROUTE, f"{method} {address}", path, source.line(at)) for method, at in rows]
                break
    return found


def _make_address(inner: str, path: str) -> str | None:
    """Return the path that the folders make; groups and slots have no part in it, private folders no route."""
    parts = [part for part in inner.split("/") if part]
    if any(part.startswith("_") for part in parts):
        return None
    kept = [part for part in parts if not (part.startswith("(") and part.endswith(")")) and not part.startswith("@")]
    if "/pages/" in f"/{path}" and kept[-1:] == ["index"]:
        kept = kept[:-1]
    return "/" + "/".join(kept)


def _read_exported(source: Source) -> Iterator[tuple[str, int]]:
    """Yield (method, place) of the handlers that a route file exports by name."""
    for match in source.find_all(_HANDLER):
        yield match[1], match.start()
    for match in source.find_all(_BRACED):
        for span in source.split_arguments(match.start(1)):
            name = _BRACED_NAME.match(source.code[span.start : span.end])
            if name:
                yield name[1], span.start


def _read_page(source: Source) -> Iterator[tuple[str, int]]:
    """Yield (method, place) of a handler under pages/api: the methods that it asks for, ANY where it asks for none."""
    default = _DEFAULT.search(source.code)
    if not default:
        return
    asked = _read_asked(source)
    if not asked and any(word in source.text for word in _CONNECT):
        asked = {match[1].upper(): match.start(1) for match in source.find_all(_CHAINED)}
    yield from asked.items() or [(ANY, default.start())]


def _read_asked(source: Source) -> dict[str, int]:
    """Return method → place of what a handler compares the request's method with.

    After `!==` comes the refusal: then only the methods that are compared so are served.
    """
    found: dict[str, int] = {}
    for match in source.find_all(_ASKED):
        name = source.string_at(match.start(2)) or ""
        if name in METHODS and not (name in ("OPTIONS", "HEAD") and match[1].startswith("=")):
            found.setdefault(name, match.start())
    for match in source.find_all(_SWITCH):
        for case in _UNPACKED_SWITCH.finditer(source.code, match.start(1), source.find_close(match.start(1))):
            name = source.string_at(case.start(1)) or ""
            if name in METHODS:
                found.setdefault(name, case.start())
    return found
