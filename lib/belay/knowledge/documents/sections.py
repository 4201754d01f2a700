"""A document cut into sections: by headings, of a bounded size, no fence and no table cut apart. Pure, line by line."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from belay.knowledge.documents import headings

if TYPE_CHECKING:
    from belay.knowledge.documents.headings import Heads

LEAST, MOST, HARD = 800, 2000, 8000
"""Characters: below LEAST a section goes on over the next heading; above MOST it is cut between paragraphs; above
HARD within a fence or table too. Short chapters stay together: a chat of 200 turns is no 200 sections."""
TITLE_CHARS = 300
TRAIL, BESIDE = " › ", " · "


class Section(NamedTuple):
    """Lines `start` to `end` of a file, 1-based and both included; `title` is the trail of headings above them."""

    start: int
    end: int
    title: str
    text: str


def split_sections(text: str, markup: str = "") -> list[Section]:
    """Return the sections of a text in order: together they are all of its lines; [] for a blank one.

    `markup`: how its headings are written (`headings.find_markup`).
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not text.strip():
        return []
    heads, joined, root = headings.scan_headings(lines, markup)
    starts = _find_starts(lines, heads, joined)
    titles = _make_titles(starts, heads, root)
    ends = [*starts[1:], len(lines)]
    return [
        Section(start + 1, end, title, "\n".join(lines[start:end]))
        for start, end, title in zip(starts, ends, titles, strict=True)
    ]


def _find_starts(lines: list[str], heads: Heads, joined: bytearray) -> list[int]:
    """Return the lines at which sections begin, counted from 0."""
    offsets = [0, *accumulate(len(line) + 1 for line in lines)]
    starts, start, chapter, rest, level = [0], 0, 0, 0, heads.get(0, (7, ""))[0]
    for at in range(1, len(lines)):
        size, cut = offsets[at] - offsets[start], 0
        head = heads.get(at)
        if head and size >= (LEAST if head[0] >= level else LEAST // 2):
            cut = at
        elif offsets[at + 1] - offsets[start] > MOST:
            cut = _find_cut(at, chapter, rest, bool(joined[at]) and size < HARD)
        if cut:
            starts.append(cut)
            start, chapter, level = cut, 0, heads.get(cut, (7, ""))[0]
            rest = rest if rest > cut else 0
        if head and at > start and offsets[at] - offsets[start] >= LEAST // 2:
            chapter = at
        if at > start and not joined[at] and (head or not lines[at - 1].strip()):
            rest = at
    if len(starts) > 1 and offsets[-1] - offsets[starts[-1]] < LEAST // 2:
        last = starts.pop()
        if offsets[-1] - offsets[starts[-1]] > MOST + LEAST // 2:
            starts.append(last)
    return starts


def _find_cut(at: int, chapter: int, rest: int, is_joined: bool) -> int:
    """Return where a section that grew too long ends: at a heading, a paragraph, this line; 0 for not yet."""
    return chapter or rest or (0 if is_joined else at)


def _make_titles(starts: list[int], heads: Heads, root: str) -> list[str]:
    """Return the title of each section: the headings above its first line, then those within it."""
    trail: list[tuple[int, str]] = [(0, root)] if root else []
    marks = sorted(heads)
    titles, seen = [], 0
    for start, end in zip(starts, [*starts[1:], max(marks, default=0) + 1], strict=True):
        if seen < len(marks) and marks[seen] == start:
            trail, seen = _push_heading(trail, heads[start]), seen + 1
        title = TRAIL.join(text for _, text in trail)
        while seen < len(marks) and marks[seen] < end:
            head = heads[marks[seen]]
            trail, seen = _push_heading(trail, head), seen + 1
            title += (BESIDE if title else "") + head[1]
        titles.append(title[:TITLE_CHARS])
    return titles


def _push_heading(trail: list[tuple[int, str]], head: tuple[int, str]) -> list[tuple[int, str]]:
    return [above for above in trail if above[0] < head[0]] + [head]
