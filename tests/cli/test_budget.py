"""`belay budget`: any transcript by itself, or the session at hand with all that is known."""

import json
import os

import schemas
import transcripts as lines
from click.testing import CliRunner

from belay.budget import learned_limits
from belay.cli.main import belay
from belay.core import paths

MODEL = "claude-opus-4-5-20251101"


def call(*args, code=0):
    done = CliRunner().invoke(belay, ["budget", *args])
    assert done.exit_code == code, done.output
    return done.output


def of(tmp_path, *entries):
    data = json.loads(call("--transcript", lines.write(tmp_path / "t.jsonl", entries), "--json"))
    schemas.check("budget", data)
    return data


def test_a_transcript_by_itself(tmp_path):
    assert of(tmp_path, lines.answer(85_170)) == {
        "used": 85_170, "limit": 167_000, "window": 200_000, "percent": 51.0, "source": "transcript", "model": MODEL,
    }  # fmt: skip


def test_nulls_without_usage(tmp_path):
    nothing = dict.fromkeys(("used", "limit", "window", "percent", "source", "model"))

    assert of(tmp_path, lines.entry("user")) == nothing
    assert of(tmp_path, lines.answer(85_000), lines.boundary(86_000, "manual")) == nothing
    assert "No usage" in call("--transcript", str(tmp_path / "t.jsonl"))


def test_sizes_seen_earlier_in_the_file(tmp_path):
    grown = [lines.answer(size) for size in (150_000, 180_000, 199_000)]

    assert of(tmp_path, *grown, lines.boundary(199_500), lines.answer(20_000))["limit"] == 200_000
    assert of(tmp_path, lines.answer(230_000), lines.boundary(230_500), lines.answer(20_000))["window"] == 1_000_000


def test_the_size_that_compaction_answered_confirms_the_limit(tmp_path):
    full = [lines.answer(160_000), lines.answer(168_500, message="m"), lines.answer(168_500, message="m")]

    assert of(tmp_path, *full, lines.boundary(168_700), lines.answer(20_000))["limit"] == 167_000
    assert of(tmp_path, *full, lines.boundary(168_700, "manual"), lines.answer(20_000))["limit"] == 200_000


def test_only_the_environment_counts_besides(tmp_path, home, monkeypatch):
    learned_limits.record_compaction(os.environ, MODEL, 120_000)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"autoCompactWindow": 110000}')
    assert of(tmp_path, lines.answer(50_000))["limit"] == 167_000

    monkeypatch.setenv("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "60")
    assert of(tmp_path, lines.answer(50_000))["limit"] == 120_000


def test_a_file_that_is_none(tmp_path):
    assert "is not a file" in call("--transcript", str(tmp_path / "none"), code=1)
    assert json.loads(call("--transcript", str(tmp_path), "--json", code=1))["error"]["where"] == str(tmp_path)


def test_the_session_at_hand_with_an_explanation(home, repo, monkeypatch):
    monkeypatch.chdir(repo)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "now")
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    lines.write(folder / "now.jsonl", [lines.answer(85_170)])
    text = call()

    assert "51 % used (85,170 of 167,000 tokens)" in text
    for part in ("transcript", " old", MODEL, "window 200,000", "automatic compaction"):
        assert part in text
    assert json.loads(call("--session", "now", "--json"))["used"] == 85_170
    assert json.loads(call("--session", "../../x", "--json"))["used"] is None


def test_outside_a_project_and_without_a_session(home, monkeypatch):
    monkeypatch.chdir(home)

    assert json.loads(call("--json"))["used"] is None
    assert not os.path.exists(paths.data_home(os.environ))
