"""Promote learnings of several projects to `~/.claude/GLOBAL-MEMORY.md`; it is offered, never done silently.

The trusted learnings of each project are recorded in the user's data folder when its memory is written.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock, files, paths, plain_text
from belay.core.errors import BadInput
from belay.core.lock import hold
from belay.core.plain_text import cut
from belay.core.text import duplicates
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.memory.document import page
from belay.memory.global_memory import index_path, learning_key, read_global_memory, read_index, split_learnings
from belay.memory.memory_files import Saved
from belay.memory.remember import sentences
from belay.repository import vetting
from belay.safety.labels import is_label, make_label
from belay.safety.redaction import redact
from belay.session import captures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.memory.learning_types import LearningIndex, LearningRow
    from belay.memory.memory_facts import Facts

MOST_PROJECTS = 200
"""Projects whose learnings are kept; those noted longest ago fall out."""
MOST_LEARNINGS = 200
"""Learnings kept of one project."""
TEXT_CHARS = 300
CLOSE, LEAST_WORDS = 0.7, 5
"""Share of telling words in common by which two learnings are offered as one, and how many they have at least."""
LEAST_PROJECTS = 2
"""Projects that must hold a learning before it is offered (seed 003: cross-project patterns)."""
TITLE = "# Global memory"
COMMAND = "promote"


class Place(NamedTuple):
    """Where a learning is: the project's folder name, the file from its root, the line (1-based)."""

    project: str
    file: str
    line: int


class Candidate(NamedTuple):
    """A learning that several projects hold: id `G-ABCDEF`, kind (preference, decision, lesson), words, evidence."""

    id: str
    kind: str
    text: str
    evidence: list[Place]
    roots: list[str]


def record_learnings(project: paths.Project, environ: Mapping[str, str], facts: Facts) -> None:
    """Note what a project holds now: preferences and decisions of its memory, lessons of tasks/lessons.md."""
    names = [project.relative(path) for path in (project.memory_md, project.lessons)]
    known, _ = vetting.read_trusted(project, environ, names)
    rows = _memory_rows(names[0], facts) if names[0] in known else []
    rows += _lesson_rows(names[1], known.get(names[1], ""))

    def change(index: LearningIndex) -> None:
        home = make_label(project.home)
        index["projects"].pop(home, None)
        if rows:
            index["projects"][home] = rows[:MOST_LEARNINGS]
        gone = [root for root in index["projects"] if not is_label(root) and not os.path.isdir(root)]
        for root in [*gone, *list(index["projects"])[:-MOST_PROJECTS]]:
            index["projects"].pop(root, None)

    _change_index(environ, change)


def record_project(project: paths.Project, environ: Mapping[str, str]) -> None:
    """Read a project's memory and note what it holds; nothing where it is absent or not to be touched."""
    from belay.memory.document import facts

    if os.path.isfile(project.memory_md) and not files.explain_refusal(project.memory_md):
        record_learnings(project, environ, facts.read_facts(page.parse(memory_files.read_text(project.memory_md))))


def _memory_rows(name: str, facts: Facts) -> list[LearningRow]:
    rows = [_build_row("preference", row["text"], name, row["line"]) for row in facts.get("preferences", [])]
    for row in facts.get("decisions", []):
        text = f"{row['decision']}: {row['reason']}" if row["reason"] else row["decision"]
        rows.append({**_build_row("decision", text, name, row["line"]), "key": learning_key(row["decision"])})
    return [row for row in rows if row["key"]]


def _lesson_rows(name: str, text: str) -> list[LearningRow]:
    items = [row for row in page.parse(text).records if row.kind == "item"] if text else []
    rows = [_build_row("lesson", sentences.strip_date(row.text), name, row.start + 1) for row in items]
    return [row for row in rows if row["key"]]


def _build_row(kind: str, text: str, name: str, line: int) -> LearningRow:
    clean_text = cut(redact(plain_text.one_line(text)), TEXT_CHARS)
    return {"kind": kind, "text": clean_text, "key": learning_key(clean_text), "file": name, "line": line}


def forget_project(environ: Mapping[str, str], home: str) -> None:
    """Drop what was noted of a project, by its label."""
    _change_index(environ, lambda index: index["projects"].pop(home, None))


def find_candidates(environ: Mapping[str, str]) -> list[Candidate]:
    """Return what at least two projects hold and neither the global memory has nor the user turned down."""
    index = read_index(environ)
    held = {learning_key(line) for line in split_learnings(read_global_memory(environ))} | set(index["dismissed"])
    groups: dict[str, list[tuple[str, LearningRow]]] = {}
    for root, rows in index["projects"].items():
        for row in rows:
            groups.setdefault(row["key"], []).append((root, row))
    candidates = [_build_candidate(key, group) for key, group in _join_similar(groups).items()]
    return [
        candidate
        for candidate in candidates
        if len(candidate.roots) >= LEAST_PROJECTS and not {candidate.id, learning_key(candidate.text)} & held
    ]


def _join_similar(
    groups: dict[str, list[tuple[str, LearningRow]]],
) -> dict[str, list[tuple[str, LearningRow]]]:
    """Return the groups with those that say the same joined, also in more words: a person is asked about each."""
    texts = {key: group[0][1]["text"] for key, group in groups.items()}
    index: dict[str, list[str]] = {}
    for key, text in texts.items():
        for word in duplicates.keys(text):
            index.setdefault(word, []).append(key)
    joined = dict(groups)
    for key, text in texts.items():
        rarest = min(duplicates.keys(text), key=lambda word: (len(index[word]), word))
        for other in index[rarest]:
            if other != key and {key, other} <= joined.keys() and _is_close(texts[other], text):
                joined[key] = [*joined[key], *joined.pop(other)]
    return joined


def _is_close(longer: str, text: str) -> bool:
    """Whether a learning states another, or has all of its words and few more."""
    few = duplicates.overlap(longer, text) >= CLOSE and len(duplicates.keys(text)) >= LEAST_WORDS
    return duplicates.same(longer, text) or (few and duplicates.extends(longer, text))


def _build_candidate(key: str, group: list[tuple[str, LearningRow]]) -> Candidate:
    text = max((row["text"] for _, row in group), key=len)
    places = [Place(os.path.basename(root), row["file"], row["line"]) for root, row in group]
    return Candidate(
        _candidate_id(key), group[0][1]["kind"], text, places, list(dict.fromkeys(root for root, _ in group))
    )


def _candidate_id(key: str) -> str:
    return "G-" + captures.capture_id("", "", key)[2:]


def list_offers(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Return one line for each learning of this project that another holds too: what, where, and the command."""
    mine = [candidate for candidate in find_candidates(environ) if make_label(project.home) in candidate.roots]
    return [
        f"“{cut(candidate.text, 100)}” is in {len(candidate.roots)} projects ({_format_projects(candidate)}); "
        f"`belay promote {candidate.id} --yes` keeps it for every project, if the user wants that."
        for candidate in mine
    ]


def _format_projects(candidate: Candidate) -> str:
    return ", ".join(dict.fromkeys(plain_text.one_line(place.project, 40) for place in candidate.evidence))


def save_learnings(environ: Mapping[str, str], lines: list[str]) -> Saved:
    """Write learnings that the user agreed to into the global memory, a dated bullet each; none twice."""
    path = paths.global_memory(environ)
    why = files.explain_refusal(path)
    if why:
        return Saved(path, why=why)
    with _lock_global(environ):
        text = read_global_memory(environ)
        fresh = _find_new_lines(lines, split_learnings(text))
        if not fresh:
            return Saved(path)
        data = _append_lines(text, fresh).encode("utf-8", "surrogateescape")
        place = _client_folder(environ)
        folder = memory_undo.begin_record(place, environ, COMMAND, [path])
        files.make_folder(os.path.dirname(path))
        files.write(path, data)
        memory_undo.finish_record(place, environ, folder)
    return Saved(path, f"{len(fresh)} added")


def undo_promotion(environ: Mapping[str, str]) -> list[str]:
    """Take the last promotion back; return the files. Raises NothingToUndo, BelayError where the file changed since."""
    with _lock_global(environ):
        place = _client_folder(environ)
        return [place.at(name) for name in memory_undo.undo_last_change(place, environ, COMMAND)]


def dismiss(environ: Mapping[str, str], names: list[str]) -> None:
    """Offer these learnings no more."""

    def change(index: LearningIndex) -> None:
        index["dismissed"] = list(dict.fromkeys([*index["dismissed"], *names]))

    _change_index(environ, change)


def find_chosen(environ: Mapping[str, str], names: list[str]) -> list[Candidate]:
    """Return the candidates of some ids; BadInput for one that is none."""
    known = {candidate.id: candidate for candidate in find_candidates(environ)}
    for name in names:
        if name not in known:
            raise BadInput(name, "is not offered", "belay promote lists what is")
    return [known[name] for name in names]


def _find_new_lines(lines: list[str], held: list[str]) -> list[str]:
    seen, new_lines = {learning_key(line) for line in held}, []
    for line in (redact(plain_text.one_line(line, 4000)) for line in lines):
        if learning_key(line) and learning_key(line) not in seen:
            seen.add(learning_key(line))
            new_lines.append(line)
    return new_lines


def _append_lines(text: str, lines: list[str]) -> str:
    from belay.memory.document import edits

    shown = page.parse(text or f"{TITLE}\n\n")
    date = clock.local_date()
    return edits.insert_lines(shown, len(shown.lines), [f"- {date} {line}" for line in lines]).text


def _client_folder(environ: Mapping[str, str]) -> paths.Project:
    """Return the client's folder as a project of its own: what its undo needs is kept with the user's own data."""
    home = paths.data_home(environ)
    return paths.Project(paths.client_dir(environ), store=os.path.join(home, "global"))


def _lock_global(environ: Mapping[str, str]) -> hold:
    return hold(os.path.join(paths.data_home(environ), "global.lock"))


def _change_index(environ: Mapping[str, str], change: Callable[[LearningIndex], object]) -> None:
    with _lock_global(environ):
        index = read_index(environ)
        before = json.dumps(index)
        change(index)
        if json.dumps(index) != before:
            files.write(index_path(environ), json.dumps(index, ensure_ascii=False).encode("utf-8", "replace"))
