"""How often search finds the entry that answers a question: the written projects' entries in one base.

    python3 bench/questions.py [--half tune|held] [--way fts5|words|pieces|MODEL] [--apart] [--documents FOLDER]

Questions in other words than the entry's ("Q") and with its words ("W"), of each half (`projects.py`). With
`--documents` the Markdown files of a folder stand beside the entries, and sentences with links in them ask for
documents, as in `search.py`: what entries gain must not be taken from documents.
`--way` says what is measured: FTS5 alone, Belay by words alone, with the table of word pieces that set-up made for you
(this is what happens without `--way`), or with a sentence model (the extra `vectors`). `--apart` makes a base for each
project, as it is in life; one base for all is harder. `--show N` prints so many questions without an answer.
Printed for each group: the number of questions, and how often an answer is the first, or among the first five.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile

import projects

sys.path.insert(0, str(projects.ROOT / "lib"))
from belay.knowledge.search.search import search
from belay.knowledge.store.store import NewEntry, Store
from belay.knowledge.vectors import embedding, nearest, static_vectors

FIRST, FIVE = 1, 5


def fill(store, written):
    """Add the entries of projects to a base; return id → key."""
    rows = [
        NewEntry(entry.type, entry.content, {"reasoning": entry.reasoning, "files": entry.files})
        for project in written
        for entry in project.entries
    ]
    keys = [entry.key for project in written for entry in project.entries]
    return dict(zip(store.add_many(rows), keys, strict=True))


def ask_belay(store, keys, way="pieces"):
    """Return what answers a question with keys of entries and paths of documents, the best first."""
    near = None
    if way == "words":

        def near(connection, text):
            return None

    elif way != "pieces":
        embedder = embedding.load_embedder(way)
        nearest.build_vectors(store, embedder)
        near = nearest.make_near(embedder, static_vectors.load_meaning)

    def ask(text):
        return [keys.get(hit.id, hit.path) for hit in search(store, text, k=FIVE, near=near).results]

    return ask


def ask_fts5(store, keys):
    """Return the same by FTS5 alone: words of the question joined with OR, Porter's stemmer."""
    from search import by_fts

    rows = store.connection.execute("SELECT id, content || ' ' || reasoning FROM entries").fetchall()
    return by_fts([(keys[number], text) for number, text in rows])


def measure(asks, asked):
    """Return (questions, share answered first, share answered among the first five), and the misses.

    `asks`: what answers all questions, or key of an entry → what answers questions for it.
    """
    ranks, missed = [], []
    for question in asked:
        ask = asks[min(question.keys)] if isinstance(asks, dict) else asks
        hits = ask(question.text)[:FIVE]
        ranks.append(next((at for at, key in enumerate(hits, 1) if key in question.keys), 0))
        if not ranks[-1]:
            missed.append((question.text, *question.keys))
    return _share(ranks), missed


def _share(ranks):
    count = len(ranks) or 1
    return {
        "questions": len(ranks),
        "hit@1": round(sum(rank == FIRST for rank in ranks) / count, 3),
        "hit@5": round(sum(0 < rank <= FIVE for rank in ranks) / count, 3),
    }


def add_documents(store, folder, scratch, limit):
    """Index the documents of a folder; return questions that ask for them."""
    from search import documents, links

    from belay.knowledge.documents import indexer

    copy = pathlib.Path(scratch, "copy")
    files = documents(folder)
    for name, text in files.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text, encoding="utf-8")
    indexer.run_index(str(copy), store)
    shutil.rmtree(copy)
    found = [projects.Asked("D", query, frozenset({target})) for query, target, _ in links(folder, files)]
    random.Random(4).shuffle(found)
    return found[:limit], len(files)


def groups(written, halves):
    """Yield (name, questions) of the groups that are told apart."""
    for half in halves:
        for name, kinds in (("paraphrases", "Q"), ("own words", "W"), ("all", "QW")):
            yield (
                f"{half}: {name}",
                [
                    question
                    for project in written
                    if project.half == half
                    for question in project.asked
                    if question.kind in kinds
                ],
            )


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--half", choices=projects.HALVES, action="append")
    parser.add_argument("--way", default="pieces")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--documents")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    written = projects.load_projects()
    told, lost = {}, []
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        environ = {**os.environ, "XDG_DATA_HOME": scratch, "HOME": scratch}
        asks = {}
        for number, together in enumerate([[one] for one in written] if given.apart else [written]):
            path = os.path.join(scratch, str(number), "bench.db")
            store = stack.enter_context(Store(path, environ, create=True))
            keys = fill(store, together)
            if given.documents:
                asked, count = add_documents(store, given.documents, scratch, given.limit)
                print(f"{count} documents", file=sys.stderr)
                told["documents"], _ = measure(ask_belay(store, keys, given.way), asked)
            ask = ask_fts5(store, keys) if given.way == "fts5" else ask_belay(store, keys, given.way)
            asks |= dict.fromkeys(keys.values(), ask)
        print(f"{len(asks)} entries", file=sys.stderr)
        for name, asked in groups(written, given.half or projects.HALVES):
            told[name], missed = measure(asks, asked)
            lost += missed if name.endswith("all") else []
    rows = (f"{name:18} {row}" for name, row in told.items())
    print(json.dumps(told) if given.json else "\n".join(rows))
    for text, *wanted in lost[: given.show]:
        print(f"  {text}  →  {', '.join(wanted)}")


if __name__ == "__main__":
    main()
