"""What the sentinel says of a call."""

from __future__ import annotations

from belay.core.tuples import NamedTuple

NOETIC, PRAXIC = "noetic", "praxic"


class Verdict(NamedTuple):
    """`kind`: noetic for a call that only looks, praxic for one that may change something; `why` in a few words."""

    kind: str
    why: str

    @property
    def acts(self) -> bool:
        """Whether the call may change something."""
        return self.kind == PRAXIC


def reads(why: str) -> Verdict:
    """Return the verdict on a call that only looks."""
    return Verdict(NOETIC, why)


def acts(why: str) -> Verdict:
    """Return the verdict on a call that may change something."""
    return Verdict(PRAXIC, why)
