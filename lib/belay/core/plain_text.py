"""Texts compared, by their words or by their lines, and made harmless to print: names and lines come with clones."""

from __future__ import annotations

import zlib

SENTENCE_ENDS = ".!?"
_ABBREVIATIONS = frozenset(("e.g", "i.e", "vs", "cf", "approx", "resp", "z.b", "d.h", "bzw", "p.ej"))
SHOWN = 80
"""Characters of a text that is named in a sentence."""


def words(text: str) -> str:
    """Return the words of a text for comparison: small letters and digits, emphasis and punctuation aside."""
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def key(text: str) -> str:
    """Return what makes two lines the same: their words, or themselves where they have none."""
    return words(text) or text.strip()


def cut(text: str, limit: int) -> str:
    """Return text of at most `limit` characters, ended at a word."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0] + "…"


def printable(text: str) -> str:
    """Return a text on one line, a blank for what does not print."""
    from belay.core.text.invisible import replace_hidden

    return " ".join(replace_hidden(text, lambda _: " ", strict=True).split())


def shown(text: str, most: int = SHOWN) -> str:
    """Return somebody's text as one line of what prints, at most so many characters."""
    line = printable(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def count(number: int, one: str, many: str = "") -> str:
    """Return "1 day", "2 days"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def escaped(text: str) -> str:
    """Return a line with `\\x..` for what a terminal would obey: file names may hold newlines and escapes."""
    from belay.core.text.invisible import replace_hidden

    return replace_hidden(text, lambda char: f"\\x{ord(char):02x}", strict=True)


def block(text: str) -> str:
    """Return a text of several lines, each of them escaped."""
    return "\n".join(escaped(line.removesuffix("\r").expandtabs(4)) for line in text.split("\n"))


def unified(name: str, before: str, after: str) -> str:
    """Return the unified diff of two texts of one file, as `git apply` takes it; "" where they are the same."""
    import difflib

    rows = difflib.unified_diff(split_rows(before), split_rows(after), f"a/{name}", f"b/{name}")
    return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)


def split_rows(text: str) -> list[str]:
    """Return the lines of a text with their ends, split after \\n only: a lone \\r is part of a person's line."""
    rows = text.split("\n")
    return [row + "\n" for row in rows[:-1]] + ([rows[-1]] if rows[-1] else [])


def one_line(text: str, limit: int = 400) -> str:
    """Return text on one line, without what would end a comment or a block, at most `limit` characters."""
    flat = " ".join(text.replace("<!--", "< !--").replace("-->", "-- >").split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


def checksum(text: str) -> str:
    """Return a short checksum of a text (8 hex digits): the name that a row has in the journal."""
    return f"{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, line by line, without list marks and blank ones."""
    return [sentence for line in text.splitlines() for sentence in split_line(line.strip().lstrip("-*#> "))]


def split_line(line: str) -> list[str]:
    """Return the sentences of one line; a mark inside code between backticks, a number or "e.g." ends none."""
    sentences, start, is_code = [], 0, False
    for at, char in enumerate(line):
        is_code ^= char == "`"
        is_end = char in SENTENCE_ENDS and not is_code and line[at + 1 : at + 2] in (" ", "")
        if is_end and not _is_abbreviation(line, at):
            sentences.append(line[start : at + 1].strip())
            start = at + 1
    return [sentence for sentence in (*sentences, line[start:].strip()) if sentence]


def _is_abbreviation(line: str, at: int) -> bool:
    """Whether the full stop at a place belongs to a word such as "e.g.", behind which the sentence goes on."""
    word = line[max(0, at - 8) : at].rpartition(" ")[2].lstrip("(").lower()
    return line[at] == "." and at + 1 < len(line) and word in _ABBREVIATIONS
