"""Vectors of the texts of the index, beside them: float32, little-endian, of length 1 (docs/vectors.md).

Whose texts changed have none until they are made again: `texts.drop` takes them away. The nearest are found by
sqlite-vec where this Python can load it, else by numpy, else by plain arithmetic; all give the same order.
"""

from __future__ import annotations

import array
import heapq
import sys

from belay.core.tuples import NamedTuple
from belay.knowledge.store import database
from belay.knowledge.store.tables import text_index, vector_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

TEXT_CHARS = 2000
"""Characters of a text that a vector is made of: small models read 512 tokens."""
_AT_ONCE, _ASKED = 2000, 500


class Counts(NamedTuple):
    """Texts of the index that have a vector of the model, and those that lack one."""

    made: int
    missing: int


def load_model_name(connection: sqlite3.Connection) -> str:
    """Return the model of the base's vectors, "" where there are none."""
    return database.load_value(connection, database.MODEL)


def choose_model(connection: sqlite3.Connection, name: str) -> None:
    """Name the model from now on; vectors of another one go."""
    with database.Transaction(connection):
        vector_rows.delete_other_models(connection, name)
        database.save_value(connection, database.MODEL, name)


def count_vectors(connection: sqlite3.Connection, name: str) -> Counts:
    """Return how many texts have vectors and how many lack them."""
    made = connection.execute("SELECT count(*) FROM memory_vectors WHERE model = ?", (name,)).fetchone()[0]
    texts = connection.execute("SELECT count(*) FROM memory_texts").fetchone()[0]
    return Counts(int(made), int(texts) - int(made))


def list_missing(connection: sqlite3.Connection, name: str, most: int) -> list[tuple[int, str]]:
    """Return (number, text) of texts without a vector of the model."""
    rows = connection.execute(
        "SELECT t.num FROM memory_texts AS t LEFT JOIN memory_vectors AS v ON v.num = t.num AND v.model = ? "
        "WHERE v.num IS NULL ORDER BY t.num LIMIT ?",
        (name, most),
    ).fetchall()
    return [(num, text) for (num,) in rows for text in _load_text(connection, num)]


def _load_text(connection: sqlite3.Connection, num: int) -> Iterator[str]:
    row = connection.execute("SELECT title, text FROM memory_fts WHERE rowid = ?", (num,)).fetchone()
    if row:
        yield text_index.find_meant(num, *row)[:TEXT_CHARS]


def save_vectors(connection: sqlite3.Connection, name: str, rows: Iterable[tuple[int, Sequence[float]]]) -> None:
    """Keep vectors (number of the text, values), made of length 1, unless their text went away meanwhile."""
    packed = [(num, name, len(values), pack_vector(values)) for num, values in rows]
    with database.Transaction(connection):
        vector_rows.write(connection, packed)


def pack_vector(values: Sequence[float]) -> bytes:
    """Return a vector of length 1 as it is stored."""
    length = sum(value * value for value in values) ** 0.5 or 1.0
    packed = array.array("f", [value / length for value in values])
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def find_nearest(connection: sqlite3.Connection, name: str, asked: Sequence[float], most: int) -> dict[int, float]:
    """Return {number: cosine} of the texts nearest to a vector of the same model, at most so many."""
    vector = pack_vector(asked)
    if load_extension(connection):
        sql = (
            "SELECT num, 1 - vec_distance_cosine(vec, ?) AS near FROM memory_vectors "
            "WHERE model = ? AND dim = ? ORDER BY near DESC LIMIT ?"
        )
        return dict(connection.execute(sql, (vector, name, len(asked), most)).fetchall())
    nearest = heapq.nlargest(most, _compute_cosines(connection, name, vector), key=lambda pair: pair[1])
    return dict(nearest)


def compare(connection: sqlite3.Connection, name: str, asked: Sequence[float], nums: Sequence[int]) -> dict[int, float]:
    """Return {number: cosine} of some texts; those without a vector of the model are left out."""
    cosines: dict[int, float] = {}
    for at in range(0, len(nums), _ASKED):
        part = nums[at : at + _ASKED]
        marks = ", ".join("?" * len(part))
        rows = connection.execute(
            f"SELECT num, vec FROM memory_vectors WHERE model = ? AND dim = ? AND num IN ({marks})",
            (name, len(asked), *part),
        ).fetchall()
        products = _multiply([row[1] for row in rows], pack_vector(asked)) if rows else []
        cosines |= dict(zip([row[0] for row in rows], products, strict=True))
    return cosines


def load_extension(connection: sqlite3.Connection) -> bool:
    """Load sqlite-vec; False where it is not installed, or this Python's SQLite takes no extensions."""
    try:
        import sqlite_vec

        connection.enable_load_extension(True)
        sqlite_vec.load(connection)
        connection.enable_load_extension(False)
    except (ImportError, AttributeError, database.SqlError):
        return False
    return True


def _compute_cosines(connection: sqlite3.Connection, name: str, vector: bytes) -> Iterator[tuple[int, float]]:
    cursor = connection.execute(
        "SELECT num, vec FROM memory_vectors WHERE model = ? AND dim = ?", (name, len(vector) // 4)
    )
    while rows := cursor.fetchmany(_AT_ONCE):
        nums, stored = zip(*rows, strict=True)
        yield from zip(nums, _multiply(stored, vector), strict=True)


def _multiply(stored: Sequence[bytes], vector: bytes) -> list[float]:
    try:
        import numpy
    except ImportError:
        return _multiply_plainly(stored, vector)
    matrix = numpy.frombuffer(b"".join(stored), dtype="<f4").reshape(len(stored), -1)
    return [float(value) for value in matrix @ numpy.frombuffer(vector, dtype="<f4")]


def _multiply_plainly(stored: Sequence[bytes], vector: bytes) -> list[float]:
    values = _unpack(vector)
    return [sum(one * other for one, other in zip(_unpack(row), values, strict=True)) for row in stored]


def _unpack(data: bytes) -> array.array[float]:
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
