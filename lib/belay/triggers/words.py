"""Words and sentences of a prompt, without regular expressions (docs/architecture.md, law b)."""

from __future__ import annotations

_RESTORED = {
    "lets": "let's", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't",
    "arent": "aren't", "wasnt": "wasn't", "cant": "can't", "wont": "won't", "shouldnt": "shouldn't",
    "wouldnt": "wouldn't", "couldnt": "couldn't", "thats": "that's", "im": "i'm", "ive": "i've",
    "youre": "you're", "theres": "there's", "u": "you", "yea": "yeah", "ya": "yeah", "ok": "okay",
    "pls": "please", "plz": "please", "cannot": "can't", "gonna": "going-to", "wanna": "want-to",
    "nevermind": "never-mind", "instad": "instead", "alway": "always", "alwasy": "always",
    "shoud": "should", "shold": "should", "actualy": "actually", "acutally": "actually",
}  # fmt: skip
_EDGE = "\"'`()[]{}<>*_~“”‘’«»|#-–—•"
_PUNCT = ".,:;!?…"
_ENDS = ".!?…"
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', " ": " "})
SENTENCE_LIMIT = 80
TEXT_LIMIT = 6000


def sentences(text: str) -> list[str]:
    """Cut prose into sentences, each a substring of the text without outer blanks.

    A line end closes a sentence, as does `.`, `!`, `?` or `…` before a blank.
    """
    found: list[str] = []
    for line in text[:TEXT_LIMIT].split("\n"):
        _cut(line, found)
        if len(found) >= SENTENCE_LIMIT:
            break
    return found[:SENTENCE_LIMIT]


def _cut(line: str, found: list[str]) -> None:
    start, size = 0, len(line)
    for i, char in enumerate(line):
        if char not in _ENDS or (i + 1 < size and not line[i + 1].isspace()):
            continue
        if line[start:i].strip().isdigit():
            continue  # the number of a list item: it belongs to what follows
        _keep(line[start : i + 1], found)
        start = i + 1
    _keep(line[start:], found)


def _keep(piece: str, found: list[str]) -> None:
    piece = piece.strip()
    if piece:
        found.append(piece)


def tokens(sentence: str) -> list[str]:
    """Cut one sentence into lower-case tokens; punctuation marks are tokens of their own.

    Addresses, paths, numbers and identifiers become a kind: `<url>`, `<path>`, `<num>`, `<id>`...
    """
    found: list[str] = []
    for chunk in sentence.translate(_QUOTES).split():
        _token(chunk, found)
    return found


def _token(chunk: str, found: list[str]) -> None:
    core = chunk.strip(_EDGE)
    tail = ""
    while core and core[-1] in _PUNCT:
        tail = core[-1]
        core = core[:-1].rstrip(_EDGE)
    core = core.lstrip(_PUNCT)
    if core:
        _core(core, found)
    elif not tail and chunk[0] in _PUNCT:
        tail = chunk[0]
    if tail:
        found.append(tail)


def _core(core: str, found: list[str]) -> None:
    low = core.lower()
    if low.isalpha() or ("'" in low and low.replace("'", "").isalpha()):
        found.append("<id>" if _camel(core) else _RESTORED.get(low, low))
        return
    kind = _kind(core, low)
    if kind == "<words>":
        parts = low.replace("/", " ").replace("-", " ").replace(",", " ").split()
        found.extend(_RESTORED.get(part, part) for part in parts)
    else:
        found.append(kind)


def _camel(core: str) -> bool:
    return (
        len(core) > 3 and not core[1:].islower() and not core.isupper() and core.isascii() and core.isalpha()
    )


def _kind(core: str, low: str) -> str:
    if "://" in low or low.startswith("www."):
        return "<url>"
    digits = sum(map(str.isdigit, low))
    if digits:
        return _numeric(low, digits)
    if low[0] == "@" and "." not in low and "/" not in low:
        return "<at>"
    if "@" in low[1:] and "." in low:
        return "<email>"
    if "_" in low or "(" in low or "=" in low or "::" in low or "{" in low:
        return "<id>"
    if "/" in low:
        return (
            "<words>"
            if low.count("/") == 1 and low.replace("/", "").isalpha() and len(low) < 14
            else "<path>"
        )
    if "." in low:
        return "<path>"
    return "<words>" if low.replace("-", "").replace("'", "").replace(",", "").isalpha() else "<sym>"


def _numeric(low: str, digits: int) -> str:
    if digits == len(low):
        return "<num>" if digits < 6 else "<long>"
    bare = low.lstrip("v")
    if bare.replace(".", "").isdigit():
        dots = bare.count(".")
        return "<ip>" if dots == 3 else "<ver>"
    if low[0] == "#" or low.strip("%$,.k+").replace(",", "").isdigit():
        return "<num>"
    if "/" in low or (low.count(".") == 1 and not low.rpartition(".")[2].isdigit()):
        return "<path>"
    if digits > 3 and len(low) > 11:
        return "<hex>"
    return "<id>"
