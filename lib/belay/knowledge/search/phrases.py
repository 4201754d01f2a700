"""Phrases that must occur word for word: the text index finds where they may, and every such text is read."""

from __future__ import annotations

from belay.core import plain_text
from belay.knowledge.search import filters, query, word_parts
from belay.knowledge.store.tables import text_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

MOST = 400
"""Entries, and as many sections, that are looked for: the newest. Where there are fewer, all of them are found."""


def make_match(phrases: Sequence[str]) -> str:
    """Return the match by which the index finds some phrases, "" for none: forms of their words in that order."""
    pieces = [piece for phrase in phrases for piece in _split_phrase(phrase)]
    return "(" + " AND ".join(map(query.quote_word, pieces)) + ")" if pieces else ""


def _split_phrase(phrase: str) -> list[str]:
    """Return a phrase as the index holds it: of scripts without blanks, it has the characters one by one."""
    return [" ".join(run) for run in word_parts.find_runs(phrase)] or [phrase]


def has_phrases(phrases: Sequence[str], text: str) -> bool:
    """Whether a text has the words of each phrase one after the other, whatever signs are between them."""
    words = plain_text.words(text)
    return all(_has_phrase(plain_text.words(phrase), words) for phrase in phrases)


def _has_phrase(wanted: str, words: str) -> bool:
    return wanted in words if word_parts.find_runs(wanted) else f" {wanted} " in f" {words} "


def find_numbers(
    connection: sqlite3.Connection, phrases: Sequence[str], within: filters.Scope, *, simple: bool
) -> set[int]:
    """Return the numbers of the newest texts of a scope that have the phrases; `simple` without FTS5."""
    return {
        num
        for first, end in ((0, text_index.SECTIONS), (text_index.SECTIONS, 2 * text_index.SECTIONS))
        for num in _search_range(connection, phrases, within, (first, end), "" if simple else make_match(phrases))
    }


def _search_range(
    connection: sqlite3.Connection,
    phrases: Sequence[str],
    within: filters.Scope,
    nums: tuple[int, int],
    words: str,
) -> list[int]:
    where, values = filters.make_condition(within)
    sql = (
        "SELECT f.rowid, f.title, f.text FROM memory_fts AS f CROSS JOIN memory_texts AS t ON t.num = f.rowid "
        f"{filters.BESIDE} WHERE f.rowid >= ? AND f.rowid < ? {'AND f.memory_fts MATCH ?' if words else ''} {where} "
        "ORDER BY f.rowid DESC"
    )
    numbers: list[int] = []
    for num, title, text in connection.execute(sql, (*nums, *([words] if words else []), *values)):
        if has_phrases(phrases, f"{title}\n{text}"):
            numbers.append(num)
            if len(numbers) == MOST:
                break
    return numbers
