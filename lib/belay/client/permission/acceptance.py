"""Commands that let somebody else's text in: `belay trust FILE` and its kind, however a shell line wraps them.

Words in, the verb out. A command that hides its words (base64, a script written earlier) is not seen: docs/trust.md.
"""

from __future__ import annotations

from belay.client.shell import steps
from belay.client.shell.wrappers import base, is_assignment, pass_options, read_options, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.client.shell.steps import Step

    Words = tuple[str, ...]

TRUST = "trust"
VERBS = (TRUST, "init", "import", "cleanup")
TAKE_OVER = ("init", "cleanup")
"""Verbs that let text in only where a database of another tool is there to be taken over."""
_DOORS = ("belay", "workshop")
_VALUED = read_options("--db --workspace")
_HARMLESS = {
    TRUST: frozenset(("--list", "--json", "-h", "--help")),
    "init": frozenset(("-h", "--help")),
    "import": frozenset(("--dry-run", "-h", "--help")),
    "cleanup": frozenset(("--dry-run", "--undo", "-h", "--help")),
}
"""Verb → its options that only show, or take back. For `trust` all words must be of them, else one is enough."""
_REPLACED = frozenset("$`*?[{")
"""What a shell replaces before it runs a word."""
_SHELLS = frozenset("sh bash zsh dash ksh fish ash busybox su".split())
_READERS = _SHELLS | frozenset(
    "source . perl ruby node php awk tclsh osascript pwsh powershell ssh at batch make".split()
)
"""Commands that run what stands in a text or a file."""
_FEEDERS = ("xargs", "parallel")
_PLAIN = frozenset("echo printf cat grep egrep fgrep rg ls head tail wc diff man which type true : cd".split())
"""Commands that only show their words."""
_GIT_PLAIN = frozenset("commit log show tag status add diff".split())
_DEEPEST = 5
_LONG = 4000
"""Characters of a line from which its words alone count, too: of a longer one not all may be read."""
_MOST = 16_000
"""Characters of a line that is taken apart; of a longer one only its words count."""


def find_acceptance(command: str) -> str:
    """Return the verb with which a command line lets foreign text in, "" for none."""
    return _judge(command, 0) if len(command) <= _MOST else _find_mention(command)


def _judge(command: str, depth: int) -> str:
    runs = list(_list_runs(steps.parse(command)))
    verbs = [_judge_run(words, command, depth) for words in runs]
    if len(command) > _LONG or ">(" in command or any(_reads_commands(words) for words in runs):
        verbs.append(_find_mention(command))
    return next(filter(None, verbs), "")


def _list_runs(step: Step) -> Iterator[Words]:
    """Yield the words of the simple commands; a chain of `&&` is deeper than Python may call itself."""
    waiting = [step]
    while waiting:
        part = waiting.pop()
        yield part.words
        waiting += reversed(part.parts)


def _judge_run(words: Words, command: str, depth: int) -> str:
    inner = [text for word in words for text in _list_substitutions(word)]
    values = " ; ".join(word.partition("=")[2] for word in words if is_assignment(word) and " " in word)
    if _find_mention(values):
        return _find_mention(values)
    is_fed = any(base(word) in _FEEDERS for word in words)
    words = _pass_script(unwrap(words)[0])
    if not words:
        return _judge_inner(inner, depth)
    name = base(words[0]).lower()
    if _is_door(words[0]):
        return _judge_call(words[1:], is_fed) or _judge_inner(inner, depth)
    if name in _SHELLS and "-c" in words[:-1]:
        inner.append(words[words.index("-c") + 1])
    elif name == "eval":
        inner.append(" ".join(words[1:]))
    elif not _only_shows(words):
        verb = _judge_unknown(words, command, is_fed)
        return verb or _judge_inner(inner, depth)
    return _judge_inner(inner, depth)


def _judge_inner(texts: list[str], depth: int) -> str:
    """Judge commands inside a command; what lies too deep counts by its words alone."""
    verbs = (_judge(text, depth + 1) if depth < _DEEPEST else _find_mention(text) for text in texts)
    return next(filter(None, verbs), "")


def _list_substitutions(word: str) -> list[str]:
    found = word.split("`")[1::2]
    for mark in ("$(", "<(", ">("):
        found += [part.rpartition(")")[0] or part for part in word.split(mark)[1:]]
    return found


def _pass_script(words: Words) -> Words:
    """Take off a Python that runs Belay's folder or module as a script."""
    if words and base(words[0]).lower().startswith("py"):
        at, _ = pass_options(words, 1, read_options("-W -X -c"))
        script = words[at].rstrip("/") if at < len(words) else ""
        if script.rsplit("/", 1)[-1] in ("lib", "__main__.py"):
            return ("belay", *words[at + 1 :])
    return words


def _is_door(word: str) -> bool:
    name = base(word).lower()
    return name in _DOORS or name.startswith("belay.")


def _judge_call(args: Words, is_fed: bool) -> str:
    """Return the verb of a call of Belay that lets text in; `is_fed`: more words come from elsewhere."""
    at, _ = pass_options(args, 0, _VALUED)
    verb, rest = (args[at], args[at + 1 :]) if at < len(args) else ("", ())
    if not verb or _is_replaced(verb):
        return TRUST if verb or is_fed else ""
    if verb not in VERBS:
        return ""
    if verb == TRUST:
        return verb if is_fed or _accepts(rest) else ""
    if not _HARMLESS[verb].isdisjoint(rest):
        return ""
    names = [word for word in rest if word[:1] != "-"]
    return verb if is_fed or verb != "import" or names else ""


def _accepts(rest: Words) -> bool:
    """Whether `belay trust` is given something to accept: a file, or --all."""
    at = 0
    while at < len(rest):
        if rest[at] == "--revoke":
            at += 1
        elif rest[at] not in _HARMLESS[TRUST] and not rest[at].startswith("--revoke="):
            return True
        at += 1
    return False


def _judge_unknown(words: Words, command: str, is_fed: bool) -> str:
    """Judge a command that may be Belay under another name, or run it."""
    first = words[1] if len(words) > 1 else ""
    is_named = any(door in command.lower() for door in _DOORS)
    if first == TRUST and (len(words) > 2 or is_fed) and (is_named or _is_replaced(words[0])):
        return TRUST
    if is_named and _is_replaced(words[0]) and (first in VERBS or _is_replaced(first)):
        return first if first in VERBS else TRUST
    return _find_mention(" ".join(words))


def _is_replaced(word: str) -> bool:
    return not _REPLACED.isdisjoint(word)


def _only_shows(words: Words) -> bool:
    name = base(words[0]).lower()
    return name in _PLAIN or (name == "git" and len(words) > 1 and words[1] in _GIT_PLAIN)


def _reads_commands(words: Words) -> bool:
    """Whether a simple command runs what it is fed: a shell without `-c`, an interpreter, xargs."""
    if any(base(word) in _FEEDERS for word in words):
        return True
    words = unwrap(words)[0]
    name = base(words[0]).lower() if words else ""
    if name in _SHELLS and "-c" in words:
        return _is_replaced(words[-1])
    return name in _READERS or name.startswith("python")


def _find_mention(text: str) -> str:
    """Return the verb that follows Belay's name somewhere in a text: `trust` at any distance, the others behind it."""
    flat = text.lower().replace("'", "").replace('"', "").replace("\\", "")
    marks = "".join(char if char.isalnum() or char in "_-" else " " for char in flat).split()
    doors = [at for at, word in enumerate(marks) if word in _DOORS]
    if doors and TRUST in marks[doors[0] :]:
        return TRUST
    return next((marks[at + 1] for at in doors if marks[at + 1 : at + 2] and marks[at + 1] in VERBS), "")
