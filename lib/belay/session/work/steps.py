"""The one truth about work: task, status and next step of a session, read off its state.

Every surface prints what stands here: continuation, working buffer, memory files, greeting, handoff, wrap-up. What a
person wrote or said outranks what Claude said, and that outranks what is guessed; where nothing is known, nothing is
said. Pure, on the standard library alone.
"""

from __future__ import annotations

from belay.core import kinds
from belay.core.plain_text import cut, one_line, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.state_types import Answer, AskedFor, Cursor, State

OPEN, WAITING, DONE = "open", "waiting", "done"
QUOTE_CHARS = 320
STEPS = 3
OPTIONS, OPTION_CHARS = 4, 80
_TO_USER = (" now ", " ready ", " please ")
COVERED = 0.75
"""Share of a step's telling words that a commit or a request names where it carried the step out."""
_TELLING = 2
_STEM = 4
_ENDINGS = ("s", "es", "d", "ed", "ing")
_WEAK = frozenset(
    "a an and are as at be by for from in into is it its of on or our so that the their then this to up via was we "
    "with "
    "next step go now i ll will then please can you add make do".split()
)


class Work:
    """What is worked on, and what comes next.

    `status` is open, waiting (for the user), done, or "" where nothing was asked for; `steps` are sentences, the first
    one first, [] where nothing is known to be left; `source` says where the first comes from; `question` is what the
    user was asked; `commit` is the subject of the last commit.
    """

    __slots__ = ("commit", "path", "question", "source", "status", "steps", "task")

    def __init__(self, task: str, path: str, status: str, steps: list[str], source: str) -> None:
        self.task, self.path, self.status, self.steps, self.source = task, path, status, steps, source
        self.question = self.commit = ""

    @property
    def next(self) -> str:
        """The next step, "" where nothing is known to be left."""
        return self.steps[0] if self.steps else ""


def find_work(state: State) -> Work:
    """Return task, status and next step of a session."""
    status, steps, source = _find_steps(state)
    work = Work(state["task"], state["task_path"], status, steps[:STEPS], source)
    work.question = state["answer"]["question"] if status == WAITING and state["answer"] else ""
    work.commit = state["commits"][-1]["subject"] if state["commits"] else ""
    return work


def describe_status(state: State) -> str:
    """Return the status of a session's work in a few words, "" where nothing was asked for."""
    work = find_work(state)
    if state["status"] and not is_unfinished(state):
        return state["status"]
    if work.status == WAITING:
        return "waiting for the user's answer"
    if work.status == DONE:
        return f"done, committed as “{one_line(work.commit, 80)}”" if work.commit else "done"
    failing = state["failing"]
    if failing and not is_unfinished(state):
        return f"`{one_line(failing['command'], 80)}` fails"
    return "in progress" if work.status == OPEN else ""


def is_unfinished(state: State) -> bool:
    """Whether Claude's turn on the last prompt never ended: the session was killed or interrupted in it."""
    request = state["request"]
    if request is None or state["answered"] or request["kind"] == kinds.THANKS:
        return False
    settles = request["kind"] == kinds.CHORE and any(row["time"] >= request["time"] for row in state["commits"])
    return not settles


def _find_steps(state: State) -> tuple[str, list[str], str]:
    """Return (status, steps, source) by the best source that says anything."""
    planned = [] if _is_next_done(state) else [state["next"]]
    plan, answer = state["plan"], state["answer"]
    if plan and plan["status"] != "approved" and not _asked_since(state, plan["time"]):
        return WAITING, [*planned, _describe_plan(state, plan["title"])], "plan"
    if is_unfinished(state):
        return OPEN, [*planned, *_describe_unfinished(state)], "wrap-up" if planned else "prompt"
    if planned:
        return OPEN, planned, "wrap-up"
    if answer and answer["kind"]:
        kind = {"next": OPEN, "waiting": WAITING, "done": DONE}[answer["kind"]]
        return kind, [answer["declared"]] if kind != DONE else [], "answer"
    if answer and answer["question"]:
        return WAITING, [_describe_question(answer), *map(_quote_order, answer["steps"])], "answer"
    return _find_rest(state)


def _find_rest(state: State) -> tuple[str, list[str], str]:
    """Return (status, steps, source) where neither a person nor a question says what comes next."""
    answer, todos, failing = state["answer"], list_open_todos(state), state["failing"]
    if state["cursor"]:
        return OPEN, [_describe_interruption(state, state["cursor"])], "tool call"
    if answer and answer["steps"]:
        return OPEN, list(map(_quote_order, answer["steps"])), "answer"
    if todos:
        return OPEN, [f"Go on with: {one_line(todo, QUOTE_CHARS)}" for todo in todos], "todo list"
    if failing:
        return OPEN, [f"Make `{one_line(failing['command'], QUOTE_CHARS)}` pass."], "check"
    if answer and answer["announced"]:
        return OPEN, [f"Claude announced: “{answer['announced']}”"], "answer"
    return (DONE if state["request"] or state["task"] else ""), [], ""


def _describe_question(answer: Answer) -> str:
    """Return what Claude asked the user, with the options that the question is about."""
    asked = f"Claude asked the user: “{answer['question']}”"
    names = any(f" {word}" in f" {answer['question'].lower()}" for word in ("option", "which", "prefer", "choose"))
    options = [f"{label}) {cut(text, OPTION_CHARS)}" for label, text in answer.get("options") or []]
    return f"{asked} Options: {'; '.join(options[:OPTIONS])}" if names and options else asked


def _quote_order(step: str) -> str:
    """Return a step as it is, or as Claude's words where it speaks to the user: "Now retry your push"."""
    low = f" {step.lower()} "
    is_order = any(f" {word}" in low for word in ("you ", "your ", "you'll ", "you're ")) or low.startswith(_TO_USER)
    return f"Claude told the user: “{step}”" if is_order else step


def list_open_todos(state: State) -> list[str]:
    """Return the open items of the todo list, the one in progress first; [] where the list is not of this task."""
    request = state["request"]
    is_stale = request is not None and request["kind"] in kinds.TASKS and state["planned"] < request["time"]
    commits = [row for row in state["commits"] if row["time"] >= state["planned"]]
    if (is_stale and state["planned"]) or (commits and state["answered"]):
        return []
    rows = [row for row in state["todos"] if row["status"] != "completed"]
    rows.sort(key=lambda row: row["status"] != "in_progress")
    subjects = [row["subject"] for row in state["commits"]]
    return [row["text"] for row in rows if not any(is_covered(row["text"], subject) for subject in subjects)]


def _describe_plan(state: State, title: str) -> str:
    """Return what became of a plan that was put up: without words, a rejection says nothing about it."""
    files = [path for path in state["edits"] if "/plans/" in path and path.endswith(".md")]
    where = f" ({files[-1]})" if files else ""
    return f"The plan “{title}”{where} was put up and not carried out yet: ask the user whether to implement it."


def _describe_interruption(state: State, cursor: Cursor) -> str:
    """Return what to do where the session ended in a tool call that no prompt asked for, in a turn of its own."""
    what = one_line(cursor["file"] or cursor["command"], QUOTE_CHARS)
    check = f"Check whether the interrupted {one_line(cursor['tool'], 60)} took effect" + (f": {what}" if what else "")
    return f"{check}; then go on with: {state['task']}" if state["task"] else check + "."


def _describe_unfinished(state: State) -> list[str]:
    """Return what is left of a request in whose middle the session ended."""
    request = state["request"]
    if request is None:
        return []
    todos = [f"In progress then: {one_line(todo, QUOTE_CHARS)}" for todo in list_open_todos(state)[:1]]
    return list(filter(None, [_describe_request(state, request), *todos]))


def _describe_request(state: State, request: AskedFor) -> str:
    said, kind, answer = cut(one_line(request["text"]), QUOTE_CHARS), request["kind"], state["answer"]
    before = (answer["declared"] or next(iter(answer["steps"]), "") or answer["announced"]) if answer else ""
    if kind == kinds.GO_ON or not said:
        return before or (f"Go on with: {state['task']}" if state["task"] else "")
    if kind == kinds.ANSWER and answer and answer["question"]:
        return f"Carry out the user's answer “{said}” to: “{answer['question']}”"
    if kind == kinds.OBJECTION:
        return f"Go on as the user corrected: “{said}”" + (f"; before, Claude said: “{before}”" if before else "")
    if kind == kinds.QUESTION:
        return f"Answer the user's question: “{said}”"
    if kind == kinds.PASTE:
        return f"Look at the output that the user pasted: “{said}”"
    if kind == kinds.PLAN:
        return f"Implement the plan “{state['task']}”" + (f" ({state['task_path']})" if state["task_path"] else "")
    return f"Finish the last request: “{said}”"


def _asked_since(state: State, time: str) -> bool:
    return state["request"] is not None and state["request"]["time"] > time


def _is_next_done(state: State) -> bool:
    """Whether the last wrap-up's next step was carried out since, or there is none."""
    step, wrapped = state["next"], state["wrapped"]
    if not step:
        return True
    done = [row["text"] for row in state["todos"] if row["status"] == "completed"]
    done += [row["subject"] for row in state["commits"] if row["time"] > wrapped]
    request = state["request"]
    if request and request["kind"] in kinds.TASKS and request["time"] > wrapped and state["answered"]:
        done.append(request["text"])
    return any(is_covered(step, text) for text in done)


def is_covered(step: str, text: str) -> bool:
    """Whether a text, such as a commit's subject, names most of the telling words of a step."""
    wanted, said = _tell(step), _tell(text)
    hits = sum(any(_is_same_word(word, other) for other in said) for word in wanted)
    return hits >= _TELLING and hits >= COVERED * len(wanted)


def _tell(text: str) -> list[str]:
    return [word for word in dict.fromkeys(words(text[:600]).split()) if word not in _WEAK]


def _is_same_word(word: str, other: str) -> bool:
    """Whether two words have the same stem: "read" and "reads"; of five letters and more the last may differ."""
    short, long = sorted((word, other), key=len)
    size = len(short)
    if size >= _STEM and long.startswith(short) and long[size:] in _ENDINGS:
        return True
    return word == other or (size >= 5 and word[: size - 1] == other[: size - 1])
