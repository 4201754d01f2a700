"""The "Where We Left Off" section of a trusted memory file, brought up to date line by line when context runs low.

It uses only the standard library, because a hook calls it: a field is changed only if it has its own line and
line and page (`memory.edit.left_off`) cannot disagree; the rest waits for the end of the session.
"""

from __future__ import annotations

import os

from belay.core import plain_text
from belay.core.errors import BelayError
from belay.memory import memory_files
from belay.safety import trust
from belay.session.work.steps import describe_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.session.session import Session
    from belay.session.state_types import State


def update_left_off(session: Session) -> bool:
    """Write task, status and next step into the section; False where the file is absent, foreign or without it."""
    project = session.project
    try:
        path = _find_file(session)
        with memory_files.lock_memory(project):
            text = "" if not path or memory_files.explain_refusal(project, path) else memory_files.read_text(path)
            data = text.encode("utf-8", "surrogateescape")
            if not text or not trust.is_known(session.environ, project.root, project.relative(path), data):
                return False
            new = replace_fields(text, _choose_values(session, path, text))
            return new != text and not memory_files.write_file(
                project, session.environ, _path_to_write(session, path), new
            )
    except (OSError, BelayError):
        return False


def _find_file(session: Session) -> str:
    """Return the file with the state of the session's branch: its overlay if it has one.

    Else the nearest to the session's folder that has the section, the root's at last.
    """
    from belay.memory.branches import overlay

    project, branch = session.project, session.head[0]
    if overlay.has_own_layer(project, branch):
        return overlay.find_overlay(project, branch)
    paths = (path for path in overlay.find_nearer(project, session.folder) if _has_section(project, path))
    return next(paths, project.memory_md)


def _has_section(project: Project, path: str) -> bool:
    from belay.memory.document.page import split_lines, strip_line_end

    text = "" if memory_files.explain_refusal(project, path) else memory_files.read_text(path)
    return any(_find_section_lines([strip_line_end(row) for row in split_lines(text)]))


def _path_to_write(session: Session, path: str) -> str:
    """Return the path to write: an overlay under an older name gets its own first."""
    from belay.memory.branches import overlay

    if not path.startswith(session.project.overlays + os.sep):
        return path
    return overlay.settle_name(session.project, session.environ, session.head[0])


def _choose_values(session: Session, path: str, text: str) -> dict[str, str]:
    """Return what is written: a next step only if it names something and the one in the file is not a person's."""
    from belay.memory import next_step_target, next_steps

    values = read_values(session.state)
    step = values["next"] = next_steps.find_lasting_step(session.state)
    commands = [run["command"] for run in session.state["tried"]]
    if not (
        step
        and next_steps.may_replace(session.project, path, _read_step(text))
        and next_step_target.find_target(step, session.project, commands)
    ):
        values.pop("next", None)
    else:
        next_steps.record_step(session.project, path, step)
    return values


def _read_step(text: str) -> str:
    """Return the next step that the section's own line has."""
    from belay.memory.document import edits, template_sections
    from belay.memory.document.page import split_lines, strip_line_end

    rows = [strip_line_end(row) for row in split_lines(text)]
    begin, end = _find_section_lines(rows)
    fields = (edits.split_label(row.removeprefix("- ")) for row in rows[begin:end])
    return next((value.strip() for label, value in fields if template_sections.canonical_label(label) == "next"), "")


def read_values(state: State) -> dict[str, str]:
    """Return the fields of the section (task, status, next) that the state can fill."""
    from belay.memory.next_steps import find_lasting_step

    values = {"task": state["task"], "status": describe_status(state), "next": find_lasting_step(state)}
    return {key: plain_text.one_line(value) for key, value in values.items() if value}


def replace_fields(text: str, values: dict[str, str]) -> str:
    """Return the text with the section's fields replaced that have their own line; every other byte stays."""
    from belay.memory.document import edits, template_sections
    from belay.memory.document.page import split_lines, strip_line_end

    rows = split_lines(text)
    begin, end = _find_section_lines([strip_line_end(row) for row in rows])
    done = set()
    for at in range(begin, end):
        line = rows[at].rstrip("\r\n")
        key = template_sections.canonical_label(
            edits.split_label(strip_line_end(line).lstrip("-*+ "))[0]
        ) or template_sections.canonical_label(edits.split_label(line)[0])
        if key in values and key not in done and line.startswith("- **") and _is_alone(rows, at):
            rows[at] = f"- **{template_sections.LABELS[key]}:** {values[key]}" + rows[at][len(line) :]
        done.add(key)
    return "".join(rows)


def _find_section_lines(lines: list[str]) -> tuple[int, int]:
    """Return the section's own lines, [begin, end), as far as they are plain; none where that is not sure.

    They end at the next heading, underlined ones too, at a fence, at HTML and at anything indented.
    """
    from belay.memory.document import template_sections

    begin = 0
    for at, line in enumerate(lines):
        if _is_not_plain(line) and (begin or not (line.startswith("<!-- ") and line.rstrip().endswith("-->"))):
            return begin, at if begin else 0
        if line.startswith("#"):
            if begin:
                return begin, at
            title = line.lstrip("#")
            begin = (
                at + 1 if title[:1] == " " and template_sections.canonical_section(title.rstrip("# ")) == "left" else 0
            )
    return begin, len(lines) if begin else 0


def _is_not_plain(line: str) -> bool:
    text = line.lstrip(" ")
    ruled = bool(text) and not text.strip("-=* \t")
    return ruled or line.startswith(("    ", "\t")) or text.startswith(("```", "~~~", "<"))


def _is_alone(rows: list[str], at: int) -> bool:
    """Whether nothing on the next line belongs to this one."""
    following = rows[at + 1] if at + 1 < len(rows) else ""
    if following.strip():
        return following.startswith(("- ", "# ", "## ", "### "))
    later = next((row for row in rows[at + 1 :] if row.strip()), "")
    return not later.startswith((" ", "\t"))  # a second paragraph of the item
