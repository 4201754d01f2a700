"""The tiers of a memory (seed 003, "Progressive Loading"): tier 1 always, 2 on demand, 3 when asked.

Takes facts (`memory/document/facts.py`) and returns complete lines for Claude, the most important first.
"""

from __future__ import annotations

from belay.core.plain_text import cut, printable, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from belay.memory.memory_facts import DecisionRow, Facts, FileRow, LogRow, WorkstreamRow

TIERS = {
    1: ("left", "blockers", "overview"),
    2: ("decisions", "files", "architecture", "issues"),
    3: ("log", "preferences", "external"),
}
"""Tier → sections (seed 003); Known Issues, of which the seed says nothing, come on demand too."""
PHRASES = {
    "log": ("last session", "previous session", "recent session", "past session", "earlier session", "session log",
            "session history", "last time"),
    "issues": ("known issue", "known problem", "known bug", "known gotcha", "known limitation"),
    "files": ("key file", "important file", "main file", "central file"),
    "external": ("external service", "external api", "external apis", "external system", "external dependencie",
                 "external context", "external tool", "third-party service", "third-party api", "third-party apis"),
}  # fmt: skip
"""Section → two words of a question that ask for all of it, without a plural's s: tier 3 "when asked" (seed 003)."""
_ASKING = frozenset("what which list show tell give where remind are is do does any how who summarize recap".split())
LINE_CHARS = 240
"""Characters of one line of tier 1: two sentences."""
ROW_CHARS = 200
STREAMS = 3
"""Workstreams of seed 004's form that tier 1 shows."""
_LEFT = {"next": "Next step", "task": "Current task", "status": "Status", "question": "Open question"}
_NOTHING = ("none", "n/a", "nothing", "no", "-", "—", "tbd")


def format_lines(facts: Facts, what: int | str, branch: str = "", touched: Iterable[str] = ()) -> list[str]:
    """Return the lines of a tier by its number, or of a section by its canonical name.

    Of workstreams (seed 004) the one whose branch or files are touched comes first.
    """
    if isinstance(what, int):
        return [line for name in TIERS.get(what, ()) for line in format_lines(facts, name, branch, touched)]
    return (
        _format_left_off(facts, branch, touched) if what == "left" else [text for _, text in format_rows(facts, what)]
    )


def format_rows(facts: Facts, name: str) -> list[tuple[int, str]]:
    """Return (1-based line, text) of a section's entries; leave out what is resolved or said elsewhere ("told")."""
    hidden, format_row = set(facts.get("told") or ()), _FORMATS.get(name)
    entries: Mapping[str, Any] = facts
    if name == "overview":
        text = first_sentences(str(facts.get("overview") or ""))
        section = next((row for row in facts.get("sections") or [] if row["name"] == name), None)
        within = range(section["line"], section["end"] + 1) if section else ()
        return [(0, "Project: " + text)] if text and not hidden.intersection(within) else []
    entry_rows = [(int(row["line"]), format_row(row)) for row in entries.get(name) or []] if format_row else []
    return [(line, _cut_line(text, ROW_CHARS)) for line, text in entry_rows if text and line not in hidden]


def is_question(text: str) -> bool:
    """Whether a text asks for something: only then do two words of it ask for a whole section."""
    first = text.split(None, 1)[:1]
    return "?" in text or (bool(first) and first[0].lower().strip(",.:'’") in _ASKING)


def find_asked_section(text: str) -> str:
    """Return the section that a question or a few words ask for, "" for none."""
    plain = f" {words(text)} "
    return next((name for name, phrases in PHRASES.items() if any(f" {row}" in plain for row in phrases)), "")


def sort_workstreams(facts: Facts, branch: str = "", touched: Iterable[str] = ()) -> list[WorkstreamRow]:
    """Return the workstreams that are not done: touched ones first, then those that say what comes next."""
    files = list(touched)
    open_rows = [row for row in facts.get("workstreams") or [] if not row.get("done")]
    return sorted(
        open_rows, key=lambda row: (not _is_touched(facts, row, branch, files), bool(row.get("paused")),
                                not row.get("next"), not row.get("status"))
    )  # fmt: skip


def first_sentences(text: str, most: int = 2) -> str:
    """Return the first sentences of a text (seed 003: the overview has one or two), at most LINE_CHARS characters."""
    flat, ends = " ".join(text.split()), []
    for at, char in enumerate(flat):
        if char in ".!?" and flat[at + 1 : at + 2] in ("", " ") and flat[at + 2 : at + 3].isupper():
            ends.append(at + 1)
    return _cut_line(flat[: ends[most - 1]] if len(ends) >= most else flat, LINE_CHARS)


def _format_left_off(facts: Facts, branch: str, touched: Iterable[str]) -> list[str]:
    left: Mapping[str, Any] = facts.get("left", {})
    values = {label: " ".join((left.get(key) or "").split()) for key, label in _LEFT.items()}
    lines = [f"{label}: {_cut_line(text, LINE_CHARS)}" for label, text in values.items() if _has_content(text)]
    return lines + [_format_workstream(row) for row in sort_workstreams(facts, branch, touched)[:STREAMS]]


def _has_content(text: str) -> bool:
    return bool(text) and text.strip(" *_.`").lower() not in _NOTHING


def _format_workstream(row: WorkstreamRow) -> str:
    parts = [row["title"]]
    parts += [f"status: {row['status']}"] if row.get("status") else []
    parts += [f"next when resumed: {row['next']}"] if row.get("next") else []
    parts += [f"reference: {row['reference']}"] if row.get("reference") else []
    return _cut_line("Workstream " + "; ".join(parts), LINE_CHARS)


def _format_full_workstream(row: WorkstreamRow) -> str:
    return f"{_format_workstream(row)}; metric: {row['metric']}" if row.get("metric") else _format_workstream(row)


def _is_touched(facts: Facts, row: WorkstreamRow, branch: str, files: list[str]) -> bool:
    """Whether a branch's words, or one of the files, are a workstream's own."""
    title = [word for word in words(row.get("title", "")).split() if len(word) > 2]
    if branch and title and sum(word in words(branch).split() for word in title) >= min(2, len(title)):
        return True
    later = [workstream["line"] for workstream in facts.get("workstreams") or [] if workstream["line"] > row["line"]]
    end = min(later, default=1 << 30)
    named = {ref["path"] for ref in facts.get("refs") or [] if row["line"] <= ref["line"] < end}
    return bool(named & set(files))


def _format_decision(row: DecisionRow) -> str:
    about = "; ".join(part for part in (row.get("reason", ""), row.get("affects", "")) if part)
    date = f"{row['date']} " if row.get("date") else ""
    return f"Decision: {date}{row['decision']}" + (f" ({about})" if about else "")


def _format_file(row: FileRow) -> str:
    return f"File: {row['path']}: {row['purpose']}" if row.get("purpose") else f"File: {row['path']}"


def _format_blocker(text: str) -> str:
    return text if text.lower().startswith(("blocked", "waiting")) else f"Blocked: {text}"


def _format_log(row: LogRow) -> str:
    return f"Session {row['session']} ({row['date']}): {row['summary'].partition('<!--')[0].strip()}"


_FORMATS: dict[str, Callable[[Any], str]] = {
    "blockers": lambda row: "" if row.get("resolved") else _format_blocker(row["text"]),
    "decisions": _format_decision,
    "files": _format_file,
    "architecture": lambda row: f"Architecture: {row['text']}",
    "issues": lambda row: "" if row.get("resolved") else f"Known issue: {row['text']}",
    "log": _format_log,
    "preferences": lambda row: f"Preference: {row['text']}",
    "external": lambda row: f"External: {row['text']}",
    "completed": lambda row: f"Done: {row['date']} {row['text']}".replace(":  ", ": "),
    "active": lambda row: f"{'Done' if row.get('done') else 'Open'}: {row['text']}",
    "references": lambda row: f"{row['what']}: {row['where']}",
    "workstreams": _format_full_workstream,
}


def _cut_line(text: str, most: int) -> str:
    return cut(printable(text), most)
