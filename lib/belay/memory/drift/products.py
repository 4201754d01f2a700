"""Find products that a memory says the project is made of and that no file of the project has a trace of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from belay.repository.manifests.known_products import LANGUAGE, Product, list_products
from belay.repository.survey import product_traces

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.memory_facts import Facts

TEXT_CHARS = 1000
"""Characters of one text of the memory that are looked at."""
TEXTS = 200
MOST = 12
"""Products that are looked for in the project's files."""
NEAR = 120
"""Characters before and after a name that show whether the text says that it is used."""

_LIST = r"(?:[\w.#+`*-]+(?:\s*[,/+&]\s*|\s+(?:and|or)\s+))*[`*\"(]*$"
"""Between a word and a name there may be other names of the same list."""
_OTHERS = (
    r"\b(?:over|not|no longer|no|never|instead of|rather than|than|moved from|moved off|away from|without|replac\w+"
    r"|drop\w*|remov\w+|retir\w+|vs\.?|versus|against|unlike|formerly|previously|was|were|old|legacy|former|like|considered|rejected"
    r"|ruled out|skip\w*|avoid\w*|defer\w*|inspired by|such as|similar to|compatible with|alternative to"
    r"|port of|clone of|equivalent of|supports?|supporting|targets?|pars\w+|detects?|e\.g\.|any|other|whether|if|when"
    r"|plan\w*|maybe|perhaps|future|later|eventually|consider|evaluate|try|add)\s+"
    r"(?:the\s+|an?\s+|our\s+|your\s+|their\s+|plain\s+|using\s+|any\s+|all\s+|other\s+|existing\s+|adding\s+)*" + _LIST
)
"""Words before a name that say it is not used, or is another project's."""
_UNSURE = (
    r"\b(?:for|from|to|into|off|by|behind|beside|alongside|in front of|next to|works? (?:with|on|in)|tested \w+"
    r"|(?:used?|usable|together|integrat\w+|interoperat\w+|combined?) with)\s+"
    r"(?:the\s+|an?\s+|our\s+|your\s+|their\s+)*" + _LIST
)
"""Words before a name that leave open whose it is."""
_ELSEWHERE = (
    r"^[`*\"]*(?:\s*[,/+&]\s*[\w.#+-]+|\s+(?:and|or)\s+[\w.#+-]+)*\s+"
    r"(?:(?:was|is|has been|got|were|are)\s+)?(?:not|no longer|never|replaced|removed|dropped|retired|gone|deprecated"
    r"|rejected|skipped|avoided|deferred|planned|later|next|users?|projects|apps|applications|sites|files|code|repos"
    r"|repositories|developers|people|teams|support|style|syntax|bindings?|exporter|importer|parser|inspired|compatible"
    r"|alternatives?|clones?|replacements?|equivalents?|competitors?)\b"
    r"|^[`*\"]*[- ](?:like|style|inspired|compatible|ish)\b"
)
"""Words after a name that say the same."""
_FUTURE = re.compile(
    r"\b(?:will|would|could|might|may|planned|plan to|plans to|want to|wants to|later|eventually|someday|migrating to|"
    r"migrate to|moving to|move to|switch to|switching to|consider\w*|evaluat\w*|propos\w*|ideas?)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speaks of what is not there yet."""
_OUTSIDE = re.compile(
    r"\b(?:(?:other|separate|another) (?:repo|repositor|project|service|team|app)|upstream|downstream|third[- ]party"
    r"|theirs?\b|partner|vendor|elsewhere|competitor|customers?['’]|users?['’])",
    re.IGNORECASE,
)
"""Words of a sentence that speaks of what others use."""
_STATED = re.compile(
    r"(?:\b(?:using|uses?|used|with|on|via|by|through|in|runs?|stack:?|built with|written in|based on|powered by)\s+"
    r"|[,+/&|(:→]\s*|\b(?:and|or|an?|the|our)\s+)[`*\"]*$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(
    r"^[`*\"]*(?:\s+v?\d|-(?:based|backed|powered)|\s*[,+/&|)→]|\s+(?:and|app|application|server|api|backend|frontend|web"
    r"|cli|service|project|package|library|module|plugin|site|database|db|cache|queue|framework)\b)",
    re.IGNORECASE,
)
"""What must stand beside a name that is an everyday word too."""
_BEGUN = re.compile(r"^[\s`*\"(-]*(?:[\w /-]{1,30}:\s+)?(?:an?\s+|the\s+|our\s+|all\s+)?" + _LIST)
"""What may stand before a name that begins a sentence, or follows a label."""
_BUILT = re.compile(
    r"\b(?:using|uses?|with|on|via|through|in|runs?|built \w+|based on|backed by|powered by)\s+"
    r"(?:the\s+|an?\s+|our\s+)?" + _LIST,
    re.IGNORECASE,
)
"""Words that say that something is made of what follows."""
_CLAUSE = re.compile(r"[,;:(—–]|\bbut\b|\band\b")
_NEGATED = re.compile(r"\b(?:not|no|never|without|nor|neither|isn't|don't|doesn't|won't|cannot|can't)\b", re.IGNORECASE)
"""Words of a clause that turn what it says."""
_ARROW = re.compile(r"→|->|=>")
_SWITCHED = re.compile(r"^[`*\"]*\s*(?:→|->|=>)")
"""One arrow may be a switch from one to the other; several are a flow."""
_SENTENCE = re.compile(r"(?<=[^\s.][.!?;])\s+|\n")


class Named(NamedTuple):
    """A product that a line of the memory says is used here; `text` is the sentence."""

    product: Product
    line: int
    text: str


class AbsentProduct(NamedTuple):
    """A product as the memory writes it, and the line (1-based) and sentence that say it is used."""

    name: str
    line: int
    text: str


def find_absent_products(project: Project, facts: Facts) -> list[AbsentProduct]:
    """Return the products that the memory says are used here and that no file of the project has a trace of.

    A row a product, its first line. [] where that is not certain: see `repository.survey.product_traces`.
    """
    named = find_named_products(facts)
    products = list(dict.fromkeys(row.product for row in named))[:MOST]
    absent = set(product_traces.find_absent(project, products))
    first = {row.product: row for row in reversed(named)}
    rows = [row for row in named if row is first[row.product] and row.product in absent]
    return [AbsentProduct(_compile(row.product).findall(row.text)[0], row.line, row.text) for row in rows]


def find_named_products(facts: Facts) -> list[Named]:
    """Return the products that the memory says are used here, in the order of its sections."""
    claims = [(line, text[:TEXT_CHARS]) for line, text in list_claims(facts)[:TEXTS]]
    written = _list_written("\n".join(text for _, text in claims), list_products())
    return [
        Named(product, line, sentence.strip())
        for at, (line, text) in enumerate(claims)
        for sentence in _SENTENCE.split(text)
        for product in find_used(sentence, written, is_note=at > 0)
    ]


def _list_written(text: str, among: Sequence[Product]) -> list[Product]:
    """Return the products one of whose spellings a text has, as a word or not."""
    lower = text.lower()
    return [product for product in among if any(spelling.lower() in lower for spelling in product.spellings)]


def list_claims(facts: Facts) -> list[tuple[int, str]]:
    """Return (line, text) of what says how the project is, the overview first: not what is to be done, nor what was."""
    rows = [(facts.get("overview_line", 0), str(facts.get("overview") or ""))]
    rows += [(row["line"], row["text"]) for row in facts.get("architecture") or []]
    rows += [(row["line"], row["purpose"]) for row in facts.get("files") or []]
    rows += [(row["line"], row["decision"]) for row in facts.get("decisions") or []]
    return rows


def find_used(sentence: str, among: Sequence[Product] | None = None, *, is_note: bool = False) -> list[Product]:
    """Return the products (of `among`, by default all) that a sentence says are used.

    `is_note`: it is none of the overview's. A note speaks of what the project serves, reads or makes as well, so that
    a product only counts where the sentence begins with it or says that something is made of it.
    """
    written = _list_written(sentence, list_products() if among is None else among)
    if not written or _FUTURE.search(sentence) or _OUTSIDE.search(sentence):
        return []
    return [product for product in written if _is_used(product, sentence, is_note)]


def _is_used(product: Product, sentence: str, is_note: bool) -> bool:
    """Whether one place of a sentence speaks for a product and none against it."""
    says = [_says_used(product, sentence, place, is_note) for place in _compile(product).finditer(sentence)]
    return any(says) and False not in says


@cache
def _compile(product: Product) -> re.Pattern[str]:
    """Return the pattern of a product's spellings; one that is an everyday word counts only as it is written."""
    words = "|".join(re.escape(spelling) for spelling in sorted(product.spellings, key=len, reverse=True))
    flags = 0 if product.is_word else re.IGNORECASE
    return re.compile(
        rf"(?<![\w/@.-])(?:{words})(?![\w/@#+]|\.\w|-(?!like|style|inspired|compatible|based|backed|powered|\d)\w)",
        flags,
    )


def _says_used(product: Product, sentence: str, place: re.Match[str], is_note: bool) -> bool | None:
    """Return True where the text speaks for a product, False where against it, None where neither is sure."""
    before, after = sentence[max(0, place.start() - NEAR) : place.start()], sentence[place.end() :][:NEAR]
    clause = _CLAUSE.split(before)[-1]
    if re.search(_OTHERS, before, re.IGNORECASE) or re.search(_ELSEWHERE, after, re.IGNORECASE):
        return False
    if _NEGATED.search(clause):
        return False
    if re.search(_UNSURE, before, re.IGNORECASE) or (_SWITCHED.match(after) and len(_ARROW.findall(sentence)) == 1):
        return None
    if is_note and not (_BEGUN.search(before) or _BUILT.search(before)):
        return None
    sure = not product.is_word and product.kind != LANGUAGE
    named_for = is_note and product.kind != LANGUAGE and _BEGUN.search(before) and after.startswith((" for ", " as "))
    return True if sure or named_for or _STATED.search(before) or _CONTINUED.match(after) else None
