"""How well the words of a text say what the words of a question say, word by word. Pure, standard library only.

The vector of a whole text hides single words. Here each word of the question is paired with the nearest one of the
text: the greedy matching of BERTScore (Zhang et al. 2020), with static vectors.
"""

from __future__ import annotations

from operator import mul

from belay.knowledge.vectors import encoding, piece_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.knowledge.vectors.encoding import Encoder, WordVector

ASKED = 12
"""Words of a question that are paired: those that say most."""
WORDS = 100
"""Words of a text that they are compared with, the first ones."""


def align_texts(encoder: Encoder, question: str, texts: Sequence[str]) -> list[float]:
    """Return for each text the mean cosine, 0 to 1, of the question's words with the nearest words of the text.

    A word counts by how much it says; 0 for a text or a question without a known word.
    """
    asked = _choose_words(encoder, question)
    split = [set(encoding.split_words(text)[:WORDS]) for text in texts]
    places = {word: at for at, word in enumerate(set().union(*split))}
    columns = [[places[word] for word in words] for words in split]
    shares = [0.0] * len(texts)
    total = sum(word.weight for word in asked)
    for word, cosines in zip(asked, _compare_words(encoder, asked, list(places)), strict=True):
        for at, column in enumerate(columns):
            if column:
                shares[at] += word.weight / total * max(0.0, *map(cosines.__getitem__, column))
    return shares


def _choose_words(encoder: Encoder, question: str) -> list[WordVector]:
    """Return the ASKED known words of a question that say most."""
    words = [encoder.encode_word(word) for word in dict.fromkeys(encoding.split_words(question))]
    return sorted((word for word in words if word.weight), key=lambda word: -word.weight)[:ASKED]


def _compare_words(encoder: Encoder, asked: Sequence[WordVector], names: Sequence[str]) -> list[list[float]]:
    """Return for each word of the question its cosines with some words, 0 with unknown ones."""
    if not asked:
        return []
    words = list(map(encoder.encode_word, names))
    questions = [[value - piece_table.BIAS for value in word.row] for word in asked]
    products = encoding.multiply_rows(questions, b"".join([word.row for word in words]))
    scales = [1 / word.length if word.length else 0.0 for word in words]
    return [
        [product / word.length for product in map(mul, row, scales)] for word, row in zip(asked, products, strict=True)
    ]
