"""The verdict of the benches: what was slow once is measured again, and a report never fails."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def verdict():
    spec = importlib.util.spec_from_file_location("bench_verdict", ROOT / "bench" / "verdict.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measuring(verdict, *runs):
    """Return a bench of two cases with a bound of 2 that finds `runs` one after the other, and the runs that are left."""
    left = list(runs)

    def measure():
        pair = left.pop(0)
        return [{"case": name, "ratio": ratio, "verdict": verdict.verdict(ratio, 2)} for name, ratio in pair.items()]

    return measure, left


def confirmed(verdict, *runs):
    measure, left = measuring(verdict, *runs)
    return verdict.confirm(measure, lambda row: f"{row['ratio']:.1f}"), len(runs) - len(left)


def test_what_keeps_its_bound_is_measured_once(verdict):
    rows, runs = confirmed(verdict, {"a": 1.0, "b": 2.0})

    assert runs == 1
    assert [verdict.state(row) for row in rows] == ["ok", "ok"]


def test_one_slow_measurement_is_no_verdict(verdict):
    rows, runs = confirmed(verdict, {"a": 2.5, "b": 1.0}, {"a": 1.9, "b": 9.0})

    assert runs == 2
    assert [verdict.state(row) for row in rows] == ["ok (measured: 2.5, 1.9)", "ok"]


def test_over_is_what_was_over_three_times(verdict):
    rows, runs = confirmed(verdict, {"a": 2.5, "b": 3.0}, {"a": 2.4, "b": 2.1}, {"a": 2.6, "b": 1.5})

    assert runs == 3
    assert [verdict.state(row) for row in rows] == ["OVER (measured: 2.5, 2.4, 2.6)", "ok (measured: 3.0, 2.1, 1.5)"]


def test_a_case_without_a_bound_is_never_measured_again(verdict):
    rows = verdict.confirm(lambda: [{"verdict": verdict.verdict(99.0, None)}], str)

    assert [verdict.state(row) for row in rows] == [""]


@pytest.mark.parametrize(
    ("busy", "report", "status"),
    [(0.0, False, 1), (0.0, True, 0), (9.0, False, 0)],
    ids=["quiet machine", "report", "busy machine"],
)
def test_only_a_quiet_machine_without_report_fails(verdict, monkeypatch, capsys, busy, report, status):
    monkeypatch.setattr(verdict, "_busy", lambda: busy)
    machine = verdict.Machine()
    machine.times = [0.01] * verdict.LEAST_RUNS

    assert machine.close(["ok", "OVER", ""], report=report) == status
    assert machine.close(["ok", "ok", ""], report=report) == 0
    assert "1 of 2 figures keep their bound" in capsys.readouterr().out


def test_make_test_lets_no_time_fail_it():
    environ = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    found = subprocess.run(
        ["make", "-n", "test"], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    ).stdout
    benches = re.findall(r"(?<=python )bench/\w+\.py.*", found)

    assert benches == ["bench/latency.py --report"]


def test_a_case_over_its_bound_ends_the_bench_only_without_report():
    """The bound of a case of a scratch copy is made impossible to keep."""
    code = (
        "import sys; sys.path.insert(0, 'bench'); import hostile, verdict\n"
        "verdict._busy = lambda: 0.0; verdict.SPREAD = 1e9\n"
        "hostile.REPEATED, hostile.PAGES, hostile.MANIFESTS = (), {}, {}\n"
        "hostile.project_cases = lambda folder: iter(())\n"
        "made = hostile.texts\n"
        "hostile.texts = lambda: (case._replace(bound=0.0) for case in made())\n"
        "hostile.main()"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code, "--only", "number without", *more], cwd=ROOT, capture_output=True,
                       text=True, timeout=60, check=False)
        for more in ([], ["--report"])
    ]  # fmt: skip

    assert [run.returncode for run in runs] == [1, 0], runs
    for run in runs:
        assert re.search(r"OVER \(measured: [\d.]+ ms, [\d.]+ ms, [\d.]+ ms\)", run.stdout), run


def test_a_case_that_does_not_end_is_over_and_ends():
    code = (
        "import sys, time; sys.path.insert(0, 'bench'); import hostile; hostile.LIMIT = 0.2\n"
        "hostile.texts = lambda: iter([hostile.Case('endless', lambda n: lambda: time.sleep(60), 10, 1.0)])\n"
        "hostile.project_cases = lambda folder: iter(())\n"
        "sys.argv = ['hostile', '--report']; hostile.main()"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True)

    assert "OVER (measured: not done after 0.2 s" in run.stdout, run


def test_every_hostile_case_runs_at_a_tiny_size(tmp_path):
    """A case whose call no longer fits the code fails here, on every machine, not only where the bench runs."""
    code = (
        "import sys; sys.path.insert(0, 'bench'); import hostile, pathlib\n"
        "base = pathlib.Path(sys.argv[1]); hostile._git(base, 'init', '-q')\n"
        "cases = [*hostile.texts(), *hostile.project_cases(base)]\n"
        "for case in cases: case.make(40)()\n"
        "print(len(cases))"
    )
    folder = tmp_path / "project"
    folder.mkdir()
    environ = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "BELAY_SETUP": "off"}
    run = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120
    )

    assert run.returncode == 0, run.stderr
    assert int(run.stdout.splitlines()[-1]) > 30


@pytest.fixture(scope="module")
def projects():
    sys.path.insert(0, str(ROOT / "bench"))
    import projects

    yield projects
    sys.path.remove(str(ROOT / "bench"))


def test_the_written_projects_are_many_and_complete(projects):
    written = projects.load_projects()
    asked = [question for project in written for question in project.asked]
    keys = [entry.key for project in written for entry in project.entries]
    counts = {kind: sum(question.kind == kind for question in asked) for kind in "QWPO"}

    assert len(set(keys)) == len(keys) >= 150
    assert (counts["Q"] >= 120, counts["Q"] + counts["W"] >= 200, counts["P"] >= 120, counts["O"] >= 120) == (True,) * 4
    assert len({project.language for project in written}) >= 6
    assert {question.text for question in asked if question.kind != "O" and not question.keys <= {*keys}} == set()
    assert [question.text for question in asked if (question.kind == "O") != (not question.keys)] == []


def test_each_written_project_is_in_one_half(projects):
    halves = {half: {project.name for project in projects.load_projects(half)} for half in projects.HALVES}

    assert halves["tune"] & halves["held"] == set()
    assert len(halves["tune"] | halves["held"]) == len(projects.load_projects())


def test_the_bench_of_questions_finds_what_has_the_entrys_words():
    bench = [sys.executable, str(ROOT / "bench" / "questions.py"), "--json"]
    told = json.loads(subprocess.run(bench, capture_output=True, text=True, timeout=60, check=True).stdout)

    assert told["tune: own words"]["hit@5"] >= 0.9
    assert 0 < told["held: all"]["hit@1"] <= told["held: all"]["hit@5"] <= 1
    parts = told["held: paraphrases"], told["held: own words"]
    assert told["held: all"]["questions"] == sum(part["questions"] for part in parts)


def test_natural_prompts_bring_their_entry_and_ordinary_ones_none():
    """The floors of recall, on the half by which nothing was chosen and without the table of word pieces."""
    bench = [sys.executable, str(ROOT / "bench" / "recall.py"), "--half", "held"]
    first = subprocess.run(bench, capture_output=True, text=True, timeout=120, check=True).stdout.splitlines()[0]
    hits, own, others = (int(part) / int(whole) for part, whole in re.findall(r"(\d+) of (\d+) \(", first))

    assert first.startswith("held, new project: ")
    assert hits >= 0.5
    assert own <= 0.08
    assert others <= 0.01
