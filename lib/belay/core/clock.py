"""Times: records carry UTC, file names and logs the local date."""

from __future__ import annotations

import os
import time

DAY = 86400.0
_FORM = "%Y-%m-%dT%H:%M:%S"
_UTC = r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(?:Z|\+00:00)"
_FIELDS = ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19))


def moment() -> float:
    """Return the present as seconds since the epoch; where BELAY_TEST=1, BELAY_NOW (RFC 3339) sets it.

    Tests and replays of old sessions need a clock that goes as life went; anything else ignores both.
    """
    if os.environ.get("BELAY_TEST") == "1":
        return seconds(os.environ.get("BELAY_NOW", "")) or time.time()
    return time.time()


def now() -> str:
    """Return the UTC time with microseconds, as journal records carry it."""
    present = moment()
    whole = int(present)
    return time.strftime(_FORM, time.gmtime(whole)) + f".{int((present - whole) * 1e6):06d}Z"


def seconds(stamp: str) -> float:
    """Return a journal time as seconds since the epoch, 0.0 when it is not one."""
    # time.strptime loads datetime, re and locale: as much again as a bare interpreter.
    try:
        year, month, day, hour, minute, second = (int(stamp[a:b]) for a, b in _FIELDS)
    except ValueError:
        return 0.0
    return _days(year, month, day) * DAY + hour * 3600.0 + minute * 60.0 + second


def _days(year: int, month: int, day: int) -> int:
    """Return the days from 1970-01-01 to a date of the Gregorian calendar; years are counted from March."""
    year, month = (year - 1, month + 9) if month < 3 else (year, month - 3)
    return year * 365 + year // 4 - year // 100 + year // 400 + (month * 153 + 2) // 5 + day - 1 - 719468


def shifted(stamp: str, by: float) -> str:
    """Return the journal time so many seconds later."""
    return time.strftime(_FORM, time.gmtime(seconds(stamp) + by))


def days_before(stamp: str, days: float) -> str:
    """Return the journal time so many days earlier."""
    return shifted(stamp, -days * DAY)


def local_date(stamp: str = "") -> str:
    """Return the local date of a journal time, or today's."""
    return time.strftime("%Y-%m-%d", time.localtime(seconds(stamp) if stamp else moment()))


def local_time(stamp: str) -> str:
    """Return the local HH:MM of a journal time, "" when it is not one."""
    moment = seconds(stamp)
    return time.strftime("%H:%M", time.localtime(moment)) if moment else ""


def journal_time(value: object) -> str:
    """Return an RFC 3339 time in UTC as the journal writes it, with microseconds; "" for anything else."""
    import re  # hooks never call this, and must not load it

    parts = re.fullmatch(_UTC, value) if isinstance(value, str) else None
    return f"{parts[1]}.{(parts[2] or '').ljust(6, '0')}Z" if parts else ""
