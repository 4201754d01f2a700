"""The JSON that the client passes to a status line command (HOST §5.2)."""

from __future__ import annotations

from belay.client.event import session_name
from belay.client.transcript import count_tokens, to_count
from belay.core import json_codec
from belay.core.json_codec import fields_of, text_or_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class StatusFields(TypedDict, total=False):
        """The fields of the status JSON that Belay reads."""

        context_window: object
        cwd: object
        model: object
        session_id: object
        workspace: object

    class WindowFields(TypedDict, total=False):
        """The field `context_window` of the status JSON."""

        context_window_size: object
        current_usage: object


class Status:
    """The client's status JSON, every field brought to its type; 0 and "" are unknown."""

    __slots__ = ("cwd", "model", "session", "tokens", "window")

    def __init__(self, fields: StatusFields) -> None:
        context: WindowFields = fields_of(fields.get("context_window"))
        self.session = session_name(fields.get("session_id"))
        self.model = text_or_empty(fields_of(fields.get("model")).get("id"))
        self.window = to_count(context.get("context_window_size"))
        self.tokens = count_tokens(context.get("current_usage"))
        folder = text_or_empty(fields_of(fields.get("workspace")).get("current_dir"))
        self.cwd = folder or text_or_empty(fields.get("cwd"))


def parse_status(raw: bytes) -> Status:
    """Return the status of the client's JSON; whatever is not an object becomes an empty status."""
    try:
        value = json_codec.loads(raw.decode("utf-8", "replace"))
    except ValueError:
        value = None
    return Status(fields_of(value))
