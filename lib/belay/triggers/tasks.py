"""What a prompt asks for: a plan's hand-off, a slash command, work, or only something about what was said before.

Word lists and string code, no regular expression: every prompt passes here.
"""

from __future__ import annotations

from belay.client import prompt_text
from belay.core import kinds
from belay.core.plain_text import SENTENCE_ENDS, cut, split_sentences

TASK_CHARS = 110
REQUEST_CHARS = 400
"""Characters of a prompt that are kept as its words: enough to go on with it after a crash."""
READ_CHARS = 6000
_SHORT = 8
"""Words up to which a prompt may be a bare answer, or one about commits only."""
_PLANS = (
    "implement the following plan", "implement this plan", "execute the following plan", "execute this plan",
    "carry out the following plan", "here is the plan", "here's the plan",
)  # fmt: skip
_OPENINGS = frozenset(
    "yes yep yeah yup ok okay k sure great thanks thank thx perfect please now so and then well alright right cool "
    "nice also ah oh awesome excellent good hello hi hey lgtm".split()
)
"""Words before what a prompt is about."""
_GO_ON = frozenset(
    "hello hi hey continue go on ahead proceed resume keep going carry next please yes yep yeah ok okay sure now "
    "again with it do that this working and then lets let's the start begin".split()
)
_GOING = frozenset("continue go proceed resume keep carry start begin".split())
_AGREES = frozenset("yes yep yeah yup ok okay sure please do it that this both all go ahead y sounds good fine".split())
_THANKS = frozenset(
    "hello hi hey morning evening again there thanks thank you thx ty great perfect awesome nice cool good excellent "
    "job work looks lgtm that's it is works now well done so much very this wonderful amazing 👍 🎉 bye for".split()
)
_REFUSING = frozenset(
    "no nope nah not actually wait wrong instead don't dont never sorry undo revert stop again but".split()
)
_CONTRADICTING = frozenset("no nope nah wait actually".split())
_ASKING = frozenset(
    "what what's whats why how when where who whose which is isn't are aren't was were do does did doesn't didn't "
    "should would has have had any am may wanna weren't wasn't".split()
)
_POLITE = (
    "can you", "could you", "would you", "will you", "can we", "could we", "can u", "could u", "let's", "lets",
    "please", "i'd like", "i would like", "i want", "i need", "we need to", "we should", "you should", "you need to",
    "make sure", "help me", "feel free", "continue with", "go on with", "want you to", "need you to", "let us",
)  # fmt: skip
_CHORES = frozenset("commit commits committing push merge ship stage unstage rebase pull checkout amend pr prs".split())
_CHORE_COMMANDS = frozenset(
    "copy commit push pr ship save clear compact wrap-up pickup handoff continue resume".split()
)
_WORK_COMMANDS = {"execute-task": "", "add-feature": "Add the feature "}  # → what their arguments name as a task
_POINTING = frozenset(
    "it its this that these those them they both same first second third last other others one ones rest here there "
    "above below again too either neither everything all".split()
)
_AGREED = ("sounds good", "sounds great", "sounds fine", "looks good", "go ahead", "do it", "works for me", "i agree")
_OPEN_QUESTIONS = (" why ", " how ", " what ", " which ", " who ")
_TELL_ME = ("explain", "help me understand", "tell me ", "do you know")
_HERE = (" this branch ", " this repo ", " this repository ", " this project ", " this file ", " this pr ", " that pr ")
"""Places that "this" names without anything said before."""
_STATING = frozenset(
    "i i'm im i've ive i'll it it's its that that's thats this these those you you're youre we we're they he she cant "
    "can't couldn't my your".split()
)
_EMPTY = frozenset(
    "a an the to of in on at for from by with as is are was be been being and or if not no do does did have has had "
    "can could would should will we you i me my our your us it its this that these those them they both same one ones "
    "there here please just also then now so let's lets want need like make sure add get go try think some any more "
    "all out up into about really first second third last other others again too ok yes".split()
)


class Asked:
    """What a prompt asks for: its kind (`kinds.REQUESTS`), the task ("" where it names none), its words, a path.

    `task` is one line of at most 110 characters, `text` the prompt's words, at most 400; `path` is a plan's file.
    """

    __slots__ = ("kind", "path", "task", "text")

    def __init__(self, kind: str, task: str = "", text: str = "", path: str = "") -> None:
        self.kind, self.task, self.text, self.path = kind, task, text, path


def read_request(text: str, prose: str) -> Asked:
    """Return what a prompt asks for; `prose` is what of it a person said (`prompt_text.extract_prose`)."""
    head = text[:READ_CHARS].lstrip("\ufeff \t\r\n")
    if head[:1] == "/" and prompt_text.explain_machine_turn(text) == "slash command":
        return _read_command(head)
    if " ".join(_strip_openings(_split_words(head[:80].lstrip("#* ")))).startswith(_PLANS):
        return _read_plan(head)
    short = _flat(prose or head)
    kind = _kind_of_short(short.lower(), _split_words(short))
    if kind:
        return Asked(kind, text=short)
    sentences = split_sentences("\n".join(prompt_text.list_said_lines(prose[:READ_CHARS])))
    return _read_prose(sentences) if sentences else Asked(kinds.PASTE, text=_flat(head))


def _read_command(head: str) -> Asked:
    line = _flat(head.split("\n", 1)[0])
    name, _, given = line.partition(" ")
    if name.lstrip("/") in prompt_text.CLIENT_COMMANDS:
        return Asked(kinds.THANKS, text=line)
    bare = name.rpartition(":")[2].lstrip("/")
    work, chores = _WORK_COMMANDS.get(bare), _CHORE_COMMANDS
    if work is None and (bare in chores or bare.split("-")[0] in chores or name.startswith("/belay:")):
        return Asked(kinds.CHORE, text=line)
    return Asked(kinds.COMMAND, cut(line if work is None else work + given, TASK_CHARS) if given else "", line)


def _read_plan(head: str) -> Asked:
    """Return a plan that is handed over: its first heading, and the file it names."""
    title = prompt_text.find_plan_title(head.partition("\n")[2]) or prompt_text.find_plan_title(head.partition(":")[2])
    words = (word.strip("`'\"()[]<>,;:.") for word in head.split())
    path = next((word for word in words if "/plans/" in word and word.endswith(".md")), "")
    return Asked(kinds.PLAN, title or "the plan that was handed over", _flat(title), path)


def _read_prose(sentences: list[str]) -> Asked:
    text = _flat(" ".join(sentences))
    rows = [(row, _split_words(row)) for row in sentences]
    if _opens_question(text.lower()):
        return Asked(kinds.QUESTION, _trim(sentences[0]), text)
    wanted = next((row for row in rows if _asks_for_work(*row)), None)
    if _is_question(*rows[0]) and not any(_is_polite(said) for _, said in rows):
        return Asked(kinds.QUESTION, _trim(sentences[0]), text)
    if wanted is None:
        if any(_is_chore(said) for _, said in rows):
            return Asked(kinds.CHORE, text=text)
        is_question = any(_is_question(*row) for row in rows)
        return Asked(kinds.QUESTION if is_question else kinds.FOLLOW_UP, _trim(sentences[0]), text)
    if _is_chore(wanted[1]):
        return Asked(kinds.CHORE, text=text)
    if _strip_openings(rows[0][1])[:1] and _strip_openings(rows[0][1])[0] in _CONTRADICTING:
        return Asked(kinds.FOLLOW_UP, _trim(wanted[0]), text)
    if not _leans_back(*wanted):
        return Asked(kinds.WORK, _trim(wanted[0]), text)
    if len(rows) > 1 and not _leans_back(text, _split_words(text)):
        return Asked(kinds.WORK, _trim(text), text)
    return Asked(kinds.FOLLOW_UP, _trim(wanted[0]), text)


def _opens_question(low: str) -> bool:
    """Whether a prompt says that it is a question, or asks to be told something instead of something done."""
    return "question:" in low[:30] or any(phrase in low[:60] for phrase in _TELL_ME)


def _asks_for_work(sentence: str, words: list[str]) -> bool:
    """Whether a sentence asks politely, or orders; what only states or asks back does not."""
    if _is_polite(words):
        return True
    rest = _strip_openings(words)
    if _is_question(sentence, words) or not rest or rest[0] in _REFUSING or _is_stating(words):
        return False
    return sum(word not in _EMPTY for word in rest) >= 2


def _kind_of_short(line: str, words: list[str]) -> str:
    """Return the kind of a prompt that says nothing by itself, "" for any other."""
    rest = _strip_openings(words)
    if rest[:1] and rest[0] in _CONTRADICTING and not _is_polite(rest):
        return kinds.OBJECTION
    if not words or len(words) > _SHORT * 2:
        return ""
    if _corrects(line, words):
        return kinds.OBJECTION
    if " left off" in line or (_GO_ON.issuperset(words) and not _GOING.isdisjoint(words)):
        return kinds.GO_ON
    if _AGREES.issuperset(words) or _names_option(rest or words):
        return kinds.ANSWER
    if len(words) <= _SHORT and any(phrase in " ".join(words) for phrase in _AGREED) and not _is_polite(rest):
        return kinds.ANSWER
    if _THANKS.issuperset(words):
        return kinds.THANKS
    said = rest[:-1] if rest[-1:] == ["please"] else rest
    if said[:1] and said[0] in _REFUSING and not _is_polite(said):
        return kinds.OBJECTION
    return ""


def _corrects(line: str, words: list[str]) -> bool:
    """Whether a short prompt replaces a word of what was said: "call it width, not wrap_width"."""
    return (", not " in line or " instead of " in line or " rather than " in line) and not _POINTING.isdisjoint(words)


def _names_option(words: list[str]) -> bool:
    """Whether words choose among what was offered: "2", "option b", "let's do B", "5 seems like a good one"."""
    if not words:
        return False
    first = words[0]
    if len(words) <= 2 and first in ("option", "both", "neither", "none", "all"):
        return True
    if first in ("option", "number", "choice") and len(words) <= _SHORT:
        return True
    if len(first) == 1 and (first.isdigit() or (first.isalpha() and len(words) <= 2)):
        return len(words) <= _SHORT * 2
    short = words[-1].rstrip("=")
    chosen = len(short) == 1 and short.isalnum() and short not in ("a", "i")
    return chosen and len(words) <= 4 and words[0] in ("let's", "lets", "do", "try", "take", "go", "use", "with", "i")


def _is_chore(words: list[str]) -> bool:
    """Whether words ask only for what git or the forge does with finished work: commit, push, open the PR."""
    line = f" {' '.join(_strip_openings(words)).removesuffix(' please')} "
    for phrase in _POLITE:
        line = line.rpartition(f" {phrase} ")[2] if f" {phrase} " in line else line
    rest = [word for word in line.split() if word not in ("git", "to", "just", "then", "also", "only")]
    if not rest or len(rest) > _SHORT or len(words) > _SHORT * 2:
        return False
    opens = rest[0] in ("open", "create", "make", "raise", "add", "do", "get", "go", "run", "prepare", "retry")
    back = rest[0] in ("get", "go", "switch") and rest[1:3] in (["back", "main"], ["back", "master"])
    return rest[0] in _CHORES or (opens and not _CHORES.isdisjoint(rest)) or back


def _split_words(text: str) -> list[str]:
    return [word for word in (word.strip('.,!?;:"()[]{}“”').lower().replace("’", "'") for word in text.split()) if word]


def _strip_openings(words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and _is_opening(words[at]):
        at += 1
    return words[at:]


def _is_opening(word: str) -> bool:
    return word in _OPENINGS or (len(word) > 1 and not word.strip("hmu"))


def _strip_politeness(words: list[str]) -> list[str]:
    """Return words without "can you", "let's", "I'd like you to" before what is asked."""
    line = " ".join(words) + " "
    for opening in _POLITE:
        if line.startswith(opening + " "):
            rest = line[len(opening) + 1 :].split()
            while rest and rest[0] in ("to", "you", "please", "also", "just", "first", "then"):
                del rest[0]
            return rest
    return words


def _is_polite(words: list[str]) -> bool:
    """Whether a sentence asks for something to be done, in whatever polite form."""
    line = f" {' '.join(words)} "
    return any(f" {phrase} " in line for phrase in _POLITE) and not line.startswith(_OPEN_QUESTIONS)


def _is_question(sentence: str, words: list[str]) -> bool:
    rest = _strip_openings(words)
    asks = bool(rest) and rest[0] in _ASKING and rest[0] not in ("when", "where", "has", "have", "had")
    asks = asks and (rest[0] != "do" or {"next", *_POINTING}.isdisjoint(rest[1:3]))  # "do the same" orders
    return asks or sentence.rstrip("\"') ").endswith("?")


def _is_stating(words: list[str]) -> bool:
    """Whether a sentence says how something is instead of what to do; it is about the task, not a new one."""
    rest = _strip_openings(words)
    return bool(rest) and rest[0] in _STATING


def _leans_back(sentence: str, words: list[str]) -> bool:
    """Whether a request cannot be understood alone: it points at something and names little itself."""
    line = f" {' '.join(words)} "
    for place in _HERE:
        line = line.replace(place, " ")
    words = line.split()
    told = [word for word in words if word not in _EMPTY]
    if "same" in words or len(told) <= 1:
        return len(told) <= 4
    names = any(_is_name(word) for word in sentence.split())
    return not _POINTING.isdisjoint(words) and not names and len(told) <= 3


def _is_name(word: str) -> bool:
    """Whether a word names a file, an identifier or a number of an issue."""
    bare = word.strip(".,!?;:\"'()[]")
    inner = any(char.isupper() for char in bare[1:])
    return bare[:1] in ("`", "#", "@", "-") or "/" in bare or "_" in bare or inner or "." in bare


def _trim(sentence: str) -> str:
    """Return a sentence as a task: without opening words and politeness, begun with a capital."""
    words = sentence.split() or [""]
    while len(words) > 2 and _is_opening(words[0].lower().strip(",.!:;-")):
        del words[0]
    low = [word.lower().strip(",.!?;:").replace("’", "'") or "-" for word in words]
    rest = len(_strip_politeness(low))
    if 2 <= rest < len(words):
        words = words[-rest:]
    task = " ".join(words).rstrip(SENTENCE_ENDS + ":,; ")
    return cut(task[:1].upper() + task[1:] if words[0].isalpha() else task, TASK_CHARS)


def _flat(text: str) -> str:
    return cut(" ".join(text.split()), REQUEST_CHARS)
