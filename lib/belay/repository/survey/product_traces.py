"""Which well-known products a project certainly does not use: none of its files has a trace of them.

Better no answer than a wrong one: documents, which also name what others use, prove nothing in either direction,
and where a part of the project cannot be seen (submodules, a sparse checkout, too many files) nothing is absent.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from belay.core.errors import BelayError
from belay.core.paths import Project
from belay.repository.git import content
from belay.repository.manifests import dependencies, stack
from belay.repository.manifests.known_products import LANGUAGE, STORE, Product, list_products
from belay.repository.survey import files

_PROSE = ("md", "mdx", "markdown", "rst", "adoc", "org", "tex", "log", "jsonl", "svg", "csv", "po")
_LOCKS = (
    "pnpm-lock.yaml", "yarn.lock", "package-lock.json", "npm-shrinkwrap.json", "bun.lock", "deno.lock", "uv.lock",
    "poetry.lock", "pdm.lock", "Pipfile.lock", "Cargo.lock", "Gemfile.lock", "composer.lock", "go.sum", "mix.lock",
    "pubspec.lock", "Package.resolved", "Podfile.lock", "packages.lock.json",
)  # fmt: skip
_OTHERS = ("LICENSE*", "NOTICE*", "CHANGELOG*", "CHANGES*", "HISTORY*", "NEWS*", "AUTHORS*", "CONTRIBUTORS*")
_TOOLS = (".claude", ".memory", ".cursor", ".entire", "memory")
"""Folders of coding tools: what they hold speaks about work, it is not the project."""
MANIFESTS = 40
"""Manifests that are read before all files are searched."""
_ENTRY = re.compile(
    r"""^\s{0,2}["'/]?(@?[\w./-]+?)[@/][\^~<>=\d*v]|^.{0,200}?node_modules/([@\w./-]+)": \{"""
    r"""|^name = "([^"]+)"|^\s*"(?:name|identity)"\s*:\s*"([^"]+)"|^ {4}([\w.-]+) \("""
    r"""|^(\S+) v\d|^\s{4,8}"([\w.-]+)": \{"""
)
"""How lock files name what is installed, not what something else could use."""


def find_absent(project: Project, products: Sequence[Product]) -> list[Product]:
    """Return which of some products no file of the project has a trace of, [] where that is not certain."""
    if not products or not is_visible(project):
        return []
    try:
        return _find_absent(project.root, list(products))
    except BelayError:
        return []


def is_visible(project: Project) -> bool:
    """Whether git knows all files of the project, none behind a submodule or left out of the checkout."""
    hidden = (os.path.join(project.git_dir, "info", "sparse-checkout"), project.at(".gitmodules"))
    return bool(project.git_dir) and not any(map(os.path.lexists, hidden))


def _find_absent(root: str, products: list[Product]) -> list[Product]:
    """Return the products without a trace, the cheapest questions first: most are answered by names and manifests."""
    tracked = content.list_tracked(root, code_pathspecs())
    left = _drop_listed(root, products, tracked)
    untracked = content.list_untracked(root, code_pathspecs()) if left else []
    left = _drop_listed(root, left, untracked)
    if not left or not _has_code(tracked + untracked):
        return []
    left = _drop_matched(left, content.find_matches(root, _join(left), code_pathspecs()))
    if any(product.kind != LANGUAGE for product in left):
        lines = content.find_lines(root, _join(left), _anywhere(_LOCKS))
        left = _drop_matched(left, [f'"{name}"' for line in lines for name in _installed(line)])
    readme = files.readme(root)[1]
    return [product for product in left if product.kind != STORE or not _matches(product, readme)]


def _drop_listed(root: str, products: list[Product], paths: list[str]) -> list[Product]:
    """Return the products of which neither the names of some files nor the manifests among them have a trace."""
    names = {path.rpartition("/")[2] for path in paths}
    left = [product for product in products if not _has_file(product, names)]
    left = _drop_matched(left, [stack.text(root, path) for path in list(filter(_declares, paths))[:MANIFESTS]])
    return _drop_matched(left, paths)


def _declares(path: str) -> bool:
    """Whether a file declares what a project is made of: these are few, and say most."""
    name = path.rpartition("/")[2]
    return dependencies.is_manifest(path) or name.startswith(("Dockerfile", "docker-compose", "compose."))


def _has_code(paths: list[str]) -> bool:
    """Whether there is source code: a project that is only planned may be built with anything."""
    names = {path.rpartition("/")[2] for path in paths if not path.endswith(".html")}
    return any(_has_file(row, names) for row in list_products() if row.kind == LANGUAGE)


def _has_file(product: Product, names: set[str]) -> bool:
    """Whether one of the files whose names a product's traces list is there."""
    ends = tuple(name[1:] for name in product.files if name.startswith("*"))
    return any(name in product.files or name.endswith(ends) for name in names)


def _anywhere(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the pathspecs of some file names in any folder."""
    return tuple(f":(glob)**/{name}" for name in names)


def _join(products: list[Product]) -> str:
    return "|".join(product.pattern() for product in products)


def code_pathspecs() -> tuple[str, ...]:
    """Return the pathspecs of everything but prose, lock files, and what coding tools keep."""
    prose = [f":(exclude,icase,glob)**/*.{end}" for end in _PROSE]
    others = [f":(exclude,icase,glob)**/{name}" for name in (*_LOCKS, *_OTHERS)]
    return (".", *prose, *others, *(f":(exclude,glob){folder}/**" for folder in _TOOLS))


def _drop_matched(products: list[Product], texts: list[str]) -> list[Product]:
    text = "\n".join(texts)
    return [product for product in products if not _matches(product, text)]


def _matches(product: Product, text: str) -> bool:
    return re.search(product.pattern(), text, re.IGNORECASE | re.MULTILINE) is not None


def _installed(line: str) -> list[str]:
    """Return the package that a line of a lock file installs, [] where it only names one."""
    found = _ENTRY.match(line)
    return [name for name in found.groups() if name] if found else []
