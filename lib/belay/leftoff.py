"""The "Where We Left Off" section of a trusted MEMORY.md, brought up to date line by line when context runs low."""

from __future__ import annotations

from belay import atomic, buffer, trust
from belay.checkpoint import cursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.checkpoint import State
    from belay.session import Session

HEADING = "## Where We Left Off"


def update(session: Session) -> bool:
    """Write task, status and next step into the section; False where MEMORY.md is absent, foreign or without it."""
    project = session.project
    path = project.memory_md
    data = b"" if buffer.refusal(path) else atomic.read(path)
    name = project.relative(path)
    if not data or not trust.known(session.environ, project.root, name, data):
        return False
    text = data.decode("utf-8", "surrogateescape")
    new = rewritten(text, values(session.state))
    if new == text:
        return False
    changed = new.encode("utf-8", "surrogateescape")
    atomic.write(path, changed)
    trust.record(session.environ, project.root, name, changed)
    return True


def values(state: State) -> dict[str, str]:
    """Return label → value for the lines of the section that the state can fill."""
    path, line = cursor(state)
    step = state["intent"] or (f"go on at `{path}:{line}`" if path else "")
    found = {"Current task": state["task"], "Status": buffer.status(state), "Next immediate step": step}
    return {label: buffer.one_line(value) for label, value in found.items() if value}


def rewritten(text: str, found: dict[str, str]) -> str:
    """Return the text with the section's labelled lines replaced; every other byte stays."""
    rows = text.split("\n")
    inside = fenced = False
    for at, row in enumerate(rows):
        plain = row.rstrip("\r")
        fenced ^= plain.lstrip().startswith(("```", "~~~"))
        if not fenced and plain.startswith("## "):
            inside = plain.strip() == HEADING
        label = plain[4:].split(":**", 1)[0] if plain.startswith("- **") else ""
        if inside and not fenced and label in found:
            rows[at] = f"- **{label}:** {found[label]}" + row[len(plain) :]
    return "\n".join(rows)
