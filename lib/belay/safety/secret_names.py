"""Names that secrets are given: where they end in a text, and what kind of value they announce."""

from __future__ import annotations

from belay.safety.secret_kinds import (
    FOREIGN_NAMES,
    NAMES,
    OPEN,
    PASSWORD_WORDS,
    PASSWORDS,
    QUALIFIERS,
    SECRET_WORDS,
    SECRETS,
    WORD,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_CHARS = 64
NAME_SIGNS = WORD | frozenset("-") | frozenset("ñÑ")
RUN_NAMES = 16
"""Names looked at in one run without a blank: with more of them, each would be read to the end of the run again."""
_AHEAD = 4096
"""Characters of a run that are stepped over at once."""
_INFLECTION = 3
"""Letters that a language may add to a name: `Passworts`, `паролем`."""
_SIGNS = "".join(sorted(NAME_SIGNS))
_STARTS = tuple(name for name in NAMES if not any(other in name for other in NAMES if other != name))
_RUNS = bytes(sign if chr(sign) in NAME_SIGNS else ord(" ") for sign in range(256))
"""Translation of Latin-1 that makes a blank of all but name signs."""
_MARK = "[redacted:"
_WIDE = 0x2E80
"""Code point from which on scripts write no blank between words (CJK Radicals Supplement, Unicode)."""


def find_names(text: str, low: str) -> Iterator[tuple[int, str]]:
    """Yield (end, kind) of every name in order; `low` is the text in lower case, equally long.

    The kind is password, secret, token, api-key, key (a value must look random) or login.
    """
    names = dict(_find_foreign(low))
    if literals := [literal for literal in _STARTS if literal in low]:
        names.update(_find_english(text, literals))
    return _thin(text, sorted(names.items()))


def _find_english(text: str, literals: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (end, kind) of every run of name signs that ends in a name of ours; equal runs are judged once.

    `literals` are those of the table that the text holds.
    """
    kinds: dict[bytes, tuple[str, str]] = {}
    joined: dict[str, str] = {}
    end = -1
    for name in text.encode("latin-1", "replace").translate(_RUNS).split(b" "):
        end += len(name) + 1
        if name not in kinds:
            kinds[name] = _judge(name[-NAME_CHARS:].decode("latin-1"), literals)
        kind, before = kinds[name]
        if before and text[end - len(name) - 1 : end - len(name)] in before:
            whole = _name_text(text, end, end - min(len(name), NAME_CHARS), literals)
            if whole not in joined:
                joined[whole] = sensitive(whole)
            kind = joined[whole]
        if kind:
            yield end, kind


def _judge(name: str, literals: list[str]) -> tuple[str, str]:
    """Return the kind of a name, and the signs before it behind which the text before it matters: `api key`, a mark."""
    low = name.lower()
    if not any(literal in low for literal in literals):
        return "", ""
    return sensitive(name), " :" if low.startswith("key") else ":" if low.startswith(_STARTS) else ""


def _name_text(text: str, end: int, start: int, literals: list[str]) -> str:
    """Return a name; `key` alone with the word before it: `api key`; "" in a mark of an earlier pass."""
    name = text[start:end]
    if name[:3].lower() == "key" and text[start - 1 : start] == " ":
        return text[start_of_name(text, start - 1) : end]
    if text[max(0, start - len(_MARK)) : start] == _MARK and not any(part in name.lower()[1:] for part in literals):
        return ""
    return name


def _thin(text: str, names: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the first few names of every run without a blank."""
    last = seen = 0
    for end, kind in names:
        between = text[last:end]
        seen = 0 if " " in between or len(between.split(None, 1)) > 1 or between[:1].isspace() else seen + 1
        last = end
        if seen < RUN_NAMES:
            yield end, kind


def start_of_name(text: str, end: int) -> int:
    """Return where the name that ends at `end` starts."""
    least = max(0, end - NAME_CHARS)
    return least + len(text[least:end].rstrip(_SIGNS))


def sensitive(name: str) -> str:
    """Return the kind that the name at the end of a text announces, or ""."""
    words = _words(name.replace(" key", "_key").replace(" Key", "_Key").replace(" KEY", "_KEY"))
    while words and (words[-1] in QUALIFIERS or words[-1].isdigit()):
        words.pop()
    squashed = "".join(words[-4:]).rstrip("0123456789")
    if not words or squashed in ("bypass", "compass"):
        return ""
    if squashed.endswith(PASSWORDS) or words[-1] in PASSWORD_WORDS:
        return "password"
    if words[-1] != squashed and any(word in OPEN for word in words):
        return ""
    if squashed.endswith(SECRETS):
        return "api-key" if squashed.endswith("key") else "token" if squashed.endswith(("token", "jwt")) else "secret"
    return "key" if words[-1] in SECRET_WORDS else "login" if squashed in ("login", "account") else ""


def _words(name: str) -> list[str]:
    start = len(name)
    while start > 0 and name[start - 1] in NAME_SIGNS:
        start -= 1
    cut = [name[at] if not _hump(name, at) else "-" + name[at] for at in range(start, len(name))]
    return [word.lower() for word in "".join(cut).replace("_", "-").split("-") if word]


def _hump(name: str, at: int) -> bool:
    """A capital after a small letter begins a word: apiKey."""
    return at > 0 and name[at].isupper() and name[at - 1].islower()


def _find_foreign(low: str) -> Iterator[tuple[int, str]]:
    """Yield (end, kind) of the names in other languages than English."""
    for kind, literals in FOREIGN_NAMES.items():
        for literal in literals:
            at, end, seen = low.find(literal), 0, 0
            while at >= 0:
                seen = 0 if _holds_blank(low[end:at]) else seen + 1
                end = at + len(literal)
                if seen > RUN_NAMES:
                    end = _end_of_run(low, end)
                elif _is_word(low, at, end):
                    yield _inflected(low, end), kind
                at = low.find(literal, end)


def _holds_blank(text: str) -> bool:
    return " " in text or (text != "" and text.split() != [text])


def _end_of_run(low: str, at: int) -> int:
    """Return where a blank comes next, or a place before it: no more names of the run are looked at."""
    ahead = low[at : at + _AHEAD]
    return (
        at + len(ahead) - len(ahead.lstrip())
        if ahead[:1].isspace()
        else at + len(ahead.split(None, 1)[0] if ahead else "")
    )


def _is_word(low: str, at: int, end: int) -> bool:
    """Whether a name stands for itself: in scripts with blanks no letter comes before it."""
    return ord(low[end - 1]) >= _WIDE or not low[at - 1 : at].isalpha() or at == 0


def _inflected(low: str, end: int) -> int:
    if ord(low[end - 1]) >= _WIDE:
        return end
    stop = end
    while stop < len(low) and stop - end <= _INFLECTION and low[stop].isalpha():
        stop += 1
    return stop if stop - end <= _INFLECTION else end
