"""Routes of NestJS controllers: the decorators of a class and of its methods, the global prefix, versions in paths."""

from __future__ import annotations

import re

from belay.repository.code.facts import ROUTE, Fact
from belay.repository.code.masking import JAVASCRIPT
from belay.repository.code.routes.graph import ANY, join_paths
from belay.repository.code.routes.script_names import Script
from belay.repository.code.source import Source, Span
from belay.repository.code.tree import CodeTree, is_test

_CONTROLLER = re.compile(r"^@Controller\s*(\()", re.MULTILINE)
_CLASS = re.compile(r"\bclass\s+\w+[^{]*(\{)")
_METHOD = re.compile(r"^[ \t]+@(Get|Post|Put|Patch|Delete|Options|Head|All|Sse)\s*(\()", re.MULTILINE)
_FIELD = re.compile(r"(path|version)\s*:\s*")
_PREFIX = re.compile(r"\.setGlobalPrefix\s*(\()")
_VERSIONS = re.compile(r"\.enableVersioning\s*\([^)]*VersioningType\.URI", re.DOTALL)
_METHODS = {"ALL": ANY, "SSE": "GET"}


def find_routes(tree: CodeTree, paths: list[str]) -> list[Fact]:
    """Return the routes of the controllers in these files."""
    texts = {path: tree.text(path) for path in paths if path.endswith((".ts", ".js")) and not is_test(path)}
    holders = [path for path, text in texts.items() if "@Controller" in text]
    if not holders:
        return []
    mains = [source for path, text in texts.items() if "setGlobalPrefix" in text and (source := tree.read(path))]
    base = next((text for source in mains for text in [_read_prefix(tree, source)] if text), "")
    has_versions = any(_VERSIONS.search(text) for text in texts.values() if "enableVersioning" in text)
    sources = [source for path in holders if (source := tree.read(path)) and source.language == JAVASCRIPT]
    return [fact for source in sources for fact in _read_controllers(Script(tree, source), base, has_versions)]


def _read_prefix(tree: CodeTree, source: Source) -> str:
    for match in source.find_all(_PREFIX):
        arguments = source.split_arguments(match.start(1))
        return (Script(tree, source).evaluate(arguments[0]) if arguments else "") or ""
    return ""


def _read_controllers(script: Script, base: str, has_versions: bool) -> list[Fact]:
    source, found = script.source, []
    for match in source.find_all(_CONTROLLER):
        body = _CLASS.search(source.code, match.end())
        paths = _read_paths(script, match.start(1), has_versions)
        if not body:
            continue
        end = source.find_close(body.start(1))
        for method in _METHOD.finditer(source.code, body.start(1), end):
            verb = method[1].upper()
            for path in paths:
                for inner in _read_arguments(script, method.start(2)):
                    address = join_paths(base, f"{path}/{inner}").rstrip("/") or "/"
                    name = f"{_METHODS.get(verb, verb)} {address}"
                    found.append(Fact(ROUTE, name, script.path, source.line(method.start(1))))
    return found


def _read_paths(script: Script, start: int, has_versions: bool) -> list[str]:
    """Return the paths of `@Controller(…)`: a text, several, or an object with `path` and `version`."""
    arguments = script.source.split_arguments(start)
    if not arguments or script.source.code[arguments[0].start] != "{":
        return _read_arguments(script, start)
    fields: dict[str, str] = {}
    for part in script.source.split_arguments(arguments[0].start):
        match = _FIELD.match(script.source.code, part.start, part.end)
        if match:
            fields[match[1]] = script.evaluate(Span(match.end(), part.end)) or ""
    version = f"v{fields['version']}/" if has_versions and fields.get("version") else ""
    return [version + fields.get("path", "").strip("/")]


def _read_arguments(script: Script, start: int) -> list[str]:
    arguments = script.source.split_arguments(start)
    if not arguments:
        return [""]
    if script.source.code[arguments[0].start] == "[":
        return script.source.strings_in(arguments[0])
    text = script.evaluate(arguments[0])
    return [] if text is None else [text.strip("/")]
