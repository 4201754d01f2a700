"""Targets with a name that a project chose: npm scripts, make and mise targets, tasks; what the name says they do."""

from __future__ import annotations

_KINDS = (
    ("types", "typecheck types type typing tsc mypy pyright typescript"),
    ("lint", "lint linter linters linting lints eslint ruff clippy stylelint flake8 rubocop vet golangci shellcheck "
    "pylint credo phpstan psalm detekt ktlint checkstyle markdownlint actionlint hadolint"),
    ("format", "format fmt formatting prettier gofmt black isort spotless"),
    ("test", "test tests testing spec specs unit e2e integration jest vitest pytest mocha rspec phpunit coverage cov "
    "smoke check checks verify validate ci qa precommit regression playwright cypress unittest"),
    ("build", "build compile bundle assemble"),
)  # fmt: skip
_WORDS = {word: kind for kind, words in reversed(_KINDS) for word in words.split()}
_ORDER = [kind for kind, _ in _KINDS]
_OTHERS = frozenset(
    (
        "dev watch serve start stop deploy publish release install uninstall clean generate gen setup prepare "
        "seed debug ui open report reports html data db up down image images push pull login update upgrade reset "
        "logs log shell list help env init new create add remove delete download fetch migrate migration "
        "migrations upload fixtures fixture preview inspect view badge baseline snapshot snapshots record profile "
        "bench benchmark connection user account email sample demo example keys certs container containers"
    ).split()
)
"""Words that make a target something else: `test:watch` waits, `build-image` makes more than a build."""
_VAGUE = frozenset("check checks verify validate ci qa smoke spec specs unit integration regression".split())
"""Words that say a check only alone or beside others of such words: `check-port` looks at something else."""
_COMMON = frozenset(
    "run all full quick fast local code pre commit push fix write strict dry only project repo app".split()
)
_FIXING = frozenset("fix write apply autofix".split())
_ASKING = frozenset("check verify dry diff".split())


def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a target's name in small letters; capitals begin a word: "testUnit" has two."""
    spaced = "".join(f" {char}" if char.isupper() else char if char.isalnum() else " " for char in name)
    spaced = " ".join(spaced.split()).lower() if name != name.upper() else spaced.lower()
    return tuple(spaced.replace("type check", "typecheck").replace("type checks", "typecheck").split())


def classify(name: str) -> tuple[str, bool]:
    """Return the kind of check that a target's name says, "" for none, and whether it is the form that repairs."""
    words = split_name(name)
    if not _OTHERS.isdisjoint(words):
        return "", False
    kinds = {_WORDS[word] for word in words if word in _WORDS}
    is_vague = _VAGUE.issuperset(word for word in words if word in _WORDS)
    if words == ("all",):
        return "build", False
    if not kinds or (is_vague and not _WORDS.keys() | _COMMON >= set(words)):
        return "", False
    kind = min(kinds, key=_ORDER.index)
    asks = not _ASKING.isdisjoint(words)
    return kind, not _FIXING.isdisjoint(words) or (kind == "format" and not asks and "lint" not in words)


def stem(name: str) -> tuple[str, ...]:
    """Return the words of a name without those that only say whether it repairs or asks."""
    words = split_name(name)
    kept = tuple(word for word in words if word not in _FIXING and word not in _ASKING)
    return kept or words
