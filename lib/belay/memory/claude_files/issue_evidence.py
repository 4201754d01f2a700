"""What the code says of a known issue: the files and symbols it names, and what came that it says was missing."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.memory.claude_files.code_names import EXISTS, CodeName, CodeReader
from belay.memory.claude_files.untouched import ChangeCounter, find_folder
from belay.repository.git import blame, content
from belay.repository.survey import product_traces
from belay.repository.survey.places import is_code

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.claude_files.known_issues import Issue
    from belay.memory.claude_files.untouched import CodeChange
    from belay.repository.git.blame import LineOrigin

MOST_HITS = 30
"""Places of a word from which on it is too common to say anything."""
SHOWN_HITS = 2
BLAMED = 80
"""Files whose lines are dated in one run."""
_ABSENT = re.compile(
    r"\b(?:no|missing|lacks?(?: of)?|without|not yet)\s+(?:any\s+|an?\s+)?([A-Za-z]{6,})", re.IGNORECASE
)
_ENDINGS = ("ation", "ing", "ment", "es", "s")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_GENERIC = frozenset("index main test tests spec page route utils util types type file files list item".split())


class Appearance(NamedTuple):
    """A line of code, younger than the issue, with a form of the word that the issue says was missing."""

    word: str
    path: str
    line: int
    commit: str
    date: str


class JoinedIssue(NamedTuple):
    """An issue with the commit and day of its newest line ("" for none yet), its code, and what appeared since."""

    issue: Issue
    commit: str
    date: str
    code: list[CodeChange]
    appeared: list[Appearance]


class EvidenceReader:
    """Joins issues with the code of one project; git is asked once for each file, within a bound of seconds."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.counter = ChangeCounter(project.root)
        self._origins: dict[str, dict[int, LineOrigin]] = {}
        self._files: dict[str, list[str]] = {}

    def join(self, issues: list[Issue]) -> list[JoinedIssue]:
        """Return the issues, in their order, with what the code says of them."""
        folders = [find_folder(issue.path) for issue in issues]
        texts = [(folder, issue.text) for folder, issue in zip(folders, issues, strict=True)]
        named = CodeReader(self.project).read(texts)
        return [self._join_one(*row) for row in zip(issues, folders, named, strict=True)]

    def _join_one(self, issue: Issue, folder: str, named: list[CodeName]) -> JoinedIssue:
        origin = self._find_origin(issue)
        commit, time = (origin.commit, origin.time) if origin else ("", 0)
        names = [name for name in named if name.path != issue.path]
        names = names or self._find_by_file_name(issue.text, folder)
        code = [self.counter.count(name, commit) for name in names]
        appeared = self._find_appeared(issue.text, folder, time) if commit else []
        return JoinedIssue(issue, commit, blame.format_date(time) if commit else "", code, appeared)

    def _find_origin(self, issue: Issue) -> LineOrigin | None:
        """Return the newest commit among the lines of an issue, None where one is not committed."""
        origins = self._read_origins(issue.path)
        rows = [origins[line] for line in range(issue.line, issue.end + 1) if line in origins]
        return max(rows, key=lambda row: row.time) if rows and all(row.commit for row in rows) else None

    def _read_origins(self, path: str) -> dict[int, LineOrigin]:
        if path not in self._origins:
            try:
                rows = blame.read_line_origins(self.project.root, path) if len(self._origins) < BLAMED else {}
            except BelayError:
                rows = {}
            self._origins[path] = rows
        return self._origins[path]

    def _list_files(self, folder: str) -> list[str]:
        if folder not in self._files:
            try:
                # git ls-files returns nothing for a literal path beside excluded ones, unlike git grep.
                names = content.list_tracked(self.project.root, (f":(literal){folder}",))
                self._files[folder] = list(filter(is_code, names))
            except BelayError:
                self._files[folder] = []
        return self._files[folder]

    def _find_by_file_name(self, text: str, folder: str) -> list[CodeName]:
        """Return the files below a feature's folder whose names are made of words of the text: ProductList.tsx."""
        if not folder:
            return []
        words = {_singular(word) for word in re.findall(r"[A-Za-z]+", text)}
        found = []
        for path in self._list_files(folder):
            stem = [_singular(part) for part in _WORDS.findall(posixpath.basename(path).split(".")[0])]
            telling = [part for part in stem if part not in _GENERIC]
            if len(stem) > 1 and telling and all(part in words for part in stem):
                found.append(CodeName(posixpath.basename(path), "path", path, 0, EXISTS))
        return found[:3]

    def _find_appeared(self, text: str, folder: str, since: int) -> list[Appearance]:
        words = [word.lower() for word in _ABSENT.findall(text)]
        return [row for word in dict.fromkeys(words) for row in self._find_word(word, folder, since)][:SHOWN_HITS]

    def _find_word(self, word: str, folder: str, since: int) -> list[Appearance]:
        stem = next(
            (word.removesuffix(end) for end in _ENDINGS if word.endswith(end) and len(word) - len(end) > 4), word
        )
        try:
            rows = content.find_places(self.project.root, f"[{stem[0].upper()}{stem[0]}]{stem[1:]}", _within(folder))
        except BelayError:
            return []
        found = []
        for path, line, text in rows if len(rows) <= MOST_HITS else []:
            match = re.search(rf"\w*{stem}\w*", text, re.IGNORECASE)
            origin = self._read_origins(path).get(line)
            if match and origin and origin.commit and origin.time > since:
                found.append(Appearance(match.group(), path, line, origin.commit, blame.format_date(origin.time)))
        return found[:SHOWN_HITS]


def _within(folder: str) -> tuple[str, ...]:
    """Return the pathspecs of the code below a folder."""
    first, *excluded = product_traces.code_pathspecs()
    return (f":(literal){folder}" if folder else first, *excluded)


def _singular(word: str) -> str:
    low = word.lower()
    return low[:-1] if len(low) > 3 and low.endswith("s") and not low.endswith("ss") else low
