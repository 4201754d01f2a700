"""Headings of a document by its markup: Markdown, reStructuredText, AsciiDoc. Pure, line by line."""

from __future__ import annotations

_UNDER = {"=": 1, "-": 2, "~": 3, "^": 4, '"': 4}
"""Characters that underline a heading, and its level: Markdown's two, and those that reStructuredText advises."""
_MARKS = {"#", "="}
_UNDERLINED_CHARS = 120
RST, ASCIIDOC = "rst", "asciidoc"
_MARKUPS = {".rst": RST, ".adoc": ASCIIDOC, ".asciidoc": ASCIIDOC, ".asc": ASCIIDOC}
_RST_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ADOC_UNDER = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
_ADOC_BLOCKS = frozenset("-.+/=*_")
"""Characters of which four or more, alone on a line, open a block that the same line closes."""
_ADOC_SLACK = 2
"""Characters by which an underline of AsciiDoc may be longer or shorter than its title."""

Heads = dict[int, tuple[int, str]]
"""Line, counted from 0 → (level, text)."""


def find_markup(path: str) -> str:
    """Return how headings are written in a file, by its ending: RST, ASCIIDOC, "" for Markdown and plain text."""
    end = path[path.rfind(".") :].lower()
    return _MARKUPS.get(end, "")


def scan_headings(lines: list[str], markup: str = "") -> tuple[Heads, bytearray, str]:
    """Return the headings by line, which lines belong to the one above them, and the front matter's title."""
    if markup == RST:
        return _scan_rst(lines)
    return _scan_asciidoc(lines) if markup == ASCIIDOC else _scan_markdown(lines)


def _scan_markdown(lines: list[str]) -> tuple[Heads, bytearray, str]:
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


def _scan_rst(lines: list[str]) -> tuple[Heads, bytearray, str]:
    """As `scan_headings`: a title is underlined, or under- and overlined; levels come in the order of their signs."""
    heads: Heads = {}
    joined = bytearray(len(lines))
    styles: list[tuple[str, bool]] = []
    for at in range(1, len(lines)):
        bare = lines[at].rstrip()
        if bare[:1] not in _RST_SIGNS or len(bare) < 2 or bare.strip(bare[0]) or joined[at] or joined[at - 1]:
            continue
        over = at > 1 and lines[at - 2].rstrip() == bare and not joined[at - 2]
        if _is_rst_title(lines, at, bare, over):
            style = (bare[0], over)
            if style not in styles:
                styles.append(style)
            first = at - 2 if over else at - 1
            heads[first] = (styles.index(style) + 1, lines[at - 1].strip())
            joined[first + 1 : at + 1] = b"\1" * (at - first)
    return heads, joined, ""


def _is_rst_title(lines: list[str], at: int, bare: str, over: bool) -> bool:
    """Whether the line above an underline is a title: it follows a blank line or its overline, and is not longer."""
    title = lines[at - 1].rstrip()
    if not title.strip() or (title[0] in " \t" and not over) or not any(map(str.isalnum, title)):
        return False
    before = at - 3 if over else at - 2
    is_apart = before < 0 or not lines[before].strip() or lines[before].startswith("..")
    return is_apart and (len(bare) >= len(title) or len(bare) >= 4) and len(title) <= _UNDERLINED_CHARS


def _scan_asciidoc(lines: list[str]) -> tuple[Heads, bytearray, str]:
    """As `scan_headings`; what stands in a delimited block holds no heading, and a block is not torn."""
    heads: Heads = {}
    joined = bytearray(len(lines))
    block = ""
    for at, line in enumerate(lines):
        bare = line.rstrip()
        if block:
            joined[at] = 1
            block = "" if bare == block else block
        elif bare[:1] in ("=", "#") and (head := _parse_heading(bare)):
            heads[at] = head
        elif _is_adoc_underline(lines, at, bare, heads, joined):
            heads[at - 1] = (_ADOC_UNDER[bare[0]], lines[at - 1].strip())
            joined[at] = 1
        elif bare == "|===" or bare.startswith("```") or _is_delimiter(bare):
            block = "```" if bare.startswith("```") else bare
    return heads, joined, ""


def _is_delimiter(bare: str) -> bool:
    return len(bare) >= 4 and bare[0] in _ADOC_BLOCKS and not bare.strip(bare[0])


def _is_adoc_underline(lines: list[str], at: int, bare: str, heads: Heads, joined: bytearray) -> bool:
    """Whether a line of one sign underlines the title above it: as long as that, give or take two characters."""
    if bare[:1] not in _ADOC_UNDER or len(bare) < 3 or bare.strip(bare[0]) or at == 0:
        return False
    title = lines[at - 1].rstrip()
    if (
        at - 1 in heads
        or joined[at - 1]
        or title[:1] in ("", "[", ".", " ", "|", "/")
        or (at > 1 and lines[at - 2].strip())
    ):
        return False
    return abs(len(title) - len(bare)) <= _ADOC_SLACK and any(char.isalnum() for char in title)
