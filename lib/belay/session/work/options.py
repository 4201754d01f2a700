"""The options that an answer lists, and which of them a bare reply ("2", "option b", "let's do B") chooses."""

from __future__ import annotations

from belay.core.plain_text import cut, one_line

MOST = 9
OPTION_CHARS = 200
SHORT = 60
"""Characters of an option up to which the line below it is read too, which says what it means."""
READ_CHARS = 20_000
_SEPARATORS = ".):–—-"
_MARKS = ("option", "number", "choice")
_SEVERAL = frozenset(("all", "both", "every", "except", "not", "without"))
_AGREEING = frozenset("yes yep yeah yup ok okay sure please do it go ahead sounds good fine great y".split())


def find_options(text: str) -> list[list[str]]:
    """Return [label, text] of the last list of labelled options in a text, labels in small letters; [] for none."""
    options: list[list[str]] = []
    below = ""
    for line in reversed(text[-READ_CHARS:].split("\n")):
        option = _parse_option(line)
        if not option:
            below = line.strip()
            continue
        if len(option[1]) <= SHORT and below[:1].isupper() and not below.endswith(("?", ":")):
            option[1] = cut(f"{option[1].rstrip('.:')}: {one_line(below)}", OPTION_CHARS)
        below = ""
        is_other_list = any(option[0] == label or option[0].isdigit() != label.isdigit() for label, _ in options)
        if len(options) == MOST or is_other_list:
            break
        options.insert(0, option)
    return options if len(options) > 1 else []


def _parse_option(line: str) -> list[str]:
    """Return [label, text] of a line such as "2. Poll", "**Option B:** Push", "- c) Wait"; [] for any other."""
    row = line.strip().lstrip("-*+•#> ").replace("**", "").strip()
    words = row.split(None, 2)
    if len(words) == 3 and words[0].lower() == "option":
        label, rest = words[1], words[2]
        if label[-1:] not in _SEPARATORS and rest[:1] not in _SEPARATORS:
            return []  # a sentence about an option
    else:
        label, _, rest = row.partition(" ")
        if label[-1:] not in tuple(_SEPARATORS):
            return []
    name = label.rstrip(_SEPARATORS)
    rest = rest.lstrip(_SEPARATORS + " ")
    is_label = (len(name) == 1 and name.isascii() and name.isalnum()) or (name.isdigit() and len(name) < 3)
    return [name.lower(), cut(one_line(rest), OPTION_CHARS)] if is_label and rest else []


def find_chosen(said: str, options: list[list[str]]) -> str:
    """Return the text of the option that a reply names; "" where it names none, or several."""
    texts = dict(options)
    repeated = find_repeated(said, options)
    if repeated:
        return repeated
    words = [word.strip(".,!?;:()\"'=").lower() for word in said.split()]
    marked = [word for before, word in zip(["", *words], words, strict=False) if before in _MARKS]
    unsure = () if marked or len(words) < 3 else ("a", "i")  # small words of an English sentence
    labels = [word for word in dict.fromkeys(marked or words) if word in texts]
    is_one = len(labels) == 1 and labels[0] not in unsure and _SEVERAL.isdisjoint(words)
    return texts[labels[0]] if is_one else ""


def find_repeated(said: str, options: list[list[str]]) -> str:
    """Return the only option that begins with the words of a reply: "remove both" chooses "Remove both tests"."""
    words = said.casefold().strip(" .!").split()
    begun = [text for _, text in options if len(words) > 1 and text.casefold().split()[: len(words)] == words]
    return begun[0] if len(begun) == 1 else ""


def find_heading(text: str, options: list[list[str]]) -> str:
    """Return the question that stands right above a list of options ("Where should it live?"), "" without one."""
    above = ""
    for line in text[-READ_CHARS:].split("\n"):
        option = _parse_option(line)
        if option and options and option[0] == options[0][0]:
            return above if above.endswith("?") else ""
        above = line.strip().strip("#*_ ") or above
    return ""


def agrees_only(said: str) -> bool:
    """Whether a reply says yes and nothing else."""
    return _AGREEING.issuperset(word.strip(".,!") for word in said.lower().split())
