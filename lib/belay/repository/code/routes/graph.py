"""Routers, what each is mounted at, and the routes declared on them: together, every route's full path."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from belay.repository.code.facts import ROUTE, Fact

Router = tuple[str, str]
"""The file (or package) that makes a router, and the name it has there."""
_DEPTH = 12
_SLASHES = re.compile(r"/{2,}")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
ANY = "ANY"


class _Mount(NamedTuple):
    parent: Router
    prefix: str | None
    replaces: bool


class _Declared(NamedTuple):
    router: Router
    method: str
    path: str
    file: str
    line: int


class RouteGraph:
    """What the files of one family of frameworks say; `resolve` puts it together.

    Unmounted, `roots` are served at /, `parts` are not served, others are while there is no root at all.
    A prefix of None is one that no constant says: what is mounted there has no route that could be stated.
    """

    def __init__(self) -> None:
        self.prefixes: dict[Router, str | None] = {}
        self.roots: set[Router] = set()
        self.parts: set[Router] = set()
        self.aliases: dict[Router, Router] = {}
        self.has_unknown_mounts = False
        self._mounts: defaultdict[Router, list[_Mount]] = defaultdict(list)
        self._declared: list[_Declared] = []

    def add_router(self, router: Router, prefix: str | None = "", *, is_root: bool = False) -> None:
        """Note a router with its own prefix; a root is served at /."""
        self.prefixes.setdefault(router, prefix)
        if is_root:
            self.roots.add(router)

    def mount(self, parent: Router, child: Router, prefix: str | None, *, replaces: bool = False) -> None:
        """Note that a router is served below another; with `replaces` the prefix counts in place of its own."""
        self._mounts[child].append(_Mount(parent, prefix, replaces))

    def declare(self, router: Router, method: str, path: str | None, file: str, line: int) -> None:
        """Note a route as it is written; one whose path no constant says is left out."""
        if path is not None:
            self._declared.append(_Declared(router, method.upper(), path, file, line))

    def find(self, router: Router) -> Router:
        """Return the router that a name stands for, through the names it is passed on under."""
        for _ in range(_DEPTH):
            if router in self.prefixes or router not in self.aliases:
                break
            router = self.aliases[router]
        return router

    def resolve(self) -> list[Fact]:
        """Return every route that is served; one of a router that is never mounted is not, where others are."""
        mounts: defaultdict[Router, list[_Mount]] = defaultdict(list)
        for child, rows in self._mounts.items():
            mounts[self.find(child)] += [row._replace(parent=self.find(row.parent)) for row in rows]
        known: dict[Router, list[str]] = {}
        found = []
        for row in self._declared:
            router = self.find(row.router)
            if router not in known:
                known[router] = self._find_bases(router, mounts, 0)
            found += [
                Fact(ROUTE, f"{row.method} {join_paths(base, row.path)}", row.file, row.line) for base in known[router]
            ]
        return list(dict.fromkeys(found))

    def _find_bases(self, router: Router, mounts: dict[Router, list[_Mount]], depth: int) -> list[str]:
        own = self.prefixes.get(router, "")
        rows = mounts.get(router, [])
        if depth > _DEPTH:
            return []
        bases: list[str] = []
        if not rows and own is not None:
            is_free = router not in self.parts and (not self.roots or self.has_unknown_mounts)
            bases = [own] if router in self.roots or is_free else []
        for row in rows:
            inner = (
                row.prefix if row.replaces else None if own is None or row.prefix is None else _join(row.prefix, own)
            )
            if inner is not None:
                bases += [_join(base, inner) for base in self._find_bases(row.parent, mounts, depth + 1)]
        return list(dict.fromkeys(bases))


def _join(base: str, path: str) -> str:
    if not base or not path:
        return base or path
    return f"{base.rstrip('/')}/{path.lstrip('/')}"


def join_paths(base: str, path: str) -> str:
    """Return the full path of a route, with one slash at its beginning; a slash at its end stays."""
    return _SLASHES.sub("/", "/" + _join(base, path).lstrip("/"))
