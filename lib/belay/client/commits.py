"""Commits that a shell command made, by what git printed, else by the command's own message. Values in, values out."""

from __future__ import annotations

from belay.client.tool_results import SHELLS, response_text, took_effect
from belay.core.plain_text import cut, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import ToolCall

SUBJECT_CHARS = 100
_FAILED = "Exit code "


def find_commits(calls: list[ToolCall]) -> list[tuple[str, str]]:
    """Return (abbreviated id, subject) of each commit that shell calls made; "" for what cannot be seen."""
    made: list[tuple[str, str]] = []
    for call in calls:
        if call.name in SHELLS and makes_commit(call.command) and took_effect(call):
            text = response_text(call)
            printed = [row for row in map(_parse_line, text.splitlines()) if row]
            if printed:
                made += printed
            elif not text.startswith(_FAILED) and "--dry-run" not in call.command:
                made.append(("", _shorten(_message(call.command))))
    return made


def makes_commit(command: str) -> bool:
    """Whether a command line holds a `git commit`."""
    words = command.split()
    return "git" in words and "commit" in words


def _parse_line(line: str) -> tuple[str, str] | None:
    """Return (id, subject) of the line `[branch 1a2b3c4] Subject` that git prints, None for any other."""
    head, mark, subject = line.strip().partition("] ")
    words = head[1:].split()
    sha = words[-1] if words else ""
    is_id = 7 <= len(sha) <= 40 and all(char in "0123456789abcdef" for char in sha)
    return (sha, _shorten(subject)) if mark and head[:1] == "[" and len(words) > 1 and is_id else None


def _message(command: str) -> str:
    """Return the first line of the message that a command gives with -m, a heredoc inside it included."""
    rest = command.partition("commit")[2].partition("-m")[2].lstrip(" =")
    quote = rest[:1] if rest[:1] in "\"'" else ""
    rest = rest[1:] if quote else rest
    if rest.startswith("$(cat <<"):
        rest = rest.partition("\n")[2].lstrip()
        return rest.split("\n", 1)[0]
    return rest.split("\n", 1)[0].partition(quote)[0] if quote else ""


def _shorten(text: str) -> str:
    return cut(one_line(text), SUBJECT_CHARS)
