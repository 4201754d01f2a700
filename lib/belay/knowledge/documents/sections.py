"""A document cut into sections: by headings, of a bounded size, no fence and no table cut apart. Pure, line by line."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

LEAST, MOST, HARD = 800, 2000, 8000
"""Characters: below LEAST a section goes on over the next heading; above MOST it is cut between paragraphs; above
HARD within a fence or table too. Short chapters stay together: a chat of 200 turns is no 200 sections."""
TITLE_CHARS = 300
TRAIL, BESIDE = " › ", " · "
_UNDER = {"=": 1, "-": 2, "~": 3, "^": 4, '"': 4}
"""Characters that underline a heading, and its level: Markdown's two, and those that reStructuredText advises."""
_MARKS = {"#", "="}
_UNDERLINED_CHARS = 120

Heads = dict[int, tuple[int, str]]


class Section(NamedTuple):
    """Lines `start` to `end` of a file, 1-based and both included; `title` is the trail of headings above them."""

    start: int
    end: int
    title: str
    text: str


def split_sections(text: str) -> list[Section]:
    """Return the sections of a text in order: together they are all of its lines; [] for a blank one."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not text.strip():
        return []
    heads, joined, root = scan_headings(lines)
    starts = _find_starts(lines, heads, joined)
    titles = _make_titles(starts, heads, root)
    ends = [*starts[1:], len(lines)]
    return [
        Section(start + 1, end, title, "\n".join(lines[start:end]))
        for start, end, title in zip(starts, ends, titles, strict=True)
    ]


def scan_headings(lines: list[str]) -> tuple[Heads, bytearray, str]:
    """Return the headings by line, which lines belong to the one above them, and the front matter's title."""
    heads: Heads = {}
    joined = bytearray(len(lines))
    first, root = _scan_front_matter(lines, joined)
    fence, table = "", False
    for at in range(first, len(lines)):
        bare = lines[at].strip()
        sign = bare[:1]
        if fence:
            joined[at] = 1
            if sign == fence[0] and bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
        elif sign in ("`", "~") and bare[:3] in ("```", "~~~"):
            fence = bare[: len(bare) - len(bare.lstrip(sign))]
        elif sign in _MARKS and (head := _parse_heading(bare)):
            heads[at] = head
        elif sign in _UNDER and at > first:
            _note_underlined(lines, at, bare, heads, joined)
        joined[at] |= table and sign == "|"
        table = sign == "|"
    return heads, joined, root


def _scan_front_matter(lines: list[str], joined: bytearray) -> tuple[int, str]:
    """Return where the text begins behind YAML front matter, and its title."""
    if lines[0].rstrip() != "---":
        return 0, ""
    root = ""
    for at in range(1, min(len(lines), 100)):
        line = lines[at].rstrip()
        if line in ("---", "..."):
            joined[1 : at + 1] = b"\1" * at
            return at + 1, root
        if line.startswith("title:"):
            root = line[6:].strip().strip("\"'")
    return 0, ""


def _parse_heading(bare: str) -> tuple[int, str] | None:
    """Return (level, text) of a heading that begins with its marks, as in Markdown and AsciiDoc."""
    rest = bare.lstrip(bare[0])
    level = len(bare) - len(rest)
    if level > 6 or rest[:1] not in (" ", "\t"):
        return None
    return level, rest.rstrip("#= \t").strip()


def _note_underlined(lines: list[str], at: int, bare: str, heads: Heads, joined: bytearray) -> None:
    """Note the heading that a line of one character underlines; one above it belongs to it too."""
    above = lines[at - 1].strip()
    if len(bare) < 3 or bare.strip(bare[0]) or not above or len(above) > _UNDERLINED_CHARS:
        return
    if joined[at - 1] or at - 1 in heads or above[0] in "|#>" or not above.strip(bare[0]):
        return
    over = at > 1 and lines[at - 2].strip() == bare and not joined[at - 2]
    first = at - 2 if over else at - 1
    heads[first] = (_UNDER[bare[0]], above)
    joined[first + 1 : at + 1] = b"\1" * (at - first)


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
