"""The types of the ledger's records, one class for each kind, and of the fields that an entry may be given.

Only type checkers load this module. Every field may be missing from a record that an older version wrote; what each
record does to the database is in `ledger_steps`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class _Stamp(TypedDict, total=False):
    """What every record has: UTC time, the session's name, and the mark of the user who wrote it."""

    time: str
    session: str
    mark: str


class EntryFields(TypedDict, total=False):
    """What an entry may be given beside its type and content.

    `created` where it is older than its record; `of`: the captures it was made from; `about`: what was
    talked about when it was said, for searches only; `supersedes`: ids of entries that it takes the place of, where
    those hold; `what_happened` of a rule;
    `metadata` of an earlier tool, `batch` and `once`: the take-over that brought it, and the name of its row.
    """

    reasoning: str
    tags: Sequence[str]
    files: Sequence[str]
    branch: str
    commit: str
    session: str
    source: str
    confidence: float
    priority: str
    status: str
    superseded_by: str
    created: str
    seen: int
    of: Sequence[str]
    about: str
    supersedes: Sequence[str]
    what_happened: str
    metadata: Mapping[str, object]
    batch: str
    once: str


class EntryChanges(TypedDict, total=False):
    """Fields of an entry that may change; `how`: words that a closing added to the reason."""

    type: str
    content: str
    reasoning: str
    status: str
    priority: str
    superseded_by: str
    tags: Sequence[str]
    files: Sequence[str]
    how: str


class RecallCounts(TypedDict):
    """How often an entry was recalled, used, helped and harmed, and the tokens that it took."""

    recalled: int
    used: int
    helpful: int
    harmful: int
    tokens: int


class EntryRecord(_Stamp, EntryFields, total=False):
    """A new entry, or one that repeats an earlier one."""

    kind: Literal["entry"]
    id: str
    type: str
    content: str


class RepeatRecord(_Stamp, total=False):
    """An entry was repeated `seen` more times; tags and files are added, a reason only where it has none.

    `of`: the captures that repeat it; `confirms`: an entry that was heard once is confirmed by it.
    """

    kind: Literal["entry-more"]
    id: str
    seen: int
    tags: Sequence[str]
    files: Sequence[str]
    reasoning: str
    of: Sequence[str]
    confirms: bool


class ChangeRecord(_Stamp, total=False):
    """Fields of an entry changed; those of one `batch` changed together, `before` is the state that each had."""

    kind: Literal["entry-set"]
    id: str
    set: EntryChanges
    batch: str
    before: str


class MergedRecord(_Stamp, EntryFields, total=False):
    """An entry as another base's export and this one merged have it, with its times and counters.

    `foreign` where no base of this user had it before. A change later than its `updated` is kept.
    """

    kind: Literal["entry-put"]
    id: str
    type: str
    content: str
    updated: str
    of_session: str
    was: list[str]
    foreign: bool
    recalled: int
    used: int
    helpful: int
    harmful: int
    tokens: int


class CountRecord(_Stamp, total=False):
    """What the recalls of the session `of` came to, by the entries' ids."""

    kind: Literal["entry-count"]
    of: str
    counts: dict[str, RecallCounts]


class RuleRecord(_Stamp, total=False):
    """A rule was followed or broken so many more times in the session `of`."""

    kind: Literal["standard-count"]
    id: str
    of: str
    held: int
    broken: int


class SessionRow(TypedDict):
    """A session's row of the table `sessions`; what is not known is "" or None."""

    id: str
    recorded: str
    started: str
    ended: str
    reason: str
    branch: str
    head_start: str
    head_end: str
    goal: str
    goal_stated: bool
    outcome: str
    outcome_stated: bool
    result: str
    prompts: int
    captures: int
    investigating: int | None
    acting: int | None
    tokens: int | None


class ReflexRow(TypedDict):
    """What was stated, or inferred, of a session's work."""

    phase: str
    time: str
    stated: bool
    goal: str
    confidence: float | None
    outcome: str
    result: str
    unknowns: list[str]
    learned: list[str]


class ArtifactRow(TypedDict):
    """A file that a session edited, or a commit that it made (`about`: its subject)."""

    kind: str
    name: str
    about: str
    edits: int
    time: str


class SnapshotRow(TypedDict):
    """Where a session was at an event."""

    event: str
    time: str
    body: dict[str, Any]


class SessionRecord(_Stamp, total=False):
    """The session `of` as it was at its last event; it takes the place of what was recorded of it before."""

    kind: Literal["session"]
    of: str
    row: SessionRow
    reflexes: list[ReflexRow]
    artifacts: list[ArtifactRow]
    snapshots: list[SnapshotRow]


class UpstreamRecord(_Stamp, total=False):
    """A row of an earlier tool that is no entry (`tables.carried_tables`); its `once` is a hash of what it says."""

    kind: Literal["upstream"]
    tool: str
    table: str
    row: dict[str, Any]
    batch: str
    once: str


class UndoneRecord(_Stamp, total=False):
    """The take-over `batch` was undone."""

    kind: Literal["import-undone"]
    batch: str


class ReviewRecord(_Stamp, total=False):
    """What a person decided about captures: which entry it led to, whether that was new.

    `of`: the time of the review that an undo takes back; `was`: entries that were heard only, as they were before it.
    """

    kind: Literal["review"]
    act: Literal["accept", "merge", "reject", "undo"]
    ids: list[str]
    entry: str
    new: bool
    of: str
    was: dict[str, EntryChanges]


class WaitingSentence(TypedDict, total=False):
    """A sentence that becomes an entry once another session repeats it."""

    session: str
    time: str
    classes: dict[str, float]
    text: str
    branch: str


class ImportedRecord(_Stamp, total=False):
    """What an import read: of a tool (`what`) the `keys`, hashes, of the entries it took.

    Of a transcript its `key`, how many `bytes` of its `size` were read, the time of the last turn, what waits.
    """

    kind: Literal["imported"]
    what: str
    keys: list[str]
    key: str
    bytes: int
    size: int
    until: str
    waiting: list[WaitingSentence]
