"""Texts as vectors, by a small model on this machine: the extra `vectors` (sentence-transformers).

A model is loaded from the disk only. It is fetched by `fetch` alone, which a person asked for.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from belay.core import environment
from belay.core.errors import BelayError

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT = "intfloat/e5-small-v2"
SIZES = {DEFAULT: "about 130 MB"}
_PACKAGES = ("sentence_transformers", "torch")
_QUIET = {
    "TOKENIZERS_PARALLELISM": "false", "TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1",
}  # fmt: skip
_PREFIXES = {"query": "query: ", "passage": "passage: "}
"""What the models named e5 were trained to see before a text (arXiv 2212.03533, section 4)."""


class NotInstalled(BelayError):
    """The extra's packages are not there."""


class NoModel(BelayError):
    """The model is not on this machine."""


def is_installed() -> bool:
    """Whether the extra's packages are there, for this interpreter or in Belay's own environment."""
    if not _has_packages():
        environment.add_packages(os.environ)
    return _has_packages()


def _has_packages() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in _PACKAGES)


class Embedder:
    """A model, loaded. NotInstalled, or NoModel where it is not on this machine."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._e5 = is_e5(name)
        self._model = _load_model(name)

    def encode(self, texts: Sequence[str], kind: str) -> list[list[float]]:
        """Return a vector a text; `kind` is `query` or `passage`."""
        prefix = _PREFIXES[kind] if self._e5 else ""
        vectors = self._model.encode([prefix + text for text in texts], show_progress_bar=False)
        return [[float(value) for value in row] for row in vectors]

    def knows(self, text: str) -> bool:
        """Whether most of a text is in the model's vocabulary; what is not becomes one and the same sign to it."""
        tokenizer = self._model.tokenizer
        numbers = tokenizer(text, add_special_tokens=False)["input_ids"]
        return bool(numbers.count(tokenizer.unk_token_id) * 2 < len(numbers))


def is_e5(name: str) -> bool:
    """Whether a model is one of the family e5."""
    return "e5" in os.path.basename(name.rstrip("/")).lower()


@cache
def load_embedder(name: str) -> Embedder:
    """Return a model, loaded once a process: that takes seconds."""
    return Embedder(name)


def _load_model(name: str, local: bool = True) -> Any:
    if not is_installed():
        raise NotInstalled(
            "the extra `vectors`", "is not installed",
            f"{sys.executable} -m pip install sentence-transformers sqlite-vec (about 1 GB with torch)",
        )  # fmt: skip
    if local:
        os.environ["HF_HUB_OFFLINE"] = "1"  # read when the library is imported
    for key, value in _QUIET.items():
        os.environ.setdefault(key, value)
    from sentence_transformers import SentenceTransformer

    safe = {"use_safetensors": True}  # a pickle could run anything
    try:
        return SentenceTransformer(
            name, device="cpu", local_files_only=local, trust_remote_code=False, model_kwargs=safe
        )
    except (OSError, ValueError, ImportError) as error:
        first = (str(error).splitlines() or [""])[0]
        raise NoModel(name, f"is not on this machine ({first[:120]})", "belay vectors setup fetches it") from None


def fetch_model(name: str) -> None:
    """Fetch a model from its hub and load it once."""
    os.environ.pop("HF_HUB_OFFLINE", None)
    _load_model(name, local=False)
