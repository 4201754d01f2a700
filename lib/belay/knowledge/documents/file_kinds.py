"""Which files are documents, which are source code, and which folders hold neither. Names in, answers out."""

from __future__ import annotations

import os

from belay.repository import projects

TEXTS = frozenset(".md .markdown .mdown .mkd .mkdn .mdx .mdc .qmd .rst .txt .text .adoc .asciidoc .asc .org".split())
MARKUP = frozenset(".md .markdown .mdx .rst .adoc .asciidoc".split())
TEMPLATE = ".erb"
"""Ending behind that of a document whose text a program fills in: `page.md.erb`; `.text.erb` is a mail."""
BARE = frozenset(
    "readme changelog changes contributing authors maintainers notes todo history news install roadmap "
    "architecture faq glossary".split()
)
"""Names of documents that often have no ending."""
LISTS = ("requirements", "constraints", "cmakelists", "robots")
LEGAL = ("license", "licence", "copying", "third-party", "thirdparty", "third_party")
"""Beginnings of names that end like documents and say nothing of the project: .txt files that programs read; law."""
CODE = {
    **dict.fromkeys(".py .pyi".split(), "python"),
    **dict.fromkeys(
        ".c .h .cc .cpp .cxx .hpp .cs .java .kt .kts .scala .swift .m .mm .go .rs .js .jsx .mjs .cjs .ts .tsx .dart "
        ".php .groovy .gradle .proto .zig .css .scss .less .sol .vue .svelte".split(),
        "c",
    ),
    **dict.fromkeys(
        ".sh .bash .zsh .fish .rb .pl .pm .r .jl .ex .exs .yaml .yml .toml .tf .nim .cr .ps1 .mk .cmake".split(), "hash"
    ),
    **dict.fromkeys(".sql .lua .hs .elm .ada .adb .ads .vhd".split(), "dash"),
}  # fmt: skip
"""Ending → how comments are written there."""
NEVER = frozenset(
    f"{projects.GIT} .hg .svn .bzr node_modules bower_components __pycache__ .venv venv .tox .nox .eggs "
    "site-packages .mypy_cache .pytest_cache .ruff_cache .hypothesis .gradle .terraform "
    ".pnpm-store .yarn .cache .Trash".split()
)
"""Folders that hold other people's files or caches, asked for or not."""
OUTPUT = frozenset(
    "dist build out target _build _site .next .nuxt .output .svelte-kit .turbo .parcel-cache coverage htmlcov "
    ".docusaurus Pods DerivedData".split()
)
"""Folders of build output, left out where there is no git to ask."""


def is_text(path: str) -> bool:
    """Whether a path names a document."""
    name = path.rpartition("/")[2].lower()
    stem, end = os.path.splitext(name.removesuffix(TEMPLATE))
    if end not in (MARKUP if name.endswith(TEMPLATE) else TEXTS):
        return not end and stem in BARE
    return not name.startswith(LEGAL) and not (end == ".txt" and name.startswith(LISTS))


def find_stem(path: str) -> str:
    """Return a document's name without its endings."""
    name = path.rpartition("/")[2]
    plain = name[: -len(TEMPLATE)] if name.lower().endswith(TEMPLATE) else name
    return os.path.splitext(plain)[0]


def comment_style(path: str) -> str:
    """Return how comments are written in a source file, "" for any other file."""
    return CODE.get(os.path.splitext(path)[1].lower(), "")


def is_belay_file(path: str) -> bool:
    """Whether a file is Belay's own: written from the journal, or what a session is shown anyway."""
    folder, _, name = ("/" + path).rpartition("/")
    _, within, inner = (folder + "/").partition("/.claude/memory/")
    if within and not inner.startswith(("playbooks/", "log/")):
        return True
    if name == "session-context.md":
        return folder.endswith("/.claude/orchestration")
    if name == "working-buffer.md":
        return folder.endswith(("/memory", "/log"))
    return path == "CONTINUATION.md"
