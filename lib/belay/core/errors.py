"""The exceptions that a person can act on; all else is a bug."""

from __future__ import annotations

import os


class BelayError(Exception):
    """Something the user can fix: where it is, what is wrong, and how to fix it, each a short phrase."""

    def __init__(self, where: str, what: str, mend: str = "") -> None:
        super().__init__(where, what, mend)
        self.where, self.what, self.mend = where, what, mend

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f"; {self.mend}" if self.mend else "")


class LockTimeout(BelayError):
    """Another process held the lock longer than the deadline."""


class NotAProject(BelayError):
    """The folder is HOME, the file system's root, or gone."""


class BadInput(BelayError):
    """What was handed in cannot be used as it is."""


class BadCall(BadInput):
    """The call itself was wrong, an option's value say: commands exit with 2."""


class ForeignText(BelayError):
    """Text that came with a clone and was not accepted (docs/trust.md)."""


def mend_foreign(names: str, *, for_person: bool = False) -> str:
    """Return what a person does with text that came from elsewhere, as the end of a line.

    Where Claude reads it (HOST §1.3: CLAUDECODE) no command is named: to accept such text is the person's act.
    """
    if os.environ.get("CLAUDECODE") and not for_person:
        return "only the user can accept it (docs/trust.md)"
    return f"read it, then: belay trust {names}"


def mend_foreign_database(*, for_person: bool = False) -> str:
    """Return what a person does with a database that came from elsewhere, as `mend_foreign` does for a text."""
    if os.environ.get("CLAUDECODE") and not for_person:
        return "only the user can accept it (docs/trust.md)"
    return "`belay trust` lists what it holds"
