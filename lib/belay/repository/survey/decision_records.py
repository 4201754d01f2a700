"""Architecture decision records: title, status, date, decision and reason of each, from the folders that hold them."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.repository.survey import files, prose

FOLDERS = (
    "docs/adr", "doc/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "docs/architecture-decisions",
    "doc/architecture/decisions", "docs/architecture/adr", "adr", "adrs", "decisions", ".adr",
)  # fmt: skip
MOST = 100
"""Records of one project that are read, the newest by name."""
BYTES = 64 * 1024
_POINTER = ".adr-dir"
_ENDS = (".md", ".markdown", ".rst", ".adoc", ".txt")
_PASSED = re.compile(r"^(?:readme|index|template|adr-template|0000-.*template|_).*$", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:ADR[- ]?)?#?\d+\s*[.:)–—-]\s*|^ADR[:\s]+", re.IGNORECASE)
_FIELD = r"^\s*(?:[-*+|]\s*)?(?:\*\*|__)?{}(?:\*\*|__)?\s*[:|]\s*(?:\*\*|__)?\s*[\"']?([^\n|]+)"
_STATUS = re.compile(_FIELD.format("Status"), re.IGNORECASE | re.MULTILINE)
_DATED = re.compile(_FIELD.format("Date"), re.IGNORECASE | re.MULTILINE)
_DATE = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_FILE_DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)[-_]")
_BECAUSE = re.compile(r"\b(?:because of|because(?! of\b)|since|so that|in order to|as it)\s+(.{8,})", re.IGNORECASE)
_CHOSEN = re.compile(r"^Chosen option:\s*([\"']?)(.+?)\1,\s*because\b[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
"""MADR's own sentence."""
_NAMES_ONLY = 2
"""Words of an option that says what only together with the title."""
_POINTS = re.compile(r"comes? out best|see (?:below|above)|^\W*$", re.IGNORECASE)
"""Reasons that only point to where the reason is."""
_OVER = (
    "superseded",
    "supersede",
    "rejected",
    "deprecated",
    "obsolete",
    "withdrawn",
    "replaced",
    "abandoned",
)


class Adr(NamedTuple):
    """One record; `status` in lower case ("accepted"), `date` YYYY-MM-DD; what it does not say is ""."""

    path: str
    title: str
    status: str
    date: str
    decision: str
    reason: str

    @property
    def holds(self) -> bool:
        """Whether the decision is still valid or proposed."""
        return not any(word in self.status for word in _OVER)


def read(root: str) -> list[Adr]:
    """Return the records of a project, the newest number first, at most 100; those that say nothing are left out."""
    paths = [path for folder in _folders(root) for path in _records(root, folder)]
    found = [parse(path, files.text(root, path, BYTES)) for path in sorted(paths, reverse=True)[:MOST]]
    return [one for one in found if one.title]


def _folders(root: str) -> list[str]:
    pointed = files.text(root, _POINTER, 400).strip()
    named = [pointed.strip("/")] if pointed and "\n" not in pointed else []
    return list(dict.fromkeys([*named, *FOLDERS]))


def _records(root: str, folder: str) -> list[str]:
    rows = files.names(root, folder)
    return [f"{folder}/{name}" for name in rows if name.endswith(_ENDS) and not _PASSED.match(name)]


def parse(path: str, text: str) -> Adr:
    """Return what one record says: Nygard's and MADR's sections, front matter, or `Status:` and `Date:` lines."""
    blocks = prose.blocks(text)
    titles = [block.text for block in blocks if block.kind == "heading"]
    title = _NUMBERED.sub("", titles[0]).strip() if titles else ""
    decided = _first(blocks, "decision outcome", "decision", "our decision", "outcome")
    chosen = _CHOSEN.match(decided)
    option = chosen.group(2) if chosen else ""
    found = chosen or _BECAUSE.search(decided)
    because = found.group(found.lastindex or 0) if found else ""
    why = _sentence(because) if len(because) > 8 and not _POINTS.search(because) else ""
    before = decided[: found.start()].rstrip(" ,") if found and why else ""
    plain = _sentence(before if len(before.split()) > _NAMES_ONLY else decided)
    told = option if len(option.split()) > _NAMES_ONLY else title if option else plain
    why = why or _sentence(_first(blocks, *_WHY))
    return Adr(path, title, _status(text, blocks), _date(path, text), told, why)


_SAID = ("text", "other")
_WHY = ("rationale", "justification", "context and problem statement", "context", "problem")


def _first(blocks: list[prose.Block], *heads: str) -> str:
    """Return the first paragraph or item below the first of the headings that is there, on one line."""
    for head in heads:
        told = [one for one in blocks if one.kind in _SAID and one.above.lower().rstrip(":") == head]
        if told:
            more = told[1].text if len(told) > 1 and told[0].text.rstrip().endswith(("because", ":")) else ""
            return prose.inline(told[0].text.lstrip("-*+ >") + " " + more.lstrip("-*+ >"))
    return ""


def _sentence(text: str) -> str:
    return prose.sentence(text).rstrip(".")


def _status(text: str, blocks: list[prose.Block]) -> str:
    field = _STATUS.search(text[:4000])
    said = _first(blocks, "status") or (prose.inline(field.group(1)) if field else "")
    return " ".join(said.lower().split()[:4]).strip(".\"'* ")


def _date(path: str, text: str) -> str:
    field = _DATED.search(text[:4000])
    told = _DATE.search(field.group(1)) if field else None
    named = _FILE_DATE.search(path.rpartition("/")[2])
    return told.group(1) if told else "-".join(named.groups()) if named else ""
