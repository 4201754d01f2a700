"""Words in their forms, and the small words: which tell nothing, which turn a statement, which govern the next word."""

from __future__ import annotations

FILLER = frozenset(
    "am is are was were be been being has have had having do does did doing done's it its itself he she his her "
    "him i me my mine we us our ours you your yours they their them this that these those there here who whom "
    "whose which what must should shall will would ought let lets let's please kindly thanks thank ok okay hey hi "
    "well hm hmm oh yes yeah sure btw fyi just actually really very quite simply basically also too even "
    "currently now then so still already all always each every any and but it's that's there's here's "
    "i'm i've i'll i'd we're we've we'll we'd you're you've you'll you'd they're they've they'll he's she's "
    "what's who's gonna wait sorry hence thus therefore use uses used using prefer prefers preferred choose "
    "chooses chose chosen pick picks picked adopt adopts adopted decided e.g i.e etc".split()
)
"""Words that may be there or not: nothing is lost where two texts differ in them."""
ARTICLES = frozenset(("a", "an", "the", "one"))
GOING = frozenset(("go", "going", "went", "goes"))
"""With "with": a choice, and no word of its own."""
CHOOSING = frozenset("use uses using prefer prefers choose chose pick picked adopt go going".split())
"""Verbs before what is chosen: filler beside it, and yet something is said."""
UNIVERSAL = frozenset(("all", "every", "each", "always", "everywhere"))
"""Filler, but not behind a negation: "not all" is not "not"."""
ENDED = frozenset(("longer", "anymore"))
"""What says behind a negation that it was otherwise before: "no longer"."""
LEADS = tuple(
    tuple(lead.split())
    for lead in (
        "remember that", "remember this", "remember to", "remember", "note that", "keep in mind that", "be aware that",
        "don't forget that", "don't forget to", "do not forget to", "dont forget to", "make sure that", "make sure to",
        "make sure", "be sure to",
    )
)  # fmt: skip
LABELS = frozenset(
    "remember note gotcha decision rule reminder important preference lesson finding architecture issue fact".split()
)
"""Words before a colon that say what kind of statement follows."""
_NOT = ("not",)
_NEGATIONS: dict[str, tuple[str, ...]] = {
    "not": _NOT, "no": _NOT, "none": _NOT, "non": _NOT, "dont": _NOT, "doesnt": _NOT, "isnt": _NOT, "arent": _NOT,
    "wont": _NOT, "shouldnt": _NOT, "mustnt": _NOT, "didnt": _NOT, "avoid": _NOT, "avoids": _NOT, "avoiding": _NOT,
    "never": ("never",), "without": ("without",), "cannot": ("not", "can"), "cant": ("not", "can"),
    "can't": ("not", "can"), "couldn't": ("not", "can"), "couldnt": ("not", "can"),
}  # fmt: skip
TURNS = {word: word for word in (
    "only except unless until before after above below under over outside beyond off out up down instead rather less "
    "more fewer most least min max or nor neither nothing nobody nowhere hardly barely rarely seldom "
    "sometimes some maybe perhaps probably once later earlier"
).split()} | {
    "minimum": "min", "maximum": "max",
    "can": "can", "may": "can", "might": "can", "could": "can", "rather": "instead", "till": "until",
    "occasionally": "sometimes", "often": "sometimes", "usually": "sometimes",
}  # fmt: skip
"""Small words that change what is said: both texts have them, or they state different things."""
NEGATED = frozenset(("not", "never"))
TURNING = frozenset((*TURNS.values(), *NEGATED, "without", "all"))
HEADS = {word: word for word in (
    "in on at of for from to by with via as against between behind during per across among if than within through "
    "along around toward because"
).split()} | {
    "into": "to", "onto": "to", "towards": "to", "inside": "in", "when": "if", "whenever": "if", "while": "during",
    "where": "in", "upon": "on", "has": "have", "have": "have", "had": "have", "having": "have", "how": "how",
    "why": "why", "whether": "whether", "vs": "than", "versus": "than",
}  # fmt: skip
"""Small words, and how they are compared: what they govern must agree, they themselves may be left out."""
LINKS = frozenset(("and", "but", "then", "while", "whereas"))
"""Words between two clauses."""
SEQUENCE = frozenset(("then", "next", "afterwards", "afterward", "finally"))
"""Words that say that the order of what is said is the order of what happens."""
BUT_FOR = frozenset(
    ("all", "everyone", "everything", "everybody", "nobody", "nothing", "none", "one", "anyone", "anything")
)
"""Words behind which "but" is an exception."""
PLACES = frozenset(("in", "on", "at", "of", "for", "within", "per"))
"""Heads that may stand for each other before one word: "the index on email", "the index of email"."""
SCOPES = frozenset(
    (
        "in",
        "on",
        "at",
        "for",
        "within",
        "during",
        "if",
        "per",
        "between",
        "among",
        "behind",
        "across",
        "under",
        "only",
    )
)
"""Heads that say where or when something holds: what they govern narrows a statement."""
LEANINGS = {
    **dict.fromkeys("i me my mine we us our ours i'm i've i'll i'd we're we've we'll".split(), frozenset(("I",))),
    **dict.fromkeys("you your yours you're you've you'll".split(), frozenset(("you",))),
    **dict.fromkeys("he she his her him they their them they're they've they'll".split(), frozenset(("they",))),
    **dict.fromkeys("will shall gonna".split(), frozenset(("future",))),
    **dict.fromkeys("was were did had".split(), frozenset(("past",))),
}
APART = (frozenset(("I", "you", "they")), frozenset(("past", "future")))
"""Leanings of which two texts, where both have some, share one."""
FOREIGN = frozenset(
    "nicht kein keine keinen nie ohne statt aber und der die das von nach mit pas jamais sans les des une del los "
    "las nunca sin em não nem sem senza mai che non degli een niet geen".split()
)
"""Small words of other languages: none of them governs anything here, so the order of words is compared."""
_ALIASES = {
    "db": "database", "repo": "repository", "config": "configuration", "cfg": "configuration", "dir": "directory",
    "folder": "directory", "env": "environment", "prod": "production", "postgresql": "postgres", "pg": "postgres",
    "javascript": "js", "typescript": "ts", "k8s": "kubernetes", "params": "parameter", "param": "parameter",
    "args": "argument", "arg": "argument", "docs": "documentation", "doc": "documentation", "app": "application",
    "info": "information", "deps": "dependency", "dep": "dependency", "msg": "message", "auth'n": "authentication",
    "indices": "index", "wrote": "write", "written": "write", "sent": "send", "built": "build", "kept": "keep",
    "ran": "run", "held": "hold", "broke": "break", "broken": "break", "chose": "choose", "behaviour": "behavior",
    "colour": "color", "perms": "permission", "colours": "color", "behaviours": "behavior", "percent": "%",
}  # fmt: skip
"""Words that developers use for one thing without a thought, and forms that no rule gives."""
SPELLED = FILLER | _ALIASES.keys()
"""Words, though some are written like names: "k8s", "e.g."."""
_UNITS = {
    "s": "second", "sec": "second", "secs": "second", "second": "second", "seconds": "second",
    "ms": "millisecond", "msec": "millisecond", "millisecond": "millisecond", "milliseconds": "millisecond",
    "min": "minute", "mins": "minute", "minute": "minute", "minutes": "minute", "h": "hour", "hr": "hour",
    "hrs": "hour", "hour": "hour", "hours": "hour", "d": "day", "day": "day", "days": "day", "week": "week",
    "weeks": "week", "month": "month", "months": "month", "year": "year", "years": "year", "%": "%", "percent": "%",
    "b": "byte", "byte": "byte", "bytes": "byte", "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "kib": "kib",
    "mib": "mib", "gib": "gib", "px": "px", "x": "times", "times": "times", "am": "am", "pm": "pm", "k": "k",
}  # fmt: skip
_NUMBERS = dict(zip(
    "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty ninety hundred thousand million".split(),
    "0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 30 40 50 60 90 100 1000 1000000".split(), strict=True,
)) | dict(zip(
    "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
    "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split(), strict=True,
))  # fmt: skip
_WHOLE = frozenset(
    "string setting staging thing nothing something everything anything spring during morning evening building "
    "ring king bring sling pricing billing warning meeting mapping ping sing wing sibling ceiling https news "
    "windows lens means always series species status alias bias axis basis analysis redis this".split()
)
"""Words that look like a form of another word and are none."""
_VOWELS = "aeiou"


def negation(low: str) -> tuple[str, ...]:
    """Return the turns of a negation: "can't" is not and can; () for any other word."""
    return _NEGATIONS.get(low) or (_NOT if low.endswith("n't") else ())


def is_compound(word: str) -> bool:
    """Whether a word is put together of words: read-only, 30-second; not --force, pre-2024-01 or a-1b."""
    parts = word.split("-")
    return len(parts) > 1 and all(part.isalpha() for part in parts[1:]) and (
        parts[0].isalpha() or parts[0].isdigit()
    )  # fmt: skip


def is_exact(word: str) -> bool:
    """Whether a word is compared as it is written: a path, an address, a sign, a name of code."""
    if word.isalpha():
        return not word.islower() and is_camel(word)
    return _is_sign(word)


def _is_sign(word: str) -> bool:
    return not word.replace("'", "").isalpha() and not _is_accented(word)


def is_camel(word: str) -> bool:
    """Whether a word is written like handleRefund or GitHub; "APIs" is a plural."""
    if word[-1:] == "s" and word[:-1].isupper():
        return False
    return word.isalpha() and any(char.isupper() for char in word[1:]) and any(map(str.islower, word))


def _is_accented(word: str) -> bool:
    """Whether a word has letters and their marks alone, as systems write that take letters apart."""
    return any("\u0300" <= char <= "\u036f" for char in word) and all(
        char.isalpha() or char in "'" or "\u0300" <= char <= "\u036f" for char in word
    )


def unit(low: str, before: str) -> str:
    """Return the unit that a word is behind a number, "" for none."""
    return _UNITS.get(low, "") if before[:1].isdigit() else ""


def number(word: str) -> tuple[str, str]:
    """Return a number as digits, and its unit; ("", "") for what is none. "10s", "10 s" and "ten seconds" are one."""
    low = word.casefold()
    if low.isalpha():
        return _NUMBERS.get(low, ""), ""
    if not any(char.isdigit() for char in word):
        return "", ""
    digits = low.rstrip("abcdefghijklmnopqrstuvwxyz%")
    counted = _UNITS.get(low[len(digits) :], "")
    if digits and counted and _is_plain(digits):
        return digits.replace(",", ""), counted
    return (low.replace(",", "") if _is_plain(low) else low, "") if _is_numeric(low) else ("", "")


def _is_plain(digits: str) -> bool:
    groups = digits.split(",")
    return digits[:1].isdigit() and all(part.replace(".", "", 1).isdigit() for part in groups) and (
        len(groups) == 1 or all(len(part.partition(".")[0]) == 3 for part in groups[1:])
    )  # fmt: skip


def _is_numeric(low: str) -> bool:
    ordinal = low[:-2].isdigit() and low[-2:] in ("st", "nd", "rd", "th")
    return ordinal or not any(char.isalpha() for char in low)


def canonical(low: str) -> str:
    """Return a word under the name that stands for all of its spellings."""
    low = low.removesuffix("'s").strip("'")
    if low in _UNITS and len(low) > 1:
        return _UNITS[low]
    return _ALIASES.get(low) or (_ALIASES.get(low[:-1]) if low[-1:] == "s" else "") or low


def bases(word: str) -> frozenset[str]:
    """Return what a word may be a form of, itself too ("caches": cache, cach); two forms of one word share one."""
    if word in _WHOLE or len(word) < 4 or not (word.isalpha() and word.isascii()):
        return frozenset((word,))
    if word.endswith("ies") and len(word) > 4:
        return frozenset((word, word[:-3] + "y", word[:-1]))
    if word.endswith("es") and _hisses(word[:-2]):
        return frozenset((word, word[:-2], word[:-1]))
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return frozenset((word, word[:-1]))
    if word.endswith("ied") and len(word) > 4:
        return frozenset((word, word[:-3] + "y", word[:-1]))
    if word.endswith("ed") and not word.endswith("eed") and len(word) > 4:
        return _stems(word, word[:-2])
    return _stems(word, word[:-3]) if word.endswith("ing") and len(word) > 5 else frozenset((word,))


def _hisses(stem: str) -> bool:
    return stem.endswith(("s", "x", "z", "ch", "sh", "o"))


def _stems(word: str, stem: str) -> frozenset[str]:
    """Return the bases of a form in -ed or -ing: "running" run, "piping" pipe and not pip, "testing" test."""
    if len(stem) < 2 or not any(char in _VOWELS + "y" for char in stem):
        return frozenset((word,))
    if stem[-1] == stem[-2]:
        return frozenset((word, stem, stem[:-1]))
    vowels = sum(char in _VOWELS for char in stem)
    closed = vowels == 1 and stem[-2] in _VOWELS and stem[-1] not in _VOWELS + "wxy"
    return frozenset((word, stem + "e") if closed else (word, stem, stem + "e"))


def root(word: str) -> str:
    """Return a rough stem: forms of one word have one, and so may other words. For looking up, not for deciding."""
    low = word.casefold()
    if not (low.isascii() and low.isalpha()) or low in _WHOLE:
        return low
    if low.endswith("s") and len(low) > 3 and not low.endswith(("ss", "us", "is")):
        return root(low[:-1])
    if low.endswith("ing") and len(low) > 5:
        low = low[:-3]
    elif low.endswith("ed") and not low.endswith("eed") and len(low) > 4:
        low = low[:-2]
    short = low.rstrip("eiy") or low
    return short[:-1] if len(short) > 1 and short[-1] == short[-2] else short


RELATING = frozenset(map(root, (
    "depend require call import reference extend override block precede replace contain include need inherit own "
    "wrap read send return trigger invoke consume produce mirror follow map point delegate convert exceed "
    "supersede cause rename beat belong translate copy"
).split()))  # fmt: skip
"""Roots of verbs whose subject and object cannot change places."""
REVERSING = frozenset(map(root, (
    "drop remove delete stop disable deny forbid revert undo cancel reject deprecate skip ignore replace abandon "
    "prohibit block refuse"
).split()))  # fmt: skip
"""Roots of words that turn a statement into its opposite where only one text has them."""
