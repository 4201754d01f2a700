"""`workshop init`: a knowledge base for this project; an earlier tool's is taken over."""

from __future__ import annotations

import os

from belay import ignore, workshop
from belay.cli import base as opening
from belay.cli import face
from belay.cli.face import Result
from belay.knowledge.store import Store
from belay.workshop import Place


@face.command("init", examples="workshop init\nworkshop --db notes.db init")
def command() -> Result:
    """Make the knowledge base; take an earlier tool's over."""
    named = opening.named()
    place = Place(named, 1, opening.project()) if named else workshop.find(os.getcwd(), os.environ)
    target = place.path if named or not place.project or place.rule < 4 else place.project.workshop
    stood = os.path.exists(target)
    ignored = bool(place.project) and not named and ignore.ensure(place.project)  # type: ignore[arg-type]
    with Store(target, os.environ, create=True):
        pass
    data = {"path": target, "rule": place.rule, "made": not stood, "ignored": ignored}
    return Result(data, f"{target} is {'ready' if stood else 'made'}.")
