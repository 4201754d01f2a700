"""Measure what search finds and how long it takes.

    python3 bench/search.py FOLDER [--limit 1000] [--json]      on the documents of a checkout
    python3 bench/search.py --speed [--entries 100000] [--json]

Quality: gold evidence by rule. Where a document links to another, the sentence around the link is a query, without the
link's own text where it says enough without it, and the document that it leads to is the answer. Nobody wrote these
sentences for a search engine, and nobody chose the answers. Compared on the same files: Belay; FTS5 with Porter's
stemmer, every word quoted and OR-joined, without stop words, on whole files and on Belay's own sections; and `grep`,
which counts how many of the words a file has. The document in which the sentence stands is taken out of every answer.
Printed: how often the document is among the first 1, 5, 10, the mean reciprocal rank, and milliseconds a query.

Speed: a base of that many entries of words as frequent as Zipf's law has it; queries of 3 to 8 of them, common ones
too. In one process, and as a command beside a bare start of the same interpreter (`-S -E -c pass`). Where set-up made
the table of word pieces, every entry has its vector, and searches compare them.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import accumulate

from verdict import Machine, verdict

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.core import terms
from belay.knowledge.documents import indexer as indexing
from belay.knowledge.search.search import search
from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import meaning_rows, text_index
from belay.knowledge.vectors import piece_table

LINK = re.compile(r"\[([^\]\[]+)\]\(([^)\s]+)\)|:(?:doc|ref):`([^`<]*)<([^`>]+)>`")
ENDS = ("", ".md", ".rst", ".txt", "/README.md", "/index.md", "/_index.md")
BOUNDS = {"search p50 ms": 5.0, "more than a bare start, in starts": 3.0}
LEAST_WORDS = 4
"""Informative words that a query has, at least."""


def links(folder, files):
    """Yield (query, file that it leads to, file it stands in): a sentence around a link to another file."""
    known = set(files)
    seen = set()
    for name, text in files.items():
        for line in paragraphs(text):
            for sentence in re.split(r"(?<=[.!?])\s+", line):
                for found in LINK.finditer(sentence):
                    target = resolved(name, found[2] or found[4] or "", known)
                    query = plain(sentence.replace(found[0], " "))
                    if len(terms.informative(query)) < LEAST_WORDS:
                        query = plain(sentence)
                    if target and target != name and (query, target) not in seen:
                        seen.add((query, target))
                        if len(terms.informative(query)) >= LEAST_WORDS:
                            yield query, target, name


def paragraphs(text):
    return (" ".join(part.split()) for part in re.split(r"\n\s*\n|\n\s*[-*+|#]\s", text))


def resolved(name, target, known):
    path = target.partition("#")[0]
    if "://" in path or not path:
        return ""
    base = "" if path.startswith("/") else os.path.dirname(name)
    joined = os.path.normpath(os.path.join(base, path.lstrip("/")))
    return next((one for one in (joined, joined + ".md", joined + ".rst", joined + ".txt") if one in known), "")


def plain(text):
    shown = LINK.sub(lambda found: found[1] or found[3] or "", text)
    return " ".join(re.sub(r"[`*_|<>#]+", " ", shown).split())


def documents(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix in (".md", ".rst", ".txt") and path.is_file() and ".git" not in path.parts:
            try:
                found[str(path.relative_to(folder))] = path.read_text(encoding="utf-8")
            except (UnicodeDecodeError, OSError):
                continue
    return found


def words(query):
    told = re.findall(r"\w+", query)
    return [word for word in told if word.casefold() not in terms.STOP] or told


def by_fts(rows):
    """Return a search over (file, text) rows: quoted, OR-joined, porter, no stop words; a file by its best row."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE f USING fts5 (path UNINDEXED, text, tokenize = 'porter unicode61')")
    base.executemany("INSERT INTO f (path, text) VALUES (?, ?)", rows)

    def ask(query):
        match = " OR ".join(f'"{word}"' for word in words(query))
        sql = "SELECT path FROM f WHERE f MATCH ? ORDER BY rank LIMIT 200"
        return list(dict.fromkeys(row[0] for row in base.execute(sql, (match,))))[:11]

    return ask


def by_grep(files):
    low = {name: text.casefold() for name, text in files.items()}

    def ask(query):
        told = {word.casefold() for word in words(query)}
        scores = Counter({name: sum(word in text for word in told) for name, text in low.items()})
        return [name for name, count in scores.most_common(11) if count]

    return ask


def quality(folder, limit):
    """Print how well each way of searching finds what sentences with links lead to."""
    files = documents(folder)
    asked = list(links(folder, files))
    random.Random(4).shuffle(asked)
    asked = asked[:limit]
    with tempfile.TemporaryDirectory() as scratch:
        environ = {**os.environ, "XDG_DATA_HOME": scratch, "HOME": scratch}
        copy = os.path.join(scratch, "copy")
        for name, text in files.items():
            path = pathlib.Path(copy, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with Store(os.path.join(scratch, "bench.db"), environ, create=True) as store:
            begun = time.perf_counter()
            counts = indexing.run_index(copy, store)
            took = time.perf_counter() - begun
            sections = store.connection.execute("SELECT path, text FROM memory_fts").fetchall()
            ways = {
                "belay": lambda query: [hit.path for hit in search(store, query, k=11).results],
                "fts5, sections": by_fts(sections),
                "fts5, files": by_fts(files.items()),
                "grep": by_grep(files),
            }
            rows = [{"way": name, **measured(ask, asked)} for name, ask in ways.items()]
    told = {"files": len(files), "sections": len(sections), "queries": len(asked), "ways": rows}
    return {**told, "indexed": counts.indexed, "sections a second": round(len(sections) / took)}


def measured(ask, asked):
    ranks, took = [], []
    for query, target, source in asked:
        begun = time.perf_counter()
        found = ask(query)
        took.append((time.perf_counter() - begun) * 1000)
        found = [name for name in found if name != source][:10]  # where the sentence itself stands is no answer
        ranks.append(found.index(target) + 1 if target in found else 0)
    shares = {f"R@{k}": round(sum(0 < rank <= k for rank in ranks) / len(ranks), 3) for k in (1, 5, 10)}
    mean = sum(1 / rank for rank in ranks if rank) / len(ranks)
    return {**shares, "MRR": round(mean, 3), "ms": round(statistics.median(took), 2)}


def vocabulary(size=20000):
    """Return words, those of the table of word pieces where set-up made it, and how often each comes by Zipf's law."""
    if table := piece_table.load_table(os.environ):
        words = [piece[1:].decode() for piece in table.list_pieces() if piece[:1] == b" " and piece[1:].isalpha()]
        known = [word for word in words if len(word) > 1]
        return known, list(accumulate(1 / (rank + 3) for rank in range(len(known))))
    chance = random.Random(7)
    syllables = [a + b for a in "bcdfglmnprstv" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "ol")]
    found = {}
    while len(found) < size:
        found["".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3, 3, 4))))] = None
    return list(found), list(accumulate(1 / (rank + 3) for rank in range(size)))


def filled(store, count):
    """Put entries of 8 to 40 words into a base, as the ledger's fold would."""
    known, weights = vocabulary()
    chance = random.Random(11)
    rows = [
        (num, f"K-{num:06d}", chance.choice(("note", "gotcha", "decision")),
         " ".join(chance.choices(known, cum_weights=weights, k=chance.randint(8, 40))))
        for num in range(1, count + 1)
    ]  # fmt: skip
    stamp = "2026-01-01T00:00:00.000000Z"
    store.connection.execute("BEGIN")
    store.connection.executemany(
        "INSERT INTO entries (num, id, type, content, source, created, updated) "
        f"VALUES (?, ?, ?, ?, 'typed', '{stamp}', '{stamp}')",
        rows,
    )
    store.connection.executemany(
        "INSERT INTO files (entry_id, file_path) VALUES (?, ?)",
        [(name, f"src/part{num % 3000}.py") for num, name, *_ in rows],
    )
    for at in range(0, count, 5000):
        text_index.add_texts(
            store.connection,
            [
                text_index.IndexedText(num, f"src/part{num % 3000}.py", 1, 1, f"{kind} src/part{num % 3000}.py", text)
                for num, _, kind, text in rows[at : at + 5000]
            ],
        )
    meaning_rows.pack(store.connection, text_index.SECTIONS)
    store.connection.execute("COMMIT")
    return [" ".join(chance.choices(known, cum_weights=weights, k=chance.randint(3, 8))) for _ in range(300)]


def speed(count):
    """Print how long a search of a large base takes, in this process and as a command."""
    with tempfile.TemporaryDirectory() as scratch:
        environ = {**os.environ, "XDG_DATA_HOME": scratch, "BELAY_DATA": scratch, "HOME": scratch}
        copy_table(scratch)
        path = os.path.join(scratch, "bench.db")
        with open(os.path.join(scratch, "env"), "w", encoding="utf-8") as file:
            file.write(sys.executable + "\n")  # as the set-up leaves it for bin/workshop
        with Store(path, environ, create=True) as store:
            begun = time.perf_counter()
            queries = filled(store, count)
            took = time.perf_counter() - begun
            used = time.process_time()
            inside = [timed(lambda query=query: search(store, query)) for query in queries]
            used = (time.process_time() - used) / len(queries) * 1000
            by_meaning = search(store, queries[0]).used_vectors
        size = os.path.getsize(path)
        python = os.path.realpath(sys.executable)
        bare = [python, "-S", "-E", "-c", "pass"]
        call = [str(ROOT / "bin" / "workshop"), "--db", path, "search", "--json"]
        pairs = [
            (
                timed(lambda: run(bare, environ)),
                timed(lambda query=query: run([*call, *query.split()], environ)),
            )
            for query in queries[:41]
        ]
    bare_ms, call_ms = (statistics.median(column) for column in zip(*pairs, strict=True))
    inside.sort()
    return {
        "entries": count, "vectors": by_meaning, "built s": round(took, 1), "bytes an entry": round(size / count),
        "search p50 ms": round(statistics.median(inside), 2),
        "search p95 ms": round(inside[int(len(inside) * 0.95)], 2),
        "mean ms of the processor": round(used, 2),
        "bare start ms": round(bare_ms, 1), "command ms": round(call_ms, 1),
        "more than a bare start, in starts": round((call_ms - bare_ms) / bare_ms, 2),
    }  # fmt: skip


def copy_table(scratch):
    """Give the command the table of word pieces that this user has."""
    for path in piece_table.list_files(os.environ):
        if os.path.exists(path):
            os.makedirs(os.path.join(scratch, "belay"), exist_ok=True)
            shutil.copy2(path, os.path.join(scratch, "belay"))


def run(command, environ):
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)


def timed(call):
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


def main():
    parser = argparse.ArgumentParser(description="Measure what search finds and how long it takes.")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not given.folder and not given.speed:
        parser.error("name the folder of a checkout, or --speed")
    machine = Machine() if given.speed else None
    told = speed(given.entries) if given.speed else quality(given.folder, given.limit)
    words = {name: verdict(told[name], bound) for name, bound in BOUNDS.items()} if machine else {}
    if given.json:
        print(json.dumps(told))
    else:
        show(told, words)
    sys.exit(machine.close(list(words.values()), given.json) if machine else 0)


def show(told, words):
    for row in told.pop("ways", ()):
        print("  ".join(f"{key} {value}" for key, value in row.items()))
    print("  ".join(f"{key}: {value}" for key, value in told.items()))
    for name, word in words.items():
        print(f"{name} {told[name]} (bound {BOUNDS[name]:g})  {word}")


if __name__ == "__main__":
    main()
