"""Decisions that commit messages state: conservative, for a wrong decision in a memory is worse than none."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.repository.git.owners import Change
from belay.repository.manifests.dependencies import is_manifest

MOST = 12

_TYPED = re.compile(r"^(\w+)(?:\(([^()]{1,40})\))?(!?):\s+(\S.*)$")
_PREFIX = re.compile(r"^(?:\[[^\]]{1,30}\]\s*)+|^[\w./-]{1,30}:\s+(?=[A-Za-z])")
_NUMBER = re.compile(r"\s*\((?:#|GH-|!)\d+\)$")
_REVERT = re.compile(r'^Revert "(.*)"')
_THING = r"[`\"']?[A-Za-z0-9@._/+#-]+[`\"']?(?: [A-Za-z0-9@._/+#-]+){0,4}?"
_STRONG = (
    re.compile(rf"^(?:adopt|choose|standardi[sz]e on) {_THING}$", re.I),
    re.compile(r"^(?:switch(?:ed|es|ing)?|migrat(?:e|ed|es|ing))(?: \S+){0,8}? to \S.*", re.I),
    re.compile(r"^(?:drop(?:ped|s)?|end(?:ed)?) (?:\S+ ){0,3}(?:support|compatibility)\b.*", re.I),
    re.compile(r"^drop(?:ped|s)? (?:python|node(?:\.js)?|java|ruby|php|go|rust|ie|internet explorer)\b.*\d.*", re.I),
    re.compile(r"^(?:drop(?:ped|s)?|remove[ds]?) \S+(?: \S+){0,3} in favou?r of \S.*", re.I),
)
"""Sentences that decide by themselves."""
_WEAK = (
    re.compile(rf"^use {_THING} (?:instead of|rather than|over) \S.*", re.I),
    re.compile(rf"^replac(?:e|ed|es|ing) {_THING} (?:with|by) \S.*", re.I),
    re.compile(rf"^mov(?:e|ed|es|ing) (?:{_THING} )?from {_THING} to \S.*", re.I),
)
"""Sentences that decide where the commit changes a manifest or a tool's own file, and rearrange code elsewhere."""
_BREAKING = re.compile(r"^BREAKING[ -]CHANGES?:\s*(.+(?:\n(?!\s*$|[\w-]+:).+)*)", re.MULTILINE)
_BECAUSE = re.compile(
    r"(?:^|[,.;\s])(?:because|since(?! \d)|so that|in order(?= to )|due to|the reason (?:is|was)(?: that)?)\s+"
    r"([^.\n]{8,160}(?:\n[^.\n]{1,120})?)",
    re.IGNORECASE,
)
_SAID_WHY = re.compile(r",? because (?:of )?(?=\S)", re.IGNORECASE)
"""Where a subject goes on with its reason."""
_SMALL = re.compile(
    r"\b(?:unused|redundant|unnecessary|dead|extra|duplicated?|typos?|comments?|debug|wording|white ?space|tabs|spaces"
    r"|quotes|links?|urls?|badge|logo|icons?|title|text|names?|variables?|helpers?|functions?|methods?"
    r"|next (?:line|page)"
    r"|readme|changelog|copyright|license|years?|tests?|fixtures?|snapshots?|constants?|imports?|calls?|loop|macros?"
    r"|own (?:file|module)|separate|files?|folder|directory|dir|top|bottom|end|back|private|internal|const|let"
    r"|examples?|slices?|arrays?|maps?|structs?)\b"
    r"|\(\)|\b(?:str|char|int|if|strbuf)\b|[a-z]_[a-z]|->|::",
    re.IGNORECASE,
)
"""Words of changes inside the code, not of decisions about it."""
_VERSION = re.compile(
    r"^(?:bump|update|upgrade|merge|chore\(deps|build\(deps)|\bfrom v?\d[\w.]* to v?\d", re.IGNORECASE
)
_WORDS = 16
_KINDS_PASSED = ("test", "style", "docs", "fix", "deps")
_DOCS = (
    ".md",
    ".rst",
    ".c",
    ".h",
    ".go",
    ".rs",
    ".py",
    ".js",
    ".ts",
    ".sh",
    ".java",
    ".rb",
    ".php",
    "makefile",
)


class Decision(NamedTuple):
    """A decision, its reason ("" if the message gives none), what it affects, its commit's date and id, how sure."""

    text: str
    reason: str
    affects: str
    date: str
    sha: str
    sure: str


def decisions(changes: list[Change], touched: dict[str, list[str]], most: int = MOST) -> list[Decision]:
    """Return what the messages decide, the newest first; `touched` is commit → paths.

    What a later commit reverts is left out.
    """
    reverted = {match.group(1) for change in changes if (match := _REVERT.match(change.subject))}
    found: dict[str, Decision] = {}
    for change in changes:
        one = (
            None
            if _NUMBER.sub("", change.subject) in reverted or change.subject in reverted
            else parse_decision(change, touched.get(change.sha, []))
        )
        if one:
            found.setdefault(one.text.lower(), one)
    return list(found.values())[:most]


def parse_decision(change: Change, paths: list[str]) -> Decision | None:
    """Return the decision of one commit that changed these paths, None for the many that decide nothing."""
    if change.parents > 1 or _VERSION.search(change.subject):
        return None
    subject = _NUMBER.sub("", change.subject).strip()
    typed = _TYPED.match(subject)
    scope = typed.group(2) or "" if typed else ""
    said = typed.group(4) if typed else _PREFIX.sub("", subject)
    breaking = _BREAKING.search(change.body)
    if typed and (typed.group(1) in _KINDS_PASSED or scope.startswith("dep")):
        return None
    if breaking or (typed and typed.group(3)):
        why = "breaking change" + (": " + " ".join(breaking.group(1).split()) if breaking else "")
        return Decision(_capital(said), why, scope, change.date, change.sha, "medium")
    return _matched(change, said.rstrip("."), scope, paths)


def _matched(change: Change, said: str, scope: str, paths: list[str]) -> Decision | None:
    said, *why = _SAID_WHY.split(said, maxsplit=1)
    if len(said.split()) > _WORDS or _SMALL.search(said):
        return None
    rules = (*_STRONG, *_WEAK) if any(map(_is_setup, paths)) else _STRONG
    if not any(rule.match(said) for rule in rules):
        return None
    because = _BECAUSE.search(change.body)
    reason = " ".join(because.group(1).split()) if because else "".join(why)
    return Decision(_capital(said), reason, scope, change.date, change.sha, "medium" if reason else "low")


def _is_setup(path: str) -> bool:
    """Whether a path is a manifest, or a file of some tool at the top of the tree."""
    return is_manifest(path) or ("/" not in path and not path.lower().endswith(_DOCS))


def _capital(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text if any(char in first for char in "@./_`") else text[:1].upper() + text[1:]
