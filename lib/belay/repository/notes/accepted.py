"""Breadcrumbs of other people that the user accepted, known by all that they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core import json_codec
from belay.repository.notes import lines
from belay.safety import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.repository.notes.lines import Found

PLACE = "git notes"
"""Under which they are in the store of trusted texts."""


def accept(project: Project, environ: Mapping[str, str], row: Found) -> bool:
    """Remember that the user accepted a breadcrumb; False where that cannot be kept."""
    return trust.accept(environ, project.home, PLACE, _encode(row))


def is_accepted(project: Project, environ: Mapping[str, str], row: Found) -> bool:
    """Whether the user accepted a breadcrumb as it is."""
    return trust.is_known(environ, project.home, PLACE, _encode(row))


def _encode(row: Found) -> bytes:
    return json_codec.dumps(lines.clean(row)).encode("utf-8", "replace")
