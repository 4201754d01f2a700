"""Hook JSON in and out (HOST §2.2, §2.3)."""

from __future__ import annotations

import os
import zlib

from belay.core import json_codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_SESSION_CHARS = 64
_TAKEN = frozenset(("health", "ledger", "settings"))
"""Names that other files beside journals and states have."""


class Event:
    """One hook call: the client's JSON with every field brought to its type; what is missing is empty."""

    __slots__ = ("cwd", "data", "environ", "session")

    def __init__(self, data: dict[str, Any], environ: Mapping[str, str]) -> None:
        self.data, self.environ = data, environ
        self.session = session_name(data.get("session_id"))
        self.cwd = _folder(data.get("cwd"), environ)

    def text(self, key: str) -> str:
        """Return a string field, "" when it is missing or something else."""
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def table(self, key: str) -> dict[str, Any]:
        """Return an object field, {} when it is missing or something else."""
        value = self.data.get(key)
        return value if isinstance(value, dict) else {}

    def rows(self, key: str) -> list[dict[str, Any]]:
        """Return the objects of a list field."""
        value = self.data.get(key)
        return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []

    @property
    def subagent(self) -> bool:
        """Whether the call comes from inside a subagent (HOST §2.2: agent_id)."""
        return bool(self.data.get("agent_id"))

    @property
    def headless(self) -> bool:
        """Whether the client runs under -p or an SDK (HOST §2.3: CLAUDE_CODE_ENTRYPOINT)."""
        return self.environ.get("CLAUDE_CODE_ENTRYPOINT", "cli") != "cli"


class Reply:
    """What a hook says: `context` for Claude, `user` for the person, `deny` with its reason, `plain` as is.

    `then` is done after it was said: what must not happen when nobody heard.
    """

    __slots__ = ("context", "deny", "plain", "then", "user")

    def __init__(self, context: str = "", user: str = "", deny: str = "", plain: str = "") -> None:
        self.context, self.user, self.deny, self.plain = context, user, deny, plain
        self.then: Callable[[], None] | None = None

    def render(self, name: str) -> str:
        """Return stdout for the event: JSON, or plain text where the client takes only that (PreCompact)."""
        if self.plain:
            return self.plain
        out: dict[str, Any] = {}
        if self.user:
            out["systemMessage"] = self.user
        special = self._special(name)
        if special:
            out["hookSpecificOutput"] = {"hookEventName": name, **special}
        return json_codec.dumps(out) if out else ""

    def _special(self, name: str) -> dict[str, str]:
        if self.deny:
            return {"permissionDecision": "deny", "permissionDecisionReason": self.deny}
        return {"additionalContext": self.context} if self.context else {}


def parse(raw: bytes, environ: Mapping[str, str]) -> Event:
    """Return the event of a hook's stdin; whatever is not a JSON object becomes an empty event."""
    try:
        data = json_codec.loads(raw.decode("utf-8", "replace"))
    except ValueError:
        data = {}
    return Event(data if isinstance(data, dict) else {}, environ)


def session_name(raw: object) -> str:
    """Return a session id that is safe as a file name: itself, or a hash of it where it is hostile."""
    if (
        isinstance(raw, str)
        and 0 < len(raw) <= _SESSION_CHARS
        and _PLAIN.issuperset(raw)
        and raw.lower() not in _TAKEN
    ):
        return raw
    text = raw if isinstance(raw, str) else repr(raw)
    return f"x-{zlib.crc32(text.encode('utf-8', 'replace')):08x}" if raw else "x-unknown"


def _folder(raw: object, environ: Mapping[str, str]) -> str:
    for candidate in (raw, environ.get("CLAUDE_PROJECT_DIR")):
        if isinstance(candidate, str) and "\0" not in candidate and os.path.isdir(candidate):
            return os.path.abspath(candidate)
    try:
        return os.getcwd()
    except OSError:
        return "/"
