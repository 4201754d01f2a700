"""Time the index of a folder of documents: sections a second, a run in which nothing changed, a kill in the middle.

    python3 bench/index.py DIR [--copies 1] [--kills 0] [--json]

DIR may be any folder, such as the documents of a public repository; `--copies` indexes it so many times over, below
one folder, `--kills` ends as many runs with -9 after two seconds each before one goes on to the end. Seconds of the
processor are printed beside those of the clock: a busy machine has fewer of the former. Bound: 2,000 sections a second,
vectors included where set-up made the table of word pieces.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from verdict import Machine, verdict

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "lib"))
from belay.knowledge.documents import documents, indexer
from belay.knowledge.store.store import Store
from belay.knowledge.vectors import piece_table

BOUND = 2000.0
KILL_SECONDS = 2.0


def main() -> None:
    """Run the benchmark and print what it found; exit 1 below the bound on a quiet machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    machine = Machine()
    with tempfile.TemporaryDirectory() as place:
        found = measured(pathlib.Path(place), args.folder, args.copies, args.kills)
    found["python"], found["machine"] = (
        platform.python_version(),
        f"{os.cpu_count()} cores, {platform.machine()}",
    )
    word = verdict(found["sections a second of the processor"], BOUND, least=True)
    found["verdict"] = f"at least {BOUND:,.0f} sections a second of the processor: {word}"
    print(json.dumps(found) if args.json else "\n".join(f"{name}: {value}" for name, value in found.items()))
    sys.exit(machine.close([word], args.json))


def measured(place: pathlib.Path, folder: str, copies: int, kills: int) -> dict[str, Any]:
    (place / "data" / "belay").mkdir(parents=True)
    for path in filter(os.path.exists, piece_table.list_files(os.environ)):
        shutil.copy2(path, place / "data" / "belay")
    os.environ["XDG_DATA_HOME"] = str(place / "data")
    for at in range(copies):
        shutil.copytree(folder, place / "docs" / str(at), symlinks=True, ignore=shutil.ignore_patterns(".git"))
    past = time.time() - 3600
    for path in (place / "docs").rglob("*"):
        os.utime(path, (past, past), follow_symlinks=False)
    base, docs = str(place / "x.db"), str(place / "docs")
    killed = [kill(base, docs) for _ in range(kills)]
    with Store(base, os.environ, create=True) as store:
        clock, used = time.perf_counter(), time.process_time()
        counts = indexer.run_index(docs, store)
        clock, used = time.perf_counter() - clock, time.process_time() - used
        again = time.perf_counter()
        indexer.run_index(docs, store)
        again = time.perf_counter() - again
        (sections,) = store.connection.execute("SELECT count(*) FROM sections").fetchone()
        (vectors,) = store.connection.execute("SELECT count(*) FROM memory_meanings").fetchone()
        files = len(documents.load_stamps(store.connection))
    return {
        "files": files, "sections": sections, "vectors": vectors, "files after each kill": killed,
        "sections of the last run": counts.sections,
        "seconds": round(clock, 2), "sections a second": round(counts.sections / clock),
        "seconds of the processor": round(used, 2), "sections a second of the processor": round(counts.sections / used),
        "seconds when nothing changed": round(again, 3),
        "bytes of the base for each section": round(os.path.getsize(base) / max(1, sections)),
    }  # fmt: skip


def kill(base: str, docs: str) -> int:
    """Start a run, end it with -9, and return how many files stand in the base then."""
    code = "import sys; from belay.cli.main import main; sys.argv[0] = 'workshop'; main()"
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "lib")}
    started = subprocess.Popen([sys.executable, "-c", code, "--db", base, "index", docs], env=environ)
    time.sleep(KILL_SECONDS)
    started.send_signal(signal.SIGKILL)
    started.wait()
    if not os.path.exists(base):
        return 0
    with Store(base, os.environ) as store:
        assert store.connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        return len(documents.load_stamps(store.connection))


main()
