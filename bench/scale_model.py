"""What an organisation's memory needs at a Qdrant server: a model, and the tables of docs/scale.md made from it.

Pure: what was measured (`bench/scale.py` writes bench/data/scale.json) goes in, rows come out. A test makes the tables
anew and compares them with the page, so no row of it is typed by hand.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

POINTS_OF_AN_ENTRY = 2
"""Assumption: for each entry there is one section of a document, as in the data that is measured."""
DIMS, FLOAT16 = 128, 2
OVERHEAD = 1.5
"""https://qdrant.tech/documentation/capacity-planning: vectors × dimension × bytes × 1.5, where all are in memory."""
REPLICAS, LEAST_NODES = 2, 3
"""https://qdrant.tech/documentation/guides/distributed_deployment: three or more nodes, two or more replicas."""
COPIES_OF_A_NODE = 4
"""Shards and replicas a node, of the 2 to 4 that Qdrant's own guide recommends
(https://skills.sh/qdrant/skills/qdrant-horizontal-scaling)."""
POINTS_OF_A_NODE = 100_000_000
"""The same guide: one machine is good up to about so many vectors."""
NODE_MEMORY, NODE_USED = 64 * 10**9, 0.8
"""Assumption: bytes of memory of a node, and the share of it that data may take."""
LINE = 100 * 10**6 / 8
"""Assumption: bytes a second between a person and the server (100 Mbit/s)."""
SIZES = (10**4, 10**5, 10**6, 10**7, 10**8, 10**9)
"""Entries of the extrapolation."""
MARK, END = "<!-- scale: {name}, written by bench/scale.py -->", "<!-- /scale -->"


class Cluster(NamedTuple):
    """What so many entries need."""

    entries: int
    points: int
    disk: float
    disk_copies: float
    memory: float
    nodes: int
    shards: int


def plan_cluster(entries: int, measured: dict[str, Any]) -> Cluster:
    """Return the machines for so many entries; a point adds as much as it added between the sizes that were measured.

    Memory: the vectors by Qdrant's formula, and what a point took that no file holds. Both grow with the points, and
    with each copy. Nodes: as many as the points, or the memory, need; shards: so many that a node has COPIES_OF_A_NODE.
    """
    points = entries * POINTS_OF_AN_ENTRY
    disk = points * find_slope(measured, "disk")
    copies = REPLICAS if points > POINTS_OF_A_NODE // 10 else 1
    memory = points * copies * (DIMS * FLOAT16 * OVERHEAD + find_slope(measured, "resident"))
    by_points = math.ceil(points * copies / POINTS_OF_A_NODE)
    by_memory = math.ceil(memory / (NODE_MEMORY * NODE_USED))
    nodes = max(by_points, by_memory, LEAST_NODES if copies > 1 else 1)
    shards = math.ceil(nodes * COPIES_OF_A_NODE / copies) if copies > 1 else 1
    return Cluster(entries, points, disk, disk * copies, memory, nodes, shards)


def predict_search(cluster: Cluster, measured: dict[str, Any], key: str = "search_p95") -> float:
    """Return milliseconds of a search where its shards work side by side: what was measured, grown as it grew.

    The growth from the first size to the last is carried on as a power of the points of one shard. The network, and
    waiting for the slowest shard, come on top.
    """
    large, power = measured["sizes"][-1], find_power(measured, "search_p50")
    return float(large[key] * (cluster.points / cluster.shards / large["points"]) ** power)


def find_power(measured: dict[str, Any], key: str) -> float:
    """Return the power of the points by which a time grew between the sizes, at least 0."""
    small, large = measured["sizes"][0], measured["sizes"][-1]
    return max(math.log(large[key] / small[key]) / math.log(large["points"] / small["points"]), 0.0)


def find_slope(measured: dict[str, Any], key: str) -> float:
    """Return what a point added between the sizes: what is there without any point does not count."""
    small, large = measured["sizes"][0], measured["sizes"][-1]
    return float(large[key] - small[key]) / float(large["points"] - small["points"])


def make_tables(measured: dict[str, Any]) -> dict[str, list[str]]:
    """Return the lines of each table of the page, by name."""
    return {
        "measured": _make_measured(measured),
        "bytes": _make_bytes(measured),
        "cluster": _make_cluster(measured),
        "sync": _make_sync(measured),
    }


def _make_measured(measured: dict[str, Any]) -> list[str]:
    sizes = measured["sizes"]
    rows = [
        ("entries and sections (points)", lambda size: f"{size['points']:,}"),
        ("people, projects", lambda size: f"{size['people']}, {size['projects']}"),
        ("vectors (sparse and dense)", lambda size: f"{size['vectors']:,}"),
        ("bytes on the disk, optimised", lambda size: show_bytes(size["disk"])),
        ("vectors that an index was built of", lambda size: f"{size['graph']:,}"),
        ("bytes of memory that no file holds", lambda size: show_bytes(size["resident"])),
        ("comparing what is here, a thousand points", lambda size: f"{size['draft']:.2f} s"),
        ("making the points here, a thousand", lambda size: f"{size['make']:.2f} s"),
        ("taking them in there, a thousand", lambda size: f"{size['upsert']:.2f} s"),
        ("search, median", lambda size: f"{size['search_p50']:.1f} ms"),
        ("search, 95 of 100", lambda size: f"{size['search_p95']:.1f} ms"),
        ("… by words alone, median", lambda size: f"{size['words_p50']:.1f} ms"),
        ("… by word pieces alone, median", lambda size: f"{size['pieces_p50']:.1f} ms"),
        ("… of one project, median", lambda size: f"{size['project_p50']:.1f} ms"),
        ("listing a project of 1,000 points, as each sync does", lambda size: f"{size['list']:.0f} ms"),
    ]
    lines = [_join([f"measured on {measured['date']}", *(show_count(size["points"]) for size in sizes)])]
    lines.append("|---|" + "---|" * len(sizes))
    return lines + [_join([name, *map(show, sizes)]) for name, show in rows]


def _join(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _make_bytes(measured: dict[str, Any]) -> list[str]:
    sizes = measured["sizes"]
    names = sorted(
        {name for size in sizes for name in size["parts"]}, key=lambda name: -sizes[-1]["parts"].get(name, 0)
    )
    lines = [
        _join(["bytes on the disk", *(show_count(size["points"]) for size in sizes)]),
        "|---|" + "---|" * len(sizes),
    ]
    lines += [_join([name, *(show_bytes(size["parts"].get(name, 0)) for size in sizes)]) for name in names]
    lines.append(_join(["together", *(show_bytes(size["disk"]) for size in sizes)]))
    added = [f"**what a point adds: {find_slope(measured, 'disk'):,.0f} bytes**"]
    return [*lines, _join([*added, *("" for _ in sizes)])]


def _make_cluster(measured: dict[str, Any]) -> list[str]:
    lines = [
        "| entries | points | disk, one copy | disk, all copies | memory, all copies | nodes | shards × copies "
        "| search, 95 of 100 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for entries in SIZES:
        one = plan_cluster(entries, measured)
        copies = round(one.disk_copies / one.disk)
        sizes = map(show_bytes, (one.disk, one.disk_copies, one.memory))
        shards = f"{one.shards} × {copies}"
        search = f"{predict_search(one, measured):,.0f} ms"
        lines.append(_join([show_count(entries), show_count(one.points), *sizes, str(one.nodes), shards, search]))
    return lines


def _make_sync(measured: dict[str, Any]) -> list[str]:
    largest = measured["sizes"][-1]
    sent, listed = largest["request"], largest["listed"]
    lines = ["| entries of a project | first sync: sent | time | a sync with nothing new: received | time |",
             "|---|---|---|---|---|"]  # fmt: skip
    for entries in (100, 1000, 10_000, 100_000):
        points = entries * POINTS_OF_AN_ENTRY
        first = points * (sent / LINE + (largest["make"] + largest["upsert"]) / 1000)
        again = points * (listed / LINE + largest["draft"] / 1000 + largest["list"] / 1000 / 1000)
        lines.append(
            f"| {entries:,} | {show_bytes(points * sent)} | {show_seconds(first)} "
            f"| {show_bytes(points * listed)} | {show_seconds(again)} |"
        )
    return lines


def show_count(number: int) -> str:
    """Return a round number as a power of ten."""
    power = len(str(number)) - 1
    first = number // 10**power
    digits = str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{digits}" if first == 1 else f"{first} · 10{digits}"


def show_bytes(count: float) -> str:
    """Return bytes with a unit of a thousand."""
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if count >= 100 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB" if count < 1000 else f"{count / 1000:.1f} PB"


def show_seconds(seconds: float) -> str:
    """Return seconds, or minutes."""
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def fill_page(page: str, measured: dict[str, Any]) -> str:
    """Return the page with its tables made anew; ValueError where it has no place for one."""
    for name, lines in make_tables(measured).items():
        mark = MARK.format(name=name)
        before, found, rest = page.partition(mark)
        _, end, after = rest.partition(END)
        if not found or not end:
            raise ValueError(f"the page has no place for the table {name}")
        page = before + "\n".join([mark, *lines, END]) + after
    return page
