"""Search over conversations: which place of which session answers, with its date, branch, files and commit."""

from __future__ import annotations

import os
from itertools import islice

from belay.core import paths
from belay.core.errors import BadInput, BelayError
from belay.core.tuples import NamedTuple
from belay.knowledge.conversations import archive, index, turns
from belay.knowledge.search.filters import SESSION
from belay.knowledge.store import database
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from belay.knowledge.conversations.index import Summary
    from belay.knowledge.conversations.turns import Conversation
    from belay.knowledge.search.query import Group
    from belay.knowledge.search.search import Hit

BEHIND, LEAST = 3, 0.2
"""Sessions that stand among entries and documents unasked, and the score from which on they do."""
ENTRY = 2.0
"""How much an entry's score counts beside a session's (docs/sessions.md)."""
EACH, COPIES = 6, 2
"""Places that are looked at for each session that is wanted once, and for each place."""
TOKENS = 48
"""Words of a snippet: of 155 questions about sessions of three projects, what was asked for is in the snippet of one of
five hits in .41 of the cases; with 28 words in .33, with 64 in .44."""
NARROWED = 300
"""Sessions, the latest, that a filter by branch or file lets through at most."""


class Places(NamedTuple):
    """What was found in conversations; `by_words`: no place has the quoted phrase, these have its words."""

    hits: list[SessionHit]
    by_words: bool = False


class SessionHit(NamedTuple):
    """A place of a conversation: `start` to `end` are lines of it as `belay sessions --show` prints it.

    `id` is the session's name, `path` "session:" with the beginning of it; `time` is UTC.
    """

    path: str
    start: int
    end: int
    score: float
    snippet: str
    id: str
    type: str
    title: str
    time: str
    branch: str
    commit: str
    files: tuple[str, ...]

    @property
    def place(self) -> str:
        """Date, branch, commit and edited files on one line."""
        turn = turns.Turn(self.time, self.branch, self.commit, self.files, "", "")
        return turns.format_place(turn, files=3)


def open_archive(base: str, environ: Mapping[str, str]) -> archive.Archive | None:
    """Return the conversations beside a knowledge base; None where there are none."""
    folder = paths.find_sessions(base)
    kept = archive.Archive(folder, environ) if folder else None
    return kept if kept and os.path.isfile(kept.index) else None


def find(
    kept: archive.Archive, text: str, *, k: int, files: Sequence[str] = (), branch: str = "", since: str = "",
    until: str = "", phrase: bool = False, once: bool = False,
) -> Places:  # fmt: skip
    """Return the best places of the conversations, of each session only the best if `once`; filters as for search.

    Branch and files are those of the whole session.
    """
    from belay.knowledge.search import query, search

    with index.open_index(kept) as store:
        is_plain = database.is_plain(store.connection)
        catalog = {row.name: row for row in index.load_catalog(store)}
        names = [row.name for row in catalog.values() if passes(row, files, branch)][:NARROWED]
        if not names:
            return Places([])
        found = search.search(
            store, text, k=k * (EACH if once else COPIES), files=names if files or branch else (), since=since,
            until=until, phrase=phrase,
        )  # fmt: skip
    hits = [hit._replace(path=hit.path.partition("/")[0]) for hit in found.results]
    if once:
        hits = [hit for at, hit in enumerate(hits) if hit.path not in {one.path for one in hits[:at]}]
    groups = [] if is_plain else query.parse_query(text, phrase=phrase).groups
    made = _make_hits(kept, [hit for hit in hits if hit.path in catalog], catalog, groups)
    return Places(list(islice(made if once else _drop_copies(made), k)), found.by_words)


def _drop_copies(hits: Iterator[SessionHit]) -> Iterator[SessionHit]:
    """Yield hits without turns that another session has too: one that was forked begins with a copy.

    No two sessions have a prompt at the same millisecond otherwise.
    """
    first: dict[str, str] = {}
    for hit in hits:
        if not hit.time or first.setdefault(hit.time, hit.id) == hit.id:
            yield hit


def find_behind(kept: archive.Archive, text: str, k: int, **filters: object) -> list[SessionHit]:
    """Return the few sessions that are named behind better results; [] where conversations cannot be searched now.

    Nor where a quoted phrase was said nowhere: its words alone are no answer beside what has it.
    """
    try:
        found = find(kept, text, k=min(k, BEHIND), **filters)  # type: ignore[arg-type]
    except (BelayError, database.SqlError, OSError):
        return []
    return [] if found.by_words else [hit for hit in found.hits if hit.score >= LEAST]


def merge(hits: Sequence[Hit], sessions: Sequence[SessionHit]) -> list[Hit | SessionHit]:
    """Return entries and documents with sessions between them: each behind the first result and behind all better ones.

    What was written down was meant to last, so an entry counts as ENTRY times its score. The others keep their order.
    """
    merged: list[Hit | SessionHit] = []
    waiting = list(sessions)
    for at, hit in enumerate(hits):
        weight = hit.score * (ENTRY if hit.id else 1.0)
        while at and waiting and waiting[0].score > weight:
            merged.append(waiting.pop(0))
        merged.append(hit)
    return [*merged, *waiting]


def passes(row: Summary, files: Sequence[str], branch: str) -> bool:
    """Whether a session was on a branch and edited any of some files; "" and none for all."""
    branch, files = make_label(branch), [make_label(name) for name in files]
    return branch in ("", *row.branches) and (not files or any(_touches(row, name) for name in files))


def _touches(row: Summary, name: str) -> bool:
    """Whether a session edited a file, one below a folder, or one that a pattern fits."""
    from fnmatch import fnmatchcase

    folder = name.rstrip("/") + "/"
    return any(path == name or path.startswith(folder) or fnmatchcase(path, name) for path in row.files)


def _make_hits(
    kept: archive.Archive, hits: Sequence[Hit], catalog: Mapping[str, Summary], groups: Sequence[Group]
) -> Iterator[SessionHit]:
    """Yield hits with what the kept files say of them; each file is read once."""
    known: dict[str, Conversation] = {}
    for hit in hits:
        if hit.path not in known:
            known[hit.path] = turns.read_conversation(kept.load(hit.path))
        turn, lines = turns.find_lines(known[hit.path], hit.start, hit.end)
        row = catalog[hit.path]
        yield SessionHit(
            name_path(hit.path, catalog), hit.start, hit.end, hit.score, _quote(lines, hit, groups), hit.path, SESSION,
            row.title, turn.time if turn else row.active, turn.branch if turn else row.branch,
            turn.commit if turn else row.commit, turn.files if turn else row.files,
        )  # fmt: skip


def _quote(lines: Sequence[str], hit: Hit, groups: Sequence[Group]) -> str:
    """Return the words around what was asked for: more of them than of a document, for talk says less with each."""
    from belay.knowledge.search import snippet

    if not groups:
        return hit.snippet
    match = " OR ".join(group.match for group in groups)
    words = [word for group in groups for word in group.words]
    quoted = snippet.make_snippet("\n".join(lines), match, words, TOKENS)
    return quoted if snippet.OPEN in quoted else hit.snippet


def name_path(name: str, names: Mapping[str, object]) -> str:
    """Return what a result calls a session: "session:" and the beginning of its name."""
    return f"{SESSION}:{archive.shorten(name, names)}"


def is_path(path: str) -> bool:
    """Whether a path names a conversation."""
    return path.startswith(SESSION + ":")


def resolve(kept: archive.Archive, given: str) -> str:
    """Return the session that the beginning of a name means; BadInput for none and for several."""
    given = given.removeprefix(SESSION + ":").strip()
    names = kept.find(given) if given else []
    if len(names) == 1:
        return names[0]
    if names:
        raise BadInput(given, f"is the beginning of {len(names)} sessions", "give more of it")
    raise BadInput(given or "the name", "is no session that is kept", "`belay sessions` lists them")


def load_lines(kept: archive.Archive, name: str) -> list[str]:
    """Return a conversation as lines; [] for one that was dropped."""
    return turns.render(turns.read_conversation(kept.load(name)))
