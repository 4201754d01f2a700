"""Write lib/belay/core/text/tokens.z anew from tiktoken's vocabulary (needed only when COMMON changes)."""

import os
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "lib"))

from belay.core.text import tokens


def table(vocabulary: list[bytes]) -> bytes:
    """Pack the first COMMON tokens and, after them, those of spaces and non-ASCII bytes alone, by rank."""
    wide = [token for token in vocabulary[tokens.COMMON :] if all(byte > 127 or byte == 32 for byte in token)]
    found = vocabulary[: tokens.COMMON] + wide
    return b"".join(found[: tokens.SINGLES]) + tokens.BETWEEN.join(found[tokens.SINGLES :])


def main() -> None:
    """Replace the table."""
    packed = zlib.compress(table(tokens.vocabulary()), 9)
    with open(os.path.join(ROOT, "lib", "belay", "core", "text", "tokens.z"), "wb") as file:
        file.write(packed)


if __name__ == "__main__":
    main()
