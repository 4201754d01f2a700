"""A cache of the knowledge base's lines for a session's start: the consolidator fills it, so that a start seldom waits.

The cached lines are signed, and valid while ledger, HEAD and daily logs are the same; else they are made anew, which
loads SQLite, and is done only in a project that has a knowledge base.
"""

from __future__ import annotations

import os
import zlib

from belay.context.recall import signed_files
from belay.context.start import knowledge, texts
from belay.core import files, settings
from belay.core.constants import INJECT_TOKENS
from belay.core.errors import BelayError, mend_foreign
from belay.core.text import composer
from belay.core.text.tokens import estimate
from belay.repository import vetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.session.session import Session

STEM = "context-"
WAIT = 0.2
"""Seconds a start waits for a process that writes the base."""
INSTRUCTIONS = ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"))
LEAST = 20
"""With fewer tokens of room nothing is shown."""


def keep_ready(project: Project, environ: Mapping[str, str], sessions: list[Session]) -> bool:
    """Make the lines for the next start, as a step of the consolidator; return whether there is a base."""
    if not os.path.lexists(project.workshop):
        return False
    lines = knowledge.choose_fitting([row for _, row in load_lines(project, environ)])
    knowledge.write_context_file(project, environ, lines)
    return True


def render_slot(project: Project, environ: Mapping[str, str], said: str, room: int) -> str:
    """Return the start's slot of the knowledge base in so many tokens; the same goes into session-context.md.

    What is `said` in the same start is left out.
    """
    if not os.path.lexists(project.workshop):
        return ""
    lines = knowledge.drop_repeated([row for _, row in load_lines(project, environ)], said.splitlines())
    fitting = knowledge.choose_fitting(lines, room) if room >= LEAST else []
    knowledge.write_context_file(project, environ, fitting)
    return knowledge.render(fitting)


def record_recalled(session: Session, injected: str) -> None:
    """Record which entries a start showed, so that no prompt and no edit of this session recalls them again."""
    if texts.KNOWLEDGE_HEAD not in injected:
        return
    rows = set(injected.splitlines())
    entries = {
        name: estimate(row + "\n") for name, row in load_lines(session.project, session.environ) if name and row in rows
    }
    if entries:
        session.log("recalled", rows=[], entries=entries, start=True)


def load_lines(project: Project, environ: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (id, line) from the cache, or made now where the cache is out of date."""
    path, now = _path(project), knowledge.cache_key(project)
    data = files.read(path)
    if signed_files.read_key(data) == now and (cached := signed_files.open_sealed(environ, data)):
        return [(str(name), str(row)) for name, row in cached[0]]
    return _make_lines(project, environ, path, now)


def _make_lines(project: Project, environ: Mapping[str, str], path: str, now: str) -> list[tuple[str, str]]:
    """Make the lines and cache them under the key from before: a change in between makes them anew."""
    from belay.knowledge.store import database
    from belay.knowledge.store.store import Store

    try:
        with Store(project.workshop, environ, wait=WAIT) as store:
            lines = knowledge.list_all(store, project, environ)
        files.write(path, signed_files.seal(environ, now, lines), sync=False)
    except OSError:
        return lines
    except (BelayError, database.SqlError):
        return []
    return lines


def _path(project: Project) -> str:
    """Return the path of the cache: work trees share the folder, and differ in what changed last."""
    return project.derived(f"{STEM}{zlib.crc32(os.fsencode(project.root)):08x}")


def reprint_instructions(project: Project, environ: Mapping[str, str], injected: str) -> str:
    """Return CLAUDE.md once more, as far as there is room, if the setting `reprint_claude_md` is on.

    Off by default: the client loads the file itself (HOST §4). Only trusted text (docs/trust.md).
    """
    if not settings.load_settings(project, environ)["reprint_claude_md"]:
        return ""
    room = INJECT_TOKENS - estimate(injected) - LEAST
    known = vetting.read_trusted(project, environ, list(INSTRUCTIONS))[0]
    rows = [row for name in INSTRUCTIONS for row in known.get(name, "").splitlines() if row.strip()]
    shown = composer.fit([texts.INSTRUCTIONS_HEAD, *rows], room) if rows and room > LEAST else ""
    return shown if "\n" in shown else ""


def explain_reprint(project: Project, environ: Mapping[str, str], injected: str) -> tuple[str, str] | None:
    """Return (why, mend) where the setting `reprint_claude_md` is on and CLAUDE.md is not shown; None else.

    `injected` is what a start shows, "" for what is true before one.
    """
    if texts.INSTRUCTIONS_HEAD in injected or not settings.load_settings(project, environ)["reprint_claude_md"]:
        return None
    known, unknown = vetting.read_trusted(project, environ, list(INSTRUCTIONS))
    refused = vetting.explain_refusals(project, [name for name in INSTRUCTIONS if os.path.lexists(project.at(name))])
    if any(text.strip() for text in known.values()):
        rest = f"the start's {INJECT_TOKENS} tokens are taken by what comes first"
        return (rest, "shorten the memory or CLAUDE.md's first lines") if injected else None
    if unknown:
        return f"{unknown[0]} came from elsewhere", mend_foreign(unknown[0], for_person=bool(injected))
    if refused:
        return refused[0], "repair the file"
    return "there is no CLAUDE.md, or it is empty", ""
