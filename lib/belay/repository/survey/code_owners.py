"""The CODEOWNERS file of a project, wherever it is kept."""

from __future__ import annotations

from belay.repository.git import owners
from belay.repository.survey import files

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
BYTES = 64 * 1024


def read_code_owners(root: str) -> tuple[str, list[tuple[str, list[str]]]]:
    """Return the file's name and its (pattern, owners), of the first place that has any; ("", []) without one."""
    for name in PLACES:
        rules = owners.parse_codeowners(files.text(root, name, BYTES))
        if rules:
            return name, rules
    return "", []
