"""The working buffer: the journal's open captures and the current task, in a file that people edit too.

Each session has one block between two marker lines. Inside it Belay's own lines are those it wrote last, known by
their crc; every other line is a person's and stays byte for byte, behind the line it was behind.
"""

from __future__ import annotations

import zlib

from belay.core import files, json_codec, kinds
from belay.core.clock import local_time
from belay.core.constants import BUFFER_LINES
from belay.core.files import explain_refusal
from belay.core.plain_text import one_line, split_rows
from belay.session.work.steps import describe_status, find_work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from belay.session.state_types import Capture, State

BEGIN = "<!-- belay session "
END = "<!-- /belay -->"
TITLE = "# Working buffer\n\n"
BRANCH_CHARS = 80


def render(state: State, room: int = BUFFER_LINES) -> list[str]:
    """Return one session's own lines, without line ends, at most `room`; the oldest captures are left out first."""
    lines = _status_lines(state)
    captures = sorted(state["captures"].values(), key=lambda capture: str(capture["time"]))
    classes = {capture["id"]: main_class(capture) for capture in captures}
    for kind in (*kinds.CAPTURE_CLASSES, *sorted(set(classes.values()) - kinds.CAPTURES.keys())):
        rows = [capture_line(capture) for capture in captures if classes[capture["id"]] == kind]
        if rows:
            lines += [f"### {one_line(kinds.buffer_section(kind), BRANCH_CHARS)}", *rows]
    if len(lines) == 1:
        return []  # a session that has said nothing yet
    return lines if len(lines) <= room else _render_newest(state, captures, room)


def _render_newest(state: State, captures: list[Capture], room: int) -> list[str]:
    newest = {capture["id"]: capture for capture in captures[-max(1, room - len(kinds.CAPTURES) - 5) :]}
    if len(newest) == len(captures):
        return render(state, BUFFER_LINES * 2)[:room]
    return render({**state, "captures": newest}, room)


def _status_lines(state: State) -> list[str]:
    branch = one_line(state["branch"] or "no branch", BRANCH_CHARS)
    lines = [f"## Session {state['session'][:8]} ({branch})"]
    work = find_work(state)
    for label, value in (("Current task", work.task), ("Status", describe_status(state)), ("Next step", work.next)):
        if value:
            lines.append(f"- **{label}:** {one_line(value)}")
    return lines


def main_class(capture: Mapping[str, Any]) -> str:
    """Return the most confident class of a capture; one that only a newer Belay knows where it has no other."""
    classes = capture["classes"] or {kinds.NOTE: 1.0}
    names = [name for name in kinds.CAPTURE_CLASSES if name in classes] or sorted(classes)
    return max(names, key=lambda name: float(classes[name]))


def capture_line(capture: Capture) -> str:
    """Return a capture as one line: local time, id, branch, sentence."""
    branch = one_line(capture["branch"] or "-", BRANCH_CHARS)
    return f"- {local_time(str(capture['time']))} `{capture['id']}` [{branch}] {one_line(capture['text'] or '')}"


def merge(text: str, session: str, lines: list[str], own: set[int], title: str = TITLE) -> tuple[str, set[int]]:
    """Return the buffer's text with a session's block brought up to date, and the crcs of Belay's own lines in it.

    `lines` are the new own lines ([] removes the block as far as it is Belay's); `own` the crcs of the last ones.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    before, block, after = _split(text, session)
    body = _weave(block, lines, own, newline)
    marks = {line_crc(line) for line in lines}
    if not lines:
        return before + body + after, marks
    if not block:
        before = (before or title.replace("\n", newline)) + _gap(before, newline)
    return f"{before}{BEGIN}{session} -->{newline}{body}{END}{newline}{after}", marks


def _gap(before: str, newline: str) -> str:
    if not before or before.endswith(newline * 2):
        return ""
    return newline if before.endswith("\n") else newline * 2


def _split(text: str, session: str) -> tuple[str, list[str], str]:
    """Return the text before a session's block, the lines between its markers (with a leading ""), and the rest."""
    rows = split_rows(text)
    start = next((i for i, row in enumerate(rows) if row.strip() == f"{BEGIN}{session} -->"), -1)
    if start < 0:
        return text, [], ""
    end = next((i for i in range(start + 1, len(rows)) if rows[i].strip() == END or rows[i].startswith(BEGIN)), -1)
    closed = end >= 0 and rows[end].strip() == END
    stop = end if end >= 0 else len(rows)
    return "".join(rows[:start]), ["", *rows[start + 1 : stop]], "".join(rows[stop + closed :])


def _weave(block: list[str], lines: list[str], own: set[int], newline: str) -> str:
    """Return new own lines, with the foreign lines of the old block behind the own line they were behind."""
    keys = [_key(line) for line in lines]
    foreign = _foreign_lines(block[1:], own, keys)
    taken = {_key(row.strip()) for rows in foreign.values() for row in rows if _is_entry(row)}
    out = "".join(_with_newline(row, newline) for row in foreign.pop("", []))
    for line, key in zip(lines, keys, strict=True):
        if key not in taken:
            out += line + newline
        out += "".join(_with_newline(row, newline) for row in foreign.pop(key, []))
    return out + "".join(_with_newline(row, newline) for rows in foreign.values() for row in rows)


def _foreign_lines(rows: list[str], own: set[int], keys: list[str]) -> dict[str, list[str]]:
    """Return a person's lines by the key of the own line they are behind, the nearest of those that stay."""
    foreign: dict[str, list[str]] = {}
    behind = ""
    for row in rows:
        if line_crc(row.rstrip("\r\n")) in own:
            key = _key(row.rstrip("\r\n"))
            behind = key if key in keys else behind
        else:
            foreign.setdefault(behind, []).append(row)
    return foreign


def _with_newline(row: str, newline: str) -> str:
    return row if row.endswith("\n") else row + newline


def _key(line: str) -> str:
    """Return the key by which an own line is found again after its value changed: its id, its label, or itself."""
    if line.startswith("- **"):
        return line.split(":**", 1)[0]
    if line.startswith("## "):
        return line.split(" (", 1)[0]
    return _id(line) or line


def _id(line: str) -> str:
    """Return the id that a capture's line begins with: only marks, a box and a time may be before it."""
    before, _, rest = line.partition("`C-")
    if any(char.isalpha() and char not in "xX" for char in before) or rest[6:7] != "`":
        return ""
    return "C-" + rest[:6]


def _is_entry(row: str) -> bool:
    """Whether a person's line is one of Belay's that was edited: it counts as theirs, and is not written again."""
    line = row.strip()
    return bool(_id(line)) or (line.startswith("- **") and ":**" in line)


def line_crc(line: str) -> int:
    """Return the crc by which an own line is recognised."""
    return zlib.crc32(line.encode("utf-8", "surrogateescape"))


def lines_by_session(own_path: str, session: str) -> dict[str, int]:
    """Return how many own lines the blocks of the other sessions hold, by session."""
    own = _parse_own_lines(files.read(own_path))
    return {name: len(marks) for name, marks in own.items() if name != session and marks}


def update(path: str, own_path: str, blocks: list[tuple[str, list[str]]], title: str = TITLE) -> bool:
    """Bring the blocks (session, own lines) of the buffer file up to date; the caller holds the lock.

    Returns False, and writes nothing, where the file is not ours to touch (`refusal`); OSError when it cannot.
    """
    if explain_refusal(path):
        return False
    data, own_data = files.load(path), files.load(own_path)
    text = data.decode("utf-8", "surrogateescape")
    own = _parse_own_lines(own_data)
    present = {line_crc(row.rstrip("\r\n")) for row in split_rows(text)}
    for session, lines in blocks:
        old = own.get(session, set())
        text, marks = merge(text, session, lines, old, title)
        own[session] = marks | (old & present)
    new = text.encode("utf-8", "replace")
    new_own = json_codec.encode({name: sorted(marks) for name, marks in own.items() if marks})
    # Before the buffer: after a kill in between, the old lines and the new ones are both known as ours.
    if new_own != own_data:
        files.write(own_path, new_own, sync=False)
    if new != data:
        files.write(path, new, sync=False)
    return True


def _parse_own_lines(data: bytes) -> dict[str, set[int]]:
    try:
        saved = json_codec.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return {}
    rows = saved.items() if isinstance(saved, dict) else ()
    return {name: {mark for mark in marks if isinstance(mark, int)} for name, marks in rows if isinstance(marks, list)}
