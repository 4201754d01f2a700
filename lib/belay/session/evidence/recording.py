"""What a check leaves behind when it has ended: its result, and where it failed the end of its output."""

from __future__ import annotations

import zlib

from belay.client import checks
from belay.core import clock, settings
from belay.core.plain_text import cut, one_line
from belay.repository import projects
from belay.safety.redaction import redact
from belay.session.evidence import counts, gates, output_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from belay.client.checks import Check
    from belay.client.tool_results import CommandRun
    from belay.session.evidence.gates import Gate
    from belay.session.session import Session

EDITED = 20
"""Edited files that are named."""
_LOOKED, _SHOWN = 1600, 200
"""Characters of a command line that are looked at, and shown."""


def record_run(session: Session, run: CommandRun) -> str:
    """Keep how the checks of a command ended; return the name of the file with the output of one that failed.

    "" for one that passed, and where nothing is to be kept or can be: a session does not wait for that.
    """
    project, environ = session.project, session.environ
    if run["check"] not in (checks.PASSED, checks.FAILED) or not settings.load_settings(project, environ)["evidence"]:
        return ""
    if not all(output_files.find_folder(project, name) for name in output_files.FOLDERS):
        return ""
    ran = checks.find_checks(run["checked"], project.root)
    has_failed = run["check"] == checks.FAILED
    groups = [ran] if has_failed and ran else [[check] for check in ran]
    file = ""
    try:
        output_files.make_private(project, environ)
        for group in groups:
            name, gate = _name(session, group), _describe(session, run, group)
            if len(groups) == 1:  # the numbers of several checks are nobody's
                gate["counts"] = counts.count_results(run["tail"])
            if has_failed:
                file = gate["evidence"] = output_files.write_output(project, name, _head(gate), _clean(run["tail"]))
            gates.save_gate(project, environ, name, gate)
    except OSError:
        return file
    return file


def _name(session: Session, group: list[Check]) -> str:
    key = "\0".join([session.project.root, *(f"{check.start}\0{check.text}" for check in group)])
    return output_files.make_name(_kind(group), group[0].runner, zlib.crc32(key.encode("utf-8", "surrogateescape")))


def _kind(group: list[Check]) -> str:
    return "+".join(dict.fromkeys(check.kind for check in group))


def _describe(session: Session, run: CommandRun, group: list[Check]) -> Gate:
    state = session.state
    since = state["commits"][-1]["time"] if state["commits"] else ""
    edited = [path for path, edit in state["edits"].items() if edit["time"] > since]
    status = run["status"] if run["status"] or run["check"] == checks.PASSED else None
    return {
        "kind": _kind(group), "command": cut(redact(one_line(checks.describe(group)[:_LOOKED])), _SHOWN),
        "result": run["check"], "exit": status, "counts": {}, "time": clock.now(), "commit": session.head[1],
        "branch": session.branch, "edited": edited[-EDITED:],
        "root": projects.make_label(session.project.root, state["root"]), "session": session.name, "evidence": "",
    }  # fmt: skip


def _head(gate: Gate) -> list[str]:
    """Return the lines above an output: what ran, how it ended, on which commit."""
    numbers = gates.describe_counts(gate["counts"])
    ended = "exit status unknown, a pipe hides it" if gate["exit"] is None else f"exit status {gate['exit']}"
    where = " at ".join(filter(None, (gate["branch"], gate["commit"][:12]))) or "no git"
    edited = f"edited since the session's last commit: {', '.join(gate['edited'])}"
    return [
        f"$ {gate['command']}",
        f"failed: {ended}" + (f"; {numbers}" if numbers else ""),
        f"{gate['time'][:19]}Z, {where}, session {gate['session']}",
        *([edited] if gate["edited"] else []),
    ]


def _clean(tail: str) -> str:
    """Return an output without control characters; a secret that colours had cut in two is found after that."""
    clean = output_files.strip_controls(tail)
    return clean if clean == tail else redact(clean)
