"""Find the files of the repository that a memory names; a word counts only if it looks like a path."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from belay.memory.document.page import Page

EXTENSIONS = frozenset(
    (
        "py pyi ipynb js jsx ts tsx mjs cjs mts cts vue svelte astro go rs rb java kt kts scala swift c h cc cpp "
        "hpp cs fs php pl lua ex exs erl hs ml clj dart r jl sh bash zsh fish ps1 bat sql prisma graphql gql proto "
        "html htm css scss sass less json jsonc json5 yaml yml toml ini cfg conf env xml gradle properties md mdx "
        "rst txt adoc csv tf tfvars nix lock mod sum gemspec dockerfile tpl tmpl j2 erb ejs hbs svg png"
    ).split()
)
NAMES = frozenset(("Makefile", "Dockerfile", "Gemfile", "Rakefile", "Procfile", "Justfile", "CODEOWNERS", "LICENSE"))
_PRODUCTS = frozenset(
    "next.js node.js vue.js nuxt.js express.js three.js d3.js react.js nest.js socket.io ember.js backbone.js chart.js "
    "discord.js alpine.js electron.js moment.js p5.js deno.js bun.js angular.js solid.js asp.net".split()
)
"""Names of products that end like a file."""
_TICKED = re.compile(r"`([^`\n]+)`")
_LINKED = re.compile(r"\]\(<?([^()\s>]+)>?\)")
_WORD = re.compile(r"(?<![\w`/.@:~$+-])((?:[\w.@+-]+/)+[\w.@+-]+)(?::(\d+))?")
_LINE_NUMBER = re.compile(r"(?:[:#]L?(\d+)(?:[-:]L?\d+)?)$")
_NO_PATH = re.compile(r"[*?<>{}|\"'$%=;,!\\]|\(|\)|\s|://|YYYY|\.\.\.|…|^[/~@#-]|^\.\./|^[A-Za-z]:")


class PathReference(NamedTuple):
    """A path named in line `line` (1-based); `at` is the line number behind it, 0 without one."""

    line: int
    path: str
    at: int


def find_paths(page: Page) -> list[PathReference]:
    """Return every path that the page names outside code blocks, each path once a line."""
    seen: dict[tuple[int, str], PathReference] = {}
    for row in page.records:
        if row.kind in ("code", "comment", "html", "front-matter", "blank"):
            continue
        for at in range(row.start, row.end):
            for ref in find_paths_in_line(page.lines[at], at + 1):
                seen.setdefault((ref.line, ref.path), ref)
    return list(seen.values())


def find_paths_in_line(text: str, line: int = 0) -> list[PathReference]:
    """Return the paths that one line of text names."""
    rest = _TICKED.sub(" ", text)
    named = [parse_path(word, ticked=True) for word in _TICKED.findall(text)]
    named += [parse_path(word, ticked=True) for word in _LINKED.findall(rest)]
    rest = _LINKED.sub(" ", rest)
    named += [parse_path(whole.group(), ticked=False) for whole in _WORD.finditer(rest)]
    return [PathReference(line, name, at) for name, at in named if name]


def parse_path(word: str, *, ticked: bool) -> tuple[str, int]:
    """Return (path, line) of a word, ("", 0) if it is no path of the repository."""
    mark = _LINE_NUMBER.search(word)
    name = word[: mark.start()] if mark else word
    name = name.removeprefix("./").rstrip(".")
    if _NO_PATH.search(name) or not name or not _looks_like_file(name, ticked) or leads_out(name):
        return "", 0
    at = int(mark.group(1)) if mark and len(mark.group(1)) < 10 else 0
    return posixpath.normpath(name) + ("/" if name.endswith("/") else ""), at


def leads_out(name: str) -> bool:
    """Whether a path, as it is written, leads out of the folder it starts from."""
    plain = posixpath.normpath(name.replace("\\", "/"))
    return "\0" in name or plain.startswith(("/", "~")) or plain.split("/")[0] == ".." or plain[1:2] == ":"


def _looks_like_file(name: str, ticked: bool) -> bool:
    base = posixpath.basename(name.rstrip("/"))
    stem, dot, extension = base.rpartition(".")
    if name.lower() in _PRODUCTS or name.count("/") > 20 or len(name) > 300:
        return False
    known = bool(dot and stem and extension.lower() in EXTENSIONS) or base in NAMES
    if "/" not in name:
        return known and ticked and not (len(extension) == 1 and "." in stem)
    first = name.partition("/")[0]
    domain = "." in first.strip(".") and not first.startswith(".")
    return not domain and (known or (ticked and name.endswith("/")))


def unquote_path(cell: str) -> str:
    """Return what a table's path cell names, whatever it looks like: its first ticked words, else all of it."""
    match = _TICKED.search(cell)
    return (match.group(1) if match else cell).strip().removeprefix("./")
