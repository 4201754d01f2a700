"""Texts as vectors by the table of word pieces: the mean of their pieces. Standard library only, no expression.

A word is cut from its beginning, each time the longest piece that the table has. Sums are made in whole numbers of
many lanes, 32 bits a value: one addition adds a word's whole row.
"""

from __future__ import annotations

from operator import mul

from belay.core.tuples import NamedTuple
from belay.knowledge.vectors import piece_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from belay.knowledge.vectors.piece_table import PieceTable

DIMS = 128
"""Values of a vector, as set-up makes the table of word pieces."""
LENGTH = 127
"""Length of a vector as it is stored: its values are whole numbers of one byte, and the product of two vectors is
LENGTH² times their cosine, which comes out within about 0.005."""
WORDS = 400
"""Words of a text that a vector is made of."""
ABOUT = 0.5
"""What the talk around a text counts beside the text itself. Of 94 questions about what was said in 67 sessions of
three public projects, 58 had their entry among the first five with 0.5, 51 without."""
_KEPT = 20_000
_LANE = 4
_WORDS_ONLY = "".join(char if char.isalnum() else " " for char in map(chr, range(128)))
_SQUARES = bytes((value - piece_table.BIAS) ** 2 & 255 for value in range(256))
_SQUARES_HIGH = bytes((value - piece_table.BIAS) ** 2 >> 8 for value in range(256))
"""The square of each value of a row, as two bytes: a table and a sum are six times as fast as 128 products."""
_HALF = 1 << 31
"""Added to a lane it makes a negative number positive; its bit turned over, the lane is a number with a sign again."""
_HIGH = bytes(value >> 7 for value in range(256))
_FLIP = bytes(value ^ 128 for value in range(256))


class WordVector(NamedTuple):
    """One word: its values, each a byte with BIAS added, their length, and how much the word says, 0 if unknown."""

    row: bytes
    length: float
    weight: float


class Encoder:
    """A table in use; `encode` is the same for texts and for questions."""

    def __init__(self, table: PieceTable) -> None:
        self.table = table
        self._words: dict[str, tuple[int, int]] = {}
        self._vectors: dict[str, WordVector] = {}

    def encode(self, text: str, about: str = "") -> bytes:
        """Return the vector of a text, one signed byte a value; b"" where it has no known piece.

        `about`: what was talked about when it was said; its direction counts ABOUT times.
        """
        values = self._sum(text)
        beside = self._sum(about) if about and values else []
        if beside:
            share = ABOUT * _measure(values) / _measure(beside)
            values = [value + share * other for value, other in zip(values, beside, strict=True)]
        return _pack(values)

    def encode_word(self, word: str) -> WordVector:
        """Return the vector of one word; of most words, which are one piece, it is the row of the table."""
        if word not in self._vectors:
            if len(self._vectors) >= _KEPT:
                self._vectors.clear()
            number = self.table.find(f" {word}".encode())
            self._vectors[word] = _take_row(self.table.row(number)) if number >= 0 else self._encode_pieces(word)
        return self._vectors[word]

    def _encode_pieces(self, word: str) -> WordVector:
        """Return the vector of a word of several pieces: the mean of their rows, rounded."""
        lanes, count = self._words.get(word) or self._add_word(word)
        if not count:
            return WordVector(bytes([piece_table.BIAS]) * self.table.dims, 0.0, 0.0)
        half = count // 2
        row = bytes([(lane + half) // count for lane in _unpack_lanes(lanes, self.table.dims)])
        length = _measure_row(row)
        return WordVector(row, length, length * count)

    def _sum(self, text: str) -> list[float]:
        """Return the sum of a text's rows, [] where it has no known piece or they come to nothing."""
        total = count = 0
        known = self._words.get
        for word in split_words(text)[:WORDS]:
            lanes, pieces = known(word) or self._add_word(word)
            total += lanes
            count += pieces
        bias = count * piece_table.BIAS
        values: list[float] = [lane - bias for lane in _unpack_lanes(total, self.table.dims)] if count else []
        return values if any(values) else []

    def knows(self, text: str) -> bool:
        """Whether a text has a word of the table; of names and typing errors alone, the pieces mean nothing.

        Scripts without blanks have no such words in the table: of them everything counts.
        """
        return any(not word.isascii() or self.table.find(b" " + word.encode()) >= 0 for word in split_words(text))

    def _add_word(self, word: str) -> tuple[int, int]:
        """Return the sum of a word's rows as lanes, and how many pieces it has; keep them for the next time."""
        if len(self._words) >= _KEPT:
            self._words.clear()
        wide = bytearray(self.table.dims * _LANE)
        lanes = count = 0
        for number in self.split_word(word):
            wide[::_LANE] = self.table.row(number)
            lanes += int.from_bytes(wide, "little")
            count += 1
        self._words[word] = lanes, count
        return lanes, count

    def split_word(self, word: str) -> list[int]:
        """Return the numbers of the pieces of a word in small letters; what is unknown is left out."""
        rest, at, found = f" {word}".encode(), 0, []
        find, longest = self.table.find, self.table.longest
        while at < len(rest):
            for end in range(min(len(rest), at + longest), at, -1):
                number = find(rest[at:end])
                if number >= 0:
                    found.append(number)
                    at = end
                    break
            else:
                at += 1
        return found


def _measure(values: Sequence[float]) -> float:
    return float(sum(map(mul, values, values)) ** 0.5)


def _measure_row(row: bytes) -> float:
    return float((sum(row.translate(_SQUARES)) + 256 * sum(row.translate(_SQUARES_HIGH))) ** 0.5)


def _take_row(row: bytes) -> WordVector:
    length = _measure_row(row)
    return WordVector(row, length, length)


def _pack(values: Sequence[float]) -> bytes:
    length = _measure(values)
    if not length:
        return b""
    share = LENGTH / length
    return bytes([int(value * share + 128.5) for value in values]).translate(_FLIP)


def split_words(text: str) -> list[str]:
    """Return the words of a text in small letters; scripts without blanks give long ones."""
    text = text.lower()
    if text.isascii():
        return text.translate(_WORDS_ONLY).split()
    for char in set(text).difference(_LETTERS):
        if char != "_" and f"a{char}".isidentifier():
            _LETTERS.add(char)
        else:
            text = text.replace(char, " ")
    return text.split()


_LETTERS: set[str] = set()
"""Characters that were found to be of words: few thousands at most, for there are no more in use."""


def multiply_all(asked: Sequence[int], vectors: Sequence[bytes]) -> list[float]:
    """Return the cosines of a vector, unpacked, with others: b"" counts as 0."""
    joined = b"".join([vector or bytes(len(asked)) for vector in vectors]).translate(_FLIP)
    return [product / (LENGTH * LENGTH) for product in multiply_rows([asked], joined)[0]]


def multiply_rows(questions: Sequence[Sequence[int]], joined: bytes) -> list[memoryview[int]]:
    """Return for each question its products with some vectors, whose values are `joined`, each with BIAS added."""
    count = len(joined) // len(questions[0])
    ones = _fill_lanes(count)
    return [
        _unpack_lanes((plus - minus + (_HALF - _sum_bias(question)) * ones) ^ (_HALF * ones), count).cast("B").cast("i")
        for question, (plus, minus) in zip(questions, _multiply_columns(questions, joined), strict=True)
    ]


def _fill_lanes(count: int) -> int:
    """Return a number with 1 in each lane."""
    return int.from_bytes(b"\1\0\0\0" * count, "little")


def _multiply_columns(questions: Sequence[Sequence[int]], joined: bytes) -> list[list[int]]:
    """Return for each question two numbers of 32-bit lanes: what its positive values add, and its negative ones.

    One value of all vectors is one long number of lanes, so that a multiplication serves them all; lanes take no
    negative numbers.
    """
    dims = len(questions[0])
    count = len(joined) // dims
    wide = bytearray(_LANE * count)
    sums = [[0, 0] for _ in questions]
    for at in range(dims if count else 0):
        wide[::_LANE] = joined[at::dims]
        column = int.from_bytes(wide, "little")
        for question, both in zip(questions, sums, strict=True):
            value = question[at]
            both[value < 0] += abs(value) * column
    return sums


def find_near(asked: Sequence[WordVector], words: Sequence[WordVector], least: float) -> list[list[tuple[int, float]]]:
    """Return for each word asked (place of a word, cosine) of the words that are so near at least.

    A lane holds _HALF and the product less what it must be, in whole numbers, so that its highest bit says whether it
    may be enough: most words are passed over without a look at each.
    """
    questions = [[value - piece_table.BIAS for value in word.row] for word in asked]
    sums = _multiply_columns(questions, b"".join([word.row for word in words])) if asked else []
    bounds = [int(least * word.length) for word in words]
    wide = bytearray(_LANE * len(words))
    wide[::_LANE] = bytes([bound & 255 for bound in bounds])
    wide[1::_LANE] = bytes([bound >> 8 for bound in bounds])
    lanes = int.from_bytes(wide, "little")
    ones = _fill_lanes(len(words))
    found = []
    for word, question, (plus, minus) in zip(asked, questions, sums, strict=True):
        size = int(word.length)
        values = _unpack_lanes(plus - minus + (_HALF - _sum_bias(question)) * ones - size * lanes, len(words))
        places = _list_high(values.tobytes()[_LANE - 1 :: _LANE].translate(_HIGH))
        over = [
            (at, (values[at] - _HALF + size * bounds[at]) / (word.length * words[at].length))
            for at in places
            if words[at].length
        ]
        found.append([(at, cosine) for at, cosine in over if cosine >= least])
    return found


def _list_high(data: bytes) -> Iterator[int]:
    """Yield the places of the bytes that are not 0."""
    at = data.find(1)
    while at >= 0:
        yield at
        at = data.find(1, at + 1)


def _sum_bias(question: Sequence[int]) -> int:
    return piece_table.BIAS * sum(question)


def _unpack_lanes(total: int, count: int) -> memoryview[int]:
    return memoryview(total.to_bytes(count * _LANE, "little")).cast("I")


def unpack(vector: bytes) -> memoryview[int]:
    """Return the values of a stored vector."""
    return memoryview(vector).cast("b")


_MADE: list[Encoder] = []


def load_encoder(environ: Mapping[str, str]) -> Encoder | None:
    """Return the encoder of this machine's table, the same one as long as the table is; None without a table."""
    table = piece_table.load_table(environ)
    if table is None:
        return None
    if not _MADE or _MADE[0].table is not table:
        _MADE[:] = [Encoder(table)]
    return _MADE[0]
