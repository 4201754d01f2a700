"""docs/scale.md has no row that a script did not write, and the model says what its assumptions say."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from belay.knowledge.vectors import encoding

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "scale.md"


@pytest.fixture(scope="module")
def model():
    spec = importlib.util.spec_from_file_location("scale_model", ROOT / "bench" / "scale_model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def measured():
    return json.loads((ROOT / "bench" / "data" / "scale.json").read_text())


def test_every_row_of_the_page_is_made_from_the_figures_that_are_kept(model, measured):
    page = PAGE.read_text()
    assert model.fill_page(page, measured) == page
    made = [line for lines in model.make_tables(measured).values() for line in lines]
    assert sorted(line for line in page.split("\n") if line.startswith("|")) == sorted(made)
    assert len(made) > 30


def test_a_row_that_somebody_changed_is_written_again(model, measured):
    page = PAGE.read_text()
    (row,) = [line for line in page.split("\n") if line.startswith("| 10⁹ |")]
    assert model.fill_page(page.replace(row, "| 10⁹ | cheap |"), measured) == page
    with pytest.raises(ValueError, match="no place for the table"):
        model.fill_page("nothing", measured)


def test_the_measurement_is_of_both_sizes_and_of_ten_people(measured):
    assert [(size["points"], size["vectors"], size["people"]) for size in measured["sizes"]] == [
        (10_000, 20_000, 10), (100_000, 200_000, 10),
    ]  # fmt: skip
    for size in measured["sizes"]:
        assert size["disk"] == sum(size["parts"].values())
        assert 0 < size["search_p50"] <= size["search_p95"]


SMALL = {"points": 1000, "disk": 3_000_000, "resident": 1_000_000, "search_p50": 1.0, "search_p95": 2.0}
LARGE = {"points": 11_000, "disk": 23_000_000, "resident": 11_000_000, "search_p50": 11.0, "search_p95": 30.0}


def plan(model, entries):
    return model.plan_cluster(entries, {"sizes": [SMALL, LARGE]})


def test_a_point_costs_what_it_added_and_a_copy_costs_it_again(model):
    one = plan(model, 1_000_000)
    assert (one.points, one.disk, one.disk_copies) == (2_000_000, 4e9, 4e9)
    assert one.memory == 2_000_000 * (encoding.DIMS * 2 * 1.5 + 1000)
    assert (one.nodes, one.shards) == (1, 1)
    many = plan(model, 10_000_000)
    assert (many.disk, many.disk_copies, many.nodes, many.shards) == (40e9, 80e9, 3, 6)


def test_nodes_follow_memory_and_points_whichever_needs_more(model):
    by_memory = plan(model, 10**9)
    assert by_memory.nodes == -(-4_000_000_000 * 1384 // (64 * 10**9 * 8 // 10))
    light = {**LARGE, "resident": SMALL["resident"]}
    by_points = model.plan_cluster(10**9, {"sizes": [SMALL, light]})
    assert (by_points.nodes, by_points.shards) == (40, 80)


def test_a_search_grows_with_the_points_of_a_shard(model):
    """Between the sizes the median grew as the points did, so it does further on."""
    figures = {"sizes": [SMALL, LARGE]}
    assert model.find_power(figures, "search_p50") == pytest.approx(1.0)
    assert model.predict_search(plan(model, 1_000_000), figures) == pytest.approx(30.0 * 2_000_000 / 11_000)
    flat = {"sizes": [{**SMALL, "search_p50": 12.0}, LARGE]}
    assert model.predict_search(plan(model, 10**9), flat) == 30.0


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 KB"), (481_000, "481 KB"), (5.1e12, "5.1 TB"), (2e15, "2.0 PB")],
)
def test_bytes_are_shown_with_their_unit(model, count, shown):
    assert model.show_bytes(count) == shown


def test_counts_are_shown_as_powers(model):
    assert [model.show_count(number) for number in (10_000, 2 * 10**9)] == ["10⁴", "2 · 10⁹"]


def test_the_model_has_the_vectors_that_are_sent(model):
    assert (model.DIMS, model.FLOAT16) == (encoding.DIMS, 2)


def test_the_calculated_tables_are_printed_without_the_engine():
    command = [sys.executable, ROOT / "bench" / "scale.py", "--calculated"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert set(filter(None, done.stdout.split("\n"))) <= set(PAGE.read_text().split("\n"))
