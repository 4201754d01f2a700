"""`belay vectors`: search by meaning beside search by words, with a small model on this machine."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from belay.cli import output, terminal
from belay.cli.knowledge import base
from belay.cli.output import Result
from belay.core import settings
from belay.core.plain_text import count, shown
from belay.knowledge.vectors import embedding, nearest, vectors

ACTIONS = ("status", "setup", "build", "off")


@output.command(
    "vectors",
    examples="""
    belay vectors                            whether they are used, and how many
    belay vectors setup                      say what a model weighs, fetch it on yes
    belay vectors build                      make what is missing; searches use them from then on
    belay vectors build --model ./my-model   a model that lies here
    belay vectors off
    """,
)
@click.option("--model", default="", metavar="NAME", help="A model's name on its hub, or its folder.")
@click.option("--yes", is_flag=True, help="Fetch the model without asking.")
@click.argument("action", type=click.Choice(ACTIONS), default="status")
def command(action: str, model: str, yes: bool) -> Result:
    """Let searches find what is meant, by a model on this machine."""
    model = _place(model)
    if action == "setup":
        return _setup(model or _setting(), yes)
    with base.open_base() as store:
        chosen = model or vectors.load_model_name(store.connection) or _setting()
        made = _build(store, chosen) if action == "build" else 0
        if action == "off":
            vectors.choose_model(store.connection, "")
        used = vectors.load_model_name(store.connection)
        counts = vectors.count_vectors(store.connection, used or chosen)
        return _make_result(action, used, chosen, counts, made)


def _place(model: str) -> str:
    """Return a model's name, or its folder from the root: searches start in other folders."""
    return os.path.abspath(model) if os.path.isdir(model) else model


def _setting() -> str:
    project = base.project()
    told = settings.load_settings(project, os.environ)["vectors"] if project else ""
    return str(told or embedding.DEFAULT)


def _setup(model: str, yes: bool) -> Result:
    try:
        embedding.Embedder(model)
        said, fetched = f"{shown(model)} is on this machine.", False
    except embedding.NoModel:
        if not (yes or _agreed(model)):
            return _result("setup", "", model, vectors.Counts(0, 0), 0, f"Nothing was fetched. {_offer(model)}")
        with terminal.Progress("Fetching the model"):
            embedding.fetch_model(model)
        said, fetched = f"{shown(model)} was fetched.", True
    text = f"{said} `belay vectors build` makes the vectors of this project."
    return _result("setup", "", model, vectors.Counts(0, 0), int(fetched), text)


def _offer(model: str) -> str:
    size = embedding.SIZES.get(model, "of unknown size")
    return f"{shown(model)} ({size}) comes from huggingface.co; --yes fetches it."


def _agreed(model: str) -> bool:
    return sys.stdin.isatty() and click.confirm(f"{_offer(model)}\nFetch it now?", default=False, err=True)


def _build(store: Any, model: str) -> int:
    with terminal.Progress("Making vectors") as progress:
        return nearest.build_vectors(store, embedding.Embedder(model), progress)


def _make_result(action: str, used: str, chosen: str, counts: vectors.Counts, made: int) -> Result:
    if not used:
        text = f"Searches go by words alone. `belay vectors setup` and `build` add meaning ({shown(chosen)})."
    else:
        texts = count(counts.made, "text has a vector", "texts have vectors")
        text = f"{texts} of {shown(used)}" + (
            f", {counts.missing} lack one: belay vectors build" if counts.missing else ""
        )
        text += "." if embedding.is_installed() else "; the extra is not installed, so searches go by words alone."
    return _result(action, used, chosen, counts, made, text)


def _result(action: str, used: str, model: str, counts: vectors.Counts, made: int, text: str) -> Result:
    data = {"action": action, "used": used, "model": model, "installed": embedding.is_installed(), "made": made,
            "vectors": counts.made, "missing": counts.missing}  # fmt: skip
    return Result(data, text)
