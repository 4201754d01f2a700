"""Texts compared, by their words or by their lines, and made harmless to print: names and lines come with clones."""

from __future__ import annotations

import os
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCE_ENDS = ".!?"
_ABBREVIATIONS = frozenset(("e.g", "i.e", "vs", "cf", "approx", "resp", "z.b", "d.h", "bzw", "p.ej"))
_JOINTS = str.maketrans(dict.fromkeys("/_.-+@~,()", " "))
_MADE = 8
SHOWN = 80
"""Characters of a text that is named in a sentence."""


def is_plain_name(name: str) -> bool:
    """Whether a name of a branch or a path holds short words alone, so that no part of it was made by a machine.

    Made are 16 letters without a sign between them, 8 with a digit, or capitals among small letters: a vendor's
    shortest tokens have more, and where signs cut a token into short words, their letters are mixed.
    """
    parts = name.translate(_JOINTS)
    if name and (" " in name or not name.isascii() or not parts.replace(" ", "").isalnum()):
        return False
    return not any(_is_made(part) for part in parts.split())


def _is_made(part: str) -> bool:
    is_long = len(part) >= _MADE and (len(part) >= 2 * _MADE or not part.isalpha())
    return is_long or part not in (part.lower(), part.upper(), part.capitalize())


_HIDDEN = (
    ("\0", "\x08"), ("\x0b", "\x1f"), ("\x7f", "\x9f"), ("\xad", "\xad"), ("\u034f", "\u034f"), ("\u061c", "\u061c"),
    ("\u115f", "\u1160"), ("\u17b4", "\u17b5"), ("\u180b", "\u180f"), ("\u200b", "\u200f"), ("\u2028", "\u202e"),
    ("\u2060", "\u206f"), ("\u3164", "\u3164"), ("\ud800", "\udfff"), ("\ufe00", "\ufe0f"), ("\ufeff", "\ufeff"),
    ("\uffa0", "\uffa0"), ("\ufff0", "\ufffb"), ("\U0001bca0", "\U0001bca3"), ("\U0001d173", "\U0001d17a"),
    ("\U000e0000", "\U000e0fff"),
)  # fmt: skip
"""What is written but not seen: controls, marks of direction, joiners, selectors of variants, fillers, tags.

The property Default_Ignorable_Code_Point (Unicode, DerivedCoreProperties.txt), controls and surrogates.
"""
_BREAKS = "\r\x0b\x0c\u2028\u2029"
_PICTURES = (("\u2190", "\u2bff"), ("\U0001f000", "\U0001faff"))
_OTHER_PICTURES = "\xa9\xae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299"
_KEYS = "#*0123456789"
_JOINED = (
    ("\u0600", "\u07bf"), ("\u0840", "\u109f"), ("\u1780", "\u18af"), ("\ua800", "\uabff"), ("\ufb50", "\ufdff"),
    ("\ufe70", "\ufefe"), ("\U00010a00", "\U00011fff"), ("\U0001e900", "\U0001e95f"),
)  # fmt: skip
"""Scripts whose letters join: Arabic, Syriac, those of India and South-East Asia, Mongolian."""


def _is_in(char: str, ranges: tuple[tuple[str, str], ...]) -> bool:
    return any(first <= char <= last for first, last in ranges)


def drop_invisible(text: str) -> str:
    """Return a text as a person sees it: what hides in it, or moves a cursor, is gone; lines and tabs stay.

    Joiners stay where they shape what is seen: between emoji, and after letters of scripts that join.
    """
    if "\x1b" in text:
        text = _drop_sequences(text)
    return _replace_hidden(text.replace("\r\n", "\n"), lambda char: " " if char in _BREAKS else "")


def escape_invisible(text: str) -> str:
    """Return a JSON text with `\\u....` for what a person would not see; it means the same."""
    return _replace_hidden(text, lambda char: "".join(f"\\u{unit:04x}" for unit in _list_units(ord(char))))


def _list_units(code: int) -> tuple[int, ...]:
    """Return the numbers of UTF-16 for one character."""
    return (code,) if code < 0x10000 else (0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF))


def _drop_sequences(text: str) -> str:
    """Return a text without the commands to a terminal that begin with ESC (ECMA-48): CSI, and strings such as OSC."""
    kept, *parts = text.split("\x1b")
    is_string = False
    for part in parts:
        if is_string and part[:1] == "\\":
            kept, is_string = kept + part[1:], False
            continue
        is_string = part[:1] in tuple("]P^_X")
        kept += _after_string(part) if is_string else _after_command(part)
    return kept


def _after_string(part: str) -> str:
    """Return what follows a string for the terminal; it ends with BEL, the next ESC or, at the latest, its line."""
    ends = [at for at in (part.find("\a"), part.find("\n")) if at >= 0]
    return part[min(ends) :].lstrip("\a") if ends else ""


def _after_command(part: str) -> str:
    if part[:1] != "[":
        return part
    rest = part[1:].lstrip("".join(map(chr, range(0x20, 0x40))))
    return rest[1:] if "@" <= rest[:1] <= "~" else rest


def _replace_hidden(text: str, replace: Callable[[str], str], strict: bool = False) -> str:
    """Return a text with something else for each hidden character; `strict`: for all that does not print."""
    found = {char for char in set(text) if _is_in(char, _HIDDEN) or (strict and not char.isprintable())}
    if not found:
        return text
    return "".join(char if char not in found or _shapes(text, at) else replace(char) for at, char in enumerate(text))


def _shapes(text: str, at: int) -> bool:
    """Whether an invisible character belongs to what is seen around it."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if char in "\ufe0e\ufe0f":
        return _is_picture(before) or (before in tuple(_KEYS) and after == "\u20e3")
    if char == "\u200d" and _is_picture(after):
        return _is_picture(before) or (before == "\ufe0f" and _is_picture(text[at - 2 : at - 1]))
    if char in "\u200c\u200d":
        return _is_in(before, _JOINED) and not _is_in(before, _HIDDEN)
    return _is_in(char, (("\u180b", "\u180f"),)) and _is_in(before, (("\u1820", "\u18af"),))


def _is_picture(char: str) -> bool:
    return _is_in(char, _PICTURES) or (char != "" and char in _OTHER_PICTURES)


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
    return " ".join(_replace_hidden(text, lambda _: " ", strict=True).split())


def shown(text: str, most: int = SHOWN) -> str:
    """Return somebody's text as one line of what prints, at most so many characters."""
    line = printable(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def count(number: int, one: str, many: str = "") -> str:
    """Return "1 day", "2 days"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def escaped(text: str) -> str:
    """Return a line with `\\x..` for what a terminal would obey: file names may hold newlines and escapes."""
    return _replace_hidden(text, lambda char: f"\\x{ord(char):02x}", strict=True)


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


def as_path(text: str) -> str:
    """Return a text as the path of a file that may exist: a lone surrogate, which no file name holds, as "?"."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
