"""Questions to a Qdrant server, over HTTP with the standard library alone: MCP answers before any package is there.

A question runs beside the local search and is waited for at most a second, whatever the name service, the server or a
proxy does meanwhile. Redirects are not followed: the key goes to the server that the user named and nowhere else.
A folder in the server's place is asked through the client library, for tests and small trials.
"""

from __future__ import annotations

import threading
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from belay.core import json_codec
from belay.core.plain_text import shown
from belay.knowledge.sync.points import COLLECTION

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = "QDRANT_API_KEY"
SECONDS = 1.0
"""How long an answer is waited for."""
FOLDER_SECONDS = 30.0
"""The same for a folder, which the client library reads completely at each start."""
PORT = 6333
"""Qdrant's port where the address names none, as the client library has it."""
FAILURES = (OSError, ValueError, ImportError, RuntimeError, HTTPException)
"""What a server, the way to it, a folder or its library may bring: the local answer stands in each case."""
_BYTES = 8 * 1024 * 1024
"""A longer answer is none."""


class Reply(NamedTuple):
    """What a server answered: points as they came, not to be trusted; or why there are none, for a sentence."""

    points: list[dict[str, Any]]
    why: str = ""


class Asking:
    """A question under way."""

    def __init__(self, where: str, question: dict[str, Any], environ: Mapping[str, str]) -> None:
        self._reply: Reply | None = None
        self._seconds = SECONDS if is_server(where) else FOLDER_SECONDS
        self._end = time.monotonic() + self._seconds
        self._thread = threading.Thread(target=self._ask, args=(where, question, dict(environ)), daemon=True)
        self._thread.start()

    def _ask(self, where: str, question: dict[str, Any], environ: dict[str, str]) -> None:
        try:
            answered = _post(where, question, environ) if is_server(where) else _ask_folder(where, question)
            self._reply = _read_points(answered)
        except FAILURES as error:
            self._reply = Reply([], explain_error(error))

    def wait(self) -> Reply:
        """Return what came in time."""
        self._thread.join(max(0.0, self._end - time.monotonic()))
        late = f"did not answer within {self._seconds:g} s" if self._thread.is_alive() else "cannot be asked"
        return self._reply or Reply([], late)


def is_server(where: str) -> bool:
    """Whether a place is the address of a server and not a folder."""
    return where.startswith(("http://", "https://"))


def _post(where: str, question: dict[str, Any], environ: Mapping[str, str]) -> object:
    from urllib import request

    class NoRedirect(request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    headers = {"Content-Type": "application/json", "User-Agent": "belay"}
    headers |= {"api-key": environ[KEY]} if environ.get(KEY) else {}
    asked = request.Request(make_address(where), json_codec.encode(question), headers, method="POST")
    with request.build_opener(NoRedirect).open(asked, timeout=SECONDS) as answer:
        data = answer.read(_BYTES + 1)
    if len(data) > _BYTES:
        raise ValueError("too long")
    return json_codec.loads(data.decode("utf-8", "replace"))


def make_address(where: str) -> str:
    """Return the address of the collection's questions."""
    parts = urlsplit(where)
    host = parts.netloc if parts.port else f"{parts.netloc.rstrip(':')}:{PORT}"
    path = f"{parts.path.rstrip('/')}/collections/{COLLECTION}/points/query"
    return urlunsplit((parts.scheme, host, path, "", ""))


def _ask_folder(where: str, question: dict[str, Any]) -> object:
    from qdrant_client import QdrantClient, models

    client = QdrantClient(path=where)
    try:
        asked = models.QueryRequest.model_validate(question)
        (answer,) = client.query_batch_points(COLLECTION, [asked])
    finally:
        client.close()
    return {"result": answer.model_dump(mode="json")}


def _read_points(answered: object) -> Reply:
    result = answered.get("result") if isinstance(answered, dict) else None
    points = result.get("points") if isinstance(result, dict) else None
    if not isinstance(points, list):
        return Reply([], "answered something that is no answer of Qdrant")
    return Reply([point for point in points if isinstance(point, dict)])


def explain_error(error: Exception) -> str:
    """Return what went wrong, for a sentence that begins with the server's name."""
    from urllib import error as errors

    if isinstance(error, errors.HTTPError):
        error.close()
        known = {401: "refused the key (QDRANT_API_KEY)", 403: "refused the key (QDRANT_API_KEY)",
                 404: f"has no collection {COLLECTION} yet: `belay sync` makes it"}  # fmt: skip
        return known.get(error.code, f"answered with HTTP {error.code}")
    if isinstance(error, ModuleNotFoundError):
        return "is a folder, which needs the extra `qdrant`"
    reason = error.reason if isinstance(error, errors.URLError) else error
    if isinstance(reason, TimeoutError):
        return f"did not answer within {SECONDS:g} s"
    return f"cannot be asked ({shown(str(reason) or type(reason).__name__, 120)})"
