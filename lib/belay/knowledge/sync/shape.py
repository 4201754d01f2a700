"""The shape of the collection at the server: its vectors, the indexes of its payload, and what came before it.

One collection for all, a project a tenant (https://qdrant.tech/documentation/guides/multiple-partitions): a question
over all projects is one question, and points of one project lie together on the disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from belay.core.errors import BelayError
from belay.knowledge.sync.points import COLLECTION, PARTS, PIECES, WORDS
from belay.knowledge.vectors import encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

TENANT, TIME = "project", "time"
KEYWORDS = ("projects", "part", "type", "persons", "table")
"""What else a search filters by."""


def make_config() -> dict[str, Any]:
    """Return the arguments that make the collection: rare words count more; dense vectors in half precision.

    A value of a piece is a whole number of one byte, so half precision loses nothing that counts.
    """
    from qdrant_client import models

    dense = models.VectorParams(
        size=encoding.DIMS, distance=models.Distance.COSINE, datatype=models.Datatype.FLOAT16, on_disk=True
    )
    return {
        "vectors_config": {PIECES: dense},
        "sparse_vectors_config": {WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
    }


def make_indexes() -> dict[str, Any]:
    """Return the indexes of the payload, by field."""
    from qdrant_client import models

    tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
    keywords: dict[str, Any] = dict.fromkeys(KEYWORDS, models.PayloadSchemaType.KEYWORD)
    return {TENANT: tenant, TIME: models.PayloadSchemaType.DATETIME, **keywords}


def check_config(params: Any) -> None:
    """Raise BelayError where a collection of this name has another shape: somebody else made it."""
    dense = params.vectors.get(PIECES) if isinstance(params.vectors, dict) else None
    if dense is None or dense.size != encoding.DIMS or WORDS not in (params.sparse_vectors or {}):
        raise BelayError(
            f"the collection {COLLECTION}", "has vectors of another shape",
            "delete or rename it at the server, then belay sync makes it anew",
        )  # fmt: skip


def make_filter(project: str, parts: Sequence[str]) -> Any:
    """Return the filter of a project's points, of some parts or of all."""
    from qdrant_client import models

    must: list[Any] = [models.FieldCondition(key=TENANT, match=models.MatchValue(value=project))]
    must += [models.FieldCondition(key="part", match=models.MatchAny(any=list(parts)))] if parts else []
    return models.Filter(must=must)


def name_old_collections(project: str, folder: str) -> list[str]:
    """Return the names that the four collections of a project may have had: one a part, without dense vectors.

    They began with the project's given name, else with the name of its folder.
    """
    bases = dict.fromkeys(map(_clean_old_name, (project.rpartition("/")[2], folder)))
    return [f"{base}-{part}" for base in bases for part in PARTS]


def _clean_old_name(name: str) -> str:
    return "".join(char if char.isalnum() or char in "-_" else "-" for char in name) or "project"


def is_old_config(params: Any) -> bool:
    """Whether a collection is one that an earlier version made, and not somebody else's of the same name."""
    return not params.vectors and list(params.sparse_vectors or {}) == [WORDS]
