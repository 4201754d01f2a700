"""Characters that nobody sees, dropped or escaped: a text that came with a clone may hide something in them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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
_BLANK = "\u2800"
"""Braille without a dot: a blank that Unicode calls a symbol; it stays where text is only shown."""
_PLAIN = frozenset(map(chr, (9, 10, *range(32, 127))))
_VISIBLE = frozenset(map(chr, range(32, 127)))
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
    return replace_hidden(text.replace("\r\n", "\n"), lambda char: " " if char in _BREAKS else "")


def escape_invisible(text: str) -> str:
    """Return a JSON text with `\\u....` for what a person would not see; it means the same."""
    return replace_hidden(text, lambda char: "".join(f"\\u{unit:04x}" for unit in _list_units(ord(char))))


def spell_invisible(text: str) -> str:
    """Return a text with `\\u{…}` for all that nobody sees, also what shapes a picture; line ends stay."""
    text = text.replace("\r\n", "\n").expandtabs(4)
    found = {char for char in set(text) if not char.isprintable() or char == _BLANK or _is_in(char, _HIDDEN)} - {"\n"}
    return "".join(f"\\u{{{ord(char):x}}}" if char in found else char for char in text) if found else text


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


def replace_hidden(text: str, replace: Callable[[str], str], strict: bool = False) -> str:
    """Return a text with something else for each character that nobody sees; `strict`: for all that does not print."""
    if text.isascii() and (text.isprintable() or (not strict and _PLAIN.issuperset(text))):
        return text
    rare = set(text) - _VISIBLE
    found = {char for char in rare if _is_in(char, _HIDDEN) or (strict and not char.isprintable())}
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
