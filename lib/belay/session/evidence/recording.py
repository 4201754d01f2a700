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
    from belay.core.paths import Project
    from belay.session.evidence.gates import Gate
    from belay.session.session import Session

EDITED = 20
"""Edited files that are named."""
_LOOKED, _SHOWN = 1600, 200
"""Characters of a command line that are looked at, and shown."""


_TRUNCATED = " characters truncated] ..."
"""What the client puts into the middle of a failed command's output over 10,000 characters; it passes on 30,000."""
_PARTLY = "Claude Code passed on only parts of a long output; its end may be missing"


def record_run(session: Session, run: CommandRun, cwd: str) -> str:
    """Keep how the checks of a command ended that ran in a folder; return the name of the file with a failed output.

    "" for one that passed, one of another project, and where nothing is to be kept or can be: a session does not wait
    for that.
    """
    project, environ = session.project, session.environ
    if run["check"] not in (checks.PASSED, checks.FAILED) or not settings.load_settings(project, environ)["evidence"]:
        return ""
    tree = project if cwd == project.root else projects.find(cwd, environ)
    is_open = all(output_files.find_folder(project, name) for name in output_files.FOLDERS)
    if tree is None or tree.store != project.store or not is_open:
        return ""
    folder = projects.folder_in(tree.root, cwd)
    step = _enter(folder) if folder else ""
    ran = checks.find_checks(run["checked"], tree.root)
    has_failed = run["check"] == checks.FAILED
    groups = [ran] if has_failed and ran else [[check] for check in ran]
    file = ""
    try:
        output_files.make_private(project, environ)
        for group in groups:
            command = step + checks.describe(group)
            name, gate = _name(tree, command, group), _describe(session, tree, run, command, group)
            if len(groups) == 1:  # the numbers of several checks are nobody's
                gate["counts"] = counts.count_results(run["tail"])
            if has_failed:
                head = [*_head(gate), *([_PARTLY] if _TRUNCATED in run["tail"] else [])]
                file = gate["evidence"] = output_files.write_output(project, name, head, _clean(run["tail"]))
            gates.save_gate(project, environ, name, gate)
    except OSError:
        return file
    return file


def _enter(folder: str) -> str:
    import shlex  # a check at the root, as most are, does not pay for it

    return f"cd {shlex.quote(folder)} && "


def _name(tree: Project, command: str, group: list[Check]) -> str:
    number = zlib.crc32(f"{tree.root}\0{command}".encode("utf-8", "surrogateescape"))
    return output_files.make_name(_kind(group), group[0].runner, number)


def _kind(group: list[Check]) -> str:
    return "+".join(dict.fromkeys(check.kind for check in group))


def _describe(session: Session, tree: Project, run: CommandRun, command: str, group: list[Check]) -> Gate:
    state = session.state
    since = state["commits"][-1]["time"] if state["commits"] else ""
    edited = [path for path, edit in state["edits"].items() if edit["time"] > since]
    status = run["status"] if run["status"] or run["check"] == checks.PASSED else None
    branch, commit = projects.branch_and_commit(tree)
    return {
        "kind": _kind(group), "command": cut(redact(one_line(command[:_LOOKED])), _SHOWN), "result": run["check"],
        "exit": status, "counts": {}, "time": clock.now(), "commit": commit,
        "branch": branch or ("detached" if tree.git_dir else ""), "edited": edited[-EDITED:],
        "root": projects.make_label(tree.root, state["root"]), "session": session.name, "evidence": "",
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
