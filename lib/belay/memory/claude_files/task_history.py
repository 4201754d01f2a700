"""The Task History of `.orchestre/CLAUDE.md` (seed 000): what is at work, done or waiting, in a block of Belay's own.

Tasks that somebody wrote outside of the block are read, and never changed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.core.errors import BadInput
from belay.core.plain_text import key
from belay.memory.claude_files import marked_block
from belay.memory.document import page
from belay.memory.document.page import strip_line_end
from belay.repository.survey import quotes

FILE = ".orchestre/CLAUDE.md"
SECTION = "Task History"
NAME = "tasks"
RUNNING, DONE, WAITING = "🔄", "✅", "⏳"
STATES = {RUNNING: "running", DONE: "done", WAITING: "waiting"}
TASK_CHARS, REASON_CHARS = 200, 160
HEAD = "# Orchestration Memory\n\n## Task History\n"
_ITEM = re.compile(rf"\s*(?:[-*+]|\d+[.)])\s+({RUNNING}|{DONE}|{WAITING})\ufe0f?\s*(.+)")
_OWN = re.compile(r"(.*?) \((\d{4}-\d\d-\d\d)\)(?:: (.*))?")


class Task(NamedTuple):
    """A task of the history: its line (1-based), sign, words, day of the sign, what it waits for, whether Belay's."""

    line: int
    sign: str
    text: str
    date: str
    reason: str
    is_own: bool


def list_tasks(text: str) -> list[Task]:
    """Return the tasks of a file in their order. Raises BadInput where the block's marks do not match."""
    found = page.parse(text)
    block = marked_block.find_block(text, NAME)
    own = range(block.begin + 1, block.end) if block else range(0)
    lines = {line for section in found.titled(SECTION) for line in range(section.body, section.end)} | set(own)
    code = {line for row in found.records if row.kind == "code" for line in range(row.start, row.end)}
    rows = ((at, _ITEM.fullmatch(strip_line_end(found.lines[at]))) for at in sorted(lines - code))
    return [_make_task(at, match[1], match[2].strip(), at in own) for at, match in rows if match]


def _make_task(at: int, sign: str, words: str, is_own: bool) -> Task:
    match = _OWN.fullmatch(words) if is_own else None
    parts = (match[1], match[2], match[3] or "") if match else (words, "", "")
    return Task(at + 1, sign, *parts, is_own)


def begin_task(text: str, words: str, date: str) -> tuple[str, Task]:
    """Return the text with a task at work, one that waited or was done taken up again; and the task.

    Raises BadInput for an empty task and for one that somebody listed outside of the block.
    """
    words = _clean(words, TASK_CHARS)
    same = [task for task in list_tasks(text) if key(task.text) == key(words)]
    foreign = next((task for task in same if not task.is_own), None)
    if foreign:
        what = f"lists this task already, as {foreign.sign}, outside of Belay's block"
        raise BadInput(f"{FILE}:{foreign.line}", what, "it stays as it is; change its sign by hand")
    changed = _change_row(text, same[0], RUNNING, date, "") if same else _add_row(text, f"- {RUNNING} {words} ({date})")
    return changed, next(task for task in list_tasks(changed) if task.is_own and key(task.text) == key(words))


def end_task(text: str, which: str, sign: str, date: str, reason: str = "") -> tuple[str, Task]:
    """Return the text with a task done or waiting, and the task; `which` is its words, "" for the only one at work."""
    task = find_task(text, which)
    changed = _change_row(text, task, sign, date, _clean(reason, REASON_CHARS) if sign == WAITING else "")
    return changed, list_tasks(changed)[[row.line for row in list_tasks(text)].index(task.line)]


def find_task(text: str, which: str) -> Task:
    """Return the task of Belay's that is meant; BadInput where there is none, or several."""
    own = [task for task in list_tasks(text) if task.is_own]
    running = [task for task in own if task.sign == RUNNING]
    wanted = key(which)
    exact = [task for task in own if wanted and key(task.text) == wanted]
    found = exact or [task for task in own if wanted in key(task.text)] if wanted else running
    if len(found) == 1:
        return found[0]
    what = "holds no such task of Belay's" if not found else f"holds {len(found)} of them"
    raise BadInput(FILE, what if which else f"{what} at work", "belay task list, then name one by its words")


def _clean(words: str, most: int) -> str:
    clean = quotes.line(words.strip().lstrip(RUNNING + DONE + WAITING + "\ufe0f "), most)
    if not key(clean):
        raise BadInput("the task", "says nothing", "write it in a few words")
    return clean


def _add_row(text: str, row: str) -> str:
    block = marked_block.find_block(text, NAME)
    if block:
        return marked_block.replace_block(text, NAME, [*block.body, row])
    sections = page.parse(text).titled(SECTION)
    if not sections:
        return marked_block.insert_block(text, NAME, [f"## {SECTION}", "", row])
    return marked_block.insert_block(text, NAME, [row], _find_end(text, sections[0].body))


def _find_end(text: str, body: int) -> int:
    """Return the line behind the last one with words of a section, its sub-sections left out."""
    found = page.parse(text)
    end = next((section.start for section in found.sections if section.start >= body), len(found.lines))
    while end > body and not strip_line_end(found.lines[end - 1]).strip():
        end -= 1
    return end


def _change_row(text: str, task: Task, sign: str, date: str, reason: str) -> str:
    block = marked_block.find_block(text, NAME)
    body = list(block.body) if block else []
    row = f"- {sign} {task.text} ({date})" + (f": {reason}" if reason else "")
    body[task.line - 2 - (block.begin if block else 0)] = row
    return marked_block.replace_block(text, NAME, body)
