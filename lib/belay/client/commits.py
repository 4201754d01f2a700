"""Commits that a shell command made, by what git printed, else by the command's own message. Values in, values out."""

from __future__ import annotations

from belay.client.tool_results import SHELLS, response_text, took_effect
from belay.core.plain_text import cut, one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.event import ToolCall

    Words = tuple[str, ...]

SUBJECT_CHARS = 100
_FAILED = "Exit code "
_REFUSALS = (
    "nothing to commit", "nothing added to commit", "no changes added to commit", "Aborting commit", "fatal: ",
    "error: ", "husky - ", "running in background with ID",
)  # fmt: skip
"""What git, its hooks and the client print where no commit was made."""


def find_commits(calls: list[ToolCall]) -> list[tuple[str, str]]:
    """Return (abbreviated id, subject) of each commit that shell calls made; "" for what cannot be seen."""
    made: list[tuple[str, str]] = []
    for call in calls:
        commands = _list_commits(call.command) if call.name in SHELLS and took_effect(call) else []
        if commands:
            text = response_text(call)
            printed = [row for row in map(_parse_line, text.splitlines()) if row]
            if not printed and not text.startswith(_FAILED) and not _says_no(text):
                printed = [("", _shorten(_message(words))) for words in commands]
            made += printed
    return made


def makes_commit(command: str) -> bool:
    """Whether a command line runs `git commit`; other words of it, in quotes or here-documents, do not count."""
    return bool(_list_commits(command))


def _list_commits(command: str) -> list[Words]:
    """Return the words of each `git commit` of a command line."""
    if "git" not in command or "commit" not in command:
        return []
    from belay.client.shell.lines import list_commands

    return [words for words in list_commands(command) if _is_commit(words)]


def _is_commit(words: Words) -> bool:
    at = 1
    while at < len(words) and words[at][:1] == "-":
        at += 2 if words[at] in ("-C", "-c") else 1
    is_git = bool(words) and words[0].rsplit("/", 1)[-1] == "git"
    return is_git and words[at : at + 1] == ("commit",) and {"--dry-run", "--help", "-h"}.isdisjoint(words)


def _says_no(text: str) -> bool:
    """Whether an output says that nothing was committed: `git commit || true` hides the exit status."""
    return any(phrase in text for phrase in _REFUSALS)


def _parse_line(line: str) -> tuple[str, str] | None:
    """Return (id, subject) of the line `[branch 1a2b3c4] Subject` that git prints, None for any other."""
    head, mark, subject = line.strip().partition("] ")
    words = head[1:].split()
    sha = words[-1] if words else ""
    is_id = 7 <= len(sha) <= 40 and all(char in "0123456789abcdef" for char in sha)
    return (sha, _shorten(subject)) if mark and head[:1] == "[" and len(words) > 1 and is_id else None


def _message(words: Words) -> str:
    """Return the first line of the message that a command gives with -m, a here-document inside it included."""
    for at, word in enumerate(words):
        is_short = word[:1] == "-" and word[:2] != "--" and word[-1:] == "m"
        text = words[at + 1] if (is_short or word == "--message") and at + 1 < len(words) else ""
        text = text or (word.partition("=")[2] if word.startswith("--message=") else "")
        if text.startswith("$(cat <<"):
            text = text.partition("\n")[2]
        if text:
            return text.lstrip().split("\n", 1)[0]
    return ""


def _shorten(text: str) -> str:
    return cut(one_line(text), SUBJECT_CHARS)
