"""All patterns of a folder's code, those that hold in most places first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.places.patterns import code_habits, layout, libraries, route_shapes
from belay.places.patterns.sample import Sample

if TYPE_CHECKING:
    from belay.places.patterns.candidates import Candidate
    from belay.repository.code.survey import Survey

_QUOTED = re.compile(r"`([^`]*)`")
# What stands between backticks is taken from the repository: a name, never a sentence.
_NAME = re.compile(r"[\w@$%/.,:+*()\[\]{}=~!-]{1,120}|try … catch|Should\w+…|\"use client\"|\w[\w.]*\(…\)")


def find_patterns(survey: Survey) -> list[Candidate]:
    """Return the patterns of the code of a folder, each statement once."""
    sample = Sample(survey)
    found = {
        candidate.statement: candidate
        for module in (route_shapes, libraries, code_habits, layout)
        for candidate in module.find_patterns(sample)
        if all(_NAME.fullmatch(name) for name in _QUOTED.findall(candidate.statement))
    }
    return sorted(found.values(), key=lambda one: (one.kind, -one.number, one.statement))
