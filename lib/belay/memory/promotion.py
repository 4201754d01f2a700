"""Promotion to `~/.claude/GLOBAL-MEMORY.md`: what two projects hold, or the user names; offered, never done silently.

What each project holds is noted in the user's own data folder when its memory is written; only trusted text is.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from belay.core import clock, files, paths, plain_text
from belay.core.errors import BadInput
from belay.core.lock import hold
from belay.core.plain_text import cut
from belay.memory import memory_files
from belay.memory import undo as memory_undo
from belay.memory.document import page, repeated_lines
from belay.memory.memory_files import Saved
from belay.memory.remember import sentences
from belay.repository import vetting
from belay.safety.redaction import redact
from belay.session import captures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from belay.memory.memory_facts import Facts

PROJECTS = 200
"""Projects whose learnings are kept; those noted longest ago fall out."""
ROWS = 200
"""Learnings kept of one project."""
CHARS = 300
LEAST = 2
"""Projects that must hold a learning before it is offered (seed 003: cross-project patterns)."""
TITLE = "# Global memory"
COMMAND = "promote"


class LearningRow(TypedDict):
    """A learning of a project: `key` are its words, by which two are the same; `file` is a path from the root."""

    kind: str
    text: str
    key: str
    file: str
    line: int


class LearningIndex(TypedDict):
    """Root of a project → its learnings, and the ids and words that the user turned down."""

    projects: dict[str, list[LearningRow]]
    dismissed: list[str]


class Place(NamedTuple):
    """Where a learning stands: the project's folder name, the file from its root, the line (1-based)."""

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


def note(project: paths.Project, environ: Mapping[str, str], facts: Facts) -> None:
    """Note what a project holds now: preferences and decisions of its memory, lessons of tasks/lessons.md."""
    names = [project.relative(path) for path in (project.memory_md, project.lessons)]
    known, _ = vetting.vetted(project, environ, names)
    rows = _of_memory(names[0], facts) if names[0] in known else []
    rows += _of_lessons(names[1], known.get(names[1], ""))

    def change(index: LearningIndex) -> None:
        index["projects"].pop(project.home, None)
        if rows:
            index["projects"][project.home] = rows[:ROWS]
        gone = [root for root in index["projects"] if not os.path.isdir(root)]
        for root in [*gone, *list(index["projects"])[:-PROJECTS]]:
            index["projects"].pop(root, None)

    _change(environ, change)


def learn(project: paths.Project, environ: Mapping[str, str]) -> None:
    """Read a project's memory and note what it holds; nothing where it is absent or not to be touched."""
    from belay.memory.document import facts

    if os.path.isfile(project.memory_md) and not files.refusal(project.memory_md):
        note(project, environ, facts.facts(page.parse(memory_files.read(project.memory_md))))


def forget(environ: Mapping[str, str], root: str) -> None:
    """Drop what was noted of a project."""
    if os.path.exists(_file(environ)):
        _change(environ, lambda index: index["projects"].pop(root, None))


def _of_memory(name: str, facts: Facts) -> list[LearningRow]:
    rows = [_row("preference", row["text"], name, row["line"]) for row in facts.get("preferences", [])]
    for row in facts.get("decisions", []):
        text = f"{row['decision']}: {row['reason']}" if row["reason"] else row["decision"]
        rows.append({**_row("decision", text, name, row["line"]), "key": _key(row["decision"])})
    return [row for row in rows if row["key"]]


def _of_lessons(name: str, text: str) -> list[LearningRow]:
    items = [row for row in page.parse(text).records if row.kind == "item"] if text else []
    rows = [_row("lesson", sentences.undated(row.text), name, row.start + 1) for row in items]
    return [row for row in rows if row["key"]]


def _row(kind: str, text: str, name: str, line: int) -> LearningRow:
    said = cut(redact(plain_text.one_line(text)), CHARS)
    return {"kind": kind, "text": said, "key": _key(said), "file": name, "line": line}


def _key(text: str) -> str:
    """Return what makes two learnings the same one."""
    return plain_text.words(text)


def candidates(environ: Mapping[str, str]) -> list[Candidate]:
    """Return what at least two projects hold and neither the global memory has nor the user turned down."""
    index = _read(environ)
    held = {_key(line) for line in _lines(_global(environ))} | set(index["dismissed"])
    groups: dict[str, list[tuple[str, LearningRow]]] = {}
    for root, rows in index["projects"].items():
        for row in rows:
            groups.setdefault(row["key"], []).append((root, row))
    found = [_candidate(key, group) for key, group in _joined(groups).items()]
    return [one for one in found if len(one.roots) >= LEAST and not {one.id, _key(one.text)} & held]


def _joined(groups: dict[str, list[tuple[str, LearningRow]]]) -> dict[str, list[tuple[str, LearningRow]]]:
    """Return the groups with those that say the same in more words joined to the shorter one."""
    facts = {key: sentences.fact(group[0][1]["text"]) for key, group in groups.items()}
    index: dict[str, list[str]] = {}
    for key, fact in facts.items():
        for word in set(fact.telling):
            index.setdefault(word, []).append(key)
    joined = dict(groups)
    for key, fact in facts.items():
        rarest = min(set(fact.telling), key=lambda word: (len(index[word]), word), default="")
        for other in index.get(rarest, []):
            if (
                other != key
                and {key, other} <= joined.keys()
                and repeated_lines.alike(fact, facts[other]) == repeated_lines.NEAR
            ):
                joined[key] = [*joined[key], *joined.pop(other)]
    return joined


def _candidate(key: str, group: list[tuple[str, LearningRow]]) -> Candidate:
    text = max((row["text"] for _, row in group), key=len)
    places = [Place(os.path.basename(root), row["file"], row["line"]) for root, row in group]
    return Candidate(
        _name(key), group[0][1]["kind"], text, places, list(dict.fromkeys(root for root, _ in group))
    )


def _name(key: str) -> str:
    return "G-" + captures.capture_id("", "", key)[2:]


def offers(project: paths.Project, environ: Mapping[str, str]) -> list[str]:
    """Return one line for each learning of this project that another holds too: what, where, and the command."""
    mine = [one for one in candidates(environ) if project.home in one.roots]
    return [
        f"“{cut(one.text, 100)}” stands in {len(one.roots)} projects ({_projects(one)}); "
        f"`belay promote {one.id} --yes` keeps it for every project, if the user wants that."
        for one in mine
    ]


def _projects(one: Candidate) -> str:
    return ", ".join(dict.fromkeys(plain_text.one_line(place.project, 40) for place in one.evidence))


def save(environ: Mapping[str, str], lines: list[str]) -> Saved:
    """Write learnings the user agreed to into the global memory, a dated bullet each; none that stands there."""
    path = paths.global_memory(environ)
    why = files.refusal(path)
    if why:
        return Saved(path, why=why)
    with _locked(environ):
        text = _global(environ)
        fresh = _fresh(lines, _lines(text))
        if not fresh:
            return Saved(path)
        place = _place(environ)
        folder = memory_undo.begin(place, environ, COMMAND, [path])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        files.write(path, _appended(text, fresh).encode("utf-8", "surrogateescape"))
        memory_undo.finish(place, environ, folder)
    return Saved(path, f"{len(fresh)} added")


def undo(environ: Mapping[str, str]) -> list[str]:
    """Take the last promotion back; return the files. Raises NothingToUndo, BelayError where the file changed since."""
    with _locked(environ):
        place = _place(environ)
        return [place.at(name) for name in memory_undo.undo(place, environ, COMMAND)]


def dismiss(environ: Mapping[str, str], names: list[str]) -> None:
    """Offer these learnings no more."""

    def change(index: LearningIndex) -> None:
        index["dismissed"] = list(dict.fromkeys([*index["dismissed"], *names]))

    _change(environ, change)


def chosen(environ: Mapping[str, str], names: list[str]) -> list[Candidate]:
    """Return the candidates of some ids; BadInput for one that is none."""
    known = {one.id: one for one in candidates(environ)}
    for name in names:
        if name not in known:
            raise BadInput(name, "is not offered", "belay promote lists what is")
    return [known[name] for name in names]


def _fresh(lines: list[str], held: list[str]) -> list[str]:
    seen, found = {_key(line) for line in held}, []
    for line in (redact(plain_text.one_line(line, 4000)) for line in lines):
        if _key(line) and _key(line) not in seen:
            seen.add(_key(line))
            found.append(line)
    return found


def _appended(text: str, lines: list[str]) -> str:
    from belay.memory.document import edits

    shown = page.parse(text or f"{TITLE}\n\n")
    date = clock.local_date()
    return edits.insert(shown, len(shown.lines), [f"- {date} {line}" for line in lines]).text


def _lines(text: str) -> list[str]:
    """Return what a global memory says, line by line, marks and dates aside."""
    rows = (line.strip().lstrip("-*+ ") for line in text.splitlines())
    return [sentences.undated(row) for row in rows if row]


def _global(environ: Mapping[str, str]) -> str:
    path = paths.global_memory(environ)
    return "" if files.refusal(path) else files.read(path).decode("utf-8", "surrogateescape")


def _place(environ: Mapping[str, str]) -> paths.Project:
    """Return the client's folder as a project of its own: what its undo needs lies with the user's own data."""
    home = paths.data_home(environ)
    return paths.Project(paths.client_dir(environ), store=os.path.join(home, "global"))


def _locked(environ: Mapping[str, str]) -> hold:
    return hold(os.path.join(paths.data_home(environ), "global.lock"))


def _file(environ: Mapping[str, str]) -> str:
    return os.path.join(paths.data_home(environ), "learned.json")


def _read(environ: Mapping[str, str]) -> LearningIndex:
    try:
        found = json.loads(files.read(_file(environ)) or b"{}")
    except ValueError:
        found = {}
    told = found if isinstance(found, dict) else {}
    projects, dismissed = told.get("projects"), told.get("dismissed")
    return {
        "projects": projects if isinstance(projects, dict) else {},
        "dismissed": dismissed if isinstance(dismissed, list) else [],
    }


def _change(environ: Mapping[str, str], change: Callable[[LearningIndex], object]) -> None:
    with _locked(environ):
        index = _read(environ)
        before = json.dumps(index)
        change(index)
        if json.dumps(index) != before:
            files.write(_file(environ), json.dumps(index, ensure_ascii=False).encode("utf-8", "replace"))
