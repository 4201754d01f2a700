"""The index of tier 2: names, words and paths → rows of the memory, written when a memory is loaded.

A name is enough to recall a row: a path, a file's name, a proper name or symbol in a decision, a section's title.
Ordinary words need another one beside them. A word of many rows recalls none of them.
"""

from __future__ import annotations

import os
from functools import cache

from belay.context.recall import common_words, prompt_words, recall, signed_files
from belay.core import files, kinds, terms
from belay.memory.remember import tiers
from belay.repository.manifests import known_packages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.context.recall.prompt_words import PromptWords
    from belay.core.paths import Project
    from belay.memory.memory_facts import Facts

    Table = dict[str, list[int]]

INDEXED = ("decisions", "architecture", "issues", "files", "preferences", "external", "log")
"""Sections of the index; those of tier 3 for a prompt that asks for them (seed 003)."""
_NAMED_ONLY = ("files", "external", "log")
"""Sections of which no row comes by its words."""
_TWICE = "preferences"
"""The section of which a row needs two words: "commit" is in many prompts."""
_ASKING = (kinds.PREFERENCE, "convention", "guideline", "prefer", "naming", "indentation")
"""Words by one of which a question asks for that section."""
ROWS = 400
OFTEN_NAME, OFTEN_WORD = 6, 3
"""A name or word of more rows than this recalls none of them."""
GROUP = 6
GROUPS = {
    "decisions": (kinds.DECISION, "decide", "decided"),
    "architecture": (kinds.ARCHITECTURE, "architectural"),
    "issues": (kinds.GOTCHA, "pitfall"),
    "preferences": (
        kinds.PREFERENCE,
        "convention",
        "style",
        "format",
        "formatting",
        "workflow",
        "process",
        "naming",
        "guideline",
        "prefer",
        "indent",
        "indentation",
        "lint",
        "commit",
    ),
}
"""Section → words of a prompt that ask for it."""
_RIVALS = ("over", "instead", "rather", "not", "vs", "vs.")
"""Words that follow the name of something that was chosen."""


def indexed_lines(facts: Facts) -> list[int]:
    """Return the lines (1-based) of the memory that are rows of the index."""
    return [line for name in INDEXED for line, _ in tiers.format_rows(facts, name)][:ROWS]


def write_index(project: Project, environ: Mapping[str, str], key: str, facts: Facts, layers: list[str]) -> None:
    """Write the index of a work tree's memory, unless it is there for this content already."""
    path, key = recall.index_path(project), f"{key}-{prompt_words.read_key(project)}"
    if signed_files.read_key(files.read(path, len(key) + 1)) == key or not os.path.isdir(project.journals):
        return
    folders = [os.path.dirname(name) for name in layers if not name.startswith(".memory/")]
    table, rows = build_index(facts, folders, prompt_words.load_words(project))
    stamps = {name: files.stamp(project.at(name)) for name in layers}
    try:
        files.write(path, signed_files.seal(environ, key, table, {"layers": stamps, "rows": rows}), sync=False)
    except OSError:
        return  # derived: the next start writes it


def build_index(
    facts: Facts, folders: list[str] | None = None, prompts: PromptWords = prompt_words.NONE
) -> tuple[dict[str, Table], list[list[str]]]:
    """Return ({"names", "words", "paths"}, rows), each table word → numbers of rows; a row is [text, its line].

    `folders` are those whose own memory is a layer: its paths may be relative to them. What the project's prompts say
    often is no name.
    """
    index = _Index(facts, [f"{folder}/" for folder in folders or () if folder])
    for name in INDEXED:
        index.add(name)
    tables = {
        "names": _drop_frequent(index.names, OFTEN_NAME),
        "words": _drop_frequent(index.words, OFTEN_WORD),
        "common": _drop_frequent(index.common, OFTEN_WORD),
        "paths": index.paths,
    }
    _weigh_by_prompts(tables, prompts)
    for name, numbers in index.groups.items():
        table = tables["words" if name == _TWICE else "names"]
        for word in map(recall.stem, GROUPS[name]):  # the row keeps its names
            table[word] = list(dict.fromkeys([*table.get(word, ()), *numbers[-GROUP:][::-1]]))
    preferred = index.groups.get(_TWICE, [])[-GROUP:][::-1]
    tables["asks"] = {recall.stem(word): preferred for word in _ASKING if preferred}
    tables["phrases"] = {
        phrase: _order_section(name, index.sections[name])
        for name, phrases in tiers.PHRASES.items()
        for phrase in phrases
        if index.sections.get(name)
    }
    return tables, index.rows


def _order_section(name: str, numbers: list[int]) -> list[int]:
    """Return the rows that answer for a section: the last sessions, newest first; of others the first ones."""
    return numbers[-GROUP:][::-1] if name == "log" else numbers[:GROUP]


class _Index:
    def __init__(self, facts: Facts, folders: list[str]) -> None:
        self.facts, self.folders = facts, folders
        self.rows: list[list[str]] = []
        self.names: Table = {}
        self.words: Table = {}
        self.common: Table = {}
        self.paths: Table = {}
        self.groups: Table = {}
        self.sections: Table = {}
        self.refs: dict[int, list[str]] = {}
        for ref in facts.get("refs") or []:
            self.refs.setdefault(ref["line"], []).append(ref["path"])

    def add(self, section: str) -> None:
        """Add the rows of a section."""
        raw = self.facts.get("raw") or {}
        for line, text in tiers.format_rows(self.facts, section):
            if len(self.rows) >= ROWS:
                return
            number = len(self.rows)
            self.rows.append([text, raw.get(str(line), "")])
            self._paths(number, line, section)
            self.sections.setdefault(section, []).append(number)
            if section in GROUPS:
                self.groups.setdefault(section, []).append(number)
            if section not in _NAMED_ONLY:
                self._words(section, number, text.partition(": ")[2])

    def _paths(self, number: int, line: int, section: str) -> None:
        listed = [row["path"] for row in self.facts.get("files") or [] if row["line"] == line and section == "files"]
        for path in dict.fromkeys([*listed, *self.refs.get(line, ())]):
            base = path.rstrip("/").rpartition("/")[2]
            for folder in ("", *self.folders):
                self.paths.setdefault(folder + path, []).append(number)
            for name in dict.fromkeys((path.lower(), base.lower() if "." in base else "")):
                if name:
                    self.names.setdefault(recall.stem(name), []).append(number)

    def _words(self, section: str, number: int, text: str) -> None:
        nothing, common = common_words.load()
        first, parts = True, text.split()
        for part, after in zip(parts, [*parts[1:], ""], strict=True):
            word = part.strip(recall.EDGES)
            key = recall.stem(word.lower())
            if len(word) > 2 and "/" not in word and not key.isdigit() and not {key, word.lower()} & nothing:
                rival = after.lower() in _RIVALS
                named = section != _TWICE and _is_name(word, first and not rival)
                table = self.names if named else self.words
                table = self.common if {key, word.lower()} & common else table
                if number not in table.setdefault(key, []):
                    table[key].append(number)
            first = part.endswith((".", ":", ";"))


def _is_name(word: str, first: bool) -> bool:
    """Whether a word is a proper name or a symbol: SQLite, handleRefund, rate_limit, Zod in the midst of a sentence."""
    if any(char.isupper() or char == "_" or char.isdigit() for char in word[1:]) or word.lower() in _package_names():
        return True
    return word[0].isupper() and not first


@cache
def _package_names() -> frozenset[str]:
    return frozenset(name.lower() for name, _ in known_packages.packages().values())


def _weigh_by_prompts(tables: dict[str, Table], prompts: PromptWords) -> None:
    """Move the words that prompts say often among the common ones, and take out those that nearly all prompts say."""
    for name in ("names", "words", "common"):
        frequent = [word for word in tables[name] if prompts.says_often(terms.stem(word))]
        for word, rows in [(word, tables[name].pop(word)) for word in frequent]:
            if not prompts.says_always(terms.stem(word)):
                tables["common"][word] = rows


def _drop_frequent(table: Table, most: int) -> Table:
    return {word: numbers for word, numbers in table.items() if len(numbers) <= most}
