"""The words of a shell command that are files it changes, judged by its words alone; no shell is started."""

from __future__ import annotations

_SEPARATORS = str.maketrans(dict.fromkeys("|;&()`{}\n", "\n"))
_BEFORE = frozenset("sudo doas env xargs nohup time command exec nice eval then do else bash sh zsh dash".split())
"""Words that may come before a command's name."""
_CHANGES = frozenset(
    "rm rmdir mv truncate shred unlink touch chmod chown dd tee sqlite3 del erase move ren "
    "remove-item set-content out-file add-content clear-content move-item rename-item".split()
)
_INTO_LAST = frozenset("cp rsync install ln copy copy-item".split())
"""Commands that change only what their last word names."""
_MOVES = frozenset(("mv", "move", "move-item", "ren", "rename-item"))
_IN_PLACE = ("sed", "perl")
_UNPACKS = ("git apply", "git am", "patch ", "tar ", "unzip ", "rsync ", "scp ", "7z ")
"""What brings files that the command need not name."""
_COPIES = ("cp ", "mv ", "install ", "dd ", "curl ", "wget ", "> ", ">>")
_MEMORY = ("memory", "continuation", "claude.md", "todo.md", "lessons.md")


def find_changed(command: str) -> list[str]:
    """Return the words of a command line that it may change: arguments of such commands, targets of `>`.

    Words lose their quotes and a leading "./"; backslashes become slashes.
    """
    changed: list[str] = []
    for folder, words in _split(command):
        redirected = [words[at] for at in range(1, len(words)) if words[at - 1] == ">"]
        changed += [_join(folder, word) for word in redirected + _find_arguments(words, command)]
    return changed


def find_removed(command: str) -> list[str]:
    """Return the words of a command line that it may remove, folders with everything in them."""
    removed: list[str] = []
    for folder, words in _split(command):
        names = [] if _INTO_LAST.intersection(words) else _find_arguments(words, command)
        names = names[:-1] if _MOVES.intersection(words) else names
        removed += [_join(folder, word) for word in names]
    return removed


def brings_text(command: str) -> bool:
    """Whether a command may bring text from elsewhere into a memory file; what a here-document says is Claude's own."""
    if any(word in command for word in _UNPACKS):
        return True
    if "<<" in command or not any(word in command for word in _COPIES):
        return False
    reads = any(word in command for word in _COPIES[:-2]) or "cat " in command
    lower = command.lower()
    return reads and any(word in lower for word in _MEMORY)


def cleans_ignored(command: str) -> bool:
    """Whether git is asked to delete the files that it ignores, Belay's records among them."""
    for _, words in _split(command):
        if "git" in words and "clean" in words:
            flags = "".join(word[1:] for word in words if word[:1] == "-" and word[:2] != "--")
            if "x" in flags.lower() and not any(".claude" in word for word in words):
                return True
    return False


def _split(command: str) -> list[tuple[str, list[str]]]:
    """Return (folder, words) of each simple command; folder is where a `cd` before it led."""
    folder, commands = "", []
    for part in command.translate(_SEPARATORS).split("\n"):
        words = [_unquote(word) for word in part.replace(">|", ">").replace(">", " > ").split()]
        if words[:1] == ["cd"]:
            folder = _join(folder, words[1]) if len(words) > 1 else ""
        elif words:
            commands.append((folder, words))
    return commands


def _join(folder: str, word: str) -> str:
    return word if not folder or word[:1] in ("/", "~", "-") else f"{folder.rstrip('/')}/{word}"


def _unquote(word: str) -> str:
    return word.strip("'\"").replace("\\", "/").removeprefix("./")


def _find_arguments(words: list[str], command: str) -> list[str]:
    at = 0
    while at < len(words) and (words[at] in _BEFORE or words[at][:1] == "-" or "=" in words[at]):
        at += 1
    name = words[at].rsplit("/", 1)[-1].lower() if at < len(words) else ""
    rest = words[at + 1 :]
    if name in _INTO_LAST:
        return [word for word in rest if word != ">"][-1:]
    if name in _CHANGES and "xargs" in words:
        return [_unquote(word) for word in command.split()]
    if name in _CHANGES or (name in _IN_PLACE and any(word.startswith(("-i", "-pi")) for word in rest)):
        return [word.removeprefix("of=") for word in rest]
    return rest if name == "find" and ("-delete" in rest or not _CHANGES.isdisjoint(rest)) else []
