"""How well the words of a text say what the words of a question say, word by word. Pure, standard library only.

The vector of a whole text hides single words. Here each word of the question is paired with the nearest one of the
text: the greedy matching of BERTScore (Zhang et al. 2020), with static vectors. Of a long text the best passage counts,
for among many words there is always a near one.
"""

from __future__ import annotations

from operator import mul

from belay.core import terms
from belay.knowledge.vectors import encoding, piece_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.knowledge.vectors.encoding import Encoder, WordVector

ASKED = 12
"""Words of a question that are paired: those that say most."""
PASSAGE = 40
"""Words of a passage of a document."""
SECTION_WORDS = 400
"""Words of a section that are looked at, the first ones."""
LIKE = 0.4
"""Cosine of two words below which they have nothing in common."""
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
        share = word.weight / (total * word.length)
        for at, column in enumerate(columns):
            if column:
                shares[at] += share * max(0.0, *map(cosines.__getitem__, column))
    return shares


def align_passages(encoder: Encoder, question: str, texts: Sequence[Sequence[str]]) -> list[float]:
    """Return for each of some documents, given by their sections, how well its best passage says the question.

    A passage is PASSAGE words, and the next one begins at its middle. A word of the question counts with its cosine to
    the nearest word of the passage, 0 below LIKE, and by how much it says; the sum is 0 to 1.
    """
    telling = " ".join(word for word in encoding.split_words(question) if word not in terms.STOP)
    asked = _choose_words(encoder, telling)
    split = [[encoding.split_words(text)[:SECTION_WORDS] for text in sections] for sections in texts]
    names = list({word for sections in split for words in sections for word in words} - terms.STOP)
    total = sum(word.weight for word in asked)
    alike: dict[str, list[tuple[int, float]]] = {}
    for at, near in enumerate(encoding.find_near(asked, list(map(encoder.encode_word, names)), LIKE)):
        for place, cosine in near:
            alike.setdefault(names[place], []).append((at, cosine * asked[at].weight / total))
    return [max([0.0, *(_score_passages(words, alike) for words in sections)]) for sections in split]


def _score_passages(words: Sequence[str], alike: Mapping[str, Sequence[tuple[int, float]]]) -> float:
    """Return what the best passage of a text is worth.

    `alike`: word → (number of a word of the question, what it is worth).
    """
    passages: dict[int, dict[int, float]] = {}
    for place, word in enumerate(words):
        if word in alike:
            half = place // (PASSAGE // 2)
            for number in (half, half - 1):
                best = passages.setdefault(number, {})
                for at, worth in alike[word]:
                    if worth > best.get(at, 0.0):
                        best[at] = worth
    return max((sum(best.values()) for best in passages.values()), default=0.0)


def _choose_words(encoder: Encoder, question: str) -> list[WordVector]:
    """Return the ASKED known words of a question that say most."""
    words = [encoder.encode_word(word) for word in dict.fromkeys(encoding.split_words(question))]
    return sorted((word for word in words if word.weight), key=lambda word: -word.weight)[:ASKED]


def _compare_words(encoder: Encoder, asked: Sequence[WordVector], names: Sequence[str]) -> list[list[float]]:
    """Return for each word of the question its cosines with some words, times its length; 0 with unknown ones."""
    if not asked:
        return []
    words = list(map(encoder.encode_word, names))
    questions = [[value - piece_table.BIAS for value in word.row] for word in asked]
    products = encoding.multiply_rows(questions, b"".join([word.row for word in words]))
    scales = [1 / word.length if word.length else 0.0 for word in words]
    return [list(map(mul, row, scales)) for row in products]
