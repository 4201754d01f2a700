"""How well a text answers: BM25 of the document and of its best section, and how close the words are. Pure.

BM25 is Robertson and Zaragoza's (2009), with one count of a term over weighted fields (BM25F). Figures: docs/search.md.
"""

from __future__ import annotations

from belay.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from belay.knowledge.search.postings import Spot

K1, B = 1.5, 0.75
FIELDS = {"text": 1.0, "title": 3.0, "parts": 0.5}
"""Weight of a word by its field: `title` has the headings, or an entry's type, tags and files."""
SECTION, WINDOW = 1.0, 0.5
"""What the best section and its best window count beside the document."""
WINDOW_WORDS = 24


class Text(NamedTuple):
    """One text of the index: the document it is of, and the lengths of both as shares of the mean."""

    unit: str
    length: float
    unit_length: float


class Ranked(NamedTuple):
    """A document found: its score, 0 to 1, and its texts, the best first."""

    score: float
    nums: list[int]


Counts = dict[int, float]


def count_groups(spots: Sequence[Spot]) -> Counts:
    """Return how often each group occurs in a text, by weight of the field."""
    counts: Counts = {}
    for group, _, column in spots:
        counts[group] = counts.get(group, 0.0) + FIELDS[column]
    return counts


def rank_roughly(spots: Mapping[int, Sequence[Spot]], weights: Sequence[float]) -> list[int]:
    """Return the numbers of texts, those first that have most of what is asked for: what is worth a closer look."""
    worth = {
        num: (
            sum([weights[group] for group in {spot[0] for spot in placed}])
            if len(placed) > 1
            else weights[placed[0][0]],
            len(placed),
            num,
        )
        for num, placed in spots.items()
    }
    return sorted(worth, key=worth.__getitem__, reverse=True)


def score_bm25(counts: Counts, weights: Sequence[float], length: float) -> float:
    """Return BM25 for the counts of a text; `length` as a share of the mean."""
    norm = K1 * (1 - B + B * length)
    return sum(weights[group] * count * (K1 + 1) / (count + norm) for group, count in counts.items())


def score_window(spots: Sequence[Spot], weights: Sequence[float]) -> float:
    """Return the most that the distinct words within WINDOW_WORDS of each other are worth."""
    best = now = 0.0
    inside: dict[int, int] = {}
    placed = sorted((place, group) for group, place, column in spots if place >= 0 and column == "text")
    first = 0
    for place, group in placed:
        now += 0.0 if inside.get(group) else weights[group]
        inside[group] = inside.get(group, 0) + 1
        while placed[first][0] < place - WINDOW_WORDS:
            left = placed[first][1]
            inside[left] -= 1
            now -= 0.0 if inside[left] else weights[left]
            first += 1
        best = max(best, now)
    return best


def rank_documents(
    texts: Mapping[int, Text], spots: Mapping[int, Sequence[Spot]], weights: Sequence[float]
) -> list[Ranked]:
    """Return the documents of some texts, each with its score: its share of the best conceivable one."""
    counts = {num: count_groups(spots[num]) for num in texts}
    section_scores = {
        num: SECTION * score_bm25(counts[num], weights, text.length) + WINDOW * score_window(spots[num], weights)
        for num, text in texts.items()
    }
    units: dict[str, list[int]] = {}
    for num in sorted(texts, key=lambda num: (-section_scores[num], num)):
        units.setdefault(texts[num].unit, []).append(num)
    most = ((1 + SECTION) * (K1 + 1) + WINDOW) * sum(weights) or 1.0
    return [
        Ranked((_score_document(nums, counts, weights, texts) + section_scores[nums[0]]) / most, nums)
        for nums in units.values()
    ]


def _score_document(
    nums: Sequence[int], counts: Mapping[int, Counts], weights: Sequence[float], texts: Mapping[int, Text]
) -> float:
    together: Counts = {}
    for num in nums:
        for group, count in counts[num].items():
            together[group] = together.get(group, 0.0) + count
    return score_bm25(together, weights, texts[nums[0]].unit_length)
