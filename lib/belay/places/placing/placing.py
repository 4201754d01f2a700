"""Where a learning belongs, why, and where else it could go (seed 000, "What Belongs in …")."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core.plain_text import shown
from belay.places import hierarchy as tree
from belay.places.placing import cues, headings
from belay.places.relevance import ranking

if TYPE_CHECKING:
    from belay.places.hierarchy import Hierarchy
    from belay.places.placing.cues import Found
    from belay.places.relevance.ranking import Match

STATE = 4.0
"""Weight of the words about the state of the work, from which on they outweigh what the text is about."""
LABEL = 5.0
"""Weight of a label that says what the text is ("Roles: …")."""
ENOUGH = 2.2
"""What must speak for a feature: its name, or two words that hardly another folder has."""
MOST = 8.0
"""What a feature weighs at most, so that "every service" is not outweighed by many small signs."""
_TIE = 0.01
SHOWN_OTHERS = 3
_DEFAULT = 1.5
"""What speaks for the root where nothing else does: what has no place of its own is the project's."""


class Choice(NamedTuple):
    """A memory file for a learning: its path, the heading and line it fits under (0: none yet), why, what it weighs."""

    file: str
    why: str
    score: float
    line: int = 0
    heading: str = ""
    exists: bool = True


class Placement(NamedTuple):
    """A learning, the memory it belongs to, and the others it could go to, the likelier ones first."""

    text: str
    choice: Choice
    others: list[Choice]


def place(hierarchy: Hierarchy, text: str) -> Placement:
    """Return where a learning belongs."""
    found = cues.find_cues(text)
    choices = [_weigh_root(hierarchy, found), _weigh_orchestration(hierarchy, found)]
    choices += _weigh_features(hierarchy, ranking.rank(hierarchy, text), found)
    best = sorted((choice for choice in choices if choice.score > 0), key=lambda choice: -choice.score)
    named = [headings.add_heading(hierarchy, choice, text) for choice in best[: 1 + SHOWN_OTHERS]]
    return Placement(text, named[0], named[1:])


def _weigh_root(hierarchy: Hierarchy, found: list[Found]) -> Choice:
    known = [place.path for place in hierarchy.places if place.level == tree.ROOT]
    why = _tell_cues(found, tree.ROOT) or "it names no feature of the project and no state of the work"
    score = _DEFAULT + cues.weigh(found, tree.ROOT) + (MOST if _find_strongest(found, tree.ROOT) >= LABEL else 0.0)
    return _choose(hierarchy, known[0] if known else tree.NAME, why, score)


def _weigh_orchestration(hierarchy: Hierarchy, found: list[Found]) -> Choice:
    weight = cues.weigh(found, tree.ORCHESTRATED)
    score = weight + MOST if _find_strongest(found, tree.ORCHESTRATED) >= STATE else weight
    return _choose(hierarchy, tree.ORCHESTRATION, _tell_cues(found, tree.ORCHESTRATED), score)


def _find_strongest(found: list[Found], level: str) -> float:
    return max((row.cue.weight for row in found if row.cue.level == level), default=0.0)


def _weigh_features(hierarchy: Hierarchy, matches: list[Match], found: list[Found]) -> list[Choice]:
    own = cues.weigh(found, tree.FEATURE)
    choices = []
    for match in matches:
        if match.score >= ENOUGH or match.is_named:
            score = min(MOST, match.score) + match.score * _TIE + own + (MOST / 2 if match.is_named else 0.0)
            path = _find_file(hierarchy, match.folder)
            choices.append(_choose(hierarchy, path, _tell_match(match), score))
    return list({choice.file: choice for choice in reversed(choices)}.values())


def _find_file(hierarchy: Hierarchy, folder: str) -> str:
    """Return the memory of a folder: the one that is there, else where it would be."""
    own = [place.path for place in hierarchy.places if place.folder == folder and folder]
    return own[0] if own else f"{folder}/{tree.NAME}"


def _choose(hierarchy: Hierarchy, path: str, why: str, score: float) -> Choice:
    return Choice(path, why, round(score, 2), exists=hierarchy.find(path) is not None)


def _tell_cues(found: list[Found], level: str) -> str:
    rows = sorted((row for row in found if row.cue.level == level), key=lambda row: -row.cue.weight)
    return "; ".join(f"{row.cue.says} (“{shown(row.words, 40)}”)" for row in rows[:2])


def _tell_match(match: Match) -> str:
    return "; ".join(dict.fromkeys(row.why for row in match.evidence[:3]))
