"""The types of a session's state: what the records of its journal fold to.

Only type checkers load this module.
"""

from __future__ import annotations

from typing import TypedDict

from typing_extensions import NotRequired

from belay.client.tool_results import TodoItem


class Capture(TypedDict):
    """An open capture; `filed` names the memory file that has it already."""

    id: str
    classes: dict[str, float]
    text: str
    origin: str
    time: str
    branch: str
    file: str | None
    filed: NotRequired[str]


class Edit(TypedDict):
    """The edits of one file: how many, the last line (0: unknown) and the last time."""

    line: int
    count: int
    time: str


class EditedFile(TypedDict):
    """One edit of a file, and its line (0: unknown)."""

    path: str
    line: int


class Cursor(TypedDict):
    """The tool call that runs; what does not apply is empty or 0."""

    tool: str
    file: str
    line: int
    command: str
    time: str


class Target(TypedDict, total=False):
    """What a tool call is about: file and line (0: unknown), or the first line of a command."""

    file: str
    line: int
    command: str


class Caller(TypedDict, total=False):
    """The ids of tool use, prompt and subagent; what the sentinel told with the call, and whether it refused it."""

    use: str
    prompt_id: str
    agent: str
    told: list[str]
    refused: bool


class Outcome(TypedDict):
    """How a command ended; `check` says how its checks did: passed, failed, unclear, doubtful, or ""."""

    command: str
    ok: bool
    output: str
    time: str
    check: str


class Failure(Outcome):
    """A check that failed, the files that were edited before, the file with its output (`session/evidence`)."""

    files: list[str]
    evidence: NotRequired[str]


class AskedFor(TypedDict):
    """The last prompt: its kind (`kinds.REQUESTS`), its words, its time."""

    kind: str
    text: str
    time: str


class Answer(TypedDict):
    """What Claude's last answer says about the work (`session/answer.py`).

    A closing line: `kind` (next, waiting, done) and `declared`, both "" without one. Else a question to the user, next
    steps, the step that Claude announced; and the labelled options that it lists (label, text).
    """

    declared: str
    kind: str
    question: str
    steps: list[str]
    announced: str
    options: list[list[str]]


class Plan(TypedDict):
    """A plan that Claude put up for approval; `status` is proposed, approved or rejected."""

    title: str
    status: str
    time: str


class CommitMade(TypedDict):
    """A commit of the session; what the command's output did not show is ""."""

    sha: str
    subject: str
    time: str


class Inherited(TypedDict):
    """Open work of an earlier session that this one took up with its continuation."""

    task: str
    path: str
    request: AskedFor | None
    answered: bool
    answer: Answer | None
    plan: Plan | None
    todos: list[TodoItem]
    next: str
    status: str


class Turn(TypedDict):
    """What a prompt replaced in the state; it comes back where the prompt asked only Belay for something."""

    task: str
    request: AskedFor | None
    answered: bool
    answer: Answer | None
    plan: Plan | None


class Finding(TypedDict):
    """A sentence of Claude's answer that states what it found out, and how surely (`session/work/findings.py`)."""

    text: str
    score: float


class Lesson(TypedDict):
    """A check that failed and passed after edits of some files."""

    failed: str
    files: list[str]
    passed: str


class Preflight(TypedDict):
    """What was stated before a piece of work that is not closed yet; `confidence` from 0 to 1, None where not stated.

    `unknowns` are those that are still open; `time` is that of the preflight, or of the last check.
    """

    goal: str
    unknowns: list[str]
    confidence: float | None
    time: str


class BeforeWrapUp(TypedDict):
    """What a wrap-up changes in a session's state, as it was before."""

    captures: dict[str, Capture]
    wrapped: str
    task: str
    status: str
    next: str
    todos: list[TodoItem]


class State(TypedDict):
    """What a session's journal folds to (`session.state`); "" or 0 is unknown or never; times are journal times."""

    session: str
    """The session's id."""
    mark: str
    """The mark of its user's records."""
    branch: str
    """The branch at the last prompt."""
    head: str
    """The commit at the last prompt."""
    root: str
    """The root of its work tree."""
    folder: str
    """The folder it was started in, a path from the root."""
    client: str
    """The client's process, by which its death is seen."""
    task: str
    """What is worked on: the last plan, slash command or prompt that asked for work."""
    task_path: str
    """The file of the plan that was handed over."""
    previous: Turn | None
    """What the last prompt replaced."""
    request: AskedFor | None
    """The last prompt."""
    answered: bool
    """Whether Claude's turn on it ended."""
    answer: Answer | None
    """What the last answer says about the work."""
    plan: Plan | None
    """The last plan that was put up for approval."""
    commits: list[CommitMade]
    """The last commits, the newest last."""
    prompts: int
    """How many prompts were typed."""
    captures: dict[str, Capture]
    """Open captures by id."""
    near: list[str]
    """Sentences that just missed being captured."""
    edits: dict[str, Edit]
    """Edits by path, the last one last."""
    cursor: Cursor | None
    """The tool call that runs."""
    todos: list[TodoItem]
    """Claude's todo list."""
    failing: Failure | None
    """The last command that failed and has not passed since."""
    tried: list[Outcome]
    """The last commands."""
    lessons: list[Lesson]
    """Checks that failed and passed after edits."""
    said: str
    """The end of Claude's last answer."""
    said_at: str
    """When it ended."""
    planned: str
    """When the todo list was changed last."""
    announced: list[int]
    """Thresholds of context use that were announced since the last compaction."""
    next: str
    """The next step by the last wrap-up, until it is done."""
    status: str
    """The status by the last wrap-up, until work goes on."""
    started: str
    """When it started."""
    ended: str
    """Why it ended; "" while it runs."""
    last: str
    """The time of its last record."""
    active: str
    """The time of its last sign of life."""
    wrapped: str
    """When it was wrapped up."""
    folded: str
    """When it was written into its day's log."""
    kept: str
    """The sign of life up to which the memory file was updated without a wrap-up."""
    dirty: bool
    """Whether there is work that no continuation has."""
    drafted: bool
    """Whether a wrap-up was begun and not finished."""
    asked: int
    """How often Claude was asked to end its answer with a closing line."""
    milestones: list[str]
    """Names of the milestones that were announced."""
    recalled: list[str]
    """Memory rows and entries that were recalled since the last compaction."""
    recalled_files: list[str]
    """Files of which lines were recalled since the last compaction, before they were read or edited."""
    preflight: Preflight | None
    """The preflight that is open."""
    told: dict[str, str]
    """Open corrections that the sentinel told, and in which prompt it did last."""
    place: list[int]
    """Up to where the journal was read, in bytes by segment."""
    form: int
    """`state.FORM` of the version that saved it."""
