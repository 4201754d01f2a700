"""Requests a person makes in passing: seed 003's table of phrases and their actions.

A phrase inside quotation marks, code, a quoted block or a machine turn does not fire.
"""

from __future__ import annotations

from belay.triggers import match, skip, words

_STOP = ".|,|!|?|;|:|$|and|now|please|then|here|today|tonight|before|so|again|first|because|but|or|for"
_ROWS = (
    # action, pattern, example
    (
        "remember",
        "remember|memorize|memorise this|that|it|these|: {stop}",
        "Remember this: the port is 5433.",
    ),
    (
        "remember",
        "^ *2 remember|memorize|memorise that|this|my|our|the _",
        "Remember that we ship on Fridays.",
    ),
    ("remember", "remember to _", "Remember to run the linter."),
    ("remember", "don't|never|not ever|you|to|we forget _", "Please don't you forget the changelog."),
    ("remember", "don't|never|not forget _", "Don't forget the changelog."),
    ("remember", "don't|never|not forget {stop}", "The port is 5433, don't forget!"),
    ("wrap-up", "wrap *1 up {stop}", "Let's wrap up."),
    ("wrap-up", "wrap *1 up this|the|our *1 session|day", "Wrap up the session."),
    ("wrap-up", "^ *3 save my|our|the|your|all|current|session progress {stop}", "Save our progress."),
    ("wrap-up", "^ *4 save progress {stop}", "Save progress."),
    ("wrap-up", "i'm|we're|am|are|that's|all|okay|,|well done for now|today|tonight", "I'm done for now."),
    (
        "pickup",
        "pick|picking|carry|start|continue|resume *3 where we|i|you left|stopped",
        "Pick up where we left off.",
    ),
    ("pickup", "^ where we|i|you left off", "Where we left off?"),
    ("pickup", "what were|was|are we|i|you doing {stop}", "What were we doing?"),
    ("pickup", "what were|was we|i|you working|up on|to|at", "What were we working on?"),
    ("pickup", "^ *2 where were|was|did we|i {stop}", "Where were we?"),
    ("pickup", "^ *2 where did we|i leave|stop", "Where did we leave off?"),
    ("health", "memory health|healthy {stop}", "How is memory health?"),
    ("health", "health of *2 memory", "Check the health of our memory."),
    ("health", "is|are|isn't|looks|seems|how *2 memory *2 stale|fresh|outdated|healthy", "Is memory stale?"),
    (
        "handoff",
        "hand|handing this|it|everything|the|work|that *2 off|over to|{stop}",
        "I have to hand this off.",
    ),
    ("handoff", "hand|handing off|over to|this|{stop}", "Time to hand off."),
    ("handoff", "^ *5 handoff|handover doc|document|note|notes|to|{stop}", "Write a handoff document."),
    ("handoff", "hand off doc|document|note|notes", "Write a hand off document."),
    (
        "handoff",
        "^ *4 onboard|onboarding someone|somebody|a|the|my|our|new|him|her|them|another",
        "Onboard someone to this project.",
    ),
    ("compress", "compress|compact|shrink|trim *2 memory file|files|{stop}", "Compress memory."),
    ("compress", "clean|tidy up *2 memory file|files|{stop}", "Clean up memory."),
    ("compress", "clean|tidy *2 memory file|files|up {stop}", "Clean the memory up."),
    ("rebuild", "rebuild|reconstruct|regenerate *2 memory file|files|from|{stop}", "Rebuild memory."),
    (
        "save-state",
        "^ *4 save|checkpoint the|our|my|your|current|session|this state {stop}",
        "Save the state.",
    ),
    ("save-state", "^ *4 save state {stop}", "Save state."),
    (
        "save-state",
        "continue|resume|finish this|it|here|that|working later|tomorrow",
        "We'll continue this later.",
    ),
    (
        "save-state",
        "continue|pick|resume *1 this|it|here|that *1 up|later|tomorrow later|tomorrow|{stop}",
        "Pick this up tomorrow.",
    ),
    ("save-state", "running|run|runs out of *2 context|tokens {stop}", "We are running out of context."),
    ("save-state", "session|conversation|chat is|getting|gets|has *3 long", "This session is long."),
    ("budget", "context budget", "What's the context budget?"),
    ("budget", "how much *2 context *5 left|remaining|remains|used", "How much context left?"),
    ("budget", "how much *2 context do|have we|you|i *1 have|left|used", "How much context do we have?"),
)  # fmt: skip
_BRANCH = (
    ("^ *3 switch|switching|swap|back *2 to *1 branch _", "Switch to branch hotfix."),
    ("^ *3 switch|switching|swap *1 to _", "Switch to feature/login."),
    ("^ context|memory|notes for|on|of _", "Context for checkout, please."),
    (
        "^ *3 give|show|load|get|bring|need|pull|fetch|inject|have|want|what's *3 context|memory|notes for|on|of _",
        "Load the context for checkout.",
    ),
)  # fmt: skip
PATTERNS = tuple((action, pattern.replace("{stop}", _STOP), example) for action, pattern, example in _ROWS)
_HINTS = (
    "memor", "rememb", "forget", "wrap", "save", "checkpoint", "done for", "where", "what we", "what was", "hand",
    "onboard", "context", "continue", "resume", "pick", "session", "conversation", "chat", "running out", "run out",
    "switch", "swap", "back to", "finish", "notes",
)  # fmt: skip
_FILLERS = frozenset(
    ["the", "a", "an", "my", "our", "this", "that", "branch", "feature", "work", "of", "on", "working"]
)
_NOT_NAMES = frozenset(
    [
        "it",
        "them",
        "me",
        "us",
        "you",
        "i",
        "what",
        "how",
        "where",
        "when",
        "why",
        "which",
        "all",
        "everything",
    ]
)
_KEEPS_QUESTIONS = frozenset(
    ("pickup", "health", "budget", "handoff", "branch", "wrap-up", "compress", "rebuild")
)
_BARE = frozenset(
    [
        "please",
        "and",
        "remember",
        "memorize",
        "don't",
        "not",
        "never",
        "forget",
        "do",
        "this",
        "that",
        "it",
        "these",
        "you",
        "to",
        "okay",
        "also",
        ".,:;!",
    ]
) | {*".,:;!"}
_ASKS_RECALL = (
    "do you remember",
    "did you remember",
    "can you remember",
    "i don't remember",
    "can't remember",
)


class Request:
    """One request: `action`, the branch or feature `name` (else ""), and the `sentence` that made it."""

    __slots__ = ("action", "name", "sentence")

    def __init__(self, action: str, sentence: str, name: str = "") -> None:
        self.action, self.sentence, self.name = action, sentence, name

    def __repr__(self) -> str:
        return f"Request({self.action!r}, {self.sentence!r}, {self.name!r})"


def request(text: str) -> list[Request]:
    """Find the requests of one prompt, each action once, in the order of the text.

    Actions: remember, wrap-up, pickup, branch, health, handoff, compress, rebuild, save-state, budget.
    """
    low = text.lower()
    if not any(hint in low for hint in _HINTS) or skip.machine(text):
        return []
    found: dict[str, Request] = {}
    lines = words.sentences(skip.prose(text))
    for at, sentence in enumerate(lines):
        for asked in _of(sentence):
            if asked.action == "remember" and _is_bare(sentence):
                asked.sentence = lines[at + 1] if at + 1 < len(lines) else lines[at - 1]
            found.setdefault(asked.action, asked)
    return list(found.values())


def _is_bare(sentence: str) -> bool:
    """Tell a "remember this:" whose matter stands in a neighbouring sentence."""
    return not set(words.tokens(sentence)) - _BARE


def _of(sentence: str) -> list[Request]:
    said = words.tokens(unquoted(sentence))
    actions = {PATTERNS[number][0] for number in match.Patterns(row[1] for row in PATTERNS).hits(said)}
    if "remember" in actions and (said[-1:] == ["?"] or _recalls(" ".join(said))):
        actions.discard("remember")
    found = [
        Request(action, sentence)
        for action in sorted(actions)
        if said[-1:] != ["?"] or action in _KEEPS_QUESTIONS
    ]
    name = branch_name(said, sentence)
    return [*found, Request("branch", sentence, name)] if name else found


def _recalls(said: str) -> bool:
    return any(phrase in said for phrase in _ASKS_RECALL)


def branch_name(said: list[str], sentence: str) -> str:
    """Give the branch or feature that a "switch to X" or "context for X" names, else ""."""
    hits = match.Patterns(row[0] for row in _BRANCH).hits(said)
    if not hits:
        return ""
    raw = [word.strip("\"'`“”()[],;:!?").rstrip(".") for word in sentence.split()]
    low = [word.lower() for word in raw]
    marks = ("to",) if hits & {0, 1} else ("for", "on", "of")
    at = next((i for i, word in enumerate(low) if word in marks), len(low))
    rest = [word for word in raw[at + 1 :] if word.lower() not in _FILLERS and word]
    if not rest or rest[0].lower() in _NOT_NAMES or (hits <= {1} and not _is_branch(rest, low)):
        return ""
    return rest[0]


def _is_branch(rest: list[str], low: list[str]) -> bool:
    known = rest[0] in ("main", "master", "develop", "dev", "staging", "trunk")
    return known or "branch" in low or "/" in rest[0].strip("/") or "-" in rest[0]


def unquoted(sentence: str) -> str:
    """Blank what stands in quotation marks or backticks."""
    for opening, closing in (("`", "`"), ('"', '"'), ("“", "”"), ("«", "»"), ("‘", "’")):
        sentence = _blank(sentence, opening, closing)
    return _blank_single(sentence)


def _blank(text: str, opening: str, closing: str) -> str:
    start = text.find(opening)
    while start >= 0:
        end = text.find(closing, start + 1)
        if end < 0:
            return text
        text = text[:start] + " \x00 " + text[end + 1 :]
        start = text.find(opening, start)
    return text


def _blank_single(text: str) -> str:
    padded = f" {text} "
    start = padded.find(" '")
    while start >= 0:
        end = padded.find("'", start + 2)
        while end >= 0 and padded[end + 1].isalpha():
            end = padded.find("'", end + 1)
        if end < 0:
            break
        padded = padded[:start] + " \x00 " + padded[end + 1 :]
        start = padded.find(" '")
    return padded.strip()
