"""How much of the context that is really left is used: values in, values out (HOST §5, seed 003).

The limit is where automatic compaction comes, not the model's window: 83 % of 200k is already the end.
"""

from __future__ import annotations

from belay.core.constants import THRESHOLDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.client.settings_files import ClientSettings

WINDOWS = (200_000, 1_000_000)
"""The windows that models have (HOST §5)."""
RESERVE = 33_000
"""Automatic compaction comes this far below a 200k window, and below Sonnet 5's of 1M (HOST §5)."""
LEAST_COMPACT_WINDOW = 100_000
"""The client lifts a smaller auto-compact window to this."""
_FAMILIES = ("opus", "sonnet", "haiku", "fable", "mythos")
_FIRST_MILLION = {"opus": (4, 7)}
_MILLION_SINCE = (5, 0)
_CLOUDS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")
_MILLION_MARK = "[1m]"
_SUFFIXES = {"k": 1_000, "m": 1_000_000}
_EARLIER = f"compaction may come up to {RESERVE:,} tokens earlier"


class Budget:
    """Tokens `used` of `limit` in a `window`, `percent` of the limit, the figure's `source`, `why` the limit.

    `age` is the figure's in seconds, None where nobody knows.
    """

    __slots__ = ("age", "limit", "model", "percent", "source", "used", "why", "window")

    def __init__(self, used: int, limit: int, window: int, source: str, model: str, why: list[str]) -> None:
        self.used, self.limit, self.window, self.source, self.model = used, limit, window, source, model
        self.percent = round(100.0 * used / limit, 1)
        self.why = why
        self.age: float | None = None


def measure(
    used: int,
    model: str,
    environ: Mapping[str, str],
    settings: ClientSettings | None = None,
    seen: int = 0,
    learned: int = 0,
    told: int = 0,
    source: str = "transcript",
) -> Budget:
    """Return the budget of a session that holds `used` tokens.

    `settings` are the client's own; `seen` is the largest size that went through, `learned` the smallest at
    which an automatic compaction was observed, `told` the window that the client named; 0 where unknown.
    """
    most = max(used, seen)
    window, why = _window(model, environ, settings, told, most)
    limit = _limit(model, window, environ, settings, why)
    if learned and most <= learned <= window and learned != limit:
        limit = learned
        why.append(f"automatic compaction was seen here at {learned:,}")
    if most > limit:
        limit = window
        why.append(f"{most:,} tokens went through without compaction, so the window itself is the limit")
    return Budget(used, limit, window, source, model, why)


def find_window(model: str, environ: Mapping[str, str], settings: ClientSettings | None = None) -> int:
    """Return the window in tokens that a model has by the table and the environment alone."""
    return _window(model, environ, settings, 0, 0)[0]


def _window(
    model: str, environ: Mapping[str, str], settings: ClientSettings | None, told: int, most: int
) -> tuple[int, list[str]]:
    window, reason = _stated(model, environ, told) or _tabled(model, environ, settings)
    why = [f"window {window:,}: {reason}"]
    if most > window:
        window = next((size for size in WINDOWS if size >= most), most)
        why.append(f"{most:,} tokens were seen, so the window is {window:,}")
    return window, why


def _stated(model: str, environ: Mapping[str, str], told: int) -> tuple[int, str] | None:
    """Return a window that somebody named, and who did; the setting counts only where the client heeds it."""
    if told > 0:
        return told, "the client says so"
    size = _number(environ.get("CLAUDE_CODE_MAX_CONTEXT_TOKENS"))
    if size and (_on(environ, "DISABLE_COMPACT") or not parse_version(model)[0]):
        return size, "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
    return None


def _tabled(model: str, environ: Mapping[str, str], settings: ClientSettings | None) -> tuple[int, str]:
    family, number = parse_version(model)
    small, large = WINDOWS
    if _on(environ, "CLAUDE_CODE_DISABLE_1M_CONTEXT"):
        return small, "CLAUDE_CODE_DISABLE_1M_CONTEXT"
    if _MILLION_MARK in model.lower() or _chosen(model, environ, settings):
        return large, f"{model or 'the model'} was chosen with [1m]"
    if not family:
        return small, f"{model or 'the model'} is not in the table, so the smaller window is assumed"
    if number < _FIRST_MILLION.get(family, _MILLION_SINCE):
        return small, f"{model} has it"
    if family == "opus" and (4, 8) <= number <= (5, 0) and any(_on(environ, name) for name in _CLOUDS):
        return small, f"{model} has it on this cloud"
    return large, f"{model} has it"


def _chosen(model: str, environ: Mapping[str, str], settings: ClientSettings | None) -> bool:
    """Whether the model was asked for with [1m], which the transcript does not show (HOST §5)."""
    asked = (environ.get("ANTHROPIC_MODEL") or (settings.model if settings else "")).lower()
    if not asked.endswith(_MILLION_MARK):
        return False
    family, _ = parse_version(model)
    return bool(family) and family in asked


def parse_version(model: str) -> tuple[str, tuple[int, int]]:
    """Return family and version: claude-opus-4-7-20260101 → ("opus", (4, 7)); ("", (0, 0)) if unknown."""
    parts = "".join(char if char.isalnum() else "-" for char in model.lower()).split("-")
    family = next((name for name in _FAMILIES if name in parts), "")
    if not family:
        return "", (0, 0)
    at = parts.index(family)
    numbers = _leading(parts[at + 1 :]) or _leading(parts[:at][::-1])[::-1]
    major, minor = (*numbers, 0, 0)[:2]
    return (family, (major, minor)) if numbers else (family, (0, 0))


def _leading(parts: list[str]) -> list[int]:
    numbers: list[int] = []
    for part in parts:
        if not (part.isascii() and part.isdigit() and len(part) <= 2):
            break
        numbers.append(int(part))
    return numbers


def _limit(model: str, window: int, environ: Mapping[str, str], settings: ClientSettings | None, why: list[str]) -> int:
    off = _off(environ, settings)
    if off:
        why.append(f"limit {window:,}: {off}, so only the window ends the context")
        return window
    limit = window - RESERVE if _compacts_early(model, window) else window
    why.append(f"limit {limit:,}: automatic compaction comes there")
    configured, name = _configured(model, environ, settings)
    base = min(window, configured) if configured else window
    if base < limit:
        limit = base
        why.append(f"limit {limit:,}: {name}")
    lowered = int(base * _percent(environ.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")) / 100)
    if lowered < limit:
        limit = lowered
        why.append(f"limit {limit:,}: CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")
    return limit


def _compacts_early(model: str, window: int) -> bool:
    if window == WINDOWS[1]:
        return parse_version(model) == ("sonnet", (5, 0))
    return 2 * RESERVE < window <= WINDOWS[0]


def _off(environ: Mapping[str, str], settings: ClientSettings | None) -> str:
    for name in ("DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"):
        if _on(environ, name):
            return f"{name} is set"
    return "autoCompactEnabled is false" if settings and not settings.compacts else ""


def _configured(model: str, environ: Mapping[str, str], settings: ClientSettings | None) -> tuple[int, str]:
    """Return the auto-compact window that was set, and where: environment, this model, all models."""
    name = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
    size = _number(environ.get(name))
    if not size and settings:
        name = "the setting autoCompactWindow"
        own = (window for key, window in settings.windows.items() if _is_version_of(model, key))
        size = _number(next(own, None)) or _number(settings.window)
    return (max(size, LEAST_COMPACT_WINDOW), f"{name} ({_EARLIER})") if size else (0, "")


def _is_version_of(model: str, name: str) -> bool:
    return bool(parse_version(model)[0]) and parse_version(name) == parse_version(model)


def _number(value: object) -> int:
    """Return a positive integer that a setting holds as text or number, else 0."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, (int, float)):
        return int(value) if 0 < value < 1 << 40 else 0
    text = value.strip().lower() if isinstance(value, str) else ""
    times = _SUFFIXES.get(text[-1:], 1)
    digits = text if times == 1 else text[:-1]
    return int(digits) * times if digits.isascii() and digits.isdigit() and len(digits) <= 12 else 0


def _percent(value: str | None) -> float:
    """Return a percentage from 1 to 100; 100 for anything else."""
    try:
        share = float(value or 100)
    except ValueError:
        return 100.0
    return share if 1 <= share <= 100 else 100.0


def _on(environ: Mapping[str, str], name: str) -> bool:
    return environ.get(name, "").strip().lower() in ("1", "true", "yes", "on")


def find_crossed(
    budget: Budget,
    announced: Iterable[int],
    thresholds: Iterable[int] = THRESHOLDS,
    absolute: Iterable[int] = (),
) -> list[int]:
    """Return the thresholds reached and not yet announced, rising: percent first, then absolute token counts.

    The caller keeps `announced` and empties it after a compaction, which re-arms them.
    """
    known = set(announced)
    reached = [mark for mark in sorted(thresholds) if budget.percent >= mark]
    reached += [mark for mark in sorted(absolute) if budget.used >= mark]
    return [mark for mark in reached if mark not in known]


def format_share(budget: Budget) -> str:
    """Return the figure in words: "41 % used (68,470 of 167,000 tokens)"."""
    return f"{budget.percent:.0f} % used ({budget.used:,} of {budget.limit:,} tokens)"


def format_notices(threshold: int, budget: Budget) -> tuple[str, str]:
    """Return the line for Claude and the line for the user at a threshold; facts and advice, never orders."""
    head = f"Context: {format_share(budget)}."
    if threshold > 100:
        told = f"{head} That is past the {threshold:,} tokens set as a mark."
        return told, f"Belay: {told}"
    advice, offer = _ADVICE[max(mark for mark in (0, *THRESHOLDS) if mark <= threshold)]
    return f"{head} {advice}", f"Belay: {head} {offer}"


_ADVICE = {
    0: ("There is room.", "There is room."),
    40: (
        "There is room; large reads can be kept to the parts that matter.",
        "There is room; /wrap-up fits well after a finished task.",
    ),
    60: (
        "Belay has saved a checkpoint. Finishing the current part before opening a new one costs least.",
        "A checkpoint is saved. /wrap-up would fit after this task.",
    ),
    80: (
        "Belay has saved the full state and written CONTINUATION.md: a new session continues with nothing "
        'lost; "wrap up" from the user is enough.',
        "The full state is saved and CONTINUATION.md is written. A new session continues with nothing lost; "
        '"wrap up" is enough.',
    ),
}
