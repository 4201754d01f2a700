"""The Qdrant server, or a folder in its place: the extra `qdrant` (qdrant-client)."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.knowledge.sync import shape
from belay.knowledge.sync.points import COLLECTION, EIDETIC, MEMORY, PIECES, WORDS, Point
from belay.knowledge.sync.server import KEY, is_server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from belay.knowledge.exchange.json_rows import Foreign

SECONDS = 30
BATCH, PAGE = 256, 1000
"""Points that are sent, and read, in one call."""


class NotInstalled(BelayError):
    """The extra's package is not there."""


class Unreachable(BelayError):
    """The server does not answer, or answers with an error."""


class Known(NamedTuple):
    """A point at the server: the hash of its content, who sent it, the table of its dense vector, "" without one."""

    hash: str
    by: str
    table: str = ""


class Remote:
    """The points of one project at a server."""

    def __init__(self, client: Any, project: str) -> None:
        self.client, self.project = client, project

    def ready(self) -> None:
        """Make the collection and the indexes of its payload, as far as they are missing."""
        if not self.client.collection_exists(COLLECTION):
            self.client.create_collection(COLLECTION, **shape.make_config())
        info = self.client.get_collection(COLLECTION)
        shape.check_config(info.config.params)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a folder has no indexes, and says so for each
            for field, schema in shape.make_indexes().items():
                if field not in (info.payload_schema or {}):
                    self.client.create_payload_index(COLLECTION, field, field_schema=schema, wait=True)

    def known(self) -> dict[str, Known]:
        """Return the project's points at the server, by id."""
        return {
            str(point.id): Known(*(str(point.payload.get(key, "")) for key in Known._fields))
            for point in self._every(list(Known._fields))
        }

    def rows(self) -> list[Foreign]:
        """Return the project's entries, as others sent them: not to be trusted."""
        rows = (point.payload.get("row") for point in self._every(["row"], (MEMORY, EIDETIC)))
        return [row for row in rows if isinstance(row, dict)]

    def _every(self, fields: list[str], parts: Sequence[str] = ()) -> Iterator[Any]:
        if not self.client.collection_exists(COLLECTION):
            return
        offset, wanted = None, shape.make_filter(self.project, parts)
        while True:
            page, offset = self.client.scroll(
                COLLECTION, scroll_filter=wanted, limit=PAGE, offset=offset, with_payload=fields
            )
            yield from page
            if offset is None:
                return

    def send(self, points: list[Point]) -> None:
        """Put points in place of those of their ids."""
        from qdrant_client import models

        for at in range(0, len(points), BATCH):
            structs = [
                models.PointStruct(id=point.id, payload=point.payload, vector=_make_vectors(point))
                for point in points[at : at + BATCH]
            ]
            self.client.upsert(COLLECTION, structs, wait=True)

    def drop(self, gone: Sequence[str]) -> None:
        """Take points away."""
        for at in range(0, len(gone), PAGE):
            self.client.delete(COLLECTION, points_selector=list(gone[at : at + PAGE]), wait=True)

    def list_old(self, folder: str) -> list[str]:
        """Return the collections in which an earlier version kept this project, by its name or its `folder`'s."""
        there = {one.name for one in self.client.get_collections().collections}
        names = [name for name in shape.name_old_collections(self.project, folder) if name in there]
        return [name for name in names if shape.is_old_config(self.client.get_collection(name).config.params)]

    def remove(self, names: Sequence[str]) -> None:
        """Delete collections, with all that anybody put there."""
        for name in names:
            self.client.delete_collection(name)


def _make_vectors(point: Point) -> dict[str, Any]:
    from qdrant_client import models

    words = {WORDS: models.SparseVector(indices=point.indices, values=point.values)} if point.indices else {}
    return {**words, **({PIECES: list(map(float, point.pieces))} if point.pieces else {})}


@contextmanager
def connect(where: str, project: str, environ: Mapping[str, str]) -> Iterator[Remote]:
    """Connect to a server by its URL, or to a folder; NotInstalled, Unreachable."""
    try:
        from qdrant_client import QdrantClient
        from qdrant_client.http.exceptions import ApiException
    except ImportError:
        mend = f"{sys.executable} -m pip install qdrant-client"
        raise NotInstalled("the extra `qdrant`", "is not installed", mend) from None
    try:
        if is_server(where):
            key = environ.get(KEY)
            client = QdrantClient(url=where, api_key=key, timeout=SECONDS, check_compatibility=False)
        else:
            client = QdrantClient(path=where)
        try:
            yield Remote(client, project)
        finally:
            client.close()
    except (ApiException, RuntimeError, OSError) as error:
        first = (str(error).splitlines() or [""])[0]
        raise Unreachable(
            shown(where), f"cannot be used ({shown(first)})", "see that it runs, then try again"
        ) from None
