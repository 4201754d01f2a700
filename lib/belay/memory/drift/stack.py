"""Compare what a memory says the project is built with against its manifests."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from belay.repository.manifests import known_packages, toml

if TYPE_CHECKING:
    from belay.memory.drift.diff_types import Conflict, DependencyChange
    from belay.memory.memory_facts import Facts

_AGAINST = (
    r"\b(?:over|not|no longer|no|instead of|rather than|than|from|off|away from|without|replac\w+|dropp\w+|drop|"
    r"remov\w+|retir\w+|vs\.?|versus|against|unlike|formerly|previously|was|old|legacy|former|like|considered|"
    r"rejected|ruled out|leav\w+|abandon\w*|stop\w*)\s+"
    r"(?:(?:in|with|on|by|through|via|the|our|plain|using)\s+){0,2}(?:[\w.@`-]+(?:,\s*|\s+(?:and|or)\s+|/))*[`*\"]*$"
)
_GONE = (
    r"^[`*\"]*\s+(?:(?:was|is|has been|got|were)\s+)?"
    r"(?:replaced|removed|dropped|retired|gone|deprecated|rejected)\b"
)
_USED = r"\b(?:using|uses?|with|on|via|by|through|in)\s+$"
_WORDS = frozenset(
    "Requests Click Echo Black Got Falcon Bottle Rocket Poem Slim Parcel Rollup Passport Pyramid Bull Fiber Tornado "
    "Pest Mocha Jasmine Cypress Gin Lit Pony Huey Litestar Quart Ky warp chi ent".split()
)
"""Names that also are words: at the beginning of a sentence, or in lower case, they may be just that."""
_VERSION = re.compile(r"[\w.^~<>=*|, -]{1,20}")


TEXT_CHARS = 2000
"""Characters of one text of the memory that are looked at."""
NEAR = 160
"""Characters before and after a name that show whether a text is for it."""


class Claim(NamedTuple):
    """A text of the memory that may say what the project uses: its section, line, words, date of a decision."""

    kind: str
    line: int
    text: str
    date: str = ""


class Use(NamedTuple):
    """A name of the table in a text: whether the text speaks for it or against it."""

    name: str
    family: str
    chosen: bool


def find_conflicts(
    facts: Facts, now: dict[str, dict[str, str]], deltas: list[DependencyChange], overview: int
) -> list[Conflict]:
    """Return a conflict for each text that names what is no dependency any more while a rival is one.

    `now` is manifest → dependencies, `deltas` what changed since, `overview` the line of the overview.
    """
    present = {name for packages in now.values() for name in map(known_packages.called, packages) if name}
    conflicts = []
    for claim in _find_claims(facts, overview):
        for use, rival in _find_contradictions(claim.text, present, _unreadable_families(now)):
            conflicts.append(_build_conflict(claim, use, rival, now, deltas))
    return conflicts


def _find_claims(facts: Facts, overview: int) -> list[Claim]:
    rows = [Claim("stack", overview, str(facts.get("overview") or "")[:TEXT_CHARS])]
    rows += [Claim("architecture", row["line"], row["text"][:TEXT_CHARS]) for row in facts.get("architecture") or []]
    decisions = [
        Claim("decision", row["line"], row["decision"][:TEXT_CHARS], row["date"])
        for row in facts.get("decisions") or []
    ]
    return rows + _newest_decisions(decisions)


def _newest_decisions(decisions: list[Claim]) -> list[Claim]:
    """Return the decisions of which no newer one speaks of the same family: the newest is the word."""
    last: dict[str, Claim] = {}
    for claim in sorted(decisions, key=lambda decision: (decision.date, decision.line)):
        last.update(dict.fromkeys({use.family for use in find_uses(claim.text)}, claim))
    return [claim for claim in decisions if claim in last.values()]


def find_uses(text: str) -> list[Use]:
    """Return the names of the table that a text speaks of."""
    uses = []
    for name, family, packages, words in _name_table():
        for word in words:  # a loop, not any(): this runs for each text and each name at every start of a session
            if word in text:
                uses += [Use(name, family, chosen) for chosen in _find_mentions(text, name, packages)]
                break
    return uses


@cache
def _name_table() -> list[tuple[str, str, list[str], tuple[str, ...]]]:
    """Return (name, family, packages, what to look for) of every name of the table."""
    rows = ((name, family, row) for family, names in known_packages.families().items() for name, row in names.items())
    return [
        (name, family, row, (name, *(package for package in row if name not in package))) for name, family, row in rows
    ]


def _find_mentions(text: str, name: str, packages: list[str]) -> list[bool]:
    """Return for each place where a name is a word whether the text is for it."""
    stem = re.escape(name.removesuffix(".js"))
    words = [rf"{stem}(?:\.js|JS)" + ("" if name.endswith(".js") else "?"), *map(re.escape, packages)]
    mentions = []
    for place in re.finditer(rf"(?<![\w/@.-])(?:{'|'.join(words)})(?![\w/]|\.\w|-\w)", text):
        before, after = text[max(0, place.start() - NEAR) : place.start()], text[place.end() :][:NEAR]
        if before.endswith("`") or re.search(_USED, before, re.IGNORECASE) or _is_name(place[0], name, before, after):
            against = re.search(_AGAINST, before, re.IGNORECASE) or re.search(_GONE, after, re.IGNORECASE)
            mentions.append(not against)
    return mentions


def is_used(text: str, name: str) -> bool:
    """Whether a text speaks of a name and nowhere against it (case does not matter)."""
    places = list(re.finditer(rf"(?<![\w/@.-]){re.escape(name)}(?![\w/]|\.\w|-\w)", text, re.IGNORECASE))
    return bool(places) and not any(
        re.search(_AGAINST, text[max(0, place.start() - NEAR) : place.start()], re.IGNORECASE)
        or re.search(_GONE, text[place.end() :][:NEAR], re.IGNORECASE)
        for place in places
    )


def _is_name(word: str, name: str, before: str, after: str) -> bool:
    """Whether a word can only be the name, without words like "using" before it."""
    if name not in _WORDS:
        return word == name or word not in known_packages.packages()
    begins = not before.strip() or before.rstrip()[-1] in ".!?:;|-—"
    return word == name and not name.islower() and not (begins and re.match(r"\s+[a-z]", after))


def _find_contradictions(text: str, present: set[str], blind: tuple[str, ...]) -> list[tuple[Use, str]]:
    """Return (what the text is for and is gone, the rival that is there); a text for both knows of the switch."""
    uses = find_uses(text)
    contradictions = {}
    for use in uses:
        rivals = [name for name in known_packages.families()[use.family] if name in present]
        knows = any(other.chosen and other.name in rivals for other in uses)
        if use.chosen and rivals and use.name not in present and not knows and not use.family.startswith(blind):
            contradictions[use.name] = (use, rivals[0])
    return list(contradictions.values())


def _unreadable_families(now: dict[str, dict[str, str]]) -> tuple[str, ...]:
    """Return the families of which not every manifest can be read here (TOML in a hook before Python 3.11)."""
    unread = any(path.endswith(".toml") for path in now) and not toml.readable()
    return ("py ", "rust ") if unread else ("\0",)


def _build_conflict(
    claim: Claim, use: Use, rival: str, now: dict[str, dict[str, str]], deltas: list[DependencyChange]
) -> Conflict:
    path, version = next(
        (path, version)
        for path, packages in now.items()
        for package, version in packages.items()
        if known_packages.called(package) == rival
    )
    removed = [row for row in deltas if any(known_packages.called(name) == use.name for name in row["removed"])]
    with_version = f" {version}" if version and _VERSION.fullmatch(version) else ""
    gone = f"{use.name} was removed since" if removed else f"{use.name} is not"
    ask = f"Is {rival} used instead of {use.name} now, and may line {claim.line} say so?"
    return {
        "kind": claim.kind, "line": claim.line, "also": [], "claim": use.name, "path": path,
        "evidence": f"{path}: {rival}{with_version} is there, {gone}", "repair": None, "ask": ask,
    }  # fmt: skip
