"""A conversation as turns, as lines for people, and as sections for the index. Records in, texts out."""

from __future__ import annotations

from belay.core import clock, plain_text
from belay.core.tuples import NamedTuple
from belay.knowledge.conversations import archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from belay.knowledge.conversations.archive import Record
    from belay.knowledge.store.tables.document_rows import Part

USER, CLAUDE = "User: ", "Claude: "
SHORT, JOINED, MOST = 400, 1200, 2400
"""Characters: a turn below SHORT joins the section before it up to JOINED; one above MOST is cut at its headings."""
TITLE_CHARS, FILES_SHOWN = 100, 6
TELLING = 4
"""Words from which on a prompt says what its turn is about; "yes, do that" leaves the title to the prompt before."""


class Turn(NamedTuple):
    """A prompt with what Claude answered: UTC time, branch, HEAD when it ended, the files that were edited."""

    time: str
    branch: str
    commit: str
    files: tuple[str, ...]
    prompt: str
    answer: str


class Conversation(NamedTuple):
    """A session: its turns, its title, the folder it began in, the first and the last time."""

    turns: list[Turn]
    title: str
    folder: str
    started: str
    active: str


def read_conversation(records: Sequence[Record]) -> Conversation:
    """Return the conversation that records hold."""
    titles = [text for record in records if record.get("kind") == archive.TITLE and (text := record.get("text", ""))]
    turns = [_make_turn(group) for group in _group(records)]
    times = [time for record in records if (time := record.get("time", ""))]
    folder = next((folder for record in records if (folder := record.get("folder", ""))), "")
    title = (make_line(titles[-1]) if titles else "") or _find_title(turns)
    return Conversation(turns, title, folder, times[0] if times else "", max(times, default=""))


def _group(records: Iterable[Record]) -> list[list[Record]]:
    """Return the records of each turn: a prompt that follows an answer begins one."""
    groups: list[list[Record]] = []
    answered = True
    for record in records:
        kind = record.get("kind")
        if kind == archive.TITLE:
            continue
        if not groups or (kind == archive.PROMPT and answered):
            groups.append([])
        groups[-1].append(record)
        answered = kind != archive.PROMPT
    return groups


def _make_turn(records: list[Record]) -> Turn:
    def join(kind: str) -> str:
        return "\n\n".join(record.get("text", "") for record in records if record.get("kind") == kind)

    edited = dict.fromkeys(record.get("text", "") for record in records if record.get("kind") == archive.EDITED)
    branches = [branch for record in records if (branch := record.get("branch", ""))]
    commits = [commit for record in records if (commit := record.get("commit", ""))]
    return Turn(
        records[0].get("time", ""), branches[-1] if branches else "", commits[-1] if commits else "",
        tuple(edited), join(archive.PROMPT), join(archive.ANSWER),
    )  # fmt: skip


def _find_title(turns: Sequence[Turn]) -> str:
    """Return what a session is about: its first prompt that says so."""
    telling = [turn.prompt for turn in turns if len(turn.prompt.split()) >= TELLING]
    first = next((turn.prompt for turn in turns if turn.prompt), "")
    return make_line(telling[0] if telling else first)


def make_line(text: str, most: int = TITLE_CHARS) -> str:
    """Return the first line of a text that has any, cut at a word."""
    line = next((line for line in text.split("\n") if line.strip()), "")
    return plain_text.cut(plain_text.printable(line), most)


def render_turn(turn: Turn) -> list[str]:
    """Return a turn as lines; the last one is blank."""
    lines = [f"[{format_place(turn)}]"]
    lines += (USER + turn.prompt).split("\n") if turn.prompt else []
    lines += [""] if turn.prompt and turn.answer else []
    return [*lines, *((CLAUDE + turn.answer).split("\n") if turn.answer else []), ""]


def format_place(turn: Turn, files: int = FILES_SHOWN) -> str:
    """Return when and where a turn was, on one line: local time, branch, commit, edited files."""
    when = f"{clock.local_date(turn.time)} {clock.local_time(turn.time)}" if turn.time else "time unknown"
    shown = [plain_text.shown(path) for path in turn.files[:files]]
    more = [f"{len(turn.files) - files} more"] if len(turn.files) > files else []
    parts = [when, plain_text.shown(turn.branch, 60), turn.commit[:9], ", ".join([*shown, *more])]
    return " · ".join(part for part in parts if part)


def render(conversation: Conversation) -> list[str]:
    """Return all lines of a conversation; sections count in them, from 1."""
    return [line for turn in conversation.turns for line in render_turn(turn)]


def find_lines(conversation: Conversation, start: int, end: int) -> tuple[Turn | None, list[str]]:
    """Return the turn that a line belongs to, and the lines from there to another; only what is needed is rendered."""
    first, begun, lines = 1, None, []
    for turn in conversation.turns:
        last = first + _count_lines(turn) - 1
        if first <= end and start <= last:
            begun = begun or turn
            lines += render_turn(turn)[max(0, start - first) : end - first + 1]
        first = last + 1
    return begun, lines


def _count_lines(turn: Turn) -> int:
    """Return how many lines a turn is rendered in."""
    texts = [text for text in (turn.prompt, turn.answer) if text]
    return 1 + len(texts) + sum(text.count("\n") + 1 for text in texts) if texts else 2


def cut_sections(conversation: Conversation) -> list[tuple[Part, Turn]]:
    """Return a conversation's sections in order: (first line, last line, title, text), and the turn it begins with.

    The line that says when and where a turn was is in none of them; the files that were edited are in the titles.
    """
    parts: list[tuple[Part, Turn]] = []
    first, about = 2, ""
    for turn in conversation.turns:
        lines = render_turn(turn)
        about = make_line(turn.prompt) if len(turn.prompt.split()) >= TELLING or not about else about
        title = about if about.startswith(conversation.title) else f"{conversation.title} › {about}".rstrip("› ")
        title = "  ".join([title, *map(plain_text.shown, turn.files[:FILES_SHOWN])]).strip()
        for part in _cut_turn(lines[1:], first, title):
            _add(parts, part, turn)
        first += len(lines)
    return parts


def _cut_turn(lines: Sequence[str], first: int, title: str) -> list[Part]:
    from belay.knowledge.documents import sections

    text = "\n".join(lines[:-1])
    if not text.strip():
        return []
    if len(text) <= MOST:
        return [(first, first + len(lines) - 1, title, text)]
    cut = sections.split_sections(text)
    return [
        (first + one.start - 1, first + one.end - 1, f"{title} › {one.title}" if one.title else title, one.text)
        for one in cut
        if one.text.strip()
    ]


def _add(parts: list[tuple[Part, Turn]], part: Part, turn: Turn) -> None:
    """Add a section; a short one that follows joins the one before it."""
    start, end, _, text = part
    before = parts[-1][0] if parts else None
    if before and len(text) < SHORT and len(before[3]) + len(text) < JOINED and before[1] == start - 2:
        turn = parts.pop()[1]
        part = (before[0], end, before[2], f"{before[3]}\n\n{text}")
    parts.append((part, turn))
