"""The Qdrant server, or a folder in its place: the extra `qdrant` (qdrant-client)."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.knowledge.sync.points import COLLECTIONS, Point, name_collection

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from belay.knowledge.exchange.json_rows import Foreign

WORDS = "words"
KEY = "QDRANT_API_KEY"
SECONDS = 30
BATCH = 256


class NotInstalled(BelayError):
    """The extra's package is not there."""


class Unreachable(BelayError):
    """The server does not answer, or answers with an error."""


class Remote:
    """The collections of one project at a server."""

    def __init__(self, client: Any, project: str) -> None:
        self.client, self.project = client, project

    def ready(self) -> None:
        """Make the collections that are missing."""
        from qdrant_client import models

        for kind in COLLECTIONS:
            name = name_collection(self.project, kind)
            if not self.client.collection_exists(name):
                sparse = models.SparseVectorParams(modifier=models.Modifier.IDF)
                self.client.create_collection(name, vectors_config={}, sparse_vectors_config={WORDS: sparse})

    def known(self) -> dict[str, tuple[str, str, str]]:
        """Return {point: (collection, hash, who sent it)} of the points at the server."""
        return {
            str(point.id): (name, str(point.payload.get("hash", "")), str(point.payload.get("by", "")))
            for name, point in self._every(["hash", "by"], COLLECTIONS)
        }

    def rows(self, kinds: Iterable[str]) -> list[Foreign]:
        """Return the rows in collections of entries, as others sent them: not to be trusted."""
        rows = (point.payload.get("row") for _, point in self._every(["row"], kinds))
        return [row for row in rows if isinstance(row, dict)]

    def _every(self, fields: list[str], kinds: Iterable[str]) -> Iterator[tuple[str, Any]]:
        for kind in kinds:
            name, offset = name_collection(self.project, kind), None
            while self.client.collection_exists(name):
                points, offset = self.client.scroll(name, limit=BATCH, offset=offset, with_payload=fields)
                yield from ((name, point) for point in points)
                if offset is None:
                    break

    def send(self, points: list[Point]) -> None:
        """Put points in place of those of their ids."""
        from qdrant_client import models

        for name in sorted({point.collection for point in points}):
            structs = [
                models.PointStruct(
                    id=point.id, payload=point.payload,
                    vector={WORDS: models.SparseVector(indices=point.indices, values=point.values)},
                )
                for point in points if point.collection == name
            ]  # fmt: skip
            for at in range(0, len(structs), BATCH):
                self.client.upsert(name, structs[at : at + BATCH], wait=True)

    def drop(self, gone: dict[str, str]) -> None:
        """Take points away: {point: collection}."""
        for name in sorted(set(gone.values())):
            ids = [point for point, where in gone.items() if where == name]
            self.client.delete(name, points_selector=ids, wait=True)


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
        if where.startswith(("http://", "https://")):
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
