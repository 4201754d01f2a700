"""Times: records carry UTC, file names and logs the local date."""

from __future__ import annotations

import os
import time

from belay.core import files

DAY = 86400.0
JUMP = 60 * DAY
"""Between two runs on one project; a longer leave counts as a jump of the clock, and so does any way back."""
SETTLED = 7 * DAY
"""So long a clock has to run on after a jump before anything is dropped for its age."""
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


def is_settled(folder: str) -> bool:
    """Whether the system's clock can be believed where something is to be dropped for its age.

    `clock` in a project's folder of states keeps when this was last asked and when the clock last jumped, in seconds
    since 1970. It is asked at the end of every session, so a machine that wakes up in 2099 or in 1970 is noticed before
    anything is dropped.
    """
    path, present = os.path.join(folder, "clock"), time.time()
    last, jumped = _read_times(path)
    if last and not -DAY < present - last < JUMP:
        jumped = present
    try:
        files.write(path, f"{present:.0f} {jumped:.0f}".encode(), sync=False)
    except OSError:
        return False  # nobody would know the next jump
    return present - jumped >= SETTLED


def _read_times(path: str) -> tuple[float, float]:
    words = files.read(path, 64).split()
    try:
        last, jumped = map(float, words)
    except ValueError:
        return 0.0, 0.0
    return last, jumped
