"""A table of a few word pieces, made as set-up makes the real one: from a wheel of the same form."""

import json
import os
import random
import struct
import zipfile

from belay.setup import word_pieces

MEANINGS = {
    "car": 0, "automobile": 0, "vehicle": 0, "fuel": 1, "petrol": 1, "style": 2, "css": 2, "look": 2, "money": 3,
    "refunds": 3, "cents": 3, "proxy": 4, "gateway": 4, "größe": 5, "東京": 6, "the": 7,
}  # fmt: skip
"""Words of one number mean the same; each is a piece, and so is every small letter."""
WIDTH = 256


def vocabulary():
    """Return piece → number: signs, bytes and the commonest first, as in the real one."""
    names = [f"<{number}>" for number in range(word_pieces.FIRST)]
    names += [*"abcdefghijklmnopqrstuvwxyz", *(f"\u2581often{number}" for number in range(300))]
    names += ["\u2581" + word for word in MEANINGS] + ["\u2581Berlin", "ing", "\u2581,"]
    return {name: number for number, name in enumerate(names)}


def weights(names):
    """Return the tensor: words of one meaning point nearly the same way, and each meaning another way."""
    rows = []
    for name in names:
        meaning = MEANINGS.get(name.removeprefix("\u2581"), name)
        shared, own = random.Random(f"{meaning}"), random.Random(name)
        rows.append([shared.gauss(0, 1) + own.gauss(0, 0.2) for _ in range(WIDTH)])
    return rows


def write_wheel(path, names=None, rows=None, dtype="F16"):
    """Write a wheel with a tokenizer and weights."""
    names = vocabulary() if names is None else names
    rows = weights(names) if rows is None else rows
    data = b"".join(struct.pack(f"<{len(row)}e", *row) for row in rows)
    shape = [len(rows), len(rows[0])]
    head = json.dumps({"embedding.weight": {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}}).encode()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"wordllama/{word_pieces.TOKENIZER}", json.dumps({"model": {"vocab": names}}))
        archive.writestr(f"wordllama/{word_pieces.WEIGHTS}", struct.pack("<Q", len(head)) + head + data)
    return str(path)


def install(folder):
    """Make the table of this user from such a wheel; `folder` takes the wheel."""
    word_pieces.write_table(os.environ, write_wheel(folder / "small-1-py3-none-any.whl"))
