"""JavaScript and TypeScript: exports, components (React, Vue, Svelte, classes, hooks), test cases, imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from belay.repository.code.facts import COMPONENT, EXPORT, TEST, Fact, Import
from belay.repository.code.masking import MARKUP
from belay.repository.code.source import Source, Span

_DECLARED = re.compile(
    r"export\s+(?P<default>default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?"
    r"(?:function\b\s*\*?|class\b|interface\b|type\b(?!\s*[{*])|(?:const\s+)?enum\b|const\b|let\b|var\b|namespace\b)\s*"
    r"(?P<name>[\w$]+)?",
    re.MULTILINE,
)
_DEFAULT = re.compile(
    r"export\s+default\s+(?!(?:abstract|async|function|class|interface|enum)\b)(?P<name>[\w$]+)?", re.M
)
_BRACED = re.compile(r"export\s+(?:type\s+)?(\{)", re.MULTILINE)
_STAR = re.compile(r"""export\s+(?:type\s+)?\*(?:\s+as\s+([\w$]+))?\s+from\s*(["'])""", re.MULTILINE)
_UNPACKED = re.compile(r"export\s+(?:const|let|var)\s+([{\[])", re.MULTILINE)
_COMMON = re.compile(r"(?:module\.)?exports\.([\w$]+)\s*=(?!=)|module\.exports\s*=\s*(?:(\{)|([\w$]+)\s*;?\s*$)", re.M)
_KEY = re.compile(r"([\w$]+)\s*(?:$|[=(]|:\s*([\w$]+)?)")
_SPECIFIER = re.compile(r"(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?")
# A quote first, and then what is before it: so the search is a quick one for quotes.
_MODULE = re.compile(r"""["'](?:(?<=from ["'])|(?<=from["'])|(?<=require\(["'])|(?<=import ["'])|(?<=import\(["']))""")
_CLAUSE = re.compile(r"\b(?:import|export)\s+(?:type\s+)?([^;'\"()]*?)\s*\bfrom\s*$", re.DOTALL)
_REQUIRED = re.compile(r"(?:const|let|var)\s+([\w$]+|\{[^}]*\})\s*=\s*$")
_COMPONENT = re.compile(
    r"(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s+(?P<function>[A-Z][\w$]*)\s*[(<]"
    r"|(?:const|let|var)\s+(?P<value>[A-Z][\w$]*)\s*(?::[^=;]+)?=(?![=>]))",
    re.MULTILINE,
)
_CLASS = re.compile(
    r"(?P<export>export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(?P<name>[A-Z][\w$]*)(?:<[^{]*?>)?(?:\s+extends\s+(?P<base>[\w$.]+))?",
    re.MULTILINE,
)
_HOOK = re.compile(
    r"export\s+(?:default\s+)?(?:async\s+)?(?:function\s+((?:use|with)[A-Z][\w$]*)"
    r"|const\s+((?:use|with)[A-Z][\w$]*)\s*(?::[^=;]+)?=(?!=))",
    re.MULTILINE,
)
_MARKUP_BEGINS = re.compile(r"(?:\breturn|=>|&&|\|\||\?\?|[(?:,=])\s*<(?:[A-Za-z][\w.:-]*(?=[\s/>])|>)")
_MARKUP_ENDS = re.compile(r"</|/>")
_WRAPPED = re.compile(r"\s*(?:React\.)?(?:memo|forwardRef|lazy|dynamic|observer|styled|withRef)\b")
_CREATED = re.compile(r"\bcreateElement\s*\(")
_NO_COMPONENT = re.compile(r"\s*(?:React\.)?(?:createContext|cva|tv|z|Object|new)\b")
_CASE = re.compile(
    r"(?<![\w$.])(?:it|test|xit|fit)(?:\.(?:only|skip|concurrent|fails|failing|sequential|serial|each|skipIf|runIf|for))*\s*(?=[(`<])"
)
_EACH = re.compile(r"\.(?:each|for|skipIf|runIf)\s*$")
_SPAN_BEFORE = 400  # characters looked back over for the names of an import


def find_facts(source: Source) -> list[Fact]:
    """Return the exports and components of a file that is no test."""
    if source.language == MARKUP:
        return [Fact(COMPONENT, posixpath.splitext(posixpath.basename(source.path))[0], source.path, 1)]
    return [*_find_exports(source), *_find_components(source)]


def find_cases(source: Source) -> list[Fact]:
    """Return the test cases of a file by their titles."""
    found = []
    for match in source.find_all(_CASE):
        place = match.end()
        if _EACH.search(match[0]):
            place = source.find_close(place) + 1 if source.code[place] == "(" else source.code.find("`", place + 1) + 1
            place = source.strip(place, len(source.code)).start
        if source.code[place : place + 1] != "(":
            continue
        arguments = source.split_arguments(place)
        title = source.string_in(arguments[0]) if arguments else None
        if title and len(arguments) > 1:
            found.append(Fact(TEST, " ".join(title.split()), source.path, source.line(match.start())))
    return found


def find_imports(source: Source, *, with_names: bool = False) -> Iterator[Import]:
    """Yield what a file imports, static, dynamic and required; the names taken only when asked, for that takes time."""
    for match in source.find_all(_MODULE):
        module = source.string_at(match.start())
        if module:
            names, alias = _read_names(_read_before(source, match.start())) if with_names else ((), "")
            yield Import(module, names, source.line(match.start()), alias)


def _read_before(source: Source, place: int) -> str:
    return source.code[max(0, place - _SPAN_BEFORE) : place]


def _read_names(before: str) -> tuple[tuple[str, ...], str]:
    """Return the ("imported as local", …) names of an import and the name of its default or namespace."""
    clause = _CLAUSE.search(before)
    required = None if clause else _REQUIRED.search(re.sub(r"(?:await\s+)?(?:require|import)\s*\(\s*$", "", before))
    text = clause[1] if clause else required[1] if required else ""
    head, brace, inner = text.rpartition("{") if "{" in text else (text, "", "")
    names = tuple(_as_local(part) for part in inner.rstrip("} \n").split(",") if part.strip()) if brace else ()
    alias = head.replace("* as", "").strip(" ,\n\t")
    return names, alias.rpartition(",")[2].strip()


def _as_local(part: str) -> str:
    """Return "imported as local" of a specifier; a required one is written with a colon."""
    match = _SPECIFIER.match(part.replace(":", " as ").strip())
    return f"{match[1]} as {match[2] or match[1]}" if match else ""


def _find_exports(source: Source) -> list[Fact]:
    found: dict[str, int] = {}
    places = [place for place in source.tops if source.code.startswith(("export", "module."), place)]
    for match in source.find_at(_DECLARED, places):
        place = match.start("name") if match["name"] else match.start()
        found.setdefault(match["name"] or ("default" if match["default"] else ""), place)
    for match in source.find_at(_DEFAULT, places):
        named = match["name"] if match["name"] and re.match(r"\s*(?:;|$)", source.code[match.end() :]) else "default"
        found.setdefault(named, match.start())
    for match in source.find_at(_STAR, places):
        found.setdefault(match[1] or f"* from {source.string_at(match.start(2))}", match.start())
    for match in source.find_at(_BRACED, places):
        found |= {name: at for name, at in _read_specifiers(source, match.start(1)) if name not in found}
    for match in source.find_at(_UNPACKED, places):
        found |= {name: at for name, at in _read_unpacked(source, match.start(1), 2) if name not in found}
    for match in source.find_at(_COMMON, places):
        rows = _read_unpacked(source, match.start(2)) if match[2] else [(match[1] or match[3], match.start())]
        found |= {name: at for name, at in rows if name not in found}
    return [Fact(EXPORT, name, source.path, source.line(place)) for name, place in found.items() if name]


def _read_specifiers(source: Source, brace: int) -> Iterator[tuple[str, int]]:
    """Yield (exported name, place) of `{ a, b as c }`; `default as X` is X, `x as default` is x."""
    for span in source.split_arguments(brace):
        match = _SPECIFIER.match(source.code, span.start, span.end)
        if match:
            yield (match[1] if match[2] in (None, "default") else match[2]), span.start


def _read_unpacked(source: Source, brace: int, group: int = 1) -> Iterator[tuple[str, int]]:
    """Yield (name, place) of `{ a, b: c, ...d }`: keys of an object, or (group 2) the targets of an unpacking."""
    for span in source.split_arguments(brace):
        match = _KEY.match(source.code[span.start : span.end])
        if match:
            yield match[group] or match[1], span.start


def _find_components(source: Source) -> list[Fact]:
    found: dict[str, int] = {}
    tops = source.tops
    ends = dict(zip(tops, [*tops[1:], len(source.code)], strict=False))  # a file of comments has no lines
    if source.path.endswith((".tsx", ".jsx", ".js")) and _MARKUP_ENDS.search(source.code):
        for match in source.find_at(_COMPONENT, tops):
            body = Span(match.end(), ends.get(match.start(), len(source.code)))
            if _is_component(source, body, bool(match["value"])):
                found.setdefault(match["function"] or match["value"], match.start())
    for match in source.find_at(_HOOK, tops):
        found.setdefault(match[1] or match[2], match.start())
    for match in source.find_at(_CLASS, tops):
        if match["export"] or _draws(source, match.start(), ends):
            base = (match["base"] or "").rpartition(".")[2]
            if not base.endswith(("Error", "Exception")):
                found.setdefault(match["name"], match.start())
    return [Fact(COMPONENT, name, source.path, source.line(place)) for name, place in found.items()]


def _draws(source: Source, start: int, ends: dict[int, int]) -> bool:
    body = source.code[start : ends.get(start, len(source.code))]
    return bool(_MARKUP_BEGINS.search(body) and _MARKUP_ENDS.search(body))


def _is_component(source: Source, body: Span, is_value: bool) -> bool:
    code = source.code[body.start : body.end]
    if is_value and _NO_COMPONENT.match(code):
        return False
    if is_value and _WRAPPED.match(code):
        return True
    if is_value and not re.match(r"\s*(?:async\s*)?(?:\(|<|function\b|[\w$]+\s*=>|[\w$.]+\s*[(<])", code):
        return False
    return bool(_CREATED.search(code) or (_MARKUP_BEGINS.search(code) and _MARKUP_ENDS.search(code)))
