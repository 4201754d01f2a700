"""Sentences of Claude's answer that state what it found out: a cause, a constraint, how something really behaves.

Precise before many: a sentence must say so in words that rarely mean anything else, name something of the project,
and be understood without the answer around it. Loaded only for an answer that may hold one; plain string code.
"""

from __future__ import annotations

from belay.core.plain_text import one_line, split_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.session.state_types import Finding

MOST = 3
"""Findings of one answer, and of one session (the consolidator chooses)."""
LEAST_CHARS, FINDING_CHARS = 40, 420
READ_CHARS = 4000
"""Characters of a line that are read."""
LEAST_SCORE = 3.7
"""Below it a sentence is no finding. Chosen by reading what 67 sessions of three public projects brought."""
_CAUSES = {
    "root cause": 4, "the culprit": 4, "turns out": 4, "turned out": 3, "caused by": 3.5, "the real issue": 4,
    "the actual issue": 4, "the real problem": 4, "the actual problem": 4, "the real bug": 4, "the actual bug": 4,
    "a real bug": 3, "only real bug": 4, "silent bug": 3, "the issue is": 3, "the issue was": 3.5, "the issue: ": 3,
    "the problem is": 3, "the problem was": 3.5, "the bug is": 3, "the bug was": 3.5, "problem: ": 3, "cause: ": 4,
    "the reason is": 3, "that's why": 3, "which is why": 3, "this is why": 3, "the reason for": 2, "key insight": 3,
    "load-bearing": 3, "functional regression": 3, "is missing from": 2, "finding: ": 2,
    "die ursache": 4, "lag daran": 4, "la causa": 4, "la cause": 4, "причина": 4, "根本原因": 4, "原因是": 4,
}  # fmt: skip
"""Words that say: this is why it was so. Word → weight; the strongest counts."""
_FACTS = {
    " because ": 3, " due to ": 3, "intentionally": 2, "by design": 2, "unreachable": 2, "silently": 2,
    "undefined order": 2, "incompatible": 2, "not derived from": 2, "deterministic": 1, "independently": 1,
    "there's no ": 1.5, "there is no ": 1.5, "has no ": 1.5, "is not implemented": 1.5, "not supported": 1.5,
    " since ": 1, " so that ": 1, " otherwise": 1, " cannot ": 1, " can't ": 1, " never ": 1, " only ": 1, " must ": 1,
    " requires ": 1, "previously": 1, "instead of": 1, "rather than": 1, "regression": 1.5, " race": 1, "deadlock": 1,
    "mismatch": 1, " fails": 1, " failed": 1, "crash": 1, "rejects": 1, "rejected": 1, " leak": 1, " hang": 1,
    "stale": 1, "missing": 1, "doesn't ": 1, "does not ": 1, "isn't ": 1, "is not ": 1, "didn't ": 1, "aren't ": 1,
    "falls back": 1.5, "fall back": 1.5, "no longer": 1, "expects ": 1, "always ": 1, "even when": 1, "even if": 1,
    "prevents": 1.5, "wrong": 1, "both ": 0.5, "tells ": 0.5,
}  # fmt: skip
"""Words of facts and constraints; the three strongest of a sentence count."""
_FACTS_COUNTED = 3
_DOUBTS = {
    " might ": 1.5, " may ": 1.5, "probably": 2, "likely": 1.5, "possibly": 2, "perhaps": 2, " seems": 1.5, "my bet": 4,
    "speculat": 4, "i think": 2, "i suspect": 4, "suspicion": 3, "hypothes": 3, "if confirmed": 4, "not sure": 3,
    "unclear": 3, "could be": 2, "should work": 3, "would be": 1, "if a caller": 1, "most often": 2, " i'll ": 4,
    " i can ": 3, "want me": 9, " i'd ": 3, " we just ": 1, "let me ": 4, "exactly your": 2, "your log": 1,
    " asserts ": 2, " proves ": 2,
}  # fmt: skip
"""Words of guesses, offers and plans, taken off the score."""
_LEANING = (
    "it ", "its ", "it's ", "this ", "that ", "that's ", "they ", "these ", "those ", "both ", "he ", "she ", "which ",
    "there ", "then ", "so ", "but ", "and ", "also", "however", "instead", "either", "otherwise", "here ", "same ",
    "neither", "one ", "each ", "such ", "no ", "…", "(", "without it", "the former", "the latter", "exactly",
)  # fmt: skip
"""How a sentence begins that needs the one before it."""
_NO_FACT = (
    "i'll ", "i will ", "i've ", "i have ", "i put ", "i added ", "let me ", "let's ", "want ", "should ", "shall ",
    "would you", "do you", "we should", "you should", "you can", "you could", "to fix", "next", "if you", "i can ",
    "i could", "i'd ", "option ", "ready ", "now ", "please", "can you", "could you", "run ", "try ", "check ", "add ",
    "added ", "updated ", "changed ", "fixed ", "moved ", "removed ", "renamed ", "created ", "consider", "here's",
    "here is", "once ", "when you", "just ", "correct", "yes", "good", "great", "remove ", "replace ", "use ",
    "done", "committed", "pushed", "if ", "you ", "synthesi", "asserts", "exhaustive",
)  # fmt: skip
"""How a sentence begins that tells what was or will be done (the diff has it), or speaks to the user."""
_LABELS = ("root cause", "cause", "problem", "issue", "the issue", "the problem", "bug", "why", "finding", "reason",
           "why it failed", "what went wrong", "what was wrong", "explanation", "key insight", "before")  # fmt: skip
"""Labels before a colon that a fact follows; any other label is a heading of its own."""


def find_findings(lines: list[str]) -> list[Finding]:
    """Return the best findings in the prose lines of an answer (`answer`), at most three, the best first."""
    found: dict[str, float] = {}
    for row in lines:
        if row and not row.startswith("#"):
            sentences = split_line(one_line(_strip(row), READ_CHARS))
            for at in range(len(sentences)):
                text = _complete(sentences, at)
                score = rate(text) if text else 0.0
                if score >= LEAST_SCORE:
                    found[text] = max(score, found.get(text, 0.0))
    best = sorted(found, key=lambda text: -found[text])[:MOST]
    return [{"text": text, "score": round(found[text], 1)} for text in best]


def rate(text: str) -> float:
    """Return how surely a sentence states a finding; 0 where it names nothing of the project."""
    low = f" {text.lower()} "
    cause = max((weight for word, weight in _CAUSES.items() if word in low), default=0.0)
    facts = sorted((weight for word, weight in _FACTS.items() if word in low), reverse=True)[:_FACTS_COUNTED]
    names = _count_names(text)
    if cause + sum(facts) < 2 or not names:
        return 0.0
    return cause + sum(facts) + 0.7 * min(names, 3) - sum(weight for word, weight in _DOUBTS.items() if word in low)


def _complete(sentences: list[str], at: int) -> str:
    """Return a sentence with the neighbour that it needs or that goes on with it; "" where it is no statement."""
    sentence = sentences[at]
    low = sentence.lower()
    if len(sentence) < LEAST_CHARS or low.endswith(("?", ":")) or low.startswith(_NO_FACT):
        return ""
    text = sentence
    if low.startswith(_LEANING) and not low.startswith("it turn"):
        before = sentences[at - 1] if at else ""
        if not before or before.endswith(("?", ":")) or before.lower().startswith((*_LEANING, *_NO_FACT)):
            return ""
        text = f"{before} {sentence}"
    elif at + 1 < len(sentences) and sentences[at + 1].lower().startswith(_LEANING):
        more = f"{sentence} {sentences[at + 1]}"
        text = sentence if more.endswith(("?", ":")) or len(more) > FINDING_CHARS else more
    return text if len(text) <= FINDING_CHARS else ""


def _strip(row: str) -> str:
    """Return a line without list mark, emphasis and a label that is no sentence's part."""
    row = row.lstrip("-*+•# ").strip()
    number, _, rest = row.partition(" ")
    row = (rest if rest and number[-1:] in ".)" and number[:-1].isdigit() else row).replace("**", "").strip()
    head, colon, rest = row.partition(": ")
    is_label = bool(colon) and len(head.split()) <= 3 and "`" not in head and head.lower() not in _LABELS
    return rest.strip() if is_label and rest[:1].isupper() else row


def _count_names(text: str) -> int:
    """Return how many names of code a text has: in backticks, with an underscore, a call, a path, an inner capital."""
    names = set(text.split("`")[1::2])
    for word in text.replace("`", " ").split():
        bare = word.strip(".,;:!?\"'()[]*")
        inner = bare[1:]
        is_name = "_" in inner or "()" in word or ("." in inner and bare[-1:].isalnum() and not bare[:1].isdigit())
        if len(bare) > 3 and (is_name or (inner != inner.lower() and inner != inner.upper())):
            names.add(bare)
    return len(names)
