"""Templates: plain files that ship with Belay and that a user may override in .claude/memory/templates/."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from belay.core import files, paths
from belay.memory.document.template_sections import NOT_RECORDED
from belay.repository import vetting

MEMORY = "MEMORY.md"
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def load_template(project: paths.Project, environ: Mapping[str, str], name: str) -> str:
    """Return a template: the project's own where its text is trusted (docs/trust.md), else the shipped one."""
    path = os.path.relpath(project.stored("templates", name), project.root).replace(os.sep, "/")
    if os.path.isfile(project.at(path)):
        known, _ = vetting.read_trusted(project, environ, [path])
        if path in known:
            return known[path]
    return files.read(paths.resource("templates", name)).decode("utf-8")


def begin_memory(project: paths.Project, environ: Mapping[str, str], date: str, branch: str) -> str:
    """Return the template of a memory file with its header filled for a first session."""
    return fill_template(load_template(project, environ, MEMORY), {"date": date, "session": "1", "branch": branch})


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """Return the text with every {{name}} replaced; a name without a value becomes "not recorded"."""
    return _PLACEHOLDER.sub(lambda hole: values.get(hole.group(1)) or NOT_RECORDED, text)
