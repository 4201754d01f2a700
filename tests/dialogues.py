"""Conversations for tests: the client's transcripts of a project, line for line, and what is kept of them."""

import os

import transcripts as lines

from belay.core import paths
from belay.knowledge.conversations import step, turns
from belay.knowledge.conversations.archive import Archive

NAMES = ("3f2a9c1e-1111-4222-8333-444444444444", "77b0c5d2-1111-4222-8333-555555555555")


def prompt(text, time="2026-03-01T10:00:00.500Z", **fields):
    return lines.entry("user", message={"role": "user", "content": text}, time=time, **fields)


def answer(text, time="2026-03-01T10:01:00.500Z", kind="text", **fields):
    block = {"type": "text", "text": text} if kind == "text" else {"type": kind, kind: text}
    message = {"role": "assistant", "model": "claude-opus-4-5", "content": [block]}
    return lines.entry("assistant", **{"message": message, "time": time, **fields})


def call(use, name, time="2026-03-01T10:00:30.500Z", **given):
    block = {"type": "tool_use", "id": use, "name": name, "input": given}
    return lines.entry("assistant", message={"role": "assistant", "content": [block]}, time=time)


def result(use, text="The file has been updated successfully.", **fields):
    block = {"type": "tool_result", "tool_use_id": use, "content": text, **fields}
    return lines.entry("user", message={"role": "user", "content": [block]}, time="2026-03-01T10:00:40.500Z")


def edited(path, use="toolu_1"):
    """Return the two lines of an edit that was made."""
    return [call(use, "Edit", file_path=str(path), old_string="a", new_string="b"), result(use)]


def write(project, name, *rows, where=None, end="\n", branch="main"):
    """Write a session's transcript into the client's folder of a project; return its path."""
    folder = paths.client_project(os.environ, project.home)
    os.makedirs(folder, exist_ok=True)
    common = {"cwd": where or project.root, "gitBranch": branch}
    full = [row if isinstance(row, bytes) else {**common, **row} for row in rows]
    return lines.write(_path(folder, name), full, end)


def _path(folder, name):
    from pathlib import Path

    return Path(folder) / f"{name}.jsonl"


def kept(project):
    return Archive(project.sessions, os.environ)


def run(project):
    """Bring a project's conversations up to date; return the archive."""
    step.run(project, os.environ)
    return kept(project)


def read(project, name=NAMES[0]):
    """Return the conversation that is kept of a session."""
    return turns.read_conversation(kept(project).load(name))


def text(project, name=NAMES[0]):
    return "\n".join(turns.render(read(project, name)))
