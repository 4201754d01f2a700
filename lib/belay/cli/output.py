"""What every command shares: it returns a result, which is printed for people or as JSON.

Exit codes: 0 done; 1 something the user can correct, or a negative answer; 2 the call itself was wrong.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from belay.cli import terminal, working_folder
from belay.core import environment, paths
from belay.core.errors import BadCall, BelayError, NotAProject
from belay.core.text.invisible import escape_invisible
from belay.repository import database_location, projects
from belay.repository.git.reader import gitpython_reader

if TYPE_CHECKING:
    from belay.session.session import Session


class Result(NamedTuple):
    """What a command answers: `data` for --json, `text` for people, `code` to exit with.

    `parts` say the same as `text` in tables and Markdown, for a terminal; without any it shows the text.
    """

    data: Any
    text: str
    code: int = 0
    parts: Sequence[terminal.Part] = ()


_MENDS = {
    (errno.ENOSPC, errno.EDQUOT): "free some space and try again",
    (errno.EACCES, errno.EPERM, errno.EROFS): "make it writable and try again",
    (errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENOTDIR): "there must be a plain file or folder; move it away",
    (errno.EMFILE, errno.ENFILE): "too many files are open; end some programs and try again",
}
"""Errors of the system → what a person can do."""


def command(
    name: str, *, examples: str = "", reads_history: bool = False
) -> Callable[[Callable[..., Result]], click.Command]:
    """Make a click command of a function that returns a Result; adds --json and the examples to --help.

    `reads_history`: GitPython reads the repository; the other commands start git a few times and need no library.
    """

    def wrap(function: Callable[..., Result]) -> click.Command:
        def call(as_json: bool, **options: Any) -> None:
            with gitpython_reader() if reads_history else nullcontext():
                result = answer(function, options)
            sys.exit(show(result, as_json))

        call.__doc__ = function.__doc__
        call.__click_params__ = list(getattr(function, "__click_params__", []))  # type: ignore[attr-defined]
        flagged = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")(call)
        made = click.command(name, epilog=_epilog(examples), context_settings={"help_option_names": ["-h", "--help"]})
        return made(flagged)

    return wrap


def make_unavailable(name: str, missing: ModuleNotFoundError) -> click.Command:
    """Return the command that stands in for one whose module needs a library that is not installed."""

    @click.argument("_", nargs=-1, type=click.UNPROCESSED)
    def fail(_: object) -> Result:
        raise missing

    fail.__doc__ = f"Not available: {_describe_missing(missing).where} is not installed."
    made = command(name)(fail)
    made.context_settings["ignore_unknown_options"] = True
    return made


def _describe_missing(error: ModuleNotFoundError) -> BelayError:
    """Return which distribution a failed import lacks; raise the error where it is none of ours."""
    distribution = environment.LIBRARIES.get((error.name or "").partition(".")[0])
    if distribution is None:
        raise error
    return BelayError(distribution, "is not installed, and this command needs it", "run: belay setup")


def _epilog(examples: str) -> str:
    lines = [line.strip() for line in examples.strip().splitlines()]
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines) if lines else ""


def answer(function: Callable[..., Result], options: dict[str, object]) -> Result:
    """Call a command; what the user can correct becomes a one-line result with code 1, a wrong call with code 2."""
    try:
        return function(**options)
    except BelayError as error:
        failure = error
    except ModuleNotFoundError as error:
        failure = _describe_missing(error)
    except OSError as error:
        failure = _describe_refusal(error)
    fields = {"where": failure.where, "what": failure.what, "mend": failure.mend}
    return Result({"error": fields}, f"{program()}: {failure}", 2 if isinstance(failure, BadCall) else 1)


def _describe_refusal(error: OSError) -> BelayError:
    """Return what the system refused: which file, why, and what a person can do about it."""
    path = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else "the disk"
    what, _, own = (error.strerror or str(error)).partition("; ")
    mend = own or next((text for numbers, text in _MENDS.items() if error.errno in numbers), "look at it and try again")
    return BelayError(path, what.lower(), mend)


def make_result(data: Any, parts: Sequence[terminal.Part], code: int = 0) -> Result:
    """Return the result that says these parts."""
    return Result(data, terminal.plain(parts), code, parts)


def program() -> str:
    """Return the name we were called by: belay or workshop."""
    context = click.get_current_context(silent=True)
    name = context.find_root().info_name if context else ""
    return "workshop" if name == "workshop" else "belay"


def show(result: Result, as_json: bool) -> int:
    """Print a result; errors for people go to stderr. Return the exit code."""
    if as_json:
        _print(escape_invisible(json.dumps(result.data, ensure_ascii=False)), sys.stdout)
    elif result.text:
        failed = result.code and isinstance(result.data, dict) and "error" in result.data
        stream = sys.stderr if failed else sys.stdout
        if terminal.is_rich(stream):
            _print(terminal.render(result.parts or [result.text], is_error=bool(failed)), stream)
        else:
            _print(terminal.clean(result.text.rstrip("\n")), stream)
    return result.code


def _print(text: str, stream: Any) -> None:
    try:
        stream.buffer.write(text.encode("utf-8", "replace") + b"\n")
        stream.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def here() -> paths.Project:
    """Return the project of the session that calls, else of the current folder; NotAProject where there is none."""
    folder = working_folder.find(os.environ)
    project = projects.find(folder, os.environ)
    if project is None:
        raise NotAProject(folder, "is your home or the root, not a project", "cd into a project")
    return database_location.settle(project, os.environ)


def session(project: paths.Project) -> str:
    """Return the session that calls us (`working_folder.name_session`), else the last one of the project."""
    from belay.client.event import session_name
    from belay.session import journal

    own = working_folder.name_session(os.environ)
    known = journal.list_sessions(project.journals)
    return session_name(own) if own else (known[-1] if known else "")


def find_session(project: paths.Project) -> Session:
    """Return the session that calls us where it was begun, else the last one, or the terminal, at this folder."""
    from belay.session.session import Session

    name = session(project) or "terminal"
    own = Session(project, name, os.environ)
    called = working_folder.name_session(os.environ) and own.state["started"]
    return own if called else Session(project, name, os.environ, working_folder.find(os.environ))
