"""Runs without a blank in a long text, so that not every one of thousands of names is looked behind."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set

    Run = tuple[int, int]

LONG_TEXT = 65_536
"""Characters from which on a text is worth loading `re` for."""


def find_long_runs(text: str, lengths: Set[int]) -> LongRuns | None:
    """Return the runs of these least lengths in a long text, None for a short one."""
    if len(text) <= LONG_TEXT:
        return None
    import re

    bounds = [match.span() for match in re.finditer(rf"\S{{{min(lengths)},}}", text)]
    return LongRuns({least: [run for run in bounds if run[1] - run[0] >= least] for least in lengths})


class LongRuns:
    """Least length → runs of so many characters and more, in order; read from the first to the last once."""

    def __init__(self, runs: dict[int, list[Run]]) -> None:
        self._runs = runs
        self._at = dict.fromkeys(runs, 0)

    def is_near(self, end: int, least: int, within: int) -> bool:
        """Whether so many characters of a run come within so many after `end`; to be asked in order of `end`."""
        runs, at = self._runs[least], self._at[least]
        while at < len(runs) and runs[at][1] < end + least:
            at += 1
        self._at[least] = at
        return at < len(runs) and max(runs[at][0], end) + least <= end + within
