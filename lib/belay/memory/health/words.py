"""The words that show what files without a template say, and which texts say nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.memory.memory_facts import Facts, SectionRow

OVERVIEW_WORDS = (
    "overview", "about", "purpose", "introduction", "summary", "vision", "mission", "what is", "what this",
    "background", "überblick", "resumen", "visão geral", "descripción", "aperçu", "présentation", "обзор",
    "о проекте", "概述", "概要", "简介",
)  # fmt: skip
"""Words of headings under which files without a template say what the project is."""
NEXT_WORDS = (
    "next ", "todo", "to do", "to-do", "pending", "in progress", "backlog", "roadmap", "nächste", "próximo",
    "pendiente", "prochain", "à faire", "следующ", "下一步", "待办", "次の",
)  # fmt: skip
"""Words of headings under which they say what comes next."""
DECISION_WORDS = (
    "decision", "convention", "rationale", "principle", "architect", "guideline", "standard", "rule", "pattern",
    "entscheidung", "regeln", "decisiones", "decisões", "reglas", "regras", "décision", "règles", "решени", "правила",
    "决策", "决定", "约定", "规范", "规则", "決定",
)  # fmt: skip
"""Words of headings under which files without a template keep what was decided."""

_GENERIC = frozenset(
    "ends left leftover leftovers loose off pick picked stop stopped stopping "
    "a about above after again ahead all also an and any app application architecture areas as ask at back backend "
    "base based basic be become been before begin being best better big bit both bug bugs build building by call carry "
    "change changes check clean cleanup cli code codebase coding complete components continue continued cover coverage "
    "current deal debug decide deploy deployment design details dev develop developers development different do docs "
    "documentation does doing done down each edge enhance enhancements ensure error errors etc everything existing "
    "extend feature features few files final finalize find finish finishing first fix fixes fixing for from frontend "
    "full function functionality functions further general get getting go going good handle handling has have help "
    "helps high how if implement implementation implementing important improve improvement improvements improving in "
    "investigate is issue issues it its items iterate just keep last later library like list little look looking "
    "maintain make making manage many minor modern module modules more most move much necessary need needed needs new "
    "next not note nothing now of on one open optimise optimize optimization or other our out over overall parts "
    "performance phase piece pieces plan polish polishing possible prepare previous problem problems proceed product "
    "production program progress project proper push quality ready refactor refactoring refine release remaining "
    "resume review rest same see server service services session set several ship should simple small software some "
    "soon stage start step steps still stuff sure system systems tackle task tasks tbd team technical test testing "
    "tests than that the their them then there these they thing things this through time to todo too tool top "
    "unclear unknown until up update updates us use used user users uses using utility various very want wait "
    "we web website what when where which while wip with work working works write writing you your".split()
)
"""Words that a sentence about any software project can be made of."""
_TELLING = 2
"""So many other words make a text one of this project."""
_CODE_SIGNS = ("`", "_", "()", "::", "#")
_PROSE_SLASHES = ("and/or", "ci/cd", "i/o", "n/a", "client/server", "read/write")
_FEW_WORDS = 6
_ANSWERED = ("none", "no", "n/a", "nothing", "-", "resolved", "answered", "closed", "decided")


def find_headed_section(facts: Facts, words: tuple[str, ...]) -> SectionRow | None:
    """Return the first filled section whose title has one of the words."""
    rows = [row for row in facts.get("sections") or [] if row.get("filled")]
    return next((row for row in rows if any(_title_has(row.get("title", ""), word) for word in words)), None)


def _title_has(title: str, word: str) -> bool:
    """Whether a word of the title begins like this; in writing without blanks, whether it is there at all."""
    words = [part.strip(" :.,!?()*_`#") for part in title.lower().split()]
    plain = f" {' '.join(words)} "
    return (f" {word}" if word.isascii() else word) in plain


def is_vague(text: str) -> bool:
    """Whether a text is made of words that fit any project ("continue work", "improve the tests", "TBD")."""
    tokens = [word.strip(".,;:!?()[]\"'“”…*-").lower() for word in text.split()]
    if any(_is_code(word) for word in tokens) or any(sign in text for sign in _CODE_SIGNS):
        return False
    return sum(_count_telling(word) for word in tokens) < _TELLING


def _is_code(word: str) -> bool:
    """Whether a word is a path, a file, a number or the like."""
    if any(char.isdigit() for char in word):
        return True
    inner = word.strip("./")
    return ("." in inner or "/" in inner) and word not in _PROSE_SLASHES


def _count_telling(word: str) -> int:
    """Return how many telling words a word is; in writing without blanks, one is a whole sentence."""
    if not word.isascii():
        return _TELLING
    return sum(len(part) > 1 and part.removesuffix("'s") not in _GENERIC for part in word.split("-"))


def says_nothing(text: str) -> bool:
    """Whether a field or an item only says that there is nothing ("None.", "no open questions", "-")."""
    words = text.strip(" *_.()").lower().split()
    return not words or (words[0].strip(",.;:—") in _ANSWERED and len(words) <= _FEW_WORDS)
