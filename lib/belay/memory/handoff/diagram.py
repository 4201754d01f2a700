"""A text diagram of a project's top modules and what they import, at the level at which there are a few of them."""

from __future__ import annotations

import posixpath
import re
import time
from collections import Counter, defaultdict

from belay.memory.project_survey import Survey
from belay.repository.code.imports import ImportTree, is_source
from belay.repository.survey import files, places, quotes

FILES = 1500
"""Source files whose imports are read, those that change most first."""
BYTES = 24 * 1024
"""Imports are at a file's beginning."""
SECONDS = 1.0
MODULES = 14
FEW, LEAST = 4, 2
"""Modules that a picture should have; the least that make one, where no level has more."""
SHOWN = 6
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_NAME = re.compile(r'^\s{0,4}"name"\s*:\s*"([^"\n]{1,100})"', re.MULTILINE)
_DEEPEST = 5
_MOST = 0.85
"""Share of the files that one module may hold at a level; beyond it the next level says more."""
_ASIDE = re.compile(
    r"(?:^|/)(?:examples?|samples?|demos?|bench(?:mark)?s?|contrib|scripts|tools|dev-docs|website|e2e)/"
)

Edges = dict[str, Counter[str]]


def draw_diagram(look: Survey) -> str:
    """Return one line a module, importers first: `a ──▶ b, c`; "" where there are no modules to speak of."""
    sources = _list_sources(look)
    tree = ImportTree(look.tracked, _find_packages(look), _read_go_module(look))
    imported = _read_imports(look.project.root, sources, tree)
    level = _choose_level(sources, imported)
    sizes = Counter(_module_name(path, level) for path in sources)
    edges = _count_edges(imported, level)
    joined = {*edges, *(name for targets in edges.values() for name in targets)}
    names = [name for name, count in sizes.most_common() if quotes.path(name) and (name in joined or count > 1)]
    shown = set(names[:MODULES])
    if len(shown) < 2:
        return ""
    base = _common_folder(shown)
    rows = [_format_module(name, edges, shown, sizes) for name in _sort_modules(shown, edges)]
    return "\n".join([f"in {base}:", *(row.replace(base, "") for row in rows)] if base else rows)


def _read_imports(root: str, sources: list[str], tree: ImportTree) -> dict[str, set[str]]:
    """Return source file → what it imports, of as many as the time allows; ordinary trees need a tenth of it."""
    until = time.monotonic() + SECONDS
    imports: dict[str, set[str]] = {}
    for path in sources:
        if time.monotonic() > until:
            break
        imports[path] = tree.imports(path, files.text(root, path, BYTES))
    return imports


def _common_folder(modules: set[str]) -> str:
    """Return the folder ("a/b/") that all modules are in and that need not be repeated, "" where there is none."""
    above = posixpath.commonpath(modules)
    folder = posixpath.dirname(above) if above in modules else above
    return f"{folder}/" if folder else ""


def _list_sources(look: Survey) -> list[str]:
    """Return the files to read; none where most of the code is in a language that is not read."""
    written = [path for path in look.tracked if places.is_written(path) and not _ASIDE.search(path)]
    rows = [path for path in written if is_source(path) and quotes.path(path)]
    if len(rows) * 2 < sum(map(places.is_code, written)):
        return []
    return sorted(rows, key=lambda path: (-look.changes.get(path, 0), path))[:FILES]


def _find_packages(look: Survey) -> dict[str, str]:
    """Return name → folder of the JavaScript packages that the project itself holds."""
    folders = {}
    for path in look.stack["manifests"]:
        folder, _, name = path.rpartition("/")
        name_match = (
            _NAME.search(files.text(look.project.root, path, BYTES)) if name == "package.json" and folder else None
        )
        if name_match:
            folders[name_match.group(1)] = folder
    return folders


def _read_go_module(look: Survey) -> str:
    match = _MODULE.search(files.text(look.project.root, "go.mod", BYTES))
    return match.group(1) if match else ""


def _module_name(path: str, level: int) -> str:
    """Return the module a path belongs to: its folders down to the level, or the file's own stem there."""
    parts = path.strip("/").split("/")
    if path.endswith("/") or len(parts) > level:
        return "/".join(parts[:level])
    stem = path.rpartition(".")[0] if "." in parts[-1] else path
    return stem.removesuffix("/__init__").removesuffix("/index") or stem


def _choose_level(sources: list[str], imports: dict[str, set[str]]) -> int:
    """Return the depth of folders at which most files fall into a few modules that import each other."""
    fitting = _find_fitting_levels(sources, FEW) or _find_fitting_levels(sources, LEAST)
    return next((level for level in fitting if _count_edges(imports, level)), fitting[0] if fitting else 1)


def _find_fitting_levels(sources: list[str], few: int) -> list[int]:
    counted = [(level, Counter(_module_name(path, level) for path in sources)) for level in range(1, _DEEPEST)]
    most = _MOST * len(sources)
    return [level for level, sizes in counted if len(sizes) >= few and max(sizes.values()) <= most]


def _count_edges(imports: dict[str, set[str]], level: int) -> Edges:
    edges: Edges = defaultdict(Counter)
    for path, targets in imports.items():
        for target in targets:
            importer, imported = _module_name(path, level), _module_name(target, level)
            if importer != imported:
                edges[importer][imported] += 1
    return edges


def _sort_modules(modules: set[str], edges: Edges) -> list[str]:
    """Return the modules, importers before what they import; cycles are cut where least is imported."""
    inward = {name: sum(edges[importer][name] for importer in modules if importer in edges) for name in modules}
    outward = {name: sum(edges[name][other] for other in modules) if name in edges else 0 for name in modules}
    return sorted(modules, key=lambda name: (inward[name] - outward[name], name))


def _format_module(name: str, edges: Edges, modules: set[str], sizes: Counter[str]) -> str:
    imported = edges.get(name, Counter())
    targets = [other for other in sorted(imported, key=lambda target: (-imported[target], target)) if other in modules]
    more = f", +{len(targets) - SHOWN}" if len(targets) > SHOWN else ""
    count = f"  ({sizes[name]} files)" if sizes[name] > 1 else ""
    return f"{name}{count}" + (f"  ──▶ {', '.join(targets[:SHOWN])}{more}" if targets else "")
