"""The quick door of `search`: plain options without click, which alone takes as long as twenty searches.

What it does not understand, and every error, it leaves to `belay.cli.knowledge.search`, which says it properly.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_VALUES = {
    "-k": "k", "-n": "k", "--limit": "k", "-t": "types", "--type": "types",
    "--file": "files", "--branch": "branch", "--since": "since", "--until": "until",
    "--queries": "queries", "--db": "db",
}  # fmt: skip
_FLAGS = {"--phrase": "phrase", "--sections": "sections", "--json": "json"}
_LISTS = ("types", "files", "query")


def search(argv: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Answer a search, and return whether that was done."""
    options = parse_arguments(argv)
    if options is None or not (options.get("queries") or "".join(options.get("query", ())).strip()):
        return False
    gc.disable()  # nothing here lives long enough to be collected; looking for it takes a tenth of the time
    from belay.cli.knowledge import search_results as found
    from belay.core.errors import BelayError

    db, as_json = options.pop("db", ""), options.pop("json", False)
    asked = found.Asked(**options)
    try:
        with found.open_base(db, environ) as store:
            if sys.flags.no_site and found.has_vectors(store):
                return False  # what finds by meaning needs packages
            if asked.queries:
                return _many(found, store, asked)
            answer = found.answer(store, asked, asked.text)
    except BelayError:
        return False
    if as_json:
        return _put(found, [found.dump_json(found.data(answer))])
    return _put(found, [_rendered(found.text(answer), environ) if sys.stdout.isatty() else found.text(answer)])


def _rendered(text: str, environ: Mapping[str, str]) -> str:
    """Return a text as a terminal shows it."""
    from belay.cli import terminal
    from belay.core import environment

    packages = environment.packages(environ)
    if packages and packages not in sys.path:
        sys.path.append(packages)
    return terminal.render([text]) if terminal.is_rich(sys.stdout) else text


def _many(found: Any, store: Any, asked: Any) -> bool:
    return _put(found, list(found.answer_queries(store, asked)))


def _put(found: Any, lines: Sequence[str]) -> bool:
    try:
        for line in lines:
            found.put(line)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return True


def end() -> None:
    """End the process at once: to take the interpreter apart would take as long as a search."""
    os._exit(0)


def parse_arguments(argv: Sequence[str]) -> dict[str, Any] | None:
    """Return the options of a search by the names of `found.Asked`, None for what is not a plain search."""
    options: dict[str, Any] = {}
    words = iter(argv)
    searching = plain = False
    for word in words:
        if plain or not word.startswith("-") or word == "-":
            if not searching and word != "search":
                return None
            options["query"] = (*options.get("query", ()), *((word,) if searching else ()))
            searching = True
        elif word == "--" and searching:
            plain = True
        elif word in _FLAGS and searching:
            options[_FLAGS[word]] = True
        elif word in _VALUES and (searching or word == "--db"):
            value = next(words, None)
            if value is None:
                return None
            name = _VALUES[word]
            options[name] = (*options.get(name, ()), value) if name in _LISTS else value
        else:
            return None
    return _numbered(options) if searching else None


def _numbered(options: dict[str, Any]) -> dict[str, Any] | None:
    given = str(options.get("k", "8"))
    if not given.isdecimal() or not 1 <= int(given) <= 1000:
        return None
    return {**options, "k": int(given)}
