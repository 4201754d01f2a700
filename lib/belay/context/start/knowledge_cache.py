"""The knowledge base at a session's start: its lines, kept ready by the consolidator, so that a start seldom waits.

The kept lines are sealed, and hold while ledger, HEAD and daily logs are the same; else they are made anew, which loads
SQLite, and is done only in a project that has a knowledge base.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from belay.context.recall import signed_files
from belay.context.start import knowledge
from belay.core import files, settings
from belay.core.constants import INJECT_TOKENS
from belay.core.errors import BelayError
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.repository import vetting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.session.session import Session

STEM = "context-"
WAIT = 0.2
"""Seconds a start waits for a writer of the base."""
INSTRUCTIONS = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"))
LEAST = 20
"""Tokens of room below which nothing is begun."""


def step(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> bool:
    """Keep the lines ready for the next start, as a step of the consolidator; return whether there is a base."""
    if not os.path.isfile(project.workshop):
        return False
    knowledge.write(project, knowledge.fitting([row for _, row in lines(project, environ)]))
    return True


def told(project: Project, environ: Mapping[str, str], said: str, room: int) -> str:
    """Return what a start tells of the knowledge base in so many tokens; the same goes into session-context.md.

    What is `said` in the same start is left out.
    """
    if not os.path.isfile(project.workshop):
        return ""
    found = knowledge.unsaid([row for _, row in lines(project, environ)], said.splitlines())
    kept = knowledge.fitting(found, room) if room >= LEAST else []
    knowledge.write(project, kept)
    return knowledge.told(kept)


def note(session: Session, injected: str) -> None:
    """Note which entries a start told, so that no prompt and no edit of this session tells them again."""
    if knowledge.HEAD not in injected:
        return
    rows = set(injected.splitlines())
    entries = {
        name: estimate(row + "\n")
        for name, row in lines(session.project, session.environ)
        if name and row in rows
    }
    if entries:
        session.log("recalled", rows=[], entries=entries, start=True)


def lines(project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (id, line) as they were kept, or made now where they are of another state of things."""
    path, now = _path(project), knowledge.key(project)
    data = files.read(path)
    if signed_files.key(data) == now and (kept := signed_files.opened(environ, data)):
        return [(str(name), str(row)) for name, row in kept[0]]
    return _made(project, environ, path, now)


def _made(project: Project, environ: Mapping[str, str], path: str, now: str) -> list[tuple[str, str]]:
    """Make the lines and keep them under the key of before: what changes meanwhile makes them anew."""
    from belay.knowledge.store import database
    from belay.knowledge.store.store import Store

    try:
        with Store(project.workshop, environ, wait=WAIT) as store:
            found = knowledge.whole(store, project, environ)
        files.write(path, signed_files.seal(environ, now, found), sync=False)
    except OSError:
        return found
    except (BelayError, database.SqlError):
        return []
    return found


def _path(project: Project) -> str:
    """Return where the lines are kept: work trees share the folder, and differ in what changed last."""
    return project.derived(f"{STEM}{zlib.crc32(os.fsencode(project.root)):08x}")


def instructions(project: Project, environ: Mapping[str, str], injected: str) -> str:
    """Return CLAUDE.md once more, as far as the start has room, where the setting `reprint_claude_md` asks for it.

    Off by default: the client loads the file itself (HOST §4). Only known text (docs/trust.md).
    """
    if not settings.load_settings(project, environ)["reprint_claude_md"]:
        return ""
    room = INJECT_TOKENS - estimate(injected) - LEAST
    texts = vetting.vetted(project, environ, list(INSTRUCTIONS))[0]
    rows = [row for name in INSTRUCTIONS for row in texts.get(name, "").splitlines() if row.strip()]
    shown = composer.fit(["CLAUDE.md, once more:", *rows], room) if rows and room > LEAST else ""
    return shown if "\n" in shown else ""
