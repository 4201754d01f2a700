"""List the captures that wait to be filed, and check whether there is a memory file for them."""

from __future__ import annotations

import os

from belay.core import files
from belay.session.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.state_types import Capture

ASKED = "asked"
"""Origin of a capture that a prompt asked to remember."""
MENDED = "mended "
"""What the name of a milestone begins with that is a check which passes again: nothing is completed by that alone."""
FILED = "filed"
"""Kind of the journal record that says where captures went."""


def find_pending(session: Session) -> list[Capture]:
    """Return the open captures that a prompt asked to remember and that are in no memory file yet."""
    rows = session.state["captures"].values()
    return [row for row in rows if row["origin"] == ASKED and not row.get("filed")]


def has_file(session: Session) -> bool:
    """Whether there is a memory file that can be written; whether it may be is asked by who writes."""
    path = session.project.memory_md
    return os.path.isfile(path) and not files.explain_refusal(path)


def can_file(session: Session) -> bool:
    """Whether the file is known to be this user's and can be parsed: then what is started will be done."""
    from belay.core import environment
    from belay.safety import trust

    project, path = session.project, session.project.memory_md
    known = trust.is_known(session.environ, project.root, project.relative(path), files.read(path))
    return known and bool(environment.packages(session.environ))
