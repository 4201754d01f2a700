"""Times."""

import calendar
import re
import time
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from belay.core import clock


@given(st.datetimes(min_value=datetime(1970, 1, 1)))
def test_seconds_are_those_of_the_calendar(moment):
    stamp = moment.strftime("%Y-%m-%dT%H:%M:%S")
    assert clock.seconds(stamp + ".123456Z") == calendar.timegm(time.strptime(stamp, "%Y-%m-%dT%H:%M:%S"))


@given(st.text(max_size=25))
def test_any_text_has_seconds_and_a_time(text):
    assert isinstance(clock.seconds(text), float)
    assert isinstance(clock.local_time(text), str)


def test_now_is_utc_with_microseconds_and_sorts_as_text():
    first, second = clock.now(), clock.now()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", first)
    assert first <= second
    assert abs(clock.seconds(first) - time.time()) < 2


def test_local_dates_and_times(monkeypatch):
    monkeypatch.setenv("TZ", "Etc/GMT-10")
    time.tzset()
    try:
        assert clock.local_date("2026-01-01T20:00:00Z") == "2026-01-02"
        assert clock.local_time("2026-01-01T20:05:00Z") == "06:05"
    finally:
        monkeypatch.undo()
        time.tzset()
    assert clock.local_time("no time") == ""
    assert clock.days_before("2026-03-01T00:00:00.5Z", 1) == "2026-02-28T00:00:00"
