"""Where the figure comes from, and what is learned of the limit."""

import json
import os
import time

import pytest
import transcripts as lines

from belay.budget import learned_limits, measurement, usage
from belay.client.event import parse_event
from belay.core import paths
from belay.session.session import Session

MODEL = "claude-opus-4-6"
ONE_MILLION = f"{MODEL}[1m]"


def stamp(ago=0.0):
    moment = time.time() - ago
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment % 1 * 1000):03d}Z"


def put(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(value, file)


def mirrored(tokens, ago=0.0, name="s", window=1_000_000, model=ONE_MILLION):
    told = {"session": name, "moment": time.time() - ago, "model": model, "tokens": tokens, "window": window}
    put(paths.mirror(os.environ, name), told)


@pytest.fixture
def transcript(tmp_path):
    def make(*entries):
        return lines.write(tmp_path / "t.jsonl", entries)

    return make


def gauge(path, root=""):
    return measurement.measure_transcript(os.environ, "s", path, root)


def test_without_any_source_nothing_is_known(tmp_path):
    assert gauge(str(tmp_path / "none")) is None
    assert gauge("") is None


def test_the_transcript_alone(transcript):
    found = gauge(transcript(lines.answer(83_500, model=MODEL, time=stamp(30))))

    assert (found.used, found.limit, found.percent, found.source) == (83_500, 167_000, 50.0, "transcript")
    assert 28 < found.age < 40


def test_a_fresh_mirror_comes_before_the_transcript(transcript):
    path = transcript(lines.answer(83_500, model=MODEL, time=stamp(30)))
    mirrored(90_000, ago=5)
    found = gauge(path)

    assert (found.used, found.window, found.source) == (90_000, 1_000_000, "statusline")


def test_a_mirror_older_than_the_last_answer_tells_only_the_window(transcript):
    path = transcript(lines.answer(83_500, model=MODEL, time=stamp(5)))
    mirrored(20_000, ago=30)
    found = gauge(path)

    assert (found.used, found.limit, found.source) == (83_500, 1_000_000, "transcript")


@pytest.mark.parametrize("kept", [{"ago": 61}, {"name": "other"}])
def test_a_mirror_too_old_or_of_another_session_is_no_figure(transcript, kept):
    path = transcript(lines.answer(83_500, model=MODEL, time=stamp(300)))
    mirrored(20_000, **kept)
    if "name" in kept:
        os.rename(paths.mirror(os.environ, "other"), paths.mirror(os.environ, "s"))

    assert gauge(path).used == 83_500


def test_a_figure_from_before_the_compaction_is_none(transcript):
    path = transcript(lines.answer(160_000, model=MODEL, time=stamp(50)), lines.boundary(167_000, time=stamp(5)))
    mirrored(160_000, ago=20)

    assert gauge(path) is None


def test_a_mirror_of_another_model_says_nothing_of_the_window(transcript):
    path = transcript(lines.answer(50_000, model="claude-haiku-4-5", time=stamp(5)))
    mirrored(20_000, ago=30)

    assert gauge(path).window == 200_000


def test_the_module_comes_first(transcript):
    path = transcript(lines.answer(83_500, model=MODEL, time=stamp(30)))
    mirrored(90_000)
    put(paths.sidecar(os.environ, "s"), {"tokens": 95_000, "window": 1_000_000, "percent": 10})
    found = gauge(path)

    assert (found.used, found.model, found.source) == (95_000, MODEL, "module")


def test_the_module_of_the_last_turn_gives_way_to_this_turn(transcript):
    put(paths.sidecar(os.environ, "s"), {"tokens": 95_000, "window": 1_000_000, "percent": 10})
    os.utime(paths.sidecar(os.environ, "s"), (time.time() - 60,) * 2)
    found = gauge(transcript(lines.answer(120_000, model=MODEL, time=stamp(1))))

    assert (found.used, found.window, found.source) == (120_000, 1_000_000, "transcript")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"tokens":"x","window":null}', "\x00", '{"tokens":-1}'])
def test_damaged_sources_are_passed_over(transcript, text):
    for path in (
        paths.sidecar(os.environ, "s"),
        paths.mirror(os.environ, "s"),
        paths.limits_file(os.environ),
    ):
        put(path, {})
        with open(path, "w") as file:
            file.write(text)

    assert gauge(transcript(lines.answer(83_500, model=MODEL))).used == 83_500


def test_settings_of_user_and_project(home, repo, transcript):
    put(home / ".claude" / "settings.json", {"autoCompactWindow": 150_000})
    path = transcript(lines.answer(60_000, model=MODEL))
    user = gauge(path, str(repo)).limit
    put(repo / ".claude" / "settings.local.json", {"autoCompactWindow": 120_000})
    nearer = gauge(path, str(repo)).limit
    put(repo / ".claude" / "settings.json", {"autoCompactEnabled": False})

    assert (user, nearer, gauge(path, str(repo)).limit) == (150_000, 120_000, 200_000)


def test_compaction_switched_off_in_the_clients_own_state(home, transcript):
    put(home / ".claude" / ".claude.json", {"autoCompactEnabled": False})

    assert gauge(transcript(lines.answer(60_000, model=MODEL))).limit == 200_000


def test_an_observed_compaction_becomes_the_limit(transcript):
    path = transcript(lines.answer(150_000, model=MODEL), lines.boundary(155_500), lines.answer(20_000, model=MODEL))

    assert [
        measurement.learn_compaction(os.environ, path),
        measurement.learn_compaction(os.environ, path),
    ] == [True, False]
    assert gauge(path).limit == 155_500


def test_a_manual_compaction_teaches_nothing(transcript):
    path = transcript(lines.answer(40_000, model=MODEL), lines.boundary(41_000, "manual"))

    assert measurement.learn_compaction(os.environ, path) is False
    assert learned_limits.load_limits(os.environ, MODEL) == (0, 0)


def test_a_size_that_went_through_is_remembered_until_a_compaction_tells_otherwise(transcript):
    assert gauge(transcript(lines.answer(230_000, model=MODEL))).window == 1_000_000
    assert gauge(transcript(lines.answer(20_000, model=MODEL))).window == 1_000_000

    learned_limits.record_compaction(os.environ, MODEL, 168_000)
    assert gauge(transcript(lines.answer(20_000, model=MODEL))).limit == 168_000


def test_the_smallest_of_the_last_compactions_counts():
    for size in (140_000, 168_000, 167_500, 190_000):
        learned_limits.record_compaction(os.environ, MODEL, size)

    assert learned_limits.load_limits(os.environ, MODEL) == (167_500, 0)


def test_what_is_learned_under_a_setting_holds_only_there():
    learned_limits.record_compaction({**os.environ, "CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}, MODEL, 68_000)

    assert learned_limits.load_limits(os.environ, MODEL) == (0, 0)


def test_a_home_that_cannot_be_written_costs_nothing(home, transcript):
    (home / ".local").write_text("a file where the folder would be")

    assert learned_limits.record_compaction(os.environ, MODEL, 168_000) is False
    assert gauge(transcript(lines.answer(230_000, model=MODEL))).used == 230_000


def test_a_session_without_its_transcripts_path(home, repo, project):
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(repo))
    folder.mkdir(parents=True)
    lines.write(folder / "now.jsonl", [lines.answer(70_000, model=MODEL)])
    lines.write(folder / "old.jsonl", [lines.answer(18_400, model=MODEL), lines.answer(90_000, model=MODEL)])
    session = Session(project, "now", os.environ)
    event = parse_event(json.dumps({"session_id": "now", "cwd": str(repo)}).encode(), os.environ)

    assert measurement.measure_session(session).used == measurement.measure_event(event, session).used == 70_000
    assert (measurement.find_starting_size(session), measurement.predict_limit(event, session)) == (
        18_400,
        167_000,
    )


def test_a_transcript_in_another_folder_is_found(home):
    folder = home / ".claude" / "projects" / "elsewhere"
    folder.mkdir(parents=True)
    path = lines.write(folder / "now.jsonl", [lines.answer(1_000)])

    assert (
        measurement.find_transcript(os.environ, "now", "/p"),
        measurement.find_transcript(os.environ, "no", "/p"),
    ) == (path, "")


def test_the_line_names_source_age_and_reason(transcript):
    text = measurement.format_line(gauge(transcript(lines.answer(83_500, model=MODEL, time=stamp(30)))))

    assert text.startswith("Context: 50 % used (83,500 of 167,000 tokens); from the transcript, 3")
    assert "automatic compaction" in text


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
def test_epoch_is_utc_in_every_zone(zone, monkeypatch):
    import calendar

    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for month in (1, 7):
            expected = calendar.timegm((2026, month, 5, 3, 4, 5)) + 0.25
            assert measurement.parse_epoch(f"2026-{month:02d}-05T03:04:05.250Z") == pytest.approx(expected)
        assert measurement.parse_epoch("yesterday") == measurement.parse_epoch("") == 0.0
    finally:
        monkeypatch.undo()
        time.tzset()


def test_thresholds_work_on_a_measured_budget(transcript):
    assert usage.find_crossed(gauge(transcript(lines.answer(140_000, model=MODEL))), [40]) == [60, 80]
