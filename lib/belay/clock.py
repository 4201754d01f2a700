"""Times: records carry UTC, file names and logs the local date."""

from __future__ import annotations

import time

DAY = 86400.0
_FORM = "%Y-%m-%dT%H:%M:%S"


def now() -> str:
    """Return the UTC time with microseconds, as journal records carry it."""
    moment = time.time()
    whole = int(moment)
    return time.strftime(_FORM, time.gmtime(whole)) + f".{int((moment - whole) * 1e6):06d}Z"


def seconds(stamp: str) -> float:
    """Return a journal time as seconds since the epoch, 0.0 when it is not one."""
    import calendar

    try:
        return float(calendar.timegm(time.strptime(stamp[:19], _FORM)))
    except ValueError:
        return 0.0


def days_before(stamp: str, days: float) -> str:
    """Return the journal time so many days earlier."""
    return time.strftime(_FORM, time.gmtime(seconds(stamp) - days * DAY))


def local_date(stamp: str = "") -> str:
    """Return the local date of a journal time, or today's."""
    return time.strftime("%Y-%m-%d", time.localtime(seconds(stamp) if stamp else None))


def local_time(stamp: str) -> str:
    """Return the local HH:MM of a journal time, "" when it is not one."""
    moment = seconds(stamp)
    return time.strftime("%H:%M", time.localtime(moment)) if moment else ""
