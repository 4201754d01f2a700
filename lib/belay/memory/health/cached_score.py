"""Keep what is known of the memory without parsing it: its last health score, and whether it can be compressed."""

from __future__ import annotations

import os

from belay.core import files, json_codec
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.core.paths import Project

NAME = "health.json"
"""Where the status line finds the score."""
TIGHT = "tight"
BEST = 10


def score_path(project: Project) -> str:
    """Return where the score is kept."""
    return os.path.join(project.states, NAME)


def save_score(project: Project, score: int, sha: str) -> bool:
    """Keep the score of the memory with this content hash; False where Belay has no folder yet or cannot write.

    The file is a few bytes and the last writer wins: no lock and no sync, the next start writes it again.
    """
    if not os.path.isdir(project.states):
        return False
    try:
        files.write(score_path(project), json_codec.encode({"score": score, "sha": sha}), sync=False)
    except OSError:
        return False
    return True


def read_score(project: Project) -> int:
    """Return the last score, 0 where there is none or the file is anything else."""
    try:
        data = json_codec.loads(files.read(score_path(project), FILE_BYTES).decode("utf-8", "replace") or "{}")
    except (OSError, ValueError):
        return 0
    score = data.get("score") if isinstance(data, dict) else 0
    return score if type(score) is int and 0 < score <= BEST else 0


def mark_tight(project: Project, sha: str) -> None:
    """Note that a compression found nothing to take out of the memory with this content hash."""
    try:
        if os.path.isdir(project.states) and not is_tight(project, sha):
            files.write(os.path.join(project.states, TIGHT), sha.encode(), sync=False)
    except OSError:
        return  # it is offered once more


def is_tight(project: Project, sha: str) -> bool:
    """Whether a compression found nothing to take out of the memory with this content hash."""
    return files.read(os.path.join(project.states, TIGHT), FILE_BYTES) == sha.encode()
