"""Measure an organisation's memory on Qdrant's real engine in this process, and write docs/scale.md from it.

    .venv-extras/bin/python bench/scale.py [--points 10000 100000] [--write] [--json]
    python3 bench/scale.py --calculated

Ten people, each with projects of their own; half of the points are entries of one or two sentences, half are sections
of documents, all made of sentences of Belay's own pages, with names that occur once. Points and questions are made by
the code that `belay sync` and `belay search --shared` use, and go to qdrant-edge-py, the engine of Qdrant without its
network and its cluster. `--write` keeps the figures in bench/data/scale.json and fills the tables of docs/scale.md;
`--calculated` prints all tables from the figures that are kept. The table of word pieces is the one that set-up made
for you; without it nothing is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import scale_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "lib"), str(ROOT / "tests")]
from belay.core import clock
from belay.knowledge.search.sections import Section
from belay.knowledge.sync import points, question, shape
from belay.knowledge.sync.points import Draft, Point, Sender
from belay.knowledge.sync.question import Wanted
from belay.knowledge.vectors import encoding

DATA, PAGE = ROOT / "bench" / "data" / "scale.json", ROOT / "docs" / "scale.md"
PEOPLE, OF_A_PROJECT, AT_ONCE, QUESTIONS = 10, 1000, 1000, 200
PARTS = {
    "wal": "log of changes",
    "payload_storage": "what it says (payload)", "payload_index": "indexes of the payload",
    "vector_storage-pieces": "dense vectors",
    "vector_index-pieces": "graph of the dense vectors", "vector_storage-words": "sparse vectors",
    "vector_index-words": "index of the sparse vectors",
}  # fmt: skip


def main() -> None:
    """Measure, print the tables, and write them where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--calculated", action="store_true")
    parser.add_argument("--opened", metavar="FOLDER", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.opened:
        print(measure_opened(args.opened))
        return
    measured = json.loads(DATA.read_text()) if args.calculated else measure(sorted(args.points))
    if args.write:
        DATA.write_text(json.dumps(measured, indent=1) + "\n")
        PAGE.write_text(scale_model.fill_page(PAGE.read_text(), measured))
    if args.json:
        print(json.dumps(measured))
    else:
        for lines in scale_model.make_tables(measured).values():
            print("\n".join(lines), end="\n\n")


def measure(sizes: list[int]) -> dict[str, Any]:
    """Return what was measured at each size, each in a process of its own, so that memory can be told apart."""
    found = []
    for size in sizes:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            with os.fdopen(writing, "w") as file:
                json.dump(measure_size(size), file)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as file:
            found.append(json.load(file))
        os.waitpid(child, 0)
    import importlib.metadata

    engine = importlib.metadata.version("qdrant-edge-py")
    machine = (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, qdrant-edge-py {engine}"
    )
    return {"date": clock.local_date(), "machine": machine, "sizes": found}


def measure_size(count: int) -> dict[str, Any]:
    """Return what one size takes."""
    import qdrant_edge as edge
    from qdrantserver import make_request

    encoder = encoding.load_encoder(os.environ)
    if encoder is None:
        sys.exit("there is no table of word pieces: `belay setup` makes it")
    with tempfile.TemporaryDirectory() as place:
        shard = make_shard(os.path.join(place, "shard"), edge)
        drafted, made, taken, sizes, listed = 0.0, 0.0, 0.0, [], []
        for at in range(0, count, AT_ONCE):
            begun = time.perf_counter()
            drafts = draft_points(at, min(AT_ONCE, count - at), encoder)
            drafted += time.perf_counter() - begun
            block = [draft.make() for draft in drafts]
            made += time.perf_counter() - begun
            sizes += [len(json.dumps(make_request_row(point))) for point in block[:20]]
            listed += [len(json.dumps(make_listed_row(point))) for point in block[:20]]
            rows = [
                edge.Point(point.id, {"words": edge.SparseVector(point.indices, point.values),
                                      "pieces": list(map(float, point.pieces))}, point.payload)
                for point in block
            ]  # fmt: skip
            begun = time.perf_counter()
            shard.update(edge.UpdateOperation.upsert_points(rows))
            taken += time.perf_counter() - begun
        begun = time.perf_counter()
        shard.optimize()
        shard.flush()
        taken += time.perf_counter() - begun
        del block, rows
        questions = make_questions(QUESTIONS)
        times = {
            name: measure_questions(shard, make_request, questions, **more)
            for name, more in {
                "search": {}, "words": {"only": 0}, "pieces": {"only": 1}, "project": {"projects": [name_project(0)]},
            }.items()
        }  # fmt: skip
        parts, known, graph = measure_parts(pathlib.Path(place)), measure_list(shard, edge), shard.info()
        shard.close()
        return {
            "points": graph.points_count, "vectors": 2 * graph.points_count, "people": PEOPLE,
            "projects": max(1, count // OF_A_PROJECT), "disk": sum(parts.values()), "parts": parts,
            "graph": graph.indexed_vectors_count, "resident": measure_memory(os.path.join(place, "shard")),
            "draft": drafted / count * 1000, "make": made / count * 1000, "upsert": taken / count * 1000,
            "request": statistics.mean(sizes), "listed": statistics.mean(listed), "list": known,
            **{f"{name}_p50": statistics.median(found) for name, found in times.items()},
            "search_p95": statistics.quantiles(times["search"], n=20)[-1],
        }  # fmt: skip


def make_shard(path: str, edge: Any) -> Any:
    """Return an empty collection of the shape that `belay sync` makes (knowledge/sync/shape.py)."""
    os.makedirs(path)
    half = edge.VectorStorageDatatype.Float16
    dense = edge.EdgeVectorParams(encoding.DIMS, edge.Distance.Cosine, on_disk=True, datatype=half)
    config = edge.EdgeConfig(
        vectors={points.PIECES: dense},
        sparse_vectors={points.WORDS: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
    )
    shard = edge.EdgeShard.create(path, config)
    index = edge.UpdateOperation.create_field_index
    shard.update(index(shape.TENANT, edge.KeywordIndexParams(is_tenant=True)))
    shard.update(index(shape.TIME, edge.PayloadSchemaType.Datetime))
    for field in shape.KEYWORDS:
        shard.update(index(field, edge.PayloadSchemaType.Keyword))
    return shard


def name_project(number: int) -> str:
    return f"git.example.org/team/project-{number}"


def draft_points(first: int, count: int, encoder: Any) -> list[Draft]:
    """Return the drafts of points `first` and following: of one project and one person, half entries, half sections."""
    project = first // OF_A_PROJECT
    sender = Sender(name_project(project), f"Person {project % PEOPLE}", os.environ, encoder)
    return [draft_point(sender, number) for number in range(first, first + count)]


def draft_point(sender: Sender, number: int) -> Draft:
    chance = random.Random(number)
    day = f"20{24 + number % 3}-{1 + number % 12:02}-{1 + number % 28:02}T10:00:00.000Z"
    if number % 2:
        text = " ".join(chance.choices(SENTENCES, k=6))
        section = Section(f"docs/page-{number % 97}.md", number, number + 9, f"Case {number}", text, day)
        return points.draft_section(sender, section)
    kind = ("decision", "gotcha", "note", "finding")[number // 2 % 4]
    text = f"{chance.choice(SENTENCES)} case{number}"
    reason = chance.choice(SENTENCES) if number % 3 else ""
    return points.draft_entry(
        sender,
        {"id": f"K-{number}", "type": kind, "content": text, "reasoning": reason,
         "files": [f"src/part{number % 50}.py"], "branch": "main", "source": "manual", "created": day, "updated": day},
    )  # fmt: skip


def read_sentences() -> list[str]:
    """Return the sentences of Belay's own pages, 40 to 300 characters each."""
    text = " ".join(path.read_text() for path in sorted((ROOT / "docs").glob("*.md")) if path != PAGE)
    plain = re.sub(r"[`*|#\[\]]|\(\S+\)", " ", re.sub(r"```.*?```", " ", text, flags=re.DOTALL))
    found = [" ".join(part.split()) for part in re.split(r"(?<=[.!?])\s+", plain)]
    return [sentence for sentence in found if 40 <= len(sentence) <= 300]


SENTENCES = read_sentences()


def make_questions(count: int) -> list[str]:
    """Return questions of three words that stand in one sentence."""
    chance = random.Random(1)
    words = [
        [word for word in chance.choice(SENTENCES).split() if word.isalpha() and len(word) > 4]
        for _ in range(count * 4)
    ]
    asked = [" ".join(chance.sample(row, 3)) for row in words if len(row) > 2]
    return [text for text in asked if len(question.make_question(Wanted(text), os.environ).get("prefetch", ())) == 2][
        :count
    ]


def measure_questions(shard: Any, make_request: Any, questions: list[str], only: int = -1, **more: Any) -> list[float]:
    """Return milliseconds of each question, from its words to the server's points; `only` one of the two searches."""
    times = []
    for text in [questions[0], *questions]:
        begun = time.perf_counter()
        body = question.make_question(Wanted(text, **more), os.environ)
        if only >= 0:
            body["prefetch"] = body["prefetch"][only : only + 1]
        shard.query(make_request(body))
        times.append((time.perf_counter() - begun) * 1000)
    return times[1:]


def measure_list(shard: Any, edge: Any) -> float:
    """Return milliseconds to list what is known of a project of OF_A_PROJECT points."""
    match = edge.FieldCondition(shape.TENANT, match=edge.MatchValue(name_project(1)))
    request = edge.ScrollRequest(
        limit=OF_A_PROJECT, filter=edge.Filter(must=[match]), with_payload=["hash", "by", "table"], with_vector=False
    )
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        rows, _ = shard.scroll(request)
        times.append((time.perf_counter() - begun) * 1000)
    assert len(rows) == OF_A_PROJECT
    return statistics.median(times)


def measure_parts(place: pathlib.Path) -> dict[str, int]:
    """Return bytes on the disk by what they are for; holes in files are not counted."""
    parts: dict[str, int] = {}
    for path in place.rglob("*"):
        if path.is_file():
            folders = set(path.relative_to(place).parts)
            name = next((label for part, label in PARTS.items() if part in folders), "ids and the rest")
            parts[name] = parts.get(name, 0) + path.stat().st_blocks * 512
    return parts


def measure_memory(path: str) -> int:
    """Return the bytes of memory that the collection takes in a process that only opens and searches it."""
    command = [sys.executable, os.path.abspath(__file__), "--opened", path]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure_opened(path: str) -> int:
    """Return what memory grew by, from before a collection is opened to after it was searched."""
    import qdrant_edge as edge
    from qdrantserver import make_request

    questions = make_questions(QUESTIONS)
    before = read_resident()
    shard = edge.EdgeShard.load(path)
    measure_questions(shard, make_request, questions)
    return max(read_resident() - before, 0)


def read_resident() -> int:
    """Return the bytes of memory that this process has and that no file holds: what the system cannot drop."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) * 1024


def make_request_row(point: Point) -> dict[str, Any]:
    """Return a point as it is sent."""
    words = {"indices": point.indices, "values": point.values}
    return {
        "id": point.id,
        "payload": point.payload,
        "vector": {"words": words, "pieces": list(map(float, point.pieces))},
    }


def make_listed_row(point: Point) -> dict[str, Any]:
    """Return a point as a sync lists it."""
    return {"id": point.id, "payload": {key: point.payload[key] for key in ("hash", "by", "table")}}  # type: ignore[literal-required]


if __name__ == "__main__":
    main()
