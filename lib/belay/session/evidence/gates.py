"""`.claude/orchestration/verification/`: the last result of each check, one JSON file a check.

A result is of the moment at which the check ended: of the commit named and, beside it, of files that may have been
changed and not committed. It carries this user's mark; one that came with a clone is not believed.
"""

from __future__ import annotations

import os

from belay.client import checks
from belay.core import files, json_codec, signatures
from belay.session.evidence import output_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypedDict

    from belay.core.paths import Project
    from belay.session.evidence.counts import Counts

    class Gate(TypedDict):
        """The last result of a check.

        `kind` is test, lint, types, build or format, several with "+" where one of several checks failed; `exit` is the
        exit status, None where a pipe hid it; `edited` are the files that the session had edited since its last
        commit; `root` is the work tree; `evidence` is the file with the output, "" where it passed.
        """

        kind: str
        command: str
        result: str
        exit: int | None
        counts: Counts
        time: str
        commit: str
        branch: str
        edited: list[str]
        root: str
        session: str
        evidence: str


_BYTES = 64 * 1024


def save_gate(project: Project, environ: Mapping[str, str], name: str, gate: Gate) -> None:
    """Write the last result of a check under its name (`output_files.make_name`); OSError where that cannot be."""
    folder = output_files.find_folder(project, output_files.VERIFICATION)
    if not folder:
        return
    data = json_codec.encode({**gate, "mark": _sign(environ, name, project)})
    files.write(os.path.join(folder, name + ".json"), data + b"\n", sync=False)
    output_files.prune(project, output_files.VERIFICATION)


def load_gates(project: Project, environ: Mapping[str, str]) -> list[Gate]:
    """Return the last result of each check, the newest last."""
    found = [_load(path, project, environ) for path in output_files.list_own(project, output_files.VERIFICATION)]
    return sorted((gate for gate in found if gate), key=lambda gate: gate["time"])


def _load(path: str, project: Project, environ: Mapping[str, str]) -> Gate | None:
    data = b"" if os.path.islink(path) else files.read(path, _BYTES)
    try:
        gate: Any = json_codec.loads(data.decode("utf-8", "replace"))
    except ValueError:
        return None
    name = os.path.basename(path).removesuffix(".json")
    mark = gate.pop("mark", "") if isinstance(gate, dict) else ""
    return gate if mark and mark == _sign(environ, name, project) else None


def _sign(environ: Mapping[str, str], name: str, project: Project) -> str:
    return signatures.sign_name(environ, f"gate {name} {project.store}")


def find_failing(gates: list[Gate]) -> list[Gate]:
    """Return the results that no later one makes up for, the newest last (`checks.clears`)."""
    return [gate for gate in gates if gate["result"] == checks.FAILED and not _is_cleared(gate, gates)]


def _is_cleared(failed: Gate, gates: list[Gate]) -> bool:
    later = [
        gate["command"]
        for gate in gates
        if gate["result"] == checks.PASSED and gate["root"] == failed["root"] and gate["time"] >= failed["time"]
    ]
    return checks.clears(failed["command"], later)


def describe_counts(counts: Counts) -> str:
    """Return counts in words: `1 failed, 45 passed`; what is 0 is left out."""
    order = ("failed", "errors", "passed", "warnings", "skipped")
    values: Mapping[str, Any] = counts
    shown = ((values.get(name, 0), name) for name in order)
    return ", ".join(
        f"{number} {name[:-1] if number == 1 and name[-1] == 's' else name}" for number, name in shown if number
    )
