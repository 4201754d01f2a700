"""The code that a text names: paths and symbols that exist, and paths that the history took away.

What is neither found nor known to history is left out: a name may be a library's.
"""

from __future__ import annotations

import os
import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.memory.document import path_references
from belay.repository.git import blame, content, status
from belay.repository.survey import product_traces, quotes
from belay.safety.labels import is_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.core.paths import Project

EXISTS, MOVED, DELETED = "exists", "moved", "deleted"
SYMBOLS = 120
"""Symbols that are looked for in one run."""
PLACES = 5
"""Definitions of one name from which on it is not clear which is meant."""
PATHS = 200
"""Paths that are looked at in one run."""
_TICKED = re.compile(r"`([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)(\([^`]*\))?`")
_OWN = re.compile(r"_|[a-z\d][A-Z]|^[A-Z][a-z]")
"""A name that somebody made up; one word in small letters may be a language's, and counts only beside its file."""
_LANGUAGES = frozenset(
    "print open eval exec fetch require main init test setup sort filter range input format super type list dict "
    "string append delete close read write render update create build start stop export import log error panic "
    "make push".split()
)
"""Words in small letters that languages and libraries have, or that every project defines somewhere."""
_ASIDE = re.compile(r"\s*(?://|#|\*|/\*|--|<!--|import\b|from\b)")
"""Lines that define nothing: comments, and what is taken from elsewhere."""
_KEYWORDS = (
    "def|class|function|const|let|var|func|type|interface|struct|enum|fn|trait|module|object|val|record|macro_rules!"
)
_MODIFIERS = "export|default|public|private|protected|static|async|override|abstract|final|pub|get|set"
_TEST = re.compile(r"(?:^|/)(?:tests?|__tests__|spec|fixtures?|mocks?)/|(?:\.|_)(?:test|spec)\.|(?:^|/)test_")


class CodeName(NamedTuple):
    """Code that a text names: `name` as written, where it is now ("" and 0: gone), its state, and who took it away.

    `line` is that of a symbol's definition, or the one written behind a path; `commit` and `date` are of a removal.
    """

    name: str
    kind: str
    path: str
    line: int
    state: str
    commit: str = ""
    date: str = ""


class CodeReader:
    """Finds what texts name; `read` takes all texts at once, so that git is asked few times."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._gone: dict[str, blame.Removal | None] = {}

    def read(self, texts: list[tuple[str, str]]) -> list[list[CodeName]]:
        """Return for each (folder of the file, text) the code that it names."""
        symbols = list(dict.fromkeys(name for _, text in texts for name in list_symbols(text)))[:SYMBOLS]
        places = self._find_definitions(symbols)
        return [self._read_one(folder, text, places) for folder, text in texts]

    def _read_one(self, folder: str, text: str, places: dict[str, list[tuple[str, int]]]) -> list[CodeName]:
        found: dict[tuple[str, int], CodeName] = {}
        for ref in path_references.find_paths_in_line(text):
            name = self._find_path(folder, ref.path, ref.at)
            if name:
                found.setdefault((name.path or name.name, 0), name)
        for symbol in list_symbols(text):
            place = _choose(places.get(symbol, []), folder, is_own=bool(_OWN.search(_last(symbol))))
            if place:
                found.setdefault(place, CodeName(symbol, "symbol", *place, EXISTS))
        return list(found.values())

    def _find_path(self, folder: str, path: str, at: int) -> CodeName | None:
        if is_label(path) or not quotes.path(path):
            return None
        names = dict.fromkeys(posixpath.normpath(posixpath.join(*parts)) for parts in ((folder, path), (path,)))
        for name in names:
            if not path_references.leads_out(name) and os.path.exists(self.project.at(name)):
                return CodeName(path, "path", name, at, EXISTS)
        for name in names:
            gone = self._find_removal(name)
            if gone:
                is_there = bool(gone.new) and os.path.exists(self.project.at(gone.new))
                state, new = (MOVED, gone.new) if is_there else (DELETED, "")
                return CodeName(path, "path", new, 0, state, gone.commit, gone.date)
        return None

    def _find_removal(self, path: str) -> blame.Removal | None:
        if path not in self._gone and len(self._gone) < PATHS:
            try:
                # What git ignores now is made by a build: it is not gone, it is not there yet.
                is_made = bool(status.find_ignored(self.project.root, [path, path + "/"]))
                self._gone[path] = None if is_made else blame.find_removal(self.project.root, path)
            except BelayError:
                self._gone[path] = None
        return self._gone.get(path)

    def _find_definitions(self, symbols: list[str]) -> dict[str, list[tuple[str, int]]]:
        if not symbols:
            return {}
        names = list(dict.fromkeys(map(_last, symbols)))
        try:
            rows = content.find_places(self.project.root, _pattern(names), product_traces.code_pathspecs())
        except BelayError:
            return {}
        defines = re.compile(_pattern(names).replace("[[:space:]]", r"\s"))
        found: dict[str, list[tuple[str, int]]] = {name: [] for name in names}
        for path, line, text in rows:
            for match in () if _ASIDE.match(text) else defines.finditer(text):
                found[match[4] or match[8]].append((path, line))
        return {symbol: found[_last(symbol)] for symbol in symbols}


def _pattern(names: list[str]) -> str:
    """Return the expression of a line that defines one of some names: an extended one, and Python's with `\\s`."""
    ends = "|".join(name.replace("$", "[$]") for name in names)
    return (
        rf"(^|[^A-Za-z0-9_.])({_KEYWORDS})[[:space:]]+([(][^)]*[)][[:space:]]*)?({ends})([^A-Za-z0-9_]|$)"
        rf"|^[[:space:]]*(({_MODIFIERS})[[:space:]]+)*({ends})[[:space:]]*[(][^;]*[{{][[:space:]]*$"
    )


def list_symbols(text: str) -> list[str]:
    """Return the functions, classes and the like that a text names between backticks."""
    rows = _TICKED.findall(text)
    return list(
        dict.fromkeys(
            name
            for name, call in rows
            if len(_last(name)) > 3
            and (_OWN.search(_last(name)) or (call and _last(name) not in _LANGUAGES))
            and not path_references.parse_path(name, ticked=True)[0]
        )
    )


def _last(symbol: str) -> str:
    return re.split(r"\.|::|#", symbol)[-1]


def _choose(places: Iterable[tuple[str, int]], folder: str, *, is_own: bool = True) -> tuple[str, int] | None:
    """Return the definition that is meant: one below the text's own folder first, tests last; None if unclear."""
    rows = sorted(places, key=lambda place: (bool(_TEST.search(place[0])), place))
    near = [row for row in rows if folder and row[0].startswith(folder + "/")]
    if near:
        return near[0]
    return rows[0] if is_own and 0 < len(rows) <= PLACES else None
