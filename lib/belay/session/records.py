"""The types of the journal's records, one class for each kind.

Only type checkers load this module. Every field may be missing from a record that an older version wrote.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired

from belay.client.tool_results import TodoItem
from belay.session.state_types import Answer, BeforeWrapUp, Caller, EditedFile, Finding, Inherited, Target


class _Stamp(TypedDict, total=False):
    """What every record has: UTC time, the session's id, and the mark of the user who wrote it."""

    time: str
    session: str
    mark: str


class Place(TypedDict, total=False):
    """Where a session is: branch and commit, root of the work tree, folder (from the root), the client's process."""

    branch: str
    head: str
    root: str
    folder: str
    client: str


class PromptText(TypedDict, total=False):
    """A redacted prompt: complete, or head, tail, length in characters and sha256 of a long one."""

    text: str
    text_head: str
    text_tail: str
    length: int
    sha256: str


class StartRecord(_Stamp, Place, total=False):
    kind: Literal["start"]
    source: str
    model: str


class PromptRecord(_Stamp, Place, PromptText, total=False):
    kind: Literal["prompt"]
    prompt_id: str
    source: str
    asks: str
    task: str
    path: str
    request: str
    skipped: str


class MachineRecord(_Stamp, total=False):
    """A prompt that nobody typed, and why it was taken for one."""

    kind: Literal["machine"]
    prompt_id: str
    source: str
    why: str | None


class Candidate(TypedDict):
    """A sentence to capture: class → confidence, text, origin (typed, asked, answered, rejected, hand), its file."""

    classes: dict[str, float]
    text: str
    origin: str
    file: NotRequired[str]
    asks: NotRequired[bool]  # it also asks for work ("rename it to x"), so that the prompt stays the task


class CaptureRecord(_Stamp, total=False):
    """A capture; `replaces` and `closes` are for the caller only and in no journal: the state shows them anyway."""

    kind: Literal["capture"]
    id: str
    branch: str
    classes: dict[str, float]
    text: str
    origin: str
    file: str
    asks: bool
    closes: list[str]
    replaces: list[str]


class CloseRecord(_Stamp, total=False):
    kind: Literal["close"]
    ids: list[str]
    how: str


class NearRecord(_Stamp, total=False):
    """Sentences that just missed being captured, each behind its class."""

    kind: Literal["near"]
    sentences: list[str]


class AsideRecord(_Stamp, total=False):
    """The task of a prompt that only asked Belay for something."""

    kind: Literal["aside"]
    task: str


class FiledRecord(_Stamp, total=False):
    """Captures that were written into a memory file, and where."""

    kind: Literal["filed"]
    ids: list[str]
    file: str
    sections: list[str]
    line: int


class MilestoneRecord(_Stamp, total=False):
    kind: Literal["milestone"]
    what: str
    text: str


class IntentRecord(_Stamp, Target, Caller, total=False):
    """A tool call that is about to run."""

    kind: Literal["intent"]
    tool: str


class EditRecord(_Stamp, total=False):
    kind: Literal["edit"]
    files: list[EditedFile]


class CommandRecord(_Stamp, total=False):
    kind: Literal["command"]
    command: str
    ok: bool
    output: str
    check: str
    evidence: str


class LessonRecord(_Stamp, total=False):
    kind: Literal["lesson"]
    failed: str
    files: list[str]
    passed: str


class TodosRecord(_Stamp, total=False):
    kind: Literal["todos"]
    items: list[TodoItem]


class SaidRecord(_Stamp, total=False):
    """The end of Claude's answer, what it says about the work, whether it breaks off; `reason`: lost after a crash."""

    kind: Literal["said"]
    text: str
    answer: Answer
    findings: list[Finding]
    unfinished: bool
    reason: str


class PlanRecord(_Stamp, total=False):
    """A plan that Claude puts up for approval, or what became of it."""

    kind: Literal["plan"]
    title: str
    status: str


class CommitRecord(_Stamp, total=False):
    """A commit that a command made: abbreviated id and subject, as git printed them."""

    kind: Literal["commit"]
    sha: str
    subject: str


class BudgetRecord(_Stamp, total=False):
    kind: Literal["budget"]
    thresholds: list[int]
    used: int
    limit: int


class RecalledRecord(_Stamp, total=False):
    """What was recalled: checksums of memory rows, entry id → tokens, the edited file, whether a start did it."""

    kind: Literal["recalled"]
    rows: list[str]
    entries: dict[str, int]
    file: str
    start: bool


class CompactRecord(_Stamp, total=False):
    kind: Literal["compact"]
    trigger: str


class DraftRecord(_Stamp, total=False):
    """A wrap-up that was begun: its document, the digest of it, and whether a person wrote it."""

    kind: Literal["wrap-up-document"]
    digest: str
    branch: str
    folder: str
    written: bool
    document: Mapping[str, Any]


class WrapUpRecord(_Stamp, total=False):
    kind: Literal["wrap-up"]
    ids: list[str]
    digest: str
    task: str
    status: str
    next: str


class UnwrappedRecord(_Stamp, total=False):
    """A wrap-up was undone."""

    kind: Literal["unwrapped"]
    state: BeforeWrapUp


class KeptRecord(_Stamp, total=False):
    """A memory file was updated without a wrap-up: up to which sign of life, which files, why none was."""

    kind: Literal["kept"]
    upto: str
    files: list[str]
    skipped: str


class ContinuedRecord(_Stamp, total=False):
    kind: Literal["continued"]
    skipped: str


class DeliveredRecord(_Stamp, total=False):
    """A continuation that reached this session, and the open work that it is about."""

    kind: Literal["delivered"]
    of: str
    how: str
    work: Inherited


class ReflexRecord(_Stamp, total=False):
    """What was stated of a piece of work before it, in its middle or after it (`phase`, `session/work/preflight.py`).

    `unknowns` came up, those `answered` are known now, those `unresolved` stay open at its end.
    """

    kind: Literal["reflex"]
    phase: str
    goal: str
    unknowns: list[str]
    confidence: float | None
    answered: list[str]
    result: str
    outcome: str
    learned: list[str]
    unresolved: list[str]


class EndRecord(_Stamp, total=False):
    kind: Literal["end"]
    reason: str


class PlainRecord(_Stamp, total=False):
    """A record that says only that something happened."""

    kind: Literal["done", "compacted", "folded", "asked"]


Record: TypeAlias = (
    StartRecord | PromptRecord | MachineRecord | CaptureRecord | CloseRecord | NearRecord | AsideRecord | FiledRecord
    | MilestoneRecord | IntentRecord | EditRecord | CommandRecord | LessonRecord | TodosRecord | SaidRecord
    | PlanRecord | CommitRecord | BudgetRecord | RecalledRecord | CompactRecord | DraftRecord | WrapUpRecord
    | UnwrappedRecord | KeptRecord | ContinuedRecord | DeliveredRecord | ReflexRecord | EndRecord
    | PlainRecord
)  # fmt: skip
