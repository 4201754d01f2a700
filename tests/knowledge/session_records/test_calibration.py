"""Calibration: numbers computed by hand, when it speaks, and the block in `.breadcrumbs.yaml`."""

import os

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ratings import OVERSURE, pair, put, reflex
from repos import git

from belay.knowledge.session_records import breadcrumbs_file, calibration
from belay.repository import projects
from belay.session.work import preflight


def rate(sessions):
    rows = [(f"s{number}", row) for number, rows in enumerate(sessions) for row in rows]
    return calibration.rate_sessions(rows)


def test_the_numbers_are_those_computed_by_hand():
    found = calibration.compute(rate(OVERSURE))

    assert found.sessions == 5
    assert found.stated == pytest.approx(0.8)
    assert found.achieved == pytest.approx(0.5)
    assert found.bias == pytest.approx(0.3)
    assert found.brier == pytest.approx(0.342)
    assert found.z == pytest.approx(1.7437, abs=1e-4)
    assert (found.is_clear, found.correction, calibration.describe(found)) == (False, 0.0, "")


def test_a_clear_bias_is_told_in_one_line():
    """Five times 0.9, reached 1 0 0 0.5 0: sums 4.5 and 1.5, variance 5 x 0.09, so z = 3 / 0.6708 = 4.472."""
    found = calibration.compute(rate([pair(0.9, one) for one in ("done", "failed", "failed", "partly", "failed")]))
    line = calibration.describe(found)

    assert found.z == pytest.approx(4.4721, abs=1e-4)
    assert found.correction == pytest.approx(-0.6)
    assert found.correct(0.9) == pytest.approx(0.3)
    assert found.correct(0.5) == 0.0
    assert "\n" not in line
    assert "over 5 rated sessions the stated confidence was 0.90 on average, the outcome 0.30" in line
    assert line.endswith("state about 0.60 less.")


def test_too_little_confidence_is_told_too():
    found = calibration.compute(rate([pair(0.2, "done")] * 5))

    assert calibration.describe(found).endswith("state about 0.80 more.")


@pytest.mark.parametrize(
    ("sessions", "why"),
    [
        ([pair(0.9, "failed")] * 4, "four sessions"),
        ([pair(0.9, "done")] * 5, "5 of 5 at 0.9 happens in 59 % of all cases"),
        ([pair(0.93, "done")] * 40, "a bias below a tenth"),
        ([pair(0.5, "partly")] * 9, "no bias"),
    ],
)
def test_what_says_nothing_is_not_told(sessions, why):
    assert calibration.describe(calibration.compute(rate(sessions))) == "", why


def test_a_confidence_of_one_that_fails_is_no_division_by_zero():
    assert calibration.compute(rate([pair(1.0, "failed")] * 5)).is_clear


def test_only_what_was_stated_on_both_sides_is_rated():
    sessions = [
        [reflex("preflight", 0.9)],
        [reflex("preflight"), reflex("postflight", outcome="done")],
        [reflex("postflight", outcome="done")],
        [reflex("preflight", 0.9), reflex("postflight")],
        [
            reflex("preflight", 0.9),
            reflex("preflight", 0.4),
            reflex("check", 0.1),
            reflex("postflight", outcome="done"),
        ],
        [*pair(0.9, "failed"), *pair(0.5, "done")],
    ]

    assert rate(sessions) == [(0.4, 1.0), (0.7, 0.5)]


def test_an_inferred_outcome_of_the_base_is_not_rated(project):
    inferred = [reflex("preflight", 0.9), reflex("postflight", outcome="done", stated=False)]

    assert put(project, [inferred] * 9) is None
    assert put(project, OVERSURE).sessions == 5


def test_the_block_holds_the_numbers_and_leaves_the_rest(project, repo):
    path = repo / ".breadcrumbs.yaml"
    path.write_bytes(b"mine: [1, 2]  # keep\r\n")
    found = put(project, OVERSURE)
    assert breadcrumbs_file.update(project, os.environ, found)
    assert not breadcrumbs_file.update(project, os.environ, found)
    held = yaml.safe_load(path.read_text())

    assert path.read_bytes().startswith(b"mine: [1, 2]  # keep\r\n# >>> belay >>>\n")
    assert held["mine"] == [1, 2]
    assert held["belay"] == {
        "calibration": {
            "sessions": 5, "mean_stated": 0.8, "mean_achieved": 0.5, "bias": 0.3, "brier": 0.342, "clear": False,
        },
        "bias_correction": 0.0,
    }  # fmt: skip
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""
    assert breadcrumbs_file.remove(project)
    assert path.read_bytes() == b"mine: [1, 2]  # keep\r\n"


def test_a_file_of_ours_alone_goes_with_its_block(project, repo):
    found = put(project, OVERSURE)
    breadcrumbs_file.update(project, os.environ, found)
    assert breadcrumbs_file.update(project, os.environ, None)

    assert not (repo / ".breadcrumbs.yaml").exists()
    assert not breadcrumbs_file.remove(project)


@pytest.mark.parametrize("what", ["link", "folder", "tracked", "not text"])
def test_a_file_that_is_not_to_be_touched(project, repo, tmp_path, what):
    path, other = repo / ".breadcrumbs.yaml", tmp_path / "other"
    other.write_text("theirs\n")
    if what == "link":
        path.symlink_to(other)
    elif what == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"theirs\n" if what == "tracked" else b"\xff\x00\n")
    if what == "tracked":
        git(repo, "add", "-f", ".breadcrumbs.yaml")
    before = other.read_bytes(), path.lstat().st_mtime_ns

    assert not breadcrumbs_file.update(project, os.environ, put(project, OVERSURE))
    assert (other.read_bytes(), path.lstat().st_mtime_ns) == before


def test_all_work_trees_share_the_file_of_the_main_checkout(project, repo, tmp_path):
    git(repo, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    side = projects.find(str(tmp_path / "side"), os.environ)

    assert breadcrumbs_file.update(side, os.environ, put(project, OVERSURE))
    assert (repo / ".breadcrumbs.yaml").exists()
    assert not (tmp_path / "side" / ".breadcrumbs.yaml").exists()
    assert git(repo, "status", "--porcelain", "--untracked-files=all") == ""


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(sorted(preflight.ACHIEVED.values()))), min_size=5, max_size=40)
)
def test_the_numbers_stay_within_their_bounds(rated):
    found = calibration.compute(rated)

    assert -1 <= found.bias <= 1
    assert 0 <= found.brier <= 1
    assert all(0 <= found.correct(one) <= 1 for one, _ in rated)
    assert found.correct(0.5) == 0.5 or found.is_clear
