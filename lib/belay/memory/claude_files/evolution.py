"""How a memory file changed over git history: which sections each commit added, changed, renamed or removed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.document import page
from belay.memory.document.page import strip_line_end
from belay.repository.git import history
from belay.repository.survey import quotes

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.document.page import Page
    from belay.repository.git.history import Commit

TOP = "(before the first section)"
"""What is above the first heading below the file's title."""
MOST = 20
"""Commits that are shown; `--all` shows up to ALL."""
ALL = 200


class SectionChange(NamedTuple):
    """What a commit did to a section: added, changed, reordered, renamed (`old`: its former title), or removed.

    `more` and `fewer` are the lines that came and went, blank ones aside; a section's own lines, without sub-sections.
    """

    kind: str
    section: str
    more: int
    fewer: int
    old: str = ""


class Revision(NamedTuple):
    """One commit of a memory file; `old` is the file's former path where the commit renamed it."""

    commit: str
    date: str
    subject: str
    path: str
    old: str
    changes: list[SectionChange]


def read_evolution(project: Project, path: str, most: int) -> tuple[list[Revision], bool]:
    """Return the newest commits of a file, and whether there are more. Raises GitMissing and GitFailed."""
    commits, is_cut = history.read_file_commits(project.root, path, most + 1)
    places = [(commit.sha, _name(commit, path)) for commit in commits]
    texts = history.read_versions(project.root, places)
    versions = [texts.get(place, "") for place in places]
    earlier = [*versions[1:], ""][: len(versions)]
    rows = [
        _make_revision(commit, name, new, old)
        for commit, (_, name), new, old in zip(commits, places, versions, earlier, strict=True)
    ]
    return rows[:most], is_cut or len(commits) > most


def _name(commit: Commit, path: str) -> str:
    return commit.files[0].path if commit.files else path


def _make_revision(commit: Commit, name: str, new: str, old: str) -> Revision:
    former = commit.files[0].old if commit.files else ""
    changes = compare_sections(old, new)
    return Revision(commit.sha, commit.time[:10], quotes.line(commit.subject, 80), name, former, changes)


def compare_sections(before: str, after: str) -> list[SectionChange]:
    """Return what happened to the sections between two texts of a file, in the order of the newer one."""
    old, new = split_sections(page.parse(before)), split_sections(page.parse(after))
    gone = [title for title in old if title not in new]
    changes = []
    for title, lines in new.items():
        if title in old:
            changes += _compare_lines(title, old[title], lines)
            continue
        source = next((name for name in gone if lines and old[name] == lines), "")
        if source:
            gone.remove(source)
            changes.append(SectionChange("renamed", title, 0, 0, source))
        else:
            changes.append(SectionChange("added", title, len(lines), 0))
    return changes + [SectionChange("removed", title, 0, len(old[title])) for title in gone]


def _compare_lines(title: str, old: list[str], new: list[str]) -> list[SectionChange]:
    more, fewer = Counter(new) - Counter(old), Counter(old) - Counter(new)
    if more or fewer:
        return [SectionChange("changed", title, more.total(), fewer.total())]
    return [] if old == new else [SectionChange("reordered", title, 0, 0)]


def split_sections(found: Page) -> dict[str, list[str]]:
    """Return title → its own lines, blank ones aside; titles carry those above them, a second of a name its number."""
    sections = found.sections
    ends = [*(section.start for section in sections[1:]), len(found.lines)][: len(sections)]
    first = sections[0].start if sections else len(found.lines)
    rows = {TOP: _list_lines(found, found.body, first)}
    above: list[tuple[int, str]] = []
    for number, (section, end) in enumerate(zip(sections, ends, strict=True)):
        above = [outer for outer in above if outer[0] < section.level]
        if number == 0 and section.level == 1:
            rows[TOP] += _list_lines(found, section.body, end)
            continue
        above.append((section.level, quotes.line(section.title, 80) or "(no title)"))
        rows[_number_title(" › ".join(title for _, title in above), rows)] = _list_lines(found, section.body, end)
    return rows if rows[TOP] else {title: lines for title, lines in rows.items() if title != TOP}


def _number_title(title: str, known: dict[str, list[str]]) -> str:
    number, name = 1, title
    while name in known:
        number += 1
        name = f"{title} ({number})"
    return name


def _list_lines(found: Page, start: int, end: int) -> list[str]:
    return [line for row in found.lines[start:end] if (line := strip_line_end(row).rstrip())]
