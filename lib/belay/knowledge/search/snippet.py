"""The few words of a text around what was asked for, marked >>so<<."""

from __future__ import annotations

from belay.knowledge.store.tables import text_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


OPEN, CLOSE, CUT = ">>", "<<", "…"
TOKENS = 28
"""Words of a snippet, unless more are wanted; CHARS where words are not separated."""
CHARS, BEFORE = 180, 40
_REST = "[a-z\u00df-\u00ff]*"
"""What a stem lacks of its word: small letters, for the next part of a name begins with a capital."""
RULE = 4
"""Signs of one sort in a row from which on they are a line that is drawn, under a heading or around a table."""
_SQL = f"SELECT rowid, snippet(one, 0, '{OPEN}', '{CLOSE}', '{CUT}', ?) FROM one WHERE one MATCH ?"


def make_snippet(text: str, match: str, words: Sequence[str], tokens: int = TOKENS) -> str:
    """Return the part of a text that holds most of what was asked for, hits marked, on one line.

    `match` is the query as FTS5 takes it, "" to compare the words plainly. A large base is not asked again for it.
    """
    return make_snippets([text], match, words, tokens)[0]


def make_snippets(texts: Sequence[str], match: str, words: Sequence[str], tokens: int = TOKENS) -> list[str]:
    """Return the same for many texts at once."""
    rows = text_index.load_scratch(*texts).execute(_SQL, (tokens, match)).fetchall() if match else []
    lines = {number: _join_lines(part) for number, part in rows}
    return [
        lines[number] if OPEN in lines.get(number, "") else cut_snippet(text, words)
        for number, text in enumerate(texts, 1)
    ]


def cut_snippet(text: str, words: Sequence[str]) -> str:
    """Return the same by plain comparison: fragments of names, and scripts without blanks."""
    line = _join_lines(text)
    small = line.casefold()
    wanted = sorted((word for word in words if word and word.casefold() in small), key=len, reverse=True)
    if not wanted:  # it was found by its meaning: a pattern of words would be made for nothing
        return line[:CHARS] + (CUT if len(line) > CHARS else "")
    import re

    pattern = re.compile("(?i:" + "|".join(map(re.escape, wanted)) + ")+" + _REST)
    first = pattern.search(line)
    start = max(0, first.start() - BEFORE) if first else 0
    part = line[start : start + CHARS]
    marked = pattern.sub(lambda match: OPEN + match[0] + CLOSE, part)
    return (CUT if start else "") + marked + (CUT if start + CHARS < len(line) else "")


def _join_lines(text: str) -> str:
    """Return a text on one line, without the lines that are drawn in it."""
    return " ".join(word for word in text.split() if len(word) < RULE or word[1].isalnum() or word.strip(word[1] + CUT))
