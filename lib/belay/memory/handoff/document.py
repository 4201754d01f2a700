"""HANDOFF.md as text: seed 003's headings, prose first, then what code finds, a checksum in the last line.

Pure. By the checksum a later run knows whether the file was edited.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from belay.memory.handoff import sections
from belay.memory.handoff.own_memory import OwnMemory
from belay.memory.project_survey import Survey, format_stack
from belay.repository import projects
from belay.repository.survey import quotes

_SEAL = re.compile(r"\n*<!-- belay: handoff ([0-9a-f]{8}) -->\s*\Z")
_VERSIONED = re.compile(r"v\d+")
WHO_TO_ASK = "Who to Ask"
_SECTIONS: tuple[tuple[str, Callable[[Survey, OwnMemory], list[str]], str], ...] = (
    (
        "Quick Start", lambda look, _: sections.quick_start_steps(look),
        "No manifest or README says how; ask the people below.",
    ),
    ("Current State", sections.current_state, "Nothing is recorded."),
    ("Architecture", sections.architecture, "No notes are recorded."),
    ("Active Work", sections.active_work, "Nothing is recorded as in progress."),
    ("Key Decisions & Why", sections.decisions, "None are recorded."),
    ("Gotchas", sections.gotchas, "None are recorded yet; add what bites you."),
    (WHO_TO_ASK, lambda look, _: sections.who_to_ask(look), "History names nobody."),
)  # fmt: skip


class Signed(NamedTuple):
    """When (local date) and by whom (`user.name`) a handoff is made, and what the project is called."""

    date: str
    user: str
    name: str


def render_handoff(
    look: Survey, known: OwnMemory, prose: dict[str, list[str]], signed: Signed, contacts: Sequence[str] = ()
) -> str:
    """Return the file's text; `prose` is section title → lines ("" for those below the title).

    `contacts`: whom the user named for this project.
    """
    by = f"By: {signed.user} via Claude Code" if signed.user else "By: Claude Code"
    lines = [f"# Project Handoff: {signed.name}", f"Generated: {signed.date} | {by}", ""]
    lines += [*(prose.get("") or _format_overview(look, known)), ""]
    for title, make_lines, empty in _SECTIONS:
        prose_lines = prose.get(title, [])
        made_lines = sections.who_to_ask(look, contacts) if title == WHO_TO_ASK else make_lines(look, known)
        lines += [
            f"## {title}",
            *prose_lines,
            *([""] if prose_lines and made_lines else []),
            *(made_lines or ([] if prose_lines else [empty])),
            "",
        ]
    return add_seal("\n".join(lines))


def _format_overview(look: Survey, known: OwnMemory) -> list[str]:
    about = quotes.line(known.facts["overview"], 300) or (look.about.text if look.about else "")
    stack = "" if known.facts["overview"] else format_stack(look)
    return [" ".join(part for part in (about, f"{stack}." if stack else "") if part)]


def find_name(look: Survey, remote: str) -> str:
    """Return what a project is called: by its remote, its manifest, its folder."""
    owner, repository = projects.owner_and_name(remote)
    folder = look.project.root.rstrip("/").rpartition("/")[2]
    declared = str(look.stack["name"]) if look.stack["manifests"] else ""
    called = [repository, declared, folder if not remote else "", owner, folder]
    return next(
        (quotes.line(candidate, 80) for candidate in called if candidate and not _VERSIONED.fullmatch(candidate)),
        "project",
    )


def has_nothing(look: Survey, known: OwnMemory) -> bool:
    """Whether there is nothing to write: no commit, no manifest, no document, no memory."""
    return not (look.commits or look.stack["manifests"] or look.about or known.facts["sections"] or look.left.task)


def add_seal(text: str) -> str:
    """Return a text with its seal as last line."""
    body = text.rstrip("\n") + "\n"
    return f"{body}\n<!-- belay: handoff {_checksum(body)} -->\n"


def is_unedited(text: str) -> bool:
    """Whether a file is as Belay wrote it; line ends changed by git do not count."""
    plain = text.replace("\r\n", "\n")
    seal = _SEAL.search(plain)
    return bool(seal) and _checksum(plain[: seal.start()].rstrip("\n") + "\n") == seal.group(1) if seal else False


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode('utf-8', 'surrogateescape')):08x}"
