"""`belay task`: the task at work in the Task History of .orchestre/CLAUDE.md, before it begins and after it ends."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypedDict

import click

from belay.cli import output
from belay.cli.output import Result, here
from belay.core import clock
from belay.core.errors import BadInput, BelayError
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.memory.claude_files import task_history
from belay.memory.claude_files.task_history import FILE, STATES, Task
from belay.repository import excludes

if TYPE_CHECKING:
    from collections.abc import Callable

    from belay.core.paths import Project

COMMAND = "task"
INPUT_BYTES = 8192


class TaskRow(TypedDict):
    """A task of the history."""

    file: str
    line: int
    state: str
    text: str
    date: str
    reason: str
    own: bool


@click.group(COMMAND, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Keep the task at work in .orchestre/CLAUDE.md. Only where that file exists, or with --create."""


@output.command(
    "begin",
    examples="""
    belay task begin 'Refund partial payments'
    belay task begin --create < task.txt
    """,
)
@click.argument("words", metavar="[TASK]", default="")
@click.option("--create", is_flag=True, help=f"Make {FILE} where there is none.")
def begin(words: str, create: bool) -> Result:
    """Note a task as at work. The words come from the command line or from stdin."""
    words = words or _read_stdin("begin")
    return _change(lambda text: task_history.begin_task(text, words, clock.local_date()), create)


@output.command("done", examples="belay task done\nbelay task done 'refund'")
@click.argument("which", metavar="[TASK]", default="")
def done(which: str) -> Result:
    """Note that the task at work is done, or the one of these words."""
    return _change(lambda text: task_history.end_task(text, which, task_history.DONE, clock.local_date()))


@output.command(
    "wait",
    examples="""
    belay task wait 'the key for the sandbox is missing'
    belay task wait 'waits for a review' --task 'refund'
    """,
)
@click.argument("reason", default="")
@click.option("--task", "which", default="", metavar="TASK", help="The task of these words, not the one at work.")
def wait(reason: str, which: str) -> Result:
    """Note that the task at work waits, and for what."""
    reason = reason or _read_stdin("wait")
    date = clock.local_date()
    return _change(lambda text: task_history.end_task(text, which, task_history.WAITING, date, reason))


@output.command("list", examples="belay task list --json")
def list_() -> Result:
    """List the tasks of the history, also those that Belay did not write."""
    text = memory_files.read_text(here().at(*FILE.split("/")))
    rows = [_make_row(task) for task in task_history.list_tasks(text)]
    lines = [f"{FILE}:{row['line']} {row['state']}: {_describe(row)}" for row in rows]
    return Result({"tasks": rows}, "\n".join(lines) or f"{FILE} lists no task.")


@output.command("undo", examples="belay task undo")
def undo() -> Result:
    """Put the file back as it was before the last change by this command."""
    project = here()
    with memory_files.lock_memory(project):
        restored = memory_undo.undo_last_change(project, os.environ, COMMAND)
    return Result({"restored": restored}, f"As before: {', '.join(restored)}")


for _command in (begin, done, wait, list_, undo):
    command.add_command(_command)


def _read_stdin(verb: str) -> str:
    if sys.stdin.isatty():
        raise BadInput(f"task {verb}", "needs a text", f"belay task {verb} 'TEXT'")
    return sys.stdin.buffer.read(INPUT_BYTES).decode("utf-8", "replace")


def _change(edit: Callable[[str], tuple[str, Task]], create: bool = False) -> Result:
    """Change the file under the lock, with a record for the undo; the answer is the task as it is now."""
    project = here()
    path = project.at(*FILE.split("/"))
    if not os.path.lexists(path) and not create:
        raise BadInput(FILE, "does not exist, so no task is noted", "--create makes it, if the user wants it")
    with memory_files.lock_memory(project):
        task = _save(project, path, edit)
    row = _make_row(task)
    return Result({"task": row}, f"{FILE}:{row['line']} {task.sign} {_describe(row)}. Undo: belay task undo")


def _save(project: Project, path: str, edit: Callable[[str], tuple[str, Task]]) -> Task:
    why = memory_files.explain_refusal(project, path)
    if why:
        raise BelayError(FILE, why, "mend that first")
    old = memory_files.read_text(path) or task_history.HEAD
    problem = memory_files.explain_problem(old)
    if problem:
        raise BelayError(FILE, problem, "mend that first")
    new, task = edit(old)
    excludes.write_excludes(project, os.environ)
    record = memory_undo.begin_record(project, os.environ, COMMAND, [path])
    saved = memory_files.change_file(project, os.environ, path, lambda _: new)
    memory_undo.finish_record(project, os.environ, record, changed=True)
    if saved.why:
        raise BelayError(FILE, saved.why)
    return task


def _make_row(task: Task) -> TaskRow:
    return {
        "file": FILE, "line": task.line, "state": STATES[task.sign], "text": task.text, "date": task.date,
        "reason": task.reason, "own": task.is_own,
    }  # fmt: skip


def _describe(row: TaskRow) -> str:
    parts = [row["text"], f"({row['date']})" if row["date"] else "", f"— {row['reason']}" if row["reason"] else ""]
    return " ".join(filter(None, parts))
