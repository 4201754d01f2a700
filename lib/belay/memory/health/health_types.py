"""The types of a memory's health and of the evidence it is scored by, as `belay health --json` prints them."""

from __future__ import annotations

from typing import TypedDict


class _ReasonKeys(TypedDict):
    lost: float
    line: int
    what: str
    mend: str


class Reason(_ReasonKeys, total=False):
    """Why points were lost: where (line 0: nowhere), what, and what to do; `file` where it is not MEMORY.md."""

    file: str


class Dimension(TypedDict):
    """One of the four scores with one decimal, a note on it, and the reasons that add up to what it lost."""

    score: float
    note: str
    reasons: list[Reason]


class Limit(TypedDict):
    """What a memory's score is at most, in points with one decimal, and why."""

    points: float
    why: str


class Health(TypedDict):
    """The score from 1 to 10, the points before rounding, what limits them, and the four dimensions (seed 003)."""

    score: int
    points: float
    limits: list[Limit]
    freshness: Dimension
    relevance: Dimension
    completeness: Dimension
    actionability: Dimension


class MissingPath(TypedDict):
    """A line that names a path which does not exist; `renamed` is the path's new name or ""."""

    line: int
    path: str
    renamed: str


class _FalseClaimKeys(TypedDict):
    line: int
    what: str
    mend: str


class FalseClaim(_FalseClaimKeys, total=False):
    """A line that the project contradicts: what is wrong, how to correct it; `over`: it is done by now."""

    over: bool


class Evidence(TypedDict, total=False):
    """What the repository says of a memory; what is not known is left out.

    `reviewed` is the day of the last save by a person; `commits` since the update (`more`: at least so many), `checked`
    lines with paths, `anchored`: the next step names something that exists; `false`: what the project contradicts;
    `foreign`: products of the overview, most of which the project does not use.
    """

    repo: bool
    today: str
    reviewed: str
    commits: int
    more: bool
    checked: int
    missing: list[MissingPath]
    anchored: bool
    false: list[FalseClaim]
    foreign: list[str]
