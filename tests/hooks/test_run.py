"""The one boundary of every hook."""

import os

import pytest

from belay.client.event import Reply
from belay.core import paths
from belay.hooks import run, stop


def log():
    path = paths.log_file(os.environ)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_what_breaks_is_logged_as_a_bug_report_and_says_nothing(monkeypatch):
    def broken(event):
        raise RuntimeError("no luck with password=hunter2hunter2")

    monkeypatch.setattr(stop, "handle", broken)
    assert run.respond("stop", "Stop", b"{}", os.environ).plain == ""
    assert "hook stop failed" in log()
    assert "RuntimeError: no luck" in log()
    assert "hunter2" not in log()


@pytest.mark.parametrize(
    "error",
    [
        RecursionError,
        MemoryError,
        UnicodeEncodeError("utf-8", "\ud800", 0, 1, "x"),
        SystemError,
        OSError(28, "full"),
    ],
)
def test_every_error_ends_at_the_boundary(monkeypatch, error):
    def broken(event):
        raise error

    monkeypatch.setattr(stop, "handle", broken)
    assert run.respond("stop", "Stop", b"{}", os.environ).plain == ""
    assert "hook stop failed" in log()


def test_a_handler_that_is_missing_is_no_error_for_the_client():
    assert run.respond("no_such_event", "NoSuchEvent", b"{}", os.environ).plain == ""
    assert "no_such_event" in log()


def test_belay_can_be_switched_off(monkeypatch):
    monkeypatch.setattr(stop, "handle", lambda event: Reply(context="x"))
    assert run.respond("stop", "Stop", b"{}", {**os.environ, "BELAY": "off"}).plain == ""
    assert '"x"' in run.respond("stop", "Stop", b"{}", os.environ).plain


def test_the_log_is_capped(monkeypatch):
    from belay.safety import log as bugs

    monkeypatch.setattr(bugs, "LOG_BYTES", 2000)
    for n in range(100):
        bugs.log_note(f"note {n} " + "x" * 100, os.environ)
    assert len(log()) < 2500
    assert "note 99" in log()
    assert os.path.getsize(paths.log_file(os.environ) + ".old") < 2500
