"""`belay search`: find what was kept, and the project's documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.knowledge import base, read, search_results
from belay.cli.knowledge.search_results import Asked
from belay.cli.output import Result
from belay.knowledge.conversations.finding import SessionHit
from belay.knowledge.entries import history

if TYPE_CHECKING:
    from belay.knowledge.search.search import Hit
    from belay.knowledge.store.store import Store


@output.command(
    "search",
    examples="""
    belay search refund rounding           the best places, an entry or a section of a document each
    belay search '"exact words"' -k 3      these words in this order
    belay search proxy --type gotcha --since 2w
    belay search deploy --file docs/ --sections
    belay search --json --queries FILE     many queries in one process
    """,
)
@click.argument("query", nargs=-1)
@click.option(
    "-k",
    "-n",
    "--limit",
    "k",
    default=search_results.SHOWN,
    type=click.IntRange(1, 1000),
    help="How many documents at most.",
)
@click.option(
    "-t", "--type", "types", multiple=True, help="Only entries of a type, `document` or `session`; may be repeated."
)
@click.option("--file", "files", multiple=True, help="Only what concerns a file, a folder or a pattern of files.")
@click.option("--branch", default="", help="Only entries made on a branch.")
@click.option("--since", default="", help="Not before a date (2026-05-31) or so long ago (14d, 2w, 3m).")
@click.option("--until", default="", help="Not after a date.")
@click.option("--phrase", is_flag=True, help="The complete query, word for word.")
@click.option("--sections", is_flag=True, help="Every section that answers, not only the best of a document.")
@click.option("--queries", default="", metavar="FILE", help='Answer each {"id", "query"} of a file of JSON lines.')
@click.option("-f", "--format", "form", type=click.Choice(["compact", "full"]), default="compact",
              help="full: all that is known of each entry.")  # fmt: skip
def command(form: str, **options: Any) -> Result:
    """Find entries, documents and past sessions by their words."""
    asked = Asked(**options)
    if not asked.queries and not asked.text:
        raise click.UsageError("the query is empty: say what to look for")
    with base.open_base() as store:
        if asked.queries:
            for line in search_results.answer_queries(store, asked):
                search_results.put(line)
            sys.exit(0)
        answer = search_results.answer(store, asked, asked.text)
        pages = [_format_hit(store, hit) for hit in answer.results] if form == "full" else []
    return Result(search_results.data(answer), "\n\n".join(pages) or search_results.text(answer))


def _format_hit(store: Store, hit: Hit | SessionHit) -> str:
    """Return all that is known of an entry; a section of a document or a session is two lines, as it always is."""
    if not hit.id or isinstance(hit, SessionHit):
        return search_results.format_hit(hit)
    found = store.get(hit.id)
    return "\n".join(read.format_entry(found, history.load_chain(store, found)))
