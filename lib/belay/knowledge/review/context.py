"""What surrounds a capture in its session's journal: the commit, the files at work, what had just happened."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, plain_text, signatures
from belay.core.terms import words
from belay.knowledge.review.entry_kinds import REJECTED
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.review.capture_list import CapturedText
    from belay.session.journal import Line

FILES = 3
_NAMED = 5
_SAID = 160
TALK_CHARS = 400
"""Characters of Claude's answer that are kept, for searches, beside what the user said to it."""


class CaptureContext(NamedTuple):
    """Commit at the prompt ("" for unknown), files that the text names, files at work, what happened, in a sentence.

    `about`: the end of the answer before the prompt, and the session's task.
    """

    commit: str
    named: tuple[str, ...]
    at_work: tuple[str, ...]
    happened: str
    about: str


class Journals:
    """The journals that captures came from, each read once."""

    def __init__(self, project: Project, environ: Mapping[str, str]) -> None:
        self.project, self.environ = project, environ
        self._read: dict[str, list[Line]] = {}

    def records_of(self, session: str) -> list[Line]:
        if session not in self._read:
            records = journal.read(self.project.journal(session))[0]
            self._read[session] = [row for row in records if signatures.is_own(self.environ, session, row.get("mark"))]
        return self._read[session]

    def edited(self, session: str) -> list[str]:
        """Return the files that a session edited, in order."""
        files = (
            file for row in self.records_of(session) if row.get("kind") == "edit" for file in row.get("files") or ()
        )
        return [str(file.get("path", "")) for file in files if isinstance(file, dict)]


def load_context(journals: Journals, capture: CapturedText) -> CaptureContext:
    """Return what surrounds a capture; little where its journal is gone."""
    commit, task, turns = "", "", [[], []]  # type: tuple[str, str, list[list[Line]]]
    for record in journals.records_of(capture.session):
        if record.get("kind") == "capture" and record.get("id") == capture.id:
            break
        commit = str(record.get("head") or commit)
        if record.get("kind") == "prompt":
            task = str(record.get("task") or task)
            turns = [turns[-1], []]
        else:
            turns[-1].append(record)
    turn = turns[-1] if capture.origin == REJECTED else turns[0]
    files = _list_files(turn, rejected=capture.origin == REJECTED)
    named = find_named_files(journals.project, capture.text, journals.edited(capture.session))
    return CaptureContext(
        commit, (*filter(None, [capture.file]), *named), tuple(files), _describe(capture, turn, files),
        _join_talk(turns[0], task),
    )  # fmt: skip


def _join_talk(turn: list[Line], task: str) -> str:
    """Return what Claude had said before the prompt, its end, and the task: the words that people remember it by."""
    answers = [str(row.get("text", "")) for row in turn if row.get("kind") == "said"][-1:]
    return plain_text.one_line(
        " ".join(filter(None, (*(answer[-TALK_CHARS:] for answer in answers), task))), TALK_CHARS * 2
    )


def _list_files(turn: list[Line], *, rejected: bool) -> list[str]:
    """Return the files of a turn's edits, or that of the call that was turned down, which is its last."""
    if rejected:
        return [str(row["file"]) for row in turn if row.get("kind") == "intent" and row.get("file")][-1:]
    edits = [row for row in turn if row.get("kind") == "edit"]
    paths = [str(file.get("path", "")) for row in edits for file in row.get("files") or ()]
    return list(dict.fromkeys(filter(None, paths)))[-FILES:]


def _describe(capture: CapturedText, turn: list[Line], files: list[str]) -> str:
    when = clock.local_date(capture.time)
    if capture.origin == REJECTED:
        calls = [row for row in turn if row.get("kind") == "intent"]
        tool = str(calls[-1].get("tool", "")) if calls else ""
        what = str(calls[-1].get("file") or calls[-1].get("command") or "") if calls else ""
        return f"{when}: a call was turned down" + (f" ({tool} {what}".rstrip() + ")" if tool else "")
    answers = [str(row.get("text", "")) for row in turn if row.get("kind") == "said"][-1:]
    after = f" after edits of {', '.join(files)}" if files else ""
    answer = plain_text.shown(answers[0], _SAID) if answers else ""
    return f"{when}: corrected{after}" + (f"; Claude had said: {answer}" if answer else "")


def find_named_files(project: Project, text: str, near: list[str]) -> list[str]:
    """Return the files and folders that a text names: they exist in the project, or the session edited them."""
    paths = []
    for word in words(f" {text}".replace("`", " ").replace(" ./", " ")):
        name = word.partition(":")[0].rstrip("/")
        if not name or name[:1] in "/~" or ".." in name.split("/"):
            continue
        edited = [path for path in near if path == name or ("." in name and path.endswith("/" + name))]
        if edited:
            paths.append(edited[-1])
        elif ("/" in name or "." in name) and os.path.lexists(project.at(name)):
            paths.append(name + "/" if os.path.isdir(project.at(name)) else name)
    return list(dict.fromkeys(paths))[:_NAMED]
