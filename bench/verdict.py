"""What every bench says of its figures: whether each keeps its bound, and whether the machine was quiet.

On a machine that others keep busy no figure is a verdict: the bench says so and ends with 0. On a quiet one a figure
beyond its bound ends it with 1; with `report` it never does. Quiet means: the bare runs of the interpreter hardly
differ, and while this process sleeps the processors do (/proc/stat; where there is none, only the bare runs count).

One slow measurement is chance, so what is beyond its bound is measured again: see `confirm`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PYTHON = os.path.realpath(sys.executable)
SPREAD = 1.3
"""p90 of the bare runs, in medians, at most."""
BUSY = 0.2
"""Processors that others may keep busy while this process sleeps."""
SLEEP = 1.0
LEAST_RUNS = 20
AGAIN = 2
"""Times that what is beyond its bound is measured again."""


class Machine:
    """The machine while a bench runs. Make it before the first measurement, and let `bare` be part of each round."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.busy = _busy()

    def bare(self) -> float:
        """Run the bare interpreter; return the seconds it took."""
        begun = time.perf_counter()
        subprocess.run([PYTHON, "-S", "-E", "-c", "pass"], check=True)
        self.times.append(time.perf_counter() - begun)
        return self.times[-1]

    def quiet(self) -> bool:
        """Return whether it was quiet until now."""
        while len(self.times) < LEAST_RUNS:
            self.bare()
        self.busy = max(self.busy, _busy())
        return self.spread() <= SPREAD and self.busy <= BUSY

    def spread(self) -> float:
        """Return p90 of the bare runs in medians."""
        return sorted(self.times)[int(len(self.times) * 0.9)] / statistics.median(self.times)

    def close(self, verdicts: list[str], quietly: bool = False, report: bool = False) -> int:
        """Say whether the machine was quiet; return the exit status.

        `quietly`: on stderr, for --json. `report`: the status is 0 whatever the verdicts are.
        """
        quiet = self.quiet()
        facts = (
            f"bare run {statistics.median(self.times) * 1e3:.1f} ms, p90/p50 {self.spread():.2f} (at most {SPREAD}), "
            f"others kept {self.busy:.2f} processors busy (at most {BUSY}), load {_load()}"
        )
        out = sys.stderr if quietly else sys.stdout
        print(("quiet: " if quiet else "not quiet: figures are not a verdict: ") + facts, file=out)
        bound, over = sum(word != "" for word in verdicts), sum(word not in ("", "ok") for word in verdicts)
        print(f"{bound - over} of {bound} figures keep their bound", file=out)
        return int(quiet and over > 0 and not report)


def confirm(
    measure: Callable[[], list[dict[str, Any]]], figure: Callable[[dict[str, Any]], str]
) -> list[dict[str, Any]]:
    """Measure, and twice again at most while a row is beyond its bound; one that kept its bound once keeps it.

    `measure` returns rows with a "verdict", the same cases in the same order each time; `figure` puts what was measured
    of a row in words. Under "measured", a row has those words of each of its measurements.
    """
    rows = measure()
    measured = [[figure(row)] for row in rows]
    for _ in range(AGAIN):
        beyond = [at for at, row in enumerate(rows) if row["verdict"] not in ("", "ok")]
        if not beyond:
            break
        newer = measure()
        for at in beyond:
            rows[at] = newer[at]
            measured[at].append(figure(newer[at]))
    return [{**row, "measured": words} for row, words in zip(rows, measured, strict=True)]


def state(row: dict[str, Any]) -> str:
    """Return the verdict of a row, with all its measurements where it was measured more than once."""
    words = row["measured"]
    return f"{row['verdict']} (measured: {', '.join(words)})" if len(words) > 1 else row["verdict"]


def verdict(value: float, bound: float | None, least: bool = False) -> str:
    """Return "ok", "OVER" (for a bound that is the least: "UNDER"), or "" where there is no bound."""
    if bound is None:
        return ""
    if least:
        return "ok" if value >= bound else "UNDER"
    return "ok" if value <= bound else "OVER"


def _busy() -> float:
    """Return how many processors were busy while this process slept, 0.0 where the system does not say."""
    before, begun = _jiffies(), time.monotonic()
    time.sleep(SLEEP)
    return (_jiffies() - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - begun)


def _jiffies() -> int:
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    except (OSError, ValueError):
        return 0
    return user + nice + system + irq + softirq + steal


def _load() -> str:
    try:
        return f"{os.getloadavg()[0]:.2f}"
    except OSError:
        return "unknown"
