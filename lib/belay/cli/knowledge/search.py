"""`belay search`: find what was kept, and the project's documents."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from belay.cli import output
from belay.cli.knowledge import base, read, search_results, shared_results
from belay.cli.knowledge.search_results import Asked
from belay.cli.knowledge.shared_results import Options
from belay.cli.output import Result
from belay.knowledge.conversations.finding import SessionHit
from belay.knowledge.entries import history
from belay.knowledge.store.database import Missing

if TYPE_CHECKING:
    from belay.knowledge.search.search import Hit
    from belay.knowledge.store.store import Store
    from belay.knowledge.sync.shared_search import Search

NO_BASE = "There is no knowledge base here."


@output.command(
    "search",
    examples="""
    belay search refund rounding           the best places, an entry or a section of a document each
    belay search '"exact words"' -k 3      these words in this order
    belay search proxy --type gotcha --since 2w
    belay search deploy --file docs/ --sections
    belay search --json --queries FILE     many queries in one process
    belay search retries --shared --person ana --since 3m      the organisation's memory too
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
@click.option("--shared", is_flag=True, help="Ask the shared memory of the setting `qdrant` too.")
@click.option("--project", "projects", multiple=True, help="With --shared: only of a project; repeatable.")
@click.option("--person", "persons", multiple=True, help="With --shared: only what a person sent; repeatable.")
def command(form: str, shared: bool, projects: tuple[str, ...], persons: tuple[str, ...], **options: Any) -> Result:
    """Find entries, documents and past sessions by their words."""
    asked = Asked(**options)
    if not asked.queries and not asked.text:
        raise click.UsageError("the query is empty: say what to look for")
    far = _begin_shared(Options(shared, projects, persons), asked)
    try:
        local = _search(form, asked)
    except Missing:
        if far is None:
            raise
        local = Result({"results": [], "used_vectors": False}, NO_BASE)
    found = shared_results.finish(far, local.data["results"])
    text = "\n".join(filter(None, [local.text, *shared_results.lines(found)]))
    return Result({**local.data, **shared_results.data(found)}, text)


def _begin_shared(options: Options, asked: Asked) -> Search | None:
    if options.shared:
        only_local = {"--file": asked.files, "--branch": asked.branch, "--until": asked.until,
                      "--phrase": asked.phrase, "--sections": asked.sections, "--queries": asked.queries}  # fmt: skip
        shared_results.refuse_local(only_local)
    types = [search_results.parse_type(one) for one in asked.types]
    return shared_results.begin(options, asked.text, asked.k, types, asked.since)


def _search(form: str, asked: Asked) -> Result:
    """Search the project's own base."""
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
