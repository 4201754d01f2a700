"""Words and sentences of a prompt, patterns over them, and the rules table (`rules.txt`); no regular expressions.

The table has a tab-separated row a rule: id, class, pattern, example, sure. A row that is `sure` captures by itself,
unless its sentence asks a question: those are the phrases of seeds 003 and 004. So does a row that is `told` ("for the
record"), but the model names the label. A `named` row is sure even where its sentence asks for it politely ("can you
rename it to x?"): the new name lasts. All others are evidence that the model weighs. `tests/triggers/test_rules.py`
tries every row on its own example.

A pattern is words with blanks between. `a|b` is either word, `_` any one token, `*3` up to three tokens of any kind,
`<tech>` a technology, a leading `^` the start of a sentence, `$` its end. The first word of a pattern is looked up in
an index and the rest compiled only then, so a prompt pays only for rules it could meet.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Step = tuple[int, frozenset[str]]  # (gap before, alternatives); no alternatives: any token
    Row = tuple[str, str, str, str, str]

START, END = "^", "$"
_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.txt")
_RESTORED = {
    "lets": "let's", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't",
    "arent": "aren't", "wasnt": "wasn't", "cant": "can't", "wont": "won't", "shouldnt": "shouldn't",
    "wouldnt": "wouldn't", "couldnt": "couldn't", "thats": "that's", "im": "i'm", "ive": "i've",
    "youre": "you're", "theres": "there's", "u": "you", "yea": "yeah", "ya": "yeah", "ok": "okay",
    "pls": "please", "plz": "please", "cannot": "can't", "gonna": "going-to", "wanna": "want-to",
    "nevermind": "never-mind", "instad": "instead", "alway": "always", "alwasy": "always",
    "shoud": "should", "shold": "should", "actualy": "actually", "acutally": "actually",
}  # fmt: skip
_SHORTENED = frozenset("re e.g eg i.e ie vs cf etc incl excl approx resp ca".split())
_EDGE = "\"'`()[]{}<>*_~“”‘’«»|#-–—•"
_PUNCT = ".,:;!?…"
_ENDS = ".!?…"
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', " ": " "})
SENTENCE_LIMIT = 80
TEXT_LIMIT = 6000
TECH = frozenset(
    """
    sqlite sqlite3 postgres postgresql mysql mariadb mongo mongodb redis dynamodb supabase firebase kafka
    rabbitmq docker podman kubernetes k8s terraform ansible nix nixos flake flakes aws s3 ec2 lambda gcp
    azure vercel netlify cloudflare cloudfront heroku railway render react vue svelte angular nextjs next.js
    nuxt remix astro tailwind tailwindcss shadcn bootstrap express fastify flask django fastapi rails spring
    laravel node node.js nodejs deno bun npm pnpm yarn pip poetry uv conda cargo typescript javascript
    python rust go golang java kotlin swift dotnet csharp ruby php graphql grpc rest trpc websocket
    websockets sse webhook webhooks orm prisma drizzle sqlalchemy zod pydantic jest vitest pytest playwright
    cypress selenium langchain langgraph langsmith openai anthropic ollama openrouter litellm qdrant chroma
    pinecone pgvector elasticsearch nginx caddy traefik oauth oauth2 jwt saml auth0 clerk stripe tauri
    electron expo flutter wayland hyprland vite webpack esbuild turborepo nx monorepo tmux stow posthog
    plausible sentry grafana prometheus figma webflow wordpress html css json yaml toml csv markdown sql
    wasm ffi mcp
""".split()
)


_HINTS = (
    "memor", "rememb", "forget", "wrap", "save", "checkpoint", "done for", "where", "what we", "what was",
    "hand", "onboard", "context", "continue", "resume", "pick", "session", "conversation", "chat",
    "running out", "run out", "switch", "swap", "back to", "finish", "note", "merk", "for now", "for today",
    "tonight", "the day", "the week", "the night", "call it", "calling it", "signing off", "logging off",
    "see you", "good night", "the evening",
)  # fmt: skip


def holds_hint(text: str) -> bool:
    """Whether a prompt may hold a request (`requests`): most prompts do not, and the module is not loaded for them."""
    low = text.lower()
    return any(hint in low for hint in _HINTS)


def read(path: str = _PATH) -> tuple[Row, ...]:
    """Read the table; comment lines begin with `#`."""
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return tuple((cells[0], cells[1], cells[2], cells[3], cells[4] if len(cells) > 4 else "") for cells in lines)


TABLE = read()


def compile_pattern(pattern: str) -> list[Step]:
    """Turn one pattern into steps; ValueError when it ends in a gap or begins with any token."""
    steps: list[Step] = []
    gap = 0
    for part in pattern.split():
        if part[0] == "*" and part[1:].isdigit():
            gap = int(part[1:])
        else:
            steps.append((gap, _alternatives(part)))
            gap = 0
    if gap or not steps or not steps[0][1]:
        raise ValueError(pattern)
    return steps


def _alternatives(part: str) -> frozenset[str]:
    if part == "_":
        return frozenset()
    found = frozenset(part.split("|"))
    return found | TECH if "<tech>" in found else found


class Patterns:
    """Many patterns, indexed by their first words and compiled when first needed."""

    __slots__ = ("_index", "_patterns", "_steps")

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = list(patterns)
        self._steps: list[list[Step] | None] = [None] * len(self._patterns)
        self._index: dict[str, list[int]] = {}
        for number, pattern in enumerate(self._patterns):
            for word in pattern.partition(" ")[0].split("|"):
                self._index.setdefault(word, []).append(number)

    def hits(self, words: list[str]) -> set[int]:
        """Name the patterns (by number) that one sentence's tokens meet."""
        line = [START, *words, END]
        found: set[int] = set()
        for at, word in enumerate(line):
            numbers = self._index.get(word, [])
            if word in TECH:
                numbers = numbers + self._index.get("<tech>", [])
            for number in numbers:
                if number not in found and _meets(line, at + 1, self._rest(number), 1):
                    found.add(number)
        return found

    def _rest(self, number: int) -> list[Step]:
        steps = self._steps[number]
        if steps is None:
            steps = self._steps[number] = compile_pattern(self._patterns[number])
        return steps


def _meets(line: list[str], at: int, steps: list[Step], step: int) -> bool:
    if step == len(steps):
        return True
    gap, words = steps[step]
    for here in range(at, min(at + gap + 1, len(line))):
        fits = line[here] in words if words else line[here] != END
        if fits and _meets(line, here + 1, steps, step + 1):
            return True
    return False


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
        if char not in _ENDS or (i + 1 < size and not line[i + 1].isspace()) or _is_shortened(line, start, i):
            continue
        if line[start:i].strip().isdigit():
            continue  # the number of a list item: it belongs to what follows
        _keep(line[start : i + 1], found)
        start = i + 1
    _keep(line[start:], found)


def _is_shortened(line: str, start: int, at: int) -> bool:
    """Whether the full stop at a place ends a shortened word, and small letters go on: "the check re. the port"."""
    word = line[start:at].rpartition(" ")[2].lstrip("(").lower()
    return word in _SHORTENED and line[at + 1 :].lstrip()[:1].islower()


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
    kind = _kind(low)
    if kind == "<words>":
        parts = low.replace("/", " ").replace("-", " ").replace(",", " ").split()
        found.extend(_RESTORED.get(part, part) for part in parts)
    else:
        found.append(kind)


def _camel(core: str) -> bool:
    return len(core) > 3 and not core[1:].islower() and not core.isupper() and core.isascii() and core.isalpha()


def _kind(low: str) -> str:
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
        return "<words>" if low.count("/") == 1 and low.replace("/", "").isalpha() and len(low) < 14 else "<path>"
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
