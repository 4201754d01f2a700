"""Which next step stays in "Where We Left Off": a person's until it is done; only Belay's own gives way to another.

A step that a wrap-up or a hand wrote is better than any that code finds. What Belay wrote by itself is kept in
`state/automatic-steps`, so that it can be told from a person's. Standard library only: a hook calls it.
"""

from __future__ import annotations

import os

from belay.core import files, json_codec
from belay.safety.labels import make_label
from belay.session.work.steps import find_work, is_covered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from belay.core.paths import Project
    from belay.session.state_types import State


def find_lasting_step(state: State) -> str:
    """Return a session's next step that still says something in a week, "" for none.

    A question that waits, a prompt that was cut off and a sentence that only announced a step are for the continuation.
    """
    work, answer = find_work(state), state["answer"]
    steps = [] if work.source == "prompt" else work.steps[1:] if work.question else work.steps
    announced = answer["announced"] if answer else ""
    return next((step for step in steps if not announced or announced not in step), "")


def may_replace(project: Project, path: str, known: str, finished: Iterable[str] = ()) -> bool:
    """Whether a file's next step gives way to one that code found: none is there, it is Belay's own, or it is done."""
    return not known.strip() or is_own(project, path, known) or is_done(known, finished)


def is_own(project: Project, path: str, text: str, field: str = "next") -> bool:
    """Whether Belay itself wrote what a field of a file says."""
    return bool(text) and text == _load(project).get(_key(project, path, field))


def record_step(project: Project, path: str, text: str, field: str = "next") -> None:
    """Remember that Belay itself wrote a file's next step, or its open question.

    A folder that cannot be written makes it a person's.
    """
    steps = {**_load(project), _key(project, path, field): text}
    try:
        files.write(_path(project), json_codec.encode(steps), sync=False)
    except OSError:
        return


def is_done(step: str, finished: Iterable[str]) -> bool:
    """Whether a commit's subject or a finished item names what the step says to do, with or without where."""
    prose = " ".join(part for part in step.split() if not _is_code(part))
    return any(is_covered(step, text) or is_covered(prose, text) for text in finished)


def _is_code(part: str) -> bool:
    """Whether a word names a file or a symbol: where a step is done, not what it does."""
    return "`" in part or "/" in part or "." in part.strip(".,;:!?")


def _key(project: Project, path: str, field: str) -> str:
    name = make_label(project.relative(path))
    return name if field == "next" else f"{name} {field}"


def _path(project: Project) -> str:
    return os.path.join(project.states, "automatic-steps")


def _load(project: Project) -> dict[str, str]:
    try:
        saved = json_codec.loads(files.read(_path(project)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    rows = saved.items() if isinstance(saved, dict) else ()
    return {name: step for name, step in rows if isinstance(name, str) and isinstance(step, str)}
