"""The lines of a layered memory: a health scored over several files names the line of the right file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from belay.memory.document.page import Page, strip_line_end
from belay.memory.health.health_types import Dimension, Health, Reason

_ALSO = " (also line "
_LINE = ("edit line ", "add below line ")


class Place(NamedTuple):
    """A 1-based line of a file; the file is "" for the base, line 0 for a line that is in neither."""

    line: int
    file: str = ""


def find_places(merged: Page, base: Page, above: Mapping[str, Page]) -> list[Place]:
    """Return where each line of a merged page comes from; of a line that several have, the topmost's is the newest.

    `above` are the layers over the base, by name, the topmost last.
    """
    known = {text: Place(line) for text, line in _number_lines(base).items()}
    for name, top in above.items():
        known |= {text: Place(line, name) for text, line in _number_lines(top).items()}
    return [known.get(strip_line_end(row), Place(0)) for row in merged.lines]


def _number_lines(page: Page) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, row in enumerate(page.lines, 1):
        if strip_line_end(row).strip():
            numbers.setdefault(strip_line_end(row), number)
    return numbers


def place_reasons(health: Health, places: list[Place]) -> Health:
    """Return a health whose reasons name the line of the file they come from, and that file if it is not the base."""

    def place(dimension: Dimension) -> Dimension:
        return {**dimension, "reasons": [_place_reason(reason, places) for reason in dimension["reasons"]]}

    return {
        "score": health["score"],
        "points": health["points"],
        "limits": health["limits"],
        "freshness": place(health["freshness"]),
        "relevance": place(health["relevance"]),
        "completeness": place(health["completeness"]),
        "actionability": place(health["actionability"]),
    }


def _place_reason(reason: Reason, places: list[Place]) -> Reason:
    place = places[reason["line"] - 1] if 0 < reason["line"] <= len(places) else Place(0)
    what, _, also = reason["what"].rpartition(_ALSO) if reason["what"].endswith(")") else ("", "", "")
    what = (what + _place_other_lines(also, places)) if what else reason["what"]
    mend = _place_advice(reason, place)
    moved: Reason = {**reason, "line": place.line, "what": what, "mend": mend}
    if place.file:
        moved["file"] = place.file
    return moved


def _place_advice(reason: Reason, place: Place) -> str:
    mend = reason["mend"]
    opening = next((words for words in _LINE if mend.startswith(f"{words}{reason['line']}")), "")
    if not opening:
        return mend
    rest = mend[len(opening) + len(str(reason["line"])) :]
    of = f" of {place.file}" if place.file else ""
    return f"{opening}{place.line}{of}{rest}" if place.line else f"{opening.rstrip()}{rest}"


def _place_other_lines(also: str, places: list[Place]) -> str:
    numbers = [int(word) for word in also.rstrip(")").split(", ") if word.isascii() and word.isdigit()]
    others = [places[number - 1] for number in numbers if 0 < number <= len(places)]
    lines = ", ".join(f"{place.line} of {place.file}" if place.file else str(place.line) for place in others)
    return f"{_ALSO}{lines})" if lines else ""
