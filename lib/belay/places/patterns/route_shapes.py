"""What routes and their handlers have in common: prefix, spelling, guards, validation, answers, errors."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from belay.places.patterns.candidates import Candidate, Place, find_candidate, make_candidate
from belay.repository.code.masking import GO, JAVASCRIPT, PYTHON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.patterns.sample import Sample
    from belay.repository.code.facts import Fact
    from belay.repository.code.source import Source

_PARAMETER = re.compile(r"[:\[{<(*]")
_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]*)+")
_DECORATOR = re.compile(r"^[ \t]*@([\w.]+)", re.MULTILINE)
_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+[ \t]*(\()?", re.MULTILINE)
_DEPENDS = re.compile(r"\b(?:Depends|Security)\s*\(\s*([\w.]+)")
_WRAPPED = re.compile(r"^export\s+const\s+(?:GET|POST|PUT|PATCH|DELETE)\s*(?::[^=\n]+)?=\s*([\w$]+)\s*\(", re.MULTILINE)
_HABITS = {
    JAVASCRIPT: (
        ("error handling", "catch errors themselves (`try … catch`)", re.compile(r"\bcatch\s*[({]")),
        ("error handling", "pass errors on with `next(…)`", re.compile(r"\bnext\s*\(\s*\w")),
        ("API answers", "answer with `NextResponse.json(…)`", re.compile(r"\bNextResponse\.json\s*\(")),
        ("API answers", "answer with `Response.json(…)`", re.compile(r"(?<!\w)Response\.json\s*\(")),
        ("API answers", "answer with `res.json(…)`", re.compile(r"\bres\s*(?:\.status\([^)]*\)\s*)?\.json\s*\(")),
        ("validation", "check input with `safeParse`", re.compile(r"\.safeParse(?:Async)?\s*\(")),
        ("validation", "check input with `parse`", re.compile(r"\b(?:\w*[sS]chema\w*|z\.[\w().]+)\.parse\w*\s*\(")),
    ),
    PYTHON: (
        ("error handling", "raise `HTTPException`", re.compile(r"\braise\s+HTTPException\b")),
        ("error handling", "end a request with `abort(…)`", re.compile(r"\babort\s*\(")),
        ("API answers", "answer with `jsonify(…)`", re.compile(r"\bjsonify\s*\(")),
        ("API answers", "name the model of their answers (`response_model=`)", re.compile(r"\bresponse_model\s*=")),
    ),
    GO: (
        ("validation", "bind requests (`Bind`, `ShouldBind…`)", re.compile(r"\.(?:Should)?Bind\w*\s*\(")),
        ("validation", "decode requests with `json.NewDecoder`", re.compile(r"\bjson\.NewDecoder\s*\(")),
    ),
}  # fmt: skip
"""Language → (kind, what files with routes do, how that looks in code)."""


def find_patterns(sample: Sample) -> Iterator[Candidate]:
    """Yield the patterns of routes."""
    for find in (_find_prefix, _find_spelling, _find_guards, _find_wrappers, _find_habits):
        yield from filter(None, find(sample))


def _find_prefix(sample: Sample) -> Iterator[Candidate | None]:
    """Yield the longest beginning that most routes share."""
    counted: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in sample.routes:
        parts = fact.name.partition(" ")[2].strip("/").split("/")
        for size in range(1, min(len(parts), 5)):
            if _PARAMETER.search(parts[size - 1]):
                break
            counted["/" + "/".join(parts[:size])].append(fact)
    total = len(sample.routes)
    for prefix, rows in sorted(counted.items(), key=lambda row: -len(row[0])):
        statement = f"Routes begin with `{prefix}/`."
        candidate = make_candidate("API route shape", statement, _places(rows), len(rows), total, "routes")
        if candidate:
            yield candidate
            break


def _find_spelling(sample: Sample) -> Iterator[Candidate | None]:
    """Yield how segments of several words are written."""
    words = [
        (part, fact)
        for fact in sample.routes
        for part in fact.name.partition(" ")[2].split("/")
        if not _PARAMETER.search(part) and any(shape.fullmatch(part) for shape in (_KEBAB, _SNAKE, _CAMEL))
    ]
    once = dict(reversed(words))
    for style, shape in (("kebab-case", _KEBAB), ("snake_case", _SNAKE), ("camelCase", _CAMEL)):
        rows = [fact for part, fact in once.items() if shape.fullmatch(part)]
        statement = f"Segments of several words in routes are written in {style}."
        yield make_candidate("API route shape", statement, _places(rows), len(rows), len(once), "such segments")


def _find_guards(sample: Sample) -> Iterator[Candidate | None]:
    """Yield decorators and dependencies that most routes of Python have beside the one that makes the route."""
    routes = [fact for fact in sample.routes if fact.path.endswith(".py")]
    decorators: defaultdict[str, list[Place]] = defaultdict(list)
    given: defaultdict[str, list[Place]] = defaultdict(list)
    handlers = {(fact.path, fact.line) for fact in routes}
    for path, line in sorted(handlers):
        head = _read_head(sample.by_path[path], line)
        names = _DECORATOR.findall(head)[1:]
        for name in {
            name for name in names if name.rpartition(".")[2] not in ("get", "post", "put", "patch", "delete", "route")
        }:
            decorators[name].append(Place(path, line))
        for name in set(_DEPENDS.findall(head)):
            given[name].append(Place(path, line))
    for name, rows in decorators.items():
        yield make_candidate(
            "decorators", f"Route functions have the decorator `@{name}`.", rows, len(rows), len(handlers), "routes"
        )
    for name, rows in given.items():
        yield make_candidate(
            "decorators", f"Route functions depend on `{name}`.", rows, len(rows), len(handlers), "routes"
        )


def _read_head(source: Source, line: int) -> str:
    """Return the code from a decorator to the end of its function's parameters."""
    start = 0
    for _ in range(line - 1):
        start = source.code.find("\n", start) + 1
    function = _FUNCTION.search(source.code, start)
    if not function:
        return ""
    return source.code[start : source.find_close(function.start(1)) if function[1] else function.end()]


def _find_wrappers(sample: Sample) -> Iterator[Candidate | None]:
    """Yield what handlers of Next.js are wrapped in."""
    wrapped: Counter[str] = Counter()
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for source in sample.route_files:
        for match in _WRAPPED.finditer(source.code):
            wrapped[match[1]] += 1
            places[match[1]].append(Place(source.path, source.line(match.start())))
    total = sum(fact.path.endswith((".ts", ".js", ".tsx")) for fact in sample.routes)
    for name, number in wrapped.items():
        yield make_candidate(
            "error handling", f"Route handlers are wrapped in `{name}(…)`.", places[name], number, total, "routes"
        )


def _find_habits(sample: Sample) -> Iterator[Candidate | None]:
    for language, habits in _HABITS.items():
        sources = [source for source in sample.route_files if source.language == language]
        for kind, does, pattern in habits:
            rows = [place for source in sources for place in _first(source, pattern)]
            yield find_candidate(kind, f"Files with routes {does}.", rows, len(sources), "files with routes")


def _first(source: Source, pattern: re.Pattern[str]) -> list[Place]:
    match = pattern.search(source.code)
    return [Place(source.path, source.line(match.start()))] if match else []


def _places(facts: list[Fact]) -> list[Place]:
    return [Place(fact.path, fact.line) for fact in sorted(facts, key=lambda fact: (fact.path, fact.line))]
