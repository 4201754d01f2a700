"""Remembering one thing: the journal first, then the sections of MEMORY.md that its kind names (seed 003, mid-session).

What a person asked for in passing ("remember this") is filed by a process of its own, and by whoever comes next if
that was not possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, kinds, plain_text
from belay.core.errors import mend_foreign
from belay.memory import memory_files, templates
from belay.memory.remember import layer, sentences
from belay.memory.remember.requests import FILED, MENDED, find_pending, has_file
from belay.session import captures, working_buffer
from belay.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.core.paths import Project
    from belay.memory.document.page import Page
    from belay.memory.remember.filing_process import Milestone
    from belay.memory.remember.notes import Note
    from belay.session.records import Candidate
    from belay.session.state_types import Capture

FOREIGN = "came from elsewhere and was not accepted; {mend}"


class Outcome(NamedTuple):
    """What became of a note: the file (a path from the root), the titles that changed, its line (1-based).

    `known`: it was there already; `why`: it was not written.
    """

    kind: str
    text: str
    file: str
    sections: list[str]
    line: int
    known: bool = False
    why: str = ""


def guess_kind(text: str) -> str:
    """Guess the kind of a sentence that was filed without one; `note` if its words give no hint."""
    from belay.triggers import classifier, requests

    sentence = sentences.strip_request(text)
    if sentences.guess_kind(sentence):
        return sentences.guess_kind(sentence)
    verdict = classifier.classify(sentence)
    entries = sorted(verdict.entries or verdict.near, key=lambda entry: -entry.confidence)
    kind = next((kinds.CLASS_NOTES[entry.label] for entry in entries if entry.label in kinds.CLASS_NOTES), "")
    return kind or (kinds.PREFERENCE if requests.is_order(text) else kinds.NOTE)


def capture_kind(row: Capture) -> str:
    """Return the kind of a capture: the one that a person gave it, else a guess from its words."""
    kind = kinds.CLASS_NOTES.get(working_buffer.main_class(row), "")
    return kind if kind and row["origin"] in ("hand", "answered") else guess_kind(row["text"])


def record_capture(session: Session, kind: str, text: str) -> str:
    """Record what is to be remembered before any file is touched; return the capture's id, "" where that failed."""
    sentence = f"Done: {text}" if kind == kinds.DONE else text
    candidate: Candidate = {"classes": {kinds.NOTES[kind][1]: 1.0}, "text": sentence, "origin": "hand"}
    return "".join(record["id"] for record in captures.record_captures(session, [candidate]))


def file_note(session: Session, note: Note, ids: list[str] | None = None) -> Outcome:
    """Put a note into the memory file and say in the journal where the captures it came from went.

    The file is created if there is none, because the user asked for the note. Raises LockTimeout.
    """
    with memory_files.lock_memory(session.project):
        outcome = _write_note(session, note)
    if ids and not outcome.why:
        session.log("filed", ids=ids, file=outcome.file, sections=outcome.sections, line=outcome.line)
        if note.kind == kinds.DONE:
            session.log("close", ids=ids, how=FILED)
            captures.update_buffer(session)
        session.save()
    return outcome


def explain_refusal(project: Project, environ: Mapping[str, str], path: str) -> str:
    """Return why a memory file is not written here, "" when it may be: no stranger's text is added to."""
    why = memory_files.explain_refusal(project, path)
    if not why and not memory_files.is_trusted(project, environ, path):
        why = FOREIGN.format(mend=mend_foreign(plain_text.one_line(project.relative(path), 120)))
    return why


def _write_note(session: Session, note: Note) -> Outcome:
    from belay.memory.document import page
    from belay.memory.remember import insertion

    form = load_template(session)

    def change(old: Page, base: Page | None) -> Page:
        if not old.text.strip():
            return insertion.create_memory(form, note)
        return insertion.insert_note(old, note, page.parse(form), base)

    return _change_file(session, note, change)


def _change_file(session: Session, note: Note, change: Callable[[Page, Page | None], Page]) -> Outcome:
    """Change the file that a note belongs to; the caller holds the lock."""
    from belay.memory.document import page
    from belay.memory.remember import notes

    path, branch = layer.settle_target(session, note)
    name = session.project.relative(path)
    why = explain_refusal(session.project, session.environ, path)
    if why:
        return Outcome(note.kind, note.text, name, [], 0, why=why)
    old = page.parse(memory_files.read_text(path))
    saved = layer.write_layer(session, path, branch, change)
    new = page.parse(memory_files.read_text(path))
    titles = notes.find_changed_titles(old, new) or notes.find_titles(new, note)
    line = notes.find_line(new, note)
    return Outcome(note.kind, note.text, name, titles, line, known=not saved.what, why=saved.why)


def load_template(session: Session) -> str:
    """Return the template of a memory file, its header filled for a first session."""
    branch = plain_text.one_line(session.branch or "no branch", working_buffer.BRANCH_CHARS)
    return templates.begin_memory(session.project, session.environ, clock.local_date(), branch)


def format_outcome(outcome: Outcome) -> str:
    """Return what became of a note, in one line with its place."""
    line = f" (line {outcome.line})" if outcome.line else ""
    where = ", ".join([outcome.file, *outcome.sections]) + line
    if outcome.why:
        return f"Not written: {outcome.file} {outcome.why}"
    if outcome.known:
        return f"Already there: {where}"
    return f"Saved: {outcome.kind} “{outcome.text}” in {where}"


def file_pending(session: Session, milestone: Milestone | None = None) -> list[Outcome]:
    """File what prompts asked to remember, and a milestone; nothing where there is no memory file or no parser."""
    if not has_file(session) or not has_parser(session.environ):
        return []
    outcomes = [_file_capture(session, row) for row in find_pending(session)]
    return [*outcomes, file_milestone(session, milestone)] if milestone else outcomes


def _file_capture(session: Session, row: Capture) -> Outcome:
    from belay.memory.remember import notes

    note = notes.build_note(capture_kind(row), sentences.strip_request(row["text"]), clock.local_date(row["time"]))
    return file_note(session, note, [row["id"]])


def file_milestone(session: Session, milestone: Milestone) -> Outcome:
    """Bring Active Work, Completed and Where We Left Off up to date with a milestone {what, text, files, also, left}.

    A check that passes again changes Where We Left Off alone: no work is completed by it.
    """
    from belay.memory.document import page
    from belay.memory.remember import insertion, notes

    note = notes.Note(kinds.DONE, milestone["text"], clock.local_date(), files=tuple(milestone["files"]))
    form = page.parse(load_template(session))

    def change(old: Page, base: Page | None) -> Page:
        if milestone["what"].startswith(MENDED):
            return insertion.update_left_off(old, milestone["left"], form, base)
        new = insertion.insert_milestone(old, note, milestone["also"], milestone["left"], form, base)
        return _drop_own_step(session, note, new) if milestone["left"].get("status") == "done" else new

    with memory_files.lock_memory(session.project):
        return _change_file(session, note, change)


def _drop_own_step(session: Session, note: Note, page: Page) -> Page:
    """Return the page of a finished task without the next step that Belay itself had found before."""
    from belay.memory import next_steps
    from belay.memory.document import edits, facts

    path, _ = layer.find_target(session, note)
    step = facts.read_facts(page)["left"]["next"]
    return edits.set_left_off(page, {"next": ""}) if next_steps.is_own(session.project, path, step) else page


def has_parser(environ: Mapping[str, str]) -> bool:
    """Whether memory files can be parsed here; a hook's interpreter starts without the environment's packages."""
    from belay.core import environment

    environment.add_packages(environ)
    try:
        import markdown_it
    except ImportError:
        return False
    return bool(markdown_it)
