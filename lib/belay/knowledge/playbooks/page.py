"""A playbook as text: parsed, added to, and given back byte for byte but for what changed. Pure.

    ---
    pattern: CLAUDE.md#1a2b3c4d5e6f
    helpful: 2
    harmful: 1
    status: candidate
    ---
    # parse-dates

    ## Evidence
    - helpful 2026-11-21 `5e551011`: `pytest` passed after edits of `lib/a.py`
    - harmful 2026-11-22 by hand: broke the build

One line of evidence is one outcome; the numbers above are those of the lines, so that git may merge the lines as it
likes (`merge=union`): what came twice counts once, and the numbers follow with the next outcome.
"""

from __future__ import annotations

import re
from typing import NamedTuple

HELPFUL, HARMFUL = "helpful", "harmful"
CANDIDATE, ESTABLISHED, PROVEN = "candidate", "established", "proven"
ESTABLISHED_FROM, PROVEN_FROM, HARMFUL_FROM = 3, 10, 3
"""Outcomes from which on a pattern is established, proven or harmful (docs/playbooks.md)."""
WEIGHT = 4
"""How many helpful outcomes one harmful one weighs (docs/playbooks.md)."""
HEADING = "## Evidence"
BY_HAND = "by hand"
_EVIDENCE = re.compile(r"^[-*+] (helpful|harmful) (\d{4}-\d\d-\d\d) (?:`([\w.-]+)`|by hand)(?:: (.*))?$")
_FIELD = re.compile(r"^([a-z]+):[ \t]*(.*?)[ \t]*$")


class Evidence(NamedTuple):
    """One outcome: helpful or harmful, the local date, the session's first letters ("" by hand), what happened."""

    how: str
    date: str
    session: str
    text: str = ""

    @property
    def line(self) -> str:
        who = f"`{self.session}`" if self.session else BY_HAND
        return f"- {self.how} {self.date} {who}" + (f": {self.text}" if self.text else "")


class Playbook(NamedTuple):
    """The lines of a playbook, with their ends, and what its front matter says, the first of each key."""

    lines: tuple[str, ...]
    fields: dict[str, str]

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def evidence(self) -> list[Evidence]:
        """The outcomes, each once, in their order."""
        return list(dict.fromkeys(filter(None, map(_parse_evidence, self.lines))))

    def count(self, how: str) -> int:
        return sum(one.how == how for one in self.evidence)

    @property
    def status(self) -> str:
        """What the outcomes make of the pattern; see docs/playbooks.md."""
        helpful, harmful = self.count(HELPFUL), self.count(HARMFUL)
        if harmful >= HARMFUL_FROM and harmful > helpful:
            return HARMFUL
        if helpful >= PROVEN_FROM and helpful >= WEIGHT * harmful:
            return PROVEN
        return ESTABLISHED if helpful >= ESTABLISHED_FROM and helpful >= WEIGHT * harmful else CANDIDATE

    @property
    def pattern(self) -> tuple[str, str]:
        """The file of the pattern, and the hash of its line; ("", "") where none is named."""
        file, _, sign = self.fields.get("pattern", "").rpartition("#")
        return (file, sign) if file and sign else ("", "")


def parse(text: str) -> Playbook:
    """Return the playbook of a text; any text is one."""
    lines = tuple(text.splitlines(keepends=True))
    fields: dict[str, str] = {}
    for line in lines[1 : _find_front_matter_end(lines)]:
        match = _FIELD.match(line.rstrip("\r\n"))
        if match:
            fields.setdefault(match.group(1), match.group(2))
    return Playbook(lines, fields)


def _find_front_matter_end(lines: tuple[str, ...]) -> int:
    """Return the number of the line that closes the front matter, 0 where there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((at for at, line in enumerate(lines) if at and line.rstrip() == "---"), 0)


def _parse_evidence(line: str) -> Evidence | None:
    match = _EVIDENCE.match(line.strip())
    return Evidence(match[1], match[2], match[3] or "", match[4] or "") if match else None


def render_new(name: str, pattern: str) -> str:
    """Return a new playbook of a pattern, "FILE#HASH"."""
    fields = f"pattern: {pattern}\nhelpful: 0\nharmful: 0\nstatus: {CANDIDATE}"
    about = "Outcomes of a pattern. Its words are in the file named above (`belay playbook show` finds them)."
    return f"---\n{fields}\n---\n# {name}\n\n{about}\n\n{HEADING}\n"


def add_evidence(playbook: Playbook, evidence: Evidence) -> Playbook:
    """Add an outcome, in place of what the same session came to before; by hand each counts."""
    rows = [(at, other) for at, line in enumerate(playbook.lines) if (other := _parse_evidence(line))]
    same = [at for at, other in rows if evidence.session and other.session == evidence.session]
    if same and rows and all(other == evidence for at, other in rows if at in same):
        return update_counts(playbook)
    lines = list(playbook.lines)
    if same:
        lines[same[0]] = evidence.line + _find_line_end(lines[same[0]], lines)
        for at in same[:0:-1]:
            del lines[at]
    else:
        _insert_line(lines, _make_unique(evidence, [other for _, other in rows]).line, rows[-1][0] + 1 if rows else -1)
    return update_counts(parse("".join(lines)))


def _make_unique(evidence: Evidence, others: list[Evidence]) -> Evidence:
    """Return an outcome by hand so that it is no repetition of another."""
    unique, number = evidence, 1
    while unique in others:
        number += 1
        unique = evidence._replace(text=f"{evidence.text} ({number})".strip())
    return unique


def _insert_line(lines: list[str], line: str, at: int) -> None:
    """Put a line behind the evidence there is, else below its heading, else at the end with a heading of its own."""
    end = _find_line_end("", lines)
    if at < 0:
        heads = [number + 1 for number, one in enumerate(lines) if one.strip() == HEADING]
        at = heads[0] if heads else len(lines)
        if not heads:
            _end_line(lines, len(lines), end)
            lines += [end, HEADING + end]
            at = len(lines)
    _end_line(lines, at, end)
    lines.insert(at, line + end)


def _end_line(lines: list[str], at: int, end: str) -> None:
    if at and not lines[at - 1].endswith(("\n", "\r")):
        lines[at - 1] += end


def _find_line_end(line: str, lines: list[str]) -> str:
    """Return a line's own end, else that of the file."""
    known = line or (lines[0] if lines else "")
    return known[len(known.rstrip("\r\n")) :] or "\n"


def update_counts(playbook: Playbook) -> Playbook:
    """Bring the numbers and the status of the front matter up to the evidence; a text without one stays as it is."""
    values = {HELPFUL: playbook.count(HELPFUL), HARMFUL: playbook.count(HARMFUL), "status": playbook.status}
    return set_fields(playbook, {key: str(value) for key, value in values.items()})


def set_fields(playbook: Playbook, fields: dict[str, str]) -> Playbook:
    """Set fields of the front matter, each once; a text without one stays as it is."""
    close = _find_front_matter_end(playbook.lines)
    if not close:
        return playbook
    left, lines = dict(fields), []
    for at, line in enumerate(playbook.lines):
        match = _FIELD.match(line.rstrip("\r\n")) if 0 < at < close else None
        if at == close:
            lines += [f"{key}: {value}" + _find_line_end(line, [line]) for key, value in left.items()]
        if not match or match.group(1) not in fields:
            lines.append(line)
        elif match.group(1) in left:
            value = left.pop(match.group(1))
            lines.append(
                line if match.group(2) == value else f"{match.group(1)}: {value}" + _find_line_end(line, [line])
            )
    return parse("".join(lines))
