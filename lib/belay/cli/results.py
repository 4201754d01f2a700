"""The keys of what commands print as JSON, where their texts are made of the same rows (docs/json has every schema)."""

from __future__ import annotations

from typing import TypedDict

from belay.knowledge.store.records import SessionRow
from belay.memory.compression.lengths import Length
from belay.memory.drift.diff_types import Repair
from belay.memory.health.health_types import Dimension, Limit
from belay.session.state_types import Capture

_Adopted = TypedDict("_Adopted", {"from": str})


class Adopted(_Adopted):
    """A database of an earlier tool that `workshop init` took over."""

    tool: str
    entries: int
    rows: int
    left: list[str]
    backup: str


class _Session(TypedDict):
    id: str
    title: str
    started: str
    active: str
    commit: str
    branches: list[str]
    files: list[str]
    prompts: int
    folder: str
    resume: str
    record: SessionRow | None


class Session(_Session, total=False):
    """A past session; the rest is of the place that was found in it."""

    start: int
    end: int
    score: float
    snippet: str


class Init(TypedDict):
    """`workshop init`."""

    path: str
    rule: int
    made: bool
    ignored: bool
    notes: list[str]
    adopted: list[Adopted]
    foreign: list[str]


class Playbook(TypedDict):
    """A playbook and its numbers."""

    name: str
    status: str
    helpful: int
    harmful: int
    file: str
    line: int
    pattern: str
    antipattern: str
    evidence: list[dict[str, object]]


_WaitingRow = TypedDict("_WaitingRow", {"class": str})


class WaitingRow(_WaitingRow):
    """A capture that waits in `belay review`."""

    number: int
    id: str
    time: str
    age_days: float
    text: str
    why: str
    session: str
    branch: str
    origin: str


class JournalCheck(TypedDict):
    """One journal, verified."""

    session: str
    records: int
    damaged: int
    foreign: int
    bytes: int


class SavedFile(TypedDict):
    """A file that was saved."""

    file: str
    what: str


class SkippedFile(TypedDict):
    """A file that was not saved."""

    file: str
    why: str


class WrapUp(TypedDict):
    """`belay wrap-up`."""

    session: str
    saved: list[SavedFile]
    skipped: list[SkippedFile]
    settled: list[str]
    unmentioned: list[Capture]
    offered: list[str]
    flags: list[str]
    redacted: int
    notes: list[str]


class BeforeAfter(TypedDict):
    """A number before and after a change."""

    before: int
    after: int


class ArchiveChange(TypedDict):
    """What compression adds to the archive."""

    file: str
    files: list[str]
    added: list[str]


class Compression(TypedDict):
    """`belay compress`."""

    file: str
    lines: BeforeAfter
    tokens: BeforeAfter
    due: str
    removed: list[dict[str, object]]
    folded: list[dict[str, object]]
    flagged: list[dict[str, object]]
    candidates: list[dict[str, object]]
    longest: list[Length]
    archive: ArchiveChange
    diff: str
    written: bool
    dry_run: bool


_OverlayRow = TypedDict("_OverlayRow", {"from": str})


class OverlayRow(_OverlayRow):
    """A branch's overlay."""

    branch: str
    overlay: str
    ref: str
    current: bool
    stands: bool
    merged_how: str
    reverted: bool
    lines: int


class RepairResult(TypedDict):
    """`belay diff --repair`."""

    repairs: list[Repair]
    diff: str
    written: bool
    why: str


class Distilling(TypedDict):
    """`belay distill`."""

    proposals: list[dict[str, object]]
    written: bool
    file: str
    why: str
    undone: list[str]


class Evidence(TypedDict):
    """Where a learning was found."""

    project: str
    file: str
    line: int


class CandidateRow(TypedDict):
    """A learning that could be kept for every project."""

    id: str
    kind: str
    text: str
    evidence: list[Evidence]


class Promotion(TypedDict):
    """`belay promote`."""

    file: str
    candidates: list[CandidateRow]
    lines: list[str]
    dismissed: list[str]
    undone: list[str]
    saved: str
    why: str
    written: bool


class WeighedDimension(Dimension):
    """One dimension of `belay health`."""

    weight: float


class HealthResult(TypedDict):
    """`belay health`."""

    file: str
    score: int
    points: float
    limits: list[Limit]
    dimensions: dict[str, WeighedDimension]
    offers: list[str]
    repo: bool
    notes: list[str]
    rows: int


class WasteRow(TypedDict):
    """One finding of `belay lint`."""

    line: int
    rule: str
    text: str
    mend: str
    tokens: int


class Lint(TypedDict):
    """`belay lint`."""

    file: str
    lines: int
    memory: bool
    findings: list[WasteRow]
    tokens: int


class FailedRemoval(TypedDict):
    """A file that could not be removed."""

    path: str
    why: str


class Uninstall(TypedDict):
    """`belay uninstall`."""

    done: bool
    goes: list[str]
    blocks: list[str]
    blocks_stay: list[str]
    stays: list[str]
    sections: list[str]
    statusline: bool
    backup: str | None
    failed: list[FailedRemoval]
